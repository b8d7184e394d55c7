"""Define the methods: each is a tuple of steps, and an ablation leaves out some."""

from __future__ import annotations

from collections.abc import Callable

from askwhere.frozen import frozen
from askwhere.pipeline import decompose, multi_prompt, prompts, readings
from askwhere.pipeline.choice import agreed, chosen
from askwhere.pipeline.correct import adjust, eliminate
from askwhere.pipeline.decompose import correct_entities, correct_execution, correct_skeleton, few_shot
from askwhere.pipeline.effort import LEVELS, corrected_unless_agreed, linked_if_cut, sampled_until_sure, settled
from askwhere.pipeline.facts import Linked
from askwhere.pipeline.multi_prompt import sampled
from askwhere.pipeline.schema_linking import link_schema
from askwhere.pipeline.steps import Candidates, Step, StepContext, greedy


def beside_reader(linked: Linked, candidates: Candidates, context: StepContext) -> Candidates:
    """Add the reader's readings in which every word has its place."""
    return candidates + readings.candidates(tuple(r for r in context.readings() if r.whole))


def zero_shot(linked: Linked, candidates: Candidates, context: StepContext) -> Candidates:
    """Add one greedy completion of the generation prompt, tried (SEA-SQL, section 3.2). Raise `ModelError`."""
    return (*candidates, context.tried(greedy(linked, prompts.generation(linked), context, context.grammar())))


def plain(linked: Linked, candidates: Candidates, context: StepContext) -> Candidates:
    """Add one greedy completion of the plain prompt, tried, without a grammar. Raise `ModelError`."""
    return (*candidates, context.tried(greedy(linked, prompts.plain(linked), context)))


@frozen
class Method:
    """The steps of a method in their order, and how often a failing query may be corrected (`rounds`).

    `link` cuts the schema before the steps; `prompt` writes the first prompt for a question. With `repairs` a query
    that does not bind is replaced by the nearest that does before a model is asked to correct it.
    """

    steps: tuple[Step, ...]
    rounds: int
    link: Callable[[Linked, StepContext], Linked] = lambda linked, _: linked
    prompt: Callable[[Linked, StepContext], str] = lambda linked, _: prompts.generation(linked)
    repairs: bool = True


PLAIN = Method((plain,), rounds=0, prompt=lambda linked, _: prompts.plain(linked), repairs=False)
SEA = Method((zero_shot, eliminate, adjust), rounds=10)
DAC = Method((few_shot, correct_entities, correct_skeleton, correct_execution), rounds=1, prompt=decompose.first_prompt)
MCS = Method((sampled, agreed, chosen), rounds=0, link=link_schema, prompt=multi_prompt.first_prompt)
METHODS = {"plain": PLAIN, "sea": SEA, "dac": DAC, "mcs": MCS}


def method(name: str, effort: str) -> Method:
    """Return the method of this name, with the steps of its paper; for '' the one that `effort` composes."""
    if name:
        return METHODS[name]
    level = LEVELS[effort]
    steps = (zero_shot, beside_reader, corrected_unless_agreed, sampled_until_sure(level), settled(level))
    return Method(steps, level.rounds, linked_if_cut if level.widely else SEA.link)
