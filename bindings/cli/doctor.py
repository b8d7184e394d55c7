"""`askwhere doctor`: reports what is installed, and which settings and models would be used."""

from __future__ import annotations

import argparse
import importlib.metadata
import importlib.util
import os
import platform
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import askwhere
from askwhere import api_keys, settings
from askwhere.bindings.loadable import library as native
from askwhere.display import table
from askwhere.errors import ModelError, SettingError
from askwhere.models import files, reaching
from askwhere.models.llama_context import cores, threads
from askwhere.sql import parsing

# Optional packages: name, the module that it brings, what it is for, and what to install.
EXTRAS = (
    ("openai", "openai", "models 'openai:NAME' and 'ollama:NAME'", "openai"),
    ("llama-cpp-python", "llama_cpp", "models of a file", "llama-cpp-python huggingface_hub"),
    ("huggingface_hub", "huggingface_hub", "askwhere model get", "huggingface_hub"),
    ("pandas", "pandas", "Answer.df()", "pandas"),
    ("altair", "altair", "Answer.chart()", "altair"),
    ("plotext", "plotext", "askwhere ask --chart", "plotext"),
    ("vl-convert-python", "vl_convert", "askwhere ask --chart=FILE", "vl-convert-python"),
    ("starlette", "starlette", "askwhere web", "starlette uvicorn"),
    ("SQLAlchemy", "sqlalchemy", "URLs askwhere:///FILE", "sqlalchemy duckdb-engine"),
)

# DuckDB's extensions that are loaded, and what for.
EXTENSIONS = (
    ("quack", "askwhere serve"),
    ("httpfs", "askwhere serve, buckets and web servers"),
    ("sqlite_scanner", "askwhere serve with a SQLite file"),
    ("postgres_scanner", "--attach NAME=postgres:…"),
    ("mysql_scanner", "--attach NAME=mysql:…"),
    ("ducklake", "--attach NAME=ducklake:…"),
)

BROKEN = "broken"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    parser.set_defaults(run=lambda parsed: run())


def run() -> int:
    """Print the report. Return 0, or 1 where something that is needed is missing or broken."""
    rows = list(report())
    print(table(("what", "found", "note"), rows))
    return int(any(value == BROKEN or note.startswith("missing") for _, value, note in rows))


def report() -> Iterator[tuple[str, str, str]]:
    """Yield the report line by line: the subject, its version or value, a note."""
    yield "askwhere", askwhere.__version__, f"in {next(iter(askwhere.__path__))}"
    yield "Python", platform.python_version(), sys.executable
    for package in requirements():
        yield package, *_engine(package)
    if parsing.is_compiled():
        yield ("sqlglotc", BROKEN, "SQL is not read: compiled parsers have no bound; pip uninstall sqlglotc")
    for name, module, purpose, install in EXTRAS:
        installed = importlib.util.find_spec(module) is not None
        yield name, _version(name)[0] if installed else "not installed", f"for {purpose}: pip install {install}"
    yield from _duckdb_extensions()
    yield _extension()
    yield from _settings()
    yield from _server()
    yield from _models()


def _duckdb_extensions() -> Iterator[tuple[str, str, str]]:
    """Yield the extensions of DuckDB, whether they are here for this version of it, and how to install them."""
    from askwhere.bindings.duckdb import extensions

    for name, purpose in EXTENSIONS:
        state = "installed" if extensions.available(name) else "not installed"
        yield f"extension {name}", state, f"of DuckDB, for {purpose}: INSTALL {name} in SQL"


def _server() -> Iterator[tuple[str, str, str]]:
    """Yield the server of the setting `model`, and whether it can be reached."""
    try:
        server = reaching.server(settings.load({}))
    except SettingError:
        return  # `_settings` reports it
    except ModelError as exc:
        yield "server of model", BROKEN, str(exc)
        return
    if server:
        why = reaching.unreached(*server)
        yield "server of model", BROKEN if why else "reached", f"{server[0]}: {why}" if why else server[0]


