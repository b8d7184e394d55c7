"""Hold the figures that the papers print in the tables of `presets`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Column:
    """One column of a paper's table: a figure in percent for each row of the preset, on a data set's dev split.

    `level` names a part of the set's questions, '' for all; `score` is 'EX' or 'VES'.
    """

    set: str
    model: str
    figures: tuple[float, ...]
    level: str = ""
    score: str = "EX"


def _levels(set_: str, model: str, score: str, levels: tuple[str, ...], *rows: tuple[float, ...]) -> tuple[Column, ...]:
    """Return the columns of a table that is written down by its rows, one column for each level."""
    return tuple(
        Column(set_, model, tuple(figures), level, score)
        for level, figures in zip(levels, zip(*rows, strict=True), strict=True)
    )


def _sets(model: str, *rows: tuple[float, float, float]) -> tuple[Column, ...]:
    """Return the columns of one model in DAC's tables, which are written down by their rows."""
    figures = zip(*rows, strict=True)
    return tuple(Column(set_, model, tuple(f)) for set_, f in zip(("spider", "bird", "kaggle"), figures, strict=True))


_BIRD = ("simple", "moderate", "challenging", "")
_SPIDER = ("easy", "medium", "hard", "extra", "")
_GPT_35 = "GPT-3.5 + Mistral-7B"
_LLAMA = ("Llama3-8B", "Llama3-70B")
_DEEPSEEK = ("Deepseek-Coder-6.7B", "Deepseek-Coder-33B")

PUBLISHED: dict[str, tuple[Column, ...]] = {
    "sea-table-3": (
        *_levels(
            "bird", _GPT_35, "EX", _BIRD,
            (64.11, 47.74, 31.94, 56.13), (62.49, 45.81, 30.56, 54.43), (62.27, 43.44, 27.28, 53.32),
            (59.57, 37.85, 21.53, 49.41),
        ),
        *_levels(
            "bird", _GPT_35, "VES", _BIRD,
            (69.63, 51.71, 33.72, 60.83), (66.45, 49.98, 31.32, 58.16), (67.80, 46.72, 29.64, 57.83),
            (63.98, 41.03, 22.50, 53.13),
        ),
        Column("spider", _GPT_35, (83.6, 81.8, 83.6, 80.9)),
    ),
    "sea-table-4": (
        *_levels(
            "bird", "GPT-3.5", "EX", _BIRD,
            (49.51, 30.11, 21.53, 41.00), (59.24, 36.34, 22.22, 48.83), (59.57, 37.85, 21.53, 49.41),
            (59.14, 36.99, 20.83, 48.83),
        ),
        *_levels(
            "bird", "GPT-3.5", "VES", _BIRD,
            (55.65, 30.20, 22.13, 44.79), (63.55, 38.47, 22.53, 52.10), (63.98, 41.03, 22.50, 53.13),
            (61.97, 40.88, 23.29, 51.95),
        ),
        Column("spider", "GPT-3.5", (76.4, 79.5, 80.9, 78.5)),
    ),
    "dac-table-3": (
        *_sets(_LLAMA[0], (75.0, 37.3, 29.4), (74.9, 36.4, 29.2), (73.3, 35.3, 29.0)),
        *_sets(_LLAMA[1], (81.3, 48.4, 35.1), (81.2, 47.1, 34.9), (80.9, 47.1, 33.8)),
        *_sets(_DEEPSEEK[0], (77.1, 44.7, 25.4), (77.0, 44.1, 25.4), (76.5, 44.6, 25.2)),
        *_sets(_DEEPSEEK[1], (80.1, 52.7, 29.2), (79.9, 52.1, 28.3), (79.4, 51.6, 28.9)),
    ),
    "dac-table-6": (
        *_sets(_LLAMA[0], (32.0, 8.1, 18.2), (35.1, 10.1, 19.5)),
        *_sets(_LLAMA[1], (36.1, 11.7, 24.3), (37.4, 12.0, 25.2)),
        *_sets(_DEEPSEEK[0], (36.0, 13.2, 15.4), (37.7, 18.3, 19.9)),
        *_sets(_DEEPSEEK[1], (35.0, 11.5, 17.5), (36.5, 16.2, 19.3)),
    ),
    "dac-table-7": (
        *_sets(_LLAMA[0], (75.0, 37.3, 29.4), (75.9, 37.7, 29.8), (75.6, 37.9, 30.5), (76.4, 38.0, 30.7)),
        *_sets(_LLAMA[1], (81.3, 48.4, 35.1), (81.8, 48.6, 37.3), (83.6, 48.9, 36.9), (83.8, 49.5, 38.6)),
        *_sets(_DEEPSEEK[0], (77.1, 44.7, 25.4), (77.9, 44.7, 26.3), (78.9, 44.8, 26.5), (78.9, 45.4, 27.2)),
        *_sets(_DEEPSEEK[1], (80.1, 52.7, 29.2), (80.7, 52.7, 31.1), (81.0, 52.8, 30.0), (81.6, 53.1, 31.1)),
    ),
    "mcs-table-3": _levels(
        "bird", "GPT-4", "EX", _BIRD,
        (59.0, 40.2, 30.6, 50.7), (61.4, 41.1, 35.4, 52.8), (64.1, 42.6, 38.9, 55.2), (67.1, 51.6, 41.0, 60.0),
        (69.3, 52.0, 48.6, 62.1), (70.4, 53.1, 51.4, 63.4),
    ),
    "mcs-table-4": _levels(
        "spider", "GPT-4", "EX", _SPIDER,
        (79.0, 83.4, 66.7, 52.4, 74.6), (86.7, 85.0, 67.2, 57.2, 77.9), (89.9, 88.6, 69.0, 59.0, 80.9),
        (94.0, 90.4, 86.2, 66.3, 86.7), (93.1, 92.6, 88.5, 72.2, 88.8), (94.0, 93.5, 88.5, 72.9, 89.5),
    ),
    "mcs-table-5": (Column("bird", "GPT-4", (61.3, 77.1, 89.8)), Column("spider", "GPT-4", (91.8, 96.5, 99.2))),
    "mcs-table-6": (Column("bird", "GPT-4", (57.0, 59.3, 60.0)), Column("spider", "GPT-4", (82.0, 86.2, 86.7))),
    "mcs-table-7": (Column("bird", "GPT-4", (62.8, 62.5, 63.4)), Column("spider", "GPT-4", (89.2, 85.4, 89.5))),
}  # fmt: skip
