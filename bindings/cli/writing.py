"""Write rows as the mode of the prompt says: a table that fits the terminal, a line a column, CSV or JSON."""

from __future__ import annotations

import csv
import io
import json
import shutil
from collections.abc import Callable, Sequence
from typing import IO, Any

from askwhere.bindings.cli.show import plain, safe_for
from askwhere.cells import visible, written
from askwhere.display import SHOWN, table

Rows = Sequence[Sequence[Any]]


def written_as(mode: str, columns: Sequence[str], rows: Rows, out: IO[str], fit: bool) -> str:
    """Return at most `SHOWN` rows as `out` takes them, with a note where there are more.

    A table on a terminal is fitted to it, unless `fit` is false.
    """
    if list(columns) == ["explain_key", "explain_value"]:
        return safe_for("\n".join(str(text) for _, text in rows), out)
    if mode == "table":
        room = shutil.get_terminal_size().columns if fit and out.isatty() else None
        text = table(columns, rows[:SHOWN], room=room)
    else:
        text = MODES[mode](columns, rows[:SHOWN], out)
    return f"{text}\n… and more; the prompt shows {SHOWN:,}" if len(rows) > SHOWN else text


def _lines(columns: Sequence[str], rows: Rows, out: IO[str]) -> str:
    wide = max(map(len, columns), default=0)
    heads = [f"{visible(name):>{wide}} = " for name in columns]
    records = ["\n".join(head + visible(written(cell)) for head, cell in zip(heads, row, strict=True)) for row in rows]
    return "\n\n".join(records) or "0 rows"


def _csv(columns: Sequence[str], rows: Rows, out: IO[str]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows((columns, *rows))
    return safe_for(text.getvalue().rstrip("\n"), out)


def _json(columns: Sequence[str], rows: Rows, out: IO[str]) -> str:
    return json.dumps([dict(zip(columns, row, strict=True)) for row in rows], default=plain)


MODES: dict[str, Callable[[Sequence[str], Rows, IO[str]], str]] = {
    "table": lambda columns, rows, out: table(columns, rows),
    "line": _lines,
    "csv": _csv,
    "json": _json,
}
