"""Attach databases to a connection that askwhere opened, and detach servers while they cannot be reached.

While one attached server does not answer, DuckDB cannot list any table. So each server is tried before a question is
answered: it is detached if it does not answer, and attached again once it does. A server may accept a connection and
then send nothing, for which DuckDB waits without end. So each is tried in a thread, for a limited time.
"""

from __future__ import annotations

import contextlib
import logging
import math
import re
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from queue import SimpleQueue

import duckdb
from askwhere.bindings import database_files, engine_errors
from askwhere.bindings.duckdb import addresses, attached
from askwhere.bindings.duckdb.addresses import Attachment
from askwhere.bindings.duckdb.extensions import load, packaged
from askwhere.bindings.duckdb.running import Connection
from askwhere.bindings.duckdb.storage import OWN_DATABASE
from askwhere.bindings.source import Source
from askwhere.errors import ArgumentError, DatabaseError
from askwhere.models.threads import received
from askwhere.sql.identifiers import fold, quote

RETRY_SECONDS = 30.0  # between two attempts to reach a server that is left out
# How long a server that says nothing is waited for: at first, and by a question once the server has been left out.
ANSWER_SECONDS, LEFT_OUT_SECONDS = 15.0, 1.0
MOST_BYTES = 1_000_000  # of the file of --init
WAIT_SECONDS = 600.0  # while a thread waits for a server, no other thread tries it for so long

_SECRET = re.compile(r"\s*CREATE\s+(OR\s+REPLACE\s+)?((TEMPORARY|PERSISTENT)\s+)?SECRET\b", re.IGNORECASE)

_TEXT = re.compile(r"'((?:[^']|'')*)'|\$(\w*)\$(.*?)\$\2\$", re.DOTALL)

# How DuckDB quotes the part of a text that it cannot parse.
_NEAR = re.compile(r' (at or )?near "(?!\W{1,2}"\s*$)(.|\n)*"\s*$')

_REFUSED = "it refuses to answer"

log = logging.getLogger("askwhere")


class Attachments:
    """The sources attached to one DuckDB instance, and the servers left out because they did not answer, with the time.

    `secrets` are the statements that made the secrets: DuckDB does not give them back to a process that needs them.
    """

    def __init__(self, attachments: Iterable[Attachment] = (), init: str = "", needed: Iterable[str] = ()) -> None:
        self._attachments = tuple(attachments)
        self._needed = frozenset(needed)
        self._init = init
        self._left_out: dict[str, float] = {}  # by name: when it was tried last
        self._waiting: dict[str, float] = {}  # by name: since when a thread waits for it
        self._lock = threading.Lock()
        self.secrets: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self._attachments or self._init or self._needed)

    def attach(self, connection: Connection) -> None:
        """Run the file of --init, and attach everything. Raise `DatabaseError`; a server may be left out instead."""
        for extension in sorted(self.extensions()):
            load(connection, extension)
        secrets, running = [], ""
        try:
            for statement in connection.extract_statements(self._init):
                running = statement.query if _SECRET.match(statement.query) else ""
                connection.execute(statement)
                secrets += [running] if running else []
        except duckdb.Error as exc:
            raise DatabaseError(f"--init: {_without_quoted_sql(engine_errors.hidden(str(exc)), running)}") from None
        for attachment in self._attachments:
            secrets += [s for s in attachment.statements(None) if _SECRET.match(s)]
            if attachment.is_server:
                self._try(connection, attachment)
                continue
            database_files.refuse_pipes(attachment.address)
            if why := _attached(connection, attachment):
                raise DatabaseError(f"{attachment.name}: {attachment.address} could not be attached: {why}")
        self.secrets = tuple(secrets)

    def renew(self, connection: Connection) -> None:
        """Detach servers that do not answer, and attach those again that were left out and now do."""
        servers = [attachment for attachment in self._attachments if attachment.is_server]
        if not servers:
            return
        with self._lock, connection.cursor() as cursor:
            present = {source.name: source for source in attached.sources(cursor)}
            for attachment in servers:
                if attachment.name in present:
                    self._check(cursor, attachment, present[attachment.name])
                elif time.monotonic() - self._left_out.get(attachment.name, time.monotonic()) > RETRY_SECONDS:
                    self._try(cursor, attachment)

    def _check(self, cursor: Connection, attachment: Attachment, source: attached.Attached) -> None:
        """Detach a server that does not answer, and attach it again if it can be: it may have been started again."""
        why = self._in_time(cursor, attachment, lambda own: "" if source.answers(own) else _REFUSED)
        if why:
            with contextlib.suppress(duckdb.Error):
                cursor.execute(f"DETACH {quote(attachment.name)}")
        if why == _REFUSED:
            self._try(cursor, attachment)
        else:
            self._note(attachment, why)

    def _try(self, cursor: Connection, attachment: Attachment) -> None:
        """Attach a server, if it can be reached."""
        self._note(attachment, self._in_time(cursor, attachment, lambda own: _attached(own, attachment)))

    def _note(self, attachment: Attachment, why: str) -> None:
        """Note whether a server is left out, for the reason `why` or '', and log it if that has changed."""
        if why and attachment.name not in self._left_out:
            log.warning("%s is left out, as it cannot be reached: %s", attachment.name, why)
        elif not why and attachment.name in self._left_out:
            log.warning("%s can be reached again", attachment.name)
        self._left_out.pop(attachment.name, None)
        if why:
            self._left_out[attachment.name] = time.monotonic()

    def _in_time(self, connection: Connection, attachment: Attachment, work: Callable[[Connection], str]) -> str:
        """Return the result of `work`, an error text or ''; where it takes too long, an error text that says so.

        `work` runs in a thread, with a cursor of its own. While a thread waits for a server, no other thread tries it,
        for `WAIT_SECONDS`.
        """
        seconds = LEFT_OUT_SECONDS if attachment.name in self._left_out else ANSWER_SECONDS
        silent, now = f"no answer within {seconds:g} seconds", time.monotonic()
        if now - self._waiting.get(attachment.name, -math.inf) < WAIT_SECONDS:
            return silent
        # A connection that is closed waits for its own cursors, but not for theirs.
        own, done = connection.cursor().cursor(), SimpleQueue[str | BaseException]()

        def working() -> None:
            try:
                with own:
                    result = work(own)
                self._waiting.pop(attachment.name, None)
                done.put(result)
            except BaseException as exc:
                self._waiting.pop(attachment.name, None)
                done.put(exc)

        self._waiting[attachment.name] = now
        threading.Thread(target=working, daemon=True).start()
        with contextlib.suppress(TimeoutError):
            answer = received(done, seconds)
            if isinstance(answer, BaseException):
                raise answer
            return answer
        return silent

    def extensions(self) -> set[str]:
        """Return the DuckDB extensions to load: for the source and what is attached, and for what --init names."""
        named = {word.lower() for word in re.findall(r"\w+", self._init)}
        extensions = {extension for word, extension in addresses.WORDS.items() if word in named}
        if addresses.REMOTE.search(self._init) and packaged("httpfs"):
            extensions.add("httpfs")  # without it DuckDB says at the statement what is missing
        return extensions.union(self._needed, *(attachment.extensions for attachment in self._attachments))


