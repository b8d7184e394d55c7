"""Define `ask_schema`: the schema as a prompt shows it, with values that match a question."""

from __future__ import annotations

from askwhere.engine import Engine
from askwhere.session import Question, Session
from askwhere.udfs.function import FOLLOWS, Argument, Function


def call(session: Session, engine: Engine, question: Question | None) -> str:
    """Return the schema text. With a question it is what a prompt shows: values, and only part of a large schema.

    Without a question, comments at its end name what is left out of the schema, and why.
    """
    from askwhere.pipeline.link import schema_text, without_labels  # takes time to load

    if question is None:
        catalog = without_labels(session.catalog(engine))
        return "\n".join([schema_text(catalog), *(f"-- {note}" for note in (*catalog.notes, *catalog.left_out))])
    linked = session.shown(engine, question)
    return schema_text(linked.schema, linked.examples, linked.shown)


FUNCTION = Function(
    "ask_schema",
    "scalar",
    (Argument("question"), FOLLOWS),
    call,
    "the schema as a model sees it, with the values that the question mentions",
    examples=("SELECT ask_schema('rivers in Brazil')",),
)
