"""What confidence is worth: the reader's on Spider, and how many pins it takes to calibrate it.

    python tests/benchmarks/confidence.py                 # the reader's, on questions that it did not learn from
    python tests/benchmarks/confidence.py --simulated     # curves by a few pins, on simulated models

Right is Spider's test-suite execution match (`askwhere.evaluation.spider`); a question whose readings tie has no
answer. The first run also takes some answers of each database for pins, five times other ones, and calibrates the
confidence of its others by these.

A simulated model is right on a question with a probability that is drawn around its own, which is drawn, too; its
answer is the largest group of some samples; the estimate is that group's size by one more than all samples. Of 300
questions the first are pins. Each curve is judged by its Brier score on the last 250, the mean over 150 models.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from math import exp
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from askwhere.errors import Unread
from askwhere.evaluation import spider
from askwhere.evaluation.statistics import calibration
from askwhere.pipeline.confidence import Known, fitted
from askwhere.reader import read
from databases import Databases, questions

PINS = (2, 5, 10, 20, 50)
Curve = Callable[[float], float]


def read_set(name: str) -> list[tuple[str, float, bool]]:
    """Return the reader's answers to a set: database, confidence, and whether it is right."""
    databases, found = Databases(), []
    for question in questions(name, "sqlite"):
        database = databases.database(question["db_id"], "sqlite")
        try:
            readings = read(question["question"], database.catalog, database.values, "sqlite")
        except Unread:
            continue
        if len(readings) > 1:
            continue
        rows = database.run(spider.prepared("", readings[0].sql)[1], "sqlite")
        gold = databases.expected(database, question["db_id"], question["sql"])
        right = None not in (rows, gold) and spider.equal(gold, rows, spider.ordered(question["sql"]))
        found.append((question["db_id"], readings[0].confidence, right))
    return found


def judge_set(name: str) -> None:
    """Print a reliability table of a set, and what some of its answers as pins change for the others."""
    answers = read_set(name)
    found = calibration((estimate, right) for _, estimate, right in answers)
    print(f"\n{name}: {len(answers)} answers, error {found.ece:.3f}, Brier score {found.brier:.3f}")
    print("confidence    answers   mean   right")
    for one in found.bins:
        print(f"{one.low:.1f} to {one.high:.1f}    {one.count:7}   {one.confidence:.2f}   {one.right:.2f}")
    by_database: dict[str, list[Known]] = defaultdict(list)
    for database, estimate, right in answers:
        by_database[database].append((estimate, right))
    print("pins of a database   answers   Brier score before   calibrated")
    for pins in PINS[1:4]:
        before, after = [], []
        for known in by_database.values():
            for turn in range(5 if len(known) > pins else 0):
                random.Random(turn).shuffle(known)
                curve = fitted(known[:pins])
                before += known[pins:]
                after += [(curve(estimate), right) for estimate, right in known[pins:]]
        print(f"{pins:18}{len(before):10}{calibration(before).brier:21.4f}{calibration(after).brier:13.4f}")


def simulated() -> None:
    """Print the Brier score of each curve by samples and pins."""
    for samples in (1, 8, 20):
        rng = random.Random(1)
        scores: Counter[tuple[str, int]] = Counter()
        for _ in range(150):
            answers = drawn(rng, samples)
            for pins in PINS:
                for name, make in CURVES.items():
                    curve = make(answers[:pins])
                    scores[name, pins] += calibration((curve(e), right) for e, right in answers[50:]).brier / 150
        print(f"\nof {samples} samples" + "".join(f"{f'{pins} pins':>10}" for pins in PINS))
        for name in CURVES:
            print(f"{name:14}" + "".join(f"{scores[name, pins]:10.3f}" for pins in PINS))


def drawn(rng: random.Random, samples: int) -> list[Known]:
    """Return the answers of one model to 300 questions."""
    able = 1 / (1 + exp(-rng.gauss(0.8, 1.2)))
    spread, found = rng.choice((0.2, 1.0)), []
    for _ in range(300):
        right = rng.betavariate(1.2 * able + 1e-3, 1.2 * (1 - able) + 1e-3)
        wrong = [rng.gammavariate(spread, 1) + 1e-9 for _ in range(8)]
        groups = Counter(0 if rng.random() < right else rng.choices(range(1, 9), wrong)[0] for _ in range(samples))
        ((answer, size),) = groups.most_common(1)
        found.append((size / (samples + 1), answer == 0))
    return found


def isotonic(known: Sequence[Known]) -> Curve:
    """Pooled adjacent violators over the answers, and the estimate itself at each tenth with a weight of a half."""
    points = sorted([(e, float(right), 1.0) for e, right in known] + [(n / 10, n / 10, 0.5) for n in range(11)])
    blocks: list[tuple[float, float, float, float]] = []  # least and most estimate, weight right, weight
    for estimate, right, weight in points:
        block = (estimate, estimate, right * weight, weight)
        while blocks and (blocks[-1][1] == estimate or blocks[-1][2] * block[3] >= block[2] * blocks[-1][3]):
            before = blocks.pop()
            block = (before[0], estimate, before[2] + block[2], before[3] + block[3])
        blocks.append(block)

    def curve(estimate: float) -> float:
        near = min(blocks, key=lambda block: max(block[0] - estimate, estimate - block[1]))
        return near[2] / near[3]

    return curve


def share_right(known: Sequence[Known]) -> Curve:
    """Return the share of the pins that were right, whatever the estimate, by Laplace's rule."""
    share = (sum(right for _, right in known) + 1) / (len(known) + 2)
    return lambda _: share


CURVES: dict[str, Callable[[Sequence[Known]], Curve]] = {
    "estimate": lambda _: lambda estimate: estimate,
    "share right": share_right,
    "isotonic": isotonic,
    "Platt (ours)": fitted,
}


def main() -> None:
    """Judge or simulate."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--simulated", action="store_true")
    parser.add_argument("--set", default="dev,realistic", help="dev, realistic, syn_dev, dk")
    given = parser.parse_args()
    if given.simulated:
        simulated()
    else:
        for name in given.set.split(","):
            judge_set(name)


if __name__ == "__main__":
    main()