def _attached(connection: Connection, attachment: Attachment) -> str:
    """Attach a database; return why that was not possible, '' where it was."""
    try:
        for statement in attachment.statements(_secret(connection, attachment)):
            connection.execute(statement)
    except duckdb.Error as exc:
        return engine_errors.unattached(exc)
    return unlisted(connection) if attachment.kind == "sqlite" else ""


def unlisted(connection: Connection) -> str:
    """Return why DuckDB cannot list the tables of an attached SQLite file, and what to do; '' where it can.

    A virtual table whose module it lacks, such as a stored answer, keeps it from listing any table.
    """
    try:
        connection.execute("SELECT count(*) FROM system.main.duckdb_tables()")
    except duckdb.Error as exc:
        return engine_errors.unlisted(exc)  # '' where it is about another database, which is tried by itself
    return ""


def attachments_of(source: Source) -> Attachments:
    """Return the attachments of a source, which are made after the statements of its file `init` have run.

    Raise `ArgumentError` for a wrong address, `DatabaseError` for a file that cannot be read.
    """
    text = _statements(Path(source.init)) if source.init is not None else ""
    attached = [addresses.parse(name, address) for name, address in source.attach.items()]
    if any(fold(attachment.name) == OWN_DATABASE for attachment in attached):
        raise ArgumentError(f"attach: expected another name than {OWN_DATABASE}, which holds askwhere's own tables")
    return Attachments(attached, text, source.extensions)


def _statements(init: Path) -> str:
    """Return the text of the file or pipe that --init names. Raise `DatabaseError`."""
    try:
        with init.open("rb") as file:
            content = file.read(MOST_BYTES + 1)  # a device such as /dev/zero has no end
        text = content.decode("utf-8")
    except (OSError, UnicodeError) as exc:
        raise DatabaseError(f"--init: {init} cannot be read: {exc}") from exc
    if len(content) > MOST_BYTES:
        raise DatabaseError(f"--init: {init} has more than {MOST_BYTES:,} bytes; expected a few statements")
    return text


def _without_quoted_sql(error: str, secret: str) -> str:
    """Return an error of DuckDB's with its line number, without the SQL that it quotes: that may hold a password.

    `secret` is the statement that failed, if it is a CREATE SECRET: its literals are removed too.
    """
    message, repeats, line = error.partition("\n\nLINE ")
    for text in _TEXT.finditer(secret):
        content = re.escape((text[1] or text[3] or "").replace("''", "'"))
        message = re.sub(rf"""(['"]){content}\1""", engine_errors.HIDDEN, message, flags=re.IGNORECASE)
    message = _NEAR.sub("", message).replace("\n", " ")
    return f"{message}, in line {line.partition(':')[0]}" if repeats else message


def _secret(connection: Connection, attachment: Attachment) -> str | None:
    """Return the user's secret for a database: the secret of its kind with the same name."""
    lower = "system.main.lower"
    names = f"SELECT name FROM system.main.duckdb_secrets() WHERE {lower}(name) = {lower}(?) AND type = ?"
    rows = connection.execute(names, [attachment.name, attachment.kind]).fetchall()
    return str(rows[0][0]) if rows else None
