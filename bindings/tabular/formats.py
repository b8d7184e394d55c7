"""Tell the formats of data files by the endings of their names, and which files are on another machine."""

from __future__ import annotations

import re
from pathlib import Path, PurePath, PurePosixPath

from askwhere.frozen import frozen


@frozen
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
BUCKETS, WEB = ("s3", "gs", "gcs", "r2"), ("https", "http")  # how addresses begin that DuckDB's httpfs reads

# What to do about files that are often met, by their endings.
_INSTEAD = {
    (".xlsx", ".xls", ".xlsm", ".ods"): "save each sheet as CSV",
    (".txt", ".dat"): "if it has columns, rename it to end in .csv",
    (".arrow", ".feather", ".ipc"): "read it with pyarrow, and give its table to askwhere.connect({name: table})",
    (".zip", ".tar", ".tgz", ".bz2", ".xz"): "unpack it",
}
_REMOTE = re.compile(r"(\w{2,})://")


def is_remote(text: str) -> bool:
    """Return whether a text is the address of something that is not on this machine."""
    return _REMOTE.match(text) is not None


def is_on_web(text: str) -> bool:
    """Return whether a text is the address of a file on a web server, which lists no files."""
    match = _REMOTE.match(text)
    return match is not None and match[1].lower() in WEB


def place(text: str) -> PurePath:
    """Return the path that tells a file's name and its folders: of a web server's file, what is before the `?`.

    >>> place("https://example.com/2024/sales.csv?download=1").name
    'sales.csv'
    """
    if not is_remote(text):
        return Path(text)
    return PurePosixPath(text.partition("?")[0] if is_on_web(text) else text)


def address(at: PurePath) -> str:
    """Return the address of a remote file or folder; its path, made by `place`, has one `/` less.

    >>> address(place("s3://shop/sales/2024.csv").parent)
    's3://shop/sales'
    """
    return str(at).replace(":/", "://", 1)


def format_of(path: PurePath) -> Format | None:
    """Return the format of a file by its name; None for an ending that is not known."""
    return next((known for known in FORMATS if path.name.lower().endswith(known.endings)), None)


def stem(path: PurePath) -> str:
    """Return a file's name without the ending that names its format."""
    known = format_of(path)
    ends = sorted((known.endings if known else ()), key=len, reverse=True)
    return next((path.name[: -len(end)] for end in ends if path.name.lower().endswith(end)), path.name)


def instead(path: PurePath) -> str:
    """Return advice for a file with an unknown ending, with '; ' before it; '' where there is none."""
    advice = next((text for ends, text in _INSTEAD.items() if path.name.lower().endswith(ends)), "")
    return f"; {advice}" if advice else ""
