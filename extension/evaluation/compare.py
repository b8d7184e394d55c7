"""Two runs beside each other: which questions one has right and the other has not, and whether that can be chance."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from askwhere.errors import ArgumentError
from askwhere.evaluation import statistics
from askwhere.evaluation.plans import Plan
from askwhere.evaluation.records import LEVELS, Header, Record, Run
from askwhere.evaluation.sets import Item
from askwhere.evaluation.statistics import McNemar

# What makes a question the same in two runs: its id, database and words.
Key = tuple[str, str, str]


@dataclass(frozen=True)
class Pair:
    """One question in both runs, and whether each has it right."""

    first: Record
    second: Record
    first_right: bool
    second_right: bool


@dataclass(frozen=True)
class Comparison:
    """Two runs by the questions that both were asked; `only_first` and `only_second` count those that one was not.

    `notes` say what else differs, so that it is known what the difference may come from.
    """

    first: Run
    second: Run
    pairs: tuple[Pair, ...]
    only_first: int = 0
    only_second: int = 0
    notes: tuple[str, ...] = ()

    @property
    def better(self) -> tuple[Pair, ...]:
        """What the second run alone has right."""
        return tuple(pair for pair in self.pairs if pair.second_right and not pair.first_right)

    @property
    def worse(self) -> tuple[Pair, ...]:
        """What the first run alone has right."""
        return tuple(pair for pair in self.pairs if pair.first_right and not pair.second_right)

    @property
    def test(self) -> McNemar:
        """McNemar's test over the common questions."""
        return statistics.mcnemar(len(self.worse), len(self.better))


def hardness(record: Record) -> str:
    """How hard a question is: by the data set's own word, else by Spider's rule."""
    return record.difficulty or record.level


def by_hardness(records: Iterable[Record]) -> list[tuple[str, list[Record]]]:
    """The questions of each level, the easiest first; levels of another kind come last."""
    held: dict[str, list[Record]] = {}
    for record in records:
        held.setdefault(hardness(record), []).append(record)
    return sorted(held.items(), key=lambda one: (LEVELS.index(one[0]) if one[0] in LEVELS else len(LEVELS), one[0]))


def by_score(run: Run, score: str) -> Run:
    """The run with another of its scores saying what is right. Raises `ArgumentError` where it has not that score."""
    scores = run.header.scores
    if score not in scores:
        raise ArgumentError(f"a run of {run.header.set} has no score {score!r}, only {', '.join(scores)}")
    ordered = dict.fromkeys((score, *scores))
    return replace(run, header=replace(run.header, scores=tuple(ordered)))


def compare(first: Run, second: Run) -> Comparison:
    """The runs, paired by question. Raises as `check`."""
    own, theirs = {_key(r): r for r in first.records}, {_key(r): r for r in second.records}
    check(first.header, own, second.header, theirs)
    common = [key for key in own if key in theirs]
    pairs = (Pair(own[key], theirs[key], first.right(own[key]), second.right(theirs[key])) for key in common)
    return Comparison(
        first, second, tuple(pairs), len(own) - len(common), len(theirs) - len(common), tuple(_notes(first, second))
    )


def check(first: Header, own: Collection[Key], second: Header, theirs: Collection[Key]) -> None:
    """Raises `ArgumentError` for two runs that cannot be compared, made or to be made, by what they are asked."""
    score, other = first.scores[0], second.scores[0]
    if score != other:
        raise ArgumentError(
            f"the runs cannot be compared: the first goes by {score}, the second by {other}; name one that both have"
            " with --score"
        )
    if not any(key in theirs for key in own):
        raise ArgumentError(
            f"the runs have no question in common: the first has {len(own):,} of {first.set}, the second"
            f" {len(theirs):,} of {second.set}"
        )


def check_baseline(baseline: Run, plan: Plan) -> None:
    """Raises `ArgumentError` for a run that one still to be made could not be compared with."""
    try:
        check(baseline.header, set(map(_key, baseline.records)), plan.header, set(map(_key, plan.items)))
    except ArgumentError as exc:
        raise ArgumentError(f"the baseline cannot be used; {exc}") from None


