"""The tables of languages, rivers, mountains and lakes, and of the countries that they belong to."""

from __future__ import annotations

from askwhere.bindings.sample import (
    lakes,
    languages,
    languages_africa,
    languages_america,
    languages_asia,
    languages_europe,
    mountains,
    rivers,
)
from askwhere.bindings.sample.table import SampleTable, Value, fields, listed

_SPOKEN = (languages_africa.TEXT, languages_asia.TEXT, languages_europe.TEXT, languages_america.TEXT)


def _languages() -> tuple[tuple[int, str, str], ...]:
    """Return the rows of `languages`, family by family."""
    pairs = [(name, family) for family, names in listed(languages.TEXT, ", ") for name in names]
    return tuple((number, name, family) for number, (name, family) in enumerate(pairs, 1))


def _spoken() -> tuple[tuple[Value, ...], ...]:
    """Return the rows of `country_languages`."""
    numbers = {name: number for number, name, _ in _languages()}
    return tuple(
        (code, numbers[name.removesuffix("*")], int(name.endswith("*")))
        for text in _SPOKEN
        for code, names in listed(text, ", ")
        for name in names
    )


def _shared(text: str) -> tuple[tuple[Value, ...], ...]:
    """Return a pair for every country in the last field of each line: the number of the line and its code."""
    return tuple((number, code) for number, line in enumerate(fields(text), 1) for code in line[-1].split())


def _shared_ddl(name: str, key: str, table: str) -> str:
    """Return the CREATE TABLE of the pairs of a table's keys and countries."""
    return f"""CREATE TABLE {name} (
  {key} INTEGER NOT NULL REFERENCES {table} (id),
  country_code TEXT NOT NULL REFERENCES countries (code),
  PRIMARY KEY ({key}, country_code)
)"""


TABLES = (
    SampleTable(
        "languages",
        "CREATE TABLE languages (id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL UNIQUE, family TEXT NOT NULL)",
        _languages(),
    ),
    SampleTable(
        "country_languages",
        """CREATE TABLE country_languages (
  country_code TEXT NOT NULL REFERENCES countries (code),
  language_id INTEGER NOT NULL REFERENCES languages (id),
  is_official BOOLEAN NOT NULL,
  PRIMARY KEY (country_code, language_id)
)""",
        _spoken(),
    ),
    SampleTable(
        "rivers",
        "CREATE TABLE rivers (id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL UNIQUE, length_km INTEGER NOT NULL)",
        tuple((number, name, int(km)) for number, (name, km, _) in enumerate(fields(rivers.TEXT), 1)),
    ),
    SampleTable("river_countries", _shared_ddl("river_countries", "river_id", "rivers"), _shared(rivers.TEXT)),
    SampleTable(
        "mountains",
        """CREATE TABLE mountains (
  id INTEGER PRIMARY KEY NOT NULL,
  name TEXT NOT NULL UNIQUE,
  height_m INTEGER NOT NULL,
  country_code TEXT NOT NULL REFERENCES countries (code)
)""",
        tuple((number, name, int(m), code) for number, (name, m, code) in enumerate(fields(mountains.TEXT), 1)),
    ),
    SampleTable(
        "lakes",
        """CREATE TABLE lakes (
  id INTEGER PRIMARY KEY NOT NULL,
  name TEXT NOT NULL UNIQUE,
  area_km2 DOUBLE NOT NULL,
  max_depth_m INTEGER NOT NULL
)""",
        tuple(
            (number, name, float(area), int(depth))
            for number, (name, area, depth, _) in enumerate(fields(lakes.TEXT), 1)
        ),
    ),
    SampleTable("lake_countries", _shared_ddl("lake_countries", "lake_id", "lakes"), _shared(lakes.TEXT)),
)
