"""`CREATE VIRTUAL TABLE x USING ask('…')`: an answer stored under a name, for tools that read tables.

The answer's SQL and columns are stored in the database file, so that nothing is asked when it is opened again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

import apsw
from askwhere.bindings.sqlite import arguments
from askwhere.bindings.sqlite import text as sqlite_text
from askwhere.bindings.sqlite.engine import SQLiteEngine
from askwhere.bindings.sqlite.reading import Scan, declared
from askwhere.engine import Checked
from askwhere.errors import AskError
from askwhere.indexer import answers
from askwhere.session import Question, Session, too_many
from askwhere.udfs import asked


class AnswerModule:
    """The module behind `USING ask(…)`; the methods have the names that SQLite's virtual tables give them."""

    def __init__(self, session: Session, engine: SQLiteEngine) -> None:
        self.session = session
        self.engine = engine

    def Create(self, connection: apsw.Connection, module: str, schema: str, name: str, *arguments: str) -> Any:  # noqa: N802
        """Ask the question, once, and store the answer's query."""
        return self._table(create(self.session, self.engine, schema, name, arguments), schema)

    def Connect(self, connection: apsw.Connection, module: str, schema: str, name: str, *arguments: str) -> Any:  # noqa: N802
        """Load a stored answer, if there is one: see `connected`."""
        return self._table(connected(self.engine, schema, name), schema)

    def _table(self, stored: answers.StoredAnswer, schema: str) -> tuple[str, AnswerTable]:
        """Return the table's declaration, and the table."""
        return f"CREATE TABLE answer({declared(stored.columns, stored.types)})", AnswerTable(self, schema, stored)


class AnswerTable:
    """One stored answer. Conditions `column = value` become part of its query."""

    def __init__(self, module: AnswerModule, schema: str, stored: answers.StoredAnswer) -> None:
        self.module = module
        self.schema = schema
        self.stored = stored

    def BestIndexObject(self, info: apsw.IndexInfo) -> bool:  # noqa: N802
        """Use every equality that compares as the query itself would."""
        used = []
        for place in range(info.nConstraint):
            equal = info.get_aConstraint_op(place) == apsw.SQLITE_INDEX_CONSTRAINT_EQ
            column = info.get_aConstraint_iColumn(place)
            binary = equal and info.get_aConstraint_collation(place) == "BINARY"
            if binary and column >= 0 and info.get_aConstraint_usable(place):
                used.append(column)
                info.set_aConstraintUsage_argvIndex(place, len(used))
        info.idxStr = ",".join(map(str, used))
        info.estimatedCost = 1_000_000.0 / 1_000 ** min(len(used), 2)
        return True

    def Open(self) -> AnswerCursor:  # noqa: N802
        """Return a cursor over the answer's rows."""
        return AnswerCursor(self)

    def UpdateInsertRow(self, *_: Any) -> NoReturn:  # noqa: N802
        """Raise AskError: an answer is read-only."""
        raise AskError(f"the table {self.stored.name} is read-only: it holds the answer to a question")

    UpdateDeleteRow = UpdateChangeRow = UpdateInsertRow

    def Disconnect(self) -> None:  # noqa: N802
        """Do nothing: there is nothing to release."""

    def Destroy(self) -> None:  # noqa: N802
        """Delete the stored answer of the table, which is being dropped."""
        answers.delete(self.module.engine.read, self.schema, self.stored.name)

    def Rename(self, name: str) -> None:  # noqa: N802
        """Store the answer under the table's new name."""
        answers.rename(self.module.engine.read, self.schema, self.stored.name, name)


class AnswerCursor(Scan):
    """Rows of one scan, streamed from the stored query."""

    def __init__(self, table: AnswerTable) -> None:
        super().__init__()
        self.table = table

    def Filter(self, number: int, columns: str | None, values: tuple[Any, ...]) -> None:  # noqa: N802
        """Begin the scan. The stored query is checked again, as a file is not to be trusted.

        Raise AskError where nothing is stored.
        """
        module, stored = self.table.module, self.table.stored
        if not stored.sql:
            stored_answer(module.engine, self.table.schema, stored.name)  # raises, unless it was stored meanwhile
            raise AskError(f"the answer {stored.name!r} was stored after the table was read; open the database again")
        places = [int(place) for place in (columns or "").split(",") if place]
        grant = module.session.catalog(module.engine).grant
        checked = Checked(stored.sql, stored.columns, stored.types)
        if module.session.settings["isolation"]:
            rows = module.session.stream(module.engine, checked)
            self.begin(row for row in rows if all(row[p] == v for p, v in zip(places, values, strict=True)))
        else:
            equal = [(stored.columns[place], value) for place, value in zip(places, values, strict=True)]
            self.begin(module.engine.stream(checked, grant, equal))

    def Next(self) -> None:  # noqa: N802
        """Go to the next row. Raise TooMuch for more rows than the setting `max_rows` allows."""
        super().Next()
        most = self.table.module.session.settings["max_rows"]
        if self._row is not None and self._number > most:
            raise too_many(most, self.table.stored.sql)


def create(
    session: Session, engine: SQLiteEngine, schema: str, name: str, arguments: Sequence[str]
) -> answers.StoredAnswer:
    """Ask the question, and store the answer under a name."""
    question = _question(engine, arguments)
    chosen, checked = session.choose(engine, question)
    assert chosen.result is not None  # a chosen candidate was tried
    types = answers.types(checked.types, chosen.result.rows)
    stored = answers.StoredAnswer(name, question.text, checked.sql, checked.columns, types)
    answers.save(engine.read, schema, stored)
    return stored


def connected(engine: SQLiteEngine, schema: str, name: str) -> answers.StoredAnswer:
    """Return the answer stored under a name, one without a query where there is none.

    SQLite reads such a table with the whole schema and to drop it: neither must fail. That it has no rows is an error.
    """
    try:
        return stored_answer(engine, schema, name)
    except AskError:
        return answers.StoredAnswer(name, "", "", ("answer",), ("",))


def stored_answer(engine: SQLiteEngine, schema: str, name: str) -> answers.StoredAnswer:
    """Return the answer stored under a name. Raise AskError where there is none."""
    stored = answers.load(engine.read, schema, name)
    if stored is None:
        raise AskError(
            f"no answer is stored for {name!r}: drop it and make it again with CREATE VIRTUAL TABLE {name} USING"
            " ask('…')"
        )
    return stored


def _question(engine: SQLiteEngine, raw: Sequence[str]) -> Question:
    """Return the question of USING ask(…), whose arguments SQLite gives as raw text split at commas."""
    plain, named = [], {}
    for text in raw:
        name, value = arguments.named_argument(text)
        if not sqlite_text.is_constant(value):
            raise AskError(
                f"USING ask({', '.join(raw)}): expected the question in quotes, as in USING ask('revenue by month'),"
                f" found {text}"
            )
        constant = engine.read(f"SELECT {value}")[0][0]
        if name:
            named[name] = constant
        else:
            plain.append(constant)
    return asked(plain, named)
