"""What a run and each of its questions depend on, as digests: equal ones need not be asked again."""

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
from askwhere.settings import SETTINGS, Settings

# What an answer depends on beside our own code.
_DEPENDENCIES = (
    "apsw", "duckdb", "llama-cpp-python", "numpy", "openai", "rank-bm25", "rapidfuzz", "snowballstemmer", "sqlglot",
)  # fmt: skip
# Of our code what answers do not depend on: what judges and shows them.
_NOT_ASKING = ("evaluation", "pages", "native")
_ASKING_BINDINGS = ("copying", "duckdb", "isolation", "limits", "opening", "sqlite")


def digest(*facts: Any) -> str:
    """A short digest of facts that JSON can hold."""
    text = json.dumps(facts, ensure_ascii=False, sort_keys=True, default=str)
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=12).hexdigest()


def source(asking: bool) -> str:
    """A digest of our code and of the versions it runs with; with `asking` only of what answers depend on."""
    return digest(sorted(parts(asking).items()))


@cache
def parts(asking: bool = False) -> Mapping[str, str]:
    """What `source` is made of, by name: versions of Python and packages, and a digest of each folder of our files."""
    found = {"Python": ".".join(platform.python_version_tuple()[:2])}
    for name in _DEPENDENCIES:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            found[name] = importlib.metadata.version(name)
    held: dict[str, list[Path]] = {}
    for folder, path in _files(asking):
        held.setdefault(folder, []).append(path)
    for folder, paths in sorted(held.items()):
        content = hashlib.blake2b(digest_size=6)
        for path in sorted(paths):
            content.update(path.name.encode() + path.read_bytes())
        found[folder] = content.hexdigest()
    return found


def _files(asking: bool) -> Iterable[tuple[str, Path]]:
    """Our files, each with its folder's name in the package."""
    for package in ("askwhere", "askwhere.indexer", "askwhere.bindings"):
        spec = importlib.util.find_spec(package)
        for root in map(Path, spec.submodule_search_locations or () if spec else ()):
            for path in root.rglob("*.py"):
                part, *inside = path.relative_to(root).parts
                used = part.startswith(_ASKING_BINDINGS) if package == "askwhere.bindings" else part not in _NOT_ASKING
                if used or not asking:
                    yield f"{package}.{part}" if inside else package, path


def given(settings: Settings) -> dict[str, str]:
    """The settings that are not as they are by default, as text, wherever they come from.

    Without model, method and effort, which a header names apart. A file that a setting names counts with its content.
    """
    plain = Settings((("argument", {"effort": settings["effort"], "method": settings["method"]}),))
    return {
        setting.name: _with_content(settings_.as_text(settings[setting.name]))
        for setting in SETTINGS
        if setting.name not in ("model", "method", "effort") and settings[setting.name] != plain[setting.name]
    }


def model(settings: Settings) -> str:
    """The model as text; one in a file with a digest of that."""
    return _with_content(settings_.as_text(settings["model"]))


def _with_content(text: str) -> str:
    path = Path(re.sub(r"^(gguf|lora):", "", text))
    try:
        return f"{text} ({fingerprint(path)[:12]})" if text and path.is_file() else text
    except OSError:
        return text


def data(items: Sequence[Item], prints: Mapping[str, str]) -> str:
    """A digest of questions, their gold and their databases, whose fingerprints are given by name."""
    asked = [(i.id, i.db_id, i.question, i.evidence, i.gold, i.gold_duckdb) for i in items]
    return digest(asked, sorted(prints.items()))


def key(header: Header, item: Item, print_: str) -> str:
    """What a reply is kept by: all that it depends on, and nothing of how it is judged."""
    told = (item.gold, item.gold_duckdb) if header.oracle else ()
    how = (header.engine, header.method, header.effort, header.model, sorted(header.settings.items()))
    return digest(question(item, header.evidence), print_, how, header.oracle, told, header.seconds, source(True))


def file_name(header: Header) -> str:
    """The name of a run's file: what it is, and a digest of all that it depends on."""
    path = Path(header.set)
    what = f"{path.name}-{header.split}" if header.split else path.stem
    name = "-".join((what, header.method or header.effort, header.model, header.engine))
    return f"{re.sub(r'[^A-Za-z0-9_.-]+', '_', name)[:80]}-{digest(vars(header))[:8]}.jsonl"
