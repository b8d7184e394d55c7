"""Read what `--attach NAME=ADDRESS` names: a file, or a server's database; and how DuckDB attaches it.

A password never stays in the address, which DuckDB shows in its list of databases and in errors: it goes into a secret.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import field
from pathlib import Path
from typing import TypeAlias
from urllib.parse import parse_qsl, unquote, urlsplit

from askwhere.bindings import database_files, engine_errors
from askwhere.errors import ArgumentError, DatabaseError
from askwhere.frozen import frozen
from askwhere.sql.identifiers import quote
from askwhere.sql.literals import quoted

# Until a PostgreSQL server that does not answer is left out; MariaDB's client has no such option.
CONNECT_SECONDS = 10

# A name and a value of a connection string; the value may be in quotes, with backslashes in it.
_PAIR = re.compile(r"""\s*(\w+)\s*=\s*('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^\s'"]\S*|)(?=\s|$)""")
_PLAIN = re.compile(r"[^\s'\"\\]+")
_PASSWORDS = ("password", "passwd")

Pairs: TypeAlias = dict[str, str]


@frozen
class Server:
    """A kind of server: its names in an address, DuckDB's extension for it, and how it writes connection strings."""

    kind: str
    names: tuple[str, ...]
    extension: str
    database: str  # the key of a database's name
    quote: str
    variables: str  # the prefix of the environment variables that its client reads


LAKE = "ducklake"  # DuckDB's kind of a database of Parquet files, with a catalog in another database
SERVERS = (
    Server("postgres", ("postgres", "postgresql"), "postgres_scanner", "dbname", "'", "PG"),
    Server("mysql", ("mysql", "mariadb"), "mysql_scanner", "database", '"', "MYSQL_"),
)
EXTENSIONS = {"sqlite": "sqlite_scanner", LAKE: "ducklake"} | {server.kind: server.extension for server in SERVERS}
# Words of SQL that need an extension: the kinds above, and what reads other formats.
WORDS = EXTENSIONS | {"delta_scan": "delta", "iceberg_scan": "iceberg"}
REMOTE = re.compile(r"(?i)\btype\s+'?(?:s3|gcs|r2|http)\b|\b(?:s3|gcs|gs|r2|https?)://")


@frozen
class Attachment:
    """A database to attach by a name: its kind as DuckDB has it, and its file or its connection string."""

    name: str
    kind: str
    address: str
    password: str = field(default="", repr=False)

    @property
    def is_server(self) -> bool:
        """Return whether it is on a server, which may be out of reach for a while."""
        return any(server.kind == self.kind for server in SERVERS)

    @property
    def extensions(self) -> set[str]:
        """Return the names of the DuckDB extensions that it needs."""
        return extensions(self.kind, self.address)

    def statements(self, secret: str | None) -> Iterator[str]:
        """Yield the SQL that attaches the source for reading only; `secret` names the user's secret for it, if any."""
        if self.password:
            secret = f"askwhere_{self.name}"
            options = f"TYPE {self.kind}, PASSWORD {quoted(self.password)}"
            yield f"CREATE OR REPLACE TEMPORARY SECRET {quote(secret)} ({options})"
        yield attaching(self.name, self.kind, self.address, secret)


def attaching(name: str, kind: str, address: str, secret: str | None = None, read_only: bool = True) -> str:
    """Return the SQL that attaches a database."""
    options = ["READ_ONLY" if read_only else "READ_WRITE", *([f"TYPE {kind}"] if kind != "duckdb" else [])]
    options += [f"SECRET {quote(secret)}"] if secret else []
    return f"ATTACH {quoted(address)} AS {quote(name)} ({', '.join(options)})"


def extensions(kind: str, address: str) -> set[str]:
    """Return the DuckDB extensions that a database needs: one for its kind, and one for a lake's catalog."""
    kinds = {kind, address.partition(":")[0]} if kind == LAKE else {kind}
    return {EXTENSIONS[kind] for kind in kinds & EXTENSIONS.keys()}


def variables(kind: str, address: str) -> set[str]:
    """Return the prefixes of the environment variables that a database's client reads: none for a file."""
    needed = extensions(kind, address)
    return {server.variables for server in SERVERS if server.extension in needed}


def is_lake(address: str) -> bool:
    """Return whether an address is that of a lake."""
    return address.lower().startswith(f"{LAKE}:")


def in_file(lake: Attachment) -> bool:
    """Return whether a lake's catalog is in a file, which only one connection can write at a time."""
    return not any(lake.address.startswith(f"{server.kind}:") for server in SERVERS)


