"""Named arguments, as DuckDB writes them: `choose := 2` and `choose => 2`."""

from __future__ import annotations

import pytest
from askwhere.bindings.sqlite.arguments import named_argument, positional
from askwhere.udfs import BY_NAME
from support import Make


@pytest.mark.slow
@pytest.mark.parametrize(
    "call",
    [
        "SELECT n FROM ask('q', effort => 'fast')",
        "SELECT n FROM ask('q', effort=>'fast', choose => 1)",
        "SELECT n FROM ask('q', effort := 'fast')",
        "SELECT ask_value('q', effort => 'fast') AS n",
    ],
)
def test_an_argument_is_named_with_either_sign(scripted: Make, call: str) -> None:
    connection, _ = scripted("SELECT 2 AS n")
    ((n,),) = connection.execute(call).fetchall()
    assert str(n) == "2"  # DuckDB's ask_value returns text


def test_other_comparisons_are_no_names() -> None:
    assert named_argument("effort => 'fast'") == ("effort", "'fast'")
    assert named_argument("1 >= 2") == ("", "1 >= 2")
    assert positional("SELECT ask_fix(a >= 2, 1)", BY_NAME) == "SELECT ask_fix(a >= 2, 1)"
