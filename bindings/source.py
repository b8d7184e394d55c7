"""Define `Source`: what a command or `askwhere.connect` opens, and how."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from askwhere.bindings import database_files
from askwhere.bindings.engine_errors import hidden
from askwhere.bindings.tabular import file_tables, formats
from askwhere.errors import ArgumentError
from askwhere.frozen import frozen
from askwhere.sql.duckdb import DUCKDB

IN_MEMORY = ":memory:"
KEPT = "kept.duckdb"  # the file for `--keep` in advice


@frozen
class Source:
    """A database, or data files, by path, and how to open it; `connections.connect` opens it.

    `frames` are DataFrames and Arrow tables by name; `paths` are then their names. `keep` is the file for askwhere's
    own tables, if the database cannot hold them. `attach` has the addresses of further databases by name, and `init` is
    a file of SQL that DuckDB runs before it attaches them.
    """

    paths: tuple[str, ...]
    read_only: bool = False
    keep: str | Path | None = None
    attach: Mapping[str, str] = field(default_factory=dict, repr=False)  # an address may hold a password
    init: str | Path | None = None
    frames: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.paths:
            raise ArgumentError("expected a database or data files, found an empty list")
        if not all(self.paths):  # the system would take it for the current folder
            raise ArgumentError("expected a database or data files, found an empty name; is a variable not set?")
        given = self.attach.items() if isinstance(self.attach, Mapping) else [(self.attach, None)]
        if not all(isinstance(name, str) and isinstance(address, str) for name, address in given):
            raise ArgumentError("attach: expected a mapping of names to addresses, both texts")

    @property
    def in_memory(self) -> bool:
        """Return whether this is a new database in memory."""
        return self.paths == (IN_MEMORY,)

    @property
    def is_data(self) -> bool:
        """Return whether these are data files."""
        return bool(self.frames) or (not self.in_memory and file_tables.names_data(self.paths))

    @property
    def attaches(self) -> bool:
        """Return whether DuckDB opens it, whatever its kind, as only DuckDB attaches databases and runs `init`."""
        return bool(self.attach) or self.init is not None

    @property
    def keeps(self) -> bool:
        """Return whether askwhere's own tables are in the database that is opened; else they go to the file `keep`."""
        if self.is_data:
            return False
        return not self.attaches or database_files.dialect(Path(self.paths[0])) is DUCKDB

    @property
    def name(self) -> str:
        """Return the name of the first file, and how many more there are."""
        more = len(self.paths) - 1
        return f"{formats.place(self.paths[0]).name}{f' and {more} more' if more else ''}"

    @property
    def extensions(self) -> frozenset[str]:
        """Return the extensions of DuckDB that reading the files needs."""
        return frozenset({"httpfs"} if any(map(formats.is_remote, self.paths)) else ())

    @property
    def arguments(self) -> str:
        """Return the words that name this source on the command line of a command that asks."""
        attach = [word for pair in self.attach.items() for word in ("--attach", "=".join(pair))]
        init = [] if self.init is None else ["--init", str(self.init)]
        keep = [] if self.keep is None else ["--keep", str(self.keep)]
        return hidden(shlex.join([*self.paths, *attach, *init, *keep]))

    @property
    def keeping(self) -> str:
        """Return the words for a command that writes, with a file for `--keep` where none was chosen yet."""
        return self.arguments if self.keeps or self.keep is not None else f"{self.arguments} --keep {KEPT}"

    def __str__(self) -> str:
        return hidden(", ".join(self.paths))
