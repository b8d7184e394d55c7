"""Keep replies on disk, so that no later run pays for them again."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from types import TracebackType

from askwhere import files
from askwhere.errors import DatabaseError
from askwhere.evaluation import typed_json
from askwhere.evaluation.ask import Reply

VERSION = 1


def default_path() -> Path:
    """Return the file of the cache unless one is named."""
    import platformdirs  # only where no file is named

    return files.private_folder(platformdirs.user_cache_path("askwhere")) / "evaluation.db"


class Cache:
    """Replies cached in a SQLite file, which is made if it is missing.

    Every method raises `DatabaseError` if the file cannot be used, for example because it is no cache.
    """

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        files.make(files.named(path))  # SQLite gives the WAL files beside it the same permissions
        self._path = path
        with self._using():
            self._connection = sqlite3.connect(path, timeout=60, isolation_level=None)
            # With WAL other runs can write at the same time, and a killed run loses nothing that it had written.
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = NORMAL")
            self._connection.execute(f"CREATE TABLE IF NOT EXISTS replies_{VERSION} (key TEXT PRIMARY KEY, reply TEXT)")

    def get(self, key: str) -> Reply | None:
        """Return the reply cached under a key, or None.

        A reply that cannot be read counts as none: the question is asked again.
        """
        with self._using():
            row = self._connection.execute(f"SELECT reply FROM replies_{VERSION} WHERE key = ?", (key,)).fetchone()
        try:
            return typed_json.build(Reply, json.loads(row[0])) if row else None
        except (ValueError, TypeError, RecursionError):
            return None

    def put(self, key: str, reply: Reply) -> None:
        """Keep a reply under a key."""
        with self._using():
            sql = f"INSERT OR REPLACE INTO replies_{VERSION} (key, reply) VALUES (?, ?)"
            self._connection.execute(sql, (key, typed_json.dumps(asdict(reply))))

    @contextmanager
    def _using(self) -> Iterator[None]:
        """Translate SQLite's errors into `DatabaseError`."""
        try:
            yield
        except sqlite3.Error as exc:
            raise DatabaseError(
                f"{self._path} cannot be used to keep replies in: {exc}; remove it, or name another"
            ) from exc

    def __enter__(self) -> Cache:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()
