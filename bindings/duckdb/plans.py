"""Read the plans that DuckDB's EXPLAIN gives as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any


def nodes(plan: Sequence[Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the nodes of a plan, each before those below it.

    A node has a `name`, facts by name in `extra_info`, and its `children`.
    """
    left = [*reversed(plan)]
    while left:
        node = left.pop()
        yield node
        left += reversed(node["children"])
