"""Read in which direction a verb goes over a key of a table to itself, and which role an adjective names.

In "who sponsored Ann" the sponsor is asked for, in "members sponsored by Ann" Ann is it. In "home matches of the Lions"
these are the home team.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from askwhere.engine import Table
from askwhere.indexer.word_forms import plural
from askwhere.reader.grammar.cursor import CLAUSE_ENDS, END, Cursor, Stuck, mark_at
from askwhere.reader.grammar.patterns import Marks, Place, Rule, maybe, rewrite
from askwhere.reader.marking.marks import Mark
from askwhere.reader.schema.lexicon import Lexicon
from askwhere.reader.schema.roles import is_role, is_second
from askwhere.reader.schema.senses import Sense, paths_of
from askwhere.reader.words.names import called, cut_name
from askwhere.reader.words.phrases import LINKING
from askwhere.reader.words.tokens import stem
from askwhere.reader.words.verbs import AUXILIARY, names_an_act, names_doer, says

_WHO = ("who", "which", "who has", "who have", "which one")


def direct(state: Cursor) -> None:
    """Rewrite the marks so that things with a role, such as managers, refer to their table's alias with that role."""
    if not state.lexicon.seconds and not state.lexicon.roles:
        return
    for place, mark in enumerate(state.marks):
        if _in_role(state, place, mark) or _over(state, place, mark) or _led_by_subject(state, place, mark):
            return


@rewrite("table", "rel|open", maybe("have"), "link|table|column", "someone")
def lead_others(place: Place, things: Mark, who: Mark, have: Mark, verb: Mark, someone: Mark) -> Marks | None:
    """Write "members who sponsored someone" as "sponsors", by a key of the members to their own table."""
    paths = paths_of(things.senses)
    leaders = tuple(Sense(t) for t in _seconds_doing(place.state, verb) if t.path[:-1] in paths)
    return (replace(verb, kind="table", text=plural(leaders[0].table.name), senses=leaders),) if leaders else None


def compare_roles(state: Cursor) -> None:
    """Write "where the return depot is not the pickup depot" as a comparison of the two keys to depots.

    So with "with a different return depot from the pickup depot".
    """
    marks = [END, *(m for m in state.marks if m.kind not in ("fill", "be"))]
    for before, first, joined, second in zip(marks, marks[1:], marks[2:], marks[3:], strict=False):
        described = before.kind == "distinct" and joined.text in ("from", "than", "to")  # "a different depot from"
        if not described and joined.argument != "!=" and joined.text not in ("not", "is not", "are not"):
            continue
        keys = [tuple(_keys_of_roles(m, state.lexicon)) for m in (first, second)]
        if all(len(one) == 1 for one in keys) and keys[0][0].table is keys[1][0].table:
            one, other = (
                replace(m, kind="column", senses=senses) for m, senses in zip((first, second), keys, strict=True)
            )
            unlike = replace(joined, kind="comp", argument="!=", text="different from")
            lead = tuple(m for m in state.marks if m.end <= first.start and not (described and m is before))
            state.marks = (*lead, one, unlike, other, *(m for m in state.marks if m.start >= second.end))
            return


def _keys_of_roles(mark: Mark, lexicon: Lexicon) -> Iterator[Sense]:
    """Yield the key columns, each in its table, that the roles named by a mark stand for."""
    for role in (s.table for s in mark.senses if mark.kind == "table" and is_role(s.table)):
        key = role.foreign_keys[0]  # reversed: it refers to the table that has the column
        yield from (
            Sense(table, (column,))
            for table in lexicon.tables
            for column in table.columns
            if table.path == key.target and (column.name,) == key.target_columns
        )


def _led_by_subject(state: Cursor, place: int, mark: Mark) -> bool:
    """Read "who does Ann mentor" and "members that Ann sponsored" as "members sponsored by Ann"."""
    value = state.marks[place - 1] if place > 1 else END
    if value.kind != "value":
        return False
    behind = state.marks[place + 1 :]
    ends = not behind or behind[0].kind in CLAUSE_ENDS
    seconds = tuple(_seconds_doing(state, mark)) if ends else ()
    bases = {t.path[:-1] for t in seconds}
    head = state.marks[: place - 1]
    asks = head and (head[-1].kind == "rel" or head[-1].text in AUXILIARY) and value.text[:1].isupper()
    things = [paths_of(m.senses) for m in head if m.kind == "table"]
    if not seconds or not asks or not all(bases & paths for paths in (paths_of(value.senses), *things)):
        return False
    kept = tuple(_kept(m, bases) for m in head if m.kind not in ("rel", "fill"))
    kept = kept if things else (*kept, _base_of(state, mark, bases))
    said = replace(mark, kind="table", text="led", senses=tuple(Sense(t) for t in seconds))
    by = replace(mark, kind="prep", argument="by", text="by", senses=())
    state.marks = (*kept, said, by, _moved(value, seconds), *behind)
    return True


