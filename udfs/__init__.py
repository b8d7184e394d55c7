"""Define the SQL functions, one file each; no file knows an engine.

Each binding registers all of `FUNCTIONS`. It answers a call by `call`, and finds what a call of `ask` asks by `asked`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from askwhere.engine import Engine
from askwhere.session import Question, Session
from askwhere.udfs import (
    ask,
    ask_candidates,
    ask_explain,
    ask_fix,
    ask_index,
    ask_key,
    ask_keys,
    ask_log,
    ask_pin,
    ask_pins,
    ask_prompt,
    ask_schema,
    ask_set,
    ask_settings,
    ask_sql,
    ask_trace,
    ask_unpin,
    ask_value,
    ask_values,
    ask_version,
)
from askwhere.udfs.function import Argument, Function, bind

FUNCTIONS: tuple[Function, ...] = tuple(
    module.FUNCTION
    for module in (
        ask, ask_candidates, ask_settings, ask_values, ask_trace, ask_log, ask_pins, ask_keys, ask_sql, ask_value,
        ask_schema, ask_prompt, ask_fix, ask_explain, ask_pin, ask_unpin, ask_key, ask_set, ask_index, ask_version,
    )
)  # fmt: skip

BY_NAME = {function.name: function for function in FUNCTIONS}

__all__ = ["BY_NAME", "FUNCTIONS", "Argument", "Function", "asked", "call"]


def call(
    session: Session, engine: Engine, name: str, values: Sequence[Any], named: Mapping[str, Any] | None = None
) -> Any:
    """Call the function of a name, and return its value; for a table function, the list of its rows.

    Raise `ArgumentError` for wrong arguments, and what the function raises.
    """
    function = BY_NAME[name]
    result = function.call(session, engine, **bind(function, values, named))
    return list(result) if function.kind == "table" else result


def asked(values: Sequence[Any], named: Mapping[str, Any] | None = None) -> Question:
    """Return the question of a call of `ask`. Raise `ArgumentError` for wrong arguments."""
    question: Question = bind(ask.FUNCTION, values, named)["question"]
    return question
