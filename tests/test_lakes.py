"""DuckLakes: Parquet files in a folder, with a catalog in PostgreSQL, SQLite or DuckDB; asked alone, and by several.

`make serving` and `make servers` install what these tests need.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import askwhere
import pytest
from asker import Asker
from askwhere.errors import DatabaseError
from faulty import Faulty, silence
from servers import BIN, running_bucket
from test_serving import Place

pytestmark = pytest.mark.slow

SHOP = (
    "CREATE TABLE lake.client (id INTEGER, name VARCHAR, country VARCHAR)",
    "CREATE TABLE lake.deal (number INTEGER, party INTEGER, amount DOUBLE)",
    "INSERT INTO lake.client VALUES (1, 'Ann', 'Canada'), (2, 'Bo', 'Norway')",
    "INSERT INTO lake.deal SELECT i, 1 + i % 2, i FROM range(100) r(i)",
)
QUESTION = "total amount per country"
ANSWER = [["Canada", 2450.0], ["Norway", 2500.0]]


def made(folder: Path, catalog: str) -> str:
    """Make a lake of a shop, its files in a folder, and return its address."""
    (folder / "make.sql").write_text(f"ATTACH 'ducklake:{catalog}' AS lake (DATA_PATH '{folder / 'files'}');")
    with contextlib.closing(Asker(path=":memory:", init=str(folder / "make.sql"))) as maker:
        for statement in SHOP:
            assert not isinstance(said := maker.run(statement), str), said
    assert list((folder / "files").glob("**/*.parquet"))
    return f"ducklake:{catalog}"


@pytest.fixture
def lake(postgres_at: str, tmp_path: Path) -> str:
    """The address of a lake with its catalog in PostgreSQL."""
    (tmp_path / "empty.sql").write_text(f"ATTACH '{postgres_at}' AS own (TYPE postgres);")
    with contextlib.closing(Asker(path=":memory:", init=str(tmp_path / "empty.sql"))) as asker:
        asker.run("CALL postgres_execute('own', 'DROP SCHEMA public CASCADE; CREATE SCHEMA public')")
    return made(tmp_path, f"postgres:{postgres_at}")


@pytest.mark.parametrize("catalog", ["sqlite:{}/catalog.db", "{}/catalog.ducklake"])
@pytest.mark.parametrize("isolation", ["", "process"])
def test_a_lake_is_asked(tmp_path: Path, catalog: str, isolation: str) -> None:
    address = made(tmp_path, catalog.format(tmp_path))
    with contextlib.closing(Asker(path=":memory:", attach={"lake": address}, isolation=isolation)) as asker:
        assert asker.run("SELECT ask_key('deal.party', 'client.id')") != []
        assert sorted(asker.run(f"?{QUESTION}")) == ANSWER
        assert sorted(asker.run(f"SELECT * FROM ask('{QUESTION}')")) == ANSWER
        assert "read-only" in asker.run("DELETE FROM lake.deal")


MACROS = """
import sys, duckdb
from askwhere.bindings.duckdb import user_functions
from askwhere.bindings.duckdb.extensions import load
from askwhere.bindings.duckdb.reading import Deliveries
with duckdb.connect() as one:
    load(one, "ducklake")
    one.execute(f"ATTACH '{sys.argv[1]}' AS lake")
    registration = Deliveries("f", lambda: True)
    before = user_functions.names(one, registration, False)
    assert user_functions.names(one, registration, False) is before
    one.execute("CREATE MACRO lake.main.shout(x) AS x || '!'")
    print(*(user_functions.names(one, registration, False) - before))
