"""dbt's descriptions brought into a database with `askwhere comments`, in both engines."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import askwhere
import duckdb
import pytest
from askwhere.bindings import connections
from askwhere.bindings.cli import main as cli
from askwhere.engine import Column, Table
from askwhere.indexer import comments, dbt
from hypothesis import given
from hypothesis import strategies as st
from support import SHOP, Database

Run = Callable[..., tuple[int, str, str]]


def column(name: str, description: str = "", **more: Any) -> dict[str, Any]:
    """A column as dbt 1.11 writes it."""
    plain = {"name": name, "description": description, "meta": {}, "data_type": None, "constraints": [], "quote": None}
    return plain | {"config": {"meta": {}, "tags": []}, "tags": [], "granularity": None, "doc_blocks": []} | more


def node(kind: str, schema: str, name: str, description: str, *columns: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A model, seed, snapshot, test or source as dbt 1.11 writes it, less what is of no use here."""
    named = {"identifier": name, "source_name": "shop", "loader": ""} if kind == "source" else {"alias": name}
    plain = {
        "database": "shop",
        "schema": schema,
        "name": name,
        "resource_type": kind,
        "package_name": "shop",
        "unique_id": f"{kind}.shop.{name}",
        "fqn": ["shop", name],
        "config": {"enabled": True, "materialized": "table", "meta": {}, "tags": []},
        "tags": [],
        "description": description,
        "columns": {c["name"]: c for c in columns},
        "meta": {},
        "relation_name": f'"shop"."{schema}"."{name}"',
    }
    return plain | named | more


def manifest(*nodes: dict[str, Any], schema: str = "v12") -> dict[str, Any]:
    kept: dict[str, dict[str, Any]] = {"nodes": {}, "sources": {}}
    for one in nodes:
        kept["sources" if one["resource_type"] == "source" else "nodes"][one["unique_id"]] = one
    version = f"https://schemas.getdbt.com/dbt/manifest/{schema}.json"
    about = {"dbt_schema_version": version, "dbt_version": "1.11.7", "env": {}, "adapter_type": "duckdb"}
    return {"metadata": about, **kept, "macros": {}, "docs": {}, "disabled": {}}


SHOPS = manifest(
    node(
        "model",
        "main",
        "customers",
        "People who bought something.\nOne row each.",
        column("id", "The key."),
        column(
            "COUNTRY", "Where they live.", config={"meta": {"synonyms": ["homeland", "state, or land"]}, "tags": []}
        ),
        column("email", "Not there any more."),
        meta={"synonyms": "patrons, account holders"},
    ),
    node("source", "raw", "orders", "", column("amount", "turnover"), column("id")),
    node("model", "main", "stg_orders", "An ephemeral one.", config={"materialized": "ephemeral", "meta": {}}),
    node("seed", "main", "rates", "Not built yet."),
    node("model", "main", "undescribed", "", column("id")),
    node("test", "main", "not_null_customers_id", "A test is no table."),
)


