"""Learn from which features of a reading it is right, and below which chance the reader refuses: weights.json.

    python tests/benchmarks/reader_weights.py             # read Spider's training questions, fit, report, write
    python tests/benchmarks/reader_weights.py --keep FILE # keep what was read, and begin from there where it exists
    python tests/benchmarks/reader_weights.py --many 6 --only guessed guesses    # for new features: of fewer questions,
                                                          # and all other weights and the least chance stay as they are

Every question of `train_spider` and `syn_train`, and of the practice databases that are developed on, is read in SQLite
with all readings that the reader considers; each is right or not by Spider's test-suite execution match. Beside them
are questions that have no right answer, of which real users ask many and Spider has none: without a column or table
that gold reads, and with an adjective that the database knows nothing of. The model is logistic regression, fitted with
Newton's method. How far its weights are held back (L2) and the least chance are chosen by cross-validation over whole
databases, of which a fifth is left for the table alone.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parent))
from askwhere.evaluation import spider
from askwhere.indexer.catalog import Catalog
from askwhere.reader.likely import learned
from askwhere.reader.read import possible
from askwhere.reader.readings import Reading
from askwhere.reader.words.names import cut_name
from askwhere.reader.words.tokens import stem
from databases import Database, questions
from evaluation import NEVER_READ
from held_out import build

SETS = ("train_spider", "syn_train")
PRACTICE = Path(__file__).parents[1] / "practice"
WRITTEN = Path(__file__).parents[2] / "extension" / "reader" / "weights.json"
KEPT = 6  # readings of a question
MANY = 24  # questions about a database; of the practice questions, all
FEW, MOST = 2, 2  # questions about what is lacking, for each column; a third of those that are made narrower
COLUMNS, TABLES = 4, 2  # what is taken from a database, one at a time
ADJECTIVES = (
    "waterproof retired damaged northern southern certified obsolete wooden metallic expired unpaid overdue vegetarian"
    " disabled married foreign local seasonal refurbished bilingual armed abandoned fragile organic portable insured"
    " suspended renovated licensed anonymous temporary digital historic nocturnal volunteer premium fictional imported"
).split()
RIGHT = 0.92  # the share of answers that must be right, of what the databases can answer
STRENGTHS = (10.0, 30.0, 100.0, 300.0)
ALIKE = 0.001  # losses that are no further apart are taken for equal; then the smaller weights are chosen
PRACTISED = {file.stem for file in (PRACTICE / "databases").glob("*.sql")}
WEIGHT = 4.0  # of a reading of a practice question, as these are asked in users' words: other questions have 1
HELD_OUT = 0  # the fifth of all databases that is only looked at for the table

Option = tuple[dict[str, float], bool]  # the features of a reading, and whether it is right


@dataclass(frozen=True)
class Example:
    """A question: the readings of its best cuts, several where they tie, and those that a search finds.

    `how` it came about: 'asked', of a database 'lacking' what it asks for, or 'narrower' than what that knows.
    """

    db_id: str
    how: str
    plain: list[Option]
    searched: list[Option]


@dataclass(frozen=True)
class Model:
    """Weights by the names of features, and what the log-odds begin with."""

    names: list[str]
    weights: np.ndarray
    offset: float

    def chances(self, options: Sequence[Option]) -> np.ndarray:
        """Return how likely each reading is right."""
        found: np.ndarray = 1 / (1 + np.exp(-(matrix(options, self.names) @ self.weights + self.offset)))
        return found


def part(db_id: str) -> int:
    """Return which fifth of all databases one is in."""
    return int(hashlib.md5(db_id.encode()).hexdigest(), 16) // 7 % 5


def read_database(given: tuple[str, list[dict[str, Any]], int]) -> list[Example]:
    """Return all readings of the questions about a database."""
    db_id, asked, many = given
    with tempfile.TemporaryDirectory() as folder:
        exercise = PRACTICE / "databases" / f"{db_id}.sql"
        path = build(exercise, Path(folder), "sqlite") if exercise.exists() else None
        return read_questions(db_id, asked, many, Database(db_id, "sqlite", path))


def read_questions(db_id: str, asked: list[dict[str, Any]], many: int, database: Database) -> list[Example]:
    """Return all readings of `many` questions about an open database, and of those that it cannot answer."""
    rng = random.Random(db_id)
    asked = rng.sample(asked, len(asked) if db_id in PRACTISED else min(len(asked), many))
    found = [read_question(one, database, database.catalog, "asked") for one in asked]
    for catalog, some in lacking(asked, database.catalog, rng):
        found += [read_question(one, database, catalog, "lacking") for one in some]
    for one in rng.sample(asked, min(len(asked), 3 * MOST)):
        if narrowed := narrower(one["question"], database.catalog, rng):
            found.append(
                read_question({**one, "question": narrowed, "sql": ""}, database, database.catalog, "narrower")
            )
    return found


def read_question(asked: dict[str, Any], database: Database, catalog: Catalog, how: str) -> Example:
    """Return all readings of a question, and which are right; without a gold query none is."""
    gold = database.run(spider.prepared(asked["sql"], "")[0], "sqlite") if asked["sql"] else None
    known: dict[str, bool] = {}

    def right(sql: str) -> bool:
        if sql not in known:
            rows = database.run(spider.prepared("", sql)[1], "sqlite") if sql and gold is not None else None
            known[sql] = None not in (rows, gold) and bool(spider.equal(gold, rows, spider.ordered(asked["sql"])))
        return known[sql]

    def options(readings: Iterable[Reading]) -> list[Option]:
        return [(dict(r.features), right(r.sql)) for r in readings]

    best, searched = possible(asked["question"], catalog, database.values, "sqlite")
    return Example(asked["db_id"], how, options(best), options(searched[:KEPT]))


def lacking(
    asked: list[dict[str, Any]], catalog: Catalog, rng: random.Random
) -> Iterator[tuple[Catalog, list[dict[str, Any]]]]:
    """Yield the catalog without one column or table, and questions whose gold query reads it."""
    keys = {
        (t.path, n.lower()) for t in catalog.tables for k in t.foreign_keys for n in (*k.columns, *k.target_columns)
    }
    keys |= {(t.path, n.lower()) for t in catalog.tables for n in t.primary_key}
    columns = [(t, c.name) for t in catalog.tables for c in t.columns if (t.path, c.name.lower()) not in keys]
    tables = [(t, "") for t in catalog.tables]
    for table, name in rng.sample(columns, min(len(columns), COLUMNS)) + rng.sample(tables, min(len(tables), TABLES)):
        used = [one for one in asked if re.search(rf"(?i)\b{re.escape(name or table.name)}\b", one["sql"])]
        rest = tuple(c for c in table.columns if c.name != name)
        left = [replace(t, columns=rest) if t is table else t for t in catalog.tables if name or t is not table]
        if used and left:
            yield replace(catalog, tables=tuple(left)), rng.sample(used, min(len(used), FEW))


def narrower(question: str, catalog: Catalog, rng: random.Random) -> str | None:
    """Return the question with an adjective that the database knows nothing of before the name of a table."""
    names = {stem(cut_name(table.name)[-1]) for table in catalog.tables}
    words = question.split()
    places = [place for place, word in enumerate(words) if stem(word.strip("?.,")) in names]
    if not places:
        return None
    place = rng.choice(places)
    return " ".join([*words[:place], rng.choice(ADJECTIVES), *words[place:]])


def read_all(workers: int, many: int) -> list[Example]:
    """Return the examples of all sets, of `many` questions about each database."""
    asked: dict[str, list[dict[str, Any]]] = {}
    for one in (*(q for name in SETS for q in questions(name, "sqlite")), *practice()):
        asked.setdefault(one["db_id"], []).append(one)
    given = [(db_id, some, many) for db_id, some in asked.items()]
    with ProcessPoolExecutor(workers) as pool:
        return [example for found in pool.map(read_database, given) for example in found]


def practice() -> Iterator[dict[str, Any]]:
    """Yield the practice questions, without those that only models learn from, and without databases kept back."""
    for file in sorted(PRACTICE.glob("questions-[a-e].jsonl")):
        yield from (q for q in map(json.loads, file.open(encoding="utf-8")) if q["db_id"] not in NEVER_READ)


def kept(path: Path | None, read: Callable[[], list[Example]]) -> list[Example]:
    """Return the examples in a file, or those that are read, which are then kept there."""
    if path is None:
        return read()
    if not path.exists():
        path.write_text("".join(json.dumps(asdict(example)) + "\n" for example in read()), "utf-8")
    return [Example(**json.loads(line)) for line in path.read_text("utf-8").splitlines()]


def matrix(options: Sequence[Option], names: Sequence[str]) -> np.ndarray:
    """Return a row of features for each reading."""
    places = {name: place for place, name in enumerate(names)}
    found = np.zeros((len(options), len(names)))
    for row, (features, _) in enumerate(options):
        for name in features.keys() & places.keys():
            found[row, places[name]] = features[name]
    return found


def considered(example: Example) -> list[Option]:
    """Return the readings that a question is answered by: of the best cuts one, or else those of the search."""
    return example.plain if len(example.plain) == 1 else example.searched


def fitted(examples: Sequence[Example], strength: float, only: frozenset[str] = frozenset()) -> Model:
    """Return the weights that make what was seen likeliest; features seen in fewer than five databases have none.

    If `only` has features, these alone are fitted, and all else stays as it was learned before.
    """
    base = before(only) if only else None
    shown = [(e.db_id, option) for e in examples for option in considered(e)]
    seen = Counter(name for _, name in {(db_id, name) for db_id, (features, _) in shown for name in features})
    names = sorted(n for n, databases in seen.items() if databases >= 5 and (not only or n in only))
    options = [option for _, option in shown]
    many = Counter(db_id for db_id, _ in shown)
    counts = np.array([len(shown) / len(many) / many[db_id] for db_id, _ in shown]) ** 0.5
    counts *= [WEIGHT if db_id in PRACTISED else 1.0 for db_id, _ in shown]
    raw, right = matrix(options, names), np.array([float(was) for _, was in options])
    given = matrix(options, base.names) @ base.weights + base.offset if base else np.zeros(len(raw))
    mean, spread = (0.0 if base else 1.0) * raw.mean(0), raw.std(0) + 1e-9
    rows = np.hstack([np.ones((len(raw), 1)), (raw - mean) / spread])
    held = np.eye(rows.shape[1]) * strength
    held[0, 0] = 1e12 if base else 1e-6
    weights = np.zeros(rows.shape[1])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-given - rows @ weights))
        slope = rows.T @ (counts * (chance - right)) + held @ weights
        curve = (rows * (counts * chance * (1 - chance))[:, None]).T @ rows + held
        step = np.linalg.solve(curve, slope)
        weights -= step
        if np.abs(step).max() < 1e-8:
            break
    plain = weights[1:] / spread
    if base:
        return Model([*base.names, *names], np.concatenate([base.weights, plain]), base.offset)
    return Model(names, plain, float(weights[0] - plain @ mean))


Answer = tuple[float, bool]  # how likely it says that it is right, and whether it is


@dataclass(frozen=True)
class Judged:
    """A question's likeliest reading by its best cuts, and by the search; none of either where the best cuts tie."""

    how: str
    plain: Answer | None
    searched: Answer | None

    def answer(self, least: float) -> Answer | None:
        """Return the answer, chosen as `askwhere.reader.read` chooses it; None where it refuses or asks back."""
        if self.plain and self.plain[0] >= least:
            return self.plain
        best = max((one for one in (self.plain, self.searched) if one), default=None)
        return best if best and best[0] >= least else None


