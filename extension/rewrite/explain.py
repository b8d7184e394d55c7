"""Explain a query in plain language, made from its tree: nothing of it is left out, and nothing is added."""

from __future__ import annotations

from askwhere.errors import QueryError
from askwhere.guard.statement import check_text, parse
from askwhere.indexer.catalog import Catalog
from askwhere.pipeline import prompts, replies
from askwhere.pipeline.facts import Linked
from askwhere.pipeline.steps import StepContext
from askwhere.rewrite.parts import listed, other_parts
from askwhere.rewrite.scopes import Scopes, equated
from askwhere.rewrite.wording import Words
from askwhere.sql.identifiers import fold, fold_path
from sqlglot import exp

# The parts of a query that `_select` and `_combined` put into words; other parts are quoted as SQL.
_SELECT = (
    "with_ expressions from_ joins where group having qualify windows order limit offset distinct laterals"
    " operation_modifiers"
)
_COMBINED = "with_ this expression distinct order limit offset by_name"
_JOINS = {
    "": "",
    "INNER": "",
    "LEFT": ", keeping what matches no row of it",
    "RIGHT": ", keeping every row of it",
    "FULL": ", keeping the rows of both that match nothing",
    "CROSS": "",
}
_BOTH: dict[type[exp.Expr], str] = {
    exp.Union: "The rows of {} and of {}",
    exp.Intersect: "The rows that {} and {} both give",
    exp.Except: "The rows that {} gives and {} does not",
}


def explain(sql: str, catalog: Catalog, dialect: str) -> str:
    """Return what a query shows in plain language, a line for each of its parts, columns with their comments.

    Every table, column and value of the query is named; expressions without words for them are quoted as SQL. Raise
    `QueryError` if the text is not one query, `Refused` if it cannot be SQL.
    """
    check_text(sql)
    text = sql.strip().rstrip("; \t\r\n")
    tree = parse(text, dialect)
    if isinstance(tree, exp.Select) and not tree.selects and tree.find(exp.From) is None:
        raise QueryError("the query shows nothing: expected columns or values behind SELECT", sql)
    try:
        explaining = _Explaining(text, tree, catalog, dialect)
        lines = explaining.lines()
        # SQL that is quoted uses aliases: then tables must be shown with theirs.
        if explaining.quotes:
            lines = _Explaining(text, tree, catalog, dialect, aliases=True).lines()
        return "\n".join(lines)
    except RecursionError:
        raise QueryError("the query is nested too deeply to be explained", sql) from None


def question(sql: str) -> str:
    """Return the question that a model is asked about a query."""
    return f"What does this query show? {sql}"


def worded(linked: Linked, parts: str, context: StepContext) -> str:
    """Return the explanation in a model's words; the model is shown `parts`, the explanation by rule.

    Raise `ModelError`.
    """
    reply = context.asker.ask(context.model, "explain", prompts.explanation(linked, parts))
    return replies.prose(reply.texts[0])


