"""Train a LoRA adapter on a causal language model: the bias eliminator (SEA-SQL, section 4.1).

The defaults are the paper's settings: 64 pairs a step, a rate of 2e-4 that rises over the first tenth of the steps and
then falls linearly, one epoch, and the loss over the reply alone.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from askwhere import files
from askwhere.errors import ArgumentError
from askwhere.training.pairs import Pair

# The matrices that get an adapter: those of attention and feed-forward.
MATRICES = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")


@dataclass(frozen=True)
class Plan:
    """The settings of a run; `at_once` pairs go through the model together, `batch` pairs make a step.

    `warm` is the share of the steps over which the rate rises; `longest` is in tokens.
    """

    rate: float = 2e-4
    batch: int = 64
    at_once: int = 4
    epochs: int = 1
    warm: float = 0.1
    rank: int = 16
    alpha: int = 32
    dropout: float = 0.05
    longest: int = 4_096
    seed: int = 0

    def steps(self, pairs: int) -> int:
        """Return the number of steps for so many pairs."""
        return max(1, self.epochs * -(-pairs // self.batch))

    def rate_at(self, step: int, steps: int) -> float:
        """Return the learning rate at a step, as a share of the full rate."""
        warm = max(1, round(self.warm * steps))
        return min((step + 1) / warm, (steps - step) / max(1, steps - warm))


@dataclass
class Run:
    """A run in progress: the model with its adapter, the tokenizer, the optimizer, and the steps done."""

    plan: Plan
    model: Any
    tokenizer: Any
    optimizer: torch.optim.Optimizer
    step: int = 0


def begin(base: Path, plan: Plan, device: str) -> Run:
    """Return a run at its first step, on a model in Hugging Face's format in the folder `base`.

    Raises `ArgumentError` where there is no such model.
    """
    from peft import LoraConfig, get_peft_model
    from transformers import AutoModelForCausalLM, AutoTokenizer
    from transformers.utils import logging

    torch.manual_seed(plan.seed)
    if not (base / "config.json").is_file():
        raise ArgumentError(f"{base} holds no model: expected a folder with config.json, weights and a tokenizer")
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    kind = torch.bfloat16 if device == "cuda" else torch.float32
    tokenizer = AutoTokenizer.from_pretrained(base, local_files_only=True)
    model: Any = AutoModelForCausalLM.from_pretrained(base, dtype=kind, local_files_only=True)
    model.to(device)
    config = LoraConfig(
        r=plan.rank,
        lora_alpha=plan.alpha,
        lora_dropout=plan.dropout,
        target_modules=list(MATRICES),
        task_type="CAUSAL_LM",
    )
    adapted = get_peft_model(model, config)
    learned = [p for p in adapted.parameters() if p.requires_grad]
    return Run(plan, adapted, tokenizer, torch.optim.AdamW(learned, lr=plan.rate, weight_decay=0.0))


def resumed(base: Path, folder: Path, device: str) -> Run | None:
    """Return the run whose state is in the folder, or None.

    Raises `ArgumentError` where the state is of a small model, or of an adapter for another base.
    """
    from peft import set_peft_model_state_dict

    path = folder / "state.pt"
    if not path.exists():
        return None
    state = torch.load(path, map_location=device, weights_only=True)
    if "adapter" not in state:
        raise ArgumentError(f"{folder} holds a run of a small model; name another folder")
    run = begin(base, Plan(**state["plan"]), device)
    if state["base"] != _kind(run):
        raise ArgumentError(f"{folder} holds an adapter of another model than {base}; name another folder")
    set_peft_model_state_dict(run.model, state["adapter"])
    run.optimizer.load_state_dict(state["optimizer"])
    run.step = state["step"]
    return run


def keep(run: Run, folder: Path) -> None:
    """Write the run's state; the file before it stays until the new one is whole."""
    from peft import get_peft_model_state_dict

    state = {
        "plan": asdict(run.plan), "adapter": get_peft_model_state_dict(run.model), "step": run.step,
        "optimizer": run.optimizer.state_dict(), "base": _kind(run),
    }  # fmt: skip
    part = folder / "state.part"
    torch.save(state, part)
    part.replace(folder / "state.pt")


