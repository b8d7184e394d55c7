"""How many modules and calls of askwhere's own one question takes, on a new SQLite connection and when repeated.

    python tests/benchmarks/footprint.py DATABASE ["top 3 countries by number of customers"] [--most 25]

The database is copied to memory. Calls are of functions defined in askwhere, counted by `sys.setprofile`; modules are
those that have one. Both are given by package, for the first time, for the first time of another question in the same
process, and for the repeated question. `--most` also prints the functions that are called most the first time.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import apsw
import askwhere

Function = tuple[str, str]


def counted(work: Callable[[], object]) -> Counter[Function]:
    """Count the calls of our functions by module and name while `work` runs."""
    found: Counter[Function] = Counter()

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            module = frame.f_globals.get("__name__") or ""
            if module.startswith("askwhere.") and frame.f_code.co_name != "<module>":
                found[module, frame.f_code.co_qualname] += 1

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return found


def opened(path: Path) -> apsw.Connection:
    """Return a registered connection to a copy in memory."""
    connection = apsw.Connection(":memory:")
    source = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    with connection.backup("main", source, "main") as backup:
        backup.step()
    askwhere.register(connection)
    return connection


def package(module: str) -> str:
    """Return the package of a module, or the module itself where it stands beside packages."""
    parts = module.split(".")[1:]
    return ".".join(parts[:2]) if parts[0] == "bindings" else parts[0]


def show(title: str, found: Counter[Function]) -> None:
    """Print modules and calls, in all and by package."""
    packages: Counter[str] = Counter()
    modules: dict[str, set[str]] = {}
    for (module, _), calls in found.items():
        packages[package(module)] += calls
        modules.setdefault(package(module), set()).add(module)
    print(f"\n{title}: {sum(map(len, modules.values()))} modules, {found.total():,} calls")
    for name, calls in packages.most_common():
        print(f"  {name:24}{len(modules[name]):4}{calls:10,}")


def main() -> None:
    """Print the three counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("database", type=Path)
    parser.add_argument("question", nargs="?", default="top 3 countries by number of customers")
    parser.add_argument("--most", type=int, default=0)
    given = parser.parse_args()
    connection = opened(given.database)

    def ask(question: str = given.question) -> None:
        connection.execute("SELECT * FROM ask(?)", (question,)).fetchall()

    first = counted(ask)
    show("first", first)
    for (module, name), calls in first.most_common(given.most):
        print(f"    {calls:7,}  {module.removeprefix('askwhere.')}: {name}")
    show("another question", counted(lambda: ask("how many invoices are there")))
    show("repeated", counted(ask))


if __name__ == "__main__":
    main()
