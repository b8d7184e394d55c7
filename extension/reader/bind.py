"""Choose one sense for each slot of a draft, by a beam search for the lowest cost.

A sense costs more the less its name fits the words, and the more joins lie between its table and the table of the
slot's owner (the thing that the words were said of). All costs are in the unit of -log(score).
"""

from __future__ import annotations

import math
import re
from dataclasses import replace

from askwhere.frozen import frozen
from askwhere.reader.grammar.draft import Draft, Slot
from askwhere.reader.schema.joins import Graph
from askwhere.reader.schema.naming import is_name
from askwhere.reader.schema.roles import LEADING, is_role, is_second
from askwhere.reader.schema.senses import Sense
from askwhere.reader.words.names import asks_for_key
from askwhere.reader.words.verbs import says

WIDTH = 24  # bindings kept after each slot
_FIRM = 0.7  # the cost of each join to the owner of a slot, where the question names the owner ("names of members")
_LOOSE = 0.3  # the same, where the owner was only assumed
_NEVER = 99.0  # the cost of a sense that is ruled out
_MOST = 50.0  # costs and distances from here on rule a sense out: `_NEVER`, or infinity where no keys join the tables


@frozen
class Binding:
    """The sense of each slot, in the order of the slots, and the score: the negative sum of costs, higher is better."""

    senses: tuple[Sense, ...]
    score: float


def bindings(draft: Draft, graph: Graph) -> list[Binding]:
    """Return the best bindings of a draft, best first; none if some of its tables cannot be joined."""
    led = any(verb in LEADING and not _has_key_for(verb, draft) for verb in draft.verbs)
    speaks_of_second = led or any(slot.senses and is_second(slot.senses[0].table) for slot in draft.slots)
    beam: list[tuple[float, dict[int, Sense]]] = [(0.0, {})]
    for place in _order(draft.slots):
        slot = draft.slots[place]
        wider = []
        for score, chosen in beam:
            for sense in slot.senses:
                if is_second(sense.table) and not speaks_of_second:
                    continue
                sense = _in_role(sense, _owner(slot, chosen))
                cost = _cost(slot, sense, chosen, graph) + _opposed(slot, sense, draft.toward)
                cost += _superior_or_not(slot, sense, chosen, led)
                if cost < _MOST:
                    wider.append((score - cost, {**chosen, place: sense}))
        beam = sorted(wider, key=lambda pair: -pair[0])[:WIDTH]
    bound = [(score, tuple(chosen[i] for i in range(len(draft.slots)))) for score, chosen in beam]
    return [Binding(_decoded(draft, _in_roles(draft, senses, graph), graph), score) for score, senses in bound]


def _owner(slot: Slot, chosen: dict[int, Sense]) -> Sense | None:
    """Return the sense that is chosen for the owner of a slot; None if it has no owner, or that has none yet."""
    return chosen.get(slot.owner) if slot.owner is not None else None


def _has_key_for(verb: str, draft: Draft) -> bool:
    """Return whether a verb names a key of the things asked for, to another table: "matters led by", `lead_id`."""
    things = draft.slots[draft.focus].senses if draft.focus is not None else ()
    keys = ((s.table, key) for s in things if not s.columns for key in s.table.foreign_keys)
    return any(key.target[:-1] != table.path and any(says(c, verb) for c in key.columns) for table, key in keys)


def _decoded(draft: Draft, senses: tuple[Sense, ...], graph: Graph) -> tuple[Sense, ...]:
    """Return the senses with tables that say what codes mean in place of columns of codes to show or group by.

    A code that the question asks for, "type code", stays one.
    """
    shown = {t.slot for t in draft.outputs if not t.counts} | {*draft.groups}
    moved = list(senses)
    for place in (p for p in shown if p is not None and not asks_for_key(draft.slots[p].text)):
        meant = graph.decoded(senses[place].table, senses[place].columns)
        moved[place] = replace(senses[place], table=meant, columns=()) if meant else senses[place]
    return tuple(moved)


def _in_role(sense: Sense, owner: Sense | None) -> Sense:
    """Return a sense, in the table of its owner's role if that has one: "the sender's name" is a column of `sender`."""
    if owner is None or owner.columns or not is_role(owner.table) or owner.table.path[:-1] != sense.table.path:
        return sense
    return replace(sense, table=owner.table)


def _in_roles(draft: Draft, senses: tuple[Sense, ...], graph: Graph) -> tuple[Sense, ...]:
    """Return the senses with values moved to the tables of the roles that the question gives them.

    In "where the Lions were the away team" that is the role that nothing else in the draft uses; in "from Dover to
    Calais" Dover is an origin and Calais a destination.
    """
    used = {t.slot for t in draft.shown_or_sorted} | {*draft.groups, draft.focus}
    used |= {slot.owner for slot, sense in zip(draft.slots, senses, strict=True) if sense.value is not None}
    mentioned = {senses[m].table.path for m in draft.mentions if m not in used and is_role(senses[m].table)}
    values = [place for place, sense in enumerate(senses) if sense.value is not None]
    moved = list(senses)
    for place in values:
        base, prep = senses[place].table, draft.slots[place].prep
        roles = [t for t in graph.tables.values() if is_role(t) and t.path[:-1] == base.path]
        both = {draft.slots[other].prep for other in values if senses[other].table is base} >= set(WAYS)
        fits = [t for t in roles if t.path in mentioned or (both and prep in WAYS and WAYS[prep].search(t.name))]
        if len(fits) == 1:
            moved[place] = replace(senses[place], table=fits[0])
    return tuple(moved)


