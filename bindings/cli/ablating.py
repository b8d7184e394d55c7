"""`askwhere eval --preset`: the runs of a paper's table one after the other, and the table beside the paper's."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from askwhere import settings
from askwhere.bindings.cli.show import table
from askwhere.errors import ArgumentError
from askwhere.evaluation import ablation, presets
from askwhere.evaluation.plans import Request
from askwhere.evaluation.presets import Preset, Row
from askwhere.evaluation.records import Run


class Perform(Protocol):
    """Makes one run."""

    def __call__(self, request: Request, /, *, output: Path | None) -> tuple[Path, Run, Any]:
        """The file of the run, what came of it, and its summary; without `output` the file is named by what it is."""


def run(request: Request, name: str, folder: Path | None, as_json: bool, perform: Perform) -> int:
    """Make the runs of a preset and print its table; `folder` is where they are written.

    Raises `ArgumentError` where the preset needs what was not given.
    """
    preset = presets.named(name)
    asked = [_request(request, preset, row) for row in preset.rows]
    made = []
    for number, (row, one) in enumerate(zip(preset.rows, asked, strict=True), 1):
        if sys.stderr.isatty():
            print(f"{preset.name}, run {number} of {len(asked)}: {row.name}", file=sys.stderr)
        path, found, _ = perform(one, output=folder and folder / f"{preset.name}-{number}.jsonl")
        made.append((path, found))
    columns, rows = ablation.table(preset, [found for _, found in made])
    if as_json:
        shown = {"preset": preset.name, "columns": columns, "rows": rows, "runs": [str(path) for path, _ in made]}
        print(json.dumps(shown, ensure_ascii=False))
        return 0
    print(f"\n{preset.title}: {preset.about}")
    print(f"here: {request.set} with {made[0][1].header.model}; beside it the paper's figures for dev, in percent")
    print(table(columns, rows))
    print("\n".join(f"written to {path}" for path, _ in made))
    return 0


def _request(request: Request, preset: Preset, row: Row) -> Request:
    """The request of one row. What it needs may come from the environment or the file of settings, too."""
    loaded = settings.load(request.settings)
    if loaded["model"] == "reader":
        raise ArgumentError(f"preset {preset.name} needs a model: --model openai:NAME, or gguf:FILE")
    elsewhere = {name: settings.as_text(loaded[name]) for name in preset.needs if loaded[name]}
    own = preset.settings_of(row, {**elsewhere, **request.settings})
    return replace(request, settings=own, preset=f"{preset.name}: {row.name}", oracle=row.oracle)
