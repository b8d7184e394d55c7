"""Read what a text mentions, "notes that mention cherry", and what things contain, "dishes that contain milk"."""

from __future__ import annotations

from dataclasses import replace

from askwhere.reader.grammar.cursor import END
from askwhere.reader.grammar.patterns import Marks, Place, Rule, maybe, of_text, rewrite
from askwhere.reader.marking.marks import Mark
from askwhere.reader.marking.mentions import MENTIONED
from askwhere.reader.schema.senses import paths_of

_HOLDING = ("contain", "contains", "containing", "include", "includes", "including", "that contains", "that includes")


@rewrite("table", maybe("rel"), maybe("be"), "like", MENTIONED)
def say_which_text(_: Place, thing: Mark, __: Mark, ___: Mark, like: Mark, words: Mark) -> Marks | None:
    """Write "customers on Mill Road" as "customers whose address contains Mill Road", the only column that does."""
    own = [s for s in words.senses if s.table.path in paths_of(s for s in thing.senses if not s.columns)]
    if len(own) != 1:
        return None
    column = Mark("column", like.start, like.start, 1.0, own[0].column.name, "", (own[0],))
    whose = Mark("rel", like.start, like.start, 0.0, "whose")
    return thing, whose, column, replace(like, text="contains"), words


@rewrite(maybe("not"), of_text(*_HOLDING, kind="like"), maybe("fill"), maybe("without"), "value")
def say_what_is_in(place: Place, no: Mark, like: Mark, _: Mark, none: Mark, value: Mark) -> Marks | None:
    """Write "dishes that contain milk" as "dishes with milk", where it is a value of another table than the dishes.

    What does not contain milk, and what contains no milk, is without milk.
    """
    thing = next((m for m in reversed(place.before) if m.kind not in ("rel", "fill", "be")), END)
    own = paths_of(s for s in thing.senses if not s.columns)
    there = tuple(s for s in value.senses if s.table.path not in own)
    if thing.kind != "table" or not there or value.argument == "quoted":
        return None
    said = replace(like, kind="prep", text="with", argument="with")
    lacks = replace(like, kind="without", text="without", argument="")
    return said if no is none is END else lacks, replace(value, senses=there)


RULES: tuple[Rule, ...] = (say_which_text, say_what_is_in)
