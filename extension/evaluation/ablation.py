"""An ablation's table: what its runs gave, beside what the paper has."""

from __future__ import annotations

from collections.abc import Sequence

from askwhere.evaluation import presets, summary
from askwhere.evaluation.presets import Preset, Row
from askwhere.evaluation.published import PUBLISHED, Column
from askwhere.evaluation.records import Record, Run
from askwhere.evaluation.statistics import wilson

SETS = {"spider": "Spider", "bird": "BIRD", "kaggle": "KaggleDBQA"}


def columns_of(preset: Preset, set_: str) -> tuple[Column, ...]:
    """The paper's columns for a data set, by the set's name; all that are not of a level where it is none of theirs."""
    published = PUBLISHED[preset.name]
    own = tuple(column for column in published if column.set in set_.lower())
    return own or tuple(column for column in published if not column.level)


def right(row: Row, run: Run, record: Record) -> bool:
    """Whether a question counts in a row, by what the row is measured by."""
    if row.score == presets.SKELETON:
        return record.skeleton
    if row.score == presets.PARSED:
        return bool(record.parsed_skeleton)
    if row.score == presets.LINKED:
        return all(share in (None, 1.0) for share in (record.table_recall, record.column_recall))
    return run.right(record)


def table(preset: Preset, runs: Sequence[Run]) -> tuple[list[str], list[list[str]]]:
    """The names of the columns, and for each run a row for each of the paper's parts: what was measured, its figures.

    All in percent. A level that the questions have not, and a score that was not made, is '-'.
    """
    published = columns_of(preset, f"{runs[0].header.set} {runs[0].header.split}")
    parts = list(dict.fromkeys((c.score, c.level) for c in published))
    papers = list(dict.fromkeys((c.set, c.model) for c in published))
    columns = {(c.set, c.model, c.score, c.level): c for c in published}
    names = ["run", "score", "questions", "here", "95 %", *(f"{SETS[set_]}, {model}" for set_, model in papers)]
    rows = []
    for number, (row, run) in enumerate(zip(preset.rows, runs, strict=False)):
        for score, level in parts:
            theirs = (columns.get((*paper, score, level)) for paper in papers)
            said = row.score if row.score != presets.RIGHT else score
            cells = [row.name, " ".join(filter(None, (said, level))), *_measured(row, run, score, level)]
            rows.append([*cells, *(printed(one, number) if one else "-" for one in theirs)])
    return names, rows


def _measured(row: Row, run: Run, score: str, level: str) -> tuple[str, str, str]:
    """How many questions a part has, what was measured of it, and its interval; '-' where nothing was."""
    held = [record for record in run.records if level in ("", record.level, record.difficulty)]
    if not held or (score == "VES" and "ves" not in run.header.scores):
        return f"{len(held):,}", "-", "-"
    if score == "VES":
        return f"{len(held):,}", f"{summary.score('ves')(held).percent:.1f}", "-"
    counted = sum(right(row, run, record) for record in held)
    low, high = wilson(counted, len(held))
    return f"{len(held):,}", f"{100 * counted / len(held):.1f}", f"{100 * low:.1f} to {100 * high:.1f}"


def printed(column: Column, number: int) -> str:
    """A paper's figure with as many digits as its column has: one, SEA-SQL's on BIRD two."""
    digits = 1 if all(round(figure, 1) == figure for figure in column.figures) else 2
    return f"{column.figures[number]:.{digits}f}"


def planned(preset: Preset) -> tuple[list[str], list[list[str]]]:
    """The runs of a preset with their settings, beside the paper's figures for all questions of a set."""
    published = [c for c in PUBLISHED[preset.name] if not c.level]
    names = ["run", "settings", "given of gold"]
    names += [", ".join(filter(None, (SETS[c.set], c.model, c.score if c.score != "EX" else ""))) for c in published]
    rows = []
    for number, row in enumerate(preset.rows):
        settings = "; ".join(f"{name} = {value}" for name, value in {**preset.settings, **row.settings}.items())
        figures = (printed(c, number) for c in published)
        rows.append([row.name, settings, ", ".join(row.oracle), *figures])
    return names, rows
