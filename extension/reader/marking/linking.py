"""Find the tables and columns that runs of words in a question may name (schema linking)."""

from __future__ import annotations

from itertools import pairwise

from askwhere.indexer.word_forms import PARTICIPLE
from askwhere.reader.marking.marks import Mark
from askwhere.reader.marking.narrowing import RULES, Senses, Span
from askwhere.reader.marking.numeric import is_key
from askwhere.reader.marking.operators import is_preposition
from askwhere.reader.marking.revenue import MONEY
from askwhere.reader.marking.values import SMALL
from askwhere.reader.schema.guessing import guessed
from askwhere.reader.schema.lexicon import Lexicon
from askwhere.reader.schema.senses import Sense
from askwhere.reader.words.dates import DECADE
from askwhere.reader.words.english import BEFORE_TIMES, BEING, HAVING, PLACING
from askwhere.reader.words.phrases import WORD
from askwhere.reader.words.tokens import Token, is_singular, stem
from askwhere.reader.words.verbs import is_act, names_an_act, names_who

LONGEST_NAME = 6


def names(tokens: tuple[Token, ...], lexicon: Lexicon, valued: frozenset[int]) -> list[Mark]:
    """Return the marks of tables and columns for all spans of up to `LONGEST_NAME` words that may be one name.

    The words at the places `valued` are values, and near to names at most: no name that they are only like is taken,
    except by a span of words that is short for the whole name of a table, "maintenance orders" for `mnt_ord`.
    """
    found = []
    words = [t.stem for t in tokens]
    for start, token in enumerate(tokens):
        if token.kind not in ("word", "number"):
            continue
        for end in range(start + 1, min(start + LONGEST_NAME, len(tokens)) + 1):
            said = tokens[start:end]
            if said[-1].kind not in ("word", "number") or _spans_names(said, lexicon):
                break
            if not valued.isdisjoint(range(start, end)):
                found += _whole_table(tokens, words, start, end, lexicon)
                continue
            if not (
                _is_cut_off(said, lexicon)
                or _of_a_table(tokens, words, start, end, lexicon)
                or _done(tokens, words, start, end, lexicon)
                or _flags_things(said, lexicon)
            ):
                found += _named(tokens, words, start, end, lexicon)
    return found


def _spans_names(said: tuple[Token, ...], lexicon: Lexicon) -> bool:
    """Return whether neither words nor more of them are one name, as what parts names is within: "boats in the"."""
    if said[-1].stem == stem(DECADE) and not lexicon.writes(stem(DECADE)):
        return True  # no year is a decade
    parting = ((before.lower, word.lower) for before, word in pairwise(said[:-1]))
    return any(
        word in _PARTING - {"of", "and", "the"} or (word == "the" and before != "of") for before, word in parting
    )


def _is_cut_off(said: tuple[Token, ...], lexicon: Lexicon) -> bool:
    """Return whether words begin or end as no name does, though fewer or more of them may be one: "price of"."""
    last = said[-1].lower
    if len(said) == 1:
        return last == "per"  # "repair costs per driver" names no column `PerKm`
    if last in ("first", "last") and any(t.lower == "of" for t in said):
        return True  # "the name of the last order" has no last name in it
    if said[0].lower in _NEVER_FIRST and not lexicon.writes(said[0].stem):
        return True  # "at last inspection" names no column of last names
    return last in _NEVER_LAST or (not _EDGES.isdisjoint((said[0].lower, last)) and not _ends_in(said, lexicon))


def _whole_table(tokens: tuple[Token, ...], words: list[str], start: int, end: int, lexicon: Lexicon) -> list[Mark]:
    """Return the table mark of a span of several words, each of which is one of the name of that table, or none."""
    said = tuple(words[start:end])
    if end - start == 1 or any(t.lower in _PARTING for t in tokens[start:end]):
        return []
    tables = (s for s in lexicon.find(said) if not s.columns)
    whole = tuple(s for s in tables if any(len(name) == len(said) for name in lexicon.names(s.table)))
    return _marks(whole, Span(tuple(t.lower for t in tokens[start:end]), said, "", tokens, start, lexicon), start, end)


