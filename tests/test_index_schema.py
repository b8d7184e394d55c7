"""Schema search: what a question is about is kept when the whole schema does not fit."""

from __future__ import annotations

import pytest
from askwhere.engine import Column, ForeignKey, Grant, Table
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.schema import central, column_scores, pruned
from askwhere.indexer.values import Match


def table(name: str, columns: str, *targets: str, comment: str = "") -> Table:
    names = columns.split()
    keys = tuple(ForeignKey((f"{t}_id",), ("main", t), ("id",)) for t in targets)
    found = tuple(Column(n, "TEXT") for n in names)
    return Table(("main", name), found, primary_key=(names[0],), foreign_keys=keys, comment=comment)


SHOP = (
    table("customer", "id name city birthYear"),
    table("basket", "id customer_id placed", "customer"),
    table("basket_line", "id basket_id product_id amount", "basket", "product"),
    table("product", "id label price"),
    table("x17", "id a b", comment="Suppliers of spare parts"),
)
FILL = tuple(table(f"log_{n}", "id level text origin") for n in range(200))
CATALOG = Catalog(SHOP + FILL, Grant(()))


def size(one: Table) -> int:
    return 1 + len(one.columns)


def kept(question: str, room: int, *found: Match) -> list[str]:
    return [t.name for t in pruned(CATALOG, question, found, room, size).tables]


def test_a_schema_that_fits_is_left_as_it_is() -> None:
    assert pruned(CATALOG, "anything", (), 10_000, size) is CATALOG


def test_what_is_kept_fits() -> None:
    assert sum(map(size, pruned(CATALOG, "customers by city", (), 60, size).tables)) <= 60


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How many customers are there?", {"customer"}),
        ("customers by birth year", {"customer"}),
        ("the price of each product", {"product"}),
        ("who supplies spare parts?", {"x17"}),
        ("customers and their products", {"customer", "basket", "basket_line", "product"}),
    ],
)
def test_the_tables_that_a_question_names_are_kept_with_those_between(question: str, expected: set[str]) -> None:
    assert expected <= set(kept(question, 30))


def test_a_value_that_the_question_holds_speaks_for_its_column() -> None:
    assert kept("everything from Oslo", 6, Match(("main", "log_77"), "origin", "Oslo", 1.0, True)) == ["log_77"]


def test_a_table_too_large_is_kept_with_its_keys_and_what_is_asked() -> None:
    wide = table("wide", "id " + " ".join(f"c{n}" for n in range(500)) + " customer_id colour", "customer")
    catalog = Catalog((*FILL, wide), Grant(()))
    found = pruned(catalog, "which colour is the wide one", (), 20, size)
    assert [c.name for t in found.tables if t.name == "wide" for c in t.columns] == ["id", "customer_id", "colour"]


def test_a_schema_that_is_cut_begins_with_the_same_tables_whatever_is_asked() -> None:
    always = central(CATALOG, 200, size)
    assert [t.name for t in always[:4]] == ["basket", "basket_line", "customer", "product"]
    for name in ("log_77", "log_177"):
        match = Match(("main", name), "origin", "Oslo", 1.0, True)
        found = pruned(CATALOG, "everything from Oslo", (match,), 200, size, always).tables
        assert found[: len(always)] == always
        assert name in {t.name for t in found[len(always) :]}
        assert sum(map(size, found)) <= 200


def test_a_schema_that_fits_and_one_of_large_tables_have_none_of_these() -> None:
    assert central(CATALOG, 10_000, size) == ()
    assert central(CATALOG, 60, size) == ()


def test_names_are_read_in_their_parts() -> None:
    scores = column_scores(CATALOG, "year of birth", ())
    assert scores[("main", "customer"), "birthYear"] == max(scores.values()) > 0
