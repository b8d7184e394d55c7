"""Tell the formats of data files by the endings of their names."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Format:
    """A format: its name, the endings of its files, and whether such a file says the type of each column."""

    name: str
    endings: tuple[str, ...]
    typed: bool = False


PARQUET = Format("Parquet", (".parquet", ".pq"), typed=True)
CSV = Format("CSV", (".csv", ".csv.gz", ".tsv", ".tsv.gz"))
JSON = Format("JSON", (".jsonl", ".ndjson", ".json", ".jsonl.gz", ".ndjson.gz", ".json.gz"))
FORMATS = (PARQUET, CSV, JSON)
KNOWN = ", ".join(ending for known in FORMATS for ending in known.endings)

# What to do about files that are often met, by their endings.
_INSTEAD = {
    (".xlsx", ".xls", ".xlsm", ".ods"): "save each sheet as CSV",
    (".txt", ".dat"): "if it has columns, rename it to end in .csv",
    (".arrow", ".feather", ".ipc"): "read it with pyarrow, and give its table to askwhere.connect({name: table})",
    (".zip", ".tar", ".tgz", ".bz2", ".xz"): "unpack it",
}


def of(path: Path) -> Format | None:
    """Return the format of a file by its name; None for an ending that is not known."""
    return next((known for known in FORMATS if path.name.lower().endswith(known.endings)), None)


def stem(path: Path) -> str:
    """Return a file's name without the ending that names its format."""
    known = of(path)
    ends = sorted((known.endings if known else ()), key=len, reverse=True)
    return next((path.name[: -len(end)] for end in ends if path.name.lower().endswith(end)), path.name)


def instead(path: Path) -> str:
    """Return advice for a file with an unknown ending, with '; ' before it; '' where there is none."""
    advice = next((text for ends, text in _INSTEAD.items() if path.name.lower().endswith(ends)), "")
    return f"; {advice}" if advice else ""
