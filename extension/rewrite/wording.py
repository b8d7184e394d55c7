"""Put expressions into words: conditions, aggregates, windows, CASE. What has no words is quoted as SQL."""

from __future__ import annotations

from collections.abc import Callable

from askwhere.rewrite.parts import AGGREGATES, COMPARED, COMPUTED, NEGATED, Subquery, listed, numbered, other_parts
from askwhere.rewrite.scopes import Scope, Scopes, Source
from askwhere.sql import spans
from askwhere.sql.dialects import named
from askwhere.sql.identifiers import fold
from sqlglot import exp


class Words:
    """The words for the expressions of one query; `subquery` names a query inside an expression."""

    def __init__(self, sql: str, scopes: Scopes, dialect: str, subquery: Subquery, aliases: bool) -> None:
        self.scopes = scopes
        self.dialect = dialect
        self.aliases = aliases  # whether tables are shown with them, as SQL that is quoted uses them
        self.quotes = False
        self._sql = sql
        self.query = subquery
        self._mentioned: set[tuple[tuple[str, ...], str]] = set()

    def of(self, node: exp.Expr) -> str:
        """Return an expression in words, or as SQL where it has a part that the words for its kind leave out."""
        if isinstance(node, (exp.Query, exp.Subquery)):
            return f"the value of {self.query(node)}"
        for kind, parts, word in _RULES:
            if isinstance(node, kind):
                words = word(self, node) if not other_parts(node, parts) else None
                return self.quoted(node) if words is None else words
        return self.quoted(node)

    def quoted(self, node: exp.Expr) -> str:
        """Return an expression as SQL; function calls keep the spelling of the query."""
        self.quotes = True
        closed = spans.closing(self._sql, self.dialect, node.meta["end"] + 1) if "end" in node.meta else -1
        written = self._sql[node.meta["start"] : closed] if isinstance(node, exp.Func) and closed > 0 else ""
        return f"`{' '.join((written or node.sql(dialect=self.dialect, comments=False)).split())}`"

    def source(self, source: Source, scope: Scope) -> str:
        """Return the name of what a query reads, with its alias where two sources have the same name."""
        name = source.node.name if isinstance(source.node, exp.Table) else source.alias
        several = scope.count_of(name) > 1 or (self.aliases and fold(source.alias) != fold(name))
        return f"{name} ({source.alias})" if several else name or "the query without a name"

    # Names and values

    def column(self, node: exp.Column) -> str | None:
        """Return a column's name, with its source where there are several, and its comment at the first mention."""
        scope = self.scopes.of(node)
        if scope is None or len(node.parts) > 2:
            return None
        source = scope.source(node.table) if node.table else self._source_with(scope, node.name)
        if isinstance(node.this, exp.Star):
            return f"all columns of {self._called(source, scope, node)}"
        if node.table and source is None:
            return None
        inside = source in scope.sources
        of = f" of {self._called(source, scope, node)}" if source and (len(scope.sources) > 1 or not inside) else ""
        outside = " (of the row outside)" if source and not inside else ""
        return f"{node.name}{self._comment(source, node.name)}{of}{outside}"

    def _called(self, source: Source | None, scope: Scope, node: exp.Column) -> str:
        """Return the words for a column's source."""
        if source is None:
            return node.table
        enclosing = next((s for s in scope.enclosing() if source in s.sources), scope)
        return self.source(source, enclosing)

    def _source_with(self, scope: Scope, name: str) -> Source | None:
        """Return the only source with a column of a name, in the innermost scope that has any; None for several."""
        for enclosing in scope.enclosing():
            if sources := enclosing.sources_with(name):
                return sources[0] if len(sources) == 1 else None
        return None

    def _comment(self, source: Source | None, name: str) -> str:
        """Return a column's comment in parentheses when it is mentioned for the first time, else ''."""
        if source is None or source.table is None or (source.table.path, fold(name)) in self._mentioned:
            return ""
        self._mentioned.add((source.table.path, fold(name)))
        comment = next((c.comment for c in source.table.columns if fold(c.name) == fold(name)), "")
        return f" ({' '.join(comment.split())})" if comment else ""

    def _list(self, nodes: list[exp.Expr]) -> str:
        return listed([self.of(node) for node in nodes])

    # Conditions

    def compared(self, node: exp.Binary, words: dict[type[exp.Expr], str] = COMPARED) -> str | None:
        """Return the words for a comparison; None where it has none."""
        if node.args.get("negate"):
            words = NEGATED if words is COMPARED else COMPARED
        if isinstance(node, exp.Is) and isinstance(node.expression, exp.Null):
            return f"{self.of(node.this)} {words[exp.Is]} empty"
        word = words.get(type(node))
        return f"{self.of(node.this)} {word} {self.of(node.expression)}" if word else None

    def between(self, node: exp.Between, is_: str = "is") -> str:
        """Return the words for BETWEEN."""
        low, high = self.of(node.args["low"]), self.of(node.args["high"])
        return f"{self.of(node.this)} {is_} between {low} and {high} (both included)"

    def among(self, node: exp.In, is_: str = "is") -> str | None:
        """Return the words for IN a list or a query; None for IN a table."""
        query = node.args.get("query")
        if query is not None:
            return f"{self.of(node.this)} {is_} among the values of {self.query(query)}"
        values = [self.of(value) for value in node.expressions]
        return f"{self.of(node.this)} {is_} {listed(values, 'or' if is_ == 'is' else 'nor')}" if values else None

    def negated(self, node: exp.Not) -> str:
        """Return the words for NOT, moved into the condition where that reads well."""
        inner = node.this
        known = next((parts for kind, parts, _ in _RULES if isinstance(inner, kind)), "")
        if other_parts(inner, known):
            return f"it is not so that {self.of(inner)}"
        if isinstance(inner, exp.In) and (words := self.among(inner, "is not")):
            return words
        if isinstance(inner, exp.Exists):
            return f"{self.query(inner.this)} gives no rows"
        if isinstance(inner, exp.Binary) and type(inner) in NEGATED and (words := self.compared(inner, NEGATED)):
            return words
        if isinstance(inner, exp.Between):
            return self.between(inner, "is not")
        return f"it is not so that {self.of(inner)}"

    def both(self, node: exp.Connector) -> str:
        """Return the words for AND and OR; only parentheses of the query itself are written."""
        parts = [
            f"({self.of(part)})" if isinstance(part, exp.Connector) else self.of(part)
            for part in node.flatten(unnest=False)
        ]
        return (" or " if isinstance(node, exp.Or) else " and ").join(parts)

    def choice(self, node: exp.Case) -> str:
        """Return the words for CASE."""
        of = f"{self.of(node.this)} is " if node.this else ""
        cases = [f"{self.of(c.args['true'])} if {of}{self.of(c.this)}" for c in node.args["ifs"]]
        default = node.args.get("default")
        return f"({', '.join(cases)}, otherwise {self.of(default) if default is not None else 'nothing'})"

    # Aggregates and windows

    def count(self, node: exp.Count) -> str | None:
        """Return the words for COUNT."""
        if isinstance(node.this, exp.Star) or node.this is None:
            return "the number of rows"
        if isinstance(node.this, exp.Distinct):
            return f"the number of different values of {self._list(node.this.expressions)}"
        return f"the number of rows that have a value of {self.of(node.this)}"

    def aggregate(self, node: exp.AggFunc) -> str | None:
        """Return the words for SUM, AVG and the like, of all values or of the different ones."""
        word = AGGREGATES.get(type(node))
        if word is None or node.this is None:
            return None
        if isinstance(node.this, exp.Distinct):
            return f"{word} the different values of {self._list(node.this.expressions)}"
        counted = f"(1 if {self.of(node.this)}, 0 if not)" if isinstance(node.this, _CONDITIONS) else self.of(node.this)
        return f"{word} {counted}"

    def filtered(self, node: exp.Filter) -> str:
        """Return the words for an aggregate over some of the rows (FILTER)."""
        return f"{self.of(node.this)} (only of rows where {self.of(node.expression.this)})"

    def window(self, node: exp.Window) -> str | None:
        """Return the words for a window function."""
        if node.args.get("over") not in (None, "OVER"):
            return None
        parts = [self.of(node.this)]
        if by := node.args.get("partition_by"):
            parts.append(f"among the rows with the same {self._list(by)}")
        if order := node.args.get("order"):
            parts.append(f"in the order of {self.ordered(order)}")
        if spec := node.args.get("spec"):
            parts.append(f"over {self.quoted(spec)}")
        return f"({' '.join(parts)})" if len(parts) > 1 else f"({parts[0]} over all rows)"

    def ordered(self, order: exp.Expr) -> str:
        """Return the words for the keys of ORDER BY."""
        return listed([self.of(key) for key in order.expressions], "then")

    def key(self, node: exp.Ordered) -> str:
        """Return the words for one key of ORDER BY."""
        # The parser sets NULLS FIRST or LAST on every key; only what differs from the engine's default was written.
        descending, first = bool(node.args.get("desc")), bool(node.args.get("nulls_first"))
        usual = named(self.dialect).nulls_first(descending)
        nulls = "" if first == usual else f", empty ones {'first' if first else 'last'}"
        return f"{self.position(node.this)} {'descending' if descending else 'ascending'}{nulls}"

    def position(self, node: exp.Expr) -> str:
        """Return the words for an expression to group or sort by, which may be the number of an output."""
        if not isinstance(node, exp.Literal) or node.is_string:
            return self.of(node)
        shown = numbered(node)
        if shown is None:
            return f"column {node.name} of what is shown"
        return f"{shown.alias or self.of(shown)} (column {node.name})"

    # The rest

    def called(self, node: exp.Alias) -> str:
        """Return the words for an expression with an alias."""
        return f"{self.of(node.this)} (called {node.alias})"

    def computed(self, node: exp.Binary) -> str | None:
        """Return the words for arithmetic."""
        sign = COMPUTED.get(type(node))
        return f"{self.of(node.this)} {sign} {self.of(node.expression)}" if sign else None

    def cast(self, node: exp.Cast) -> str | None:
        """Return the words for CAST."""
        if type(node) is not exp.Cast:
            return None
        return f"{self.of(node.this)} as {node.to.sql(dialect=self.dialect)}"


