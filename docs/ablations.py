"""Write the tables of evaluation.md that come from the presets: runs, settings, and the papers' figures."""

from __future__ import annotations

from collections.abc import Iterator

from askwhere.evaluation import ablation, presets
from askwhere.evaluation.presets import PRESETS, Preset
from askwhere.evaluation.published import PUBLISHED, Column

COUNTED = {
    presets.SKELETON: "whose query has gold's skeleton",
    presets.PARSED: "whose parsed skeleton is gold's",
    presets.LINKED: "whose prompt shows all tables and columns that gold names",
}


def tables() -> str:
    """Return a section for each preset: its command, its runs, and the papers' figures."""
    return "\n".join(line for preset in PRESETS for line in _section(preset))


def _section(preset: Preset) -> Iterator[str]:
    needs = "".join(f" --set {name}={name.upper()}" for name in preset.needs)
    scores = dict.fromkeys(COUNTED[row.score] for row in preset.rows if row.score in COUNTED)
    counted = f" Percent of the questions {', or '.join(scores)}." if scores else ""
    yield from (f"#### {preset.title}", "", f"{preset.about[0].upper()}{preset.about[1:]}.{counted}", "")
    yield from ("```sh", f"askwhere eval SET --preset {preset.name} --model MODEL{needs}", "```", "")
    published = PUBLISHED[preset.name]
    papers = list(dict.fromkeys((c.set, "" if scores else c.score) for c in published))
    names = " | ".join(" ".join(filter(None, (ablation.SETS[set_], score))) for set_, score in papers)
    yield from (f"| run | settings | yours | {names} |", "|---|---|---|" + "---|" * len(papers))
    for number, row in enumerate(preset.rows):
        given = [f"`{name}={value}`" for name, value in row.settings.items()] + [
            f"{name} of gold" for name in row.oracle
        ]
        of_papers = ([c for c in published if c.set == set_ and score in ("", c.score)] for set_, score in papers)
        figures = " | ".join(_figures(columns, number) for columns in of_papers)
        yield f"| {row.name} | {'; '.join(given)} | | {figures} |"
    fixed = ", ".join(f"`{name}={value}`" for name, value in preset.settings.items())
    models = " / ".join(dict.fromkeys(c.model for c in published))
    yield from ("", f"Settings of all runs: {fixed}. The paper's: {models}.", "")


def _figures(columns: list[Column], number: int) -> str:
    """Return the figures of each model for all questions, and in brackets those by level, the easiest first."""
    levels = [ablation.printed(c, number) for c in columns if c.level]
    whole = " / ".join(ablation.printed(c, number) for c in columns if not c.level)
    return f"{whole} ({' / '.join(levels)})" if levels else whole
