"""Write words as others that mean the same in this schema: "runs out" as "expires", "nights" as "days"."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from askwhere.reader.marking.formulas import days_of, says_stay
from askwhere.reader.marking.narrowing import dates_of_act
from askwhere.reader.marking.over import with_those_over
from askwhere.reader.schema.lexicon import Lexicon
from askwhere.reader.words.names import cut_name
from askwhere.reader.words.tokens import Token, stem
from askwhere.reader.words.types import is_number


def with_equivalents(tokens: tuple[Token, ...], lexicon: Lexicon) -> tuple[Token, ...]:
    """Return the tokens with the words that the schema has for what they say."""
    tokens = _with_at_least(_with_never(_with_denials(_with_top(_with_without(tokens)))))
    tokens = with_those_over(_with_average_length(_with_average(tokens)), lexicon)
    return _with_days(_with_expires(tokens, lexicon), lexicon)


def _with_without(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """Return the tokens with "without" for "w/o"."""
    said = list(tokens)
    for place in range(len(tokens) - 2, -1, -1):
        first, last = tokens[place], tokens[min(place + 1 + (tokens[place + 1].text == "/"), len(tokens) - 1)]
        if (first.lower, last.lower) == ("w", "o") and last.start == first.end + 1:
            said[place : tokens.index(last) + 1] = [replace(first, text="without", end=last.end)]
    return tuple(said)


def _with_denials(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """Return the tokens with "nonbillable" for "non-billable", as it is read where it is written so."""
    places = [i for i, (non, said) in enumerate(pairwise(tokens)) if non.lower == "non" and said.kind == "word"]
    joined = list(tokens)
    for place in reversed(places):
        non, said = joined[place : place + 2]
        joined[place : place + 2] = [replace(said, text=f"non{said.lower}", start=non.start)]
    return tuple(joined)


def _with_never(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """Return the tokens with "have never bought anything" for "have not bought anything", and so of nothing else."""
    words = [token.lower for token in tokens]
    places = {i for i, word in enumerate(words) if word == "not" and words[i + 2 : i + 3] == ["anything"]}
    places = {i for i in places if i and words[i - 1] in _HAVING}
    return tuple(replace(t, text="never") if i in places else t for i, t in enumerate(tokens))


def _with_top(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """Return the tokens with "top 8 cheeses by score" for "8 best cheeses by score", or "best 8 cheeses by score"."""
    words = [token.lower for token in tokens]
    for place, (one, other) in enumerate(pairwise(tokens)):
        if "by" in words[place:] and {one.kind, other.kind} == {"number", "word"}:
            count, best = (one, other) if one.kind == "number" else (other, one)
            if best.lower == "best" and len(count.text) < _YEAR:
                top = replace(one, text="top", kind="word"), replace(other, text=count.text, kind="number")
                return (*tokens[:place], *top, *tokens[place + 2 :])
    return tokens


def _with_average(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """Return the tokens with "lowest average scores" for "lowest scores on average"."""
    for place, (most, _, on, average) in enumerate(zip(tokens, tokens[1:], tokens[2:], tokens[3:], strict=False)):
        if most.lower in ("highest", "lowest", "best", "worst") and (on.lower, average.lower) == ("on", "average"):
            return (*tokens[: place + 1], average, tokens[place + 1], *tokens[place + 4 :])
    return tokens


def _with_at_least(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """Return the tokens with "at least twice" for "twice or more"."""
    said = list(tokens)
    for place, (often, either, more) in enumerate(zip(tokens, tokens[1:], tokens[2:], strict=False)):
        if (often.lower in ("once", "twice")) and (either.lower, more.lower) == ("or", "more"):
            least = replace(often, text="at"), replace(either, text="least"), replace(more, text=often.text)
            said[place : place + 3] = least
    return tuple(said)


def _with_average_length(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """Return the tokens with "the average length of" for "how long is the average", or "how long are … on average"."""
    words = [token.lower for token in tokens if token.kind != "mark"]
    if words[:2] != ["how", "long"] or words[2:3] not in (["is"], ["are"], ["was"]):
        return tokens
    if words[4:] == ["on", "average"]:
        rest, average = tokens[3:4], tokens[5]
    elif "average" in words[3:5]:
        rest, average = tokens[words.index("average") + 1 :], tokens[words.index("average")]
    else:
        return tokens
    said = zip(tokens, ("the", average.text, "length", "of"), strict=False)
    return (*(replace(token, text=text) for token, text in said), *rest)


def _with_expires(tokens: tuple[Token, ...], lexicon: Lexicon) -> tuple[Token, ...]:
    """Return the tokens with "expires" for "runs out", where a date says when, and no stock is there to run out."""
    places = [i for i, (run, out) in enumerate(pairwise(tokens)) if out.lower == "out" and run.lower in _RUN]
    stocks = any(s.columns and is_number(s.column) for word in ("stock", "hand") for s in lexicon.named((word,)))
    if not places or stocks or not dates_of_act(stem("expire"), lexicon):
        return tokens
    said = list(tokens)
    for place in reversed(places):
        run, out = said[place : place + 2]
        form = "expired" if place and said[place - 1].lower in _HAVING else _RUN[run.lower]
        said[place : place + 2] = [replace(run, text=form, end=out.end)]
    return tuple(said)


def _with_days(tokens: tuple[Token, ...], lexicon: Lexicon) -> tuple[Token, ...]:
    """Return the tokens with "days" for "nights" where rows are stays, whose nights no name counts."""
    if all(token.lower != "nights" for token in tokens):
        return tokens
    stays = any(says_stay(dates) for table in lexicon.tables for dates in days_of(table))
    names = (name for table in lexicon.tables for name in (table.name, *(c.name for c in table.columns)))
    counted = any(_NIGHTS & {*cut_name(name)} for name in names)
    if not stays or counted:
        return tokens
    return tuple(replace(token, text="days") if token.lower == "nights" else token for token in tokens)


_NIGHTS = frozenset({"night", "nights"})
_RUN = {"run": "expire", "runs": "expires", "ran": "expired", "running": "expiring"}
_HAVING = frozenset("have has had already".split())
_YEAR = 4  # digits: the "2024 best sellers by revenue" are no top 2024
