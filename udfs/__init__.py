"""Define the SQL functions, one file each; no file knows an engine. Each binding registers all of `FUNCTIONS`."""

from __future__ import annotations

from askwhere.udfs import (
    ask,
    ask_candidates,
    ask_explain,
    ask_fix,
    ask_index,
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

FUNCTIONS: tuple[Function, ...] = (
    ask.FUNCTION,
    ask_candidates.FUNCTION,
    ask_settings.FUNCTION,
    ask_values.FUNCTION,
    ask_trace.FUNCTION,
    ask_log.FUNCTION,
    ask_pins.FUNCTION,
    ask_sql.FUNCTION,
    ask_value.FUNCTION,
    ask_schema.FUNCTION,
    ask_prompt.FUNCTION,
    ask_fix.FUNCTION,
    ask_explain.FUNCTION,
    ask_pin.FUNCTION,
    ask_unpin.FUNCTION,
    ask_set.FUNCTION,
    ask_index.FUNCTION,
    ask_version.FUNCTION,
)

__all__ = ["FUNCTIONS", "Argument", "Function", "bind"]
