"""`askwhere eval --preset`: makes the runs of a paper's table, and prints the table beside the paper's."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from askwhere import settings
from askwhere.display import table
from askwhere.errors import ArgumentError
from askwhere.evaluation import ablation, presets
from askwhere.evaluation.plans import Request
from askwhere.evaluation.presets import Preset, Row
from askwhere.evaluation.records import Run


class Perform(Protocol):
    """A function that makes one run."""

    def __call__(self, request: Request, /, *, output: Path | None) -> tuple[Path, Run, Any]:
        """Make a run, and return its file, its records, and its summary.

        Without `output` the file is named by the run's identity.
        """


def run(request: Request, name: str, folder: Path | None, as_json: bool, perform: Perform) -> int:
    """Make the runs of a preset in `folder`, and print its table. Returns the exit code.

    Raises `ArgumentError` where the preset needs a model or settings that were not given.
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
    """Return the request of one row. Its settings may come from the environment or the configuration."""
    loaded = settings.load(request.settings)
    if loaded["model"] == "reader":
        raise ArgumentError(f"preset {preset.name} needs a model: --model openai:NAME, or gguf:FILE")
    elsewhere = {name: settings.as_text(loaded[name]) for name in preset.needs if loaded[name]}
    own = preset.settings_of(row, {**elsewhere, **request.settings})
    return replace(request, settings=own, preset=f"{preset.name}: {row.name}", oracle=row.oracle)
