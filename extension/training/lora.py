"""Train a LoRA adapter on a causal language model, by pairs of a prompt and its reply.

The defaults are for a few thousand pairs: 16 a step, a rate of 2e-4 that rises over the first tenth of the steps and
then falls linearly, one epoch, and the loss over the reply alone. The model computes in the precision that its files
have; the adapter's weights are kept in 32 bits beside it.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import torch
from askwhere import files
from askwhere.errors import ArgumentError
from askwhere.frozen import frozen
from askwhere.training import prefixes
from askwhere.training.pairs import Pair
from askwhere.training.prefixes import Encoded, Pack
from torch.nn.attention import SDPBackend, sdpa_kernel

# The matrices that get an adapter: those of attention and feed-forward.
MATRICES = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")


@frozen
class Plan:
    """The settings of a run; a step has the packs of about `batch` pairs.

    `warm` is the share of the steps over which the rate rises; `longest` is the most tokens of a pack. Packs with more
    than `cost` tokens for each pair are left out: a long schema with few questions teaches little for its time. A share
    `upper` of the layers, the last ones, get an adapter, so that no gradients go through the others. `start` is the
    adapter that the run begins with, '' for none.
    """

    rate: float = 2e-4
    batch: int = 16
    epochs: int = 1
    warm: float = 0.1
    rank: int = 16
    alpha: int = 32
    upper: float = 0.5
    longest: int = 2_048
    cost: float = float("inf")
    seed: int = 0
    start: str = ""

    def rate_at(self, step: int, steps: int) -> float:
        """Return the learning rate at a step, as a share of the full rate."""
        warm = max(1, round(self.warm * steps))
        return min((step + 1) / warm, (steps - step) / max(1, steps - warm))


@dataclass
class Run:
    """A run in progress: the model with its adapter, the tokenizer, the optimizer, and the steps done.

    `learned` are the adapter's weights in the model, `exact` the same in 32 bits, which the optimizer changes.
    `workers` is the number of threads, each of which computes a pack at a time.
    """

    plan: Plan
    model: Any
    tokenizer: Any
    learned: list[torch.nn.Parameter]
    exact: list[torch.nn.Parameter]
    optimizer: torch.optim.Optimizer
    workers: int = 1
    step: int = 0

    def update_model(self) -> None:
        """Give the model the weights that the optimizer has changed."""
        with torch.no_grad():
            for own, exact in zip(self.learned, self.exact, strict=True):
                own.copy_(exact)


def begin(base: Path, plan: Plan, device: str, workers: int = 1) -> Run:
    """Return a run at its first step, on a model in Hugging Face's format in the folder `base`.

    Raise `ArgumentError` where there is no such model.
    """
    from peft import LoraConfig, get_peft_model
    from transformers import AutoModelForCausalLM, AutoTokenizer
    from transformers.utils import logging

    torch.manual_seed(plan.seed)
    if not (base / "config.json").is_file():
        raise ArgumentError(f"{base} holds no model: expected a folder with config.json, weights and a tokenizer")
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    tokenizer = AutoTokenizer.from_pretrained(base, local_files_only=True)
    model: Any = AutoModelForCausalLM.from_pretrained(
        base, dtype="auto", local_files_only=True, attn_implementation="sdpa"
    )
    model.to(device)
    layers = model.config.num_hidden_layers
    config = LoraConfig(
        r=plan.rank, lora_alpha=plan.alpha, lora_dropout=0.0, target_modules=list(MATRICES), task_type="CAUSAL_LM",
        layers_to_transform=list(range(layers - max(1, round(plan.upper * layers)), layers)),
    )  # fmt: skip
    adapted = get_peft_model(model, config, autocast_adapter_dtype=False)
    learned = [p for p in adapted.parameters() if p.requires_grad]
    exact = [torch.nn.Parameter(p.detach().float().clone()) for p in learned]
    optimizer = torch.optim.AdamW(exact, lr=plan.rate, weight_decay=0.0)
    return Run(plan, adapted, tokenizer, learned, exact, optimizer, workers)


def resume(base: Path, folder: Path, device: str, workers: int = 1) -> Run | None:
    """Return the run whose state is in the folder, or None.

    Raise `ArgumentError` where the state is of another program, or of an adapter for another base.
    """
    path = folder / "state.pt"
    if not path.exists():
        return None
    state = torch.load(path, map_location=device, weights_only=True)
    if "exact" not in state:
        raise ArgumentError(f"{folder} holds a run of another version; name another folder")
    run = begin(base, Plan(**state["plan"]), device, workers)
    if state["base"] != _shape_facts(run):
        raise ArgumentError(f"{folder} holds an adapter of another model than {base}; name another folder")
    with torch.no_grad():
        for own, saved in zip(run.exact, state["exact"], strict=True):
            own.copy_(saved)
    run.update_model()
    run.optimizer.load_state_dict(state["optimizer"])
    run.step = state["step"]
    return run


def save(run: Run, folder: Path) -> None:
    """Write the run's state; the file before it stays until the new one is whole."""
    state = {
        "plan": asdict(run.plan), "exact": [p.detach() for p in run.exact], "step": run.step,
        "optimizer": run.optimizer.state_dict(), "base": _shape_facts(run),
    }  # fmt: skip
    part = folder / "state.part"
    torch.save(state, part)
    part.replace(folder / "state.pt")


