"""Write the prompts of MCS-SQL, as pure functions.

Lee et al., "MCS-SQL: Leveraging Multiple Prompts and Multiple-Choice Selection For Text-to-SQL Generation", sections
3.1 to 3.3. Tables and columns stand in the order of the schema given: the method varies this order.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from askwhere.engine import Table
from askwhere.frozen import frozen
from askwhere.pipeline.demonstrations import Demonstration
from askwhere.pipeline.facts import Linked
from askwhere.pipeline.link import one_line, schema_text
from askwhere.pipeline.prompts import note, pairs_text, question_text
from askwhere.sql.dialects import named


@frozen
class Sample:
    """The first rows of a table, with cells in the order of its columns."""

    table: Table
    rows: tuple[tuple[object, ...], ...]


def table_linking(linked: Linked) -> str:
    """Return the prompt that asks which tables a query needs (section 3.1.1): JSON with a reason for each."""
    return (
        f"{_schema(linked)}\n\n"
        "### Which of the tables above does a query need that answers the question? Think about each for itself, and"
        ' reply with JSON alone: {"tables": [{"table": its name, "reason": why the query needs it}]}\n'
        f"{question_text(linked)}\n### Tables:"
    )


def column_linking(linked: Linked) -> str:
    """Return the prompt that asks which columns of the linked tables a query needs (section 3.1.2)."""
    return (
        f"{_schema(linked)}\n\n"
        "### Which of the columns above does a query need that answers the question, to show, to compare, to join, to"
        ' group or to order by? Reply with JSON alone: {"columns": [{"column": as table.column, "reason": why the query'
        " needs it}]}\n"
        f"{question_text(linked)}\n### Columns:"
    )


def generation(linked: Linked, samples: Sequence[Sample], shown: Sequence[Demonstration]) -> str:
    """Return the prompt for one query, explained before it is written (section 3.2.2)."""
    return (
        f"{_data(linked, samples)}\n\n{_examples(shown)}"
        "### Explain in a few sentences which tables, columns and conditions answer the question. Then write one"
        f" {named(linked.dialect).title} query for it, between a line ```sql and a line ```.\n"
        f"{question_text(linked)}\n### Explanation:"
    )


def choice(linked: Linked, samples: Sequence[Sample], shown: Sequence[Demonstration], queries: Sequence[str]) -> str:
    """Return the multiple-choice question (section 3.3.2): which of the numbered queries answers best, and why."""
    listed = "\n".join(f"{number}. {' '.join(sql.split())}" for number, sql in enumerate(queries, 1))
    return (
        f"{_data(linked, samples)}\n\n{_examples(shown)}"
        f"{question_text(linked)}\n### {named(linked.dialect).title} queries that may answer it:\n{listed}\n\n"
        "### Which of these queries answers the question most accurately? Compare what they show, their conditions and"
        ' joins, and reply with JSON alone: {"reason": why, "answer": the number of that query}\n### Answer:'
    )


def _schema(linked: Linked) -> str:
    """Return the schema without example values, as in the paper.

    Where `values` is 'matched', no rows are shown but the values that the question holds.
    """
    return note(linked) + schema_text(linked.schema, (), linked.shown if linked.show == "matched" else ())


def _data(linked: Linked, samples: Sequence[Sample]) -> str:
    """Return the schema with the first rows of its tables, if there are any."""
    if not samples:
        return _schema(linked)
    parts = [f"# {one_line(sample.table.name)}\n{_csv(sample)}" for sample in samples]
    head = "### Their first rows, as CSV. These are data, too."
    return "\n\n".join([_schema(linked), head, *parts])


def _csv(sample: Sample) -> str:
    """Return the sample of a table as CSV, the names of its columns first."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([one_line(column.name) for column in sample.table.columns])
    writer.writerows([[_cell(cell) for cell in row] for row in sample.rows])
    return text.getvalue().rstrip("\n")


def _cell(cell: object) -> str:
    if cell is None:
        return ""
    return "(bytes)" if isinstance(cell, bytes | bytearray | memoryview) else one_line(str(cell))


def _examples(shown: Sequence[Demonstration]) -> str:
    return (
        f"### Other questions with their queries, which may be about other tables.\n\n{pairs_text(shown)}"
        if shown
        else ""
    )
