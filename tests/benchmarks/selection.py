"""What choosing among many candidates gains, and what it costs: simulated candidates, of which the right are known.

    python tests/benchmarks/selection.py [--questions 20000] [--seed 0]

A question has one right answer and some wrong ones. Each of 5 prompts writes the right one with a probability of its
own, drawn around the question's; else it fails, or writes one of the wrong ones, whose shares are drawn, too: the
smaller `spread`, the more often wrong candidates agree with each other. Prompts take turns. A vote between two answers
is right with a probability that is drawn for each question, so that votes on one question agree more than votes on
several; with more options it is right less often (Luce's choice: each wrong one weighs the same).

What stops, keeps and drops candidates is the code of the pipeline (`effort`, `choice`); model and database are not
needed. Accuracy is in points, its difference that to always 100 samples, on the same questions; samples and calls are
completions a question, calls with votes.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import exp, log

from askwhere.engine import Result
from askwhere.pipeline.choice import survivors
from askwhere.pipeline.effort import SURE, enough
from askwhere.pipeline.facts import Candidate

PROMPTS, SAMPLES, VOTES, THRESHOLD = 5, 100, 20, 0.2
RIGHT, FAILED = 0, -1
# How sure one must be for all: nothing may change any more.
ALL = 1.0
RESULT = Result((), (), True, 0.0)


@dataclass(frozen=True)
class World:
    """How hard questions are: the mean and the firmness of a candidate's being right, and how wrong ones spread."""

    name: str
    right: float
    firmness: float  # the sum of the Beta distribution's parameters: small is all or nothing
    spread: float
    failing: float = 0.08


WORLDS = (
    World("easy questions, mistakes that agree", 0.84, 0.9, 0.2),
    World("easy questions, mistakes that scatter", 0.84, 0.9, 1.0),
    World("hard questions, mistakes that agree", 0.57, 1.2, 0.2),
    World("hard questions, mistakes that scatter", 0.57, 1.2, 1.0),
    World("doubtful questions, mistakes that agree", 0.57, 6.0, 0.2),
)


def drawn(world: World, rng: random.Random) -> list[int]:
    """Return the candidates of one question, in their order: `RIGHT`, a wrong answer's number, or `FAILED`."""
    mean = rng.betavariate(world.right * world.firmness, (1 - world.right) * world.firmness)
    odds = log(max(mean, 1e-6) / max(1 - mean, 1e-6))
    prompts = [1 / (1 + exp(-(odds + rng.gauss(0, 0.7)))) for _ in range(PROMPTS)]
    wrong = [rng.gammavariate(world.spread, 1) + 1e-12 for _ in range(8)]
    found = []
    for number in range(SAMPLES):
        if rng.random() < prompts[number % PROMPTS]:
            found.append(RIGHT)
        elif rng.random() < world.failing / max(1 - world.right, world.failing):
            found.append(FAILED)
        else:
            found += rng.choices(range(1, 9), wrong)
    return found


def majority(candidates: list[int]) -> int:
    """Return the answer of the largest group, of equal ones the first; `FAILED` where none ran."""
    counts = Counter(answer for answer in candidates if answer != FAILED)
    return counts.most_common(1)[0][0] if counts else FAILED


def stopped(candidates: list[int], sure: float, turn: int = PROMPTS) -> list[int]:
    """Return the candidates drawn until they were enough, checked after each turn of the prompts."""
    for size in range(turn, len(candidates), turn):
        counts = Counter(answer for answer in candidates[:size] if answer != FAILED)
        if enough(counts.values(), len(candidates) - size, sure):
            return candidates[:size]
    return candidates


def voted(candidates: list[int], accuracy: float, threshold: float, sure: float, rng: random.Random) -> tuple[int, int]:
    """Return the answer with the most votes among those above the threshold, and how many votes were asked for."""
    counts = Counter(answer for answer in candidates if answer != FAILED)
    groups = [Candidate(str(a), "", many / counts.total(), result=RESULT) for a, many in counts.most_common()]
    options = [int(c.sql) for c in survivors(groups, threshold)]
    if len(options) < 2:
        return (options[0] if options else FAILED), 0
    good = rng.betavariate(2 * accuracy, 2 * (1 - accuracy))
    weights = [good if answer == RIGHT else 1 - good + 1e-9 for answer in options]
    found: Counter[int] = Counter()
    for asked in range(1, VOTES + 1):
        found.update(rng.choices(options, weights))
        if enough(found.values(), VOTES - asked, sure):
            break
    return max(options, key=lambda answer: (found[answer], -options.index(answer))), asked