def judged(examples: Iterable[Example], model: Model) -> list[Judged]:
    """Return the examples as a model judges their readings."""
    return [
        Judged(e.how, _likeliest(e.plain, model), _likeliest(e.searched, model))
        if len(e.plain) < 2
        else Judged(e.how, None, None)
        for e in examples
    ]


def _likeliest(options: Sequence[Option], model: Model) -> Answer | None:
    if not options:
        return None
    chances = model.chances(options)
    best = int(chances.argmax())
    return float(chances[best]), options[best][1]


def unlikely(examples: Sequence[Example], model: Model) -> float:
    """Return the mean loss of the readings that are considered, in nats."""
    options = [o for e in examples for o in considered(e)]
    chances = np.clip(model.chances(options), 1e-6, 1 - 1e-6)
    right = np.array([was for _, was in options])
    return float(-np.log(np.where(right, chances, 1 - chances)).mean())


def crossed(examples: Sequence[Example], strength: float, only: frozenset[str]) -> tuple[list[Judged], float]:
    """Return the examples judged by models that were fitted to other databases, and the loss of these."""
    found: list[Judged] = []
    losses = []
    for fifth in {part(e.db_id) for e in examples}:
        model = fitted([e for e in examples if part(e.db_id) != fifth], strength, only)
        some = [e for e in examples if part(e.db_id) == fifth]
        found += judged(some, model)
        losses.append(unlikely(some, model))
    return found, float(np.mean(losses))


