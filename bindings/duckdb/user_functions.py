"""List the functions and macros that users made in a DuckDB instance, also those with names of built-in functions."""

from __future__ import annotations

import contextlib
from collections.abc import Hashable, Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, TypeAlias
from weakref import WeakKeyDictionary

import duckdb
from askwhere import files
from askwhere.bindings.database_files import duckdbs_log
from askwhere.bindings.duckdb import lakes
from askwhere.bindings.duckdb.addresses import LAKE
from askwhere.bindings.duckdb.extensions import load
from askwhere.bindings.duckdb.running import Connection
from askwhere.errors import DatabaseError
from askwhere.sql.identifiers import fold
from askwhere.sql.lexer import words

if TYPE_CHECKING:
    from askwhere.bindings.duckdb.reading import Deliveries

# A function's name, whether DuckDB calls it internal, a macro's text, and the types of the parameters.
Listed: TypeAlias = tuple[str, bool, str | None, str]

# The functions are named with their schema, so that no macro replaces one.
_LISTED = """
SELECT function_name, internal, macro_definition, parameter_types::VARCHAR FROM system.main.duckdb_functions()
"""
_LOADED = "SELECT extension_name FROM system.main.duckdb_extensions() WHERE loaded ORDER BY 1"


def own(connection: Connection, alone: bool = False) -> dict[str, str]:
    """Return the functions that users made, by name: a macro with its SQL, any other function with ''.

    Built-in macros that call one of them are included. DuckDB lists Python functions as internal, and as overloads of a
    built-in function of the same name. So the list is compared with that of a new instance that has loaded the same
    extensions: what the new instance lacks, a user made.

    The comparison takes 60 ms of processor time. With `alone` only askwhere has used the connection, so users can have
    made nothing but macros in the file. These are not listed as internal: if there are none, nothing is compared.
    """
    if alone and not connection.execute(f"{_LISTED} WHERE NOT internal LIMIT 1").fetchall():
        return {}
    listed: list[Listed] = connection.execute(_LISTED).fetchall()
    plain = _plain(_loaded(connection))
    made = {
        fold(name): text or "" for name, internal, text, types in listed if not internal or (name, types) not in plain
    }
    return made and made | _built_on(made, {name: text for name, internal, text, _ in listed if internal and text})


_DATABASES = "SELECT database_name, type, path FROM system.main.duckdb_databases() WHERE NOT internal"

# The names of functions that users made, by registration, with the state of its databases when they were listed.
_names: WeakKeyDictionary[Deliveries, tuple[Hashable, frozenset[str]]] = WeakKeyDictionary()


def names(connection: Connection, registration: Deliveries | None, alone: bool) -> frozenset[str]:
    """Return the names that `own` returns.

    Listing takes 30 ms of processor time, and an engine lives for one call. So the names are cached for each
    registration, until `_state` changes.
    """
    state = _state(connection, registration.untouched()) if registration is not None else None
    if registration is not None and state is not None and (cached := _names.get(registration)) and cached[0] == state:
        return cached[1]
    functions = frozenset(own(connection, alone))
    if registration is not None:
        _names[registration] = (state, functions)
    return functions


def _state(connection: Connection, untouched: bool) -> Hashable:
    """Return a value that changes when somebody makes a function; None if there is no such value.

    It is made of the sizes and times of files and the snapshots of lakes; databases of other kinds hold no functions of
    DuckDB's. With `untouched`, no user has made a function in a database, and its name is enough.
    """
    states: list[Hashable] = []
    for name, kind, path in connection.execute(_DATABASES).fetchall():
        if kind == LAKE:
            states.append((name, lakes.snapshot(connection, name)))
        elif kind != "duckdb" or untouched:
            states.append(name)
        elif path:
            states += [(name, *files.state_of(str(file))) for file in (path, duckdbs_log(path))]
        else:
            return None
    return tuple(states)


def _loaded(connection: Connection) -> tuple[str, ...]:
    """Return the names of the loaded extensions; none where DuckDB may not read files, which listing them takes.

    On a cursor of its own: an error would end the user's transaction.
    """
    with connection.cursor() as cursor, contextlib.suppress(duckdb.PermissionException):
        return tuple(name for (name,) in cursor.execute(_LOADED).fetchall())
    return ()


def _built_on(made: Mapping[str, str], built_in: Mapping[str, str]) -> dict[str, str]:
    """Return the built-in macros that call a user's function, directly or through another macro."""
    words_of = {name: words(text) - {name} for name, text in built_in.items()} if _shadows(made, built_in) else {}
    built: dict[str, str] = {}
    while more := {name for name, used in words_of.items() if not used.isdisjoint(made.keys() | built)} - built.keys():
        built |= {name: built_in[name] for name in more}
    return built


@cache
def _called(texts: tuple[str, ...]) -> frozenset[str]:
    """Return all words in the texts of macros."""
    return frozenset(word for text in texts for word in words(text))


def _shadows(made: Iterable[str], built_in: Mapping[str, str]) -> bool:
    """Return whether any built-in macro names a user's function: a quick check, as hardly any does."""
    return not _called(tuple(built_in.values())).isdisjoint(made)


@cache
def _plain(extensions: tuple[str, ...]) -> frozenset[tuple[str, str]]:
    """Return the names and parameters of functions in a new instance that has loaded these extensions, if it can."""
    with duckdb.connect(":memory:", config={"autoinstall_known_extensions": "false"}) as plain:
        for name in extensions:
            with contextlib.suppress(duckdb.Error, DatabaseError):
                load(plain, name)
        return frozenset((name, types) for name, _, _, types in plain.execute(_LISTED).fetchall())
