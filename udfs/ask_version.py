"""Define `ask_version`: the version of askwhere."""

from __future__ import annotations

from askwhere.engine import Engine
from askwhere.session import Session
from askwhere.udfs.function import Function
from askwhere.version import __version__


def call(session: Session, engine: Engine) -> str:
    """Return the version, which is `askwhere.__version__`."""
    return __version__


FUNCTION = Function("ask_version", "scalar", (), call, "the version of askwhere", examples=("SELECT ask_version()",))
