"""Words that very many tables have in their names: what is looked at grows with the tables, not with their square."""

from __future__ import annotations

from typing import Any

from askwhere.engine import Column, Grant, Table
from askwhere.indexer.catalog import Catalog
from askwhere.reader.schema.lexicon import Lexicon

TABLES = 500


class Counting(dict[str, Any]):
    """Counts how often each key is looked up."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.lookups = 0

    def get(self, key: str, default: Any = None) -> Any:
        self.lookups += 1
        return super().get(key, default)


def test_a_word_in_the_names_of_many_tables_is_counted_once() -> None:
    names = [("main", f"parcel{number}_of_depot") for number in range(TABLES)]
    tables = tuple(Table(path, (Column("weight", "INTEGER"),)) for path in names)
    lexicon = Lexicon(Catalog(tables, Grant(tables)))
    lexicon.loose = counting = Counting(lexicon.loose)
    assert lexicon.find(("depot",))
    assert 0 < counting.lookups < TABLES / 10
