"""Compute digests of everything that a run, and each of its questions, depends on.

A question is not asked again where its digest is the same.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.metadata
import importlib.util
import json
import platform
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from askwhere import settings as settings_
from askwhere.evaluation.ask import question
from askwhere.evaluation.records import Header
from askwhere.evaluation.sets import Item, fingerprint
from askwhere.grouping import grouped
from askwhere.known_settings import SETTINGS
from askwhere.settings import Settings

# Packages that an answer depends on.
_DEPENDENCIES = (
    "apsw", "duckdb", "llama-cpp-python", "numpy", "openai", "rank-bm25", "rapidfuzz", "PyStemmer", "sqlglot",
)  # fmt: skip
# Packages of askwhere that only judge or show answers, and cannot change them.
_NOT_ASKING = ("evaluation", "pages", "native")
_ASKING_BINDINGS = ("copying", "duckdb", "isolation", "limits", "opening", "sqlite")


def digest(*facts: Any) -> str:
    """Return a short digest of values that JSON can hold."""
    text = json.dumps(facts, ensure_ascii=False, sort_keys=True, default=str)
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=12).hexdigest()


def source(asking: bool) -> str:
    """Return a digest of askwhere's code and of the versions that it runs with.

    With `asking`, only code counts that answers depend on.
    """
    return digest(sorted(parts(asking).items()))


@cache
def parts(asking: bool = False) -> Mapping[str, str]:
    """Return the parts of `source` by name: the versions of Python and of packages, and a digest of each folder."""
    versions = {"Python": ".".join(platform.python_version_tuple()[:2])}
    for name in _DEPENDENCIES:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            versions[name] = importlib.metadata.version(name)
    for folder, paths in sorted(grouped(_files(asking)).items()):
        content = hashlib.blake2b(digest_size=6)
        for path in sorted(paths):
            content.update(path.name.encode() + path.read_bytes())
        versions[folder] = content.hexdigest()
    return versions


def _files(asking: bool) -> Iterable[tuple[str, Path]]:
    """Yield our files, each after its folder's name in the package."""
    for package in ("askwhere", "askwhere.indexer", "askwhere.bindings"):
        spec = importlib.util.find_spec(package)
        for root in map(Path, spec.submodule_search_locations or () if spec else ()):
            for path in root.rglob("*.py"):
                part, *inside = path.relative_to(root).parts
                used = part.startswith(_ASKING_BINDINGS) if package == "askwhere.bindings" else part not in _NOT_ASKING
                if used or not asking:
                    yield f"{package}.{part}" if inside else package, path


def changed_settings(settings: Settings) -> dict[str, str]:
    """Return the settings that differ from their defaults, as text, whatever set them.

    Model, method and effort are left out, as a header has fields for them. A setting that names a file has a digest of
    its content.
    """
    plain = Settings((("argument", {"effort": settings["effort"], "method": settings["method"]}),))
    return {
        setting.name: _with_content(settings_.as_text(settings[setting.name]))
        for setting in SETTINGS
        if setting.name not in ("model", "method", "effort") and settings[setting.name] != plain[setting.name]
    }


def model(settings: Settings) -> str:
    """Return the model as text; a model in a file with a digest of the file."""
    return _with_content(settings_.as_text(settings["model"]))


def _with_content(text: str) -> str:
    """Return a setting's text, with a digest of the file's content if it names a file."""
    path = Path(re.sub(r"^(gguf|lora):", "", text))
    try:
        return f"{text} ({fingerprint(path)[:12]})" if text and path.is_file() else text
    except OSError:
        return text


def data(items: Sequence[Item], prints: Mapping[str, str]) -> str:
    """Return a digest of questions, gold queries and databases; `prints` are the databases' fingerprints by name."""
    questions = [(i.id, i.db_id, i.question, i.evidence, i.gold, "".join(i.golds.values())) for i in items]
    return digest(questions, sorted(prints.items()))


def key(header: Header, item: Item, print_: str) -> str:
    """Return the key of a reply in the cache: a digest of all that the reply depends on, without how it is judged."""
    asked_with = (header.engine, header.method, header.effort, header.model, sorted(header.settings.items()))
    return digest(question(item, header.evidence), print_, asked_with, header.seconds, source(True))


def file_name(header: Header) -> str:
    """Return the name of a run's file: set, method, model, engine, and a digest of its header."""
    path = Path(header.set)
    label = f"{path.name}-{header.split}" if header.split else path.stem
    name = "-".join((label, header.method or header.effort, header.model, header.engine))
    return f"{re.sub(r'[^A-Za-z0-9_.-]+', '_', name)[:80]}-{digest(vars(header))[:8]}.jsonl"
