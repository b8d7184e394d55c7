"""Take passwords out of texts that are shown or kept: an engine's error may hold a connection string."""

from __future__ import annotations

import re

HIDDEN = "…"
# A password in KEY=VALUE pairs, its value in quotes or not, and one in a URI, before the host.
_VALUE = r"""('(?:[^'\\]|\\.|'')*'?|\\?"(?:[^"\\]|\\.)*"?|[^\s;"'&,)]+)"""
_PAIR = re.compile(rf"(\b(?:ssl)?passw(?:or)?d\s*=\s*){_VALUE}", re.IGNORECASE)
_URI = re.compile(r"(\b[a-z][\w+.-]*://[^\s:/@]*:)[^\s@]+(?=@)", re.IGNORECASE)


def hidden(text: str) -> str:
    """Return a text with its passwords replaced.

    >>> hidden("cannot connect to host=db password='s 3' user=ann, nor to postgres://ann:s3@db/crm")
    'cannot connect to host=db password=… user=ann, nor to postgres://ann:…@db/crm'
    """
    return _URI.sub(rf"\1{HIDDEN}", _PAIR.sub(rf"\1{HIDDEN}", text))
