"""Replies that were paid for, kept on disk so that no later run asks for them again."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import asdict
from pathlib import Path
from types import TracebackType

from askwhere import files
from askwhere.errors import DatabaseError
from askwhere.evaluation.ask import Reply

VERSION = 1


def default_path() -> Path:
    """Where replies are kept unless a file is named."""
    import platformdirs  # only where no file is named

    return files.private_folder(platformdirs.user_cache_path("askwhere")) / "evaluation.db"


class Cache:
    """The replies of a file, made where it is missing. Raises `DatabaseError` for one that holds something else."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        files.make(files.named(path))  # its files beside have the permissions of it
        try:
            self._connection = sqlite3.connect(path, timeout=60, isolation_level=None)
            # Other runs may write at the same time; what a killed run had written is kept.
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = NORMAL")
            self._connection.execute(f"CREATE TABLE IF NOT EXISTS replies_{VERSION} (key TEXT PRIMARY KEY, reply TEXT)")
        except sqlite3.Error as exc:
            raise DatabaseError(f"{path} cannot be used to keep replies in: {exc}; remove it, or name another") from exc

    def get(self, key: str) -> Reply | None:
        """The reply that is kept, None where there is none."""
        row = self._connection.execute(f"SELECT reply FROM replies_{VERSION} WHERE key = ?", (key,)).fetchone()
        return Reply(**json.loads(row[0])) if row else None

    def put(self, key: str, reply: Reply) -> None:
        """Keep a reply."""
        text = json.dumps(asdict(reply), ensure_ascii=False)
        self._connection.execute(f"INSERT OR REPLACE INTO replies_{VERSION} VALUES (?, ?)", (key, text))

    def __enter__(self) -> Cache:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()
