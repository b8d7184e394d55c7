"""Fixtures: contract tests run on both engines, on real connections."""

from __future__ import annotations

import gc
import itertools
import os
import re
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw
import askwhere
import duckdb
import hypothesis
import pytest
from askwhere.models import Scripted
from support import Database, Make

if TYPE_CHECKING:
    from asker import Asker, Source
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parent.parent
_users = itertools.count()

gc.set_threshold(50_000)  # as in the command line: collecting tests and reading questions leave next to no garbage

# `make test &` and nohup start us with signals ignored, and what a test starts would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
for _name in ("SIGHUP", "SIGQUIT"):
    if hasattr(signal, _name) and signal.getsignal(getattr(signal, _name)) is signal.SIG_IGN:
        signal.signal(getattr(signal, _name), signal.SIG_DFL)


# The machine may be busy, and the same commit must give the same result; `--hypothesis-profile=search` looks further.
hypothesis.settings.register_profile("search", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.register_profile("askwhere", hypothesis.settings.get_profile("search"), derandomize=True)
hypothesis.settings.load_profile("askwhere")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Skip importing modules whose tests are all slow, for the fast tests: what they import need not be installed."""
    if config.getoption("markexpr") != "not slow" or collection_path.suffix != ".py":
        return None
    return bool(re.search(r"^pytestmark = \[?\s*pytest\.mark\.slow", collection_path.read_text("utf-8"), re.M)) or None


# Modules of `tests/reader` whose queries differ between the engines: dates, differences, shares, texts as numbers.
WRITTEN_FOR_EACH_ENGINE = frozenset(
    "golden dates age_and_duration ages_from_births computed change_by_period growth shares rates months_and_hours"
    " years_and_months texts_with_numbers_and_dates views readings free_form intervals last_of_each first_of_each"
    " latest time_from_and_to".split()
)


@pytest.hookimpl(tryfirst=True)  # before tests are chosen by their marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave what is tested in SQLite and knows no engine to the slow tests in DuckDB, which takes 0.15 s to start.

    So with the reader, which marks and parses words without an engine.
    """
    for item in items:
        chosen = item.callspec.params if hasattr(item, "callspec") else {}
        read = item.path.parent.name == "reader" and item.path.stem.removeprefix("test_") not in WRITTEN_FOR_EACH_ENGINE
        knows_none = read or item.get_closest_marker("any_engine")
        if knows_none and "duckdb" in (chosen.get(name) for name in ("database", "standing", "dialect", "path")):
            item.add_marker(pytest.mark.slow)


def pytest_collection_finish() -> None:
    """Keep what was collected from the garbage collector, which would look at all of it again and again."""
    gc.collect()
    gc.freeze()


def pytest_report_header() -> str:
    return f"apsw {apsw.apsw_version()} (SQLite {apsw.sqlite_lib_version()}), duckdb {duckdb.__version__}"


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep the user's settings from the tests."""
    for name in os.environ:
        if name == "OPENAI_API_KEY" or (name.startswith("ASKWHERE_") and name != "ASKWHERE_DATA"):
            monkeypatch.delenv(name)
    own = tmp_path_factory.getbasetemp() / f"user{next(_users)}"  # made by what writes there, which few tests do
    monkeypatch.setenv("XDG_CONFIG_HOME", str(own / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(own / "state"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "cache"))


@pytest.fixture
def data() -> Path:
    """The folder with the benchmark data."""
    folder = Path(os.environ.get("ASKWHERE_DATA", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"needs the benchmark data; set ASKWHERE_DATA (looked in {folder})")
    return folder


@pytest.fixture(scope="session")
def real_model() -> Path:
    """The file of a small language model."""
    from real_model import FILE

    if not FILE.is_file():
        pytest.skip("needs a language model; `make smollm2` brings it")
    return FILE


@pytest.fixture(params=["sqlite", "duckdb"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """Each engine in turn."""
    opened = Database(request.param, tmp_path)
    yield opened
    opened.close()


@pytest.fixture(params=["sqlite", "duckdb"], scope="module")
def standing(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """Each engine in turn, for the tests of a module that share a connection; a DuckDB takes 0.1 s until it answers."""
    opened = Database(request.param, tmp_path_factory.mktemp(request.param))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def asked(standing: Database) -> Any:
    """A connection to a shop, for the tests of a module that change neither its tables nor its settings."""
    return standing.shop()


@pytest.fixture
def asking(asked: Any) -> Callable[..., tuple[Any, Scripted]]:
    """What `scripted` makes, on the connection `asked`: a third of the work in DuckDB."""

    def make(*replies: str) -> tuple[Any, Scripted]:
        model = Scripted(replies)
        askwhere.register(asked, model=model, method="sea")
        return asked, model

    return make


@pytest.fixture
def scripted(database: Database) -> Make:
    """A shop whose model gives the replies one after the other, and is asked by a method that asks once."""

    def make(*replies: str, **settings: Any) -> tuple[Any, Scripted]:
        model = Scripted(replies)
        return database.shop(model=model, **{"method": "sea", **settings}), model

    return make


@pytest.fixture(scope="session")
def postgres_at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A connection string of a running PostgreSQL."""
    from servers import attachable_postgres

    with attachable_postgres(tmp_path_factory.mktemp("postgres")) as at:
        yield at


@pytest.fixture(scope="module")  # as a server shows the databases of all tests
def mariadb_at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A connection string of a running MariaDB."""
    from servers import mariadb, running_mariadb

    if not mariadb():
        pytest.skip("needs MariaDB; `make servers` installs it")
    with running_mariadb(tmp_path_factory.mktemp("mariadb")) as port:
        yield f"host=127.0.0.1 port={port} user=root database=mysql"


@pytest.fixture
def asker() -> Iterator[Asker]:
    """A process with the DuckDB that has extensions, and askwhere."""
    from asker import Asker

    found = Asker()
    yield found
    found.close()


@pytest.fixture(params=["sqlite", "postgres", "mysql"])
def source(request: pytest.FixtureRequest, asker: Asker, tmp_path: Path) -> Iterator[Source]:
    """Each kind of database in turn, attached as `crm`, to be read only."""
    from asker import attached_source

    with attached_source(request.param, asker, tmp_path, request) as made:
        yield made


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Headless Chromium."""
    from browser import chromium

    with chromium() as opened:
        yield opened


@pytest.fixture
def opened(browser: Browser, files: dict[str, Path]) -> Iterator[Callable[..., tuple[Page, list[str]]]]:
    """Opens one of `files`, all boxes unfolded; with it comes what it asked for or complained of."""
    from browser import opening

    with opening(browser, files) as open_:
        yield open_