def _key(asked: Record | Item) -> Key:
    return asked.id, asked.db_id, asked.question


def _notes(first: Run, second: Run) -> Iterator[str]:
    for which, run in (("first", first), ("second", second)):
        if not run.complete:
            yield f"the {which} run is not complete: it was interrupted"
    one, other = first.header, second.header
    if one.engine != other.engine:
        yield f"the first ran in {one.engine}, the second in {other.engine}"
    if one.data != other.data and (one.set, one.sample, one.seed) == (other.set, other.sample, other.seed):
        yield "the questions, gold queries or databases have changed between the runs"
    if one.version != other.version or one.source != other.source:
        yield f"the code is another: {_differing(one, other)}"


def _differing(one: Header, other: Header) -> str:
    """What of the code differs: versions, and the folders of our files."""
    said = [f"askwhere {one.version or '?'} and {other.version or '?'}"] if one.version != other.version else []
    if not one.parts or not other.parts:
        return said[0] if said else f"both are askwhere {one.version}, and an older run does not say what differs"
    names = [name for name in {**one.parts, **other.parts} if one.parts.get(name) != other.parts.get(name)]
    said += [f"{n} {one.parts.get(n, 'none')} and {other.parts.get(n, 'none')}" for n in names if not _is_ours(n)]
    if ours := [name for name in names if _is_ours(name)]:
        said.append(f"files of {', '.join(ours)}")
    return "; ".join(said)


def _is_ours(part: str) -> bool:
    return part.partition(".")[0] == "askwhere"


# ----------------------------------------------------------------------------------------------------------- as a table

COLUMNS = ("level", "questions", "first", "second", "difference", "better", "worse", "p")


def table(found: Comparison) -> list[tuple[str, int, str, str, str, int, int, str]]:
    """Both runs by hardness, all questions last; shares in percent, the difference in points, p by McNemar's test."""
    held: dict[str, list[Pair]] = {}
    for pair in found.pairs:
        held.setdefault(hardness(pair.first), []).append(pair)
    levels = [level for level, _ in by_hardness(pair.first for pair in found.pairs)]
    rows = [_row(level or "other", held[level]) for level in levels] if len(levels) > 1 else []
    return [*rows, _row("all", found.pairs)]


def _row(name: str, pairs: Sequence[Pair]) -> tuple[str, int, str, str, str, int, int, str]:
    one, other = sum(pair.first_right for pair in pairs), sum(pair.second_right for pair in pairs)
    better = sum(pair.second_right and not pair.first_right for pair in pairs)
    worse = better - (other - one)
    shares = (f"{100 * right / len(pairs):.1f}" for right in (one, other))
    first, second = shares
    return (
        name, len(pairs), first, second, f"{100 * (other - one) / len(pairs):+.1f}", better, worse,
        p_value(statistics.mcnemar(worse, better)).removeprefix("= "),
    )  # fmt: skip


def p_value(test: McNemar) -> str:
    """How likely so large a difference is by chance alone, as text."""
    return f"= {test.p:.3f}" if test.p >= 0.001 else "< 0.001"


def sentence(found: Comparison) -> str:
    """What the comparison says, in a sentence."""
    better, worse, test = len(found.better), len(found.worse), found.test
    right = sum(pair.first_right for pair in found.pairs), sum(pair.second_right for pair in found.pairs)
    way = "the exact test" if test.exact else f"chi-squared {test.statistic:.2f}"
    likely = "" if test.p < 0.05 else "; so large a difference is not unlikely by chance"
    return (
        f"Of {len(found.pairs):,} common questions the first run has {right[0]:,} right, the second {right[1]:,}:"
        f" {better:,} got better, {worse:,} worse (McNemar's test, {way}: p {p_value(test)}{likely})."
    )


def left_out(found: Comparison) -> str:
    """How many questions are in one run alone; '' for none."""
    parts = ((found.only_first, "first"), (found.only_second, "second"))
    said = " and ".join(f"{n:,} of the {which} run" for n, which in parts if n)
    return f"The runs are not over the same questions: {said} are not in the other, and are left out." if said else ""
