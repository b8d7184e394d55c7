"""Find Ollama's server by its own environment variable."""

from __future__ import annotations

import os
from collections.abc import Mapping
from urllib.parse import urlsplit

from askwhere.errors import ModelError

VARIABLE = "OLLAMA_HOST"
PORTS = {"http": 80, "https": 443}  # where the address names its scheme
PORT = 11434


def base_url(environment: Mapping[str, str] | None = None) -> str:
    """Return the address of Ollama's OpenAI-compatible server, by OLLAMA_HOST as Ollama reads it; else on this machine.

    Raises `ModelError` for an invalid address.

    >>> base_url({"OLLAMA_HOST": "gpu.example.com"})
    'http://gpu.example.com:11434/v1'
    """
    given = (os.environ if environment is None else environment).get(VARIABLE, "").strip().strip("\"'")
    scheme, _, rest = given.rpartition("://")
    try:
        parts = urlsplit(f"{scheme or 'http'}://{rest if rest not in ('', '/') else '127.0.0.1'}")
        host, port = parts.hostname or "127.0.0.1", parts.port or PORTS.get(scheme, PORT)
    except ValueError:
        raise ModelError(f"{VARIABLE}: expected an address such as 127.0.0.1:11434") from None
    # An address that means "all interfaces" to a server means this machine to its clients.
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}:{port}{parts.path.rstrip('/')}/v1"