def _kind(run: Run) -> list[str | int]:
    """Return the facts of a model that an adapter depends on: with others it does not fit."""
    config = run.model.config
    return [config.model_type, config.vocab_size, config.hidden_size, config.num_hidden_layers]


def train(run: Run, pairs: Sequence[Pair], folder: Path, seconds: float) -> Iterator[dict[str, Any]]:
    """Train until the plan is done or `seconds` are over; yield a record of each step.

    Pairs that are held back are not learned from. Raises `ArgumentError` if all are.
    """
    plan = run.plan
    learned = [pair for pair in pairs if not pair.held_back]
    if not learned:
        raise ArgumentError("no pairs to learn from: all are of databases that are held back")
    steps, began, kept = plan.steps(len(learned)), time.monotonic(), time.monotonic()
    run.model.train()
    with files.adding(folder / "log.jsonl") as log:
        while run.step < steps and time.monotonic() - began < seconds:
            for group in run.optimizer.param_groups:
                group["lr"] = plan.rate * plan.rate_at(run.step, steps)
            loss = _step(run, _batch(learned, plan, run.step))
            torch.nn.utils.clip_grad_norm_(run.model.parameters(), 1.0)
            run.optimizer.step()
            run.optimizer.zero_grad(set_to_none=True)
            run.step += 1
            record = {
                "step": run.step,
                "of": steps,
                "loss": round(loss, 4),
                "seconds": round(time.monotonic() - began, 1),
            }
            print(json.dumps(record), file=log, flush=True)
            yield record
            if time.monotonic() - kept > 120:
                keep(run, folder)
                kept = time.monotonic()
    keep(run, folder)


def _batch(pairs: Sequence[Pair], plan: Plan, step: int) -> list[Pair]:
    """Return the pairs of a step; each epoch has its own order."""
    per_epoch = -(-len(pairs) // plan.batch)
    order = list(pairs)
    random.Random(f"{plan.seed}/{step // per_epoch}").shuffle(order)
    at = step % per_epoch * plan.batch
    return order[at : at + plan.batch]


def _step(run: Run, batch: Sequence[Pair]) -> float:
    """Compute the gradients of a step, `at_once` pairs at a time, and return its loss.

    This is the mean loss over all tokens of the batch's replies.
    """
    encoded = [encode(run, pair) for pair in batch]
    tokens = sum(sum(t >= 0 for t in targets) for _, targets in encoded)
    total = 0.0
    for at in range(0, len(encoded), run.plan.at_once):
        loss = _loss(run, encoded[at : at + run.plan.at_once]) / tokens
        loss.backward()  # type: ignore[no-untyped-call]
        total += loss.item()
    return total


def held_back(run: Run, pairs: Sequence[Pair]) -> float | None:
    """Return the mean loss over the replies of the pairs held back; None where there are none."""
    kept = [encode(run, pair) for pair in pairs if pair.held_back]
    if not kept:
        return None
    run.model.eval()
    with torch.no_grad():
        parts = [kept[at : at + run.plan.at_once] for at in range(0, len(kept), run.plan.at_once)]
        total = sum(_loss(run, part).item() for part in parts)
    run.model.train()
    return total / sum(sum(t >= 0 for t in targets) for _, targets in kept)


def encode(run: Run, pair: Pair) -> tuple[list[int], list[int]]:
    """Return the tokens of a pair, and for each place the token of the reply that comes next, or -100.

    The prompt is in the model's chat format if it has one, as llama.cpp will send it. A prompt that is too long loses
    its beginning.
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


def _loss(run: Run, encoded: Sequence[tuple[list[int], list[int]]]) -> torch.Tensor:
    """Return the sum of the losses over all tokens of the replies."""
    device = next(run.model.parameters()).device
    longest = max(len(tokens) for tokens, _ in encoded)
    tokens = torch.tensor([t + [0] * (longest - len(t)) for t, _ in encoded], device=device)
    targets = torch.tensor([t + [-100] * (longest - len(t)) for _, t in encoded], device=device)
    mask = torch.tensor([[1] * len(t) + [0] * (longest - len(t)) for t, _ in encoded], device=device)
    scores = run.model(input_ids=tokens, attention_mask=mask).logits
    loss = torch.nn.functional.cross_entropy(scores.flatten(0, 1).float(), targets.flatten(), reduction="sum")
    assert isinstance(loss, torch.Tensor)
    return loss
