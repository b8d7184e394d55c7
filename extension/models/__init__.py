"""Define the protocol of a model: one method that completes a prompt, and optional flags about how it runs.

Any object with the shape of `Model` can be used; the models that are shipped have the same shape.
"""

from __future__ import annotations

from askwhere.models.protocol import BoundGrammar, Completions, Model, Reading, estimate, flag
from askwhere.models.scripted import Scripted

__all__ = ["BoundGrammar", "Completions", "Model", "Reading", "Scripted", "estimate", "flag"]
