"""Read how something was done from a column that is called after the verb: "paid by card", `payment_method`."""

from __future__ import annotations

from dataclasses import replace

from askwhere.reader.grammar.patterns import Marks, Place, maybe, of_kind, rewrite
from askwhere.reader.marking.marks import Mark
from askwhere.reader.schema.senses import Sense, paths_of
from askwhere.reader.words.english import EVENTS
from askwhere.reader.words.names import full_stems
from askwhere.reader.words.tokens import stem
from askwhere.reader.words.types import is_dated
from askwhere.reader.words.verbs import names_an_act, saying, says

_WAYS = ("in", "by", "with", "via", "through")  # prepositions before the way in which something is done


@rewrite("link|column|value", of_kind("prep", lambda m: m.text.split()[0] in _WAYS), maybe("fill"), "value")
def say_in_which_way(_: Place, verb: Mark, prep: Mark, fill: Mark, value: Mark) -> Marks | None:
    """Write "sales paid in cash" as "sales with cash", where a column is called after the verb, `payment_method`.

    The verb is said by that column then: `paid_on` of other rows is not meant. It stays where something else of the
    same rows says it: a flag, a date or a state.
    """
    ways = tuple(s for s in value.senses if _is_called_after(s, verb))
    return (replace(prep, text="with", argument="with"), replace(value, senses=ways)) if ways else None


def _is_called_after(way: Sense, verb: Mark) -> bool:
    """Return whether a value's column alone of its table is called after what a participle says: `ship_mode`."""
    if not names_an_act(verb.text) or len(way.columns) != 1:
        return False
    act, name = stem(verb.text.split()[-1]), way.column.name
    called = says(name, act) or bool(EVENTS.get(act, frozenset()) & set(full_stems(name)))
    others = saying((way.table,), act) - {(way.table.path, name)}
    told = bool(others) or way.table.path in paths_of(verb.senses)
    return called and not told and not is_dated(way.column)
