"""Match skeletons exactly: whether a prediction has gold's form, whatever names and values it uses (DAC, Table 6)."""

from __future__ import annotations

from askwhere.pipeline.skeleton import skeleton


def match(gold_sql: str, predicted_sql: str, dialect: str) -> bool:
    """Return whether both queries have the same skeleton; False where either cannot be parsed.

    >>> match("SELECT a FROM t WHERE b = 1", "SELECT x FROM y WHERE z = 'w'", "sqlite")
    True
    """
    gold = skeleton(gold_sql, dialect)
    return gold != "" and gold == skeleton(predicted_sql, dialect)
