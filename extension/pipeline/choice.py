"""Select among many candidates: group those with equal results, and have a model choose among the likeliest groups.

MCS-SQL, section 3.3. A group's confidence is its share of the candidates that gave rows.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from askwhere.cells import counted
from askwhere.errors import ModelError, OutOfBudget
from askwhere.pipeline import mcs_prompts, replies, select
from askwhere.pipeline.facts import Candidate, Linked
from askwhere.pipeline.multi_prompt import choice_examples, fitting, sample_rows
from askwhere.pipeline.schema_linking import seed_of
from askwhere.pipeline.steps import Candidates, StepContext


def agreed(linked: Linked, candidates: Candidates, context: StepContext) -> Candidates:
    """Return the fastest query of each group with equal rows, the largest group first, then each failed query once.

    A group's weight is its number of candidates; failures do not count (section 3.3.1, equations 1 and 2).
    """
    groups = select.groups(candidates, linked.dialect)
    total = sum(map(len, groups))
    groups.sort(key=len, reverse=True)
    best = [replace(fastest(group), weight=len(group)) for group in groups]
    failures = [c for c in candidates if c.result is None]
    failed = {c.sql: c for c in reversed(failures)}
    shares = ", ".join(f"{c.weight / total:.2f}" for c in best) or "none"
    tally = f"{counted(total, 'candidate')} gave rows, {len(failures)} failed"
    context.asker.note("agree", f"{tally}; {counted(len(groups), 'group')} with shares {shares}")
    return (*best, *reversed(failed.values()))


def fastest(group: Sequence[Candidate]) -> Candidate:
    """Return the candidate of a group whose trial took the least time; of equal ones the first."""
    return min(group, key=lambda c: c.result.seconds if c.result else math.inf)


def survivors(candidates: Sequence[Candidate], threshold: float) -> list[Candidate]:
    """Return the usable candidates whose share of the weight reaches the threshold, or the best one (equation 3)."""
    usable = [c for c in candidates if c.result is not None]
    total = sum(c.weight for c in usable)
    return [c for c in usable if c.weight >= threshold * total] or usable[:1]


def chosen(linked: Linked, candidates: Candidates, context: StepContext) -> Candidates:
    """Return the candidates with the winner of the model's vote marked as picked; of equal votes the likelier.

    The model votes among the survivors of the filter (section 3.3.2). If only one survives, or the model cannot be
    asked, the likeliest is picked.
    """
    options = survivors(candidates, 0.0 if "filter" in context.leave_out else context.mcs.threshold)
    if not options:
        return candidates
    best, why = options[0], ""
    if len(options) > 1 and "choice" not in context.leave_out:
        try:
            best = voted(linked, options, context, context.mcs.votes)
        except (ModelError, OutOfBudget) as exc:
            why = f"the likeliest, as the model did not choose: {exc}"
            context.asker.note("choose", why)
    notes = (*best.notes, why) if why else best.notes
    return tuple(replace(c, picked=True, notes=notes) if c is best else c for c in candidates)


def voted(linked: Linked, options: Sequence[Candidate], context: StepContext, votes: int) -> Candidate:
    """Return the option with most of `votes` votes of the model. Raise `ModelError`, `OutOfBudget`."""
    samples = sample_rows(linked, context)
    queries = [c.sql for c in options]
    shown = fitting(mcs_prompts.choice(linked, samples, (), queries), choice_examples(linked, context), context)
    prompt = mcs_prompts.choice(linked, samples, shown, queries)
    seed = seed_of(context.mcs.seed, linked.question, "choose")
    texts = context.asker.ask(
        context.model, "choose", prompt, n=votes, temperature=context.mcs.temperature, seed=seed
    ).texts
    cast = Counter(vote for text in texts if (vote := choice_named(text, queries)) is not None)
    tally = ", ".join(f"{cast[place]} for {place + 1}" for place in range(len(options)) if cast[place])
    context.asker.note("choose", f"of {len(texts)} votes {tally or 'none'}")
    return options[max(range(len(options)), key=lambda place: (cast[place], -place))]


def choice_named(reply: str, queries: Sequence[str]) -> int | None:
    """Return the position in `queries` of the one that a reply chooses; None where it chooses none.

    Replies are read leniently: JSON, a number after "answer", a reply that is just a number, or one of the queries
    itself.
    """
    for node in replies.structures(reply):
        if isinstance(node, dict):
            for key in ("answer", "choice", "number", "query"):
                if (place := _place(str(node.get(key, "")), queries)) is not None:
                    return place
    numbers = re.findall(r"\b(?:answer|choice)\W{0,10}(?:is\W{0,5})?(\d+)", reply, re.IGNORECASE)
    return _place(numbers[-1] if numbers else reply, queries)


def _place(text: str, queries: Sequence[str]) -> int | None:
    """Return the position of the query that a text names by its number or repeats; None for neither."""
    flat = " ".join(text.split()).rstrip(";. ")
    if number := re.fullmatch(r"\(?#?(\d{1,4})\)?", flat):
        return int(number[1]) - 1 if 1 <= int(number[1]) <= len(queries) else None
    return next((place for place, sql in enumerate(queries) if " ".join(sql.split()) == flat), None)
