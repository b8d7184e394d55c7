"""Compose the levels of effort from steps of the three methods, and decide when sampling stops.

First come a greedy query, which is corrected where it fails (SEA-SQL), and the reader's readings. Where they do not
agree, more queries are sampled until one group of equal results is ahead with enough certainty (`enough`). MCS-SQL
samples a hundred for every question, but for most questions the first few agree. Where the best groups are close, each
is corrected by its parts (DAC), and the model votes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import zip_longest
from math import ceil, exp, lgamma

from askwhere.errors import ModelError, OutOfBudget
from askwhere.frozen import frozen
from askwhere.pipeline import prompts, select
from askwhere.pipeline.choice import voted
from askwhere.pipeline.correct import adjust, eliminate
from askwhere.pipeline.decompose import SHOTS, correct_entities, correct_skeleton
from askwhere.pipeline.facts import Candidate, Linked
from askwhere.pipeline.link import cut
from askwhere.pipeline.multi_prompt import generation_prompts
from askwhere.pipeline.retrieval import nearest
from askwhere.pipeline.schema_linking import link_schema, seed_of
from askwhere.pipeline.steps import Candidates, Step, StepContext, candidate


@frozen
class Level:
    """The limits of one level of effort.

    `candidates` is the most that are generated, `rounds` the most rounds of correction, `sure` the certainty (0 to 1)
    at which sampling stops, `votes` the number of votes between close groups. With `widely`, sampling uses several
    prompts, the model links a schema that was cut, and queries of close groups are corrected by their parts.
    """

    candidates: int
    rounds: int
    sure: float = 1.0
    votes: int = 0
    widely: bool = False


# Two candidates with equal results from different sources are right far more often than one; four are nearly always.
LEVELS = {
    "fast": Level(1, 2, votes=1),
    "balanced": Level(8, 4, sure=0.85, votes=3),
    "thorough": Level(100, 10, sure=0.95, votes=9, widely=True),
}
# Replies to each prompt that links the schema: the 20 of the paper find little more than a few do.
_LINKING_REPLIES = 2
READER = "reader"


def linked_if_cut(linked: Linked, context: StepContext) -> Linked:
    """Return the question with its schema linked by the model, if the schema was cut to fit the prompt.

    A schema that fits stays whole. If the model cannot be asked, the schema stays cut by the question's words.
    """
    if not cut(linked):
        return linked
    few = replace(context, mcs=replace(context.mcs, link_samples=_LINKING_REPLIES, prompts=0, votes=0))
    try:
        return link_schema(linked, few)
    except (ModelError, OutOfBudget) as exc:
        context.asker.note("link", f"not by the model: {exc}")
        return linked


def corrected_unless_agreed(linked: Linked, candidates: Candidates, context: StepContext) -> Candidates:
    """Run SEA-SQL's bias elimination on the model's query unless a reading agrees with it, then its adjustment."""
    tried = _by_query(candidates, linked, context)
    readings, own = (tuple(c for c in tried if (c.origin == READER) is by_reader) for by_reader in (True, False))
    agreeing = (group for group in select.groups(tried, linked.dialect) if len(group) > 1)
    if not any(c.origin != READER for group in agreeing for c in group):
        own = eliminate(linked, own, context)
    return (*adjust(linked, own, context), *readings)


def sampled_until_sure(level: Level) -> Step:
    """Return the step that samples candidates until there are enough; a query that is sampled again weighs more."""

    def step(linked: Linked, candidates: Candidates, context: StepContext) -> Candidates:
        merged = _by_query(candidates, linked, context)
        made = sum(c.origin != READER for c in candidates)
        written: Sequence[str] = ()
        number, size = 0, 1
        while (left := level.candidates - made) > 0 and not _enough(merged, left, level, linked.dialect):
            n = min(size, left)
            try:
                written = written or _prompts(linked, level, context)
                fresh = _sampled(linked, written, number, n, context)
            except (ModelError, OutOfBudget) as exc:
                context.asker.note("sample", f"no more candidates: {exc}")
                break
            merged = _by_query((*merged, *fresh), linked, context)
            made, number, size = made + n, number + 1, 2 * size  # doubling reaches many candidates in few calls
        return merged

    return step


def _sampled(linked: Linked, written: Sequence[str], number: int, n: int, context: StepContext) -> Candidates:
    """Return `n` candidates of the prompt whose turn it is."""
    place = number % len(written)
    texts = context.asker.ask(
        context.model,
        "sample",
        written[place],
        n=n,
        temperature=context.mcs.temperature,
        seed=seed_of(context.mcs.seed, linked.question, "sample", number),
        grammar=context.grammar(),
        detail=f"prompt {place + 1} of {len(written)}",
    ).texts
    origin = f"{context.model.name}: prompt {place + 1}"
    return tuple(replace(candidate(text, linked, origin), drawn=1) for text in texts)


def _by_query(candidates: Iterable[Candidate], linked: Linked, context: StepContext) -> Candidates:
    """Return the candidates tried and compared; equal queries become one with the sum of their weights.

    A query of the reader is not merged with a model's. A candidate whose trial did not read all rows is returned
    without its outcome, so that it is compared again with later candidates.
    """
    merged: dict[tuple[str, bool], Candidate] = {}
    for c in candidates:
        key = (c.sql, c.origin == READER)
        same = merged.get(key)
        merged[key] = replace(same, weight=same.weight + c.weight, drawn=same.drawn + c.drawn) if same else c
    tried = (c if c.result or c.error else context.tried(c) for c in merged.values())
    done = select.compared(tried, linked.dialect, context.run)
    return tuple(replace(c, outcome=None) if _is_cut(c) else c for c in done)


def _is_cut(tried: Candidate) -> bool:
    """Return whether neither the trial of a candidate nor its comparison has read all rows."""
    return tried.result is not None and not tried.result.complete and tried.n_rows is None


def _prompts(linked: Linked, level: Level, context: StepContext) -> Sequence[str]:
    if level.widely:
        return generation_prompts(linked, context)
    shown = nearest(linked, context, SHOTS)
    return [prompts.few_shot(linked, shown) if shown else prompts.generation(linked)]


def _enough(candidates: Iterable[Candidate], left: int, level: Level, dialect: str) -> bool:
    groups = select.groups(candidates, dialect)
    drawn = [sum(c.drawn for c in group) for group in groups]
    return enough(drawn, left, level.sure, [sum(c.weight - c.drawn for c in group) for group in groups])


def settled(level: Level) -> Step:
    """Return the step that lets the model vote where the best groups are close; with `widely`, after corrections."""

    def step(linked: Linked, candidates: Candidates, context: StepContext) -> Candidates:
        considered, close = candidates, _close(candidates, linked.dialect)
        if level.widely and len(close) > 1:
            context.asker.note("compare", f"{len(close)} groups are close")
            corrected = correct_skeleton(linked, correct_entities(linked, close, context), context)
            fresh = [c for c in corrected if c not in close]
            considered = _by_query((*considered, *fresh), linked, context)
            close = _close(considered, linked.dialect)
        if len(close) < 2:
            return considered
        try:
            best = voted(linked, close, context, level.votes)
        except (ModelError, OutOfBudget) as exc:
            context.asker.note("choose", f"the model did not choose: {exc}")
            return considered
        return tuple(replace(c, picked=True) if c is best else c for c in considered)

    return step


def _close(candidates: Candidates, dialect: str) -> Candidates:
    """Return the first candidate of each group whose estimate is within `MARGIN` of the best one, likeliest first."""
    groups = select.groups(candidates, dialect)
    ranked = sorted(zip(select.estimates(groups), groups, strict=True), key=lambda pair: -pair[0])
    near = [group[0] for estimate, group in ranked if estimate >= ranked[0][0] - select.MARGIN]
    return tuple(next(c for c in candidates if c.sql == close.sql) for close in near)


SURE = 0.95


def enough(counts: Iterable[int], left: int, sure: float = SURE, given: Iterable[float] = ()) -> bool:
    """Return whether sampling may stop, given the number of draws in each group.

    It may if the leading group is still ahead of the second after `left` more draws with a probability of at least
    `sure`; with `sure` = 1, only if the second cannot catch up. `given` is the weight of each group's candidates that
    were not drawn.

    >>> enough([3], 97), enough([4], 96), enough([10, 2], 8, sure=1.0), enough([10, 2], 7, sure=1.0)
    (False, True, False, True)
    """
    groups = zip_longest(counts, given, fillvalue=0)
    (first, ahead), (second, behind), *_ = *sorted(groups, key=sum, reverse=True), (0, 0), (0, 0)
    return first + ahead > 0 and stays_ahead(int(first), int(second), left, ahead - behind) >= sure


@lru_cache(maxsize=10_000)
def stays_ahead(first: int, second: int, left: int, given: float = 0.0) -> float:
    """Return the probability that the first of two groups is larger than the second after `left` more draws.

    `given` is the lead of the first group in the weight of candidates that were not drawn. A tie counts as a half. All
    further draws are assumed to fall on these two groups. By how often each was drawn so far, the number that falls on
    the first is beta-binomial. (With infinitely many draws left this is the stopping rule of Aggarwal et al. 2023,
    "Let's Sample Step by Step", section 3.1; with few left, the same lead counts for more.)

    >>> [round(stays_ahead(*seen), 2) for seen in ((1, 0, 0), (2, 2, 10), (6, 4, 90), (6, 4, 4), (0, 1, 7, 4))]
    [1.0, 0.5, 0.74, 0.86, 0.5]
    """
    behind = second + left - first - given  # the first needs more than half of this
    if behind < 0:
        return 1.0
    a, b = first + 1, second + 1
    # Logarithms, since the factorials of a hundred draws are too large for floats.
    known = lgamma(a + b) - lgamma(a) - lgamma(b) + lgamma(left + 1) - lgamma(left + a + b)
    likely = 0.0
    for x in range(ceil(behind / 2), left + 1):
        more = exp(known + lgamma(x + a) + lgamma(left - x + b) - lgamma(x + 1) - lgamma(left - x + 1))
        likely += more / 2 if 2 * x == behind else more
    return min(likely, 1.0 - 1e-12)  # below 1, as the second can still catch up
