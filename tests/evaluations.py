"""Runs of evaluations for tests, made up."""

from __future__ import annotations

import random
from dataclasses import replace

from askwhere.evaluation.records import Header, Record, Run

SHOP = (
    ("Which customers are from Canada?", "SELECT name FROM customers WHERE country = 'Canada'"),
    ("How many customers are there?", "SELECT count(*) FROM customers"),
    ("What did each customer pay in all?", "SELECT c.name, sum(o.amount) FROM customers c JOIN orders o"
     " ON o.customer_id = c.id GROUP BY c.id"),
    ("Which customers have never ordered?", "SELECT name FROM customers WHERE id NOT IN (SELECT customer_id FROM"
     " orders)"),
)  # fmt: skip
WRONG = (
    "SELECT id FROM customers WHERE country = 'Canada'",
    "SELECT name FROM customers WHERE country = 'CA'",
    "SELECT c.name, sum(o.amount) FROM customers c JOIN orders o ON o.id = c.id GROUP BY c.id",
    "SELECT name FROM customers WHERE id NOT IN (SELECT id FROM orders)",
    "SELECT name, country FROM customers",
)
LEVELS = ("easy", "medium", "hard", "extra")


def made(
    share: float, seed: int = 0, asked: int = 120, model: str = "openai:gpt-5-mini", calls: int = 1, **given: object
) -> Run:
    """Return a run in which about that share of the questions is right; the same each time."""
    drawn = random.Random(seed)
    header = Header("dev.jsonl", "dev", model=model, scores=("spider_ex", "own"), version="0.1.0")
    records = tuple(_record(number, share, drawn, calls if model != "reader" else 0) for number in range(asked))
    return Run(replace(header, **given), records)  # type: ignore[arg-type]


def _record(number: int, share: float, drawn: random.Random, calls: int) -> Record:
    question, gold = SHOP[number % len(SHOP)]
    place = number % 4
    right = drawn.random() < share + 0.12 * (1 - place)
    wrong = drawn.choice(WRONG)
    answered = right or drawn.random() < 0.8
    tokens = calls * drawn.randrange(400, 900)
    return Record(
        id=f"q-{number}",
        db_id=("shop", "branch")[number % 2],
        question=f"{question} ({number})",
        gold=gold,
        predicted=gold if right else wrong if answered else None,
        outcome="answered" if answered else "refused",
        error="" if answered else "Unread: could not place 'flurb'",
        confidence=round(drawn.uniform(0.6, 1.0) if right else drawn.uniform(0.2, 0.9), 2) if answered else None,
        level=LEVELS[place],
        scores={"spider_ex": float(right), "own": float(right)},
        table_recall=1.0,
        column_recall=drawn.choice((1.0, 1.0, 0.5)),
        value_recall=None if place else 1.0,
        skeleton=right,
        requests=calls,
        calls=calls,
        prompt_tokens=tokens,
        completion_tokens=tokens // 10,
        cost=tokens * 4e-7 if calls else None,
        seconds=round(calls * drawn.lognormvariate(-0.5, 0.6) if calls else drawn.uniform(0.001, 0.01), 4),
        candidates=3,
    )