def _shape_facts(run: Run) -> list[str | int]:
    """Return what an adapter's shapes depend on: the model's type, and its sizes."""
    config = run.model.config
    return [config.model_type, config.vocab_size, config.hidden_size, config.num_hidden_layers]


def train(run: Run, pairs: Sequence[Pair], folder: Path, seconds: float) -> Iterator[dict[str, Any]]:
    """Train until the plan is done or `seconds` are over; yield a record of each step.

    Held-out pairs are not learned from. Raise `ArgumentError` if all are, or if all cost too much.
    """
    plan = run.plan
    learned = [pair for pair in pairs if not pair.held_out]
    if not learned:
        raise ArgumentError("no pairs to learn from: all are of databases that are held out")
    batches = _batches(run, learned)
    began = saved = time.monotonic()
    run.model.train()
    with files.adding(folder / "log.jsonl") as log:
        while run.step < len(batches) and time.monotonic() - began < seconds:
            for group in run.optimizer.param_groups:
                group["lr"] = plan.rate * plan.rate_at(run.step, len(batches))
            batch = batches[run.step]
            loss = _step(run, batch)
            torch.nn.utils.clip_grad_norm_(run.exact, 1.0)
            run.optimizer.step()
            run.update_model()
            run.step += 1
            record = {
                "step": run.step, "of": len(batches), "loss": round(loss, 4), "pairs": sum(map(_pairs, batch)),
                "tokens": sum(map(len, batch)), "seconds": round(time.monotonic() - began, 1),
            }  # fmt: skip
            files.add(log, f"{json.dumps(record)}\n", folder / "log.jsonl")
            yield record
            if time.monotonic() - saved > 120:
                save(run, folder)
                saved = time.monotonic()
    save(run, folder)


def _pairs(pack: Pack) -> int:
    """Return how many pairs a pack holds."""
    return len(pack.endings)


def _batches(run: Run, pairs: Sequence[Pair]) -> list[list[Pack]]:
    """Return the packs of every step; each epoch has its own order."""
    plan, packs = run.plan, _packs(run, pairs)
    if not packs:
        raise ArgumentError(f"no pairs to learn from: all cost more than {plan.cost:g} tokens each")
    batches: list[list[Pack]] = []
    for epoch in range(plan.epochs):
        random.Random(f"{plan.seed}/{epoch}").shuffle(packs)
        batches.append([])
        for pack in packs:
            if sum(map(_pairs, batches[-1])) >= plan.batch:
                batches.append([])
            batches[-1].append(pack)
    return batches


def _packs(run: Run, pairs: Sequence[Pair]) -> list[Pack]:
    """Return the pairs in packs, without those that cost too much."""
    packs = prefixes.packs((encode(run, pair) for pair in pairs), run.plan.longest)
    return [pack for pack in packs if len(pack) <= run.plan.cost * _pairs(pack)]


def _step(run: Run, batch: Sequence[Pack]) -> float:
    """Compute the gradients of a step and return its loss, the mean over all tokens of the batch's replies."""
    tokens = sum(_targets(pack) for pack in batch)
    computed = _each(run, partial(_gradients, run, tokens), _grouped(run, batch))
    for at, own in enumerate(run.exact):
        own.grad = torch.stack([gradients[at].float() for _, gradients in computed]).sum(0)
    return float(sum(loss for loss, _ in computed))


