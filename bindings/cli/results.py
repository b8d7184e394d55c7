"""Word the results of a run for the terminal: scores by hardness, its cost, and the questions not answered right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from askwhere.box import box
from askwhere.cells import counted, visible
from askwhere.evaluation import summary
from askwhere.evaluation.records import Record, Run

# How many questions that are not right are listed by default.
LISTED = 20


def summary_lines(evaluated: Mapping[str, Any]) -> list[str]:
    """Return a summary as lines of text: what was run, its scores by hardness, and its cost."""
    return [_title(evaluated), *_left_out(evaluated), "", _table(evaluated), "", *_below(evaluated)]


def _title(evaluated: Mapping[str, Any]) -> str:
    """Return the line that says what was asked, and how."""
    header = evaluated["header"]
    how = f"method {header['method']}" if header["method"] else f"effort {header['effort']}"
    given = "".join(f", {name} = {value}" for name, value in header["settings"].items())
    asked = " ".join(filter(None, (header["set"], header["split"])))
    without = f" without {', '.join(header['without'])}" if header["without"] else ""
    only = f" about {', '.join(header['only'])}" if header["only"] else ""
    sample = f", a sample with seed {header['seed']}" if header["sample"] else ""
    return (
        f"{asked}{only}{without} on {header['engine']}: {counted(evaluated['questions'], 'question')}{sample}; model"
        f" {header['model']}, {how}{given}"
    )


def _left_out(evaluated: Mapping[str, Any]) -> list[str]:
    lines = [f"{count:,} not asked: {reason}" for reason, count in evaluated["excluded"].items()]
    return [*lines, *(f"warning: {text}" for text in evaluated["warnings"])]


def _table(evaluated: Mapping[str, Any]) -> str:
    """Return the table of scores, with a row for each level."""
    figures, scores = evaluated["figures"], evaluated["header"]["scores"]
    columns = ["answered", "right_of_answered", *scores]
    levels = list(figures["answered"])
    levels = ["all"] if len(levels) == 2 else levels  # a single level is the same as all
    rows = [
        [
            level or "other",
            f"{figures['answered'][level]['questions']:,}",
            *(_cell(figures[name][level]) for name in columns),
        ]
        for level in levels
    ]
    names = ["", "questions", "answered", "right of these", *(summary.LABELS[name] for name in columns[2:])]
    return box(names, [list(map(str, row)) for row in rows], [False] + [True] * (len(names) - 1))


def _cell(figure: Mapping[str, Any]) -> str:
    """Return a figure with its interval, such as 84.2 (81.9-86.3)."""
    if figure["percent"] is None:
        return "-"
    room = "" if figure["low"] is None else f" ({figure['low']:.1f}-{figure['high']:.1f})"
    return f"{figure['percent']:.1f}{room}"


def _below(evaluated: Mapping[str, Any]) -> list[str]:
    """Return the lines below the table: outcomes, recall, calibration, and what a question cost."""
    used, outcomes, calibration = evaluated["usage"], evaluated["outcomes"], evaluated["calibration"]
    total = {name: figure["all"] for name, figure in evaluated["figures"].items()}
    recalls = ", ".join(f"{name} {_cell(total[f'{name}_recall'])}" for name in ("table", "column", "value"))
    lines = [
        f"percent, with 95 % intervals; right is what {summary.LABELS[evaluated['header']['scores'][0]]} says",
        "outcomes: " + ", ".join(f"{count:,} {name}" for name, count in outcomes.items()),
        f"exact skeleton match: {_cell(total['skeleton'])}; recall of what is shown: {recalls}",
        f"calibration: ECE {100 * calibration['ece']:.1f}, Brier score {calibration['brier']:.3f}",
    ]
    if used["calls"]:
        names = ("requests", "calls", "prompt_tokens", "completion_tokens")
        labels = ("requests", "completions", "prompt tokens", "completion tokens")
        each = ", ".join(
            f"{used[name] / evaluated['questions']:,.1f} {text}" for name, text in zip(names, labels, strict=True)
        )
        price = "at an unknown price" if used["cost"] is None else f"${used['cost'] / evaluated['questions']:.5f}"
        paid = "" if used["cost"] is None else f" and ${used['cost']:.2f}"
        tokens = used["prompt_tokens"] + used["completion_tokens"]
        lines.append(f"a question: {each}, {price}; in all {used['calls']:,} completions, {tokens:,} tokens{paid}")
    if used["seconds_median"] is not None:
        lines.append(f"seconds a question: median {used['seconds_median']:.3f}, p95 {used['seconds_p95']:.3f}")
    return lines


def wrong_lines(run: Run, most: int) -> Iterator[str]:
    """Yield the lines of the first `most` questions that are not right; none where all are right."""
    wrong = [record for record in run.records if not run.right(record)]
    if not wrong or not most:
        return
    more = f", the first {most:,} shown" if len(wrong) > most else ""
    yield f"\nNot right: {len(wrong):,}{more}"
    for record in wrong[:most]:
        yield visible(f"\n  {record.question}  ({record.db_id}, {record.id})")
        yield f"    expected: {one_line(record.gold)}"
        yield f"    got:      {reply_line(record)}"


def reply_line(record: Record) -> str:
    """Return the query that answered a question, or why none did, in one line."""
    return one_line(record.predicted if record.predicted else f"{record.outcome}: {record.error}")


def one_line(text: str) -> str:
    """Return a text in one line, in which a terminal obeys nothing."""
    return visible(" ".join(text.split()))
