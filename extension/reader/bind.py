"""One sense for every slot of a draft: the choices that fit the words best and lie closest together."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from askwhere.reader.draft import Draft, Slot
from askwhere.reader.joins import Graph
from askwhere.reader.lexicon import Sense

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
    beam: list[tuple[float, dict[int, Sense]]] = [(0.0, {})]
    for place in _order(draft.slots):
        slot = draft.slots[place]
        wider = []
        for score, chosen in beam:
            for sense in slot.senses:
                cost = _cost(slot, sense, chosen, graph)
                if cost < 50:
                    wider.append((score - cost, {**chosen, place: sense}))
        beam = sorted(wider, key=lambda pair: -pair[0])[:WIDTH]
    return [Binding(tuple(chosen[i] for i in range(len(draft.slots))), score) for score, chosen in beam]


def _cost(slot: Slot, sense: Sense, chosen: dict[int, Sense], graph: Graph) -> float:
    cost = -math.log(max(sense.score, 0.01)) + _against(slot, sense)
    owner = chosen.get(slot.owner) if slot.owner is not None else None
    if owner is not None:
        each = _FIRM if slot.firm else _LOOSE
        here = owner.table.path
        # A way that every sense must go says less against this one.
        nearest = min(graph.distance(s.table.path, here) for s in slot.senses if s.score >= 0.45 * slot.senses[0].score)
        distance = graph.distance(sense.table.path, here)
        cost += each * (distance - 0.5 * min(nearest, distance)) if distance < 50 else 99.0
    elif chosen:
        cost += 0.2 * min(graph.distance(sense.table.path, other.table.path) for other in chosen.values())
    return cost


WAYS = {
    "from": re.compile("(?i)source|src|origin|depart|from|start"),
    "to": re.compile("(?i)dest|arriv|(^|_)to($|_)|end"),
}
_OPPOSITE = {"from": "to", "to": "from"}


def _against(slot: Slot, sense: Sense) -> float:
    """What it costs to read "from Rome" as a destination, or "to Rome" as an origin."""
    if slot.prep not in WAYS or not sense.columns:
        return 0.0
    return 0.5 if WAYS[_OPPOSITE[slot.prep]].search(sense.column.name) else 0.0


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
