"""Mark mass nouns, which say how much there is: "the most stock" is the greatest sum of a column, no count of rows."""

from __future__ import annotations

from collections.abc import Iterator

from askwhere.engine import Column, Table
from askwhere.reader.marking.marks import Mark
from askwhere.reader.marking.numeric import is_key
from askwhere.reader.schema.lexicon import Lexicon
from askwhere.reader.schema.naming import is_the_name, name_columns
from askwhere.reader.schema.senses import Sense
from askwhere.reader.words.english import stems
from askwhere.reader.words.names import cut_name, full_stems
from askwhere.reader.words.tokens import Token
from askwhere.reader.words.types import is_dated, is_number, is_year

MASS = "mass"  # the argument of marks whose column is added up
# Whole words, as "production" and "product" have one stem.
MASS_NOUNS = frozenset(
    "stock inventory production output consumption usage attendance traffic supply demand waste rainfall".split()
)
# Stems in the names of numbers that are about the amount, and not the amount itself.
_ABOUT = frozenset(stems("price cost rate minimum maximum reorder threshold limit level target percent week number"))


def mass_nouns(tokens: tuple[Token, ...], lexicon: Lexicon) -> Iterator[Mark]:
    """Yield a mark of a column for each word that says how much there is: "stock", the sum of `stock.qty`."""
    for place, token in enumerate(tokens):
        if token.kind == "word" and token.lower in MASS_NOUNS and (senses := _senses_of(lexicon, token.stem)):
            yield Mark("column", place, place + 1, 1.15, token.text, MASS, senses)


def _senses_of(lexicon: Lexicon, word: str) -> tuple[Sense, ...]:
    """Return the columns with the amount, of tables that a stem names; none where it names a column."""
    named = lexicon.find((word,))
    if any(s.columns and s.score >= 0.95 for s in named):
        return ()
    things = [s for s in named if not s.columns and s.score >= 0.8]
    amounts = (Sense(s.table, columns, s.score) for s in things if (columns := _amount_column(s.table)))
    return tuple(s for s in amounts if lexicon.truth(s) is None)


def _amount_column(table: Table) -> tuple[Column, ...]:
    """Return the only column with the amount of what a table is named after, `qty` of `stock`, or nothing.

    What has a name is counted, and no amount: the productions of a theatre.
    """
    if not MASS_NOUNS & set(cut_name(table.name)) or is_the_name(table, name_columns(table)):
        return ()
    numbers = [c for c in table.columns if is_number(c) and not (is_key(table, c) or is_year(c) or is_dated(c))]
    found = [c for c in numbers if not _ABOUT & set(full_stems(c.name))]
    quantities = [c for c in found if "quantiti" in full_stems(c.name)]
    found = quantities or found
    return (found[0],) if len(found) == 1 else ()