def _extension() -> tuple[str, str, str]:
    if native.library().exists():
        return "SQLite extension", "built", "for sqlite3 and other programs: .load what askwhere extension-path prints"
    return "SQLite extension", "not built", native.missing()


def requirements() -> list[str]:
    """Return the packages that askwhere always needs, by its own metadata."""
    declared = importlib.metadata.requires("askwhere") or []
    return [re.split(r"[^\w.-]", line, maxsplit=1)[0] for line in declared if "extra ==" not in line]


def _settings() -> Iterator[tuple[str, str, str]]:
    """Yield the configuration file, the key, and the settings that differ from their defaults."""
    path = settings.config_path()
    try:
        loaded, key = settings.load({}), api_keys.find()
    except SettingError as exc:
        yield "configuration", BROKEN, str(exc)
        return
    for name, near in settings.misspelt().items():
        yield name, BROKEN, f"sets nothing: there is no such setting; did you mean {near}?"
    yield "configuration", "found" if path.exists() else "none", str(path)
    yield "key", "found" if key else "none", "for servers: ASKWHERE_API_KEY, OPENAI_API_KEY or api_key"
    for name, value, source, _ in loaded.rows():
        if source != "default" or name == "model":
            yield f"setting {name}", value, f"from {source}"


def _models() -> Iterator[tuple[str, str, str]]:
    """Yield the threads that local models use, then each local model with its size and whether it fits in memory."""
    try:
        count = settings.load({})["threads"]
    except SettingError:
        return  # `_settings` reports it
    yield _threads(count)
    free = free_memory()
    for model in files.all_cached():
        needs = f"needs about {model.memory:.1f} GB of memory"
        if free is not None:
            fits = "and it fits" if model.memory * 1e9 <= free else "so it does not fit: take a smaller one"
            needs += f"; {free / 1e9:.1f} GB are free, {fits}"
        yield f"model {model.name}", f"{model.size / 1e9:.1f} GB", needs


def _threads(count: int) -> tuple[str, str, str]:
    """Return the line for the threads of local models; `count` is the setting, 0 where the cores decide."""
    if count:
        return "threads", f"{count} of {cores()} cores", "for models of a file, by the setting threads"
    note = "for models of a file"
    if threads() < cores():
        # The threads wait for each other after every operation (`llama_context.threads`).
        note += f"; one core is left to other programs, threads = {cores()} uses it too"
    return "threads", f"{threads()} of {cores()} cores", note


def _engine(name: str) -> tuple[str, str]:
    """Return the version of a package that is always needed, and a note."""
    version, note = _version(name)
    if name == "apsw" and not note:
        import apsw

        note = f"SQLite {apsw.sqlite_lib_version()}"
    return version, note


def _version(package: str) -> tuple[str, str]:
    """Return the version of a package, and a note where it is missing."""
    try:
        return importlib.metadata.version(package), ""
    except importlib.metadata.PackageNotFoundError:
        return "none", f"missing: pip install {package}"


GROUP = Path("/sys/fs/cgroup")  # where a container finds its own limits
LINUX = Path("/proc/meminfo")


def free_memory(meminfo: Path = LINUX, group: Path = GROUP) -> int | None:
    """Return the bytes that a program can still allocate, on the machine or in its container; None if unknown.

    Linux can give up its cache of files, so that this counts as free. On other systems all installed memory counts.
    """
    limits = [limit for limit in (_available(meminfo), _memory_left(group)) if limit is not None]
    return min(limits) if limits else _installed()


def _available(meminfo: Path) -> int | None:
    """Return Linux's own estimate of the memory that is available, in bytes; None on other systems."""
    try:
        lines = dict(line.split(":", 1) for line in meminfo.read_text("ascii").splitlines())
        return int(lines["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError):
        return None


def _memory_left(group: Path) -> int | None:
    """Return the bytes that the container's limit leaves; None where there is no limit."""
    try:
        most, used = ((group / f"memory.{name}").read_text("ascii").strip() for name in ("max", "current"))
        return None if most == "max" else int(most) - int(used)
    except (OSError, ValueError):
        return None


def _installed() -> int | None:
    """Return the bytes of memory that are installed; None where the system does not say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return None