@pytest.fixture
def run(database: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs `askwhere comments` on a shop in a file; a dict stands for the file with that manifest."""
    connection = database.raw(database.path)
    connection.execute(SHOP)
    connection.close()

    def call(*arguments: str | dict[str, Any]) -> tuple[int, str, str]:
        texts = []
        for argument in arguments:
            if isinstance(argument, dict):
                (tmp_path / "manifest.json").write_text(json.dumps(argument))
            texts.append(str(tmp_path / "manifest.json") if isinstance(argument, dict) else argument)
        code = cli.main(["comments", str(database.path), *texts])
        said = capsys.readouterr()
        return code, said.out, said.err

    return call


def execute(database: Database, sql: str) -> list[tuple[Any, ...]]:
    connection = database.raw(database.path)
    found = [tuple(row) for row in connection.execute(sql).fetchall()]
    connection.close()
    return found


def stored(database: Database) -> list[tuple[Any, ...]]:
    return sorted(execute(database, "SELECT * FROM askwhere_comments"), key=repr)


def test_descriptions_and_synonyms_come_in(database: Database, run: Run) -> None:
    code, out, err = run("--dbt", SHOPS)
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "2 tables and 3 columns matched; 4 comments written",
        "not in the database: customers.email, main.rates",
    ]
    assert stored(database) == [
        ("customers", "country", "Where they live.", "homeland, state, or land"),
        ("customers", "id", "The key.", None),
        ("customers", None, "People who bought something.\nOne row each.", "patrons, account holders"),
        ("orders", "amount", "turnover", None),
    ]
    connection = askwhere.connect(database.path)
    for question in ("How many patrons per homeland?", "total turnover"):
        assert askwhere.ask(connection, question).rows
    connection.close()


def relationship(child: str, column: str, parent: str, field: str, **more: Any) -> dict[str, Any]:
    """A test as dbt 1.11 writes it, less what is of no use here."""
    given = {"to": f"ref('{parent}')", "field": field, "column_name": column, "model": f"ref('{child}')"}
    named = f"relationships_{child}_{column}"
    ids = [f"model.shop.{parent}", f"model.shop.{child}"]
    return node("test", "dbt_test__audit", named, "") | {
        "column_name": column,
        "attached_node": f"model.shop.{child}",
        "depends_on": {"macros": [], "nodes": ids},
        "test_metadata": {"name": "relationships", "kwargs": given, "namespace": None},
        **more,
    }


@pytest.mark.any_engine
def test_relationships_are_keys(database: Database, run: Run) -> None:
    models = [node("model", "main", name, "") for name in ("customers", "orders", "gone")]
    tests = [
        relationship("orders", "ID", "customers", "id"),
        relationship("orders", "gift", "customers", "id"),
        relationship("gone", "x", "customers", "id"),
        relationship("customers", "id", "orders", "id", test_metadata={"name": "unique", "kwargs": {}}),
        relationship("orders", "customer_id", "customers", "id", attached_node=None),
    ]
    code, out, err = run("--dbt", manifest(*models, *tests))
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "0 tables and 0 columns matched; 0 comments written",
        "1 key declared",
        "not in the database: main.orders.gift, main.gone.x",
    ]
    assert execute(database, "SELECT * FROM askwhere_keys") == [("orders.id", "customers.id")]


@pytest.mark.any_engine
def test_what_is_there_is_listed(run: Run) -> None:
    run("--dbt", SHOPS)
    code, out, err = run()
    assert (code, err) == (0, "")
    assert "│ customers  │ NULL        │ People who bought something.⏎One row each. │" in out
    assert json.loads(run("--json")[1])[-1] == {
        "table_name": "orders",
        "column_name": "amount",
        "comment": "turnover",
        "synonyms": "",
    }


@pytest.mark.any_engine
def test_a_database_without_comments_has_an_empty_list(run: Run) -> None:
    assert run("--json")[:2] == (0, "[]\n")
    assert run()[1].endswith("0 rows\n")


@pytest.mark.any_engine
def test_the_list_says_what_is_astray(database: Database, run: Run) -> None:
    execute(database, f"{comments.create()}")
    execute(database, "INSERT INTO askwhere_comments VALUES ('custmers', NULL, 'x', NULL)")
    assert run("--json") == (
        0,
        "[]\n",
        "askwhere: askwhere_comments is about tables or columns that are not there: custmers\n",
    )


@pytest.mark.any_engine
def test_what_the_user_wrote_stays(database: Database, run: Run) -> None:
    execute(database, comments.create())
    execute(
        database, "INSERT INTO askwhere_comments VALUES ('Customers', '', 'mine', NULL), ('orders', 'id', 'no', 'nr')"
    )
    out = run("--dbt", SHOPS)[1]
    assert "4 comments written" in out
    assert ("Customers", "", "mine", "patrons, account holders") in stored(database)
    assert ("orders", "id", "no", "nr") in stored(database)
    assert run("--dbt", SHOPS)[1].splitlines()[:2] == [
        "2 tables and 3 columns matched; 0 comments written",
        "4 comments left as they were (--replace overwrites them)",
    ]


@pytest.mark.any_engine
def test_replace_lets_dbt_win_and_keeps_the_rest(database: Database, run: Run) -> None:
    execute(database, comments.create())
    execute(database, "ALTER TABLE askwhere_comments ADD COLUMN author TEXT")
    execute(
        database,
        "INSERT INTO askwhere_comments VALUES ('main.customers', NULL, 'mine', 'clients', 'me'),"
        " ('orders', 'amount', 'mine', 'sums', 'me'), ('orders', 'id', 'no', 'nr', 'me')",
    )
    assert run("--dbt", SHOPS, "--replace")[0] == 0
    kept = {row[:2]: row[2:] for row in stored(database)}
    description = SHOPS["nodes"]["model.shop.customers"]["description"]
    assert kept["main.customers", None] == (description, "patrons, account holders", "me")
    assert kept["orders", "amount"] == ("turnover", "sums", "me")
    assert kept["orders", "id"] == ("no", "nr", "me")
    assert len(kept) == 5


@pytest.mark.slow
@pytest.mark.parametrize("schema", ["v10", "v11", "v12", "v20"])
def test_all_versions_of_the_schema_are_read(run: Run, schema: str) -> None:
    assert run("--dbt", manifest(node("model", "main", "customers", "x"), schema=schema))[0] == 0


@pytest.mark.any_engine
@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"metadata": {"dbt_schema_version": "https://schemas.getdbt.com/dbt/catalog/v1.json"}}, "found https://"),
        ({}, "is no manifest of dbt, which writes target/manifest.json: found no metadata.dbt_schema_version"),
    ],
)
def test_another_file_is_a_clear_error(database: Database, run: Run, content: dict[str, Any], message: str) -> None:
    code, out, err = run("--dbt", content)
    assert (code, out) == (1, "")
    assert message in err


def test_a_file_that_is_not_json_or_not_there_is_a_clear_error(run: Run, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_bytes(b"\xff{")
    assert "x.json is not valid JSON" in run("--dbt", str(tmp_path / "x.json"))[2]
    assert "y.json cannot be read: No such file" in run("--dbt", str(tmp_path / "y.json"))[2]


@pytest.mark.any_engine
def test_nothing_that_matches_is_a_failure_and_writes_nothing(database: Database, run: Run) -> None:
    code, out, _ = run("--dbt", manifest(node("model", "main", "clients", "x")))
    assert code == 1
    assert out.splitlines()[0] == "0 tables and 0 columns matched; 0 comments written"
    assert "not in the database: main.clients" in out
    assert run("--json")[1] == "[]\n"


def test_replace_alone_is_called_wrongly(run: Run) -> None:
    with pytest.raises(SystemExit, match="2"):
        run("--replace")


@pytest.mark.any_engine
def test_a_file_that_cannot_be_written_is_a_clear_error(database: Database, run: Run) -> None:
    connection = askwhere.connect(database.path, read_only=True)
    engine = connections.engine(connection)
    found = dbt.matched(SHOPS, engine.tables())
    with pytest.raises(askwhere.DatabaseError, match="the database is read-only, and comments are kept in it"):
        comments.save(engine, found.described)
    connection.close()
    assert not Path(f"{database.path}.askwhere").exists()


@pytest.mark.parametrize(
    ("made", "message"),
    [
        ("VIEW askwhere_comments AS SELECT 1 AS table_name", "is a view, and must be an ordinary table"),
        (
            "TABLE askwhere_comments (table_name TEXT, synonyms TEXT)",
            "has no column column_name and no column comment: ALTER TABLE askwhere_comments ADD COLUMN column_name",
        ),
    ],
)
def test_a_table_that_cannot_take_it_is_a_clear_error(database: Database, run: Run, made: str, message: str) -> None:
    execute(database, f"CREATE {made}")
    code, out, err = run("--dbt", SHOPS)
    assert (code, out) == (1, "")
    assert message in err


def test_an_import_that_fails_leaves_nothing(database: Database, run: Run) -> None:
    connection = askwhere.connect(database.path)
    engine = connections.engine(connection)
    said = dbt.matched(SHOPS, engine.tables()).described
    broken = (*said, (Table(("elsewhere", "x", "gone"), ()), said[0][1]))
    with pytest.raises(KeyError):
        comments.save(engine, broken)
    assert engine.tables_named(comments.TABLE) == ()
    connection.close()


def test_schemas_tell_tables_of_one_name_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In DuckDB; SQLite has no schemas."""
    path = tmp_path / "warehouse.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE SCHEMA raw; CREATE TABLE raw.orders (id INTEGER); CREATE TABLE orders (id INTEGER)")
        connection.execute("CREATE TABLE raw.items (id INTEGER)")
    (tmp_path / "manifest.json").write_text(
        json.dumps(
            manifest(
                node("source", "raw", "orders", "as they come", column("id", "raw key")),
                node("model", "main", "orders", "cleaned"),
                node("model", "dev_ann", "items", "things"),
            )
        )
    )
    assert cli.main(["comments", str(path), "--dbt", str(tmp_path / "manifest.json")]) == 0
    assert cli.main(["comments", str(path), "--json"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "3 tables and 1 column matched; 4 comments written"
    assert [(row["table_name"], row["comment"]) for row in json.loads(out[1])] == [
        ("main.orders", "cleaned"),
        ("items", "things"),
        ("raw.orders", "as they come"),
        ("raw.orders", "raw key"),
    ]


def test_a_name_is_not_guessed_where_two_have_it() -> None:
    tables = (Table(("main", "orders"), (Column("id"),)),)
    two = manifest(
        node("source", "raw", "orders", "as they come"), node("source", "old", "orders", "x", unique_id="source.old")
    )
    assert dbt.matched(two, tables).missing == ("raw.orders", "old.orders")
    model = manifest(node("source", "raw", "orders", "as they come"), node("model", "main", "orders", "cleaned"))
    found = dbt.matched(model, tables)
    assert [comment.text for _, comment in found.described] == ["cleaned"]
    assert found.missing == ("raw.orders",)


def test_a_seed_that_is_a_source_too_is_one_table() -> None:
    """As in dbt's own example project, whose seeds are declared as sources, with the descriptions there."""
    both = manifest(
        node("seed", "raw", "orders", "", column("id", "key")), node("source", "raw", "orders", "as they come")
    )
    found = dbt.matched(both, (Table(("shop", "raw", "orders"), (Column("ID"),)),))
    assert (found.tables, found.columns, found.missing) == (1, 1, ())
    assert [(c.column, c.text) for _, c in found.described] == [("ID", "key"), ("", "as they come")]


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(("columns", "description", "meta", "config", "synonyms", "name", "alias", "schema"))
            | st.text(max_size=3),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@pytest.mark.slow
@given(ANYTHING, ANYTHING)
def test_no_content_of_a_manifest_is_too_odd(node_: Any, sources: Any) -> None:
    kinds = {"resource_type": "model", "alias": "orders"} | (node_ if isinstance(node_, dict) else {})
    content = {"nodes": {"a": node_, "b": kinds}, "sources": sources}
    found = dbt.matched(content, (Table(("main", "orders"), (Column("name"),)),))
    assert {table.name for table, _ in found.described} <= {"orders"}


def test_the_page_is_true(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).resolve().parent.parent / "docs" / "comments.md").read_text("utf-8")
    (block,) = re.findall(r"```console\n(.*?)```", page, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    connection = apsw.Connection("shop.db")
    connection.execute("CREATE TABLE cust (id INTEGER PRIMARY KEY, nm VARCHAR, ctry VARCHAR)")
    connection.close()
    Path("target").mkdir()
    columns = (column("nm", "full name"), column("email", "where the invoice goes"))
    synonyms = {"materialized": "table", "meta": {"synonyms": ["customers", "clients"]}}
    content = manifest(node("model", "main", "cust", "who buys", *columns, config=synonyms))
    Path("target/manifest.json").write_text(json.dumps(content))
    for command, shown in re.findall(r"\$ askwhere (.*)\n((?:[^$].*\n)*)", block):
        assert cli.main(command.split()) == 0
        assert capsys.readouterr().out == shown


@pytest.mark.any_engine
def test_half_of_a_surrogate_pair_is_replaced_and_control_characters_are_shown(run: Run) -> None:
    described = node("model", "main", "customers", "a\ud800")
    code, said, _ = run("--dbt", manifest(described, node("model", "main", "\x1b[31mnone", "x")))
    assert code == 0
    assert "⟨U+001B⟩" in said
    assert "\x1b" not in said
