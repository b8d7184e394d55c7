"""Read objects of buckets, and files of web servers, in DuckDB: the credentials of the environment, and errors."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

import duckdb
from askwhere.bindings.duckdb.running import Connection
from askwhere.bindings.engine_errors import HIDDEN, hidden
from askwhere.bindings.tabular.formats import is_on_web
from askwhere.errors import DatabaseError
from askwhere.sql.literals import quoted

EXTENSION = "httpfs"
# Settings that this extension fills from the environment, and that whoever may run SQL can read.
_SETTINGS = ("s3_access_key_id", "s3_secret_access_key", "s3_session_token")
_REGION = {"REGION": ("AWS_REGION", "AWS_DEFAULT_REGION")}
_KEYS = {
    "KEY_ID": ("AWS_ACCESS_KEY_ID",),
    "SECRET": ("AWS_SECRET_ACCESS_KEY",),
    "SESSION_TOKEN": ("AWS_SESSION_TOKEN",),
}
_ENDPOINT = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")
_UNCONNECTED = re.compile(r"(?i)could not (?:connect|establish)[^']*'(\w+://[^/']*)")
_WEB_ADVICE = f"where it wants a token, put CREATE SECRET (TYPE http, BEARER_TOKEN '{HIDDEN}') into a file for --init"
_ENDPOINT_ADVICE = "set AWS_ENDPOINT_URL, for a server that is not Amazon's, or ENDPOINT in a secret"
_BUCKET_ADVICE = (
    "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and AWS_ENDPOINT_URL for a server that is not Amazon's, or put"
    f" CREATE SECRET (TYPE s3, KEY_ID '{HIDDEN}', SECRET '{HIDDEN}', REGION '{HIDDEN}') into a file for --init"
)


def keep_credentials(connection: Connection) -> None:
    """Move credentials of the environment, which the extension has just read, to a secret, which nobody can read."""
    for setting in _SETTINGS:
        connection.execute(f"RESET GLOBAL {setting}")
    if statement := secret(os.environ):
        connection.execute(statement)


def secret(environment: Mapping[str, str]) -> str:
    """Return the statement that creates a secret from the AWS_* variables; '' if they hold no credentials.

    Its scope is the shortest possible, so that any secret of the user's is preferred.
    """
    keys = _KEYS if environment.get("AWS_ACCESS_KEY_ID") else {}
    endpoint = _first(environment, _ENDPOINT)
    if not keys and not endpoint:
        return ""
    options = {option: _first(environment, names) for option, names in (_REGION | keys).items()}
    shown = [f"{option} {quoted(value)}" for option, value in options.items() if value]
    if endpoint:
        scheme, _, host = endpoint.rpartition("://")
        shown += [f"ENDPOINT {quoted(host.rstrip('/'))}", f"USE_SSL {scheme != 'http'}", "URL_STYLE 'path'"]
    return f"CREATE OR REPLACE TEMPORARY SECRET askwhere_environment (TYPE s3, SCOPE 's3', {', '.join(shown)})"


def _first(environment: Mapping[str, str], names: tuple[str, ...]) -> str:
    return next((environment[name] for name in names if environment.get(name)), "")


def matching(connection: Connection, pattern: str, most: int) -> list[str]:
    """Return the addresses in a bucket that a pattern matches, sorted, at most `most`. Raise `DatabaseError`."""
    try:
        files = connection.execute("SELECT file FROM glob(?) ORDER BY file LIMIT ?", [pattern, most]).fetchall()
    except duckdb.Error as exc:
        error = DatabaseError(f"{hidden(pattern)} cannot be read: {hidden(str(exc))}")
        raise unreachable(exc, pattern) or error from exc
    return [file for (file,) in files]


def unreachable(exc: duckdb.Error, name: str) -> DatabaseError | None:
    """Return our error for DuckDB's about what a server said of a file or bucket; None for any other error."""
    web, text = is_on_web(name), str(exc)
    status = exc.status_code if isinstance(exc, duckdb.HTTPException) else None
    if match := _UNCONNECTED.search(text):
        why = f"no connection to {match[1]}; {'see the address' if web else _ENDPOINT_ADVICE}"
    elif status is None:
        return None
    elif status == 404:
        why = f"there is no such {'file' if web else 'bucket' if 'NoSuchBucket' in text else 'object or bucket'}"
    elif status in (401, 403) or (web and status in (0, 400)):  # DuckDB reports most refusals of a web server as 0
        why = f"the server refuses it; {_WEB_ADVICE if web else _BUCKET_ADVICE}"
    elif status in (301, 307, 400):
        why = f"the server sends it elsewhere (HTTP {status}); set AWS_REGION to the region of the bucket"
    else:
        why = f"the server failed (HTTP {status}); try again later"
    return DatabaseError(f"{hidden(name)} cannot be read: {why}")