def _literal(words: Words, node: exp.Expr) -> str:
    return node.sql(dialect=words.dialect, comments=False)


# What counts as 1 or 0 where it is summed or averaged.
_CONDITIONS: tuple[type[exp.Expr], ...] = (exp.Connector, exp.Not, exp.Exists, exp.In, exp.Between, *COMPARED)

_Rule = tuple[type[exp.Expr] | tuple[type[exp.Expr], ...], str, Callable[..., str | None]]
# The kinds of nodes that have words, with the names of the parts that these words cover.
_RULES: tuple[_Rule, ...] = (
    (exp.Alias, "this alias", Words.called),
    (exp.Column, "this table", Words.column),
    (exp.Star, "", lambda words, node: "all columns"),
    (exp.Literal, "this is_string", _literal),
    (exp.Null, "", lambda words, node: "nothing (NULL)"),
    (exp.Boolean, "this", lambda words, node: "true" if node.this else "false"),
    (exp.Paren, "this", lambda words, node: f"({words.of(node.this)})"),
    (exp.Neg, "this", lambda words, node: f"-{words.of(node.this)}"),
    (exp.Not, "this", Words.negated),
    (exp.Connector, "this expression", Words.both),
    (exp.Exists, "this", lambda words, node: f"{words.query(node.this)} gives at least one row"),
    (exp.In, "this expressions query", Words.among),
    (exp.Between, "this low high", Words.between),
    (exp.Case, "this ifs default", Words.choice),
    (exp.Window, "this partition_by order spec over", Words.window),
    (exp.Filter, "this expression", Words.filtered),
    (exp.IgnoreNulls, "this", lambda words, node: words.of(node.this) if isinstance(node.this, exp.AnyValue) else None),
    (exp.Count, "this big_int", Words.count),
    (tuple(AGGREGATES), "this", Words.aggregate),
    (exp.Ordered, "this desc nulls_first", Words.key),
    (exp.Cast, "this to _type", Words.cast),
    (tuple(COMPUTED), "this expression safe typed", Words.computed),
    (tuple(COMPARED), "this expression negate", Words.compared),
)
