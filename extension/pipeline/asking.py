"""Ask models within the budget of one question, and record every call."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from askwhere.errors import ModelError, OutOfBudget
from askwhere.frozen import frozen
from askwhere.models import Completions, Model, estimate, flag, flights
from askwhere.pipeline.facts import Step, Usage

# The most tokens of a completion: a query of the benchmarks has 40 at the median and 300 at most; reasons are as long.
REPLY_TOKENS = 1_024
# With fewer tokens left than this no query can be written.
LEAST_TOKENS = 16
# The most characters of a completion. A query has some hundreds, and 1,024 tokens have less than 20,000; a reasoning
# model's thoughts come in addition.
MOST_CHARACTERS = 200_000
# Larger counts of tokens are cut to this: no call has that many, and larger integers may not fit a database's column.
MOST_TOKENS = 10**9
# The most dimensions of a text's vector; known models have up to 8,192.
MOST_NUMBERS = 16_384
# Texts in one request for vectors. It is small, since vectors of earlier requests are kept when time runs out.
TEXTS = 64


@frozen
class Budget:
    """The cost that one question may have: completions, their tokens, and wall seconds."""

    calls: int
    tokens: int
    seconds: float


class Asker:
    """The caller of models for one question; several threads may use it.

    `trace` has every step, `usage` what was spent. `cost(model, prompt_tokens, completion_tokens)` returns dollars,
    None for an unknown price. `fixed(prompt)`, which is set once the schema is linked, returns how many characters at
    the beginning of a prompt are the same for every question.
    """

    def __init__(self, budget: Budget, cost: Callable[[str, int, int], float | None] = lambda *_: None) -> None:
        self.budget = budget
        self.trace: list[Step] = []
        self.fixed: Callable[[str], int] = lambda _: 0
        self._cost = cost
        self._lock = threading.Lock()
        self._started = time.monotonic()
        self._usage = Usage()
        self._reserved = 0
        self._reserved_tokens = 0

    @property
    def usage(self) -> Usage:
        """Return what was spent so far."""
        with self._lock:
            return self._spent()

    def note(self, step: str, detail: str, ms: float = 0.0, sql: str = "", before: str = "") -> None:
        """Record a step that asked no model. `sql` is the query that it ran, `before` the query that `sql` corrects."""
        with self._lock:
            self.trace.append(Step(step, detail, ms=ms, sql=sql, before=before))

    def ask(
        self,
        model: Model,
        step: str,
        prompt: str,
        n: int = 1,
        temperature: float = 0.0,
        seed: int | None = None,
        grammar: str | None = None,
        detail: str = "",
    ) -> Completions:
        """Ask the model for `n` completions and return them; `step` and `detail` describe the call in the trace.

        Raise `ModelError`, and `OutOfBudget` before a call that the budget does not cover.
        """
        most, began = self._reserve(n), time.monotonic()
        grammar = grammar if flag(model, "grammars") else None
        options = {"n": n, "temperature": temperature, "max_tokens": most, "seed": seed, "grammar": grammar}
        try:
            reply = self._call(model, prompt, options)
        except ModelError as exc:
            self._record(Step(step, f"failed: {exc}", model.name, prompt, ms=since(began)), n, most)
            if self.seconds_left() <= 0:
                raise self._out("max_seconds", f"the last call failed: {exc}") from None
            raise
        except BaseException:
            self._record(Step(step, "interrupted", model.name, prompt, ms=since(began)), n, most)
            raise
        tokens = (reply.prompt_tokens, reply.completion_tokens)
        text = "\n----\n".join(reply.texts)
        self._record(Step(step, detail, model.name, prompt, text, *tokens, since(began)), n, most, reply.requests)
        if self.seconds_left() <= 0:
            raise self._out("max_seconds")
        return reply

    def embed(self, model: Model, texts: Sequence[str]) -> Iterator[tuple[str, Sequence[float]]]:
        """Yield each text with its vector, request by request.

        Vectors are no completions: `usage` counts one request for `TEXTS` texts, and an estimate of their tokens.
        Raise `OutOfBudget` after half of the seconds that were left, and `ModelError`.
        """
        began, until, sent = time.monotonic(), time.monotonic() + self.seconds_left() / 2, list[str]()
        try:
            for start in range(0, len(texts), TEXTS):
                batch = texts[start : start + TEXTS]
                late = OutOfBudget(f"{len(texts) - start:,} of {len(texts):,} texts have no vectors yet")
                if (left := until - time.monotonic()) <= 0:
                    raise late
                sent += batch
                try:
                    vectors = _embedded(model, batch, left)
                except ModelError as exc:
                    if time.monotonic() < until:
                        raise
                    raise late from exc
                yield from zip(batch, vectors, strict=True)
        finally:
            if sent:
                tokens, text = sum(map(estimate, sent)), "\n".join(sent)
                step = Step("embed", f"{len(sent):,} texts", model.name, text, None, tokens, ms=since(began))
                self._record(step, requests=-(-len(sent) // TEXTS))

    def seconds_left(self) -> float:
        """Return the wall seconds until the budget's end."""
        return self.budget.seconds - (time.monotonic() - self._started)

    def _call(self, model: Model, prompt: str, options: dict[str, Any]) -> Completions:
        """Call the model, or share the reply of an equal call that is in flight."""
        extra: dict[str, Any] = {"seconds": self.seconds_left()} if flag(model, "timed") else {}
        if flag(model, "keeps"):
            extra["fixed"] = self.fixed(prompt)

        def call() -> Completions:
            try:
                return _bounded(model.complete(prompt, **options, **extra), model.name)
            except (ModelError, OutOfBudget):
                raise
            except Exception as exc:  # a user's own model may raise anything
                raise ModelError(f"model {model.name} failed: {type(exc).__name__}: {exc}") from exc

        # Without a seed, equal calls must give different samples, so they are not shared.
        if not flag(model, "shares") or (options["temperature"] > 0 and options["seed"] is None):
            return call()
        return flights.shared((id(model), prompt, *options.values()), call, self.seconds_left())

    def _reserve(self, n: int) -> int:
        """Reserve `n` completions in the budget, and return the tokens that each may have."""
        with self._lock:
            if self.seconds_left() <= 0:
                raise self._out("max_seconds")
            if self._usage.calls + self._reserved + n > self.budget.calls:
                raise self._out("max_calls", f"{n} more {'were' if n > 1 else 'was'} needed")
            left = self.budget.tokens - self._usage.completion_tokens - self._reserved_tokens
            each = min(REPLY_TOKENS, left // n)
            if each < min(LEAST_TOKENS, self.budget.tokens):
                raise self._out("max_tokens")
            self._reserved += n
            self._reserved_tokens += n * each
            return each

    def _record(self, step: Step, n: int = 0, most: int = 0, requests: int = 1) -> None:
        """Record a call, and release the `n` completions of `most` tokens each that were reserved for it.

        A call that failed may have cost money: it counts as one request, without tokens.
        """
        with self._lock:
            self.trace.append(step)
            self._reserved -= n
            self._reserved_tokens -= n * most
            used = (step.prompt_tokens, step.completion_tokens)
            self._usage = self._usage.plus(requests, n, *used, self._cost(step.model or "", *used))

    def _spent(self) -> Usage:
        return replace(self._usage, seconds=time.monotonic() - self._started)

    def _out(self, which: str, why: str = "") -> OutOfBudget:
        """Return the error for a budget that is spent."""
        u, b = self._spent(), self.budget
        return OutOfBudget(
            f"the question reached {which}{f' ({why})' if why else ''}: spent {u.calls} of {b.calls} completions,"
            f" {u.completion_tokens:,} of {b.tokens:,} tokens, {u.seconds:.1f} of {b.seconds:g} s;"
            f" SELECT ask_set('{which}', …) allows more"
        )


def _bounded(reply: Completions, name: str) -> Completions:
    """Return a reply with texts and counts that a database can hold. Raise `ModelError` for one too long to be read.

    Half of a surrogate pair, which JSON can escape, is no character: it becomes U+FFFD.
    """
    longest = max(map(len, reply.texts), default=0)
    if longest > MOST_CHARACTERS:
        raise ModelError(
            f"model {name} replied with {longest:,} characters; at most {MOST_CHARACTERS:,} are read: ask another model"
        )
    counts = (reply.prompt_tokens, reply.completion_tokens, reply.requests)
    prompted, completed, requests = (min(max(int(count), 0), MOST_TOKENS) for count in counts)
    texts = tuple(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") for text in reply.texts)
    return replace(reply, texts=texts, prompt_tokens=prompted, completion_tokens=completed, requests=requests)


def _embedded(model: Model, texts: Sequence[str], seconds: float) -> Sequence[Sequence[float]]:
    """Return a vector for each text. Raise `ModelError`, also where the model returns anything but vectors."""
    options: dict[str, Any] = {"seconds": seconds} if flag(model, "timed") else {}
    try:
        vectors = [[float(x) for x in vector] for vector in flag(model, "embed")(texts, **options)]
    except (ModelError, OutOfBudget):
        raise
    except Exception as exc:  # a user's own model may raise anything
        raise ModelError(f"model {model.name} failed to embed: {type(exc).__name__}: {exc}") from exc
    if len(vectors) != len(texts) or not all(_is_vector(vector) for vector in vectors):
        raise ModelError(f"model {model.name} did not give a vector of numbers for each of {len(texts)} texts")
    return vectors


def _is_vector(numbers: Sequence[float]) -> bool:
    """Return whether numbers can be a text's vector: their length is finite, and they are at most `MOST_NUMBERS`."""
    return 0 < len(numbers) <= MOST_NUMBERS and math.isfinite(math.hypot(*numbers))


def since(began: float) -> float:
    """Return the milliseconds since `began`, a reading of the monotonic clock."""
    return round((time.monotonic() - began) * 1000, 3)
