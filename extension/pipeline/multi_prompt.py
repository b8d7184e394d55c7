"""Generate with several prompts, which differ in their demonstrations, and several completions of each.

MCS-SQL, section 3.2. A model's reply changes with the demonstrations that it is shown and with their order: what one
prompt misses, another may find.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest

from askwhere.engine import Result
from askwhere.errors import AskError, DatabaseError, ModelError, OutOfBudget
from askwhere.models import estimate, flag
from askwhere.pipeline import mcs_prompts, replies
from askwhere.pipeline.asking import REPLY_TOKENS
from askwhere.pipeline.demonstrations import Demonstration
from askwhere.pipeline.facts import Candidate, Linked, preview
from askwhere.pipeline.mcs_prompts import Sample
from askwhere.pipeline.prompts import pairs_text
from askwhere.pipeline.retrieval import nearest, nearest_masked
from askwhere.pipeline.schema_linking import linking_prompts, orders, seed_of
from askwhere.pipeline.select import compared, with_outcome
from askwhere.pipeline.steps import Candidates, StepContext, candidate
from askwhere.sql.identifiers import quote, quote_path

# Rows of each table in a prompt; the paper does not say how many.
ROWS_SHOWN = 3
# Bytes that are retained of a candidate's rows once its outcome is known.
_RETAINED = 100_000


def sampled(linked: Linked, candidates: Candidates, context: StepContext) -> Candidates:
    """Add the candidates of all prompts, tried; a query that was written several times runs once.

    If a prompt after the first cannot be asked, the candidates so far are kept. Raise `ModelError`, `OutOfBudget`.
    """
    mcs = context.mcs
    written: list[Candidate] = []
    prompts = generation_prompts(linked, context)
    for number, prompt in enumerate(prompts, 1):
        seed, detail = seed_of(mcs.seed, linked.question, "generate", number), f"prompt {number} of {len(prompts)}"
        try:
            texts = context.asker.ask(
                context.model, "generate", prompt, n=mcs.samples, temperature=mcs.temperature, seed=seed, detail=detail
            ).texts
        except (ModelError, OutOfBudget) as exc:
            if not written:
                raise
            context.asker.note("generate", f"{detail}, and those after it, left out: {exc}")
            break
        written += (candidate(text, linked, f"mcs: prompt {number}", read=replies.explained) for text in texts)
    return candidates + _tried(written, linked, context)


def _tried(written: Sequence[Candidate], linked: Linked, context: StepContext) -> Candidates:
    """Return each candidate with its outcome; only the first of its rows are kept."""
    known: dict[str, Candidate] = {}
    for draft in written:
        if draft.sql not in known:
            tried = _tried_in_time(draft, context)
            complete = tried.result is not None and tried.result.complete
            known[draft.sql] = preview(with_outcome(tried, linked.dialect), _RETAINED) if complete else tried
    done = compared(known.values(), linked.dialect, context.run)
    # The key is the query as it was written, since the SQL of a tried candidate may be repaired.
    outcomes = {sql: preview(c, _RETAINED) for sql, c in zip(known, done, strict=True)}
    return tuple(replace(outcomes[c.sql], origin=c.origin) for c in written)


def _tried_in_time(draft: Candidate, context: StepContext) -> Candidate:
    """Try a candidate, unless the question's time is over."""
    if context.asker.seconds_left() <= 0:
        return replace(draft, error=OutOfBudget("not run: the question reached max_seconds"))
    return context.tried(draft)


# --------------------------------------------------------------------------------------------------------- the prompts


def first_prompt(linked: Linked, context: StepContext) -> str:
    """Return the first prompt that MCS-SQL sends for a question."""
    linking = "linking" not in context.leave_out
    return (linking_prompts(linked, context, "link tables") if linking else generation_prompts(linked, context))[0]