def _base_of(state: Cursor, mark: Mark, bases: set[tuple[str, ...]]) -> Mark:
    """Return the mark of the table whose rows lead others of it, in the plural."""
    tables = tuple(t for t in state.lexicon.tables if t.path in bases)
    return replace(mark, kind="table", text=plural(tables[0].name), senses=tuple(Sense(t) for t in tables))


def _over(state: Cursor, place: int, mark: Mark) -> bool:
    """Read "sponsored" as said by the one over another; return False for other words."""
    asked = place == 1 and state.marks[0].text in _WHO and state.marks[0].kind == "open"
    seconds = tuple(_seconds_doing(state, mark)) if asked or names_an_act(mark.text or "-") else ()
    bases = {t.path[:-1] for t in seconds}
    follow = mark_at(state.marks, place + 1)
    if not seconds or (follow.kind == "value" and not bases & paths_of(follow.senses)):
        return False
    if follow.text == "by":
        rest = (_moved(m, seconds) if m.kind == "value" else m for m in state.marks[place + 1 :])
        before = [_kept(m, bases) for m in state.marks[:place]]
        asks = before[:1] and (before[0].kind == "open" or before[0].text.startswith("who "))
        if asks and not any(m.kind in ("table", "column", "value") for m in before):
            before.append(_base_of(state, mark, bases))  # "who is mentored by Ann"
        said = replace(mark, kind="table", senses=tuple(Sense(t) for t in seconds))
        state.marks = (*before, said, *rest)
        return True
    last = mark_at(state.marks, place - 1)
    if last.kind == "not" and not {"been", "was", "were"} & set(last.text.split()):
        raise Stuck(mark)  # "who never sponsored anybody" is not who has no sponsor
    if not asked or follow.kind not in ("value", "sup", "supcount", "table"):
        return False
    thing = replace(mark, kind="table", text=f"the {seconds[0].name}", senses=tuple(Sense(t) for t in seconds))
    link = replace(mark, kind="prep" if follow.kind == "value" else "have", argument="of", text="of", senses=())
    state.marks = (state.marks[0], thing, link, *(_kept(m, bases) for m in state.marks[2:]))
    return True


def _seconds_doing(state: Cursor, mark: Mark) -> Iterator[Table]:
    """Yield the second tables (see `roles`) that are named after what a verb says was done."""
    word = stem(mark.text)
    if mark.kind not in ("table", "link", "column") or word == "report":
        return
    for table in (t for several in state.lexicon.seconds.values() for t in several):
        named = says(table.name, word) or names_doer(called(table), word)
        if named or stem(table.name) == word or stem(f"{table.name}ed") == word:
            yield table


def _in_role(state: Cursor, place: int, mark: Mark) -> bool:
    """Read "home" before a table whose rows have a home team: the teams of the question are in this role.

    Return False for other words, and where no such team follows.
    """
    thing = mark_at(state.marks, place + 1)
    paths = paths_of(thing.senses) if thing.kind == "table" else set()
    roles = [t for t in state.lexicon.roles if t.foreign_keys[0].target in paths and _says_role(t, mark.text)]
    if len(roles) != 1:
        return False
    base = roles[0].path[:-1]
    marks = tuple(_moved(m, (roles[0],)) for m in (*state.marks[:place], *state.marks[place + 1 :]))
    if not any(s.table is roles[0] for m in marks for s in m.senses) or base in paths:
        return False
    state.marks = tuple(replace(m, kind="link", text="was") if _is_deed(m) else m for m in marks)
    return True


def _is_deed(mark: Mark) -> bool:
    """Return whether a mark is a verb, or names a column by one: "play", `played_on`."""
    return mark.kind == "link" or (mark.kind == "column" and stem(mark.text) in LINKING)


def _says_role(role: Table, word: str) -> bool:
    """Return whether a word is what tells a role from its table: "home" of `home_team`."""
    own = set(cut_name(role.path[-2]))
    rest = [w for w in cut_name(role.name) if w not in own and stem(w) not in {stem(o) for o in own}]
    return rest == [word.lower()]


def _moved(mark: Mark, aliases: tuple[Table, ...]) -> Mark:
    """Return a mark of a table or value with its senses in an alias, for those in the table that it stands for."""
    if mark.kind not in ("table", "value"):
        return mark
    by_base = {t.path[:-1]: t for t in aliases}
    found = tuple(replace(s, table=by_base[s.table.path]) for s in mark.senses if s.table.path in by_base)
    return replace(mark, senses=found) if found else mark


def _kept(mark: Mark, bases: set[tuple[str, ...]]) -> Mark:
    """Return a mark of a table or value with only the senses in one of these tables, if it has any there."""
    if mark.kind not in ("table", "value"):
        return mark
    found = tuple(s for s in mark.senses if s.table.path in bases and not is_second(s.table))
    return replace(mark, senses=found) if found else mark


RULES: tuple[Rule, ...] = (
    lead_others,
    compare_roles,
    direct,
)
