"""What failing work had in memory is freed with its error: nothing waits for Python to look for circles."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable

import duckdb
import pytest
from askwhere.bindings.duckdb.running import interruptible
from askwhere.models.threads import in_thread


class Rows:
    """Much memory."""


@pytest.mark.parametrize(
    "doing",
    [lambda work: in_thread(work, lambda: None), lambda work: interruptible(duckdb.connect(), work)],
    ids=["a call of a model", "a query"],
)
def test_the_rows_of_failed_work_are_freed_with_its_error(
    doing: Callable[[Callable[[], object]], object],
) -> None:
    kept: list[weakref.ref[Rows]] = []

    def work() -> None:
        rows = Rows()
        kept.append(weakref.ref(rows))
        raise ValueError

    gc.disable()
    try:
        try:
            doing(work)
        except ValueError:
            pass
        else:
            pytest.fail("the error did not come")
        assert kept[0]() is None
    finally:
        gc.enable()
