"""`ask_schema`: the schema as a model would be shown it, with values that match a question."""

from __future__ import annotations

from askwhere.engine import Engine
from askwhere.pipeline.link import schema_text, without_labels
from askwhere.session import Question, Session
from askwhere.udfs.function import Argument, Function


def call(session: Session, engine: Engine, question: str | None) -> str:
    """The schema text; with a question, as a prompt for it shows it: with values, and of a large schema a part.

    Without one, comments at its end say what is left out of it, and why.
    """
    if not question:
        catalog = without_labels(session.catalog(engine))
        return "\n".join([schema_text(catalog), *(f"-- {said}" for said in (*catalog.notes, *catalog.left_out))])
    linked = session.shown(engine, Question(question))
    return schema_text(linked.schema, linked.examples, linked.shown)


FUNCTION = Function(
    "ask_schema",
    "scalar",
    (Argument("question"),),
    call,
    "the schema text, with the values a question mentions",
    examples=("SELECT ask_schema('rivers in Brazil')",),
)
