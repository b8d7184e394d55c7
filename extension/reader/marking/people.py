"""Find people by first and last name ("Mary Smith"), which many tables keep in two columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from askwhere.engine import Column
from askwhere.reader.marking.marks import Mark
from askwhere.reader.schema.edges import Path
from askwhere.reader.schema.senses import Sense
from askwhere.reader.words.tokens import Token

Span = tuple[int, int]
Senses = tuple[Sense, ...]
Pairs = tuple[tuple[Column, Column], ...]


def whole_names(
    tokens: tuple[Token, ...], found: Mapping[Span, Senses], pairs: dict[Path, Pairs]
) -> tuple[dict[Span, Senses], dict[Span, Senses]]:
    """Return a sense over both columns for each span that is a first name followed by a last name in one table.

    `found` maps a span of words to the value senses there; `pairs` gives each table's columns of first and last name.
    What is `found` is returned, too, without the senses as single names of names that follow each other like this, so
    that they are not read as names of two people.
    """
    spans = [span for span, senses in found.items() if senses and _words(tokens, span)]
    firsts = {span: named for span in spans if (named := _named(found[span], 0, pairs))}
    lasts = {span: named for span in spans if (named := _named(found[span], 1, pairs))}
    whole: dict[Span, list[Sense]] = {}
    single = dict(found)
    for first, last in [(one, other) for one in firsts for other in lasts if one[1] == other[0]]:
        both = [_joined(one, other) for one in firsts[first] for other in lasts[last] if one.table is other.table]
        whole.setdefault((first[0], last[1]), []).extend(both)
        single[first] = tuple(s for s in single[first] if s not in firsts[first])
        single[last] = tuple(s for s in single[last] if s not in lasts[last])
    return {
        span: tuple(s for s in senses if not s.is_loose) or (*senses,) for span, senses in whole.items() if senses
    }, single


def name_marks(tokens: tuple[Token, ...], whole: Mapping[Span, Senses]) -> Iterable[Mark]:
    """Yield a value mark for each whole name, scored a little above one value of two words."""
    for (start, end), senses in whole.items():
        text = " ".join(t.text for t in tokens[start:end])
        best = max(s.score for s in senses)
        yield Mark("value", start, end, (end - start) * 1.5 * best, text, "", senses)


def _words(tokens: tuple[Token, ...], span: Span) -> bool:
    """Return whether all tokens of a span are words, not numbers, signs or quotations."""
    return all(t.kind == "word" for t in tokens[span[0] : span[1]])


def _named(senses: Senses, place: int, pairs: dict[Path, Pairs]) -> list[Sense]:
    """Return the senses that are a first name (`place` 0) or a last name (`place` 1) of people."""
    return [s for s in senses if any(s.columns == (pair[place],) for pair in pairs[s.table.path])]


def _joined(first: Sense, last: Sense) -> Sense:
    """Return the sense of a first and a last name together: both columns, both values, the lower score, both notes."""
    note = "; ".join(n for n in (first.note, last.note) if n)
    respelt = first.is_loose or last.is_loose
    value = (str(first.value), str(last.value))
    columns = first.columns + last.columns
    return replace(first, columns=columns, value=value, score=min(first.score, last.score), note=note, respelt=respelt)