def least_chance(found: Sequence[Judged]) -> float:
    """Return the least chance at which enough of the answers are right, where there is a right one."""
    for percent in range(40, 95):
        given = [a for a in (one.answer(percent / 100) for one in found if one.how == "asked") if a]
        if sum(right for _, right in given) >= RIGHT * len(given):
            return percent / 100
    return 0.95


def report(name: str, found: Sequence[Judged], least: float) -> None:
    """Print what is answered and how much of that is right: by the best cuts alone, and with the search."""
    before = [one.plain[1] for one in found if one.plain]
    now = [a for a in (one.answer(least) for one in found) if a]
    every = sorted((a for a in (one.answer(0.0) for one in found) if a), reverse=True)[: len(before)]
    says = 100 * sum(chance for chance, _ in now) / max(len(now), 1)
    print(
        f"{name:22}{len(found):10}{_share(len(before), len(found)):>11}{_share(sum(before), len(before)):>8}"
        f"{_share(len(now), len(found)):>11}{_share(sum(right for _, right in now), len(now)):>8}"
        f"{_share(sum(right for _, right in every), len(every)):>15}{says:8.1f} %"
    )


def _share(some: float, of: int) -> str:
    return f"{100 * some / max(of, 1):.1f} %"


def before(fresh: frozenset[str]) -> Model:
    """Return the model as it is written, without the features that are to be fitted."""
    known = {name: weight for name, weight in learned().weights.items() if name not in fresh}
    return Model(list(known), np.array(list(known.values())), learned().offset)


