"""What a run is to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from askwhere.evaluation.records import Header
from askwhere.evaluation.sets import Item


@dataclass(frozen=True)
class Plan:
    """A run to be made: its header, its questions, each database's file and fingerprint, and the settings as given."""

    header: Header
    items: tuple[Item, ...]
    paths: Mapping[str, Path]
    prints: Mapping[str, str]
    settings: Mapping[str, Any] = field(default_factory=dict)
