"""Databases that each version made since 0.1.0: all that they keep is still there."""

from __future__ import annotations

import gzip
import re
import subprocess
import sys
from pathlib import Path

import askwhere
import duckdb
import pytest
from askwhere.bindings import connections
from askwhere.indexer import index
from askwhere.models import Scripted
from askwhere.udfs import FUNCTIONS

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
    assert opened.statistics is not None
    assert opened.memory is None
    assert rows("SELECT value FROM ask_values('canada', 1) WHERE exact") == [("Canada",)]
    assert "who buys" in str(rows("SELECT ask_schema()"))
    if "sqlite" in packed.name:
        assert rows("SELECT n FROM counted") == [(4,)]
    rows("SELECT ask_pin('one more', 'SELECT 1 AS n')")
    rows("SELECT ask_index()")
    assert len(rows("SELECT * FROM ask_pins()")) == 3
    con.close()


EVERY = (
    "SELECT * FROM ask('how many orders')",
    "SELECT * FROM ask_candidates('how many orders')",
    "SELECT * FROM ask_values('canada')",
    "SELECT * FROM ask_trace('how many orders')",
    "SELECT * FROM ask_log()",
    "SELECT * FROM ask_settings()",
    "SELECT ask_sql('how many orders')",
    "SELECT ask_value('how many orders')",
    "SELECT ask_schema()",
    "SELECT ask_prompt('how many orders')",
    "SELECT ask_fix('SELECT nme FROM customers')",
    "SELECT ask_explain('SELECT name FROM customers')",
    "SELECT ask_version()",
    "SELECT ask_set('effort', 'fast')",
    "SELECT ask_pin('one more', 'SELECT 1 AS n')",
    "SELECT ask_unpin('one more')",
    "SELECT ask_key('orders.amount', 'customers.id')",
    "SELECT * FROM ask_keys()",
    "SELECT ask_key('orders.amount', 'drop')",
    "SELECT ask_index()",
    "SELECT ask_index('customers')",
    "SELECT ask_index('drop')",
    "SELECT * FROM ask_pins()",
)


def test_every_function_is_tried_on_what_was_kept() -> None:
    assert {function.name for function in FUNCTIONS} == set(re.findall(r"ask(?:_\w+)?(?=\()", " ".join(EVERY)))


@pytest.mark.slow
@pytest.mark.parametrize("read_only", [True, False], ids=["read_only", "writable"])
@pytest.mark.parametrize("packed", KEPT, ids=lambda path: path.name)
def test_every_function_works_on_what_an_earlier_version_kept(packed: Path, read_only: bool, tmp_path: Path) -> None:
    path = tmp_path / "shop"
    path.write_bytes(gzip.decompress(packed.read_bytes()))
    before = path.read_bytes()
    model = Scripted(["What each customer is called."])
    con = askwhere.connect(path, read_only=read_only, model=model, method="sea", log="database", remember="database")
    for statement in EVERY:
        assert con.execute(statement).fetchall(), statement
    assert con.execute("SELECT count(*) FROM ask_pins()").fetchall() == [(2,)]
    con.close()
    assert (path.read_bytes() == before) == read_only


@pytest.mark.slow
def test_a_second_process_is_told_that_a_duckdb_file_is_open(tmp_path: Path) -> None:
    path = tmp_path / "shop.duckdb"
    duckdb.connect(str(path)).close()
    script = f"import askwhere\naskwhere.connect({str(path)!r})\n"
    with askwhere.connect(path):
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 1
    last = done.stderr.strip().splitlines()[-1]
    assert f"DatabaseError: {path} could not be opened: " in last
    assert "Conflicting lock is held" in last
