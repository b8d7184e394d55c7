"""`askwhere doctor`: what is installed, and what would be used."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import platform
import sys
from collections.abc import Iterator

import askwhere
from askwhere import settings
from askwhere.bindings.show import table

# Each extra, the module that shows it is there, and what it is for.
EXTRAS = (("pandas", "pandas", "Answer.df()"),)


def run() -> int:
    """Print the report; returns 0, or 1 where something that is needed is missing."""
    found = list(report())
    print(table(("what", "found", "note"), found))
    return int(any(note.startswith("missing") for _, _, note in found))


def report() -> Iterator[tuple[str, str, str]]:
    """What was found, line by line: what, its version or value, a note."""
    yield "askwhere", askwhere.__version__, f"in {next(iter(askwhere.__path__))}"
    yield "Python", platform.python_version(), sys.executable
    for engine in ("apsw", "duckdb"):
        yield engine, *_engine(engine)
    for package in ("sqlglot", "rank-bm25", "snowballstemmer"):
        yield package, *_version(package)
    for name, module, purpose in EXTRAS:
        installed = importlib.util.find_spec(module) is not None
        yield name, "installed" if installed else "not installed", f"for {purpose}: pip install {name}"
    path = settings.config_path()
    yield "configuration", "found" if path.exists() else "none", str(path)
    for name, value, source, _ in settings.load({}).rows():
        if source != "default" or name == "model":
            yield f"setting {name}", value, f"from {source}"


def _engine(name: str) -> tuple[str, str]:
    version, note = _version(name)
    if note:
        return version, note
    if name == "apsw":
        import apsw

        return version, f"SQLite {apsw.sqlite_lib_version()}"
    return version, ""


def _version(package: str) -> tuple[str, str]:
    try:
        return importlib.metadata.version(package), ""
    except importlib.metadata.PackageNotFoundError:
        return "none", f"missing: pip install {package}"
