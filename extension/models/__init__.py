"""Models: one method that completes a prompt, and a few facts about who runs it.

A model may be any object with the shape of `Model`; the ones that ship come by the same door.
"""

from __future__ import annotations

from askwhere.models.protocol import Bound, Completions, Model, Reading, estimate, flag
from askwhere.models.scripted import Scripted

__all__ = ["Bound", "Completions", "Model", "Reading", "Scripted", "estimate", "flag"]