"""


def test_a_macro_that_is_made_in_a_lake_is_known(tmp_path: Path) -> None:
    address = made(tmp_path, f"{tmp_path}/catalog.ducklake")
    assert subprocess.check_output([BIN / "python", "-c", MACROS, address], text=True) == "shout\n"


def test_what_one_process_declares_indexes_and_pins_in_a_lake_is_known_to_another(lake: str) -> None:
    opened: dict[str, Any] = {"path": ":memory:", "attach": {"lake": lake}, "keep": lake}
    with contextlib.closing(Asker(**opened)) as one, contextlib.closing(Asker(**opened)) as other:
        assert "could not tell" in one.run(f"?{QUESTION}")
        assert "refers to" in one.run("SELECT ask_key('deal.party', 'client.id')")[0][0]
        assert sorted(other.run(f"?{QUESTION}")) == ANSWER
        assert one.run("SELECT ask_index()")[0][0].startswith("indexed 4 values")
        assert other.run("SELECT table_name, value FROM ask_values('norway')") == [["client", "Norway"]]
        assert other.run("SELECT ask_pin('the best', 'SELECT max(amount) AS m FROM lake.deal')") != []
        assert one.run("SELECT * FROM ask('the best')") == [[99.0]]
        assert one.run("SELECT ask_unpin('the best')") != []
        assert "could not" in other.run("?the best")
        assert other.run("SELECT ask_schema()")[0][0].count("CREATE TABLE client (") == 1


def test_two_servers_share_a_lake_and_one_of_them_may_be_killed(lake: str, tmp_path: Path) -> None:
    with contextlib.closing(Place(tmp_path)) as place, Faulty((silence,)) as model:
        options = ("--attach", f"lake={lake}", "--keep", lake)
        asking = {"ASKWHERE_MODEL": "openai:slow", "ASKWHERE_BASE_URL": model.url, "ASKWHERE_METHOD": "sea"}
        first = place.serve(Path(":memory:"), *options, **asking)
        other = place.serve(Path(":memory:"), *options)
        asked, client = place.client(first), place.client(first)
        assert "refers to" in str(client.ask("SELECT ask_key('deal.party', 'client.id')"))
        assert "pinned" in str(client.ask("SELECT ask_pin('the best', 'SELECT max(amount) AS m FROM lake.deal')"))
        waiting = threading.Thread(target=asked.ask, args=("SELECT * FROM ask('flurb')",), daemon=True)
        waiting.start()
        assert model.asked.wait(600)
        os.kill(first.worker(), signal.SIGKILL)
        assert first.process.wait(600) == 1
        waiting.join()
        left = place.client(other)
        assert sorted(left.ask(f"SELECT * FROM ask('{QUESTION}')")) == ANSWER
        assert left.ask("SELECT * FROM ask('the best')") == [[99.0]]
        assert "disabled" in left.ask("SELECT * FROM read_csv('/etc/passwd')")
        assert "read-only" in left.ask("DELETE FROM lake.deal")
        assert left.ask("SELECT ask_index()")[0][0].startswith("indexed 4 values")
        again = place.client(place.serve(Path(":memory:"), *options))
        assert again.ask("SELECT value FROM ask_values('norway')") == [["Norway"]]
        assert other.stop()[0] == 0


@pytest.fixture
def bucket(tmp_path: Path) -> Iterator[str]:
    """A file of SQL with the secret of a server that is compatible with S3, where there is a bucket `lake`."""
    with running_bucket(tmp_path, "lake") as port:
        options = f"ENDPOINT '127.0.0.1:{port}', USE_SSL false, URL_STYLE 'path', REGION 'us-east-1'"
        secret = f"CREATE SECRET bucket (TYPE s3, KEY_ID 'me', SECRET 'hidden-word', {options});"
        (tmp_path / "secret.sql").write_text(secret)
        yield secret


def test_two_servers_share_lakes_in_a_bucket_with_catalogs_named_by_relative_paths(
    bucket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lakes = "".join(f"ATTACH 'ducklake:sqlite:{n}.db' AS {n} (DATA_PATH 's3://lake/{n}/');" for n in ("lake", "kept"))
    Path("make.sql").write_text(bucket + lakes)
    with contextlib.closing(Asker(path=":memory:", init="make.sql")) as maker:
        for statement in SHOP:
            assert not isinstance(said := maker.run(statement), str), said
    lake, kept = "ducklake:sqlite:lake.db", "ducklake:sqlite:kept.db"
    opened: dict[str, Any] = {"path": ":memory:", "init": "secret.sql", "attach": {"lake": lake}}
    with contextlib.closing(Asker(**opened, isolation="process")) as asker:
        assert asker.run("SELECT ask_key('deal.party', 'client.id')") != []
        assert sorted(asker.run(f"?{QUESTION}")) == ANSWER
    copy = "COPY (SELECT 'Peru' AS land, 3 AS sold) TO 's3://lake/sales.parquet'"
    view = f"{copy}; CREATE VIEW sales AS FROM 's3://lake/sales.parquet';"
    Path("view.sql").write_text(f"{bucket} SET allowed_directories = ['s3://lake/']; {view}")
    for isolation in ("", "process"):
        with contextlib.closing(Asker(path=":memory:", init="view.sql", isolation=isolation)) as asker:
            assert asker.run("?total sold in Peru") == [[3]]
    with contextlib.closing(Place(tmp_path)) as place:
        options = ("--init", "secret.sql", "--attach", f"lake={lake}", "--keep")
        refused = place.serve(Path(":memory:"), *options, lake)
        assert "is attached too" in refused.said
        first, other = (place.serve(Path(":memory:"), *options, kept) for _ in range(2))
        one, two = place.client(first), place.client(other)
        assert "refers to" in str(one.ask("SELECT ask_key('deal.party', 'client.id')"))
        assert sorted(two.ask(f"SELECT * FROM ask('{QUESTION}')")) == ANSWER
        assert two.ask("SELECT ask_index()")[0][0].startswith("indexed 4 values")
        assert one.ask("SELECT value FROM ask_values('norway')") == [["Norway"]]
        assert "pinned" in str(two.ask("SELECT ask_pin('the best', 'SELECT max(amount) AS m FROM lake.deal')"))
        assert one.ask("SELECT * FROM ask('the best')") == [[99.0]]
        assert "disabled" in one.ask("FROM read_csv('s3://other/x.csv')")
        assert "hidden-word" not in str(one.ask("FROM duckdb_secrets()")) + first.stop()[1] + first.said


@pytest.fixture
def delta(tmp_path: Path) -> Path:
    """A Delta table of clients, one of which was deleted."""
    with contextlib.closing(Asker()) as asker:
        for name, country in (("a", "Canada"), ("b", "Norway")):
            assert (
                asker.run(f"COPY (SELECT 'Ann' AS name, '{country}' AS country) TO '{tmp_path}/{name}.parquet'") != ""
            )
    fields = [{"name": name, "type": "string", "nullable": True, "metadata": {}} for name in ("name", "country")]
    shape: dict[str, Any] = {"id": "x", "format": {"provider": "parquet", "options": {}}, "partitionColumns": []}
    shape |= {"schemaString": json.dumps({"type": "struct", "fields": fields}), "configuration": {}, "createdTime": 0}
    added = {"partitionValues": {}, "modificationTime": 0, "dataChange": True}
    parts = [{**added, "path": path.name, "size": path.stat().st_size} for path in sorted(tmp_path.glob("*.parquet"))]
    protocol = {"protocol": {"minReaderVersion": 1, "minWriterVersion": 2}}
    log = [protocol, {"metaData": shape}, *({"add": part} for part in parts)]
    versions = [log, [{"remove": {"path": "b.parquet", "deletionTimestamp": 1, "dataChange": True}}]]
    (tmp_path / "_delta_log").mkdir()
    for n, version in enumerate(versions):
        (tmp_path / "_delta_log" / f"{n:020}.json").write_text("\n".join(map(json.dumps, version)))
    return tmp_path


def test_the_error_for_the_folder_of_a_delta_table_says_how_to_ask_it(delta: Path) -> None:
    with pytest.raises(
        DatabaseError, match=r"CREATE VIEW … AS FROM delta_scan\('.*'\); it needs DuckDB's extension delta"
    ):
        askwhere.connect(str(delta))


@pytest.mark.parametrize("isolation", ["", "process"])
def test_a_delta_table_is_asked_through_a_view_without_the_rows_that_were_deleted(delta: Path, isolation: str) -> None:
    allowed = f"SET allowed_directories = ['{delta}'];"
    (delta / "view.sql").write_text(f"{allowed} CREATE VIEW client AS FROM delta_scan('{delta}');")
    with contextlib.closing(Asker(path=":memory:", init=str(delta / "view.sql"), isolation=isolation)) as asker:
        assert asker.run("?how many clients") == [[1]]
        assert asker.run("?country of the clients") == [["Canada"]]
        assert asker.run("SELECT * FROM ask('country of the clients')") == [["Canada"]]


# Makes an Iceberg table of clients in a folder, one of which is deleted, and prints the file that describes it.
ICEBERG = """
import sys, pyarrow
from pyiceberg.catalog.memory import InMemoryCatalog
catalog = InMemoryCatalog("own", warehouse="file://" + sys.argv[1])
catalog.create_namespace("shop")
rows = pyarrow.table({"name": ["Ann", "Bo"], "country": ["Canada", "Norway"]})
table = catalog.create_table("shop.client", schema=rows.schema)
table.append(rows)
table.delete("name == 'Bo'")
print(table.metadata_location.removeprefix("file://"))
"""


@pytest.fixture(scope="module")
def iceberg(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file that describes the last version of an Iceberg table, in the folder `metadata` of the table."""
    folder = tmp_path_factory.mktemp("iceberg")
    ran = subprocess.run([BIN / "python", "-c", ICEBERG, str(folder)], capture_output=True, text=True, check=True)
    return Path(ran.stdout.strip())


