"""Find revenue where sales say how many were sold, and the price stands in the table of what is sold."""

from __future__ import annotations

from collections.abc import Iterator

from askwhere.engine import Column, Table
from askwhere.reader.marking.numeric import amounts_in, column_words, quantity_of
from askwhere.reader.schema.edges import Path
from askwhere.reader.schema.lexicon import Lexicon
from askwhere.reader.schema.naming import events
from askwhere.reader.schema.senses import Sense
from askwhere.reader.words.english import EVENTS
from askwhere.reader.words.names import full_stems

_SALES = EVENTS["sell"]
_PRICE = frozenset({"price", "unit", "sale", "sell", "each", "list"})


def priced_elsewhere(lexicon: Lexicon) -> tuple[Sense, ...]:
    """Return the column of how many were sold and that of the price, of the only two tables that have them so."""
    by_path = {table.path: table for table in lexicon.tables}
    pairs = [pair for table in lexicon.tables for pair in _pairs(table, by_path)]
    if len(pairs) != 1:
        return ()
    (sales, sold), (goods, price) = pairs[0]
    note = f"what was sold is the sum of {sales.name}.{sold.name} * {goods.name}.{price.name}"
    return Sense(sales, (sold,), note=note), Sense(goods, (price,))


_Place = tuple[Table, Column]


def _pairs(table: Table, by_path: dict[Path, Table]) -> Iterator[tuple[_Place, _Place]]:
    """Yield how many were sold by a table of sales, with the price in each table that it refers to."""
    said = bool(_SALES & set(full_stems(table.name)))
    sold = [c for c in amounts_in(table) if "sell" in column_words(c)] or [*(quantity_of(table) if said else ())]
    priced = any("price" in column_words(c) for c in amounts_in(table))
    if len(sold) != 1 or priced or not events(table):
        return
    for key in table.foreign_keys:
        goods = by_path.get(key.target)
        prices = [c for c in amounts_in(goods) if _is_price(c)] if goods else []
        if goods and len(prices) == 1:
            yield (table, sold[0]), (goods, prices[0])


def _is_price(column: Column) -> bool:
    """Return whether a column is the price of one piece: `price_cents`, `unit_price`."""
    words = column_words(column)
    return "price" in words and words <= _PRICE
