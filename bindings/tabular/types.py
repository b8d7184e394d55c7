"""Infer the types of text columns in files: a column of dates or of numbers gets that type.

A column stays text if its texts can be read in two ways: 03/04/2024 where no day is above 12, or 1,234 where no value
proves that the comma separates thousands. Codes such as 00501 stay text, too.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import product
from typing import Any

import duckdb
from askwhere.bindings.duckdb.running import Connection, stopping
from askwhere.engine import Limits
from askwhere.frozen import frozen
from askwhere.sql.identifiers import quote
from askwhere.sql.literals import quoted

SAMPLED = 2_000  # rows whose texts say what all may be
LARGE = 100_000  # rows that are looked at if there is no time for all
LATER = 30.0  # seconds to look at them
LONGEST = 1_000  # characters of a text that may be a number or a date
TOGETHER = 200  # readings that one query counts: DuckDB takes four times as long to bind a query of twice the length


@frozen
class Reading:
    """A way to read a column of texts: its name, the type of the values, and SQL for the value of a text `{0}`.

    It fits a column if every text matches `pattern`, has a value, and meets `test`, a SQL condition; if at least one
    text matches `proof`; and if the reading named `rival` does not fit the column as well. With `plain`, DuckDB's CSV
    reader finds the value by itself, once it is told the type.
    """

    name: str
    type: str
    value: str
    pattern: str
    test: str = "TRUE"
    proof: str = ""
    rival: str = ""
    plain: bool = False

    def fits(self, column: str) -> str:
        """Return an SQL condition that holds for texts that can be read as this type."""
        tried = self.value.replace("CAST(", "TRY_CAST(").replace("strptime(", "try_strptime(")
        return f"({tried} IS NOT NULL AND {self.test})".format(column)

    def matches(self, text: str) -> bool:
        """Return whether a text fits the pattern."""
        return re.fullmatch(self.pattern, text) is not None


def _plain(type_: str, pattern: str, test: str = "TRUE") -> Reading:
    return Reading(type_, type_, f"CAST({{0}} AS {type_})", pattern, test, plain=True)


_TIME = r"\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?"
_DATE = r"\d{4}[-/]\d{1,2}[-/]\d{1,2}"
# An integer that begins with 0, or has more digits than a number keeps, is a code.
_OF_TEXT = (
    _plain("BOOLEAN", "(?i:true|false)", "length({0}) > 1"),
    _plain("BIGINT", r"-?(?:0|[1-9]\d{0,18})", "CAST(TRY_CAST({0} AS BIGINT) AS VARCHAR) = {0}"),
    _plain(
        "DOUBLE",
        r"[-+]?(?:(?:0|[1-9]\d{0,14})(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?|(?i:nan)|[-+]?(?i:inf(?:inity)?)",
        "(length({0}) < 16 OR contains({0}, '.')) AND (NOT starts_with({0}, '0') OR {0}[2] NOT BETWEEN '0' AND '9')",
    ),
    _plain("TIME", r"\d{1,2}:\d{2}:\d{2}(?:\.\d+)?"),
)
_DATES = (
    _plain("DATE", _DATE, "length({0}) < 11"),
    _plain("TIMESTAMP", rf"{_DATE}(?:[ T]{_TIME})?"),
    _plain("TIMESTAMP WITH TIME ZONE", rf"{_DATE}[ T]{_TIME} ?(?:Z|[-+]\d{{2}}(?::?\d{{2}})?)"),
)


def _dated(order: str, separator: str, time: str) -> Reading:
    """Return the reading of days and months in figures: `order` is 'dm' or 'md'."""
    mark, at = re.escape(separator), f" {time}" if time else ""
    form, rival = (separator.join(f"%{letter}" for letter in (*letters, "Y")) + at for letters in (order, order[::-1]))
    value = f"strptime({{0}}, '{form}')"
    pattern = rf"\d{{1,2}}{mark}\d{{1,2}}{mark}\d{{4}}{f' {_TIME}' if time else ''}"
    kind, value = ("TIMESTAMP", value) if time else ("DATE", f"CAST({value} AS DATE)")
    return Reading(form, kind, value, pattern, rival="" if separator == "." else rival)


def _named_month(form: str, pattern: str) -> Reading:
    return Reading(form, "DATE", f"CAST(strptime({{0}}, '{form}') AS DATE)", pattern)


def _grouped(mark: str, point: str) -> tuple[Reading, Reading]:
    """Return the readings of whole and of broken numbers whose thousands are parted by `mark`."""
    m, p = re.escape(mark), re.escape(point)
    whole, proof = rf"[-+]?\d{{1,3}}(?:{m}\d{{3}})*", rf"\d{m}\d{{3}}{m}\d{{3}}"
    broken = rf"(?:{whole}|[-+]?\d+)(?:{p}\d+)?"
    without = f"replace({{0}}, '{mark}', '')"
    # With a decimal comma, 3,14 proves as much as 1.234,5.
    alone = "" if point == "." else rf"|^[-+]?\d+{p}(?:\d{{1,2}}|\d{{4,}})$"
    return (
        _number(f"0{mark}000", "BIGINT", without, whole, proof),
        _number(
            f"0{mark}000{point}0",
            "DOUBLE",
            f"replace({without}, '{point}', '.')",
            broken,
            rf"{proof}|\d{m}\d{{3}}{p}\d{alone}",
        ),
    )


def _number(name: str, type_: str, text: str, pattern: str, proof: str) -> Reading:
    """Return the reading of texts that match `pattern` as numbers, where a value matches `proof`."""
    # The value alone would not tell 1,23 from 123. Braces of patterns are doubled, as the test is a format.
    test = (
        f"regexp_full_match({{0}}, {quoted(pattern)})".replace("{", "{{").replace("}", "}}").replace("{{0}}", "{0}", 1)
    )
    return Reading(name, type_, f"CAST({text} AS {type_})", pattern, test, proof)


READINGS = (
    *_OF_TEXT,
    *_DATES,
    *(_dated(*way) for way in product(("dm", "md"), "/-.", ("", "%H:%M", "%H:%M:%S")) if way[:2] != ("md", ".")),
    _named_month("%d %b %Y", r"\d{1,2} [A-Za-z]{3} \d{4}"),
    _named_month("%d-%b-%Y", r"\d{1,2}-[A-Za-z]{3}-\d{4}"),
    _named_month("%d %B %Y", r"\d{1,2} [A-Za-z]{3,9} \d{4}"),
    _named_month("%b %d, %Y", r"[A-Za-z]{3} \d{1,2}, \d{4}"),
    _named_month("%B %d, %Y", r"[A-Za-z]{3,9} \d{1,2}, \d{4}"),
    *_grouped(",", "."),
    *_grouped(".", ","),
)
# Where the file says that a column is text, only dates and grouped numbers are looked for.
OF_TYPED = tuple(reading for reading in READINGS if reading not in _OF_TEXT)


def look(
    connection: Connection, source: str, columns: Sequence[str], readings: Sequence[Reading], seconds: float
) -> tuple[dict[str, Reading], bool]:
    """Return the reading of each column of `source`, a SQL expression, and whether all rows were looked at.

    Columns without a reading stay text. If all rows cannot be read in `seconds`, the first `LARGE` decide; columns for
    which even these take too long stay text.
    """
    if not columns:
        return {}, True
    try:
        sample = rows(connection, _sample(source, columns), Limits(seconds=LATER))
    except TimeoutError:
        return {}, False
    possible = {
        column: _possible({text for text in texts if text is not None}, readings)
        for column, texts in zip(columns, zip(*sample, strict=True), strict=False)
    }
    if not any(possible.values()):
        return {}, True
    fitting: dict[str, list[Reading]] = {}
    complete, until = True, time.monotonic() + seconds
    for columns_read in _parts(possible):
        if complete:
            try:
                fitting |= _fitting(connection, source, columns_read, _until(until))
                continue
            except TimeoutError:
                complete, until = False, time.monotonic() + LATER
        many = f"(SELECT {', '.join(map(quote, columns_read))} FROM {source} LIMIT {LARGE})"
        try:
            fitting |= _fitting(connection, many, columns_read, _until(until))
        except TimeoutError:
            break
    return {column: best for column, fit in fitting.items() if (best := _best(fit))}, complete


def _sample(source: str, columns: Iterable[str]) -> str:
    """Return the query of the first texts; a long one, which may take gigabytes with its like, is shown as '-'."""
    kept = "CASE WHEN strlen({0}) <= {1} THEN {0} WHEN {0} IS NOT NULL THEN '-' END"
    texts = ", ".join(kept.format(column, LONGEST) for column in map(quote, columns))
    # DuckDB collects the rows of a plain number as LIMIT before it shortens their texts.
    return f"SELECT {texts} FROM {source} LIMIT (SELECT {SAMPLED})"


def stay_text(table: str, columns: Iterable[str]) -> str:
    """Return the note on columns of which not all rows were looked at."""
    return f"{table}: {', '.join(columns)} stay text, as there was no time to look at all of their rows"


def _parts(possible: Mapping[str, Sequence[Reading]]) -> Iterator[dict[str, Sequence[Reading]]]:
    """Yield the columns with their readings in batches of about `TOGETHER` readings."""
    part: dict[str, Sequence[Reading]] = {}
    for column, readings in possible.items():
        part[column] = readings
        if sum(map(len, part.values())) >= TOGETHER:
            yield part
            part = {}
    if any(part.values()):
        yield part


def _until(moment: float) -> Limits:
    """Return the limits of a query that must end at a moment of `time.monotonic`."""
    return Limits(seconds=max(moment - time.monotonic(), 0.05))


def _possible(texts: Set[str], readings: Sequence[Reading]) -> list[Reading]:
    """Return the readings whose pattern matches all texts; without texts, all readings.

    If plain numbers match, readings with thousands separators are left out; if dates match, timestamps are.
    """
    possible = [reading for reading in readings if all(map(reading.matches, texts))]
    without = {"TIMESTAMP"} if possible[:1] and possible[0].name == "DATE" else set()
    plain = any(reading.plain for reading in possible)
    return [r for r in possible if not texts or not (r.name in without or (plain and r.proof))]


def _fitting(
    connection: Connection, source: str, possible: Mapping[str, Sequence[Reading]], limits: Limits
) -> dict[str, list[Reading]]:
    """Return each column's readings that fit all of its texts and that a text proves; none for a column without texts.

    Raise `TimeoutError` where that takes more than the limits allow.
    """
    tried = [(column, reading) for column, readings in possible.items() for reading in readings]
    counted = ", ".join(part for column, reading in tried for part in _counts(quote(column), reading))
    (counts,) = rows(connection, f"SELECT {counted} FROM {source}", limits)
    fitting: dict[str, list[Reading]] = {column: [] for column in possible}
    for (column, reading), proven, failed in zip(tried, counts[::2], counts[1::2], strict=True):
        if proven and not failed:
            fitting[column].append(reading)
    return fitting


def rows(connection: Connection, sql: str, limits: Limits) -> list[tuple[Any, ...]]:
    """Return the rows of a query. Raise `TimeoutError` where that takes more than the limits allow."""
    try:
        with stopping(connection, limits) as stop:
            return connection.execute(sql).fetchall()
    except duckdb.InterruptException as exc:
        if stop.reason:
            raise TimeoutError(stop.reason) from exc
        raise


def _counts(column: str, reading: Reading) -> tuple[str, str]:
    """Return SQL for two counts: the texts that prove a type, and the texts that do not fit it."""
    proof = f"regexp_matches({column}, {quoted(reading.proof)})" if reading.proof else f"{column} IS NOT NULL"
    return f"count(*) FILTER ({proof})", f"count(*) FILTER ({column} IS NOT NULL AND NOT {reading.fits(column)})"


def _best(fitting: Sequence[Reading]) -> Reading | None:
    """Return the first reading whose rival does not fit too."""
    names = {reading.name for reading in fitting}
    return next((reading for reading in fitting if reading.rival not in names), None)
