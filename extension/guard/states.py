"""Bound the memory that the aggregates of a DuckDB query take for each group: the bytes of their states.

DuckDB keeps the keys of a group and the states of its aggregates in one row of a hash table, and a row that is wider
than a block of 256 KiB ends the process (1.5.5, 2.0.1). A state may also have memory beside this row. Each thread
allocates it for up to 2,048 groups in one step, which cannot be interrupted. The sizes were measured in both versions,
as the growth of the process for each of 20,000 groups of one row.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from askwhere.errors import Refused
from askwhere.guard.estimates import FIXED, LONG, Value
from askwhere.guard.functions import DUCKDB_AGGREGATES, DUCKDB_NAMED_AGGREGATES
from askwhere.guard.tree import Node, literal_number, literal_text
from askwhere.sql.identifiers import fold

_MAX_WIDTH = 128_000  # bytes of a row of keys and states, half of a block


def _sizes(table: str) -> dict[str, int]:
    """Return the number at the beginning of each line of a text, by each of the names that follow it."""
    lines = (line.split(":", 1) for line in table.strip().splitlines())
    return {name: int(size) for size, names in lines for name in names.split()}


# The bytes of a state in the row of its group, and beside it; the first two are for aggregates that no table lists.
_OTHER_IN_ROW, _OTHER_BESIDE = 80, 160
_IN_ROW = _sizes("""
32: any_value arbitrary avg bit_and bit_or bit_xor bool_and bool_or count count_if count_star countif favg first fsum
32: geomean geometric_mean kahan_sum last max mean min product regr_avgx regr_avgy regr_count sem stddev stddev_pop
32: stddev_samp sum sum_no_overflow sumkahan var_pop var_samp variance
136: regr_r2
96: corr regr_intercept
1056: approx_count_distinct
""")
_BESIDE = dict.fromkeys(_IN_ROW, 0) | _sizes("""
400: entropy mode
512: histogram histogram_exact json_group_structure list_histogram
320: approx_top_k
512: approx_quantile
""")
_BESIDE_MORE = {"approx_quantile": 7_600}  # in DuckDB 1.5, and where states are put together, as for windows
_SORTING = 256  # more bytes of a state where the aggregate has an ORDER BY
# More bytes of a state for each of the values that it keeps; the last argument is their number.
_EACH = {"approx_top_k": 560} | dict.fromkeys(
    "arg_max arg_min argmax argmin max max_by min min_by".split(), 2 * int(FIXED)
)
# A window keeps many states at once, for parts of its frames: one of more than `_HEAVY` bytes counts `_FRAMES` times.
_HEAVY, _FRAMES = 512, 6
_BINS = {"histogram", "histogram_exact"}
_BINNED = 2  # a state takes so many times the bytes of its list of bins
# Aggregates that DuckDB 2.0 computes by a join, as it does any aggregate with DISTINCT.
_JOINED = {"entropy", "histogram", "mode"}


# The aggregates that SUMMARIZE calls for each column.
_SUMMARIZING = "approx_count_distinct approx_quantile approx_quantile approx_quantile avg count max min stddev".split()


def in_row(name: str) -> int:
    """Return the bytes that an aggregate's state takes in the row of its group."""
    return _IN_ROW.get(name, _OTHER_IN_ROW)


def state_bytes(name: str, node: Node, values: Sequence[Value], given: Sequence[Node]) -> float:
    """Return the bytes of an aggregate's state for one group; of a window, those for one row.

    `values` and `given` are the bounds and the nodes of its arguments. Raise `Refused` for bins that are collected from
    rows: each group has a copy of them.
    """
    more = _BESIDE_MORE if "arguments" not in node or node["class"] == "WINDOW" else {}
    size = float(in_row(name) + more.get(name, _BESIDE.get(name, _OTHER_BESIDE))) + _SORTING * is_sorted(node)
    if name in _EACH and len(given) > 1:
        size += _EACH[name] * max(1, literal_number(given[-1]) or 1)
    if name in _BINS and len(values) > 1:
        size += _BINNED * values[1].size
        if values[1].size >= LONG:
            raise Refused(f"{name} copies its bins for each group; give it a list of numbers or texts that is written")
    return size * _FRAMES if node["class"] == "WINDOW" and size > _HEAVY else size


def summary_bytes(columns: int, node: Node) -> tuple[float, float]:
    """Return (bytes in a group's row, all bytes) of the states of SUMMARIZE over a number of columns.

    `node` is that of SUMMARIZE, which has a `qualified_name` in DuckDB 2.0.
    """
    call: Node = {"class": "FUNCTION"} | ({"arguments": []} if "qualified_name" in node else {})
    return (
        columns * float(sum(map(in_row, _SUMMARIZING))),
        columns * sum(state_bytes(name, call, (), ()) for name in _SUMMARIZING),
    )


def list_aggregate(name: str, given: Sequence[Node]) -> tuple[str, int]:
    """Return (aggregate that a function of lists calls, place of the aggregate's second argument).

    The aggregate is `mode` for `list_mode(x)` and `list_aggregate(x, 'mode')`, and '' for a function that calls none.
    """
    if name in DUCKDB_NAMED_AGGREGATES:
        return (fold(literal_text(given[1])) if len(given) > 1 else ""), 2
    aggregate = name.removeprefix("list_")
    return (aggregate if aggregate != name and aggregate in DUCKDB_AGGREGATES else ""), 1


def is_joined(name: str, node: Node, given: Sequence[Node]) -> bool:
    """Return whether DuckDB may compute an aggregate by a join with the table of its groups."""
    return node["class"] == "FUNCTION" and (bool(node.get("distinct")) or (name in _JOINED and len(given) == 1))


def check_width(values: Iterable[Value], states: float = 0.0) -> None:
    """Raise `Refused` where a row of `values` and of aggregates' `states`, in bytes, could be wider than a block.

    A row has `FIXED` bytes for each value, and for each field of a record.
    """
    if FIXED * sum(v.fields / v.sharing for v in values) + states > _MAX_WIDTH:
        raise Refused(
            f"the query keeps rows of more than {_MAX_WIDTH:,} bytes, by what it groups by and computes for each group"
            " (approx_count_distinct takes 1,056, a column or a field of a record 16); take fewer columns"
        )


def is_sorted(node: Node) -> bool:
    """Return whether an aggregate has an ORDER BY of its own."""
    orders = node.get("order_bys") or {}
    return bool(orders.get("orders") if isinstance(orders, dict) else orders)
