"""Compare two runs by the questions that only one of them has right, and test whether that can be chance."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from askwhere.errors import ArgumentError
from askwhere.evaluation import statistics
from askwhere.evaluation.records import LEVELS, Header, Record, Run
from askwhere.evaluation.statistics import McNemar
from askwhere.frozen import frozen
from askwhere.grouping import grouped

# Identifies a question in two runs: its id, database and words.
Key = tuple[str, str, str]


@frozen
class Pair:
    """One question in both runs, and whether each run has it right."""

    first: Record
    second: Record
    first_right: bool
    second_right: bool


@frozen
class Comparison:
    """Two runs paired by the questions that both were asked.

    `only_first` and `only_second` count the questions of one run alone. `notes` name other differences between the runs
    that may explain a difference in score.
    """

    first: Run
    second: Run
    pairs: tuple[Pair, ...]
    only_first: int = 0
    only_second: int = 0
    notes: tuple[str, ...] = ()

    @property
    def better(self) -> tuple[Pair, ...]:
        """Return the questions that only the second run has right."""
        return tuple(pair for pair in self.pairs if pair.second_right and not pair.first_right)

    @property
    def worse(self) -> tuple[Pair, ...]:
        """Return the questions that only the first run has right."""
        return tuple(pair for pair in self.pairs if pair.first_right and not pair.second_right)

    @property
    def test(self) -> McNemar:
        """Return McNemar's test over the common questions."""
        return statistics.mcnemar(len(self.worse), len(self.better))


def hardness(record: Record) -> str:
    """Return the level of a question: the data set's own, else Spider's hardness."""
    return record.difficulty or record.level


def by_hardness(records: Iterable[Record]) -> list[tuple[str, list[Record]]]:
    """Return the questions of each level, the easiest level first; unknown levels come last."""
    levels = grouped((hardness(record), record) for record in records)
    return sorted(
        levels.items(), key=lambda item: (LEVELS.index(item[0]) if item[0] in LEVELS else len(LEVELS), item[0])
    )


def by_score(run: Run, score: str) -> Run:
    """Return the run with another of its scores deciding what is right.

    Raise `ArgumentError` if it does not have it.
    """
    scores = run.header.scores
    if score not in scores:
        raise ArgumentError(f"a run of {run.header.set} has no score {score!r}, only {', '.join(scores)}")
    ordered = dict.fromkeys((score, *scores))
    return replace(run, header=replace(run.header, scores=tuple(ordered)))


def compare(first: Run, second: Run) -> Comparison:
    """Pair two runs by question. Raise `ArgumentError` where they cannot be compared."""
    first_records, second_records = {_key(r): r for r in first.records}, {_key(r): r for r in second.records}
    _check(first, second, first_records, second_records)
    common = [key for key in first_records if key in second_records]
    pairs = (
        Pair(
            first_records[key], second_records[key], first.right(first_records[key]), second.right(second_records[key])
        )
        for key in common
    )
    return Comparison(
        first,
        second,
        tuple(pairs),
        len(first_records) - len(common),
        len(second_records) - len(common),
        tuple(_notes(first, second)),
    )


def _check(first: Run, second: Run, first_keys: Collection[Key], second_keys: Collection[Key]) -> None:
    """Check that two runs can be compared, by their headers and questions.

    Raise `ArgumentError` where different scores decide what is right, or where no question is common.
    """
    score, other = first.header.scores[0], second.header.scores[0]
    if score != other:
        raise ArgumentError(
            f"the runs cannot be compared: the first goes by {score}, the second by {other}; name one that both have"
            " with --score"
        )
    if not any(key in second_keys for key in first_keys):
        raise ArgumentError(
            f"the runs have no question in common: the first has {len(first_keys):,} of {first.header.set}, the second"
            f" {len(second_keys):,} of {second.header.set}"
        )


def _key(asked: Record) -> Key:
    return asked.id, asked.db_id, asked.question


