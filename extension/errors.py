"""Define all errors of askwhere as one tree, so that a caller can catch as many or as few as it wants.

AskError                something the user can act on; every other error here is one
├── SettingError        a setting has an unknown name or a value that does not fit
├── ArgumentError       a SQL function was called with a wrong argument
├── DatabaseError       the database is not one that can be asked, or could not be read
│   └── Busy            another connection is changing the same tables, or holds a lock
├── Unread              the built-in reader could not place every word of the question
├── Ambiguous           several readings fit about equally well; `choose` settles it
├── Stale               the tables that a pinned query reads have changed
├── OutOfBudget         a question reached max_calls, max_tokens or max_seconds
├── ModelError          the model failed, refused, or replied with something that is no SQL
└── QueryError          a generated query cannot be used
    ├── Refused         the guard refused it: it does more than read the tables it was granted
    └── TooMuch         it ran into a limit on time, rows or memory
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator


class AskError(Exception):
    """The base of all errors; its text says what was expected, what was found and what to do.

    Catch it to catch them all.
    """


class SettingError(AskError):
    """A setting has an unknown name, or a value that does not fit.

    Take the name or the value that the text suggests; `ask_settings()` lists them all.
    """


class ArgumentError(AskError):
    """A SQL function was called with a wrong argument, or a question fits several pins.

    Call it as the text shows; put a value in quotes where it could end in several places.
    """


class DatabaseError(AskError):
    """The database is not one that can be asked, or could not be read.

    Name a SQLite or DuckDB file that this process may read.
    """


class Busy(DatabaseError):
    """Another connection is changing the same tables, or holds a lock; it may be free a moment later.

    Try again. Changes of askwhere's own tables have waited ten seconds by then.
    """


class Unread(AskError):
    """The reader could not place every word; `reason` says so, `words` are those, `questions` near ones that it reads.

    Ask one of them, do what else the text suggests, or set a model.
    """

    def __init__(
        self, message: str, reason: str = "", words: tuple[str, ...] = (), questions: tuple[str, ...] = ()
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.words = words
        self.questions = questions


class Ambiguous(AskError):
    """Several readings fit about equally well; `readings` are their SQL texts, best first.

    Look at them with `ask_candidates`, and ask again with `choose`, the rank of the one you mean; it holds for the
    connection.
    """

    def __init__(self, message: str, readings: tuple[str, ...]) -> None:
        super().__init__(message)
        self.readings = readings


class Stale(AskError):
    """The tables that a pinned query reads have changed since it was pinned; the setting `stale_pins` decides.

    Pin the question again, remove the pin with `ask_unpin`, or set `stale_pins`.
    """


class OutOfBudget(AskError):
    """A question reached one of its limits on calls, tokens or seconds; the text says which, and what was spent.

    Raise `max_calls`, `max_tokens` or `max_seconds`, or ask with more effort.
    """


class ModelError(AskError):
    """The model failed, refused, or replied with something that is no SQL; `reply` is its text.

    The text names the cause: an address, a key, a package to install, a file. `ask_trace` has the prompt and reply.
    """

    def __init__(self, message: str, reply: str = "") -> None:
        super().__init__(message)
        self.reply = reply


class QueryError(AskError):
    """A generated query cannot be used; `sql` is its text.

    Ask in other words, give a `hint`, or pin the query that you mean.
    """

    def __init__(self, message: str, sql: str = "") -> None:
        super().__init__(message)
        self.sql = sql


class Refused(QueryError):
    """The guard refused a query: it does more than read the tables it was granted.

    If the query is right, grant what it needs: `include_tables`, `allow_functions`.
    """


class TooMuch(QueryError):
    """A query ran into a limit on time, rows or memory; with `outside`, something else ended its process.

    Ask for less, or raise `query_timeout` or `max_rows`.
    """

    def __init__(self, message: str, sql: str = "", outside: bool = False) -> None:
        super().__init__(message, sql)
        self.outside = outside


SHOWN = 200  # characters of a value that an error repeats


def shown(value: object) -> str:
    """Return a value as an error repeats it, on one line and shortened.

    >>> shown("fast")
    "'fast'"
    """
    try:
        text = repr(value)
    except ValueError:  # Python writes no number of more than 4,300 digits
        return "a number of thousands of digits"
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def nearest(text: str, known: Iterable[str], least: float = 0.6) -> str:
    """Return the known name that is nearest to a text, ignoring case; '' if none has the similarity `least` (0 to 1).

    >>> nearest("Modl", ["model", "effort"])
    'model'
    """
    import difflib  # only an error needs it

    names = {name.lower(): name for name in known}
    return next((names[near] for near in difflib.get_close_matches(text.lower()[:100], names, 1, least)), "")


def suggestion(text: str, known: Iterable[str], least: float = 0.6) -> str:
    """Return the end of an error about an unknown name: the nearest known name, as a question; '' if none is near.

    >>> suggestion("Modl", ["model", "effort"])
    "; did you mean 'model'?"
    """
    near = nearest(text, known, least)
    return f"; did you mean {near!r}?" if near else ""


def causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an exception, its cause, the cause of that, and so on."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
