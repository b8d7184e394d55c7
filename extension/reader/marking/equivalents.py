"""Write words as others that mean the same in this schema: "runs out" as "expires", "nights" as "days"."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from askwhere.reader.marking.formulas import days_of, says_stay
from askwhere.reader.marking.narrowing import dates_of_act
from askwhere.reader.schema.lexicon import Lexicon
from askwhere.reader.words.names import cut_name
from askwhere.reader.words.tokens import Token, stem
from askwhere.reader.words.types import is_number


def with_equivalents(tokens: tuple[Token, ...], lexicon: Lexicon) -> tuple[Token, ...]:
    """Return the tokens with the words that the schema has for what they say."""
    return _with_days(_with_expires(_with_average_length(_with_denials(tokens)), lexicon), lexicon)


def _with_denials(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """Return the tokens with "nonbillable" for "non-billable", as it is read where it is written so."""
    places = [i for i, (non, said) in enumerate(pairwise(tokens)) if non.lower == "non" and said.kind == "word"]
    joined = list(tokens)
    for place in reversed(places):
        non, said = joined[place : place + 2]
        joined[place : place + 2] = [replace(said, text=f"non{said.lower}", start=non.start)]
    return tuple(joined)


def _with_average_length(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """Return the tokens with "the average length of" for "how long is the average"."""
    how, *rest = [token.lower for token in tokens[:5]] or [""]
    if (how, *rest[:1]) != ("how", "long") or rest[1:2] not in (["is"], ["are"], ["was"]) or "average" not in rest[2:]:
        return tokens
    average = tokens[rest.index("average") + 1]
    words = zip(tokens, ("the", average.text, "length", "of"), strict=False)
    return (*(replace(token, text=text) for token, text in words), *tokens[rest.index("average") + 2 :])


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
