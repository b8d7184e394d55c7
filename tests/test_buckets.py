"""Objects of buckets and files of web servers, asked by their addresses, on a server that is compatible with S3.

`make serving` installs what most of these tests need.
"""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import askwhere
import pytest
from asker import Asker
from askwhere.bindings.duckdb import buckets
from askwhere.errors import DatabaseError
from servers import BIN, free_port, running_bucket
from test_serving import Place

SECRET = "hidden-word"
FILLED = (
    "COPY (SELECT 'Peru' AS land, i AS sold, '2024-01-0' || (i + 1) AS day FROM range(3) r(i))"
    " TO 's3://shop/all/sales.parquet'",
    "COPY (SELECT 'Ann' AS client, DATE '2024-01-01' + i::INT AS day FROM range(300) r(i)) TO 's3://shop/all/deals.csv'",
    "COPY (SELECT 'Chile' AS winner, i AS score FROM range(30) r(i)) TO 's3://shop/all/games.jsonl'",
    "COPY (SELECT i AS id, 2020 + i % 3 AS year FROM range(30) r(i)) TO 's3://shop/orders' (PARTITION_BY year)",
    "COPY (SELECT 'canary' AS word) TO 's3://shop/secret.parquet'",
)


@pytest.fixture(scope="module")
def bucket(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a server with a bucket `shop`, and files in it."""
    folder = tmp_path_factory.mktemp("bucket")
    with running_bucket(folder, "shop") as port:
        init = folder / "secret.sql"
        init.write_text(secret_at(port))
        with contextlib.closing(Asker(path=":memory:", init=str(init))) as asker:
            for statement in FILLED:
                assert not isinstance(said := asker.run(statement), str), said
        yield port


def secret_at(port: int) -> str:
    where = f"ENDPOINT '127.0.0.1:{port}', USE_SSL false, URL_STYLE 'path', REGION 'us-east-1'"
    return f"CREATE SECRET (TYPE s3, KEY_ID 'me', SECRET '{SECRET}', {where});"


@pytest.fixture
def variables(bucket: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """The port of the server, whose credentials are in the environment."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "me")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    monkeypatch.setenv("AWS_REGION", "us-east-1")
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{bucket}")
    return bucket


def opened(path: str | list[str], **options: Any) -> contextlib.closing[Asker]:
    return contextlib.closing(Asker(path=path, **options))


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `askwhere` in the environment that has the extensions."""
    return subprocess.run([BIN / "askwhere", *arguments], capture_output=True, text=True, check=False)


@pytest.mark.slow
@pytest.mark.parametrize("isolation", ["", "process"])
def test_the_objects_of_a_bucket_are_asked(variables: int, isolation: str) -> None:
    with opened("s3://shop/all/*", isolation=isolation) as asker:
        assert asker.run("?total sold in Peru in 2024") == [[3]]
        assert asker.run("SELECT * FROM ask('how many deals in February 2024')") == [[29]]
        assert asker.run("?total score of Chile") == [[435]]
        assert "disabled" in asker.run("FROM 's3://shop/secret.parquet'")
        assert "disabled" in asker.run("FROM glob('s3://shop/*')")
    with opened(["s3://shop/orders", "s3://shop/all/deals.csv"], isolation=isolation) as asker:
        assert asker.run("?how many orders per year") == [[2020, 10], [2021, 10], [2022, 10]]


@pytest.mark.slow
@pytest.mark.parametrize("isolation", ["", "process"])
def test_a_secret_of_the_file_for_init_goes_before_the_environment(
    bucket: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, isolation: str
) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "other")
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{free_port()}")
    (tmp_path / "secret.sql").write_text(secret_at(bucket))
    with opened("s3://shop/all/sales.parquet", init=str(tmp_path / "secret.sql"), isolation=isolation) as asker:
        assert asker.run("?total sold in Peru") == [[3]]


def environments(asker: Asker) -> str:
    """Return the environments of the processes that run the queries of an asker."""
    pid = asker.pid
    children = [each.read_text().split() for each in Path(f"/proc/{pid}/task").glob("*/children")]
    return "".join(Path(f"/proc/{child}/environ").read_text() for some in children for child in some)


@pytest.mark.slow
def test_the_process_that_runs_queries_gets_the_variables_of_what_is_attached_alone(
    bucket: int, postgres_at: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("PGPASSWORD", "MYSQL_PWD", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, SECRET)
    (tmp_path / "secret.sql").write_text(secret_at(bucket))
    asked = {"path": "s3://shop/all/sales.parquet", "init": str(tmp_path / "secret.sql"), "isolation": "process"}
    for attach, names in (({}, ()), ({"pg": f"postgres:{postgres_at}"}, ("PGPASSWORD",))):
        with contextlib.closing(Asker(**asked, attach=attach)) as asker:
            assert asker.run("?total sold in Peru") == [[3]]
            found = environments(asker)
            assert "HOME=" in found
            assert [name for name in ("PGPASSWORD", "MYSQL_PWD", "AWS_SECRET_ACCESS_KEY") if name in found] == [*names]


@pytest.mark.slow
def test_files_of_a_web_server_are_asked_and_no_error_shows_a_signature(bucket: int) -> None:
    signed = f"http://127.0.0.1:{bucket}/shop/all/{{}}?X-Amz-Signature={SECRET}&X-Amz-Expires=900"
    with opened([signed.format(name) for name in ("sales.parquet", "deals.csv", "games.jsonl")]) as asker:
        assert asker.run("?total sold in Peru") == [[3]]
        assert asker.run("?how many deals in February 2024") == [[29]]
        assert asker.run("?total score of Chile") == [[435]]
        assert SECRET not in str(asker.run("?flurb")) + str(asker.run("FROM ask_trace('flurb')"))
    said = command("ask", signed.format("sales.parquet"), "total sold").stderr
    assert (
        "Signature=…: other users of this machine see a password or a signature on the command line; put CREATE" in said
    )
    for name in ("none.parquet", "deals.parquet"):
        script = f"import askwhere; askwhere.connect({signed.format(name)!r})"
        failed = subprocess.run([BIN / "python", "-c", script], capture_output=True, text=True, check=False)
        last = failed.stderr.splitlines()[-1]
        assert "X-Amz-Signature=… cannot be read" in last
        assert SECRET not in last


@pytest.mark.slow
def test_credentials_of_the_environment_are_used_and_shown_to_nobody(variables: int, tmp_path: Path) -> None:
    with contextlib.closing(Place(tmp_path)) as place:
        server = place.serve("s3://shop/all/sales.parquet")
        client = place.client(server)
        assert client.ask("SELECT * FROM ask('total sold in Peru')") == [[3]]
        shown = [client.ask(f"FROM {name}()") for name in ("duckdb_secrets", "duckdb_settings", "ask_log")]
        shown += [client.ask("SELECT current_setting('s3_secret_access_key')"), client.ask("FROM 's3://shop/x.csv'")]
        assert SECRET not in str(shown) + server.said + server.stop()[1]
    kept = str(tmp_path / "kept.duckdb")
    assert "indexed 1 value" in command("index", "s3://shop/all/sales.parquet", "--keep", kept).stdout
    made = command("trace", "s3://shop/all/sales.parquet", "total sold in Peru", "--html", str(tmp_path / "page.html"))
    assert made.returncode == 0, made.stderr
    assert all(SECRET.encode() not in file.read_bytes() for file in tmp_path.iterdir())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("address", "changed", "said"),
    [
        ("s3://shop/none.parquet", {}, "s3://shop/none.parquet cannot be read: there is no such object or bucket"),
        ("s3://none/*.csv", {}, "s3://none/*.csv cannot be read: there is no such bucket"),
        ("s3://shop/none/", {}, "there is no object in s3://shop/none/ with an ending that is known here"),
        (
            "s3://shop/all/sales.parquet",
            {"AWS_ACCESS_KEY_ID": ""},
            "s3://shop/all/sales.parquet cannot be read: the server refuses it; set AWS_ACCESS_KEY_ID and AWS_SECRET",
        ),
        (
            "s3://shop/all/sales.parquet",
            {"AWS_ENDPOINT_URL": "http://127.0.0.1:{closed}"},
            "s3://shop/all/sales.parquet cannot be read: no connection to http://127.0.0.1:{closed}; set AWS_ENDPOINT_",
        ),
        (
            "http://127.0.0.1:{port}/shop/all/sales.parquet",
            {},
            "/shop/all/sales.parquet cannot be read: the server refuses it; where it wants a token, put CREATE SECRET",
        ),
        (
            "http://127.0.0.1:{closed}/a.csv",
            {},
            "/a.csv cannot be read: no connection to http://127.0.0.1:{closed}; see",
        ),
    ],
)
def test_what_cannot_be_read_says_why_in_a_sentence(
    variables: int, monkeypatch: pytest.MonkeyPatch, address: str, changed: dict[str, str], said: str
) -> None:
    ports = {"port": variables, "closed": free_port()}
    for name, value in changed.items():
        monkeypatch.setenv(name, value.format(**ports))
    failed = command("ask", address.format(**ports), "how many")
    assert (failed.returncode, failed.stderr.count("\n")) == (1, 1)
    assert said.format(**ports) in failed.stderr


@pytest.mark.slow
def test_lines_of_a_csv_object_that_are_too_long_are_refused(variables: int, tmp_path: Path) -> None:
    (tmp_path / "fill.sql").write_text(
        f"{secret_at(variables)} COPY (SELECT repeat('x', 3_000_000) AS a) TO 's3://shop/long.csv';"
    )
    with opened(":memory:", init=str(tmp_path / "fill.sql")):
        pass
    assert "s3://shop/long.csv, line 2: " in command("ask", "s3://shop/long.csv", "how many").stderr


def test_without_the_extension_an_error_says_how_to_install_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("askwhere.bindings.duckdb.extensions.packaged", lambda extension: None)
    with pytest.raises(DatabaseError, match="has no extension httpfs: run the statement INSTALL httpfs where it may"):
        askwhere.connect("s3://shop/sales.parquet")


@pytest.mark.parametrize(
    ("environment", "options"),
    [
        ({"AWS_REGION": "eu-west-1"}, ""),
        (
            {"AWS_ACCESS_KEY_ID": "me", "AWS_SECRET_ACCESS_KEY": "o'n", "AWS_DEFAULT_REGION": "eu-west-1"},
            "REGION 'eu-west-1', KEY_ID 'me', SECRET 'o''n'",
        ),
        (
            {"AWS_ENDPOINT_URL": "http://other", "AWS_ENDPOINT_URL_S3": "https://minio.example.com:9000/"},
            "ENDPOINT 'minio.example.com:9000', USE_SSL True, URL_STYLE 'path'",
        ),
        (
            {"AWS_ENDPOINT_URL": "http://127.0.0.1:9000", "AWS_SESSION_TOKEN": "t"},
            "ENDPOINT '127.0.0.1:9000', USE_SSL False, URL_STYLE 'path'",
        ),
    ],
)
def test_a_secret_is_made_of_the_variables_that_are_set(environment: dict[str, str], options: str) -> None:
    expected = f"CREATE OR REPLACE TEMPORARY SECRET askwhere_environment (TYPE s3, SCOPE 's3', {options})"
    assert buckets.secret(environment) == (expected if options else "")
