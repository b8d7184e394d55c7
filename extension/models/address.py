"""Check where a model server is, and whether prompts may be sent there."""

from __future__ import annotations

from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from askwhere.errors import ModelError
from askwhere.setting_values import LOOPBACK

PORTS = {"http": 80, "https": 443}


def checked(address: str, plain_http: bool = False, place: str = "base_url") -> str:
    """Return the host of `address`, which is the value of `place`.

    Raise `ModelError` where no prompt may be sent there.
    """
    try:
        parts = urlsplit(address)
        host = parts.hostname if parts.scheme in ("http", "https") and parts.port != 0 else None
    except ValueError:
        host = None
    if not host or not address.isprintable() or " " in address or parts.username or parts.password:
        raise ModelError(f"{place}: expected an address such as https://host/v1, without a name or password in it")
    if parts.scheme == "http" and host not in LOOPBACK and not plain_http:
        raise ModelError(f"{place}: {host} needs https: without it, others could read prompts and the key")
    return host


def proxy(address: str) -> str | None:
    """Return the proxy for `address` from the environment or the system; None for this machine."""
    parts = urlsplit(address)
    if parts.hostname in LOOPBACK or proxy_bypass(parts.hostname or ""):
        return None
    known = getproxies()
    proxy = known.get(parts.scheme) or known.get("all")
    return proxy if not proxy or "://" in proxy else f"http://{proxy}"
