"""Databases that earlier versions made: all that they keep is still there, and is brought up to date by a write."""

from __future__ import annotations

import gzip
from pathlib import Path

import askwhere
import pytest
from askwhere.bindings import connections
from askwhere.indexer import index
from askwhere.models import Scripted

KEPT = sorted((Path(__file__).parent / "kept").glob("*.gz"))


def test_this_version_has_its_databases() -> None:
    names = {path.name for path in KEPT}
    assert {f"{askwhere.__version__}.sqlite.gz", f"{askwhere.__version__}.duckdb.gz"} <= names


@pytest.mark.parametrize("packed", KEPT, ids=lambda path: path.name)
def test_what_an_earlier_version_kept_is_there(packed: Path, tmp_path: Path) -> None:
    path = tmp_path / "shop"
    path.write_bytes(gzip.decompress(packed.read_bytes()))
    con = askwhere.connect(path, model=Scripted([]), method="sea", log="database", remember="database")
    engine = connections.engine(con)

    def rows(sql: str) -> list[tuple[object, ...]]:
        found: list[tuple[object, ...]] = con.execute(sql).fetchall()
        return found

    assert rows("SELECT question, stale FROM ask_pins()") == [
        ("How many orders?", False),
        ("orders over {least}", False),
    ]
    assert rows("SELECT * FROM ask('how many orders')") == [(4,)]
    assert rows("SELECT * FROM ask('Orders over 15')") == [(2,)]
    assert rows("SELECT * FROM ask('customers per country')") == [("Canada", 2), ("Norway", 1)]
    outcomes = [outcome for (outcome,) in rows("SELECT outcome FROM ask_log()")]
    assert outcomes[0] == "answered"
    assert outcomes[-1] == "remembered"
    opened = index.open_(engine, connections.session(con).catalog(engine))
    assert opened.frame is not None
    assert opened.memory is None
    assert rows("SELECT value FROM ask_values('canada', 1) WHERE exact") == [("Canada",)]
    assert "who buys" in str(rows("SELECT ask_schema()"))
    if "sqlite" in packed.name:
        assert rows("SELECT n FROM counted") == [(4,)]
    rows("SELECT ask_pin('one more', 'SELECT 1 AS n')")
    rows("SELECT ask_index()")
    assert len(rows("SELECT * FROM ask_pins()")) == 3
    con.close()
