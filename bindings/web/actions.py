"""Turn the advice in an answer's errors and notes into words and buttons of the page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from askwhere.bindings.advice import declarations, for_page, index_label, indexings, questions, synonyms
from askwhere.pages.web import Action, Shown


def advised(shown: Shown, write: bool) -> Shown:
    """Return an answer with texts worded for the page, and buttons for the actions that they advise.

    Buttons that change the database are there if it may `write`.
    """
    return replace(
        shown,
        error=for_page(shown.error, write),
        notes=tuple(for_page(note, write) for note in shown.notes),
        remarks=tuple(tuple(for_page(note, write) for note in notes) for notes in shown.remarks),
        steps=tuple((step, for_page(detail, write), *rest) for step, detail, *rest in shown.steps),
        actions=tuple(dict.fromkeys(_actions(shown.number, (shown.error, *shown.notes), write))),
    )


def _actions(number: int, texts: Sequence[str], write: bool) -> Iterator[Action]:
    for question in (one for text in texts for one in questions(text)):
        yield Action(f"Ask “{question}”", "/ask", (("question", question),))
    yield from _writing(number, texts) if write else ()


def _writing(number: int, texts: Sequence[str]) -> Iterator[Action]:
    for one in (one for text in texts for one in synonyms(text)):
        fields = (("table", one.table), ("column", one.column or ""), ("word", one.word))
        yield Action(f"Make “{one.word}” a word for {one.thing[-1]}", f"/synonym/{number}", fields)
    for key, other in (pair for text in texts for pair in declarations(text)):
        yield Action(f"Declare that {key} refers to {other}", f"/key/{number}", (("key", key), ("refers_to", other)))
    for drop in (drop for text in texts for drop in indexings(text)):
        yield Action(index_label(drop), f"/index/{number}", (("drop", "yes"),) if drop else ())