class _Explaining:
    """One explanation: the queries that are still to be explained, and the names given to them."""

    def __init__(self, sql: str, tree: exp.Expr, catalog: Catalog, dialect: str, aliases: bool = False) -> None:
        self._tree = tree
        self._words = Words(sql, Scopes(tree, catalog, dialect), dialect, self._named, aliases)
        self._names: dict[int, str] = {}
        self._waiting: list[tuple[str, exp.Expr]] = []
        self._letters = 0

    @property
    def quotes(self) -> bool:
        """Return whether a part of the query was quoted as SQL."""
        return self._words.quotes

    def lines(self) -> list[str]:
        """Return the lines of the explanation; inner queries follow, each under its name."""
        lines = self._query(self._tree)
        while self._waiting:
            name, query = self._waiting.pop(0)
            lines += [f"{name[:1].upper()}{name[1:]}:", *(f"  {line}" for line in self._query(query))]
        return lines

    def _named(self, query: exp.Expr, name: str = "") -> str:
        """Return the name of an inner query, which is explained later under it."""
        inner = query
        while isinstance(inner, exp.Subquery) and not other_parts(inner, "this alias"):
            inner = inner.this
        if id(inner) not in self._names:
            self._names[id(inner)] = name or f"query {self._letter()}"
            self._waiting.append((self._names[id(inner)], inner))
        return self._names[id(inner)]

    def _letter(self) -> str:
        """Return the next letter for a query without a name: A to Z, then A2 to Z2, and so on."""
        self._letters += 1
        rounds, place = divmod(self._letters - 1, 26)
        return chr(ord("A") + place) + (str(rounds + 1) if rounds else "")

    def _query(self, query: exp.Expr) -> list[str]:
        """Return the lines for one query."""
        if isinstance(query, exp.Select):
            lines, known = self._select(query), _SELECT
        elif isinstance(query, exp.SetOperation):
            lines, known = self._combined(query), _COMBINED
        else:
            return [f"Gives {self._words.quoted(query)}."]
        for name in other_parts(query, known):
            part = query.args[name]
            parts = part if isinstance(part, list) else [part]
            lines += [f"Also: {self._words.quoted(p) if isinstance(p, exp.Expr) else f'`{name} {p}`'}." for p in parts]
        for named in query.ctes:
            self._common(named)
        return lines

    def _common(self, named: exp.CTE) -> None:
        """Name a common table expression, which is explained later."""
        columns = named.alias_column_names
        of = f", with the columns {listed(columns)}" if columns else ""
        with_ = named.parent
        again = ", which may read its own rows again" if with_ is not None and with_.args.get("recursive") else ""
        kept = named.args.get("materialized")
        how = "" if kept is None else f", {'' if kept else 'not '}materialized"
        self._named(named.this, f"the rows called {named.alias}{of}{again}{how}")

    # The parts of a SELECT

    def _select(self, query: exp.Select) -> list[str]:
        """Return the lines for a SELECT, clause by clause."""
        lines = [self._shown(query), self._read(query)]
        if where := query.args.get("where"):
            lines.append(f"Only rows where {self._words.of(where.this)}.")
        if group := query.args.get("group"):
            lines.append(self._grouped(group))
        if having := query.args.get("having"):
            lines.append(f"Only groups where {self._words.of(having.this)}.")
        windows = [(w.name, self._sql(w)) for w in query.args.get("windows") or ()]
        lines += [f"The window {name} is `{sql.removeprefix(f'{name} OVER ')}`." for name, sql in windows]
        if qualify := query.args.get("qualify"):
            lines.append(f"Of these, only rows where {self._words.of(qualify.this)}.")
        lines += [f"Also: `{word}`." for word in query.args.get("operation_modifiers") or ()]
        return [line for line in (*lines, *self._end(query)) if line]

    def _shown(self, query: exp.Select) -> str:
        """Return the line for the SELECT list."""
        shown = listed([self._words.of(s) for s in query.selects]) if query.selects else "all columns"
        distinct = query.args.get("distinct")
        if distinct is None:
            return f"Shows {shown}."
        if distinct.args.get("on"):
            return (
                f"Shows, once for each {listed([self._words.of(k) for k in distinct.args['on'].expressions])}: {shown}."
            )
        return f"Shows, each different row once: {shown}."

    def _read(self, query: exp.Select) -> str:
        """Return the line for FROM and the joins; '' without FROM."""
        from_ = query.args.get("from_")
        if from_ is None:
            return ""
        nested = from_.this.args.get("joins") or ()
        parts = [self._source(from_.this), *map(self._joined, (*(query.args.get("joins") or ()), *nested))]
        parts += [f"each row with {self._words.quoted(lateral)}" for lateral in query.args.get("laterals") or ()]
        return f"From {', '.join(parts)}."

    def _source(self, node: exp.Expr) -> str:
        """Return the words for what FROM or a join reads."""
        if isinstance(node, exp.Subquery) and not other_parts(node, "this alias"):
            name = self._named(node, f"the query {node.alias}" if node.alias else "")
            columns = node.alias_column_names
            return f"{name}, with the columns {listed(columns)}" if columns else name
        if isinstance(node, exp.Table) and isinstance(node.this, exp.Identifier):
            return self._table(node)
        return self._words.quoted(node)

    def _table(self, node: exp.Table) -> str:
        """Return the words for a table, with its comment."""
        if other_parts(node, "this db catalog alias joins") or node.alias_column_names:
            return self._words.quoted(node)
        source = self._words.scopes.source(node)
        alone = self._words.scopes.of(node)
        name = self._words.source(source, alone) if alone else node.name
        path = ".".join(part.name for part in node.parts)
        name = path + name.removeprefix(node.name)
        if self._words.scopes.cte(node) is None and source.table is not None and source.table.comment:
            name += f" ({' '.join(source.table.comment.split())})"
        return name

    def _joined(self, join: exp.Join) -> str:
        """Return the words for a join; as SQL where it has parts without words."""
        source = self._source(join.this)
        kind = join.side or join.kind
        plain = not (join.side and join.kind not in ("", "OUTER")) and join.method in ("", "NATURAL")
        if kind not in _JOINS or not plain or other_parts(join, "this side kind method on using"):
            return f"`{self._sql(join)}`"
        on, using = join.args.get("on"), join.args.get("using")
        if on is not None:
            return f"joined with {source} where {self._words.of(on)}{self._key(on)}{_JOINS[kind]}"
        if using:
            return f"joined with {source} on equal {listed([u.name for u in using])}{_JOINS[kind]}"
        if join.method == "NATURAL":
            return f"joined with {source} on equal columns of the same name{_JOINS[kind]}"
        return f"each row combined with every row of {source}"

    def _key(self, on: exp.Expr) -> str:
        """Return a note where a join follows a declared foreign key, else ''."""
        table_of = self._words.scopes.table_of
        tables = [(table, fold(side.name)) for side in equated(on) if (table := table_of(side)) is not None]
        for (child, column), (parent, target) in (tables, tables[::-1]) if len(tables) == 2 else ():
            keys = [k for k in child.foreign_keys if k.target == parent.path and not k.guessed]
            if any((column,) == fold_path(k.columns) and (target,) == fold_path(k.target_columns) for k in keys):
                return " (a foreign key)"
        return ""

    def _grouped(self, group: exp.Group) -> str:
        """Return the line for GROUP BY."""
        if other_parts(group, "expressions"):
            return f"Grouped: `{self._sql(group)}`."
        keys = listed([self._words.position(key) for key in group.expressions])
        sets = any(isinstance(key, (exp.Rollup, exp.Cube, exp.GroupingSets)) for key in group.expressions)
        return f"Grouped by {keys}." if sets else f"One row for each {keys}."

    def _end(self, query: exp.Query) -> list[str]:
        """Return the lines for ORDER BY, OFFSET and LIMIT."""
        lines = []
        if order := query.args.get("order"):
            lines.append(f"Sorted by {self._words.ordered(order)}.")
        skipped = query.args.get("offset")
        if skipped is not None:
            lines.append(f"Without the first {self._rows(skipped.expression)}.")
        limit = query.args.get("limit")
        if isinstance(limit, exp.Limit) and not other_parts(limit, "expression"):
            lines.append(f"At most {self._rows(limit.expression)}.")
        elif limit is not None:
            lines.append(f"At most `{self._sql(limit)}`.")
        return lines

    def _rows(self, number: exp.Expr) -> str:
        return f"{self._words.of(number)} {'row' if number.name == '1' else 'rows'}"

    def _combined(self, query: exp.SetOperation) -> list[str]:
        """Return the lines for a set operation."""
        text = _BOTH[type(query)].format(self._named(query.left), self._named(query.right))
        text += ", each different row once" if query.args.get("distinct") else ", repeated ones too"
        text += ", with columns matched by name" if query.args.get("by_name") else ""
        return [f"{text}.", *self._end(query)]

    def _sql(self, node: exp.Expr) -> str:
        return " ".join(self._words.quoted(node).strip("`").split())
