"""`askwhere serve`: a database with `ask` for every DuckDB client, over Quack, DuckDB's own protocol.

Questions are answered in this process. Each client's connection has a session of its own, so that no setting and no
answer of one client reaches another, and a slow question keeps only its own client waiting.
"""

from __future__ import annotations

import contextlib
import itertools
import logging
import os
import secrets
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn, TextIO

import askwhere
import duckdb
from askwhere.bindings import database_files
from askwhere.bindings.advice import for_client
from askwhere.bindings.cli.show import safe_for
from askwhere.bindings.duckdb import attached, attaching, extensions
from askwhere.bindings.duckdb import functions as duckdb_functions
from askwhere.bindings.duckdb import opened as duckdb_opened
from askwhere.bindings.duckdb.access import forbid_files
from askwhere.bindings.duckdb.attaching import Attachments
from askwhere.bindings.duckdb.engine import DuckDBEngine
from askwhere.bindings.duckdb.running import Connection
from askwhere.bindings.duckdb.unreadable import not_allowed
from askwhere.bindings.serve import clients as serve_clients
from askwhere.bindings.serve import watch as serve_watch
from askwhere.bindings.serve.address import Address, refuse_used
from askwhere.bindings.serve.sessions import Sessions
from askwhere.bindings.serve.slow import SlowConnections
from askwhere.bindings.source import Source
from askwhere.bindings.tabular import opened as tabular
from askwhere.errors import ArgumentError, AskError, DatabaseError
from askwhere.frozen import frozen
from askwhere.session import Session
from askwhere.sql.identifiers import quote_path
from askwhere.sql.literals import literal

log = logging.getLogger("askwhere")

EXTENSIONS = ("quack", "httpfs")
SHORTEST = 16  # characters of a token: whoever has it may run any SQL on the database
ASKED = """format('FROM ask(''{}'')', replace(question, '''', ''''''))"""  # the statement for a client's question
SIGNALS = (signal.SIGINT, signal.SIGTERM)
TERMINAL = ("SIGHUP", "SIGQUIT")  # sent when the terminal closes, and by Ctrl-\; nohup ignores the first
LOOK_EVERY_SECONDS = 0.1  # between two checks of the clients' connections: a client can send a gigabyte a second
CHECK_EVERY = 10  # of these checks between two that the database can still be used
CLEAN_SECONDS = 20.0


@frozen
class Served:
    """An open database that is served.

    `attached` is the name of the file's database where it is attached to one in memory, else None. `home` is the
    database with askwhere's own tables, None for the connection's.
    """

    connection: Connection
    attached: str | None
    home: str | None
    attachments: Attachments


def serve(
    source: Source,
    address: Address,
    token: str,
    chosen: Mapping[str, Any],
    watched: Callable[[], bool],
    ready: Callable[[Served], None],
) -> NoReturn:
    """Serve a database until one of `signals` comes, or `watched` returns false; call `ready` when it is served."""
    stopped = ending()
    try:
        with serving(source, address, token, chosen) as served:
            ready(served)
            slow = SlowConnections(address.port)
            looks = itertools.count(1)
            while not stopped.wait(LOOK_EVERY_SECONDS) and watched():
                slow.close()
                if next(looks) % CHECK_EVERY == 0:
                    check_alive(served.connection)
            stopped.set()
    except duckdb.FatalException as exc:
        why = str(exc).partition("Original error: ")[2].strip(' "\n').partition("\n")[0] or exc
        end(serve_watch.BROKEN, f"ended: DuckDB has given up the database ({why}); what was committed is in the file")
    except AskError as exc:  # as the command line does it, but DuckDB 1.5 aborts a forked process that ends by itself
        end(1, safe_for(f"askwhere: {exc}", sys.stderr), sys.stderr)
    end(0, "stopped")  # a question may still wait for a model, in a thread of DuckDB that Python cannot end


def end(code: int, message: str = "", where: TextIO | None = None) -> NoReturn:
    """Print a message, if there is one, on standard output or `where`, if anyone reads it; end the process at once."""
    with contextlib.suppress(OSError):
        print(message, end="\n" if message else "", file=where, flush=True)
    os._exit(code)


