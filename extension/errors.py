"""Every way askwhere can fail, as one tree, so that a caller can catch as much or as little as it wants.

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


class AskError(Exception):
    """The base of all errors; its text says what was expected, what was found and what to do."""


class SettingError(AskError):
    """A setting has an unknown name, or a value that does not fit."""


class ArgumentError(AskError):
    """A SQL function was called with a wrong argument."""


class DatabaseError(AskError):
    """The database is not one that can be asked, or could not be read."""


class Busy(DatabaseError):
    """Another connection is changing the same tables, or holds a lock; it may be free a moment later."""


class Unread(AskError):
    """The reader could not place every word; `words` are those, `near` the closest names it knows."""

    def __init__(self, message: str, words: tuple[str, ...] = (), near: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.words = words
        self.near = near


class Ambiguous(AskError):
    """Several readings fit about equally well; `readings` are their SQL texts, best first."""

    def __init__(self, message: str, readings: tuple[str, ...]) -> None:
        super().__init__(message)
        self.readings = readings


class Stale(AskError):
    """The tables that a pinned query reads have changed since it was pinned; the setting `stale_pins` decides."""


class OutOfBudget(AskError):
    """A question reached one of its limits on calls, tokens or seconds; the text says which, and what was spent."""


class ModelError(AskError):
    """The model failed, refused, or replied with something that is no SQL; `reply` is its text."""

    def __init__(self, message: str, reply: str = "") -> None:
        super().__init__(message)
        self.reply = reply


class QueryError(AskError):
    """A generated query cannot be used; `sql` is its text."""

    def __init__(self, message: str, sql: str = "") -> None:
        super().__init__(message)
        self.sql = sql


class Refused(QueryError):
    """The guard refused a query: it does more than read the tables it was granted."""


class TooMuch(QueryError):
    """A query ran into a limit on time, rows or memory."""
