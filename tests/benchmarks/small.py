"""What each step of the three papers is worth to one model: Spider's dev and realistic questions, by the official rule.

    python tests/benchmarks/small.py --model gguf:small.gguf                # all questions, all rows
    python tests/benchmarks/small.py --model gguf:small.gguf --sample 100   # so many of each set

Each row is a run of `askwhere eval`, kept under --output, so that what was cut short goes on. From `two values` on
every prompt shows two values of each column. Rows below it add one step to that row, DAC's to DAC's own first query,
with examples from Spider's training questions. Questions about `wta_1`, a rebuilt database, count as the others do.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from askwhere.bindings.opening import open_database
from askwhere.evaluation import plans, runner, summary
from askwhere.evaluation.plans import Request
from askwhere.evaluation.presets import Row
from askwhere.evaluation.records import Run
from askwhere.tables import table

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("ASKWHERE_DATA", ROOT / "../shared/data")) / "spider"
SETS = {"dev": "Spider dev", "realistic": "Spider-Realistic"}
COLUMNS = ("what answers", *(f"{name}: EX" for name in SETS.values()), "completions", "median s", "p95 s")

# What the prompts were that the small model learned from.
_SHOWN = {"values": "show", "schema_tokens": "1200"}
_FIRST = {"method": "sea", "grammar": "off", "leave_out": "elimination, adjustment", "values_shown": "2"}
_DAC = {"method": "dac", "grammar": "off"}
# One prompt without examples, as the first query's.
_SAMPLES = {"method": "mcs", "grammar": "off", "mcs": "prompts=1, samples=20"}
ROWS = (
    Row("reader", {"model": "reader"}),
    Row("greedy, no values", {**_FIRST, "values_shown": "0"}),
    Row("one value", {**_FIRST, "values_shown": "1"}),
    Row("two values", _FIRST),
    Row("three values", {**_FIRST, "values_shown": "3"}),
    Row("two values + execution adjustment", {**_FIRST, "leave_out": "elimination"}),
    Row("two values + grammar", {**_FIRST, "grammar": "names"}),
    Row("DAC's first query", {**_DAC, "leave_out": "entities, skeleton, execution"}),
    Row("DAC's first query + entities", {**_DAC, "leave_out": "skeleton, execution"}),
    Row("DAC's first query + skeleton", {**_DAC, "leave_out": "entities, execution"}),
    Row("DAC's first query + execution", {**_DAC, "leave_out": "entities, skeleton"}),
    Row("20 samples, agreement", {**_SAMPLES, "leave_out": "linking, rows, examples, choice"}),
    Row("20 samples, agreement + choice", {**_SAMPLES, "leave_out": "linking, rows, examples"}),
    Row("reader and model together", {"effort": "fast"}),
)


def made(row: Row, number: int, parsed: argparse.Namespace) -> Iterator[Run]:
    """Yield the runs of a row, one for each set."""
    examples = {"examples": str(DATA / "train_spider.jsonl")} if row.settings.get("method") == "dac" else {}
    settings: Mapping[str, str] = {"model": parsed.model, **_SHOWN, **examples, **row.settings}
    for split in SETS:
        request = Request(DATA, split=split, settings=settings, sample=parsed.sample, seed=parsed.seed)
        path = parsed.output / f"{number:02}-{split}.jsonl"
        run, _ = runner.run(plans.plan(request, open_database), open_database, path, parsed.workers)
        yield run


def line(name: str, runs: list[Run]) -> tuple[str, ...]:
    """Return a row of the table; cost and time are those of the first set."""
    found = [summary.summary(run) for run in runs]
    right = [one["figures"]["spider_ex"]["all"] for one in found]
    used = found[0]["usage"]
    return (
        name,
        *(f"{one['percent']:.1f} ({one['low']:.1f} to {one['high']:.1f})" for one in right),
        f"{used['calls'] / found[0]['questions']:.1f}",
        f"{used['seconds_median']:.2f}",
        f"{used['seconds_p95']:.2f}",
    )


def main() -> None:
    """Make the runs, each row's figures as they come, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, help="the setting model, such as gguf:small.gguf")
    parser.add_argument("--sample", type=int, metavar="N", help="so many questions of each set")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="what they are drawn by")
    parser.add_argument("--only", default="", metavar="TEXT", help="the rows alone whose name has this text")
    parser.add_argument("--workers", type=int, default=2, metavar="N")
    parser.add_argument("--output", type=Path, default=Path("evaluation/small"), metavar="FOLDER")
    parsed = parser.parse_args()
    parsed.output.mkdir(parents=True, exist_ok=True)
    lines = []
    for number, row in enumerate(ROWS, 1):
        if parsed.only in row.name:
            lines.append(line(row.name, list(made(row, number, parsed))))
            print("; ".join(lines[-1]), flush=True)
    print(f"\n{table(COLUMNS, lines)}")


if __name__ == "__main__":
    main()
