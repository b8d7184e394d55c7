"""The tables of continents, currencies, countries, cities, borders and Olympic Games."""

from __future__ import annotations

from askwhere.bindings.sample import (
    borders_africa,
    borders_america,
    borders_asia,
    borders_europe,
    cities_africa,
    cities_america,
    cities_asia,
    cities_europe,
    cities_oceania,
    countries_africa,
    countries_america,
    countries_asia,
    countries_europe,
    countries_oceania,
    currencies,
    olympics,
)
from askwhere.bindings.sample.table import SampleTable, Value, fields, listed

CONTINENTS = ("Africa", "Asia", "Europe", "North America", "South America", "Oceania", "Antarctica")

# In the order of CONTINENTS; Antarctica has no countries.
_COUNTRIES = (
    countries_africa.TEXT,
    countries_asia.TEXT,
    countries_europe.TEXT,
    countries_america.NORTH,
    countries_america.SOUTH,
    countries_oceania.TEXT,
)
_CITIES = (cities_africa.TEXT, cities_asia.TEXT, cities_europe.TEXT, cities_america.TEXT, cities_oceania.TEXT)
_BORDERS = (borders_africa.TEXT, borders_asia.TEXT, borders_europe.TEXT, borders_america.TEXT)


def _countries() -> tuple[tuple[Value, ...], ...]:
    """Return the rows of `countries`, continent by continent."""
    return tuple(
        (code, name, continent, int(population), float(area), currency)
        for continent, text in enumerate(_COUNTRIES, 1)
        for code, name, population, area, currency, _, _ in fields(text)
    )


def _cities() -> tuple[tuple[Value, ...], ...]:
    """Return the rows of `cities`: the first capital of each country, then the others."""
    cities: list[tuple[str, str, int | None, int]] = []
    for text in _COUNTRIES:
        cities += [(line[5], line[0], int(line[6]), 1) for line in fields(text)]
    for text in _CITIES:
        for name, code, figure in fields(text):
            population = figure.removesuffix("*")
            cities.append((name, code, int(population) if population else None, int(figure.endswith("*"))))
    return tuple((number, *city) for number, city in enumerate(cities, 1))


def _games(cities: tuple[tuple[Value, ...], ...]) -> tuple[tuple[Value, ...], ...]:
    """Return the rows of `olympic_games`, by year."""
    numbers = {(name, code): number for number, name, code, *_ in cities}
    return tuple(
        (number, int(when[:4]), when[5:], numbers[city, code])
        for number, (when, city, code) in enumerate(fields(olympics.TEXT), 1)
    )


_CITY_ROWS = _cities()

TABLES = (
    SampleTable(
        "continents",
        "CREATE TABLE continents (id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL UNIQUE)",
        tuple(enumerate(CONTINENTS, 1)),
    ),
    SampleTable(
        "currencies",
        "CREATE TABLE currencies (code TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL UNIQUE)",
        tuple((code, name) for code, name in fields(currencies.TEXT)),
    ),
    SampleTable(
        "countries",
        """CREATE TABLE countries (
  code TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL UNIQUE,
  continent_id INTEGER NOT NULL REFERENCES continents (id),
  population INTEGER NOT NULL,
  area_km2 DOUBLE NOT NULL,
  currency_code TEXT NOT NULL REFERENCES currencies (code)
)""",
        _countries(),
    ),
    SampleTable(
        "cities",
        """CREATE TABLE cities (
  id INTEGER PRIMARY KEY NOT NULL,
  name TEXT NOT NULL,
  country_code TEXT NOT NULL REFERENCES countries (code),
  population INTEGER,
  is_capital BOOLEAN NOT NULL,
  UNIQUE (name, country_code)
)""",
        _CITY_ROWS,
    ),
    SampleTable(
        "borders",
        """CREATE TABLE borders (
  country_code TEXT NOT NULL REFERENCES countries (code),
  neighbour_code TEXT NOT NULL REFERENCES countries (code),
  PRIMARY KEY (country_code, neighbour_code)
)""",
        tuple((code, other) for text in _BORDERS for code, others in listed(text, " ") for other in others),
    ),
    SampleTable(
        "olympic_games",
        """CREATE TABLE olympic_games (
  id INTEGER PRIMARY KEY NOT NULL,
  year INTEGER NOT NULL,
  season TEXT NOT NULL,
  city_id INTEGER NOT NULL REFERENCES cities (id),
  UNIQUE (year, season)
)""",
        _games(_CITY_ROWS),
    ),
)
