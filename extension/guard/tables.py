"""Find the tables that a query names, and write each by its full path.

sqlglot's tree says where in the text the tables are. Only these places are edited; the rest of the query stays as it
is. A table that sqlglot overlooks would be a hole. So for an engine that does not show its own tree, such as SQLite, a
text is refused if the engine and sqlglot would split it into different names (`statement.parse`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from askwhere.engine import Grant, Table
from askwhere.errors import Busy, QueryError, Refused, nearest
from askwhere.frozen import frozen
from askwhere.grouping import grouped
from askwhere.guard import written_out
from askwhere.guard.functions import table_functions
from askwhere.guard.hidden import Hidden, hidden_columns
from askwhere.guard.statement import check_collations, check_windows, parse, plain
from askwhere.patterns import written as path_written
from askwhere.sql import parsing, spans
from askwhere.sql.dialect import Dialect
from askwhere.sql.dialects import named
from askwhere.sql.identifiers import fold, fold_path, quote, quote_path
from askwhere.sql.spans import Edit
from sqlglot import exp


def refuse_changed(tables: Iterable[Table], now: Mapping[tuple[str, ...], str]) -> None:
    """Raise `Busy` for a granted view whose definition has changed: `now` has those of the reading transaction.

    The guard has checked only the granted definition.
    """
    definitions = {fold_path(path): text for path, text in now.items()}
    for table in tables:
        if table.kind == "view" and definitions.get(fold_path(table.path), table.definition) != table.definition:
            raise Busy(f"the view {'.'.join(table.path)} was changed while the question was answered; ask again")


def qualify(sql: str, dialect: str, grant: Grant, views: Iterable[str] = ()) -> str:
    """Return `sql` without comments, and with every granted table written by its full path, which no name can shadow.

    A table with hidden columns becomes a subquery of its visible ones: for the query the hidden ones do not exist,
    neither in `*` nor in a natural join. Of several tables with one name a temporary one counts, else the first of the
    grant. `views` are the names of views that are not granted, but that granted views read.

    Raise `Refused` for a table that is not granted, and for anything but one statement that reads; `QueryError` for a
    text that is not SQL.
    """
    text = plain(sql, dialect)
    known_dialect = named(dialect)
    if known_dialect.collations is not None:
        check_collations(text, known_dialect)
    if known_dialect.most_windows is not None:
        check_windows(text, known_dialect.name, known_dialect.most_windows)
    tree = parse(text, dialect)
    try:
        if known_dialect.authorizer:
            _check_cte_names(tree, {fold(v) for v in views} | {fold(t.name) for t in grant.tables if t.kind == "view"})
            written_out.check(tree, grant.tables, dialect)
        known = _Known(_ctes(tree), _by_path(grant), hidden_columns(grant))
        edits = [
            edit for name in _named_tables(tree, known_dialect) for edit in _edit(name, known_dialect, grant, known)
        ]
    except RecursionError:
        raise Refused("the query is nested too deeply", sql) from None
    except QueryError as error:
        error.sql = sql
        raise
    except (AttributeError, KeyError, StopIteration, TypeError, ValueError) as error:
        raise Refused("the query's tree has a shape that is not known here, so it cannot be checked", sql) from error
    return _edited(text, edits)


def runnable(sql: str, dialect: str, grant: Grant) -> str:
    """Return `sql` with longer paths for the tables that their names alone would not reach: the shortest that do.

    Raise the errors of `qualify`.
    """
    if not any(len(table.short) > 1 for table in grant.tables):
        return sql
    known_dialect, tree = named(dialect), parse(sql, dialect)
    known = _Known(_ctes(tree), _by_path(grant), {})
    edits = []
    for node in _named_tables(tree, known_dialect):
        if not isinstance(node, exp.Table):
            continue
        path = fold_path(tuple(part.name for part in node.parts))
        table = next(iter(known.tables.get(path, ())), None)
        if table and len(path) < len(table.short) and not _is_cte(node, path[0], known_dialect, known.ctes):
            edits.append(Edit(*_span(node.parts), path_written(table.short)))
    return _edited(sql, edits)


def _edited(text: str, edits: list[Edit]) -> str:
    """Return `text` with all edits made. Raise `Refused` where it becomes too long."""
    if len(text) + sum(len(edit.new) for edit in edits) > parsing.MAX_CHARACTERS:
        raise Refused("the query names too many tables, or tables of too many columns", text)
    return spans.apply(text, edits)


def _span(parts: list[exp.Expr]) -> tuple[int, int]:
    """Return where the parts of a table's name begin and end in the text."""
    return min(part.meta["start"] for part in parts), max(part.meta["end"] for part in parts) + 1


