"""Settings: which source wins, and what is said of a wrong name or value."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import askwhere
import pytest
from askwhere import known_settings
from askwhere.errors import SettingError
from askwhere.known_settings import SETTINGS, Setting
from askwhere.models import servers
from askwhere.settings import named, parse
from support import Database

NONSENSE = "no such value"
# What takes any text: names that a database need not have yet, and paths.
FREE = {"adapter", "allowed_hosts", "include_tables", "exclude_tables", "allow_functions", "leave_out", "examples"}


def effort(connection: Any) -> tuple[str, str]:
    ((value, source),) = connection.execute("SELECT value, source FROM ask_settings() WHERE name = 'effort'").fetchall()
    return value, source


@pytest.mark.slow
def test_each_source_wins_over_those_before_it(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    assert effort(database.shop()) == ("balanced", "default")
    file = Path(os.environ["XDG_CONFIG_HOME"]) / "askwhere" / "config.toml"
    file.parent.mkdir(parents=True)
    file.write_text('effort = "fast"')
    assert effort(database.shop()) == ("fast", "file")
    monkeypatch.setenv("ASKWHERE_EFFORT", "thorough")
    assert effort(database.shop()) == ("thorough", "environment")
    connection = database.shop(effort="fast")
    assert effort(connection) == ("fast", "register")
    connection.execute("SELECT ask_set('effort', 'balanced')").fetchall()
    assert effort(connection) == ("balanced", "ask_set")
    connection.execute("SELECT ask_sql('How many orders are there?', effort := 'thorough')").fetchall()
    assert connection.execute("SELECT effort FROM ask_log()").fetchall() == [("thorough",)]


def test_what_was_set_is_taken_back_with_null(database: Database) -> None:
    connection = database.shop(effort="fast")
    for value in ("thorough", None):
        connection.execute("SELECT ask_set('effort', ?)", (value,)).fetchall()
    assert effort(connection) == ("fast", "register")


@pytest.mark.parametrize("setting", [s for s in SETTINGS if s.name not in FREE], ids=lambda setting: setting.name)
def test_a_value_that_does_not_fit_is_refused_at_once_with_what_was_expected(setting: Setting) -> None:
    with pytest.raises(SettingError, match=f"setting {setting.name}: expected .+, found '{NONSENSE}'"):
        parse(setting.name, NONSENSE)


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
@pytest.mark.parametrize(
    "value", [5, True, 1.5, 16**5_000, "x" * 100_000, object()], ids=lambda value: type(value).__name__
)
def test_whatever_a_configuration_file_or_python_gives_is_taken_or_refused_in_few_words(
    setting: Setting, value: object
) -> None:
    said = ""
    try:
        parse(setting.name, value)
    except SettingError as exc:
        said = str(exc)
    assert len(said) < 1_000


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_a_name_that_is_misspelt_is_told_with_the_one_that_was_meant(setting: Setting) -> None:
    with pytest.raises(SettingError, match=f"there is no setting '{setting.name}s'; did you mean '{setting.name}'"):
        named(f"{setting.name}s")


def test_a_model_in_the_place_of_a_setting_is_told_how_it_is_set() -> None:
    with pytest.raises(SettingError, match=r"there is no setting 'readr'; did you mean ask_set\('model', 'reader'\)\?"):
        named("readr")


@pytest.mark.parametrize(
    ("setting", "value", "meant"),
    [("method", "seaa", "sea"), ("model", "readr", "reader"), ("model", "my/own.gguf", "gguf:my/own.gguf")],
)
def test_a_value_that_is_misspelt_is_told_with_the_one_that_was_meant(setting: str, value: str, meant: str) -> None:
    with pytest.raises(SettingError, match=f"expected .*, found '{value}'; did you mean '{meant}'\\?"):
        parse(setting, value)


def test_wrong_settings_are_refused_wherever_they_come_from(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(SettingError, match="there is no setting 'max_row'; did you mean 'max_rows'"):
        database.shop(max_row=1)
    monkeypatch.setenv("ASKWHERE_MAX_ROWS", "many")
    with pytest.raises(
        SettingError, match=r"^in the environment: setting max_rows: expected a number from 1, found 'm"
    ):
        database.shop()
    monkeypatch.delenv("ASKWHERE_MAX_ROWS")
    file = Path(os.environ["XDG_CONFIG_HOME"]) / "askwhere" / "config.toml"
    file.parent.mkdir(parents=True)
    file.write_text("max_row = 1")
    with pytest.raises(SettingError, match=f"^in {re.escape(str(file))}: there is no setting 'max_row'"):
        database.shop()


def test_a_path_that_is_not_utf8_is_shown(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASKWHERE_EXAMPLES", "/data/\udcff.jsonl")
    shown = "SELECT value FROM ask_settings() WHERE name = 'examples'"
    assert database.shop().execute(shown).fetchall() == [("/data/\\udcff.jsonl",)]


@pytest.mark.parametrize("setting", [s for s in SETTINGS if s.guarded], ids=lambda setting: setting.name)
def test_what_only_the_owner_may_set_cannot_be_set_from_sql(setting: Setting, database: Database) -> None:
    connection = database.shop()
    with pytest.raises(Exception, match=f"{setting.name} cannot be set from SQL: put it into the environment or into"):
        connection.execute("SELECT ask_set(?, ?)", (setting.name, setting.example)).fetchall()
    askwhere.register(connection, **{setting.name: setting.example})


def test_the_setting_server_takes_every_kind_of_server_that_is_known() -> None:
    assert tuple(server.name for server in servers.SERVERS) == known_settings.SERVERS


@pytest.mark.any_engine
@pytest.mark.parametrize("value", ["inf", "1e300", float("inf"), 10**400, 2_000_000_000, "nan", float("nan")])
def test_a_limit_is_a_number_that_a_clock_can_wait_for(database: Database, value: object) -> None:
    with pytest.raises(SettingError, match=r"setting query_timeout: expected a number from 0\.01"):
        database.shop(query_timeout=value)
    assert database.shop(query_timeout=1_000_000_000, max_seconds=1_000_000_000)
