"""Name models that are files on the Hugging Face hub: by short names, and as a setting names any other."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from askwhere.frozen import frozen

_SOURCE = re.compile(r"(?:hf:)?([A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*)(?::([\w.-]+))?", re.IGNORECASE | re.ASCII)


@frozen
class KnownModel:
    """A model with a short name: where its file is, its size and the memory that it takes.

    Gigabytes are 10^9 bytes, rounded. `context` is in tokens.
    """

    name: str
    repository: str
    file: str
    gigabytes: float
    memory: float
    license: str
    context: int
    purpose: str


@frozen
class Source:
    """A repository of the hub, and which of its GGUF files: a quantization such as Q4_K_M, or a file's name.

    Without `quant` it is Q4_K_M, or the only one in the repository. `name` is its name for the setting `model`.
    """

    repository: str
    quant: str
    name: str


@cache
def known() -> tuple[KnownModel, ...]:
    """Return the models that have a short name, in the order of known_models.toml."""
    import tomllib  # takes time to load, and most questions name no model

    text = Path(__file__).with_name("known_models.toml").read_text("utf-8")
    return tuple(KnownModel(**model) for model in tomllib.loads(text)["model"])


def named(name: str) -> KnownModel | None:
    """Return the model of a short name, written in any case, or None."""
    return next((model for model in known() if model.name == name.strip().lower()), None)


def source(text: str) -> Source:
    """Return what a short name, `hf:OWNER/REPO:QUANT` or `OWNER/REPO:QUANT` stands for. Raise ValueError for others.

    >>> source("hf:Qwen/Qwen3-4B-GGUF:q8_0")
    Source(repository='Qwen/Qwen3-4B-GGUF', quant='Q8_0', name='hf:Qwen/Qwen3-4B-GGUF:Q8_0')
    """
    model = named(text)
    if model:
        return Source(model.repository, model.file, model.name)
    match = _SOURCE.fullmatch(text.strip())
    # The hub has no such names, and as paths in its cache they could lead out of it.
    if not match or ".." in match[1] or "--" in match[1]:
        raise ValueError(f"expected OWNER/REPO, OWNER/REPO:QUANT or one of {', '.join(m.name for m in known())}")
    quant = match[2] or ""
    quant = quant if quant.lower().endswith(".gguf") else quant.upper()
    return Source(match[1], quant, f"hf:{match[1]}" + (f":{quant}" if quant else ""))