@frozen
class _Ctes:
    """The positions of common table expressions in their WITH clauses."""

    first: dict[int, dict[str, int]]  # id of a WITH node -> folded name -> position of its first expression so named
    place: dict[int, int]  # id of a CTE node -> its position


@frozen
class _Known:
    """The names in a query: its common table expressions, granted tables by each way to name them, hidden columns."""

    ctes: _Ctes
    tables: dict[tuple[str, ...], list[Table]]
    hidden: Hidden


def _ctes(tree: exp.Expr) -> _Ctes:
    """Return the places of all common table expressions in a tree."""
    places = _Ctes({}, {})
    for clause in tree.find_all(exp.With):
        first = places.first.setdefault(id(clause), {})
        for place, cte in enumerate(clause.expressions):
            first.setdefault(fold(cte.alias), place)
            places.place[id(cte)] = place
    return places


def _by_path(grant: Grant) -> dict[tuple[str, ...], list[Table]]:
    """Return the granted tables by each way to name them, folded; temporary tables come first."""
    return grouped(
        (spelling, table)
        for table in sorted(grant.tables, key=lambda t: t.path[0] != "temp")
        for spelling in _ways(table.path) | ({fold_path(table.short)} if table.short else set())
    )


def _ways(path: tuple[str, ...]) -> set[tuple[str, ...]]:
    """Return the ways to name the table at `path`, folded: ends of its path, and catalog and name in schema main."""
    folded = fold_path(path)
    ends = {folded[start:] for start in range(len(folded))}
    return ends | {(folded[0], folded[2])} if len(folded) == 3 and folded[1] == "main" else ends


def _check_cte_names(tree: exp.Expr, views: set[str]) -> None:
    """Raise `Refused` where a common table expression has the name of a view.

    SQLite's authorizer cannot tell what a view reads from what a common table expression of its name reads.
    """
    for cte in tree.find_all(exp.CTE):
        if fold(cte.alias) in views:
            raise Refused(
                f"a common table expression of the query has the name of a view, {cte.alias!r}; give it another name"
            )


def _named_tables(tree: exp.Expr, dialect: Dialect) -> Iterator[exp.Expr]:
    """Yield the nodes that name a table; where the engine has it, also the t of `x IN t`."""
    for node in tree.walk():
        if isinstance(node, exp.Table) and node.arg_key != "indexed":
            yield node
        elif dialect.in_tables and isinstance(node, exp.In) and isinstance(node.args.get("field"), exp.Column):
            yield node.args["field"]


def _edit(node: exp.Expr, dialect: Dialect, grant: Grant, known: _Known) -> list[Edit]:
    """Return the edit that writes the full path of the table at `node`; none for a common table expression or function.

    Raise `Refused` for a table or function that may not be read.
    """
    parts = node.parts if isinstance(node, (exp.Table, exp.Column)) else []
    path = tuple(part.name for part in parts)
    if isinstance(node, exp.Table) and not isinstance(node.this, exp.Identifier):
        _check_table_function(node, dialect, grant, known)
        return []
    if not path or (len(path) == 1 and _is_cte(node, path[0], dialect, known.ctes)):
        return []
    folded = fold_path(path)
    if (  # a table function without parentheses, as SQLite allows it
        len(path) == 1
        and dialect.calls_tables
        and folded[0] in table_functions(dialect.name)
        and not known.tables.get(folded)
    ):
        return []
    table = (known.tables.get(folded) or [resolve(path, grant)])[0]
    if not all("start" in part.meta for part in parts):
        raise Refused(f"the query names {'.'.join(path)!r} in a way that cannot be checked; use FROM")
    return [Edit(*_span(parts), _replacement(node, table, known.hidden))]


