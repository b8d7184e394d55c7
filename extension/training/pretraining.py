"""Train the small model, from the first step or from a saved state, on a GPU or on the CPU.

A run is saved in a folder every two minutes and at the end, with its log; `resumed` continues it. Processes of their
own make the training rows ahead of the optimizer (`Feed`).
"""

from __future__ import annotations

import itertools
import json
import multiprocessing
import os
import queue
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from askwhere import files
from askwhere.errors import ArgumentError
from askwhere.training import packing, tokenizer
from askwhere.training.corpus import Corpus
from askwhere.training.packing import Row
from askwhere.training.small import SHAPES, Small, block_mask, documents
from askwhere.training.source import Source

if TYPE_CHECKING:
    from tokenizers import Tokenizer

# The number of the first group that loss is measured on (validation); groups to train on are numbered from 0.
HELD_BACK = -1_000_000


@dataclass(frozen=True)
class Plan:
    """The size of a model and its training: how much it reads and how fast it learns.

    A step takes `rows` rows of `length` tokens. Matrices are trained by Muon (Jordan et al., 2024), other parameters by
    AdamW, both at `rate`, which rises over the first `warm` steps and falls linearly to 0 over the last share `cool` of
    the steps. The loss is over replies, and with the weight `prompts` over prompts: names and values that are repeated
    in prompts teach a young model to copy.
    """

    shape: str = "5M"
    steps: int = 10_000
    rows: int = 8
    length: int = 2_048
    rate: float = 0.005
    warm: int = 50
    cool: float = 0.4
    prompts: float = 0.2
    seed: int = 0

    def rate_at(self, step: int) -> float:
        """Return the learning rate at a step, as a share of the full rate."""
        left = (self.steps - step) / max(1.0, self.cool * self.steps)
        return max(0.0, min(1.0, (step + 1) / self.warm, left))

    def numbers(self, card: float) -> dict[str, float]:
        """Return what the run costs: parameters, tokens, floating-point operations and seconds.

        `card` is the operations that the GPU does in a second; the seconds assume that 20 % of them are reached.
        """
        tokens = float(self.steps * self.rows * self.length)
        work = tokens * SHAPES[self.shape].flops(self.length)
        return {
            "parameters": SHAPES[self.shape].parameters,
            "tokens": tokens,
            "operations": work,
            "seconds": work / (0.2 * card),
        }


@dataclass
class Run:
    """A run in progress: its model and optimizers, the steps done, and the next group of the corpus."""

    plan: Plan
    model: Small
    optimizers: tuple[torch.optim.Optimizer, ...]
    step: int = 0
    group: int = 0


# Steps between two records in the log.
EVERY = 20
# The number of groups of texts that a tokenizer is trained on.
_SAMPLED = 600


def tokenizer_in(folder: Path, source: Source, size: int) -> Tokenizer:
    """Return the tokenizer in a folder; where there is none, train one of `size` tokens and write it there."""
    path = folder / "tokenizer.json"
    if not path.exists():
        corpus = Corpus(source)
        texts = (text for i in range(_SAMPLED) for text in corpus.group(HELD_BACK - 1 - i).texts)
        part = folder / "tokenizer.part"
        tokenizer.train((f"{text.prompt[-700:]}{text.reply}" for text in texts), size).save(str(part))
        part.replace(path)
    return tokenizer.read(path)


def begin(plan: Plan, device: str) -> Run:
    """Return a run at its first step."""
    torch.manual_seed(plan.seed)
    model = Small(SHAPES[plan.shape]).to(device)
    matrices = [p for name, p in model.named_parameters() if p.ndim == 2 and "embedding" not in name]
    others = [p for name, p in model.named_parameters() if p.ndim != 2 or "embedding" in name]
    muon = torch.optim.Muon(matrices, lr=plan.rate, momentum=0.95, weight_decay=0.01, adjust_lr_fn="match_rms_adamw")
    adam = torch.optim.AdamW(others, lr=plan.rate, betas=(0.9, 0.95), weight_decay=0.0)
    return Run(plan, model, (muon, adam))


def resumed(folder: Path, device: str) -> Run | None:
    """Return the run whose state is in the folder, or None. Raises `ArgumentError` where the state is an adapter's."""
    path = folder / "state.pt"
    if not path.exists():
        return None
    state = torch.load(path, map_location=device, weights_only=True)
    if "model" not in state:
        raise ArgumentError(f"{folder} holds a run of an adapter; name another folder")
    run = begin(Plan(**state["plan"]), device)
    run.model.load_state_dict(state["model"])
    for optimizer, kept in zip(run.optimizers, state["optimizers"], strict=True):
        optimizer.load_state_dict(kept)
    run.step, run.group = state["step"], state["group"]
    return run


def keep(run: Run, folder: Path) -> None:
    """Write the run's state; the file before it stays until the new one is whole."""
    part = folder / "state.part"
    state = {
        "plan": asdict(run.plan), "model": run.model.state_dict(), "step": run.step, "group": run.group,
        "optimizers": [optimizer.state_dict() for optimizer in run.optimizers],
    }  # fmt: skip
    torch.save(state, part)
    part.replace(folder / "state.pt")


