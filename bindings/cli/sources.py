"""Parse the arguments that name a command's database or data files, and how to open them."""

from __future__ import annotations

import argparse
import os
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from askwhere import settings
from askwhere.bindings import database_files, engine_errors
from askwhere.bindings.source import Source
from askwhere.bindings.tabular import file_tables, formats
from askwhere.errors import ArgumentError

HELP = "a SQLite or DuckDB file, or data: Parquet, CSV and JSON files, folders, globs, s3:// and https:// addresses"


def add(
    command: argparse.ArgumentParser, words: str = "", words_help: str = "", least: int = 1, help_: str = HELP
) -> None:
    """Add the arguments that name a database or data files.

    `words` names the argument that follows, of at least `least` words, with the help `words_help`; '' for none.
    """
    if words:
        command.add_argument("database", metavar="DB", help=help_)
        command.add_argument(words, nargs="+" if least else "*", default=[], help=words_help)
    else:
        command.add_argument("database", metavar="DB", nargs="+", help=help_)
    command.add_argument(
        "--attach",
        action="append",
        default=[],
        metavar="NAME=ADDRESS",
        help="also ask another database: postgres:host=… dbname=…, mysql:host=… database=…, ducklake:CATALOG, or a"
        " file; may be repeated",
    )
    command.add_argument("--init", metavar="FILE", help="a file of SQL for DuckDB to run first, such as secrets")
    command.add_argument(
        "--keep",
        metavar="FILE",
        help="with data files or --attach: a DuckDB file, or ducklake:CATALOG, for index, pins, keys and comments",
    )
    command.set_defaults(words=words, least=least, wrong=command.error)


def read_source(parsed: argparse.Namespace) -> None:
    """Replace `parsed.database` by the `Source` that the arguments name.

    Leading words after the first path that name data files become part of the source; the other words are kept.
    """
    if not parsed.words:
        parsed.database = _source(parsed, parsed.database)
        return
    rest = list(getattr(parsed, parsed.words))
    if (
        rest
        and os.path.isfile(rest[-1])  # methods of `Path` raise for a name that is too long
        and any(map(str.isspace, parsed.database))
        and not os.path.exists(parsed.database)
    ):
        last, asked = shlex.join(rest[-1:]), shlex.join([parsed.database, *rest[:-1]])
        parsed.wrong(f"the database comes first: {last} {asked}")
    paths = [parsed.database, *_data_paths(rest)] if parsed.database != ":memory:" else [parsed.database]
    if sum(bool(word.strip()) for word in rest) < parsed.least:
        parsed.wrong(f"the following arguments are required: {parsed.words}")
    parsed.database = _source(parsed, paths)
    setattr(parsed, parsed.words, rest)


def check_kept(source: Source) -> Source:
    """Return the source. Raise `ArgumentError` if neither it nor a file of `--keep` can hold askwhere's tables."""
    if source.keep is None and not source.keeps:
        raise ArgumentError(
            f"{source} cannot store this: add --keep FILE, a DuckDB file, which is made if there is none"
        )
    return source


def to_ask(source: Source, chosen: Mapping[str, Any]) -> Source:
    """Return the source that a command opens to ask with the settings `chosen`: under isolation a read-only one.

    Another process then runs the queries, and it could not open a DuckDB file that this one has open for writing.
    """
    return replace(source, read_only=source.read_only or settings.load(chosen)["isolation"] == "process")


def _source(parsed: argparse.Namespace, paths: Sequence[str]) -> Source:
    """Return the source that the arguments name. Raise `ArgumentError` for a wrong --attach."""
    for path in paths:
        if formats.is_remote(path) and engine_errors.hidden(plain := unquote(path)) != plain:
            raise ArgumentError(
                f"{engine_errors.hidden(plain)}: other users of this machine see a password or a signature on the"
                " command line; put CREATE VIEW … AS FROM '…' into a file for --init, and ask :memory:"
            )
    attach = dict(map(_pair, parsed.attach))
    if len(attach) < len(parsed.attach):
        raise ArgumentError("--attach: two databases have the same name")
    read_only = vars(parsed).get("read_only", False)  # not every command has the option
    return Source(tuple(paths), read_only, parsed.keep, attach, parsed.init)


def _pair(text: str) -> tuple[str, str]:
    """Return name and address of `NAME=ADDRESS`. Raise `ArgumentError`, also for a password, which others see."""
    name, equals, address = text.partition("=")
    if not equals or not name.isidentifier():
        shown = re.split(r"[^\w.-]", text, maxsplit=1)[0]  # what follows may hold a password
        raise ArgumentError(
            "--attach: expected NAME=ADDRESS, such as crm=postgres:host=db.example.com dbname=crm, or old=FILE; found"
            f" {shown}…"
        )
    if engine_errors.hidden(plain := unquote(address)) != plain:
        raise ArgumentError(
            f"--attach {name}: other users of this machine see a password on the command line; put it into the"
            f" environment (PGPASSWORD, MYSQL_PWD), or into a secret named {name} in a file for --init"
        )
    return name, address


def _data_paths(words: list[str]) -> list[str]:
    """Remove leading words that name data files, and return them. Raise `DatabaseError` for a missing data file.

    A folder's name alone, `data`, may be a word of a question: it is a path only before a question in quotes.
    """
    taken = []
    quoted = bool(words) and any(map(str.isspace, words[-1]))
    while words and (_is_path(words[0]) or (quoted and len(words) > 1 and os.path.isdir(words[0]))):
        if not file_tables.is_data(words[0]):
            if formats.format_of(Path(words[0])) is None:
                break
            raise database_files.missing(words[0])
        taken.append(words.pop(0))
    return taken


def _is_path(word: str) -> bool:
    """Return whether a word is written as a path, and not as a word of a question, which a folder may be named like."""
    return not any(map(str.isspace, word)) and any(sign in word for sign in "./\\*")


def one(words: Sequence[str], expected: str) -> str:
    """Return the only word of a command that takes one. Raise `ArgumentError`."""
    if len(words) != 1:
        raise ArgumentError(f"expected {expected}, found {len(words)} arguments: {shlex.join(words)}; put it in quotes")
    return words[0]
