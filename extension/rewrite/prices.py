"""Multiply a quantity by the price of the row that it stands in, where a query takes the price of another table."""

from __future__ import annotations

import re

from askwhere.engine import Column
from askwhere.reader.words.names import full_stems
from askwhere.reader.words.tokens import stem
from askwhere.reader.words.types import is_number
from askwhere.rewrite.asked import Asked
from askwhere.rewrite.scopes import Scopes, Source
from askwhere.rewrite.writing import column
from askwhere.sql.identifiers import fold
from sqlglot import exp

# A price is no cost: what a piece was bought for is multiplied as well.
_PRICES = frozenset(map(stem, "price cost fee rate charge tariff value".split()))


def of_the_sale(tree: exp.Expr, asked: Asked) -> bool:
    """Multiply quantities by what was paid where a query takes the price of another table; return whether it did.

    A line of an order that has both a quantity and a price says what was sold at which price; the product's own price
    may have changed. It stays where the question names it ("list price").
    """
    scopes = Scopes(tree, asked.catalog, asked.dialect)
    words = frozenset(map(stem, re.findall(r"\w+", asked.question)))
    changed = False
    for product in list(tree.find_all(exp.Mul)):
        sides = product.left.unnest(), product.right.unnest()
        for price, quantity in (sides, sides[::-1]):
            if isinstance(price, exp.Column) and isinstance(quantity, exp.Column):
                found = _own_price(price, quantity, scopes, words)
                if found is not None:
                    price.replace(column(found[1].name, found[0].alias, asked.dialect))
                    changed = True
                    break
    return changed


def _own_price(
    price: exp.Column, quantity: exp.Column, scopes: Scopes, words: frozenset[str]
) -> tuple[Source, Column] | None:
    """Return the one price that a quantity's row has itself, with its source; None where the price is not another's."""
    line, thing = scopes.source_of(quantity), scopes.source_of(price)
    if line is None or thing is None or line.table is None or thing.table is None:
        return None
    if not any(key.target == thing.table.path for key in line.table.foreign_keys):
        return None
    meaning = _meaning(price.name)
    others = [c for c in line.table.columns if is_number(c) and fold(c.name) != fold(quantity.name)]
    own = [c for c in others if _meaning(c.name) & meaning & _PRICES]
    if len(own) != 1:
        return None
    more = meaning - _meaning(own[0].name)
    return None if more & (words | _PRICES) else (line, own[0])


def _meaning(name: str) -> frozenset[str]:
    """Return the stems of a name, with short forms written out."""
    return frozenset(full_stems(name))