def _ends_in(tokens: tuple[Token, ...], lexicon: Lexicon) -> bool:
    """Return whether words are the whole name of a column that ends in "in" without saying where: `check_in`."""
    said = tuple(t.stem for t in tokens)
    if tokens[-1].lower != "in" or is_act(tokens[-2].lower) or tokens[0].lower in _EDGES:
        return False
    senses = lexicon.exact.get(frozenset(said), {}).values()
    return any(s.columns and said in lexicon.names(s.column) for s in senses)


def _of_a_table(tokens: tuple[Token, ...], words: list[str], start: int, end: int, lexicon: Lexicon) -> bool:
    """Return whether a span like "details of the investors" is a column followed by its table, and so not one name."""
    cut = next((i for i in range(start + 1, end - 1) if tokens[i].lower == "of"), None)
    if cut is None:
        return False
    if tokens[start].stem == "number" and any(
        s.columns and s.score >= 1 and not is_key(s.table, s.column) for s in lexicon.find(tuple(words[start:end]))
    ):
        return False  # `Number_of_hosts` is the name of one column
    rest = tuple(w for t, w in zip(tokens[cut + 1 : end], words[cut + 1 : end], strict=True) if t.lower != "the")
    things = [rest, rest[:-1]] if names_an_act(tokens[end - 1].lower) else [rest]  # "… of investors registered in"
    return any(not s.columns and s.score >= 0.9 for said in things for s in lexicon.find(said))


def _done(tokens: tuple[Token, ...], words: list[str], start: int, end: int, lexicon: Lexicon) -> bool:
    """Return whether a span is a table and a verb, not one name: "orders shipped to Oslo", "fees due in May"."""
    if end - start > 1 and _begins_a_clause(tokens, words, start, end, lexicon):
        return True
    if end - start == 1 or end + 1 >= len(tokens) or tokens[end + 1].kind == "mark":
        return False
    follow, several = tokens[end].lower, not is_singular(tokens[end - 2].lower)
    act = bool(PARTICIPLE.match(tokens[end - 1].lower)) and follow in ("to", "from", "on", "at")
    if not (act or (several and follow in BEFORE_TIMES)):
        return False
    things = lexicon.find(tuple(words[start : end - 1]))
    return bool(things) and not things[0].columns


def _flags_things(said: tuple[Token, ...], lexicon: Lexicon) -> bool:
    """Return whether a span is things and what a flag of theirs says, not one name: "pumps out of service"."""
    if len(said) < 3 or is_singular(said[0].lower) or said[1].lower not in PLACING:
        return False
    things = {s.table.path for s in lexicon.find((said[0].stem,)) if not s.columns and s.score >= 0.9}
    named = lexicon.find(tuple(t.stem for t in said[1:])) if things else ()
    return any(s.table.path in things and s.score >= 0.9 and lexicon.truth(s) is not None for s in named)


def _begins_a_clause(tokens: tuple[Token, ...], words: list[str], start: int, end: int, lexicon: Lexicon) -> bool:
    """Return whether a span is a noun and a verb or "since" before a time: "members signed up in", "clients since"."""
    timed = tokens[end - 1].lower in ("since", "until") or (
        end < len(tokens) and tokens[end].lower in ("in", "on", "since", "before", "after", "last", "this", "between")
    )
    said = tokens[start + 1].lower
    if is_singular(tokens[start].lower) or not timed or not (is_act(said) or said in ("since", "until")):
        return False
    return any(not s.columns and s.score >= 0.9 for s in lexicon.find((words[start],)))


_EDGES = {"of", "the", "for", "in", "and", "by", "to", "from", "a", "an", "or", "with", "that", "who"}
_NEVER_LAST = BEING | HAVING | {"at", "on", "per"}
_NEVER_FIRST = {"at", "on"}  # but in `at_bats`
_PARTING = _EDGES | BEING  # "order was shipped" is no name, though "is shipped" may be one


