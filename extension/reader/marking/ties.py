"""Find the words that ask for all things that tie: "all of them if tied", "ties included", "everyone tied for first".

Also those that say how ties are put in order: "ties in alphabetical order", "name breaks ties".
"""

from __future__ import annotations

from collections.abc import Iterator

from askwhere.reader.marking.marks import Mark
from askwhere.reader.words.tokens import Token

BY_NAME = "name"  # the argument of a mark that says in what order things that tie are shown

_TIES = frozenset("tie ties tied draw".split())
_ALPHABET = frozenset("alphabetical alphabetically name names".split())
# Words beside these that are part of the same request.
_BESIDE = _ALPHABET | frozenset(
    "all of them everyone everybody each every both any one several more than people share shares first place for if is"
    " are it there a an in case when where should they those that who and then show list name give me us i want include"
    " includes included including with welcome count counts too case order break breaks broken by the be do possible"
    " please just also".split()
)
_ASKING = frozenset("all everyone everybody each both include included including welcome with order them".split())


def tie_marks(tokens: tuple[Token, ...]) -> Iterator[Mark]:
    """Yield a mark for each request about ties; its argument is `BY_NAME` where it only puts them in order."""
    words = [t.lower if t.kind == "word" else "" for t in tokens]
    for place, word in enumerate(words):
        if word not in _TIES:
            continue
        start, end = place, place + 1
        while start and words[start - 1] in _BESIDE:
            start -= 1
        while end < len(words) and words[end] in _BESIDE:
            end += 1
        rest = end + 1
        while rest < len(words) and (words[rest] in _BESIDE or tokens[rest].kind == "mark"):
            rest += 1
        if end < len(words) and tokens[end].kind == "mark" and rest == len(words):
            end = rest  # "if there is a tie, show them all"
        said = {*words[start:end]}
        by_name = bool(said & _ALPHABET) and not said & {"if", "all", "everyone", "everybody", "them"}
        if by_name or said & _ASKING or (word != "draw" and "first" in said):
            text = " ".join(filter(None, words[start:end]))
            yield Mark("tied", start, end, 1.3 * (end - start), text, BY_NAME if by_name else "")
