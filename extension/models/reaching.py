"""Tell whether the server of the model that is set takes connections."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit

from askwhere.models import faults
from askwhere.models.address import PORTS, checked, proxy
from askwhere.models.named import OLLAMA, ollama_address
from askwhere.models.openai import BASE_URL
from askwhere.settings import Settings

SECONDS = 3.0  # for a connection; looking up a host's name takes as long as the system allows


def server(settings: Settings) -> tuple[str, str] | None:
    """Return the address of the server that has the model of the setting `model`, and the name of what gives it.

    It is None for another kind of model. Raise `ModelError` for an invalid address.
    """
    kind, _, _ = str(settings["model"]).partition(":")
    if kind == "ollama":
        return ollama_address(), OLLAMA
    if kind != "openai":
        return None
    address = str(settings["base_url"] or BASE_URL)
    checked(address, urlsplit(address).hostname in settings["allowed_hosts"])
    return address, "base_url"


def unreached(address: str, place: str, seconds: float = SECONDS) -> str:
    """Return why the server at `address`, or the proxy for it, takes no connection; '' where it does.

    `place` is the name of what gives the address. Nothing is sent.
    """
    parts = urlsplit(proxy(address) or address)
    try:
        socket.create_connection((parts.hostname or "", parts.port or PORTS.get(parts.scheme, 80)), seconds).close()
    except OSError as exc:
        return faults.no_reply(exc).fault.replace("base_url", place)
    return ""
