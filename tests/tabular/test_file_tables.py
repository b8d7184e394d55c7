"""The tables that files make: their names, the parts of one table, and what names no table."""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from askwhere.bindings.tabular import file_tables
from askwhere.errors import DatabaseError

Write = Callable[..., None]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """A function that writes files below the current folder, which is an empty one."""
    monkeypatch.chdir(tmp_path)

    def written(*names: str, content: str = "a\n1\n") -> None:
        for name in names:
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            Path(name).write_text(content)

    return written


BUCKET = (
    "s3://shop/lake/_delta_log/0.json",
    "s3://shop/lake/a.parquet",
    "s3://shop/north/sales.csv",
    "s3://shop/notes.md",
    "s3://shop/orders/_tmp/year=2024/a.parquet",
    "s3://shop/orders/year=2023/a.parquet",
    "s3://shop/orders/year=2024/a.parquet",
    "s3://shop/sales.csv",
)


def lists(pattern: str) -> list[str]:
    """Return what the bucket holds of a pattern, as DuckDB tells it."""
    return [file for file in BUCKET if fnmatch.fnmatch(file, pattern)]


def names(*given: str) -> dict[str, int]:
    """Return the number of files of each table."""
    return {table.name: len(table.files) for table in file_tables.tables(given, lists)[0]}


def test_each_file_is_a_table_of_its_stem(write: Write) -> None:
    write("d/sales.csv", "d/Order Details.tsv", "d/log.jsonl.gz", "d/p.parquet", "d/README.md", "d/.hidden.csv")
    assert names("d") == {"Order_Details": 1, "log": 1, "p": 1, "sales": 1}
    assert names("d/sales.csv", "d/p.parquet") == {"sales": 1, "p": 1}


def test_the_partitions_of_a_folder_are_one_table(write: Write) -> None:
    write(*(f"orders/year={y}/month={m}/data_0.parquet" for y in (2023, 2024) for m in (1, 2)))
    assert names("orders") == names("orders/**/*.parquet") == {"orders": 4}
    assert names("orders/year=2024") == {"orders": 2}
    assert file_tables.tables(["orders"], lists)[0][0].partitioned


def test_the_numbered_parts_of_a_folder_are_one_table(write: Write) -> None:
    write("trips.parquet/part-00000-ab.snappy.parquet", "trips.parquet/part-00001-ab.snappy.parquet")
    write("years/sales_2023.csv", "years/sales_2024.csv", "one/1.csv")
    assert names("trips.parquet") == {"trips": 2}
    assert names("years") == {"sales_2023": 1, "sales_2024": 1}
    assert names("one") == {"1": 1}


def test_tables_of_one_name_get_their_folders_name_or_their_ending(write: Write) -> None:
    write("north/sales.csv", "south/sales.csv", "south/sales.parquet", "x/y/a-b.csv", "x/y/a_b.csv", "other.csv")
    assert names("north/sales.csv", "south/sales.csv", "other.csv") == {"north_sales": 1, "south_sales": 1, "other": 1}
    assert names("south") == {"sales_csv": 1, "sales_parquet": 1}
    assert names("x") == {"a_b_1": 1, "a_b_2": 1}


def test_no_table_is_named_like_one_of_askwheres_own(write: Write) -> None:
    write("askwhere_pins.csv", "+.csv")
    assert names("*.csv") == {"file_askwhere_pins": 1, "files": 1}


def test_a_file_counts_once_though_it_is_named_twice(write: Write) -> None:
    write("d/a.csv")
    assert names("d", "d/a.csv", "d/*.csv") == {"a": 1}


def test_a_link_that_leads_out_of_the_folder_is_left_out_and_said(write: Write, tmp_path: Path) -> None:
    write("d/a.csv", "secret.csv")
    os.symlink(tmp_path / "secret.csv", "d/b.csv")
    os.symlink(tmp_path / "d" / "a.csv", "d/c.csv")
    for given in ("d", "d/*.csv"):
        tables, notes = file_tables.tables([given], lists)
        assert [table.name for table in tables] == ["a", "c"]
        link = tmp_path / "d" / "b.csv"
        assert notes == (f"left out: {link} is a link that leads out of {tmp_path}/d; name it itself to ask it",)
    assert names("d/b.csv") == {"b": 1}


def test_a_name_with_wildcards_is_that_file_alone(write: Write) -> None:
    write("a*.csv", "ab.csv")
    (only,) = file_tables.tables(["a*.csv"], lists)[0]
    assert only.files == (os.path.abspath("a*.csv"),)


def test_objects_of_a_bucket_and_files_of_a_web_server_make_tables_as_files_do() -> None:
    assert names("s3://shop/orders") == names("s3://shop/orders/**/*.parquet") == {"orders": 2}
    assert names("s3://shop/orders/year=2024/") == {"orders": 1}
    assert names("s3://shop/sales.csv", "s3://shop/north/") == {"shop_sales": 1, "north_sales": 1}
    web = "https://example.com/2024/sales.csv.gz?signature=s3"
    (only,) = file_tables.tables([web], lists)[0]
    assert (only.name, only.files, only.shown) == ("sales", (web,), "https://example.com/2024/sales.csv.gz?signature=…")


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ("no.csv", "there is no file no.csv"),
        ("no/*.csv", "no file matches no/*.csv"),
        ("d/*.md", "d/*.md matches no files of an ending that is known here (.parquet, .pq, .csv, .csv.gz, .tsv, "),
        ("d/x.xlsx", "d/x.xlsx has no ending that is known here (.parquet, .pq, .csv, .csv.gz, .tsv, "),
        ("d/x.xlsx", "; save each sheet as CSV"),
        ("none.csv", "none.csv is empty: it has no table"),
        ("empty", "empty has no files"),
        ("text", "text has no files of an ending that is known here (.parquet, .pq, "),
        ("bases", "bases holds no data files, but a SQLite database: ask "),
        ("delta", "delta is a Delta table: its files also hold rows that were deleted. Ask :memory: with a file"),
        ("ice/data/a.parquet", "ice is an Iceberg table: its files also hold rows that were deleted."),
        ("s3://shop/lake", "s3://shop/lake is a Delta table: its files also hold rows that were deleted. Ask :memory:"),
        ("s3://shop/none", "there is no object in s3://shop/none with an ending that is known here (.parquet, .pq, "),
        ("s3://shop/*.md", "no object matches s3://shop/*.md with an ending that is known here (.parquet, .pq, "),
        (
            "ftp://h/a.csv",
            "ftp://h/a.csv: expected a path, or an address that begins with s3://, gs://, gcs://, r2://, ",
        ),
        ("https://h/data/", "https://h/data/: expected the address of one file that ends in .parquet, .pq, .csv, "),
        ("https://h/*.csv", "https://h/*.csv: expected the address of one file that ends in .parquet, .pq, .csv, "),
        ("https://h/a.md?sig=pass", "https://h/a.md?sig=…: expected the address of one file that ends in .parquet, "),
        ("/dev/null", "/dev/null is a pipe or a device; save it as a file first"),
    ],
)
def test_what_names_no_table_says_why(write: Write, given: str, error: str) -> None:
    write("d/x.xlsx", "d/x.md", "text/x.md", "delta/a.parquet", "delta/_delta_log/0.json")
    write("ice/data/a.parquet", "ice/metadata/v1.metadata.json", "bases/x.parquet.txt")
    write("bases/shop.db", content="SQLite format 3\0 and more")
    write("none.csv", content="")
    Path("empty").mkdir()
    with pytest.raises(DatabaseError) as raised:
        file_tables.tables([given], lists)
    assert error in str(raised.value)