def generation_prompts(linked: Linked, context: StepContext) -> list[str]:
    """Return the generation prompts of a question, the same each time that it is asked.

    They differ in their demonstrations or, where there are none, in the order of tables and columns.
    """
    samples, many = sample_rows(linked, context), context.mcs.prompts
    sets = example_sets(linked, context)
    if not any(sets):
        shuffled = orders(linked.schema, many - 1, (context.mcs.seed, linked.question, "generate"))
        schemas = [linked.schema, *shuffled]
    else:
        schemas = [linked.schema] * many
    bare = mcs_prompts.generation(linked, samples, ())
    return [
        mcs_prompts.generation(replace(linked, schema=schema), samples, fitting(bare, shown, context))
        for schema, shown in zip(schemas, sets, strict=True)
    ]


def example_sets(linked: Linked, context: StepContext) -> list[tuple[Demonstration, ...]]:
    """Return the demonstrations of each prompt (section 3.2.1).

    The first prompts have those of the nearest questions, and of the nearest masked questions; the others have mixtures
    of both, in different orders. An ablation leaves out one of the two ways to choose, or both: then demonstrations are
    random.
    """
    mcs = context.mcs
    if "examples" in context.leave_out or not len(context.pool()):
        return [()] * mcs.prompts
    lists = _nearest(linked, context)
    taken: dict[str, Demonstration] = {}
    for pair in zip_longest(*lists):
        taken |= {shot.question: shot for shot in pair if shot is not None and shot.question not in taken}
    mixture = tuple(taken.values())[: mcs.examples]
    sets = [*lists, mixture] if len(lists) > 1 else list(lists)
    drawn = random.Random(repr((mcs.seed, linked.question, "examples")))
    while len(sets) < mcs.prompts:
        sets.append(tuple(drawn.sample(mixture, len(mixture))))
    return sets[: mcs.prompts]


def _nearest(linked: Linked, context: StepContext) -> list[tuple[Demonstration, ...]]:
    """Return the nearest demonstrations by each way to choose that is not left out."""
    pool, k = context.pool(), context.mcs.examples
    chosen = []
    if "nearest" not in context.leave_out:
        chosen.append(nearest(linked, context, k))
    if "masked" not in context.leave_out:
        chosen.append(nearest_masked(linked, context, k))
    return chosen or [pool.drawn(random.Random(repr((context.mcs.seed, linked.question, "pool"))), k)]


def choice_examples(linked: Linked, context: StepContext) -> tuple[Demonstration, ...]:
    """Return the demonstrations of the multiple-choice question: the masked nearest, which serve best (Table 6)."""
    if "examples" in context.leave_out or not len(context.pool()):
        return ()
    return _nearest(linked, context)[-1]


def fitting(prompt: str, shown: Sequence[Demonstration], context: StepContext) -> tuple[Demonstration, ...]:
    """Return the first demonstrations, as many as fit into the model's context with the prompt and its reply."""
    window = flag(context.model, "context")
    if not window:
        return tuple(shown)
    room = window - REPLY_TOKENS - estimate(prompt)
    kept = []
    for shot in shown:
        room -= estimate(pairs_text([shot]))
        if room < 0:
            break
        kept.append(shot)
    return tuple(kept)


def sample_rows(linked: Linked, context: StepContext) -> tuple[Sample, ...]:
    """Return the first rows of each linked table, in the linked columns; none unless the setting `values` is 'show'."""
    if "rows" in context.leave_out or linked.show != "show":
        return ()
    samples = []
    for table in linked.schema.tables:
        columns = ", ".join(quote(column.name) for column in table.columns)
        try:
            result: Result = context.run(
                f"SELECT {columns} FROM {quote_path(table.path)} LIMIT {ROWS_SHOWN}", ROWS_SHOWN
            )
        except DatabaseError:
            raise
        except AskError as exc:
            context.asker.note("rows", f"none of {table.name}: {exc}")
            continue
        samples.append(Sample(table, result.rows))
    return tuple(samples)
