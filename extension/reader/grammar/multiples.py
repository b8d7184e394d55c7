"""Rewrite multiples of what is compared with: "more than twice the list price", "20% above the average"."""

from __future__ import annotations

from dataclasses import replace

from askwhere.reader.grammar.cursor import END, Stuck
from askwhere.reader.grammar.patterns import Marks, Place, Rule, either, maybe, of_argument, of_kind, of_text, rewrite
from askwhere.reader.marking.marks import Mark, is_amount
from askwhere.reader.words.english import PERCENT

_OF = maybe(of_argument("of", kind="prep"))
_THEIR = maybe("fill|their")
_AMOUNT = either(of_kind("column", is_amount), "average", "agg")
_DIRECTIONS = {">": 1, "<": -1}
_PERCENT = of_text(*PERCENT, *(f"{word} of" for word in PERCENT), *(f"{word} of the" for word in PERCENT))


@rewrite("comp", either("multiple", "often"), _OF, _THEIR, behind=_AMOUNT)
def say_twice(_: Place, than: Mark, times: Mark, of: Mark, their: Mark) -> Marks:
    """Write "less than half of the price" as "less than the price", with what multiplies it as the `number`."""
    return _with(replace(than, number=times.number), their)


@rewrite("comp", "number", either(of_text("times"), _PERCENT), _OF, _THEIR, behind=_AMOUNT)
def say_times(_: Place, than: Mark, times: Mark, unit: Mark, of: Mark, their: Mark) -> Marks | None:
    """Write "above 1.5 times the price", "less than 80% of the price" in the same way; not "above 5% discount"."""
    number = times.number or 0
    if unit.text == "times":
        return _with(replace(than, number=number), their)
    return _with(replace(than, number=number / 100), their) if of is not END or "of" in unit.text else None


@rewrite(maybe("comp"), "number", _PERCENT, "comp", _THEIR, behind=_AMOUNT)
def say_percent_above(_: Place, than: Mark, percent: Mark, unit: Mark, above: Mark, their: Mark) -> Marks:
    """Write "more than 20% above the price" so. Raise `Stuck` for "less than 20% above", which may be below it, too."""
    sign = _DIRECTIONS.get(above.argument, 0)
    if not sign or (than is not END and than.argument not in (">", ">=")):
        raise Stuck(above)
    op = than.argument if than is not END else ">="
    op = op if sign > 0 else op.replace(">", "<")
    return _with(replace(above, argument=op, number=1 + sign * (percent.number or 0) / 100), their)


def _with(than: Mark, their: Mark) -> Marks:
    """Return a comparison's mark, and the one behind it if there is one."""
    return (than,) if their is END else (than, their)


RULES: tuple[Rule, ...] = (say_twice, say_percent_above, say_times)
