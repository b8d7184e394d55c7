"""Accept names of a subquery's outputs before the subquery is read: `SELECT AVG(n) FROM (SELECT COUNT(*) AS n …) AS z`.

Such a name is a promise: the first source of FROM must then be a subquery with an output of this name. Only a few names
can be promises, and only inside the aggregates of a select list that names no column of a table. Elsewhere, a word that
is no column is more likely a mistake.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from askwhere.pipeline.binding.grammar import QUERIES
from askwhere.pipeline.binding.machine import Machine
from askwhere.pipeline.binding.names import ANY, MIXED, NUMBERS, Kinds
from askwhere.pipeline.binding.scope import Resolved
from askwhere.pipeline.binding.state import Query, Required, fits

_NAMES, _COUNTED = ("cnt", "n", "total"), "num_"


def promise(m: Machine, text: str, kinds: Kinds | None) -> Resolved | None:
    """Resolve a word as an output that the subquery in FROM must have; None where it cannot be a promise."""
    q = m.here
    if not (q.part == "select" and q.in_aggregate and m.depth < QUERIES and _is_name(text)):
        return None
    if q.bare or q.required or q.stars or (m.names.typed and kinds is not None and not kinds & NUMBERS):
        return None
    kind = ANY if not m.names.typed else "f" if kinds else MIXED
    return Resolved(q._replace(promised={**q.promised, text: kinds}), kind)


def _is_name(text: str) -> bool:
    return text in _NAMES or re.fullmatch(rf"{_COUNTED}[a-z0-9_]{{1,24}}", text) is not None


def beginning(start: str) -> Iterator[str]:
    """Yield the names that promises may have and that begin with `start`."""
    yield from (name for name in _NAMES if name.startswith(start))
    if _COUNTED.startswith(start):
        yield f"{_COUNTED}of"
    elif start.startswith(_COUNTED):
        yield start


def unmet(query: Query) -> Required:
    """Return the outer query's promises that no output of this query fulfils yet."""
    if not query.in_from or query.outer is None or query.outer.sources or query.arms > 1:
        return {}
    made = {output.column for output in query.outputs}
    return {name: kinds for name, kinds in query.outer.promised.items() if name not in made}


def may_meet(query: Query, kind: str) -> list[str]:
    """Return the names under which an output of this kind would fulfil a promise."""
    return [name for name, kinds in unmet(query).items() if fits(kind, kinds)]