def _grouped(run: Run, packs: Iterable[Pack]) -> list[list[Pack]]:
    """Return packs in groups, each computed as one sequence, the longest packs first.

    On a CPU a group is one pack. A GPU takes as long to start an operation as to compute a short one, so there a group
    has up to `longest` tokens.
    """
    # The longest first, so that at the end no worker computes a long one while the others wait.
    order = sorted(packs, key=len, reverse=True)
    if _device(run).type == "cpu":
        return [[pack] for pack in order]
    groups: list[list[Pack]] = [[]]
    for pack in order:
        if groups[-1] and sum(map(len, groups[-1])) + len(pack) > run.plan.longest:
            groups.append([])
        groups[-1].append(pack)
    return groups


def _device(run: Run) -> torch.device:
    return run.exact[0].device


def _each(run: Run, work: Any, order: Sequence[Sequence[Pack]]) -> list[Any]:
    """Return the results of `work` on each group of packs, computed by the run's threads."""
    if run.workers == 1:
        return list(map(work, order))
    torch.set_num_threads(1)  # of each worker: threads of one operation would wait for each other
    with ThreadPoolExecutor(run.workers) as workers:
        return list(workers.map(work, order))


def _gradients(run: Run, tokens: int, packs: Sequence[Pack]) -> tuple[float, tuple[torch.Tensor, ...]]:
    """Return the loss of packs, divided by the number of `tokens` of the step, and its gradient by each weight."""
    loss = _loss(run, packs) / tokens
    return loss.item(), torch.autograd.grad(loss, run.learned)


def _targets(pack: Pack) -> int:
    """Return how many tokens of a pack are predicted: those of its replies."""
    return sum(target >= 0 for _, targets in pack.endings for target in targets)


def held_out_loss(run: Run, pairs: Sequence[Pair]) -> float | None:
    """Return the mean loss over the replies of the pairs held out; None where there are none."""
    packs = _packs(run, [pair for pair in pairs if pair.held_out])
    if not packs:
        return None
    run.model.eval()
    total = sum(_each(run, partial(_loss_without_gradients, run), [[pack] for pack in packs]))
    run.model.train()
    return float(total / sum(map(_targets, packs)))


@torch.no_grad()
def _loss_without_gradients(run: Run, packs: Sequence[Pack]) -> float:
    """Return the loss of packs computed as one sequence."""
    return float(_loss(run, packs).item())


def encode(run: Run, pair: Pair) -> Encoded:
    """Return the tokens of a pair, and at each place the target: the reply's token that comes next, else -100.

    The prompt is in the model's chat format, if it has one, as with llama.cpp. A prompt that is too long loses its
    beginning.
    """
    tokenizer = run.tokenizer
    if tokenizer.chat_template:
        messages = [{"role": "user", "content": pair.prompt}]
        prompt = tokenizer.apply_chat_template(messages, add_generation_prompt=True, return_dict=False)
    else:
        prompt = tokenizer(pair.prompt)["input_ids"]
        # Some tokenizers end every text; a prompt must go on with its reply.
        if prompt and prompt[-1] == tokenizer.eos_token_id:
            prompt = prompt[:-1]
    reply = [*tokenizer(pair.reply, add_special_tokens=False)["input_ids"], tokenizer.eos_token_id]
    prompt = prompt[-max(1, run.plan.longest - len(reply)) :]
    return [*prompt, *reply], [-100] * (len(prompt) - 1) + [*reply, -100]  # cross_entropy ignores -100


def _loss(run: Run, packs: Sequence[Pack]) -> torch.Tensor:
    """Return the loss of packs computed as one sequence: the sum over all tokens of their replies."""
    row = prefixes.joined(packs, _device(run))
    (predicted,) = (row.targets[0] >= 0).nonzero(as_tuple=True)
    # The faster kernels of GPUs gave gradients of NaN for these masks.
    with sdpa_kernel(SDPBackend.MATH) if row.tokens.is_cuda else nullcontext():
        scores = run.model(
            input_ids=row.tokens, position_ids=row.places, attention_mask=row.seen, logits_to_keep=predicted,
            use_cache=False,
        ).logits  # fmt: skip
    loss = torch.nn.functional.cross_entropy(scores[0].float(), row.targets[0, predicted], reduction="sum")
    assert isinstance(loss, torch.Tensor)
    return loss