def signals() -> tuple[int, ...]:
    """Return the signals that end the server: those that would end the process and are not ignored."""
    terminal = [getattr(signal, name) for name in TERMINAL if hasattr(signal, name)]
    return (*SIGNALS, *(number for number in terminal if signal.getsignal(number) != signal.SIG_IGN))


def clean(source: Source) -> None:
    """Remove the functions from a file whose server could not. Raise `DatabaseError` where they stay in it."""
    try:
        if is_served_itself(source):
            with contextlib.closing(database_files.open_file(source.paths[0], False)) as connection:
                duckdb_functions.withdraw(connection)
    except (DatabaseError, duckdb.Error) as exc:
        raise DatabaseError(
            f"the functions are still in {source} ({str(exc).splitlines()[0]}); the next askwhere serve removes them"
        ) from exc


def ending() -> threading.Event:
    """Return an event that is set after one of the signals came.

    Further signals change nothing, so that cleaning up is not interrupted. If it takes longer than `CLEAN_SECONDS`, the
    process ends.
    """
    stopped = threading.Event()
    theirs, ours = os.pipe()

    def stop(number: int, frame: object) -> None:
        # Setting the event here would take its lock, which the interrupted thread may hold.
        os.write(ours, b"\0")

    def watch() -> None:
        os.read(theirs, 1)
        stopped.set()
        time.sleep(CLEAN_SECONDS)
        too_late()

    threading.Thread(target=watch, daemon=True).start()
    for number in signals():
        signal.signal(number, stop)
    return stopped


def too_late() -> NoReturn:
    """End the process, even while it waits."""
    end(serve_watch.BROKEN, f"ended: cleaning up took more than {CLEAN_SECONDS:g} seconds")


