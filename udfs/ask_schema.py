"""Define `ask_schema`: the schema as a prompt shows it, with values that match a question."""

from __future__ import annotations

from askwhere.engine import Engine
from askwhere.pipeline.link import schema_text, without_labels
from askwhere.session import Question, Session
from askwhere.udfs.function import Argument, Function


def call(session: Session, engine: Engine, question: str | None) -> str:
    """Return the schema text. With a question it is what a prompt shows: values, and only part of a large schema.

    Without a question, comments at its end name what is left out of the schema, and why.
    """
    if not question:
        catalog = without_labels(session.catalog(engine))
        return "\n".join([schema_text(catalog), *(f"-- {note}" for note in (*catalog.notes, *catalog.left_out))])
    linked = session.shown(engine, Question(question))
    return schema_text(linked.schema, linked.examples, linked.shown)


FUNCTION = Function(
    "ask_schema",
    "scalar",
    (Argument("question"),),
    call,
    "the schema as a model sees it, with the values that the question mentions",
    examples=("SELECT ask_schema('rivers in Brazil')",),
)
