"""Data files that are asked: what a question finds, what is kept and where, and that nothing else can be read."""

from __future__ import annotations

import os
import resource
import signal
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import askwhere
import duckdb
import pytest
from askwhere.bindings import connections
from askwhere.bindings.engine_errors import explained
from askwhere.errors import ArgumentError, DatabaseError
from support import Told, error, rows

SALES = "city,amount,day,shop_id\nParis,10,2024-01-05,1\nRome,20,2024-02-06,2\nParis,5,2023-12-31,1\n"


def fill(folder: Path) -> Path:
    """Put `sales.csv`, `shops.jsonl`, and a Parquet file beside them, into a folder."""
    (folder / "sales.csv").write_text(SALES)
    (folder / "shops.jsonl").write_text('{"shop_id": 1, "manager": "Ann"}\n{"shop_id": 2, "manager": "Bo"}\n')
    duckdb.execute(f"COPY (SELECT 'canary' AS word) TO '{folder}/secret.parquet'")
    return folder


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with these files."""
    monkeypatch.chdir(tmp_path)
    return fill(tmp_path)


@pytest.fixture
def sales(folder: Path) -> Iterator[Any]:
    with askwhere.connect(["sales.csv", "shops.jsonl"]) as made:
        yield made


def asked(connection: Any, question: str) -> list[tuple[Any, ...]]:
    return list(askwhere.ask(connection, question).rows)


def test_questions_are_answered_from_files_of_several_kinds(sales: Any) -> None:
    assert asked(sales, "total amount of sales in Paris in 2024") == [(10,)]
    assert sorted(asked(sales, "total amount of sales per manager")) == [("Ann", 15), ("Bo", 20)]
    assert rows(sales, "SELECT * FROM ask('how many sales are there')") == [(3,)]


def test_a_folder_and_a_glob_are_asked_alike(folder: Path) -> None:
    for given in (folder, f"{folder}/*.csv", str(folder / "sales.csv")):
        with askwhere.connect(given) as connection:
            assert asked(connection, "how many sales are there") == [(3,)]


def test_partitions_have_their_folders_names_as_columns(folder: Path) -> None:
    duckdb.execute(
        "COPY (SELECT i AS id, 2020 + i % 3 AS year FROM range(30) AS r(i)) TO 'orders'"
        " (FORMAT parquet, PARTITION_BY year)"
    )
    with askwhere.connect("orders") as connection:
        assert asked(connection, "how many orders per year") == [(2020, 10), (2021, 10), (2022, 10)]


def test_a_partition_that_its_csv_file_repeats_is_the_folders(folder: Path) -> None:
    Path("orders/year=2024").mkdir(parents=True)
    Path("orders/year=2024/part.csv").write_text("id,year,day\n1,2024,2024-01-31\n")
    with askwhere.connect("orders") as connection:
        assert rows(connection, "SELECT year, typeof(day) FROM orders") == [(2024, "DATE")]


def test_files_with_different_columns_are_one_table_and_that_is_said(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    duckdb.execute("COPY (SELECT 1 AS id, 'x' AS a) TO 'p_0.parquet'")
    Path("parts").mkdir()
    for n, columns in enumerate(("1 AS id, 'x' AS a", "2 AS id, 2.5 AS b", "'3' AS id, 'y' AS a")):
        duckdb.execute(f"COPY (SELECT {columns}) TO 'parts/part-{n}.parquet'")
    Path("csvs").mkdir()
    Path("csvs/1.csv").write_text("id,a\n1,x\n")
    Path("csvs/2.csv").write_text("a;id;b\ny;2;z\n")
    with askwhere.connect(["parts", "csvs"]) as connection:
        assert rows(connection, "SELECT * FROM parts ORDER BY id") == [
            ("1", "x", None),
            ("2", None, 2.5),
            ("3", "y", None),
        ]
        assert rows(connection, "SELECT * FROM csvs ORDER BY id") == [(1, "x", None), (2, "y", "z")]
    said = sorted(record.getMessage() for record in caplog.records)
    assert said == [
        "the files of csvs differ: b only in some, NULL elsewhere",
        "the files of parts differ: a, b only in some, NULL elsewhere; id of different types, read as one that holds"
        " all",
    ]


@pytest.mark.slow
def test_index_pins_and_comments_go_to_the_file_that_keeps_them(folder: Path) -> None:
    def opened(**options: Any) -> Any:
        return askwhere.connect("sales.csv", **options)

    with opened(keep="kept.duckdb") as connection:
        assert rows(connection, "SELECT ask_index()")[0][0].startswith("indexed 2 values of 1 column")
        rows(connection, "SELECT ask_pin('the best city', 'SELECT city FROM sales ORDER BY amount DESC LIMIT 1')")
        rows(
            connection,
            "CREATE TABLE askwhere_kept.askwhere_comments (table_name TEXT, column_name TEXT, synonyms TEXT)",
        )
        rows(connection, "INSERT INTO askwhere_kept.askwhere_comments VALUES ('sales', 'amount', 'turnover')")
    for read_only in (True, False):
        with opened(keep="kept.duckdb", read_only=read_only) as connection:
            assert asked(connection, "the best city") == [("Rome",)]
            assert asked(connection, "total turnover in Paris") == [(15,)]
            engine = connections.engine(connection)
            assert "askwhere_index" in engine.storage().tables()
            assert [table.name for table in engine.tables()] == ["sales"]
    with opened() as connection:
        assert rows(connection, "SELECT count(*) FROM ask_pins()") == [(0,)]
    assert sorted(os.listdir()) == ["kept.duckdb", "sales.csv", "secret.parquet", "shops.jsonl"]


def test_what_keeps_nothing_says_why(folder: Path) -> None:
    duckdb.connect("own.duckdb").execute("CREATE TABLE t (a INT)").close()
    with pytest.raises(ArgumentError, match=r"keep: own.duckdb holds the table t; name a new file, in which askwhere"):
        askwhere.connect("sales.csv", keep="own.duckdb")
    with pytest.raises(DatabaseError, match=r"shops.jsonl is no DuckDB database, so nothing can be kept in it; name a"):
        askwhere.connect("sales.csv", keep="shops.jsonl")
    with pytest.raises(
        ArgumentError, match=r"keep is for data files: own.duckdb is a database, in which askwhere keeps"
    ):
        askwhere.connect("own.duckdb", keep="kept.duckdb")
    with pytest.raises(ArgumentError, match="expected a database or data files, found an empty list"):
        askwhere.connect([])
    with pytest.raises(DatabaseError, match=r"own.duckdb is a DuckDB database, which is asked alone: name it without"):
        askwhere.connect(["sales.csv", "own.duckdb"])


def test_what_keeps_is_private_and_made_whole_or_not_at_all(folder: Path) -> None:
    with askwhere.connect("sales.csv", keep="kept.duckdb") as connection:
        rows(connection, "SELECT ask_index()")
    assert stat.S_IMODE(os.stat("kept.duckdb").st_mode) == 0o600
    before, limits = sorted(os.listdir()), resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (8_192, limits[1]))  # as on a disk that is full
    try:
        with pytest.raises(DatabaseError, match=r"new.duckdb could not be opened: .*File too large"):
            askwhere.connect("sales.csv", keep="new.duckdb")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, ignored)
    assert sorted(os.listdir()) == before
    with pytest.raises(DatabaseError, match=r"new.duckdb could not be opened: .*No such file or directory"):
        askwhere.connect("sales.csv", keep="nowhere/new.duckdb")


def test_rows_that_are_written_into_a_file_are_found(sales: Any, caplog: pytest.LogCaptureFixture) -> None:
    assert asked(sales, "total amount of sales in Rome") == [(20,)]
    with open("sales.csv", "a") as file:
        file.write("Lima,7,2024-03-01,1\n")
    assert asked(sales, "total amount of sales in Lima") == [(7,)]


def test_an_index_that_was_kept_knows_which_file_was_written_since(folder: Path) -> None:
    with askwhere.connect(["sales.csv", "shops.jsonl"], keep="kept.duckdb") as connection:
        rows(connection, "SELECT ask_index()")
        before = connections.engine(connection).stamps()
    with open("sales.csv", "a") as file:
        file.write("Lima,7,2024-03-01,1\n")
    with askwhere.connect(["sales.csv", "shops.jsonl"], keep="kept.duckdb") as connection:
        after = connections.engine(connection).stamps()
        assert {path[-1] for path in before if before[path] != after[path]} == {"sales"}


def test_views_of_ones_own_over_files_are_watched_too(folder: Path) -> None:
    with duckdb.connect(":memory:") as connection:
        connection.execute("CREATE VIEW sales AS FROM read_csv('*.csv'); CREATE VIEW other AS FROM sales")
        engine = connections.engine(connection)
        before = engine.data_version(), engine.stamps()
        Path("more.csv").write_text(SALES)
        assert engine.data_version() != before[0]
        assert not engine.stamps().items() & before[1].items()


# ---------------------------------------------------------------------------------------------------- nothing but these

REACHING = [
    "SELECT * FROM '{0}/secret.parquet'",
    "SELECT * FROM read_parquet('{0}/secret.parquet')",
    "SELECT * FROM read_parquet('{0}/*.parquet')",
    "SELECT * FROM read_parquet('secret.parquet')",
    "SELECT * FROM read_parquet('{0}/../{1}/secret.parquet')",
    "SELECT * FROM read_parquet('{0}/link.parquet')",
    "SELECT * FROM read_text('{0}/secret.parquet')",
    "SELECT * FROM read_blob('/etc/hostname')",
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM glob('{0}/*')",
    "SELECT * FROM parquet_schema('{0}/secret.parquet')",
    "ATTACH '{0}/other.duckdb'",
    "ATTACH '{0}/secret.parquet' AS other",
    "CALL enable_logging(storage = 'file', storage_path = '{0}/log')",
    "SET logging_storage = 'stdout'",
    "SET lock_configuration = false",
    "COPY sales TO '{0}/out.csv'",
    "EXPORT DATABASE '{0}/out'",
    "INSTALL httpfs",
    "LOAD '{0}/evil.duckdb_extension'",
    "SET enable_external_access = true",
    "SET allowed_paths = ['{0}/secret.parquet']",
    "SET allowed_directories = ['/']",
    "RESET allowed_paths",
]


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Any]]:
    """A folder with these files and a link, and a connection to two of them, for tests that change neither."""
    folder = fill(tmp_path_factory.mktemp("closed"))
    os.symlink(folder / "secret.parquet", folder / "link.parquet")
    with askwhere.connect([folder / "sales.csv", folder / "shops.jsonl"]) as made:
        yield folder, made


@pytest.mark.parametrize("sql", REACHING)
def test_no_statement_reaches_another_file(closed: tuple[Path, Any], monkeypatch: pytest.MonkeyPatch, sql: str) -> None:
    folder, connection = closed
    monkeypatch.chdir(folder)
    before = sorted(os.listdir())
    said = error(connection, sql.format(folder, folder.name))
    assert any(word in said for word in ("disabled", "Cannot", "Permission")), said
    assert sorted(os.listdir()) == before


def test_settings_that_reach_no_file_can_be_changed(sales: Any) -> None:
    for sql in ("SET threads = 1", "SET TimeZone = 'Asia/Tokyo'", "SET memory_limit = '1GB'", "PRAGMA threads = 2"):
        sales.execute(sql)
    assert asked(sales, "how many sales are there") == [(3,)]


def test_a_file_that_is_attached_once_more_shows_nothing_that_is_hidden(folder: Path) -> None:
    with askwhere.connect("sales.csv", hide_columns="sales.city") as connection:
        connection.execute(f"ATTACH '{folder}/sales.csv' AS again")  # DuckDB makes views over it in memory
        assert "city VARCHAR" not in rows(connection, "SELECT ask_schema()")[0][0]


@pytest.mark.parametrize("sql", [sql for sql in REACHING if sql.startswith("SELECT")] + [
    "SELECT * FROM read_csv('{0}/sales.csv')", "SELECT * FROM '{0}/sales.csv'", "SELECT * FROM query('FROM sales')",
    "SELECT * FROM query_table('sales')", "SELECT * FROM sniff_csv('{0}/sales.csv')", "SELECT getvariable('x')",
])  # fmt: skip
def test_no_generated_query_names_a_file(closed: tuple[Path, Any], monkeypatch: pytest.MonkeyPatch, sql: str) -> None:
    folder, connection = closed
    monkeypatch.chdir(folder)
    model = Told({"what is in it": sql.format(folder, folder.name)})
    with pytest.raises(askwhere.Refused):
        askwhere.ask(connection, "what is in it", model=model)
    assert model.prompts


@pytest.mark.parametrize("name", ["a*.csv", "a?.csv", "[a].csv", "it's.csv", 'say "hi".csv', "a;b--.csv", "ä b.csv"])
def test_a_name_with_signs_is_that_file_alone(folder: Path, name: str) -> None:
    Path(name).write_text("n\n1\n")
    Path("ab.csv").write_text("n\n2\n")
    with askwhere.connect(str(folder / name)) as connection:
        (table,) = connections.engine(connection).tables()
        assert rows(connection, f'SELECT n FROM "{table.name}"') == [(1,)]
        assert "disabled" in error(connection, f"SELECT * FROM '{folder}/ab.csv'")


# ------------------------------------------------------------------------------------------------------ what is wrong


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.csv", b"name,n\nM\xfcller,1\n", "a.csv, line 2: the file is not in UTF-8; save it so, as with `iconv -f "),
        ("a.csv", b"a,b\n1,2\n3,4,5\n", "a.csv, line 3: "),
        ("a.csv", b"a,b\n1,2\n3,4,5\n", "expected 2 columns, as the first line has, found 3; correct that line"),
        ("a.parquet", b"this is no Parquet at all", "a.parquet cannot be read: No magic bytes found at end of file"),
        ("a.jsonl", b'{"a": 1}\n{"a": \n', "a.jsonl, line 3: no JSON (unexpected end of data); correct that line"),
    ],
)
def test_a_file_that_cannot_be_read_says_where_and_what_to_do(
    folder: Path, name: str, content: bytes, said: str
) -> None:
    Path(name).write_bytes(content)
    with pytest.raises(DatabaseError) as raised:
        askwhere.connect(name)
    assert said in str(raised.value)


BROKEN = {
    "none.csv": (b"", "none.csv is empty"),
    "bad.json": (b'{"a": 1', "bad.json, line 2: no JSON (unexpected end of data); correct that line"),
    "latin.csv": (b"name,n\nM\xfcller,1\n", "latin.csv, line 2: the file is not in UTF-8"),
}


@pytest.mark.parametrize("given", [".", "*.*", [*BROKEN, "sales.csv", "shops.jsonl"]])
def test_files_that_cannot_be_read_are_left_out_with_a_note(
    folder: Path, given: str | list[str], caplog: pytest.LogCaptureFixture
) -> None:
    for name, (content, _) in BROKEN.items():
        Path(name).write_bytes(content)
    with askwhere.connect(given) as connection:
        assert asked(connection, "how many sales are there") == [(3,)]
        assert not {table.name for table in connections.engine(connection).tables()} & {"none", "bad", "latin"}
        assert "disabled" in error(connection, "SELECT * FROM 'latin.csv'")
    for _, said in BROKEN.values():
        assert any(note.startswith("left out: ") and said in note for note in caplog.messages)


def test_files_of_which_none_can_be_read_are_an_error(folder: Path) -> None:
    for name, (content, _) in BROKEN.items():
        Path(name).write_bytes(content)
    with pytest.raises(DatabaseError, match=r"there is no table to ask; left out: .*none.csv is empty"):
        askwhere.connect(["none.csv", "none.csv"])
    with pytest.raises(DatabaseError, match=r"there is no table to ask; left out: .*bad.json, line 2: no JSON"):
        askwhere.connect(["bad.json", "latin.csv"])


def test_records_are_shown_whole_and_a_note_says_so(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    Path("clients.json").write_text('[{"name": "Ann", "addr": {"city": "Rome"}}]')
    with askwhere.connect("clients.json") as connection:
        assert asked(connection, "clients' addr") == [({"city": "Rome"},)]
    assert caplog.messages == ["clients: addr: records, whose fields are not asked one by one"]


@pytest.mark.parametrize(
    ("sql", "name"),
    [("INSERT INTO sales VALUES (1)", "sales"), ("UPDATE sales SET amount = 3", "this"), ("DELETE FROM sales", "this")],
)
def test_a_statement_that_would_change_a_file_is_told_that_files_are_read(sales: Any, sql: str, name: str) -> None:
    with pytest.raises(duckdb.Error) as raised:
        sales.execute(sql)
    said = f"{name} is a view, whose rows no statement changes: data files are only read; CREATE TABLE … AS FROM it"
    assert str(explained(raised.value)).startswith(said)


def test_a_line_that_is_wrong_since_it_was_opened_is_named(sales: Any) -> None:
    with open("sales.csv", "a") as file:
        file.write("Oslo,many,2024-03-01,1\n")
    with pytest.raises(
        DatabaseError, match=r"sales.csv, line 5: the column amount is BIGINT in the rows before, and here"
    ):
        asked(sales, "total amount of sales")


def test_rows_that_are_written_into_a_file_are_found_in_sql(sales: Any) -> None:
    question = "total amount of sales per manager"
    assert sorted(rows(sales, f"SELECT * FROM ask('{question}')")) == [("Ann", 15), ("Bo", 20)]
    with open("sales.csv", "a") as file:
        file.write("Lima,7,2024-03-01,1\n")
    assert sorted(sales.sql(f"SELECT * FROM ask('{question}')").fetchall()) == [("Ann", 22), ("Bo", 20)]


def test_what_is_prepared_is_read_each_time(sales: Any) -> None:
    rows(sales, "PREPARE counted AS SELECT * FROM ask('how many sales are there')")
    with open("sales.csv", "a") as file:
        file.write("Lima,7,2024-03-01,1\n")
    assert rows(sales, "EXECUTE counted") == [(4,)]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["people.csv", "people.jsonl", "people.parquet"])
def test_a_hidden_column_leaves_the_rest_of_its_file_to_be_asked(name: str, tmp_path: Path) -> None:
    kind = "json" if name.endswith("l") else name.split(".")[1]
    row = "SELECT 'Ann' AS name, 'Oslo' AS city, 'canary' AS token, DATE '2024-01-05' AS day"
    duckdb.execute(f"COPY ({row}) TO '{tmp_path / name}' (FORMAT {kind})")
    with askwhere.connect(tmp_path / name) as connection:
        for view, query in {
            "towns": "SELECT city FROM people",
            "rows": "SELECT people FROM people",
            "third": "SELECT #3 AS x FROM people",
            "again": f"FROM '{tmp_path / name}'",
        }.items():
            connection.execute(f"CREATE VIEW {view} AS {query}")
        model = Told({"all columns": "SELECT * FROM people"})
        askwhere.register(connection, hide_columns="people.token", model=model)
        assert askwhere.ask(connection, "all columns").columns == ("name", "city", "day")
        schema = rows(connection, "SELECT ask_schema()")[0][0]
        assert "CREATE VIEW towns" in schema
        assert "token VARCHAR" not in schema
        for view in ("rows", "third"):
            assert f"the view {view} is left out: it reads people.token, which is hidden" in schema
        assert "the view again is left out: what it reads of tables with hidden columns cannot be told" in schema