def train(
    run: Run, source: Source, words: Tokenizer, folder: Path, seconds: float, workers: int
) -> Iterator[dict[str, Any]]:
    """Train until the plan is done or `seconds` are over, then save the state; yield a record every `EVERY` steps."""
    plan, device = run.plan, next(run.model.parameters()).device.type
    work = torch.compile(run.model) if device == "cuda" else run.model
    began = last = kept = time.monotonic()
    read = 0
    with files.adding(folder / "log.jsonl") as log, Feed(source, words, plan, run.group, workers) as feed:
        while run.step < plan.steps and time.monotonic() - began < seconds:
            for optimizer in run.optimizers:
                for group in optimizer.param_groups:
                    group["lr"] = plan.rate * plan.rate_at(run.step)
            batch = feed.take(plan.rows)
            loss = _loss(work, batch, device, plan.prompts)
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(run.model.parameters(), 1.0)
            for optimizer in run.optimizers:
                optimizer.step()
                optimizer.zero_grad(set_to_none=True)
            run.step, run.group = run.step + 1, feed.group
            read += plan.rows * plan.length
            now = time.monotonic()
            # Reading the loss waits for the GPU, so it is not done at every step.
            if run.step % EVERY == 0 or run.step == plan.steps:
                record = {
                    "step": run.step,
                    "loss": round(loss.item(), 4),
                    "tokens_per_second": round(read / (now - last)),
                    "waited": round(feed.waited, 1),
                    "seconds": round(now - began, 1),
                }
                print(json.dumps(record), file=log, flush=True)
                yield record
                last, read = time.monotonic(), 0
            if now - kept > 120:
                keep(run, folder)
                kept = now
    keep(run, folder)


def held_back(run: Run, source: Source, words: Tokenizer, rows: int = 16) -> float:
    """Return the mean loss over the replies of groups that are never trained on.

    `source` has the databases held back, so that the loss is over databases that the model has never seen.
    """
    device = next(run.model.parameters()).device.type
    stream = packing.rows(Corpus(source, run.plan.seed), words, run.plan.length, HELD_BACK)
    with torch.no_grad():
        losses = (_loss(run.model, [row], device).item() for _, row in itertools.islice(stream, rows))
        return sum(losses) / rows


def _loss(model: Any, batch: list[Row], device: str, prompts: float = 0.0) -> torch.Tensor:
    """Return the mean loss over the replies of a batch, and over its prompts with the weight `prompts`."""

    def stacked(name: str) -> torch.Tensor:
        return torch.from_numpy(np.stack([getattr(row, name) for row in batch])).to(device, non_blocking=True)

    document, part, targets = stacked("document"), stacked("part"), stacked("targets")
    weights = torch.where(stacked("replies") > 0, 1.0, prompts) * (targets >= 0)
    half = device == "cuda" or _bf16()
    kind = torch.bfloat16 if half else torch.float32
    mask = block_mask(document, part) if device == "cuda" else documents(document, part, kind)
    with torch.autocast(device, torch.bfloat16, enabled=half):
        loss = model(stacked("tokens").long(), stacked("places"), mask, targets, weights)
    assert isinstance(loss, torch.Tensor)
    return loss


def _bf16() -> bool:
    """Return whether the CPU has instructions for bfloat16."""
    return bool(torch.cpu._is_avx512_bf16_supported())


class Feed:
    """Training rows made ahead by worker processes.

    `group` is the number of the group to continue from, `waited` the seconds that `take` has waited.
    """

    def __init__(self, source: Source, words: Tokenizer, plan: Plan, group: int, workers: int) -> None:
        self.group, self.waited = group, 0.0
        context = multiprocessing.get_context("fork")
        self._queue = context.Queue(maxsize=4 * plan.rows)
        self._workers = [
            context.Process(
                target=_fed, args=(self._queue, source, words.to_str(), plan, group + i, workers), daemon=True
            )
            for i in range(workers)
        ]
        for worker in self._workers:
            worker.start()

    def __enter__(self) -> Feed:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.terminate()
            worker.join()
        self._queue.close()

    def take(self, count: int) -> list[Row]:
        """Return the next rows, and wait for them."""
        began = time.monotonic()
        found = []
        for _ in range(count):
            while True:
                try:
                    number, row = self._queue.get(timeout=10)
                    break
                except queue.Empty:
                    if not any(worker.is_alive() for worker in self._workers):
                        raise RuntimeError("the processes that make the training texts have died") from None
            self.group = max(self.group, number)
            found.append(row)
        self.waited += time.monotonic() - began
        return found


def _fed(out: Any, source: Source, words: str, plan: Plan, first: int, step: int) -> None:
    """Put rows on a queue, in a worker process, of each `step`-th group from `first` on."""
    from tokenizers import Tokenizer

    os.environ["TOKENIZERS_PARALLELISM"] = "false"  # each worker has one core
    torch.set_num_threads(1)
    corpus = Corpus(source, plan.seed)
    for item in packing.rows(corpus, Tokenizer.from_str(words), plan.length, first, step):
        out.put(item)