def _replacement(node: exp.Expr, table: Table, hidden_by_table: Hidden) -> str:
    """Return a table's full path or, where it has hidden columns, a subquery of the others."""
    hidden = hidden_by_table.get(fold_path(table.path))
    if not hidden:
        return quote_path(table.path)
    visible = ", ".join(quote(c.name) for c in table.columns if fold(c.name) not in hidden)
    if not visible:
        raise Refused(f"all columns of {table.name!r} are hidden")
    select = f"SELECT {visible} FROM {quote_path(table.path)}"
    if table.kind == "virtual":
        # LIMIT keeps SQLite from moving conditions into the subquery, so that no MATCH reaches the table: in FTS3 and
        # FTS4 the text searched for can name any column.
        select += " LIMIT -1"
    if isinstance(node.parent, exp.Summarize):
        return select
    alias = "" if isinstance(node, exp.Column) or node.args.get("alias") else f" AS {quote(table.name)}"
    return f"({select}){alias}"


def resolve(path: tuple[str, ...], grant: Grant) -> Table:
    """Return the granted table that a query names by `path`. Raise `Refused`, with a near name, where there is none."""
    granted = _by_path(grant).get(fold_path(path))
    if granted:
        return granted[0]
    for withheld, why in grant.withheld:
        if fold_path(path) in _ways(withheld):
            raise Refused(f"the query reads {'.'.join(path)!r}, which {why}")
    near = nearest(path[-1], {t.name for t in grant.tables})
    hint = f"; did you mean {near!r}?" if near not in ("", path[-1]) else ""
    raise Refused(f"the query reads {'.'.join(path)!r}, which is not one of the tables it may read{hint}")


def _check_table_function(node: exp.Table, dialect: Dialect, grant: Grant, known: _Known) -> None:
    """Raise `Refused` unless a table function is allowed, or in SQLite is a full-text table without hidden columns."""
    if not isinstance(node.this, exp.Func):
        raise Refused("the query reads from something that is neither a table nor a function")
    name = fold(node.this.name if isinstance(node.this, exp.Anonymous) else node.this.sql_name())
    if name in map(fold, grant.functions) or name in table_functions(dialect.name):
        return
    # SQLite searches the full-text table t by `t('words')`.
    full_text = [t for t in known.tables.get((name,), ()) if t.kind == "virtual" and dialect.calls_tables]
    if not full_text:
        raise Refused(f"the query reads from the function {name!r}, which is not one of those it may use")
    if fold_path(full_text[0].path) in known.hidden:
        raise Refused(f"{name!r} has hidden columns and cannot be searched")


def _is_cte(node: exp.Expr, name: str, dialect: Dialect, known: _Ctes) -> bool:
    """Return whether `name` at `node` refers to a common table expression.

    In SQLite all expressions of one WITH are visible to each other. In DuckDB each can refer to those before it, and
    under RECURSIVE to itself.
    """
    child, parent = node, node.parent
    clause: exp.Expr | None
    while parent is not None:
        if isinstance(parent, exp.With):
            clause, visible = parent, len(parent.expressions)
            if not dialect.shared_ctes:
                visible = known.place[id(child)] + bool(parent.args.get("recursive"))
            owner = parent.parent
            child, parent = (owner, owner.parent) if owner is not None else (parent, None)
        else:
            clause = parent.args.get("with_")
            visible = len(clause.expressions) if clause is not None else 0
            child, parent = parent, parent.parent
        if clause is not None and known.first[id(clause)].get(fold(name), visible) < visible:
            return True
    return False