def main() -> None:
    """Read, fit, report and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--many", type=int, default=MANY, help="questions about a database")
    parser.add_argument(
        "--only", nargs="+", default=(), metavar="FEATURE", help="fit these alone, beside the weights as they are"
    )
    parser.add_argument("--print", action="store_true", help="leave weights.json as it is")
    given = parser.parse_args()
    examples = kept(given.keep, lambda: read_all(given.workers, given.many))
    seen, unseen = ([e for e in examples if (part(e.db_id) == HELD_OUT) is out] for out in (False, True))
    only = frozenset(given.only)
    tried = {strength: crossed(seen, strength, only) for strength in STRENGTHS}
    print("loss by strength:", ", ".join(f"{strength:g}: {loss:.4f}" for strength, (_, loss) in tried.items()))
    strength = max(one for one in tried if tried[one][1] < min(loss for _, loss in tried.values()) + ALIKE)
    least = learned().least if only else least_chance(tried[strength][0])
    model = fitted(seen, strength, only)
    print(f"{len(model.names)} weights, least chance {least}")
    print("                       questions   answered   right   answered   right   right, as many    says")
    for name, found in (("crossed", tried[strength][0]), ("held out", judged(unseen, model))):
        for how in ("asked", "lacking", "narrower"):
            report(f"{name}, {how}", [one for one in found if one.how == how], least)
    if not given.print:
        weights = {name: round(float(w), 3) for name, w in sorted(zip(model.names, model.weights, strict=True))}
        text = json.dumps({"weights": weights, "offset": round(model.offset, 3), "least": least}, indent=1)
        WRITTEN.write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
