"""The documentation is true and whole: examples run in both engines, links lead somewhere, nothing is missing."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import askwhere
import duckdb
import pytest
import reference
from askwhere.bindings import connections
from askwhere.bindings.cli import main as cli
from askwhere.bindings.cli.script import message
from askwhere.known_settings import SETTINGS, Setting
from askwhere.settings import as_text, parse
from askwhere.udfs import FUNCTIONS, Function
from guard.attacks import ATTACKS
from support import SHOP, Database

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
REFERENCE = (ROOT / "docs" / "reference.md").read_text("utf-8")
# What a page's examples are about, where it is not the sample database.
ABOUT = {"comments.md": "", "index.md": SHOP}
ALBUMS = """
CREATE TABLE Artist (ArtistId INTEGER PRIMARY KEY, Name VARCHAR);
CREATE TABLE Album (AlbumId INTEGER PRIMARY KEY, Title VARCHAR, ArtistId INTEGER REFERENCES Artist (ArtistId));
"""
# What one engine alone has.
OF_ONE = {"COMMENT ON": "duckdb", "USING ask": "sqlite"}
# A model that this machine does not have; the page may show what it would be asked.
NO_MODEL = "/models/qwen-7b-q4.gguf cannot be read"
# Examples whose outcome goes by the engine, and why.
DIFFERENT = {
    "ask_value": "text in DuckDB",
    "ask_schema": "the engine's names of types",
    "ask_prompt": "the engine's names of types",
}

STATEMENT = re.compile(r"\s*(.*?;)[ \t]*(?:--[^\n]*)?\n((?:--[^\n]*\n)*)", re.DOTALL)

pages = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The sample database in each engine."""
    sqlite, duckdb = reference.build(tmp_path_factory.mktemp("world"))
    return {"sqlite": sqlite, "duckdb": duckdb}


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page.read_text("utf-8"), re.DOTALL)


def statements(block: str) -> list[tuple[str, str]]:
    """Each statement of a block, and what the comment in the lines below it says that it gives."""
    assert not STATEMENT.sub("", block).strip(), f"no statement that ends in a semicolon: {block}"
    found = STATEMENT.findall(block)
    return [(sql, "\n".join(line.removeprefix("--")[1:] for line in shown.splitlines())) for sql, shown in found]


@pytest.mark.slow
@pages
def test_every_statement_runs_and_gives_what_the_page_says(
    page: Path, database: Database, world: dict[str, Path]
) -> None:
    def opened() -> Any:
        if page.name not in ABOUT:
            shutil.copy(world[database.kind], database.path)
        connection = database.raw(database.path)
        for statement in ABOUT.get(page.name, "").split(";\n"):
            connection.execute(statement)
        askwhere.register(connection)
        return connection

    connection = None
    for block in blocks(page, "sql"):
        if any(words in block and database.kind != kind for words, kind in OF_ONE.items()):
            continue
        if connection is None or page.name == "reference.md":  # where each function has a database of its own
            database.close()
            connection = opened()
        for statement, shown in statements(block):
            assert given(connection, statement) in (shown, NO_MODEL) or not shown, statement
    for block in blocks(page, "python") if page.name != "README.md" else ():  # tests/test_readme.py runs the README's
        exec(block, {"con": connection})


def given(connection: Any, statement: str) -> str:
    try:
        return reference.result(connection, statement)
    except Exception as exc:
        if NO_MODEL in str(exc):
            return NO_MODEL
        raise AssertionError(f"{statement}: {exc}") from exc


def test_the_reader_reads_and_refuses_as_its_page_says(database: Database) -> None:
    connection = database.raw()
    connection.execute(ALBUMS)
    askwhere.register(connection)
    (block,) = re.findall(r"```\n(>>> .*?)```", (ROOT / "docs" / "reader.md").read_text("utf-8"), re.DOTALL)
    for call, shown in re.findall(r">>> (.*)\n((?:(?!>>>).+\n)*)", block):
        try:
            found = reference.result(connection, f"SELECT {call}")
        except Exception as exc:
            found = message(exc)
        assert found.split() == shown.split()


@pytest.mark.slow
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.name)
def test_every_function_has_an_example_with_the_same_outcome_in_both_engines(
    function: Function, world: dict[str, Path]
) -> None:
    assert any(f"{function.name}(" in example for example in function.examples)
    sqlite, duckdb = (reference.run(world[kind], function.examples) for kind in ("sqlite", "duckdb"))
    assert (sqlite == duckdb) == (function.name not in DIFFERENT)


@pytest.mark.slow
@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_every_setting_has_an_example_that_can_be_set(setting: Setting, database: Database) -> None:
    connection = database.raw()
    connection.execute(
        "CREATE TABLE customers (email TEXT, name TEXT, city TEXT, token TEXT); CREATE VIEW v_names AS SELECT 1 AS name"
    )
    connection.execute("CREATE TABLE staging_names (name TEXT); CREATE TABLE audit (name TEXT)")
    if database.kind == "duckdb":
        connection.execute("CREATE MACRO distance_km(x) AS x")
    else:
        connection.create_scalar_function("distance_km", abs)
    askwhere.register(connection, **({setting.name: setting.example} if setting.guarded else {}))
    if not setting.guarded:
        connection.execute("SELECT ask_set(?, ?)", (setting.name, setting.example)).fetchall()
    ((value,),) = connection.execute("SELECT value FROM ask_settings() WHERE name = ?", (setting.name,)).fetchall()
    assert value == as_text(parse(setting.name, setting.example)) != as_text(setting.default)


