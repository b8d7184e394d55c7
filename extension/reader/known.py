"""Derive from a catalog, once for all questions, what reading them needs: names, joins, and facts of columns."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import field, replace
from functools import partial

from askwhere.frozen import frozen
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.values import ValueIndex
from askwhere.reader.marking.lists import in_a_list
from askwhere.reader.marking.views import tables_alone, views_over_tables
from askwhere.reader.omitted import DataWords
from askwhere.reader.schema.edges import Path
from askwhere.reader.schema.joins import Graph
from askwhere.reader.schema.lexicon import Lexicon
from askwhere.reader.schema.roles import with_roles, with_seconds
from askwhere.reader.schema.text_columns import with_types_of_texts
from askwhere.reader.words.months import with_types_of_months
from askwhere.reader.words.types import Truths, yes_values


@frozen
class Numerals:
    """The text columns, as (table, name), that hold whole numbers below 1000, which may be compared as numbers.

    They are looked up when it is first asked for one, which few questions do. All copies share `found`.
    """

    values: ValueIndex
    found: list[frozenset[tuple[Path, str]]] = field(default_factory=list)

    def __contains__(self, column: object) -> bool:
        """Return whether a column is one of them."""
        if not self.found:
            self.found.append(_holding(self.values, [str(n) for n in range(1000)]))
        return column in self.found[0]


@frozen
class Known:
    """The names (`lexicon`) and joins (`graph`) of a catalog, and facts of its columns, each as (table, name)."""

    catalog: Catalog
    lexicon: Lexicon
    graph: Graph
    numerals: Numerals  # columns of text that hold whole numbers
    denying: frozenset[tuple[Path, str]]  # columns with words for no value: "none", "n/a"
    listed: Callable[[Path, str, str], bool] = lambda *_: False  # whether a column also lists a value: "a, b"
    words: DataWords | None = None
    views: frozenset[Path] = frozenset()  # those over other tables of the catalog
    without_views: Known | None = None  # the same for the catalog without these views
    given: Catalog | None = None  # the catalog as it was passed in, before columns of text got another type
    flags: frozenset[tuple[Path, str]] = frozenset()  # see `ValueIndex.flags`


_KEPT = 8
_KNOWN: OrderedDict[int, Known] = OrderedDict()  # by the id of the catalog


def known_of(catalog: Catalog, values: ValueIndex) -> Known:
    """Return what is known of a catalog, from a cache of the last `_KEPT` catalogs if it is there."""
    known = _KNOWN.get(id(catalog))
    if known is None or known.given is not catalog or known.flags != values.flags:
        known = _KNOWN[id(catalog)] = _derived(catalog, values)
        while len(_KNOWN) > _KEPT:
            _KNOWN.popitem(last=False)
    return _looking_up(values, known)


def known_from(catalog: Catalog, values: ValueIndex) -> Known:
    """Return what is known of a catalog that will not be asked about again, without caching it."""
    return _looking_up(values, _derived(catalog, values))


def _looking_up(values: ValueIndex, known: Known) -> Known:
    """Return a copy that looks values up in the index `values`, as its `without_views` does."""
    without_views = _looking_up(values, known.without_views) if known.without_views else None
    words, numerals = DataWords(values, known.catalog), Numerals(values, known.numerals.found)
    listed = partial(in_a_list, values)
    return replace(known, without_views=without_views, numerals=numerals, listed=listed, words=words)


def _derived(catalog: Catalog, values: ValueIndex) -> Known:
    """Return what is known of a catalog with the types that its values show, but without the look-up of values."""
    typed = with_types_of_months(with_types_of_texts(catalog, values))
    known = _knowledge(with_roles(with_seconds(typed)), Numerals(values), _denying(values), yes_values(typed, values))
    return replace(known, given=catalog, flags=values.flags)


def _knowledge(catalog: Catalog, numerals: Numerals, denying: frozenset[tuple[Path, str]], flags: Truths) -> Known:
    """Return what is known of a catalog and, as `without_views`, of its tables alone, if it has views over them."""
    views = views_over_tables(catalog)
    without = _knowledge(tables_alone(catalog, views), numerals, denying, flags) if views else None
    graph = Graph(catalog, views)
    return Known(catalog, Lexicon(catalog, views, flags), graph, numerals, denying, views=views, without_views=without)


def _denying(values: ValueIndex) -> frozenset[tuple[Path, str]]:
    """Return the columns that have words for no value ("none", "n/a"), in which NULL may mean this or unknown."""
    return _holding(values, ["no", "none", "n/a", "nil", "nothing", "not available", "-"])


def _holding(values: ValueIndex, words: list[str]) -> frozenset[tuple[Path, str]]:
    """Return the columns, as (table, name), that hold any of some words as a value."""
    return frozenset((match.table, match.column) for matches in values.exact(words).values() for match in matches)
