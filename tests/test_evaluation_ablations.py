"""Each preset end to end, with a model that replies by what it is asked: all rows run, and differ as they say."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from askwhere.bindings.opening import open_database
from askwhere.evaluation import ablation, presets, runner
from askwhere.evaluation.plans import Plan
from askwhere.evaluation.presets import Preset
from askwhere.evaluation.records import Header, Run
from askwhere.evaluation.sets import Item
from askwhere.models import Completions
from support import SHOP
from support import Database as Shop

pytestmark = pytest.mark.slow

CANADIANS = Item("a", "shop", "which customers are from Canada", "SELECT name FROM customers WHERE country = 'Canada'")
COUNT = Item("b", "shop", "how many orders are there", "SELECT count(*) FROM orders")
ITEMS = (CANADIANS, COUNT)
LACKING, FAILING = "SELECT name FROM customers", "SELECT count(*) FROM order_s"
ALIGNED = json.dumps([{"token": "Canada", "schema": "customers.country", "type": "val"}])
# What each step is told by, the first that is in the prompt.
STEPS = (
    ("### It gave:", "eliminate"),
    ("failed when it was run", "reflect"),
    ("Correct the last query", "correct"),
    ("which the query does not use", "correct entities"),
    ("could have the form", "correct skeleton"),
    ("### Alignments:", "link entities"),
    ("Make up a query", "parse skeleton"),
    ("### Tables:", "link tables"),
    ("### Columns:", "link columns"),
    ("that may answer it:", "choose"),
    ("### Explanation:", "explained"),
    ("like the queries above", "few shots"),
    ("that answers the question.", "zero shots"),
)
# Of twenty samples: three groups, of which the last has less than a fifth.
SAMPLES = (CANADIANS.gold,) * 11 + ("SELECT country FROM customers",) * 7 + ("SELECT id FROM orders",) * 2


@dataclass(eq=False)
class Told:
    """A model that lacks an entity in one question and fails in the other, and writes down what it is asked."""

    asked: Path
    name: str = "told"
    remote: bool = False

    def complete(self, prompt: str, n: int = 1, temperature: float = 0.0, **_: Any) -> Completions:
        step = next(step for told, step in STEPS if told in prompt)
        with self.asked.open("a") as file:
            file.write(json.dumps({"step": step, "prompt": prompt, "n": n, "temperature": temperature}) + "\n")
        return Completions(tuple((self.replies(step, prompt) * n)[:n]), len(prompt) // 4, 10 * n)

    def replies(self, step: str, prompt: str) -> tuple[str, ...]:
        """What it replies, again and again."""
        item = max(ITEMS, key=lambda item: prompt.rfind(f"### Question: {item.question}"))
        first = LACKING if item is CANADIANS else FAILING
        if step == "explained":
            found = SAMPLES if item is CANADIANS else (item.gold,)
            return tuple(f"It is so.\n```sql\n{sql}\n```" for sql in found)
        said = {
            "eliminate": first,
            "reflect": "There is no such table.",
            "link entities": ALIGNED if item is CANADIANS else "[]",
            "parse skeleton": "SELECT a FROM b WHERE c = 'd'" if item is CANADIANS else "SELECT count(*) FROM a",
            "link tables": json.dumps({"tables": [{"table": item.gold.split(" FROM ")[1].split()[0]}]}),
            "link columns": json.dumps({"columns": [{"column": "customers.name"}, {"column": "customers.country"}]}),
            "choose": json.dumps({"answer": 1}),
            "few shots": first,
            "zero shots": first,
        }
        return (said.get(step, item.gold),)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    made = Shop("sqlite", tmp_path)
    made.raw(made.path).execute(SHOP)
    made.close()
    forms = ("SELECT a FROM t", "SELECT a, b FROM t", "SELECT a FROM t LIMIT 3", "SELECT max(a) FROM t")
    pool = [{"question": f"which {'abcd'[n]} are from t", "sql": sql} for n, sql in enumerate(forms)]
    Path(tmp_path, "train.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in pool))
    return made.path


class Asked:
    """What one row of a preset asked the model, and what came of it."""

    def __init__(self, calls: list[dict[str, Any]], run: Run) -> None:
        self.calls, self.run = calls, run
        self.steps = Counter(call["step"] for call in calls)

    def of(self, step: str) -> list[dict[str, Any]]:
        """The calls of a step."""
        return [call for call in self.calls if call["step"] == step]

    def prompt(self, step: str, item: Item = CANADIANS) -> str:
        """The first prompt of a step for a question."""
        return next(c["prompt"] for c in self.of(step) if c["prompt"].rstrip().count(f"Question: {item.question}"))


def made(preset: Preset, shop: Path) -> list[Asked]:
    """All rows of a preset, each as a run of its own."""
    found = []
    eliminator = Told(shop.parent / "eliminated")
    for number, row in enumerate(preset.rows):
        model = Told(shop.parent / f"asked-{number}")
        needed = {"examples": str(shop.parent / "train.jsonl"), "eliminator": "gguf:eliminator"}
        settings = preset.settings_of(row, {name: needed[name] for name in preset.needs})
        header = Header("spider/dev.jsonl", model="told", preset=f"{preset.name}: {row.name}", oracle=row.oracle)
        given = {**settings, "model": model, **({"eliminator": eliminator} if "eliminator" in preset.needs else {})}
        plan = Plan(header, ITEMS, {"shop": shop}, {"shop": "print"}, given)
        run, told = runner.run(plan, open_database, shop.parent / f"run-{number}.jsonl")
        assert told == ()
        assert len(run.records) == 2
        asked = [model.asked, eliminator.asked]
        calls = [json.loads(line) for path in asked if path.exists() for line in path.read_text().splitlines()]
        eliminator.asked.unlink(missing_ok=True)
        found.append(Asked(calls, run))
    names, rows = ablation.table(preset, [one.run for one in found])
    assert len(rows) == len(preset.rows) * len({(c.score, c.level) for c in ablation.columns_of(preset, "spider")})
    assert all(len(row) == len(names) for row in rows)
    return found


def right(one: Asked) -> list[bool]:
    return [one.run.right(record) for record in one.run.records]


def test_sea_table_3(shop: Path) -> None:
    whole, no_elimination, no_adjustment, neither = made(presets.SEA_3, shop)
    assert whole.steps == {"zero shots": 2, "eliminate": 2, "reflect": 1, "correct": 1}
    assert no_elimination.steps == {"zero shots": 2, "reflect": 1, "correct": 1}
    assert no_adjustment.steps == {"zero shots": 2, "eliminate": 2}
    assert neither.steps == {"zero shots": 2}
    assert [right(one) for one in (whole, no_elimination, no_adjustment, neither)] == [
        [False, True], [False, True], [False, False], [False, False],
    ]  # fmt: skip


def test_sea_table_4(shop: Path) -> None:
    rows = made(presets.SEA_4, shop)
    assert [one.steps for one in rows] == [{"zero shots": 2}] * 4
    lines = [one.prompt("zero shots").split("\n") for one in rows]
    countries = [next(line for line in shown if line.startswith("  country ")) for shown in lines]
    assert [line.split("TEXT,")[1] for line in countries] == [
        "", " -- 'Canada'", " -- 'Canada', 'Norway'", " -- 'Canada', 'Norway'",
    ]  # fmt: skip
    names = [next(line for line in shown if line.startswith("  name ")) for shown in lines]
    assert [name.count("'") // 2 for name in names] == [0, 1, 2, 3]


def test_dac_table_3(shop: Path) -> None:
    whole, no_entities, no_skeleton = made(presets.DAC_3, shop)
    assert whole.steps == {
        "few shots": 2, "link entities": 2, "correct entities": 1, "parse skeleton": 2, "correct": 1,
    }  # fmt: skip
    assert not {"link entities", "correct entities"} & set(no_entities.steps)
    assert no_entities.steps["parse skeleton"] == 2
    assert not {"parse skeleton", "correct skeleton"} & set(no_skeleton.steps)
    assert no_skeleton.steps["link entities"] == 2
    assert right(whole) == [True, True]


def test_dac_table_6(shop: Path) -> None:
    initial, parsed = made(presets.DAC_6, shop)
    assert initial.steps == {"few shots": 2}
    assert set(parsed.steps) <= {"few shots", "parse skeleton", "correct skeleton"}
    assert [r.parsed_skeleton for r in initial.run.records] == [None, None]
    assert [r.parsed_skeleton for r in parsed.run.records] == [True, True]
    names, rows = ablation.table(presets.DAC_6, [initial.run, parsed.run])
    assert [dict(zip(names, row, strict=True))["here"] for row in rows] == ["0.0", "100.0"]


def test_dac_table_7(shop: Path) -> None:
    whole, entities, skeleton, both = made(presets.DAC_7, shop)
    assert {"link entities", "parse skeleton"} <= set(whole.steps)
    assert "link entities" not in entities.steps
    assert "The question mentions customers.country" in entities.prompt("correct entities")
    assert "parse skeleton" not in skeleton.steps
    assert not {"link entities", "parse skeleton"} & set(both.steps)
    assert [one.run.header.oracle for one in (whole, both)] == [(), ("entities", "skeleton")]


@pytest.mark.parametrize("preset", [presets.MCS_3, presets.MCS_4], ids=lambda preset: preset.name)
def test_mcs_tables_3_and_4(preset: Preset, shop: Path) -> None:
    zero, linked, rows, shots, one_prompt, whole = made(preset, shop)
    assert zero.steps == {"explained": 2}
    assert "orders" in zero.prompt("explained")
    assert linked.steps == {"link tables": 6, "link columns": 6, "explained": 2}
    assert "orders" not in linked.prompt("explained").split("### Explain")[0]
    assert ["first rows, as CSV" in one.prompt("explained") for one in (linked, rows)] == [False, True]
    assert ["Other questions" in one.prompt("explained") for one in (rows, shots)] == [False, True]
    assert {call["n"] for one in (zero, linked, rows, shots) for call in one.of("explained")} == {1}
    assert [(one.steps["explained"], one.steps["choose"]) for one in (one_prompt, whole)] == [(2, 1), (10, 1)]
    assert {call["n"] for one in (one_prompt, whole) for call in one.of("explained")} == {20}


def test_mcs_table_5(shop: Path) -> None:
    rows = made(presets.MCS_5, shop)
    for step in ("link tables", "link columns"):
        assert [(len(one.of(step)), one.of(step)[0]["n"], one.of(step)[0]["temperature"]) for one in rows] == [
            (2, 1, 0.0), (2, 20, 1.0), (6, 20, 1.0),
        ]  # fmt: skip
    # The model links all that gold names.
    names, table = ablation.table(presets.MCS_5, [one.run for one in rows])
    assert [dict(zip(names, row, strict=True))["here"] for row in table] == ["100.0"] * 3
    assert [record.column_recall for record in rows[0].run.records] == [1.0, None]


def test_mcs_table_6(shop: Path) -> None:
    rows = made(presets.MCS_6, shop)
    assert [one.steps["explained"] for one in rows] == [2] * 3
    assert len({one.prompt("explained") for one in rows}) == 3


def test_mcs_table_7(shop: Path) -> None:
    majority, unfiltered, filtered = made(presets.MCS_7, shop)
    assert [one.steps["choose"] for one in (majority, unfiltered, filtered)] == [0, 1, 1]
    options = [one.prompt("choose").split("that may answer it:")[1].count("\n") for one in (unfiltered, filtered)]
    assert options[0] == options[1] + 1
    assert "SELECT id FROM orders" in unfiltered.prompt("choose")
    assert "SELECT id FROM orders" not in filtered.prompt("choose")
