"""Translate errors of the package `huggingface_hub` into a sentence with the cause and the remedy."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from askwhere.errors import ModelError, causes
from askwhere.known_models import Source
from askwhere.models import files

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@contextmanager
def translated(source: Source, hub: Any) -> Iterator[None]:
    """Raise any error of the hub as a `ModelError` of one sentence."""
    try:
        yield
    except ModelError:
        raise
    except Exception as exc:
        raise ModelError(f"{source.name} could not be downloaded: {_reason(exc, source, hub)}") from exc


def _reason(error: Exception, source: Source, hub: Any) -> str:
    """Return why the hub could not be used, and what to do."""
    host, errors = hub.constants.ENDPOINT, hub.errors
    for cause in causes(error):
        if isinstance(cause, errors.OfflineModeIsEnabled):
            return "HF_HUB_OFFLINE is set, which forbids it"
        if isinstance(cause, errors.GatedRepoError):
            page = f"{host}/{source.repository}"
            return f"its terms must be accepted first: at {page}, then set HF_TOKEN to your token"
        if isinstance(cause, errors.HfHubHTTPError):
            return _by_status(cause.response.status_code, source, host)
        if isinstance(cause, OSError) and cause.errno in _FULL:
            return f"the disk of {files.cache_folder()} is full; make room, or set HF_HUB_CACHE to a folder elsewhere"
        if isinstance(cause, PermissionError) and cause.filename:
            return f"{cause.filename} may not be written; set HF_HUB_CACHE to a folder that may"
        if _name(cause) in ("ConnectError", "ConnectTimeout", "ProxyError"):
            return f"nothing answers at {host}; is there a network? HF_ENDPOINT may name a mirror"
        if _name(cause) in ("ReadError", "ReadTimeout", "RemoteProtocolError"):
            return f"the connection to {host} failed repeatedly; try again later: the download continues from there"
        if "Consistency check failed" in str(cause):
            return f"less arrived than {host} states, or more; try again"
        if isinstance(cause, errors.FileMetadataError | RecursionError):  # of JSON that is nested too deeply
            return f"{host} does not answer as the hub does; is HF_ENDPOINT right?"
    return f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"


def _by_status(status: int, source: Source, host: str) -> str:
    """Return the fault that a status of the hub states, and what to do."""
    if status in (401, 403, 404):
        return {
            401: f"{host} refuses it (401): there is no {source.repository}, or it is private; then set HF_TOKEN",
            403: f"{host} does not let this token have it (403); set HF_TOKEN to another",
            404: f"{host} has no {source.repository}, or no such file in it (404); is it spelt as on the hub?",
        }[status]
    return f"{host} failed ({status}); try again later"


def _name(error: BaseException) -> str:
    """Return the class name of an error of the HTTP client, httpx or its successor; '' for other errors."""
    return type(error).__name__ if type(error).__module__.startswith("httpx") else ""
