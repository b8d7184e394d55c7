"""Build the table of an ablation: the figures of its runs beside those that the paper prints."""

from __future__ import annotations

from collections.abc import Sequence

from askwhere.evaluation import presets, summary
from askwhere.evaluation.presets import Preset, Row
from askwhere.evaluation.published import PUBLISHED, Column
from askwhere.evaluation.records import Record, Run
from askwhere.evaluation.statistics import wilson

SETS = {"spider": "Spider", "bird": "BIRD", "kaggle": "KaggleDBQA"}


def columns_of(preset: Preset, set_: str) -> tuple[Column, ...]:
    """Return the paper's columns for a data set, found by its name; for other sets all columns without a level."""
    published = PUBLISHED[preset.name]
    own = tuple(column for column in published if column.set in set_.lower())
    return own or tuple(column for column in published if not column.level)


def right(row: Row, run: Run, record: Record) -> bool:
    """Return whether a question counts as right in a row, by what the row measures (`Row.score`)."""
    if row.score == presets.SKELETON:
        return record.skeleton
    if row.score == presets.PARSED:
        return bool(record.parsed_skeleton)
    if row.score == presets.LINKED:
        return all(share in (None, 1.0) for share in (record.table_recall, record.column_recall))
    return run.right(record)


def table(preset: Preset, runs: Sequence[Run]) -> tuple[list[str], list[list[str]]]:
    """Return the names of the columns, and a row for each run and each part (score and level) that the paper prints.

    Figures are in percent. A level that the questions do not have, and a score that was not computed, is '-'.
    """
    published = columns_of(preset, f"{runs[0].header.set} {runs[0].header.split}")
    parts = list(dict.fromkeys((c.score, c.level) for c in published))
    papers = list(dict.fromkeys((c.set, c.model) for c in published))
    columns = {(c.set, c.model, c.score, c.level): c for c in published}
    names = ["run", "score", "questions", "here", "95 %", *(f"{SETS[set_]}, {model}" for set_, model in papers)]
    rows = []
    for number, (row, run) in enumerate(zip(preset.rows, runs, strict=False)):
        for score, level in parts:
            figures = (columns.get((*paper, score, level)) for paper in papers)
            measure = row.score if row.score != presets.RIGHT else score
            cells = [row.name, " ".join(filter(None, (measure, level))), *_measured(row, run, score, level)]
            rows.append([*cells, *(printed(one, number) if one else "-" for one in figures)])
    return names, rows


def _measured(row: Row, run: Run, score: str, level: str) -> tuple[str, str, str]:
    """Return the number of questions of a level, the figure measured over them and its 95 % interval, as text.

    Where there is no figure or no interval it is '-'.
    """
    records = [record for record in run.records if level in ("", record.level, record.difficulty)]
    if not records or (score == "VES" and "ves" not in run.header.scores):
        return f"{len(records):,}", "-", "-"
    if score == "VES":
        return f"{len(records):,}", f"{summary.score('ves')(records).percent:.1f}", "-"
    counted = sum(right(row, run, record) for record in records)
    low, high = wilson(counted, len(records))
    return f"{len(records):,}", f"{100 * counted / len(records):.1f}", f"{100 * low:.1f} to {100 * high:.1f}"


def printed(column: Column, number: int) -> str:
    """Return a paper's figure with as many digits as its column has: one, or two for SEA-SQL's on BIRD."""
    digits = 1 if all(round(figure, 1) == figure for figure in column.figures) else 2
    return f"{column.figures[number]:.{digits}f}"


def planned(preset: Preset) -> tuple[list[str], list[list[str]]]:
    """Return the names of the columns, and a row for each run of a preset with its settings and the paper's figures."""
    published = [c for c in PUBLISHED[preset.name] if not c.level]
    names = ["run", "settings", "given of gold"]
    names += [", ".join(filter(None, (SETS[c.set], c.model, c.score if c.score != "EX" else ""))) for c in published]
    rows = []
    for number, row in enumerate(preset.rows):
        settings = "; ".join(f"{name} = {value}" for name, value in {**preset.settings, **row.settings}.items())
        figures = (printed(c, number) for c in published)
        rows.append([row.name, settings, ", ".join(row.oracle), *figures])
    return names, rows
