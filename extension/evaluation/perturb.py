"""Perturbed copies of a database: rows added and changed by code, so that wrong queries show.

On one small database a wrong query often gives what gold gives. A copy keeps the schema, the types of the values, keys
and foreign keys, and has other rows; a query that differs from gold is likely to differ there.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from pathlib import Path

# A change of this makes copies that were kept unused.
VERSION = 1


def perturbed(path: Path, seed: int = 0, folder: Path | None = None) -> Path:
    """The path of a perturbed copy of a SQLite database; the same for the same file and seed.

    Copies are kept in `folder`, by default one for temporary files, and made once for each content of the file.
    """
    kept = folder or Path(tempfile.gettempdir()) / "askwhere-perturbed"
    copy = kept / f"{path.stem}-{_digest(path)}-{seed}.sqlite"
    if not copy.exists():
        kept.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=kept) as making:
            made = Path(shutil.copyfile(path, Path(making) / copy.name))
            os.replace(made, copy)
    return copy


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(str(VERSION).encode(), digest_size=8)).hexdigest()
