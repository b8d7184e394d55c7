"""Read how something was done from a column that is called after the verb: "paid by card", `payment_method`."""

from __future__ import annotations

from dataclasses import replace

from askwhere.reader.grammar.cursor import Cursor
from askwhere.reader.marking.marks import Mark
from askwhere.reader.schema.senses import Sense, paths_of
from askwhere.reader.words.english import EVENTS
from askwhere.reader.words.names import full_stems
from askwhere.reader.words.tokens import stem
from askwhere.reader.words.types import is_dated
from askwhere.reader.words.verbs import names_an_act, saying, says

_WAYS = ("in", "by", "with", "via", "through")  # prepositions before the way in which something is done


def say_in_which_way(state: Cursor) -> None:
    """Write "sales paid in cash" as "sales with cash", where a column is called after the verb, `payment_method`.

    The verb is said by that column then: `paid_on` of other rows is not meant. It stays where something else of the
    same rows says it: a flag, a date or a state.
    """
    for place, verb in enumerate(state.marks[:-2]):
        prep = state.marks[place + 1]
        end = place + 2 + (state.marks[place + 2].kind == "fill")
        value = state.marks[end] if end < len(state.marks) else prep
        if value.kind != "value" or prep.kind != "prep" or prep.text.split()[0] not in _WAYS:
            continue
        if ways := tuple(s for s in value.senses if _is_called_after(s, verb)):
            with_it = replace(prep, text="with", argument="with")
            state.marks = (*state.marks[:place], with_it, replace(value, senses=ways), *state.marks[end + 1 :])
            return


def _is_called_after(way: Sense, verb: Mark) -> bool:
    """Return whether a value's column alone of its table is called after what a participle says: `ship_mode`."""
    if verb.kind not in ("link", "column", "value") or not names_an_act(verb.text) or len(way.columns) != 1:
        return False
    act, name = stem(verb.text.split()[-1]), way.column.name
    called = says(name, act) or bool(EVENTS.get(act, frozenset()) & set(full_stems(name)))
    others = saying((way.table,), act) - {(way.table.path, name)}
    told = bool(others) or way.table.path in paths_of(verb.senses)
    return called and not told and not is_dated(way.column)