def _notes(first: Run, second: Run) -> Iterator[str]:
    """Yield what else differs between the runs: interruption, engine, data, code."""
    for which, run in (("first", first), ("second", second)):
        if not run.complete:
            yield f"the {which} run is not complete: it was interrupted"
    header, other = first.header, second.header
    if header.engine != other.engine:
        yield f"the first ran in {header.engine}, the second in {other.engine}"
    if header.data != other.data and (header.set, header.sample, header.seed) == (other.set, other.sample, other.seed):
        yield "the questions, gold queries or databases have changed between the runs"
    if header.version != other.version or header.source != other.source:
        yield f"the code is another: {_differing(header, other)}"


def _differing(header: Header, other: Header) -> str:
    """Return how the code of two runs differs: versions of askwhere and of packages, and folders with other files."""
    parts = [f"askwhere {header.version or '?'} and {other.version or '?'}"] if header.version != other.version else []
    if not header.parts or not other.parts:
        return parts[0] if parts else f"both are askwhere {header.version}, and an older run does not say what differs"
    names = [name for name in {**header.parts, **other.parts} if header.parts.get(name) != other.parts.get(name)]
    parts += [f"{n} {header.parts.get(n, 'none')} and {other.parts.get(n, 'none')}" for n in names if not _is_ours(n)]
    if ours := [name for name in names if _is_ours(name)]:
        parts.append(f"files of {', '.join(ours)}")
    return "; ".join(parts)


def _is_ours(part: str) -> bool:
    return part.partition(".")[0] == "askwhere"


# ----------------------------------------------------------------------------------------------------------- as a table

COLUMNS = ("level", "questions", "first", "second", "difference", "better", "worse", "p")


def table(compared: Comparison) -> list[tuple[str, int, str, str, str, int, int, str]]:
    """Return a row for each level and one for all questions.

    Shares are in percent, their difference in percentage points; p is McNemar's.
    """
    by_level = grouped((hardness(pair.first), pair) for pair in compared.pairs)
    levels = [level for level, _ in by_hardness(pair.first for pair in compared.pairs)]
    parts = [(level or "other", replace(compared, pairs=tuple(by_level[level]))) for level in levels]
    return [_row(name, part) for name, part in (*(parts if len(parts) > 1 else ()), ("all", compared))]


def _row(name: str, part: Comparison) -> tuple[str, int, str, str, str, int, int, str]:
    """Return the table's row for a part of the pairs."""
    n, better, worse = len(part.pairs), len(part.better), len(part.worse)
    first = sum(pair.first_right for pair in part.pairs)
    second = first + better - worse
    difference = f"{100 * (second - first) / n:+.1f}"
    p = p_value(part.test).removeprefix("= ")
    return name, n, f"{100 * first / n:.1f}", f"{100 * second / n:.1f}", difference, better, worse, p


def p_value(test: McNemar) -> str:
    """Return McNemar's p, the probability of so large a difference by chance alone, as text that follows "p"."""
    return f"= {test.p:.3f}" if test.p >= 0.001 else "< 0.001"


def sentence(compared: Comparison) -> str:
    """Return the result of a comparison as a sentence."""
    better, worse, test = len(compared.better), len(compared.worse), compared.test
    right = sum(pair.first_right for pair in compared.pairs), sum(pair.second_right for pair in compared.pairs)
    method = "the exact test" if test.exact else f"chi-squared {test.statistic:.2f}"
    caveat = "" if test.p < 0.05 else "; so large a difference is not unlikely by chance"
    return (
        f"Of {len(compared.pairs):,} common questions the first run has {right[0]:,} right, the second {right[1]:,}:"
        f" {better:,} got better, {worse:,} worse (McNemar's test, {method}: p {p_value(test)}{caveat})."
    )


def left_out(compared: Comparison) -> str:
    """Return a sentence that counts the questions of one run alone; '' if there are none."""
    sides = ((compared.only_first, "first"), (compared.only_second, "second"))
    counts = " and ".join(f"{n:,} of the {which} run" for n, which in sides if n)
    return (
        f"The runs are not over the same questions: {counts} are not in the other, and are left out." if counts else ""
    )
