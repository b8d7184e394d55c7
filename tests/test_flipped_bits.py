"""A SQLite file with flipped bits, in pages of our tables or in its log: errors of ours or answers, and no crash."""

from __future__ import annotations

import contextlib
import random
import shutil
from pathlib import Path

import apsw
import askwhere
import pytest
from askwhere.errors import AskError
from support import SHOP, rows

CALLS = (
    "SELECT ask_schema()",
    "SELECT * FROM ask('how many customers are there')",
    "SELECT * FROM ask('customers in Canada')",
    "SELECT * FROM ask_values('Canada')",
    "SELECT * FROM ask_pins()",
    "SELECT ask_index()",
    "SELECT ask_index('drop')",
    "SELECT ask_index()",
    "SELECT * FROM ask('customers in Canada')",
)
PAGE = 512


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[int]]:
    """A file with our tables, with a log that holds a second index; and the pages of our tables."""
    path = tmp_path_factory.mktemp("whole") / "shop.db"
    connection = apsw.Connection(str(path))
    connection.execute(f"PRAGMA page_size = {PAGE}")
    connection.execute(SHOP)
    series = "WITH RECURSIVE c(v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM c WHERE v < 300)"
    connection.execute(
        f"INSERT INTO customers SELECT v + 100, 'name ' || v, 'land ' || (v % 9) FROM ({series} SELECT v FROM c)"
    )
    askwhere.register(connection)
    rows(connection, "SELECT ask_index()")
    rows(connection, "SELECT ask_pin('all of them', 'SELECT name FROM customers')")
    ours = [n for (n,) in rows(connection, "SELECT pageno FROM dbstat WHERE name LIKE '%askwhere%'")]
    connection.execute("PRAGMA journal_mode = wal; PRAGMA wal_autocheckpoint = 0")
    rows(connection, "SELECT ask_index()")
    for end in ("", "-wal"):
        shutil.copy(f"{path}{end}", f"{path}.kept{end}")
    connection.close()
    return Path(f"{path}.kept"), ours


def damaged(path: Path, seed: int, places: list[int]) -> None:
    """Flip some bits of a file: in one of these pages, or anywhere where there are none."""
    chosen = random.Random(seed)
    content = bytearray(path.read_bytes())
    for _ in range(chosen.choice([1, 4, 40])):
        place = (
            chosen.randrange(PAGE) + PAGE * (chosen.choice(places) - 1) if places else chosen.randrange(len(content))
        )
        content[place] ^= 1 << chosen.randrange(8)
    path.write_bytes(content)


@pytest.mark.slow
@pytest.mark.parametrize("log", [False, True], ids=["pages", "log"])
@pytest.mark.parametrize("seed", range(12))
def test_flipped_bits_are_answers_or_our_errors(
    whole: tuple[Path, list[int]], seed: int, log: bool, tmp_path: Path
) -> None:
    kept, ours = whole
    path = tmp_path / "shop.db"
    shutil.copy(kept, path)
    if log:
        shutil.copy(f"{kept}-wal", f"{path}-wal")
        damaged(Path(f"{path}-wal"), seed, [])
    else:
        damaged(path, seed, ours)
    with contextlib.closing(askwhere.connect(str(path))) as connection:
        for call in CALLS:
            with contextlib.suppress(AskError):
                rows(connection, call)
        assert len(rows(connection, "SELECT name FROM customers")) == 303  # none of them is in our pages


@pytest.mark.slow
def test_an_index_whose_table_is_not_readable_says_what_to_do(whole: tuple[Path, list[int]], tmp_path: Path) -> None:
    path = tmp_path / "shop.db"
    shutil.copy(whole[0], path)
    content = bytearray(path.read_bytes())
    for page in whole[1]:
        content[PAGE * (page - 1) : PAGE * page] = b"\xff" * PAGE
    path.write_bytes(content)
    with contextlib.closing(askwhere.connect(str(path))) as connection:
        with pytest.raises(AskError, match="the database is damaged; restore it from a copy, or save what"):
            rows(connection, "SELECT ask_index()")
        assert len(rows(connection, "SELECT name FROM customers")) == 303
