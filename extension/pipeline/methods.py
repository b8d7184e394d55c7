"""Methods: each is a tuple of steps, and an ablation is a shorter one."""

from __future__ import annotations

from dataclasses import dataclass

from askwhere.pipeline.correct import adjust, eliminate
from askwhere.pipeline.decompose import correct_entities, correct_execution, correct_skeleton, few_shot
from askwhere.pipeline.generate import beside_reader, zero_shot
from askwhere.pipeline.steps import Step


@dataclass(frozen=True)
class Method:
    """Steps in their order, and how often a failing query may be corrected."""

    steps: tuple[Step, ...]
    rounds: int


SEA = Method((zero_shot, eliminate, adjust), rounds=10)
DAC = Method((few_shot, correct_entities, correct_skeleton, correct_execution), rounds=1)
METHODS = {"sea": SEA, "dac": DAC}
ROUNDS = {"fast": 2, "balanced": 4, "thorough": 10}


def method(name: str, effort: str) -> Method:
    """The method of that name as its paper has it; for '' what `effort` puts together."""
    return METHODS.get(name) or Method((*SEA.steps, beside_reader), ROUNDS[effort])
