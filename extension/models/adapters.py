"""Find the LoRA adapter that a model of a file is to have: the package's own for it, another, or none."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from askwhere.models.llama_weights import Weights

AUTO, OFF = "auto", "off"
# The package's adapters, each named as `name` names its model.
FOLDER = Path(__file__).parent / "adapters"


def chosen(weights: Weights, adapter: str) -> Path | None:
    """Return the file of the adapter for a model, as the setting `adapter` says; None for none."""
    if adapter == AUTO:
        return shipped(name(weights.metadata))
    return None if adapter == OFF else Path(os.path.expanduser(adapter))


def shipped(model: str) -> Path | None:
    """Return the file of the package's adapter for a model of this name, or None."""
    return next((path for path in FOLDER.glob("*.gguf") if path.stem == model), None)


def name(metadata: Callable[[str], str | None]) -> str:
    """Return a model's name by the metadata of its file, the same for every quantization of it.

    >>> name({"general.basename": "Coder", "general.size_label": "1B", "general.finetune": "Instruct-GGUF"}.get)
    'coder-1b-instruct'
    """
    base, size, tuned = (metadata(f"general.{key}") or "" for key in ("basename", "size_label", "finetune"))
    return "-".join((base, size, tuned.partition("-")[0])).lower()