def _named(tokens: tuple[Token, ...], words: list[str], start: int, end: int, lexicon: Lexicon) -> list[Mark]:
    """Return the table mark and the column mark that one span of words may be, at most one of each."""
    if end - start == 1 and tokens[start].lower in SMALL and not _no_command(tokens, start):
        return []
    follow = tokens[end].lower if end < len(tokens) else ""
    if words[end - 1] == "report" and follow == "to":
        return []  # "report to" is a verb
    asked = tuple(t.lower for t in tokens[start:end])
    said = tuple(w for word, w in zip(asked, words[start:end], strict=True) if word != "and")
    if len(set(said)) < len(said) and lexicon.find(tuple(words[end : end + 1])):
        return []  # "open date of open year" names two columns
    senses = lexicon.find(said) or _run_together(asked, lexicon) or _guessed(tokens, start, end, lexicon)
    span = Span(asked, said, follow, tokens, start, lexicon)
    for rule in RULES:
        senses = rule(senses, span)
    return _marks(senses, span, start, end)


def _marks(senses: Senses, span: Span, start: int, end: int) -> list[Mark]:
    """Return up to two marks of a span: one with the senses that are tables, and one with those that are columns."""
    size, text = end - start, " ".join(span.words)
    number = 0.6 if span.words in (("number",), ("numbers",)) and span.follow == "of" else 0.0
    tables, columns = tuple(s for s in senses if not s.columns), tuple(s for s in senses if s.columns)
    found = []
    for kind, more, own in (("table", 0.03, tables), ("column", 0.0, columns)):
        if own:
            score = size * (0.35 + 0.65 * max(s.score for s in own)) + 0.3 * (size - 1) + more
            found.append(Mark(kind, start, end, score - number, text, senses=own))
    return found


def _no_command(tokens: tuple[Token, ...], place: int) -> bool:
    """Return whether "show" or "list" is a noun where it stands: "each show", "which list", "more than one show"."""
    before = tokens[place - 1].lower if place else ""
    noun = before in (_BEFORE_THINGS - {"no", "a", "an"} | {"which", "what", "one"})
    return bool(tokens[place].lower in ("show", "list") and noun)


def _guessed(tokens: tuple[Token, ...], start: int, end: int, lexicon: Lexicon) -> tuple[Sense, ...]:
    """Return the senses guessed for a span; none for one with a word for what is computed or refused, as money."""
    if any((token.lower,) in MONEY or (token.lower, "of") in WORD for token in tokens[start:end]):
        return ()  # nor for "percentage", which begins "percentage of"
    said = [t.text for t in tokens[start:end]]
    if not start and said[0].istitle() and len(tokens) > 1:
        said[0] = said[0].lower()  # a sentence begins with a capital
    found = guessed(lexicon, tuple(said), is_noun(tokens, start, lexicon))
    follow = tokens[end] if end < len(tokens) else None
    if end - start > 1 or follow is None or follow.kind != "word":
        return found
    if not any(not s.columns and s.score >= 0.9 for s in lexicon.find((follow.stem,))):
        return found
    # "Green bikes" are not the electric ones: what is near in meaning is another property.
    return tuple(s for s in found if lexicon.truth(s) is None)


def _run_together(asked: tuple[str, ...], lexicon: Lexicon) -> tuple[Sense, ...]:
    """Return the senses of two words that the schema writes as one: `Highschooler` for "high schoolers"."""
    if len(asked) != 2 or not all(word.isalpha() and len(word) > 2 for word in asked):
        return ()
    return tuple(s for s in lexicon.find((stem("".join(asked)),)) if s.score >= 0.95)


_DEGREES = {"highest", "lowest", "average", "maximum", "minimum", "total"}
_BEFORE_THINGS = {"the", "a", "an", "each", "every", "per", "of", "no", "any", "different", "distinct", "many", "most"}


def is_noun(tokens: tuple[Token, ...], place: int, lexicon: Lexicon) -> bool:
    """Return whether a word that may be a verb is a noun where it stands: "the store", "the names and origins of"."""
    before = tokens[place - 1].lower if place else ""
    after = tokens[place + 1].lower if place + 1 < len(tokens) else ""
    if tokens[place].lower.endswith(("ed", "ing")):
        return False
    if before in _DEGREES and any(s.columns and s.score >= 0.97 for s in lexicon.named((before,))):
        return False  # in "highest attendance" it adds nothing if there is a column `Highest`
    if is_preposition(before):
        return True  # "on hold", "in use"
    return names_who(tokens[place].lower) or before in _BEFORE_THINGS or (before == "and" and after == "of")
