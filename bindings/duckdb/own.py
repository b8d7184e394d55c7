"""The functions and macros of a DuckDB instance that somebody made, also where they are named like built-in ones."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from functools import cache
from typing import TypeAlias

import duckdb
from askwhere.bindings.duckdb.running import Connection
from askwhere.guard.scan import fold, words

# Name, whether DuckDB calls it its own, the text of a macro, the types of the arguments.
Listed: TypeAlias = tuple[str, bool, str | None, str]

# Without calls that a macro could take the place of.
_LISTED = """
SELECT function_name, internal, macro_definition, parameter_types::VARCHAR FROM system.main.duckdb_functions()
"""
_LOADED = "SELECT extension_name FROM system.main.duckdb_extensions() WHERE loaded ORDER BY 1"


def own(connection: Connection) -> dict[str, str]:
    """The functions that somebody made, by name; of a macro its SQL, `''` of one that runs other code.

    DuckDB takes a Python function for its own, and where it has one of that name adds it to that: they are known by
    arguments that no other instance with the same extensions has. A built-in macro that calls one of them is among
    them too.
    """
    listed: list[Listed] = connection.execute(_LISTED).fetchall()
    plain = _plain(_loaded(connection))
    made = {
        fold(name): text or "" for name, internal, text, types in listed if not internal or (name, types) not in plain
    }
    return made | _standing_on(made, {name: text for name, internal, text, _ in listed if internal and text})


def _loaded(connection: Connection) -> tuple[str, ...]:
    """The names of the loaded extensions; none where the instance may not look at files, which listing them takes.

    On a cursor of its own: an error would end the transaction.
    """
    with connection.cursor() as apart, contextlib.suppress(duckdb.PermissionException):
        return tuple(name for (name,) in apart.execute(_LOADED).fetchall())
    return ()


def _standing_on(made: Mapping[str, str], built_in: Mapping[str, str]) -> dict[str, str]:
    """The built-in macros that call what somebody made, themselves or by another."""
    spoken = {name: words(text) - {name} for name, text in built_in.items()} if _shadows(made, built_in) else {}
    found: dict[str, str] = {}
    while more := {name for name, said in spoken.items() if not said.isdisjoint(made.keys() | found)} - found.keys():
        found |= {name: built_in[name] for name in more}
    return found


@cache
def _called(texts: tuple[str, ...]) -> frozenset[str]:
    return frozenset(word for text in texts for word in words(text))


def _shadows(made: Iterable[str], built_in: Mapping[str, str]) -> bool:
    """Whether any macro speaks of a name at all: nearly always none does, and then none is looked at alone."""
    return not _called(tuple(built_in.values())).isdisjoint(made)


@cache
def _plain(extensions: tuple[str, ...]) -> frozenset[tuple[str, str]]:
    """Names and arguments in an instance that has loaded these extensions, as far as they can be loaded."""
    with duckdb.connect(":memory:", config={"autoinstall_known_extensions": "false"}) as plain:
        for name in extensions:
            with contextlib.suppress(duckdb.Error):
                plain.load_extension(name)
        return frozenset((name, types) for name, _, _, types in plain.execute(_LISTED).fetchall())
