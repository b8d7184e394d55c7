"""What tests share: a small shop in either engine, on real connections."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import apsw
import askwhere
import duckdb

SHOP = """
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, country TEXT);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id), amount DOUBLE);
INSERT INTO customers VALUES (1, 'Ann', 'Canada'), (2, 'Bo', 'Canada'), (3, 'Cy', 'Norway');
INSERT INTO orders VALUES (1, 1, 10.0), (2, 1, 20.0), (3, 2, 5.0), (4, 3, 1.5);
"""
PER_COUNTRY = "SELECT country, count(*) AS n FROM customers GROUP BY country ORDER BY country"


def golden(name: str, text: str) -> None:
    """Compares with the text of that name in tests/golden; one that is missing is written, to be looked at."""
    file = Path(__file__).parent / "golden" / name
    if not file.exists():
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, "utf-8")
        raise AssertionError(f"{file} was missing and is written now; look at it")
    assert text == file.read_text("utf-8")


class Database:
    """One engine's database: how to open it, and its connections, closed at the end of the test."""

    def __init__(self, kind: str, folder: Path) -> None:
        self.kind = kind
        self.path = folder / f"shop.{'db' if kind == 'sqlite' else 'duckdb'}"
        self._open: list[Any] = []

    def raw(self, path: str | Path | None = None) -> Any:
        """A connection of the engine's own, without askwhere; in memory unless a path is given."""
        open_ = apsw.Connection if self.kind == "sqlite" else duckdb.connect
        self._open.append(open_(str(path or ":memory:")))
        return self._open[-1]

    def shop(self, path: str | Path | None = None, **settings: Any) -> Any:
        """A registered connection to a small shop."""
        connection = self.raw(path)
        connection.execute(SHOP)
        askwhere.register(connection, **settings)
        return connection

    def close(self) -> None:
        """Close every connection."""
        for connection in self._open:
            connection.close()
