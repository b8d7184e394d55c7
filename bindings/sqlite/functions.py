"""Register the SQL functions on an APSW connection."""

from __future__ import annotations

import contextlib
import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, cast

import apsw
import apsw.ext
from askwhere import guard
from askwhere.bindings.engine_errors import explained, explaining
from askwhere.bindings.sqlite import arguments
from askwhere.bindings.sqlite import text as sqlite_text
from askwhere.bindings.sqlite.decoding import askwhere_text
from askwhere.bindings.sqlite.delivery import LimitedCursor, within_limits
from askwhere.bindings.sqlite.engine import SQLiteEngine
from askwhere.bindings.sqlite.guard import bounds_of
from askwhere.bindings.sqlite.scanning import plain_cursor
from askwhere.bindings.sqlite.text import Statement
from askwhere.bindings.sqlite.virtual_tables import AnswerModule
from askwhere.engine import Grant
from askwhere.errors import AskError
from askwhere.session import Session
from askwhere.udfs import FUNCTIONS, Function, asked, call

# `ask` itself is replaced in the text of a statement.
_CALLED = {function.name: function for function in FUNCTIONS if function.kind != "answer"}


def register(connection: apsw.Connection, session: Session) -> None:
    """Register every SQL function on `connection`, answering for `session`.

    `ask` itself is known to the cursors that are opened from now on.
    """
    engine = SQLiteEngine(connection)
    for function in FUNCTIONS:
        if function.kind == "scalar":
            _register_scalar(connection, session, engine, function)
        elif function.kind == "table":
            _register_table(connection, session, engine, function)
    connection.create_scalar_function("askwhere_text", askwhere_text, -1, deterministic=True)
    module: Any = AnswerModule(session, engine)
    connection.create_module("ask", module, use_bestindex_object=True)
    connection.cursor_factory = _cursor_factory(connection.cursor_factory, session, engine)


def _register_scalar(connection: apsw.Connection, session: Session, engine: SQLiteEngine, function: Function) -> None:
    """Register a function that returns one value."""

    def called(*values: Any) -> Any:
        with explaining():
            result = call(session, engine, function.name, values)
        return int(result) if isinstance(result, bool) else result

    # Direct only: a view or trigger in a file from elsewhere must not change settings.
    flags = apsw.SQLITE_DIRECTONLY if function.changes else 0
    connection.create_scalar_function(function.name, called, -1, flags=flags)


def _register_table(connection: apsw.Connection, session: Session, engine: SQLiteEngine, function: Function) -> None:
    """Register a function that returns rows as a table-valued function: an eponymous virtual table."""

    def called(*values: Any, **named: Any) -> Iterable[tuple[Any, ...]]:
        with explaining():
            rows: Iterable[tuple[Any, ...]] = call(session, engine, function.name, values, named)
        return rows

    # What `apsw.ext.make_virtual_module` reads of a function: its columns, and the names of its arguments.
    table: Any = called
    table.columns = tuple(name for name, _ in function.columns)
    table.column_access = apsw.ext.VTColumnAccess.By_Index
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    names = [f"ask_{a.name}" for a in function.arguments]
    table.__signature__ = inspect.Signature([inspect.Parameter(name, kind, default=None) for name in names])
    apsw.ext.make_virtual_module(connection, function.name, table)


def _cursor_factory(
    before: Callable[[apsw.Connection], Any], session: Session, engine: SQLiteEngine
) -> Callable[[apsw.Connection], Any]:
    """Return a class of cursors, derived from the user's, that replace each `ask(…)` by its query."""
    if isinstance(before, type) and issubclass(before, AskCursor):
        return before  # registered before, with the same session
    base = before if isinstance(before, type) and issubclass(before, apsw.Cursor) else apsw.Cursor
    made: Any = type("AskCursor", (AskCursor, base), {"session": session, "engine": engine})
    made.limited = type("AskCursor", (LimitedCursor, made), {"plain": made})
    return cast(Callable[[apsw.Connection], Any], made)