def test_the_error_for_the_folder_of_an_iceberg_table_says_how_to_ask_it(iceberg: Path) -> None:
    with pytest.raises(
        DatabaseError, match=r"iceberg_scan\('.*'\); .* name the current metadata/….metadata.json"
    ) as caught:
        askwhere.connect(str(iceberg.parent.parent))
    assert "is an Iceberg table" in str(caught.value)


@pytest.mark.parametrize("isolation", ["", "process"])
@pytest.mark.parametrize("hint", [False, True])
def test_an_iceberg_table_is_asked_through_a_view_of_its_last_version(
    iceberg: Path, hint: bool, isolation: str, tmp_path: Path
) -> None:
    table = iceberg.parent.parent
    (iceberg.parent / "version-hint.text").write_text(iceberg.name.removesuffix(".metadata.json"))
    allowed = f"SET allowed_directories = ['{table}'];"
    read = f"iceberg_scan('{table if hint else iceberg}')"
    (tmp_path / "view.sql").write_text(f"{allowed} CREATE VIEW client AS FROM {read};")
    with contextlib.closing(Asker(path=":memory:", init=str(tmp_path / "view.sql"), isolation=isolation)) as asker:
        assert asker.run("?how many clients") == [[1]]
        assert asker.run("?country of the clients") == [["Canada"]]
        assert asker.run("SELECT * FROM ask('country of the clients')") == [["Canada"]]
