"""Judge predictions about one database: run them and the gold queries, and compute the requested scores."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from askwhere.engine import Result
from askwhere.errors import QueryError
from askwhere.evaluation import bird, gold, own, recall, spider
from askwhere.evaluation.ask import Reply
from askwhere.evaluation.databases import Database, Opener
from askwhere.evaluation.execution import SQLiteFile
from askwhere.evaluation.recall import Recall
from askwhere.evaluation.records import Record
from askwhere.evaluation.rows import plain
from askwhere.evaluation.sets import DIALECT, Item, suite
from askwhere.frozen import frozen
from askwhere.pipeline.outcomes import is_ordered
from askwhere.pipeline.skeleton import match

# The names of scores in `Record.scores`. Those of `SLOW` take long and are computed only where a run asks for them.
SCORES = ("spider_ex", "bird_ex", "own_ex", "soft_f1")
SLOW = ("ves",)
# Scores for SQLite alone: the official times are SQLite's.
OF_SQLITE = frozenset(SLOW)

Run = Callable[[str, float], Result]


@frozen
class Gold:
    """A gold query in the engine's SQL, with its result."""

    sql: str
    result: Result


class Judge:
    """The judge of predictions about the open database of a file; each query is stopped after `seconds`.

    `path` is the file; `database` may be a copy of it in DuckDB. For Spider's rule all databases in the database's own
    folder are used, its test suite.
    """

    def __init__(self, database: Database, path: Path, opener: Opener, seconds: float) -> None:
        self._database = database
        self._seconds = seconds
        self._dialect = database.engine.dialect
        self._catalog = database.session.catalog(database.engine)
        self._opener = opener
        self._closing = contextlib.ExitStack()
        self._native = self._dialect != DIALECT and not database.copied
        self._files = [self._file(p) for p in suite(path)] if not self._native else []
        self._suite: list[Run] = [database.run] if self._native else [self._opened(f) for f in self._files]
        self._gold: dict[tuple[int, str], Result] = {}

    def _file(self, path: Path) -> SQLiteFile:
        return self._closing.enter_context(contextlib.closing(SQLiteFile(path)))

    def _opened(self, file: SQLiteFile) -> Run:
        """Return the function that runs a query in the engine on one database of the suite.

        The first database of the suite is `database`, which is open already.
        """
        if self._dialect == DIALECT:
            return file.run
        if file is self._files[0]:
            return self._database.run
        copy = self._closing.enter_context(contextlib.closing(self._opener(file.path, self._dialect, {})))
        return copy.run

    def close(self) -> None:
        """Close what was opened for judging."""
        self._closing.close()

    def gold(self, item: Item) -> Gold:
        """Return gold in the engine.

        Raise `QueryError` where it fails, or gives other rows in DuckDB than in SQLite.
        """
        if self._dialect == DIALECT or self._native:
            sql = item.golds.get(self._dialect, item.gold)
            return Gold(sql, self._golden(0, sql))
        original = self._files[0].run(item.gold, self._seconds)
        sql = item.golds.get(self._dialect) or gold.transpiled(item.gold, self._catalog)
        result = self._golden(0, sql)
        if not gold.same(original, result, item.gold):
            raise QueryError(f"gold gives other rows in DuckDB than in SQLite: {sql}", sql)
        self._golden(0, spider.prepared(sql, "")[0])  # Spider's rule runs gold in this form: it must not fail either
        return Gold(sql, result)

    def _golden(self, place: int, sql: str) -> Result:
        """Return gold's result on a database of the suite.

        Results are cached, since several questions have the same gold.
        """
        if (place, sql) not in self._gold:
            self._gold[place, sql] = self._suite[place](sql, self._seconds)
        return self._gold[place, sql]

    def scores(self, reference: Gold, predicted: str, names: Collection[str]) -> dict[str, float]:
        """Return the scores of the given names.

        All are 0 where the prediction fails, except that Spider's form of the query may run.
        """
        try:
            result = self._suite[0](predicted, self._seconds)
        except QueryError:
            result = None
        # A query that fails as written may run as Spider prepares it.
        scores = {"spider_ex": float("spider_ex" in names and self._spider(reference, predicted, result))}
        if result is not None:
            scores |= self._by_rows(reference, result)
        if "ves" in names and scores.get("bird_ex") == 1.0:
            scores["ves"] = self._tau(reference.sql, predicted)
        return {name: scores.get(name, 0.0) for name in names}

    def _by_rows(self, reference: Gold, result: Result) -> dict[str, float]:
        """Return the scores that compare rows, for queries that ran as they are written."""
        first, second = reference.result, result
        decodable = not (first.undecodable or second.undecodable)  # BIRD's code fails on other text
        in_time = first.seconds + second.seconds <= self._seconds
        rows, others = plain(first.rows), plain(second.rows)
        return {
            "bird_ex": float(decodable and in_time and bird.equal(rows, others)),
            "soft_f1": bird.soft_f1(rows, others) if decodable and in_time else 0.0,
            "own_ex": float(own.equal(first, second, is_ordered(reference.sql, self._dialect))),
        }

    def _spider(self, reference: Gold, predicted: str, result: Result | None) -> bool:
        """Return whether the prediction gives gold's rows by Spider's rule on every database of the suite."""
        gold_sql, predicted_sql = spider.prepared(reference.sql, predicted)
        for place, run in enumerate(self._suite):
            # The first database has run the prediction already, if Spider runs it in the same form.
            known = result if place == 0 and predicted_sql == predicted else None
            try:
                rows = known or run(predicted_sql, self._seconds)
            except QueryError:
                return False
            expected = self._golden(place, gold_sql)
            if not spider.equal(plain(expected.rows), plain(rows.rows), spider.ordered(reference.sql)):
                return False
        return True

    def _tau(self, gold_sql: str, predicted: str) -> float:
        """Return BIRD's ratio of gold's time to the prediction's; 0 where a query takes too long."""
        golds, others = [], []
        try:
            for _ in range(bird.ITERATIONS):
                others.append(self._files[0].seconds(predicted, self._seconds))
                golds.append(self._files[0].seconds(gold_sql, self._seconds))
        except QueryError:
            return 0.0
        return bird.ratio(golds, others)

    def record(self, item: Item, reference: Gold, reply: Reply, names: Collection[str], cached: bool = False) -> Record:
        """Judge a reply and return the question's record."""
        scores = dict.fromkeys(names, 0.0)
        if reply.predicted is not None:
            scores = self.scores(reference, reply.predicted, names)
        query = reference.sql, self._dialect, self._catalog
        return Record(
            id=item.id,
            db_id=item.db_id,
            question=item.question,
            gold=reference.sql,
            level=spider.hardness(item.gold),
            difficulty=item.difficulty,
            scores=scores,
            table_recall=_share(recall.tables(*query, reply.shown())),
            column_recall=_share(recall.columns(*query, reply.shown())),
            value_recall=_share(recall.values(*query, reply.matches())),
            skeleton=reply.predicted is not None and match(reference.sql, reply.predicted, self._dialect),
            cached=cached,
            **reply.for_record(),
        )


def _share(recall: Recall) -> float | None:
    return recall.share if recall.needed else None


@contextlib.contextmanager
def judging(database: Database, path: Path, opener: Opener, seconds: float) -> Iterator[Judge]:
    """Yield a judge of a database, and close it in the end."""
    judge = Judge(database, path, opener, seconds)
    try:
        yield judge
    finally:
        judge.close()
