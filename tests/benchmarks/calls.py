"""What `thorough` needs in calls for the decision that MCS-SQL needs 60 + 60 + 100 + 20 completions for.

    python tests/benchmarks/calls.py [--questions 100] [--seed 0]

Both run as they do for a user, in SQLite, with a simulated model that counts what it is asked for. Its questions are
those of `selection.py`: each has one right answer and some wrong ones; a prompt writes the right one with a probability
of its own, around the question's; at temperature 0 it writes what it writes most often. A vote is right with a
probability that is drawn for each question, 0.7 on average. What corrects a query leaves it as it is.

Completions are means over the questions, right is a share of them. `as MCS-SQL` is how often the answer is the one that
MCS-SQL decided for: MCS-SQL itself, when its completions are drawn again, decides otherwise for some questions, too.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections import Counter
from dataclasses import dataclass
from math import exp, log
from pathlib import Path
from statistics import quantiles
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
import apsw
import askwhere
from askwhere.models import Completions
from selection import WORLDS, World

RIGHT, WRONG = 0, range(1, 9)
VOTES_RIGHT = 0.7
STEPS = ("link tables", "link columns", "generate", "correct", "choose")
WAYS: dict[str, dict[str, Any]] = {
    "MCS-SQL": {"method": "mcs"},
    "MCS-SQL again": {"method": "mcs"},
    "thorough": {"effort": "thorough"},
    "thorough, schema cut": {"effort": "thorough", "schema_tokens": 100},
}
_ENDS = {
    "### Tables:": "link tables",
    "### Columns:": "link columns",
    "### Answer:": "choose",
    "### Alignments:": "correct",
}


@dataclass(frozen=True)
class Asked:
    """A question of a world: the log-odds that a candidate is right, what wrong ones weigh, how good votes are."""

    number: int
    odds: float
    wrong: tuple[float, ...]
    failing: float
    vote: float


def drawn(world: World, number: int, seed: int) -> Asked:
    """Return the question of that number."""
    rng = random.Random(f"{seed} {world.name} {number}")
    mean = rng.betavariate(world.right * world.firmness, (1 - world.right) * world.firmness)
    odds = log(max(mean, 1e-6) / max(1 - mean, 1e-6))
    wrong = tuple(rng.gammavariate(world.spread, 1) + 1e-12 for _ in WRONG)
    vote = rng.betavariate(2 * VOTES_RIGHT, 2 * (1 - VOTES_RIGHT))
    return Asked(number, odds, wrong, world.failing / max(1 - world.right, world.failing), vote)


class Simulated:
    """A model that writes what is drawn for the question it is asked; `counts` are its completions by step."""

    name, remote = "simulated", False

    def __init__(self, way: str) -> None:
        self.way, self.counts = way, Counter[str]()
        self.asked: Asked | None = None

    def complete(
        self, prompt: str, n: int = 1, temperature: float = 0.0, seed: int | None = None, **_: Any
    ) -> Completions:
        assert self.asked is not None
        step = next((name for end, name in _ENDS.items() if prompt.endswith(end)), "generate")
        rng = random.Random(f"{self.way.removesuffix(', schema cut')} {self.asked} {seed} {prompt}")
        if step == "generate" and ("### Query: " in prompt or "Make up a query" in prompt):
            step = "correct"
        self.counts[step] += n
        return Completions(tuple(self._reply(step, prompt, temperature, rng) for _ in range(n)), 1, n)

    def _reply(self, step: str, prompt: str, temperature: float, rng: random.Random) -> str:
        if step == "link tables":
            return '{"tables": ["answers"]}'
        if step == "link columns":
            return '{"columns": ["answers.n", "answers.name"]}'
        if step == "choose":
            return self._vote([int(n) for n in re.findall(r"^\d+\. .*n = (\d+)$", prompt, re.MULTILINE)], rng)
        if prompt.endswith("### Alignments:"):
            return "[]"
        if before := re.findall(r"^### Query: (.*)$", prompt, re.MULTILINE):
            return str(before[-1])
        return self._written(prompt, temperature, rng)

    def _vote(self, options: list[int], rng: random.Random) -> str:
        assert self.asked is not None
        weights = [self.asked.vote if option == RIGHT else 1 - self.asked.vote + 1e-9 for option in options]
        return f"the answer is {rng.choices(range(1, len(options) + 1), weights)[0]}"

    def _written(self, prompt: str, temperature: float, rng: random.Random) -> str:
        asked = self.asked
        assert asked is not None
        right = 1 / (1 + exp(-(asked.odds + random.Random(f"{asked.number} {prompt}").gauss(0, 0.7))))
        whole = sum(asked.wrong)
        wrong = [(1 - right) * (1 - asked.failing) * weight / whole for weight in asked.wrong]
        shares = {RIGHT: right, -1: (1 - right) * asked.failing, **dict(zip(WRONG, wrong, strict=True))}
        likeliest = max(shares, key=shares.__getitem__)
        answer = rng.choices(list(shares), list(shares.values()))[0] if temperature else likeliest
        return "SELECT nothing FROM answers" if answer == -1 else f"SELECT name FROM answers WHERE n = {answer}"


def opened(model: Simulated, settings: dict[str, Any]) -> Any:
    """Return a database with the answers, and tables that are in the way."""
    connection = apsw.Connection(":memory:")
    connection.execute("CREATE TABLE answers (n INTEGER PRIMARY KEY, name TEXT)")
    connection.execute("INSERT INTO answers VALUES " + ", ".join(f"({n}, 'answer {n}')" for n in (RIGHT, *WRONG)))
    for number in range(8):
        connection.execute(f"CREATE TABLE other_{number} (id INTEGER PRIMARY KEY, name TEXT, amount REAL, place TEXT)")
    askwhere.register(connection, model=model, **settings)
    return connection


@dataclass
class Tally:
    """The outcome of asking all questions one way: the answer to each, None for none, and completions by step."""

    answers: list[int | None]
    counts: list[Counter[str]]


def ask_all(way: str, questions: list[Asked]) -> Tally:
    """Ask all questions one way."""
    model, found = Simulated(way), Tally([], [])
    connection = opened(model, WAYS[way])
    for asked in questions:
        model.asked, model.counts = asked, Counter()
        try:
            answer = askwhere.ask(connection, f"flurb {asked.number} of the answers")
            found.answers.append(int(answer.sql.rsplit(" ", 1)[1]))
        except askwhere.AskError:
            found.answers.append(None)
        found.counts.append(model.counts)
    connection.close()
    return found


HEAD = f"{'':24}{'right':>8}{'as MCS-SQL':>12}{'completions':>13}{'median':>8}{'90 %':>7}"


def report(name: str, tallies: dict[str, Tally]) -> None:
    """Print a line for each way."""
    print(f"\n{name}\n{HEAD}")
    for way, tally in tallies.items():
        totals = [counts.total() for counts in tally.counts]
        right = sum(answer == RIGHT for answer in tally.answers) / len(totals)
        pairs = zip(tally.answers, tallies["MCS-SQL"].answers, strict=True)
        alike = sum(one == other for one, other in pairs) / len(totals)
        tenths = quantiles(totals, n=10, method="inclusive")
        print(
            f"{way:24}{100 * right:6.1f} %{100 * alike:10.1f} %{sum(totals) / len(totals):13.1f}{tenths[4]:8.0f}"
            f"{tenths[8]:7.0f}",
            flush=True,
        )


def main() -> None:
    """Print a table for each world and for all, and the completions by step."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    whole = {way: Tally([], []) for way in WAYS}
    for world in WORLDS:
        questions = [drawn(world, number, given.seed) for number in range(given.questions)]
        tallies = {way: ask_all(way, questions) for way in WAYS}
        report(f"{world.name}: {given.questions} questions", tallies)
        for way, tally in tallies.items():
            whole[way].answers.extend(tally.answers)
            whole[way].counts.extend(tally.counts)
    report("all", whole)
    print("\ncompletions by step" + "".join(f"{step:>14}" for step in STEPS))
    for way, tally in whole.items():
        context = (sum(counts[step] for counts in tally.counts) / len(tally.counts) for step in STEPS)
        print(f"{way:19}" + "".join(f"{mean:14.1f}" for mean in context))


if __name__ == "__main__":
    main()