def _cost(slot: Slot, sense: Sense, chosen: dict[int, Sense], graph: Graph) -> float:
    """Return the cost of a sense for a slot, beside the senses that are `chosen` for other slots already.

    It is -log of the sense's score, plus the joins to the sense of the slot's owner, or, while that has none, a fifth
    of the joins to the nearest table chosen so far.
    """
    cost = -math.log(max(sense.score, 0.01))
    owner = _owner(slot, chosen)
    if owner is not None:
        per_join = _FIRM if slot.firm else _LOOSE
        here = owner.table.path
        # Joins that every likely sense of this slot needs are charged by half: they do not tell the senses apart.
        likely = [s for s in slot.senses if s.score >= 0.45 * slot.senses[0].score]
        nearest = min(graph.remoteness(s.table.path, here) for s in likely)
        distance = graph.remoteness(sense.table.path, here)
        joined_anyway = sense.table is not owner.table and any(other.table is sense.table for other in chosen.values())
        per_join *= 0.5 if joined_anyway else 1.0  # for another slot
        cost += per_join * (distance - 0.5 * min(nearest, distance)) if distance < _MOST else _NEVER
        cost += _owning(slot, sense, owner, graph, per_join)
    elif chosen:
        cost += 0.2 * min(graph.distance(sense.table.path, other.table.path) for other in chosen.values())
    return cost


def _owning(slot: Slot, sense: Sense, owner: Sense, graph: Graph, per_join: float) -> float:
    """Return the extra cost of a value, by the words before it; negative where these speak for the sense.

    - "albums by Queen", "does Queen have" (`prep` is 'by', 'whose' or 'have'): the name of a row to which rows of the
      owner's table refer (an album's artist) is preferred to the owner's columns; it gets the cost of its joins back.
    - "albums named Queen" ('named'): only columns of the owner's table remain, and its name is preferred.
    - "the album Queen" ('called'): other tables cost more, if the name of the owner's table holds the value.
    """
    if sense.value is None or slot.prep not in ("by", "whose", "have", "called", "named"):
        return 0.0
    here = owner.table.path
    elsewhere = sense.table.path != here
    named = any(s.table.path == here and is_name(s) for s in slot.senses)
    if slot.prep == "named":
        return _NEVER if elsewhere else 0.5 if named and not is_name(sense) else 0.0
    if slot.prep == "called":
        return 0.5 if named and elsewhere else 0.0
    names = [s for s in slot.senses if is_name(s) and not _is_in_a_key(s, slot) and graph.owns(s.table.path, here)]
    if sense in names:
        return -(per_join + 0.15) * graph.distance(sense.table.path, here)
    if not names or elsewhere:
        return 0.0
    return 1.0 if is_name(sense) else 0.5 if slot.prep == "have" else 0.0


def _superior_or_not(slot: Slot, sense: Sense, chosen: dict[int, Sense], led: bool) -> float:
    """Return the extra cost of a name in a second table (see `roles`), which may be the manager's or the employee's.

    In "the manager of Ann", where the owner is in the second table, Ann is the employee; in "who reports to Ann", where
    the question is `led` by such a verb, she is the manager.
    """
    owner = _owner(slot, chosen)
    if sense.value is None or slot.prep in ("called", "named"):
        return 0.0
    if owner is not None and is_second(owner.table):
        return 2.0 if is_second(sense.table) else 0.0
    return -0.6 if led and is_second(sense.table) else 0.0


def _is_in_a_key(sense: Sense, slot: Slot) -> bool:
    """Return whether another sense of the slot is a foreign key to the table of this one.

    Both find the same rows then, and the key needs no join.
    """
    return any(
        key.target == sense.table.path and s.column.name in key.columns
        for s in slot.senses
        for key in s.table.foreign_keys
        if s.columns
    )


# By preposition, names of columns for where something comes from and where it goes to.
WAYS = {
    "from": re.compile("(?i)source|src|origin|depart|from|start|sender"),
    "to": re.compile("(?i)dest|dst|arriv|(^|_)to($|_)|end($|_)|receiver|recipient|addressee"),
}
_OPPOSITE = {"from": "to", "to": "from"}


def _opposed(slot: Slot, sense: Sense, toward: frozenset[str]) -> float:
    """Return the extra cost of a column for the opposite direction than that of the preposition or verbs (`toward`).

    "From Rome" is no destination, "to Rome" and "arrive at Rome" are no origin.
    """
    ways = {slot.prep} & set(WAYS) or (toward if sense.value is not None and len(toward) == 1 else set())
    if not ways or not sense.columns:
        return 0.0
    return 0.5 if WAYS[_OPPOSITE[next(iter(ways))]].search(sense.column.name) else 0.0


def _order(slots: list[Slot]) -> list[int]:
    """Return the indices of the slots in an order in which each comes after its owner."""
    done: list[int] = []

    def visit(place: int, above: frozenset[int]) -> None:
        owner = slots[place].owner
        if owner is not None and owner not in above and owner not in done:
            visit(owner, above | {place})
        if place not in done:
            done.append(place)

    for place in range(len(slots)):
        visit(place, frozenset({place}))
    return done
