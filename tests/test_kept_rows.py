"""The rows of a query's process that wait in a file, on a disk that fills up."""

from __future__ import annotations

import resource
from collections.abc import Iterator

import pytest
from askwhere.bindings.isolation.engine import IN_MEMORY, Spool
from askwhere.errors import DatabaseError

SMALL = b"x" * 4_096  # what a file's buffer takes without being written


@pytest.fixture
def full() -> Iterator[None]:
    """Let no file grow beyond what is kept in memory and one small batch more."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (IN_MEMORY + 1 + len(SMALL), hard))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.usefixtures("full")
@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
def test_a_batch_for_which_there_is_no_room_is_an_error_when_it_comes() -> None:
    spool = Spool(1)
    spool.add(b"x" * (IN_MEMORY + 1), 1)
    spool.add(SMALL, 1)
    with pytest.raises(DatabaseError, match=r"^the rows could not be kept in /.+: "):
        spool.add(SMALL, 1)
    with pytest.raises(DatabaseError, match=r"^the rows could not be kept in /.+: "):
        spool.clear()
    del spool  # which prints nothing


def test_batches_come_back_in_order_and_are_dropped() -> None:
    spool = Spool(1)
    batches = [b"x" * (IN_MEMORY + 1), b"y", b"z" * 10_000]
    for batch in batches:
        spool.add(batch, 1)
    assert list(spool.batches()) == batches
    spool.clear()
    spool.add(b"again", 1)
    assert list(spool.batches()) == [b"again"]
