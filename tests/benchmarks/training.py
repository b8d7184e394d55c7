"""What training costs here: how fast texts are made, and how fast a model learns from them.

python tests/benchmarks/training.py              # the texts, and the 5M shape on this machine's device
python tests/benchmarks/training.py --shape 30M --rows 32 --workers 14   # on a card
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import torch
from askwhere.training import packing, pretraining, small
from askwhere.training.corpus import Corpus
from askwhere.training.source import Source, read
from tokenizers import Tokenizer

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("ASKWHERE_DATA", ROOT / "../shared/data")) / "spider"


def loader(source: Source, words: Tokenizer, length: int, seconds: float) -> Iterator[str]:
    """Yield how many texts and tokens one process makes in a second."""
    stream, began, texts, group = Corpus(source), time.perf_counter(), 0, 0
    while time.perf_counter() - began < seconds:
        texts += len(stream.group(group).texts)
        group += 1
    yield f"texts a second and process: {texts / (time.perf_counter() - began):,.0f}"
    rows, made, filled, learned = packing.rows(stream, words, length), 0, 0, 0
    began = time.perf_counter()
    while (taken := time.perf_counter() - began) < seconds:
        _, row = next(rows)
        made += length
        filled += int((row.document >= 0).sum())
        learned += int(row.replies.sum())
    yield f"tokens a second and process, as rows: {made / taken:,.0f}"
    yield f"of a row's tokens, filled: {filled / made:.1%}, of replies: {learned / made:.1%}"


def training(
    plan: pretraining.Plan, source: Source, words: Tokenizer, device: str, seconds: float, workers: int
) -> Iterator[str]:
    """Yield how many tokens are learned from in a second, once the first steps are over."""
    run = pretraining.begin(plan, device)
    with tempfile.TemporaryDirectory() as folder:
        records = list(pretraining.train(run, source, words, Path(folder), seconds, workers))
    if len(records) < 2:
        yield f"fewer than {2 * pretraining.EVERY} steps in {seconds:.0f} seconds"
        return
    steps, spent = (records[-1][name] - records[0][name] for name in ("step", "seconds"))
    rate = steps * plan.rows * plan.length / spent
    work = rate * small.SHAPES[plan.shape].flops(plan.length)
    waited = (records[-1]["waited"] - records[0]["waited"]) / spent
    yield f"tokens a second in training, {plan.shape} on {device}: {rate:,.0f}, {work / 1e12:.3f} TFLOP a second"
    yield f"of that time, waiting for texts of {workers} processes: {waited:.1%}"


def main() -> None:
    """Measure, and print each figure as it comes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA, metavar="FOLDER")
    parser.add_argument("--shape", default="5M", choices=small.SHAPES)
    parser.add_argument("--rows", type=int, default=2, metavar="N")
    parser.add_argument("--length", type=int, default=2_048, metavar="N")
    parser.add_argument("--seconds", type=float, default=60.0, metavar="N", help="of each measurement")
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="processes that make the texts")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parsed = parser.parse_args()
    began = time.perf_counter()
    source = read(parsed.data)
    print(f"seconds to read {len(source.worlds)} databases: {time.perf_counter() - began:.1f}", flush=True)
    plan = pretraining.Plan(parsed.shape, 1_000_000, parsed.rows, parsed.length)
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        words = pretraining.tokenizer_in(Path(folder), source, small.SHAPES[parsed.shape].vocabulary)
        print(f"seconds to train the tokenizer: {time.perf_counter() - began:.1f}", flush=True)
    for line in loader(source, words, parsed.length, parsed.seconds / 4):
        print(line, flush=True)
    for line in training(plan, source, words, parsed.device, parsed.seconds, parsed.workers):
        print(line, flush=True)


if __name__ == "__main__":
    main()