def check_alive(connection: Connection) -> None:
    """Raise `duckdb.FatalException` where DuckDB has given up the database, and so lets no client in."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1").fetchall()
    except duckdb.FatalException:
        raise
    except duckdb.Error as exc:
        log.warning("the database could not be looked at: %s", exc)


@contextlib.contextmanager
def serving(source: Source, address: Address, token: str, chosen: Mapping[str, Any]) -> Iterator[Served]:
    """Serve the database while the block lasts. Raise `DatabaseError`."""
    refuse_used(address)
    served = open_served(source)
    connection = served.connection
    with contextlib.closing(connection):
        try:
            Session(chosen).check_names(DuckDBEngine(connection, served.home))
            clients = serve_clients.Clients(reading=not is_served_itself(source))
            sessions = Sessions(chosen)
            duckdb_functions.publish(
                connection, sessions.of, served.home, served.attachments, lambda: not clients.made, for_client
            )
            restrict(connection, clients)
            for note in closed_views(connection):
                log.warning(note)
            call = f"CALL quack_serve(?, token = ?, allow_other_hostname = {not address.local})"
            connection.execute(call, [address.shown, token])
            yield served
        except duckdb.FatalException:
            raise
        except duckdb.Error as exc:
            raise DatabaseError(f"{source} cannot be served on {address.shown}: {exc}") from exc
        finally:
            with contextlib.suppress(duckdb.Error):
                connection.execute("CALL quack_stop(?)", [address.shown])
            with contextlib.suppress(duckdb.Error):  # the next server removes what cannot be removed now
                duckdb_functions.withdraw(connection)


def restrict(connection: Connection, clients: serve_clients.Clients) -> None:
    """Restrict clients to what `serve.clients` allows, for as long as the instance lives."""
    connection.create_function(serve_clients.NAME, clients.may, ["VARCHAR", "VARCHAR"], "BOOLEAN", side_effects=True)
    forbid_files(connection)
    for setting in serve_clients.SETTINGS:
        connection.execute(f"SET GLOBAL {setting}")


def closed_views(connection: Connection) -> list[str]:
    """Return a note for each view over files that DuckDB may not open here."""
    notes = []
    listed = "SELECT database_name, schema_name, view_name FROM system.main.duckdb_views() WHERE NOT internal"
    views = f"{listed} ORDER BY ALL"
    for path in attached.read(connection, views):
        try:
            connection.execute(f"DESCRIBE FROM {quote_path(path)}")
        except duckdb.Error as exc:
            why = not_allowed(str(exc))
            notes += [f"the view {path[-1]} cannot be asked: {why}"] if why else []
    return notes


def is_served_itself(source: Source) -> bool:
    """Return whether a file is served directly, and holds our macros meanwhile, see `open_served`."""
    if source.is_data or source.in_memory or source.read_only:
        return False
    path = source.paths[0]
    return database_files.kind_of_file(Path(path)) == "duckdb" and os.access(path, os.W_OK)


def open_served(source: Source) -> Served:
    """Open a database to be served, or data files, with the extensions. Raise `DatabaseError`.

    A DuckDB file that may be written is served directly, and holds our macros meanwhile. Any other is attached
    read-only to a database in memory, which holds the macros.
    """
    attachments = attaching.attachments_of(source)
    if source.is_data:
        connection = tabular.opened(source, attachments, EXTENSIONS)
        return Served(connection, None, None, attachments)
    opened = duckdb_opened.opened(source, attachments, EXTENSIONS, apart=not is_served_itself(source))
    # A SQLite file's own pins and index are not used: they are in SQLite's SQL, with other names of tables.
    is_duckdb = not source.in_memory and database_files.kind_of_file(Path(source.paths[0])) == "duckdb"
    home = opened.attached if source.keep is None and is_duckdb else None
    return Served(opened.connection, opened.attached, home, attachments)


def find_token(file: Path | None) -> tuple[str, bool]:
    """Return the token, and whether it is new. Raise `ArgumentError` for one that is too short.

    The token is the file's, else the environment's, else a new one.
    """
    if file is not None:
        token, where = file.read_text("utf-8").strip(), str(file)
    else:
        token, where = os.environ.get("ASKWHERE_TOKEN", ""), "ASKWHERE_TOKEN"
        if not token:
            return secrets.token_hex(16), True
    if len(token) < SHORTEST or not token.isprintable():
        raise ArgumentError(
            f"{where}: a token is one line of at least {SHORTEST} characters, as `openssl rand -hex 16` gives; without"
            " one, askwhere makes it"
        )
    return token, False


def without_download() -> str:
    """Return what a client on this machine runs in place of `INSTALL quack`; without such files, where it is told."""
    files = [extensions.packaged(name) for name in reversed(EXTENSIONS)]
    if None in files:
        return "see docs/serving.md"
    return safe_for(" ".join(f"LOAD {literal(str(file))};" for file in files), sys.stdout)


def lines(source: Source, address: Address, token: str | None, attached: str | None) -> list[str]:
    """Return the lines to print at the start: the commands for a client, and notes on the file and the network."""
    here = replace(address, host=socket.gethostname()) if address.host in ("0.0.0.0", "[::]") else address
    secret = f"TYPE quack, TOKEN {literal(token or '…')}, SCOPE {literal(here.shown)}"
    plain = "" if address.local else ", disable_ssl = true"
    served = safe_for(str(source), sys.stdout)
    notes = [f"askwhere {askwhere.__version__} serves {served} on {address.shown}; Ctrl-C stops it."]
    if attached:
        notes.append(f"The file is read only; the names of its tables begin with {attached}.")
    if source.attach:
        notes.append(f"Attached, to be read only: {', '.join(source.attach)}.")
    if token is None:
        notes.append("The token is the one you gave.")
    if address.local:
        notes.append("Only programs on this machine can connect; --listen HOST lets others.")
    else:
        notes.append("This is not encrypted, and who has the token may run any SQL: see docs/serving.md for TLS.")
    if here != address:
        notes.append(f"Clients that do not know this machine as {here.host} need its address in place of that name.")
    return [
        *notes,
        f"In a client of DuckDB {duckdb.__version__}:",
        "",
        "  INSTALL quack; LOAD quack;",
        f"  -- where INSTALL cannot download from extensions.duckdb.org: {without_download()}",
        f"  CREATE SECRET askwhere ({secret});",
        f"  CREATE MACRO ask(question) AS TABLE FROM quack_query({literal(here.shown)}, {ASKED}{plain});",
        "  SELECT * FROM ask('…');",
        "",
    ]
