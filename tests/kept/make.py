"""Makes this version's databases for `tests/test_kept.py`: `python tests/kept/make.py`, once for each format."""

from __future__ import annotations

import gzip
import sys
import tempfile
from pathlib import Path

import apsw
import askwhere
import duckdb
from askwhere.models import Scripted

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))


def make(kind: str, path: Path) -> None:
    """A shop with everything that askwhere keeps in a file."""
    from support import PER_COUNTRY, SHOP

    if kind == "sqlite":
        con = apsw.Connection(str(path))
    else:
        con = duckdb.connect()
        con.execute(f"ATTACH '{path}' AS shop (STORAGE_VERSION 'v1.2.0')")  # older DuckDB must open it too
        con.execute("USE shop")
        con.close()
        con = duckdb.connect(str(path))
    con.execute(SHOP)
    con.execute("CREATE TABLE askwhere_comments (table_name TEXT, column_name TEXT, comment TEXT, synonyms TEXT)")
    con.execute("INSERT INTO askwhere_comments VALUES ('customers', NULL, 'who buys', 'clients')")
    askwhere.register(con, model=Scripted([PER_COUNTRY]), method="sea", log="database", remember="database")
    for statement in (
        "SELECT ask_index()",
        "SELECT ask_pin('How many orders?', 'SELECT count(*) AS n FROM orders')",
        "SELECT ask_pin('orders over {least}', 'SELECT id FROM orders WHERE amount > {least} ORDER BY id')",
        "SELECT * FROM ask('customers per country')",
    ):
        con.execute(statement).fetchall()
    if kind == "sqlite":
        con.execute("CREATE VIRTUAL TABLE counted USING ask('how many orders')")
    con.close()


def main() -> None:
    """Write both files, compressed, named by the version."""
    for kind in ("sqlite", "duckdb"):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "shop"
            make(kind, path)
            packed = gzip.compress(path.read_bytes(), mtime=0)
        (HERE / f"{askwhere.__version__}.{kind}.gz").write_bytes(packed)


if __name__ == "__main__":
    main()
