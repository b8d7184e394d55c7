"""Describe a SQL function without an engine, and bind the values of a call to its arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from askwhere.errors import ArgumentError, suggestion
from askwhere.frozen import frozen
from askwhere.session import Question, chain


@frozen
class Argument:
    """An argument. `kind` is 'text', 'number' or 'any'; `absent` is the value where a call leaves it out."""

    name: str
    kind: str = "text"
    required: bool = False
    absent: str | None = None


@frozen
class Function:
    """A SQL function. What `call(session, engine, **arguments)` returns depends on `kind`.

    - 'answer': the SQL whose rows are the table;
    - 'table': an iterator over rows, whose `columns` are (name, SQL type);
    - 'scalar': one value.

    A function with `changes` must not be called from views or triggers. One that is `volatile` must not be called by an
    engine while it plans a statement, as a failed attempt may have cost calls of a model. `examples` are statements on
    the sample database, to be run in order in either engine.
    """

    name: str
    kind: str
    arguments: tuple[Argument, ...]
    call: Callable[..., Any]
    summary: str
    columns: tuple[tuple[str, str], ...] = ()
    changes: bool = False
    volatile: bool = False
    examples: tuple[str, ...] = ()

    @property
    def signature(self) -> str:
        """Return the call as documentation shows it: `ask(question, [model])`."""
        shown = (a.name if a.required else f"[{a.name}]" for a in self.arguments)
        return f"{self.name}({', '.join(shown)})"

    @property
    def use(self) -> str:
        """Return what the function is, and a statement that calls it."""
        texts = ", ".join("'…'" for argument in self.arguments if argument.required)
        call = f"{self.name}({texts})"
        if self.kind == "scalar":
            return f"{self.name}() is a value: SELECT {call}"
        return f"{self.name}() is a table: SELECT * FROM {call}"


FOLLOWS = Argument("follows")
ASKED = (Argument("question", required=True), FOLLOWS)
QUESTION = (
    ASKED[0], Argument("model"), Argument("effort"), Argument("hint"), Argument("choose", "number"), FOLLOWS
)  # fmt: skip
_OF_QUESTION = frozenset(argument.name for argument in QUESTION)


def columns(declared: str) -> tuple[tuple[str, str], ...]:
    """Return the names and SQL types of the columns that a text declares.

    >>> columns("name TEXT, ms DOUBLE")
    (('name', 'TEXT'), ('ms', 'DOUBLE'))
    """
    return tuple((name, type_) for name, type_ in (column.split() for column in declared.split(", ")))


def bind(function: Function, values: Sequence[Any], named: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the arguments of a call by name, from its positional and named values.

    A question and its options are one argument `question`: a `Question`, or None where the call has no question. Raise
    `ArgumentError` as `placed` does, for missing arguments, and for a value of another kind.
    """
    given = placed(function, values, named)
    bound = {a.name: _checked(function, a, given.get(a.name, a.absent)) for a in function.arguments}
    if "question" not in bound:
        return bound
    options = {name: bound.pop(name) for name in _OF_QUESTION & bound.keys()}
    return {"question": _question(**options) if options["question"] else None, **bound}


def placed(function: Function, values: Sequence[Any], named: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the values that a call gives, by the name of the argument.

    `named` values may have the prefix `ask_`, as SQLite's hidden columns have. Raise `ArgumentError` for too many,
    unknown or repeated arguments.
    """
    if len(values) > len(function.arguments):
        most = len(function.arguments)
        raise ArgumentError(f"{function.signature}: expected at most {most} arguments, found {len(values)}")
    given: dict[str, Any] = {a.name: value for a, value in zip(function.arguments, values, strict=False)}
    for name, value in (named or {}).items():
        name = name.removeprefix("ask_")
        if name not in {a.name for a in function.arguments}:
            hint = suggestion(name, [a.name for a in function.arguments])
            raise ArgumentError(f"{function.signature}: there is no argument {name}{hint}")
        if given.get(name) is not None:
            raise ArgumentError(f"{function.signature}: the argument {name} was given twice")
        given[name] = value
    return given


def _checked(function: Function, argument: Argument, value: Any) -> Any:
    """Return an argument's value. Raise `ArgumentError` for another kind, and for a required one that is empty."""
    if value is None or (argument.required and isinstance(value, str) and not value.strip()):
        if argument.required:
            given = "none or NULL" if value is None else "an empty text"
            raise ArgumentError(f"{function.signature}: {argument.name} must be a text, found {given}")
        return None
    if argument.kind == "number":
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool):
            raise ArgumentError(f"{function.signature}: {argument.name} must be a whole number, found {_shown(value)}")
    elif argument.kind == "text" and not isinstance(value, str):
        raise ArgumentError(f"{function.signature}: {argument.name} must be a text, found {_shown(value)}")
    return value


def _shown(value: Any) -> str:
    """Return a description, for an error, of a value that was not expected."""
    if isinstance(value, str):
        return f"the text {value[:50]!r}"
    if isinstance(value, bytes):
        return "a blob"
    if isinstance(value, bool):
        return f"the truth value {str(value).lower()}"
    return f"the number {value}" if isinstance(value, int | float) else f"a {type(value).__name__}"


def _question(question: str, follows: Any, **options: Any) -> Question:
    """Return a question with its options. Raise `ArgumentError` for `follows` that is no chain."""
    return Question(question, follows=chain(follows), **options)