class AskCursor(apsw.Cursor):
    """A cursor that accepts `FROM ask('…')` in its statements."""

    session: Session
    engine: SQLiteEngine
    limited: Any  # the class of a cursor while its statement may make long values
    asked: str
    length: int

    def execute(self, statements: str, bindings: Any = None, **options: Any) -> Any:
        """Run statements as `apsw.Cursor.execute` does, each `ask(…)` replaced by its query."""
        if not sqlite_text.may_ask(statements):
            return super().execute(statements, bindings, **options)
        if ":=" in statements or "=>" in statements:
            statements = arguments.positional(statements, _CALLED)
        script = sqlite_text.statements(statements)
        if not any(statement.calls for statement in script):
            words = (token.word for statement in script for token in statement.tokens)
            with contextlib.nullcontext() if _CALLED.keys().isdisjoint(words) else explaining():
                return super().execute(statements, bindings, **options)
        if len(script) > 1:
            return self._script(script, bindings, options)
        return self._run(script[0], bindings, options)

    def executemany(self, statements: str, sequenceofbindings: Iterable[Any], **options: Any) -> Any:
        """Run statements as `apsw.Cursor.executemany` does; those that ask are resolved for each set of bindings."""
        if not sqlite_text.may_ask(statements):
            return super().executemany(statements, sequenceofbindings, **options)
        for bindings in sequenceofbindings:
            self.execute(statements, bindings, **options)
        return self

    def _script(self, script: Sequence[Statement], bindings: Any, options: dict[str, Any]) -> Any:
        """Run several statements, each resolved after those before it have run: they may make its tables."""
        if bindings is not None and not isinstance(bindings, dict):
            raise AskError("several statements with ask() take named bindings only; or run them one at a time")
        for statement in script[:-1]:
            if self._run(statement, bindings, options).fetchone() is not None:
                raise AskError("only the last of several statements may return rows when one of them asks")
        return self._run(script[-1], bindings, options)

    def _run(self, statement: Statement, bindings: Any, options: dict[str, Any]) -> Any:
        """Run one statement that asks."""
        if bindings is not None and not isinstance(bindings, dict):
            bindings = tuple(bindings)
        with explaining():
            replaced = sorted(self._replacements(statement, bindings))
        pieces, place = [], 0
        for start, end, text in replaced:
            pieces += [statement.sql[place:start], text]
            place = end
        resolved = "".join(pieces) + statement.sql[place:]
        with self.session.delivering(self.engine):
            return self._run_resolved(resolved, [text for _, _, text in replaced], bindings, options)

    def _run_resolved(self, resolved: str, asked: Iterable[str], bindings: Any, options: dict[str, Any]) -> Any:
        """Run one statement; if one of the queries `asked` in it needs them, within a trial's limits."""
        limited = next(filter(self._needs_limits, asked), "")
        if not limited:
            return super().execute(resolved, bindings, **options)
        self.asked, self.length = limited, self._longest(f"SELECT * FROM {limited}")
        with within_limits(self.connection, limited, self.length):
            super().execute(resolved, bindings, **options)
        self.__class__ = self.limited
        return self

    def _longest(self, sql: str) -> int:
        """Return the bytes that each value may have in a query."""
        return bounds_of(plain_cursor(self.connection), sql, self.session.catalog(self.engine).grant)[-1].length

    def _needs_limits(self, sql: str) -> bool:
        """Return whether a query may make long values, or compare long ones."""
        if self.session.settings["isolation"]:
            return False  # the query ran in another process: only its rows are read here
        return guard.needs_limits(sql, self.session.settings["allow_functions"])

    def _replacements(self, statement: Statement, bindings: Any) -> Iterator[tuple[int, int, str]]:
        """Yield start, end and new text of each part of a statement that a call of `ask` replaces."""
        for called in statement.calls:
            values = self._evaluate(statement, called, bindings)
            plain, named = values[: len(called.arguments)], values[len(called.arguments) :]
            question = asked(plain, dict(zip((name for name, _ in called.named), named, strict=True)))
            isolated = self.session.settings["isolation"]
            if isolated and sqlite_text.keeps_sql(statement):
                raise AskError(
                    "under isolation a view or trigger cannot hold ask(): its query would run in this process; keep the"
                    " rows with CREATE TABLE … AS SELECT …, or the answer with CREATE VIRTUAL TABLE … USING ask(…)"
                )
            sql = self.session.sql(self.engine, question, counted=True)
            sql = sql if isolated else self._stored(statement, sql)
            # The options come last among the named arguments, and stand outside of the call's parentheses.
            named_inside = called.named[: len(called.named) - len(called.options)]
            inside = (*called.arguments, *(value for _, value in named_inside))
            # Parameters stay in the text, in a condition that is always true: else later ones would be renumbered.
            kept = " AND ".join(f"({p.text} IS NULL OR TRUE)" for value in inside for p in value.parameters)
            sql = f"SELECT * FROM ({sql}\n) WHERE {kept}" if kept else sql
            yield called.start, called.end, f"({sql}\n){called.suffix}"
            for first, last in called.options:
                text = f"({last.text} IS NULL OR TRUE)" if last.kind == "parameter" else "TRUE"
                yield first.start, last.end, text

    def _stored(self, statement: Statement, sql: str) -> str:
        """Return the query as CREATE VIEW stores it: without the name of the view's own database before its tables.

        A view that names its database, as in `main.rivers`, fails once the file is attached by another name. The names
        are kept where the query would mean something else without them.
        """
        schema = sqlite_text.view_schema(statement)
        if not schema:
            return sql
        grant = self.session.catalog(self.engine).grant
        own = tuple(t for t in grant.tables if t.path[0].lower() == schema)
        short = sqlite_text.unqualified(sql, schema)
        with contextlib.suppress(AskError):
            same = guard.qualify(short, self.engine.dialect, Grant(own, functions=grant.functions)) == sql
            if same and not sqlite_text.shadows(statement, {t.name.lower() for t in own}):
                return short
        return sql

    def _evaluate(self, statement: Statement, call: sqlite_text.Call, bindings: Any) -> list[Any]:
        """Return the values of a call's arguments, each an expression of literals and parameters."""
        values = [*call.arguments, *(value for _, value in call.named)]
        if not values:
            return []
        numbered = sqlite_text.numbered(statement)
        text = ", ".join(f"({sqlite_text.expression(statement.sql, value, numbered)})" for value in values)
        try:
            rows = apsw.Cursor(self.connection).execute(f"SELECT {text}", _bindings_for(bindings, text)).fetchall()
        except apsw.SQLError as exc:
            message = f"ask(): expected literals or parameters as arguments, found {text} ({exc})"
            raise explained(exc) or AskError(message) from exc
        return list(rows[0])


def _bindings_for(bindings: Any, text: str) -> Any:
    """Return the bindings that an expression's numbered parameters need; named bindings as they are."""
    if bindings is None or isinstance(bindings, dict):
        return bindings
    highest = max((int(n) for n in re.findall(r"\?(\d+)", text)), default=0)
    return tuple(bindings[:highest])