# What a question is answered with, the samples and all the completions that it cost; by its number and candidates.
Way = Callable[[int, list[int]], tuple[int, int, int]]


def until(sure: float) -> Way:
    """Return the majority of the candidates that are drawn until they are enough."""

    def way(_: int, candidates: list[int]) -> tuple[int, int, int]:
        some = stopped(candidates, sure)
        return majority(some), len(some), len(some)

    return way


def chosen(accuracy: float, threshold: float) -> Way:
    """Return the choice of 20 votes among the groups of all candidates."""

    def way(number: int, candidates: list[int]) -> tuple[int, int, int]:
        answer, votes = voted(candidates, accuracy, threshold, 2.0, random.Random(number))
        return answer, SAMPLES, SAMPLES + votes

    return way


def chosen_if_close(accuracy: float, sure: float) -> Way:
    """Return a choice if groups are close when sampling stops, else the majority."""

    def way(number: int, candidates: list[int]) -> tuple[int, int, int]:
        some = stopped(candidates, sure)
        counts = Counter(answer for answer in some if answer != FAILED)
        if enough(counts.values(), SAMPLES, sure):
            return majority(some), len(some), len(some)
        answer, votes = voted(some, accuracy, THRESHOLD, sure, random.Random(number))
        return answer, len(some), len(some) + votes

    return way


def main() -> None:
    """Print a table for each world, and the means of all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    context: dict[str, list[tuple[float, ...]]] = {}
    for number, world in enumerate(WORLDS):
        rng = random.Random(f"{given.seed} {number}")
        sets = [drawn(world, rng) for _ in range(given.questions)]
        print(f"\n{world.name}: {given.questions:,} questions\n{HEAD}")
        for name, found in results(sets):
            context.setdefault(name, []).append(found)
            print(line(name, found), flush=True)
    print(f"\nmeans of all\n{HEAD}")
    for name, rows in context.items():
        print(line(name, tuple(sum(column) / len(rows) for column in zip(*rows, strict=True))))


HEAD = f"{'':48}accuracy   samples     calls      difference"


def line(name: str, found: tuple[float, ...]) -> str:
    """Return a line of the table; the difference where there is one."""
    right, samples, calls, *difference = found
    return f"{name:48}{right:8.1f}{samples:10.1f}{calls:10.1f}" + "".join(f"{d:+16.2f}" for d in difference)


def results(sets: list[list[int]]) -> Iterator[tuple[str, tuple[float, ...]]]:
    """Yield for each way its name, accuracy, samples and calls; and where it saves samples, the loss in accuracy."""
    yield "first candidate", measured(sets, lambda _, c: (majority(c[:1]), 1, 1))
    whole = measured(sets, lambda _, c: (majority(c), SAMPLES, SAMPLES))
    yield "majority of 100", whole
    for sure in (ALL, 0.99, SURE, 0.93, 0.9):
        name = "until it can no longer lose" if sure == ALL else f"until it leads with {sure:g}"
        found = measured(sets, until(sure))
        yield f"majority {name}", (*found, found[0] - whole[0])
    yield "100 + choice of all groups, votes right 60 %", measured(sets, chosen(0.6, 0.0))
    for accuracy in (0.5, 0.6, 0.7, 0.8, 0.9):
        whole = measured(sets, chosen(accuracy, THRESHOLD))
        yield f"100 + choice, votes right {100 * accuracy:.0f} %", whole
        found = measured(sets, chosen_if_close(accuracy, SURE))
        yield f"until {SURE:g} + choice if close, {100 * accuracy:.0f} %", (*found, found[0] - whole[0])


def measured(sets: list[list[int]], way: Way) -> tuple[float, float, float]:
    """Accuracy in points, samples and calls of a way, as means over the questions."""
    found = [way(number, candidates) for number, candidates in enumerate(sets)]
    right = 100 * sum(answer == RIGHT for answer, _, _ in found) / len(found)
    return right, sum(one[1] for one in found) / len(found), sum(one[2] for one in found) / len(found)


if __name__ == "__main__":
    main()
