"""Name comparisons, aggregates and computations in words, and list words as a sentence does."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

Subquery = Callable[[exp.Expr], str]


COMPARED: dict[type[exp.Expr], str] = {
    exp.EQ: "is",
    exp.NEQ: "is not",
    exp.GT: "is more than",
    exp.GTE: "is at least",
    exp.LT: "is less than",
    exp.LTE: "is at most",
    exp.Is: "is",
    exp.NullSafeEQ: "is the same as",
    exp.NullSafeNEQ: "is not the same as",
    exp.Like: "matches the pattern",
    exp.ILike: "matches, in upper or lower case, the pattern",
    exp.Glob: "matches the glob pattern",
}


NEGATED: dict[type[exp.Expr], str] = {
    exp.Is: "is not",
    exp.EQ: "is not",
    exp.Like: "does not match the pattern",
    exp.ILike: "does not match, in upper or lower case, the pattern",
    exp.Glob: "does not match the glob pattern",
}


COMPUTED: dict[type[exp.Expr], str] = {
    exp.Add: "+",
    exp.Sub: "-",
    exp.Mul: "*",
    exp.Div: "/",
    exp.Mod: "%",
    exp.IntDiv: "//",
    exp.DPipe: "followed by",
}


AGGREGATES: dict[type[exp.Expr], str] = {
    exp.Sum: "the total of",
    exp.Avg: "the average of",
    exp.Min: "the smallest",
    exp.Max: "the largest",
    exp.AnyValue: "any value of",
    exp.Median: "the median of",
    exp.Stddev: "the standard deviation of",
}


def numbered(number: exp.Literal) -> exp.Expr | None:
    """Return the output at the position that a number in GROUP BY or ORDER BY names.

    Return None if there is no such output, or if it is a star or contains a query.
    """
    query = number.find_ancestor(exp.Query)
    if not isinstance(query, exp.Select) or any(each.is_star for each in query.expressions):
        return None
    place = int(number.name) if number.name.isdigit() else 0
    shown = query.expressions[place - 1] if 0 < place <= len(query.expressions) else None
    return None if shown is None or shown.find(exp.Query) else shown


def listed(parts: list[str], last: str = "and") -> str:
    """Return parts as a list in words.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    if last == "then":
        return ", then ".join(parts)
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def other_parts(node: exp.Expr, known: str) -> list[str]:
    """Return the names of the parts that a node has beside those named in `known`."""
    return [name for name, part in node.args.items() if part not in (None, False, "", []) and name not in known.split()]
