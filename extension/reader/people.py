"""People by first and last name, which many tables keep in two columns: "Mary Smith"."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from askwhere.engine import Column
from askwhere.reader.joins import Path
from askwhere.reader.lexicon import Sense
from askwhere.reader.marks import Mark
from askwhere.reader.tokens import Token

Span = tuple[int, int]
Pairs = tuple[tuple[Column, Column], ...]


def whole_names(
    tokens: tuple[Token, ...], found: dict[Span, list[Sense]], pairs: dict[Path, Pairs]
) -> dict[Span, list[Sense]]:
    """The spans that are the first and the last name of one table's people, as senses of both columns together.

    A first name of one table before a last name of another is nobody: in `found` neither is a name any more.
    """
    spans = [span for span, senses in found.items() if senses and _words(tokens, span)]
    firsts = {span: named for span in spans if (named := _named(found[span], 0, pairs))}
    lasts = {span: named for span in spans if (named := _named(found[span], 1, pairs))}
    whole: dict[Span, list[Sense]] = {}
    for first, last in [(one, other) for one in firsts for other in lasts if one[1] == other[0]]:
        both = [_joined(one, other) for one in firsts[first] for other in lasts[last] if one.table is other.table]
        whole.setdefault((first[0], last[1]), []).extend(both)
        found[first] = [s for s in found[first] if s not in firsts[first]]
        found[last] = [s for s in found[last] if s not in lasts[last]]
    return {span: [s for s in senses if not s.note] or senses for span, senses in whole.items() if senses}


def name_marks(tokens: tuple[Token, ...], whole: dict[Span, list[Sense]]) -> Iterable[Mark]:
    """The marks of whole names, a little better than two words of one value."""
    for (start, end), senses in whole.items():
        text = " ".join(t.text for t in tokens[start:end])
        best = max(s.score for s in senses)
        yield Mark("value", start, end, (end - start) * 1.5 * best, text, "", tuple(senses))


def _words(tokens: tuple[Token, ...], span: Span) -> bool:
    return all(t.kind == "word" for t in tokens[span[0] : span[1]])


def _named(senses: list[Sense], place: int, pairs: dict[Path, Pairs]) -> list[Sense]:
    """Those that are a first (0) or last (1) name of people."""
    return [s for s in senses if any(s.columns == (pair[place],) for pair in pairs[s.table.path])]


def _joined(first: Sense, last: Sense) -> Sense:
    note = "; ".join(n for n in (first.note, last.note) if n)
    value = (str(first.value), str(last.value))
    columns = first.columns + last.columns
    return replace(first, columns=columns, value=value, score=min(first.score, last.score), note=note)