# Names that no database can be attached by.
OF_DUCKDB = ("system", "temp", "memory", "main")


def parse(name: str, address: str) -> Attachment:
    """Return the attachment of a name and an address.

    Raise `ArgumentError` for an address of another form, and `DatabaseError` for a file that is no database.
    """
    if not name or name.lower() in OF_DUCKDB:
        raise ArgumentError(f"attach: expected a name for the database, which DuckDB does not use, found {name!r}")
    scheme, colon, rest = address.partition(":")
    if is_lake(address):
        return Attachment(name, LAKE, _lake_address(name, rest))
    for server in SERVERS:
        if colon and scheme.lower() in server.names:
            pairs = _uri_pairs(name, address, server) if rest.startswith("//") else _text_pairs(name, rest, server)
            return _on_server(server, name, pairs)
    if scheme.lower() == "quack":
        raise ArgumentError(
            f"attach {name}: a database that another DuckDB serves cannot be attached, as DuckDB does not list its"
            " tables; ask there, where `askwhere serve` has its functions for all clients"
        )
    path = Path(rest if colon and scheme in ("sqlite", "duckdb") else address)
    if fault := database_files.unopenable(path):
        raise DatabaseError(f"attach {name}: {str(path)!a} cannot be read: {fault}")
    return Attachment(name, database_files.kind_of_file(path), database_files.for_duckdb(path))


def _lake_address(name: str, address: str) -> str:
    """Return the address of a lake's catalog. Raise `ArgumentError` for a password, which DuckDB would show."""
    if engine_errors.hidden(address) != address:
        raise ArgumentError(
            f"attach {name}: the address of a lake cannot hold a password; set PGPASSWORD or MYSQL_PWD, or use what the"
            " client library reads by itself (~/.pgpass)"
        )
    kind, _, file = address.partition(":")
    if kind == "sqlite":  # another process may have another working directory
        return f"sqlite:{Path(file).absolute()}"
    return address if kind in EXTENSIONS or "://" in address else str(Path(address).absolute())


def _on_server(server: Server, name: str, pairs: Mapping[str, str]) -> Attachment:
    """Return the attachment of a server's database."""
    password = next((pairs[key] for key in _PASSWORDS if key in pairs), "")
    kept = {key: value for key, value in pairs.items() if key not in _PASSWORDS}
    for key in filter(engine_errors.is_secret, kept):
        raise ArgumentError(
            f"attach {name}: DuckDB would show {key} in its list of databases; leave it to a file of the client's, as"
            " PostgreSQL's file of services, whose name is given as postgres:service=…"
        )
    if server.kind == "postgres" and "PGCONNECT_TIMEOUT" not in os.environ:
        kept.setdefault("connect_timeout", str(CONNECT_SECONDS))
    return Attachment(name, server.kind, " ".join(f"{k}={_value(v, server.quote)}" for k, v in kept.items()), password)


def _uri_pairs(name: str, address: str, server: Server) -> Pairs:
    """Return the parts of an address such as `postgres://ann:secret@db.example.com:5432/crm?sslmode=require`."""
    try:
        url = urlsplit(address)
        parts = {
            "host": url.hostname,
            "port": str(url.port or ""),
            "user": unquote(url.username or ""),
            "password": unquote(url.password or ""),
            server.database: unquote(url.path.strip("/")),
        }
    except ValueError:
        raise _wrong_address(name, server) from None
    options = {key.lower(): value for key, value in parse_qsl(url.query)}
    return {key: value for key, value in parts.items() if value} | options


def _text_pairs(name: str, text: str, server: Server) -> Pairs:
    """Return the pairs of a connection string. Raise `ArgumentError`, which shows none of it."""
    pairs, place = {}, 0
    while place < len(text.rstrip()):
        pair = _PAIR.match(text, place)
        if pair is None:
            raise _wrong_address(name, server)
        value = pair[2]
        pairs[pair[1].lower()] = re.sub(r"\\(.)", r"\1", value[1:-1]) if value[:1] in ("'", '"') else value
        place = pair.end()
    return pairs


def _wrong_address(name: str, server: Server) -> ArgumentError:
    return ArgumentError(
        f"attach {name}: expected {server.kind}:host=… user=… {server.database}=…, or"
        f" {server.kind}://USER@HOST:PORT/DATABASE"
    )


def _value(text: str, mark: str) -> str:
    """Return a value as a connection string has it."""
    if _PLAIN.fullmatch(text):
        return text
    escaped = re.sub(r"([\\" + mark + "])", r"\\\1", text)
    return f"{mark}{escaped}{mark}"
