"""Comparing two runs: paired by question, tested by McNemar, and nothing hidden of what was not common."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from askwhere.errors import ArgumentError
from askwhere.evaluation import identity
from askwhere.evaluation.compare import by_score, compare, left_out, sentence, table
from askwhere.evaluation.records import Header, Record, Run
from evaluations import made
from hypothesis import given
from hypothesis import strategies as st


def run(right: str, level: str = "easy", **given: object) -> Run:
    """A run of a question for each letter: + is right, - wrong, ? refused."""
    records = tuple(
        Record(
            f"q-{n}", "shop", f"question {n}", "SELECT 1", "SELECT 2", level=level,
            outcome="refused" if sign == "?" else "answered", scores={"spider_ex": float(sign == "+")},
        )
        for n, sign in enumerate(right)
    )  # fmt: skip
    return Run(replace(Header("dev.jsonl"), **given), records)  # type: ignore[arg-type]


def test_what_got_better_and_what_worse_is_told_apart() -> None:
    found = compare(run("++--?"), run("+-+-+"))
    assert [pair.first.id for pair in found.better] == ["q-2", "q-4"]
    assert [pair.second.id for pair in found.worse] == ["q-1"]
    assert (found.only_first, found.only_second, left_out(found)) == (0, 0, "")


def test_few_differences_are_tested_exactly() -> None:
    found = compare(run("-" * 8 + "+"), run("+" * 8 + "-"))
    assert found.test.p == pytest.approx(2 * (1 + 9) / 2**9)
    assert sentence(found) == (
        "Of 9 common questions the first run has 1 right, the second 8: 8 got better, 1 worse (McNemar's test, the"
        " exact test: p = 0.039)."
    )


def test_many_differences_are_tested_by_chi_squared() -> None:
    found = compare(run("-" * 40 + "+" * 10), run("+" * 40 + "-" * 10))
    assert found.test.statistic == pytest.approx((30 - 1) ** 2 / 50)
    assert sentence(found).endswith("(McNemar's test, chi-squared 16.82: p < 0.001).")


def test_a_difference_that_may_be_chance_is_said_to_be() -> None:
    assert sentence(compare(run("+-"), run("-+"))).endswith("so large a difference is not unlikely by chance).")
    assert "p = 1.000" in sentence(compare(run("++"), run("++")))


def test_questions_of_one_run_alone_are_left_out_and_counted() -> None:
    found = compare(run("+++--"), run("+++"))
    assert len(found.pairs) == 3
    assert left_out(found) == (
        "The runs are not over the same questions: 2 of the first run are not in the other, and are left out."
    )
    both = compare(replace(run("+++"), records=run("+++").records[1:]), run("++"))
    assert "1 of the first run and 1 of the second run are not in the other" in left_out(both)


def test_a_question_of_other_words_is_another_question() -> None:
    one = run("+")
    other = replace(one, records=(replace(one.records[0], question="another"),))
    with pytest.raises(ArgumentError, match=r"no question in common: the first has 1 of dev.jsonl, the second 1 of"):
        compare(one, other)


@given(st.text("+-?", min_size=1, max_size=40), st.randoms())
def test_the_other_way_round_better_is_worse(first: str, drawn: Random) -> None:
    second = "".join(drawn.sample(first, len(first)))
    there, back = compare(run(first), run(second)), compare(run(second), run(first))
    assert [pair.first.id for pair in there.better] == [pair.first.id for pair in back.worse]
    assert there.test == back.test
    # Both have as many right, so that nothing is shown by the difference.
    assert len(there.better) == len(there.worse)
    assert there.test.p == 1


def test_runs_that_go_by_other_scores_are_not_compared() -> None:
    with pytest.raises(ArgumentError, match="the first goes by spider_ex, the second by bird_ex"):
        compare(run("+"), run("+", scores=("bird_ex",)))


def test_any_score_that_a_run_has_can_say_what_is_right() -> None:
    one = run("++-", scores=("bird_ex", "spider_ex"))
    assert sum(map(one.right, one.records)) == 0
    other = by_score(one, "spider_ex")
    assert (other.header.scores, sum(map(other.right, other.records))) == (("spider_ex", "bird_ex"), 2)
    assert compare(run("+++"), other).worse[0].first.id == "q-2"
    with pytest.raises(ArgumentError, match="has no score 'ves', only bird_ex, spider_ex"):
        by_score(one, "ves")


def test_the_table_has_each_level_and_all() -> None:
    first = Run(Header("dev.jsonl"), (*run("+-").records, *_moved(run("--++", "extra"))))
    second = Run(Header("dev.jsonl"), (*run("++").records, *_moved(run("+--+", "extra"))))
    assert table(compare(first, second)) == [
        ("easy", 2, "50.0", "100.0", "+50.0", 1, 0, "1.000"),
        ("extra", 4, "50.0", "50.0", "+0.0", 1, 1, "1.000"),
        ("all", 6, "50.0", "66.7", "+16.7", 2, 1, "1.000"),
    ]


def _moved(run_: Run) -> tuple[Record, ...]:
    return tuple(replace(r, id=f"{r.id}-2") for r in run_.records)


def test_levels_stand_in_their_order_whatever_the_set_calls_them() -> None:
    one = made(0.5, asked=16)
    assert [row[0] for row in table(compare(one, one))] == ["easy", "medium", "hard", "extra", "all"]
    words = ("challenging", "simple", "moderate", "")
    records = tuple(replace(r, difficulty=words[n % 4], level="") for n, r in enumerate(one.records))
    bird = replace(one, records=records)
    assert [row[0] for row in table(compare(bird, bird))] == ["simple", "moderate", "challenging", "other", "all"]


def test_what_else_differs_is_said() -> None:
    first = replace(run("+", version="0.1", source="a", data="x"), complete=False)
    second = run("+", version="0.2", source="b", data="y", engine="duckdb")
    assert compare(first, second).notes == (
        "the first run is not complete: it was interrupted",
        "the first ran in sqlite, the second in duckdb",
        "the questions, gold queries or databases have changed between the runs",
        "the code is another: askwhere 0.1 and 0.2",
    )


def test_of_the_same_version_it_is_said_what_of_the_code_differs() -> None:
    parts = {"Python": "3.11", "duckdb": "1.5.5", "askwhere": "a", "askwhere.reader": "b", "askwhere.guard": "c"}
    other = parts | {"duckdb": "2.0.0", "askwhere.reader": "d", "numpy": "2.3"}
    first = run("+", version="0.1.0", source="a", parts=parts)
    second = run("+", version="0.1.0", source="b", parts=other)
    said = "the code is another: duckdb 1.5.5 and 2.0.0; numpy none and 2.3; files of askwhere.reader"
    assert compare(first, second).notes == (said,)
    assert compare(first, replace(second, header=replace(second.header, parts={}))).notes == (
        "the code is another: both are askwhere 0.1.0, and an older run does not say what differs",
    )


def test_a_run_says_what_made_it() -> None:
    parts = identity.parts()
    assert {"Python", "apsw", "duckdb", "askwhere", "askwhere.reader", "askwhere.bindings"} <= parts.keys()
    asking = identity.parts(asking=True)
    assert "askwhere.evaluation" not in asking
    assert asking["askwhere.bindings"] != parts["askwhere.bindings"]
