"""`askwhere eval compare`: compares two runs, question by question."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from askwhere.bindings.cli import options
from askwhere.bindings.cli.results import LISTED, one_line, reply_line
from askwhere.cells import visible
from askwhere.display import table
from askwhere.evaluation import compare, records
from askwhere.evaluation.compare import Comparison, Pair
from askwhere.evaluation.records import Record, Run


def add(commands: Any) -> None:
    """Add the commands to those of `askwhere eval`."""
    compared = options.subcommand(
        commands, "compare", "compare two runs question by question: which answers got better, which worse"
    )
    compared.add_argument("first", type=Path, metavar="A", help="the file of a run")
    compared.add_argument("second", type=Path, metavar="B", help="the file of another run with the same questions")
    compared.add_argument(
        "--questions",
        type=int,
        default=LISTED,
        metavar="N",
        help=f"list at most N of the better and of the worse; {LISTED} by default",
    )
    compared.add_argument(
        "--score", metavar="NAME", help="the score by which an answer counts as right; the runs' own by default"
    )
    compared.add_argument("--json", action="store_true", help="print the comparison as JSON")
    compared.set_defaults(run=_compare)


def _compare(parsed: argparse.Namespace) -> int:
    runs = [records.read(path) for path in (parsed.first, parsed.second)]
    if parsed.score:
        runs = [compare.by_score(run, parsed.score) for run in runs]
    comparison = compare.compare(*runs)
    if parsed.json:
        print(json.dumps(_as_json(comparison), ensure_ascii=False))
        return 0
    print(f"first:  {visible(str(parsed.first))}, {name_of(comparison.first)}")
    print(f"second: {visible(str(parsed.second))}, {name_of(comparison.second)}\n")
    print(table(compare.COLUMNS, compare.table(comparison)).rsplit("\n", 1)[0], "\n", sep="")
    print(compare.sentence(comparison))
    for note in filter(None, (compare.left_out(comparison), *comparison.notes)):
        print(note)
    for title, pairs in (("Better", comparison.better), ("Worse", comparison.worse)):
        for listed in _pair_lines(title, pairs, max(parsed.questions, 0)):
            print(listed)
    return 0


def _pair_lines(title: str, pairs: Sequence[Pair], most: int) -> Iterator[str]:
    if pairs and most:
        more = f", the first {most:,} shown" if len(pairs) > most else ""
        yield f"\n{title}: {len(pairs):,}{more}"
        for pair in pairs[:most]:
            level = compare.hardness(pair.first)
            yield visible(f"\n  {pair.first.question}  ({', '.join(filter(None, (*_place(pair.first), level)))})")
            yield f"    gold:   {one_line(pair.first.gold)}"
            yield f"    first:  {reply_line(pair.first)}"
            yield f"    second: {reply_line(pair.second)}"


def _place(record: Record) -> tuple[str, str]:
    return record.db_id, record.id


def _as_json(compared: Comparison) -> dict[str, Any]:
    """Return a comparison as JSON, with every question that one run alone has right."""
    test = compared.test
    return {
        "questions": len(compared.pairs),
        "only_first": compared.only_first,
        "only_second": compared.only_second,
        "mcnemar": {"p": test.p, "statistic": test.statistic, "exact": test.exact},
        "notes": list(compared.notes),
        "levels": [dict(zip(compare.COLUMNS, row, strict=True)) for row in compare.table(compared)],
        **{
            name: [_pair(pair) for pair in pairs]
            for name, pairs in (("better", compared.better), ("worse", compared.worse))
        },
    }


def _pair(pair: Pair) -> dict[str, Any]:
    record = pair.first
    given = {"id": record.id, "db_id": record.db_id, "question": record.question, "gold": record.gold}
    return {**given, "first": record.predicted, "second": pair.second.predicted}


def name_of(run: Run) -> str:
    """Return a short name for a run: its set, model, method and settings."""
    header = run.header
    how = header.method or f"effort {header.effort}"
    by = "the built-in reader" if header.model == "reader" else f"{header.model}, {how}"
    given = (f"{name} = {value}" for name, value in sorted(header.settings.items()))
    return visible(", ".join((Path(header.set).stem, by, *given)))
