"""The held-out questions: two hundred about ten databases that nobody developed with, each database as SQL for both
engines.
"""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from support import connected

FOLDER = Path(__file__).parent / "unseen"
QUESTIONS = FOLDER / "questions.jsonl"
DATABASES = tuple(sorted((FOLDER / "databases").glob("*.sql")))


def build(file: Path, folder: Path, kind: str) -> Path:
    """Return the file of a database in an engine, 'sqlite' or 'duckdb', made in a folder from its SQL."""
    path = folder / f"{file.stem}.{kind}"
    with closing(connected(kind, path)) as connection:
        connection.execute(f"BEGIN;\n{file.read_text('utf-8')}COMMIT;")
    return path
