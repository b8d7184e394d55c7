"""One sense for every slot of a draft: the choices that fit the words best and lie closest together."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from askwhere.reader.draft import Draft, Slot
from askwhere.reader.joins import Graph
from askwhere.reader.lexicon import Sense
from askwhere.reader.naming import name_columns
from askwhere.reader.seconds import LEADING, is_second

WIDTH = 24
_FIRM = 0.7  # what each join costs between a column and what it was plainly said to be of
_LOOSE = 0.3


@dataclass(frozen=True)
class Binding:
    """The sense of each slot, in the order of the slots, and how well they fit."""

    senses: tuple[Sense, ...]
    score: float


def bindings(draft: Draft, graph: Graph) -> list[Binding]:
    """The best bindings, best first; none where the things spoken of are not connected."""
    led = bool(LEADING & set(draft.verbs))
    over = led or any(slot.senses and is_second(slot.senses[0].table) for slot in draft.slots)
    beam: list[tuple[float, dict[int, Sense]]] = [(0.0, {})]
    for place in _order(draft.slots):
        slot = draft.slots[place]
        wider = []
        for score, chosen in beam:
            for sense in slot.senses:
                if is_second(sense.table) and not over:
                    continue
                cost = _cost(slot, sense, chosen, graph) + _against(slot, sense, draft.toward)
                cost += _over(slot, sense, chosen, led)
                if cost < 50:
                    wider.append((score - cost, {**chosen, place: sense}))
        beam = sorted(wider, key=lambda pair: -pair[0])[:WIDTH]
    return [Binding(tuple(chosen[i] for i in range(len(draft.slots))), score) for score, chosen in beam]


def _cost(slot: Slot, sense: Sense, chosen: dict[int, Sense], graph: Graph) -> float:
    cost = -math.log(max(sense.score, 0.01))
    owner = chosen.get(slot.owner) if slot.owner is not None else None
    if owner is not None:
        each = _FIRM if slot.firm else _LOOSE
        here = owner.table.path
        # A way that every sense must go says less against this one.
        nearest = min(graph.distance(s.table.path, here) for s in slot.senses if s.score >= 0.45 * slot.senses[0].score)
        distance = graph.distance(sense.table.path, here)
        spoken = sense.table is not owner.table and any(other.table is sense.table for other in chosen.values())
        each *= 0.5 if spoken else 1.0  # one way there serves all that is said of that table
        cost += each * (distance - 0.5 * min(nearest, distance)) if distance < 50 else 99.0
        cost += _owning(slot, sense, owner, graph, each)
    elif chosen:
        cost += 0.2 * min(graph.distance(sense.table.path, other.table.path) for other in chosen.values())
    return cost


def _owning(slot: Slot, sense: Sense, owner: Sense, graph: Graph, each: float) -> float:
    """What it costs, or saves, that a value is whose the things are: "albums by Queen", "does Queen have".

    The name of one that has such things is as near as a column of the things themselves, and nearer than their name.
    But "the album Queen" is called so itself, if one is.
    """
    if sense.value is None or slot.prep not in ("by", "whose", "have", "called", "named"):
        return 0.0
    here = owner.table.path
    if slot.prep == "named":
        named = any(s.table.path == here and _is_name(s) for s in slot.senses)
        return 99.0 if sense.table.path != here else 0.5 if named and not _is_name(sense) else 0.0
    if slot.prep == "called":
        named = any(s.table.path == here and _is_name(s) for s in slot.senses)
        return 0.5 if named and sense.table.path != here else 0.0
    names = [s for s in slot.senses if _is_name(s) and not _copied(s, slot) and graph.has(s.table.path, here)]
    if sense in names:
        return -(each + 0.15) * graph.distance(sense.table.path, here)
    if not names or sense.table.path != here:
        return 0.0
    return 1.0 if _is_name(sense) else 0.5 if slot.prep == "have" else 0.0


def _over(slot: Slot, sense: Sense, chosen: dict[int, Sense], led: bool) -> float:
    """What it costs that a name is of one who is over others, or is not: "the manager of Ann", "reports to Ann"."""
    owner = chosen.get(slot.owner) if slot.owner is not None else None
    if sense.value is None or slot.prep in ("called", "named"):
        return 0.0
    if owner is not None and is_second(owner.table):
        return 2.0 if is_second(sense.table) else 0.0
    return -0.6 if led and is_second(sense.table) else 0.0


def _is_name(sense: Sense) -> bool:
    """Whether a value is the name of a row."""
    return bool(set(sense.columns) & set(name_columns(sense.table)))


def _copied(sense: Sense, slot: Slot) -> bool:
    """Whether another sense of a slot is a key to this one: both are the same then."""
    return any(
        key.target == sense.table.path and s.column.name in key.columns
        for s in slot.senses
        for key in s.table.foreign_keys
        if s.columns
    )


WAYS = {
    "from": re.compile("(?i)source|src|origin|depart|from|start"),
    "to": re.compile("(?i)dest|dst|arriv|(^|_)to($|_)|end"),
}
_OPPOSITE = {"from": "to", "to": "from"}


def _against(slot: Slot, sense: Sense, toward: frozenset[str]) -> float:
    """What it costs to read "from Rome" as a destination, or "to Rome" and "arrive at Rome" as an origin."""
    ways = {slot.prep} & set(WAYS) or (toward if sense.value is not None and len(toward) == 1 else set())
    if not ways or not sense.columns:
        return 0.0
    return 0.5 if WAYS[_OPPOSITE[next(iter(ways))]].search(sense.column.name) else 0.0


def _order(slots: list[Slot]) -> list[int]:
    """Places of slots, owners before what they own."""
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
