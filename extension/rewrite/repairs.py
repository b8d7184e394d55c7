"""Describe a repair of a query's text, and find the known names that a word may be a misspelling of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from askwhere import guard
from askwhere.engine import Engine
from askwhere.frozen import frozen
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.word_forms import singular
from askwhere.reader.words.names import full_stems
from askwhere.sql.dialects import KNOWN, named
from askwhere.sql.identifiers import fold, quote
from askwhere.sql.spans import Edit
from rapidfuzz.distance import OSA
from sqlglot import exp

# A misspelling may have one typing slip in every four letters, and one in a shorter name of at least two letters.
LETTERS_A_SLIP = 4
# A change of the query's shape costs as much as one slip: where both are possible, neither is chosen.
CHANGE = 1.0
# The cost of quotes around words that together are a name: it is no chance that they stand side by side.
TOGETHER = 0.5
# Added for a name of an enclosing scope, and for a function that only this engine has.
FARTHER = 0.5
# The cost of translating a function that another database has: it is less likely to be a misspelling.
OTHERS_OWN = 0.5
# The cost of taking a name for a source with an unlike name: a last resort.
UNLIKE = 4.0
ALTERNATIVES = 8
# Longer names are not compared: the time is the product of the lengths.
MOST_LETTERS = 200
COMMON = frozenset.intersection(*map(guard.harmless, KNOWN))


@frozen
class Repair:
    """One way to change a text: `cost` counts typing slips, `description` is the change in words."""

    edits: tuple[Edit, ...]
    cost: float
    description: str


@frozen
class Known:
    """The names that a query may use: the catalog's, every table of the database, and functions.

    `tables` are folded, and in each way to write their paths; `functions` are all that the engine has.
    """

    catalog: Catalog
    dialect: str
    tables: frozenset[str]
    functions: frozenset[str]

    @classmethod
    def of(cls, engine: Engine, catalog: Catalog) -> Known:
        """Return the names that a query may use in a database."""
        tables = {fold(".".join(path)) for t in engine.tables() for path in _path_spellings(t.path)}
        return cls(catalog, engine.dialect, frozenset(tables), engine.functions())

    @property
    def callable(self) -> frozenset[str]:
        """Return the functions that a query may call."""
        allowed = frozenset(fold(f) for f in self.catalog.grant.functions)
        return (guard.harmless(self.dialect) & self.functions) | allowed


def _path_spellings(path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the ways to write a table's path."""
    yield from (path[i:] for i in range(len(path)))
    yield (path[0], path[-1])


@frozen
class Text:
    """A query as text and as a tree, with the names that it may use."""

    sql: str
    tree: exp.Expr
    known: Known

    @property
    def dialect(self) -> str:
        """Return sqlglot's name of the dialect."""
        return self.known.dialect

    def written(self, name: str, like: str = "") -> str:
        """Return a name as SQL writes it: quoted where it must be, or where the name in its place (`like`) was."""
        return quote(name) if like[:1] in ('"', "`", "[") else named(self.dialect).written(name)


@frozen
class Unknown:
    """An unknown name of a query, with the repairs that it may need, nearest first.

    `kind` is 'table', 'function', 'column' or 'ambiguous'.
    """

    kind: str
    name: str
    repairs: tuple[Repair, ...]


def near(word: str, names: Iterable[str]) -> list[tuple[int, str]]:
    """Return the names that `word` may be a misspelling of, with the number of slips, fewest first.

    A slip is a letter too many, missing or wrong, or two letters swapped (optimal string alignment distance), or a
    plural in place of the singular, or a word in place of its short form, or the reverse.

    >>> near("nmae", ["name", "names", "age"])
    [(1, 'name'), (2, 'names')]
    >>> near("city", ["cities", "color"])
    [(1, 'cities')]
    >>> near("customers", ["cust", "costs"])
    [(1, 'cust')]
    """
    by_name: dict[str, tuple[int, str]] = {}
    for name in names if len(word) <= MOST_LETTERS else ():
        if len(name) > MOST_LETTERS:
            continue
        longest = max(len(word), len(name))
        most = max(1, longest // LETTERS_A_SLIP)
        typed, known = fold(word), fold(name)
        is_other_form = typed != known and (
            singular(typed) == singular(known) or full_stems(typed) == full_stems(known)
        )
        slips = 1 if is_other_form else OSA.distance(typed, known, score_cutoff=most)
        if slips <= most and longest > 1:
            by_name.setdefault(fold(name), (slips, name))
    return sorted(by_name.values())[:ALTERNATIVES]


def place_of(node: exp.Expr) -> tuple[int, int] | None:
    """Return where a name stands, with its qualifiers; None where that is not known."""
    parts = node.parts if isinstance(node, (exp.Table, exp.Column)) else [node]
    if not all("start" in part.meta for part in parts):
        return None
    return min(part.meta["start"] for part in parts), max(part.meta["end"] for part in parts) + 1


def replaced(text: Text, node: exp.Expr, name: str) -> Edit:
    """Return the edit that puts a name in a node's place."""
    start, end = place_of(node) or (0, 0)
    return Edit(start, end, text.written(name, text.sql[start:end]))


def renamed(text: Text, node: exp.Expr, near_names: Iterable[tuple[float, str]]) -> tuple[Repair, ...]:
    """Return repairs that replace a name by others, each given with its cost."""
    edits = ((cost, name, replaced(text, node, name)) for cost, name in near_names)
    return tuple(Repair((edit,), cost, f"{node.name} → {name}") for cost, name, edit in edits)