def documented() -> Iterator[tuple[str, str]]:
    """Everything that a user can name, and how the reference names it."""
    yield from ((function.name, f"### `{function.signature}`") for function in FUNCTIONS)
    yield from ((setting.name, f"\n| `{setting.name}` |") for setting in SETTINGS)
    yield from ((error.__name__, f"\n| `{error.__name__}` |") for error in reference.every_error())
    yield from ((f"askwhere {name}", f"### `askwhere {name}`") for name in reference.every_command())
    errors = {error.__name__ for error in reference.every_error()}
    others = [name for name in askwhere.__all__ if name not in errors]
    yield from ((name, f"`askwhere.{name}`" if name.startswith("_") else f"### `askwhere.{name}`") for name in others)


@pytest.mark.parametrize(("name", "written"), list(documented()), ids=lambda text: text.strip("\n#|` "))
def test_everything_that_a_user_can_name_is_in_the_reference(name: str, written: str) -> None:
    assert written in REFERENCE, f"{name} is not there; `make docs` writes what the code knows"


def test_every_error_says_what_to_do() -> None:
    assert "|  |" not in reference.failures()


@pages
def test_every_link_leads_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)|<img src=\"([^\"]+)\"", text):
        path, _, anchor = (target[0] or target[1]).partition("#")
        if "://" in path:
            continue
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), f"{page.name}: {path}"
        assert not anchor or anchor in anchors(file), f"{page.name}: {path}#{anchor}"


@pages
def test_every_file_of_the_code_that_is_named_is_there(page: Path) -> None:
    named = re.findall(r"(?<![\w/.])(?:extension|udfs|indexer|bindings|tests)/[\w/]*(?:\.py)?", page.read_text("utf-8"))
    assert [path for path in named if not (ROOT / path).exists()] == []


@pages
def test_every_test_that_is_named_is_there(page: Path) -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", page.read_text("utf-8"))
    missing = [
        f"{file}::{test}"
        for file, test in named
        if not re.search(rf"^def {test}\(", (ROOT / file).read_text("utf-8"), re.MULTILINE)
    ]
    assert missing == []


def test_every_hole_that_was_found_has_tests_that_are_there() -> None:
    text = (ROOT / "docs" / "security.md").read_text("utf-8")
    found = re.findall(r"^\| (\d+)\. [^|]+\|([^|]*)\|([^|]*)\|$", text, re.MULTILINE)
    assert [int(number) for number, *_ in found] == list(range(1, 21))
    assert all("::test_" in tests for _, _, tests in found)
    assert {attack for _, attacks, _ in found for attack in attacks.split()} <= {attack.id for attack in ATTACKS}


def anchors(page: Path) -> set[str]:
    """What GitHub names the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pages
def test_every_command_is_one_that_there_is(page: Path) -> None:
    for block in [*blocks(page, "sh"), *blocks(page, "console")]:
        for line in re.findall(r"^(?:\$ )?askwhere (.*)$", block, re.MULTILINE):
            if page.name != "reference.md":  # whose usage lines are made from the parser
                cli._parsed(shlex.split(line, comments=True))


@pytest.mark.slow
def test_every_table_that_is_made_in_the_file_is_documented(database: Database) -> None:
    connection = database.shop(database.path, log="database", remember="database")
    connection.execute("SELECT * FROM ask('number of customers per country')").fetchall()
    connection.execute("SELECT ask_pin('how many', 'SELECT 1 AS n')").fetchall()
    connection.execute("SELECT ask_index()").fetchall()
    if database.kind == "sqlite":
        connection.execute("CREATE VIRTUAL TABLE counted USING ask('how many')")
    made = {name for storage in connections.engine(connection).storages() for name in storage.tables()}
    text = "".join((ROOT / "docs" / page).read_text("utf-8") for page in ("memory.md", "index.md"))
    assert len(made) > 9
    assert [name for name in sorted(made) if f"`{name}`" not in text] == []


def test_the_changelog_has_this_version() -> None:
    assert f"\n## [{askwhere.__version__}] - " in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_every_page_is_linked_from_the_readme() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    assert [
        page.name for page in PAGES if page.name != "README.md" and not re.search(rf"{page.name}[)#]", readme)
    ] == []


def test_the_page_to_ask_on_uses_the_functions_that_are_named_and_no_other() -> None:
    _, _, sentence = (ROOT / "docs" / "web.md").read_text("utf-8").partition("It uses only the SQL functions")
    code = "".join(path.read_text("utf-8") for path in sorted((ROOT / "bindings" / "web").glob("*.py")))
    used = {function.name for function in FUNCTIONS} & {"ask", *re.findall(r"\bask_\w+", code)}
    assert set(re.findall(r"`(ask(?:_\w+)?)`", sentence)) == used


@pytest.mark.parametrize(
    "sql",
    ["SELECT * FROM ask", "SELECT ask('x')", "SELECT * FROM ask_sql('x')", "SELECT * FROM ask('x', efort := 'fast')"],
)
def test_the_reference_explains_what_duckdb_says_of_a_wrong_call(sql: str) -> None:
    connection = duckdb.connect()
    askwhere.register(connection)
    with pytest.raises(duckdb.Error) as caught:
        connection.execute(sql)
    connection.close()
    explained = re.findall(r"^\| `(\w.*ask.*)` \| .*\|$", REFERENCE.partition("DuckDB says")[2], re.MULTILINE)
    assert [text for text in explained[:4] if text in str(caught.value)] != []
