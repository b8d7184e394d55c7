"""Explain what went wrong with a request to a model server, and what to do."""

from __future__ import annotations

import email.utils
import socket
import ssl
import time
from collections.abc import Mapping
from difflib import get_close_matches

from askwhere.api_keys import VARIABLES
from askwhere.errors import causes
from askwhere.frozen import frozen
from askwhere.models.payloads import error_text, one_line
from askwhere.settings import config_path


@frozen
class Reply:
    """The result of one request: a server's reply, or why there is none (`fault`).

    `kind` is the reply's content type, `place` the address that it redirects to, `wait` the seconds that the server
    asks to wait. `again` says whether another try may help; `requests` counts the requests made.
    """

    status: int = 0
    text: str = ""
    kind: str = ""
    place: str = ""
    wait: float | None = None
    fault: str = ""
    again: bool = False
    requests: int = 1

    @property
    def good(self) -> bool:
        """Return whether a server gave a JSON value as its answer."""
        return 200 <= self.status < 300 and (not self.kind or self.kind.endswith(("/json", "+json")))


def reply(status: int, headers: Mapping[str, str], text: str) -> Reply:
    """Return the parts of a server's reply that matter here."""
    return Reply(
        status=status,
        text=text,
        kind=one_line(headers.get("content-type", "").partition(";")[0].lower()),
        place=one_line(headers.get("location", "")),
        wait=_wait(headers),
        again=status >= 500 or (status == 429 and "insufficient_quota" not in text),
    )


def no_reply(error: BaseException) -> Reply:
    """Return why no reply came, from the exception of the HTTP client."""
    for cause in causes(error):
        if isinstance(cause, ssl.SSLCertVerificationError):
            return Reply(fault=f"its certificate is not trusted: {cause.verify_message}")
        for kind, fault in _FAULTS.items():
            if isinstance(cause, kind):
                return Reply(fault=fault, again=True)
    return Reply(fault="the connection was closed before the reply was complete", again=True)


COMPARED = 1_000  # names of a server's models, for one that is near: a reply holds tens of thousands

_FAULTS = {
    ConnectionRefusedError: "nothing answers there (connection refused); is the server running, and is base_url right?",
    socket.gaierror: "there is no such host, or no network; is base_url right?",
    ssl.SSLError: "no secure connection could be made; is base_url right, and does that server speak https?",
    TimeoutError: "the connection was not made in time; is base_url right, and does a firewall block it?",
}


def explain(got: Reply, left: float, keyed: bool, listed: str) -> str:
    """Return an error message for a reply that is not `good`: what went wrong and what to do.

    `left` are the seconds that were left then, `keyed` says whether a key was sent, and `listed` is the text of
    `listed()`.
    """
    tried = f" (asked {got.requests} times)" if got.again and got.requests > 1 else ""
    if got.fault:
        return got.fault + tried
    message = _by_status(got, keyed) + listed + tried
    if got.wait is not None and got.again and got.wait >= left:
        message += f"; it asks to wait {got.wait:g} s and {left:.3g} s were left: ask again later"
    server_text = error_text(got.text)
    return f"{message}. It said: {server_text}" if server_text and not 200 <= got.status < 400 else message


def _by_status(got: Reply, keyed: bool) -> str:
    """Return what a status code of the server means."""
    where = f"{' or '.join(VARIABLES)} in the environment, or api_key in {config_path()}"
    if 200 <= got.status < 300:
        page = ", a web page such as a network's sign-in" if got.kind == "text/html" else ""
        return f"the reply is {got.kind}{page}, not JSON; is base_url right? It usually ends in /v1"
    if 300 <= got.status < 400:
        return (
            f"it redirects ({got.status}) to {got.place or 'nowhere'}, which is not followed as it would take"
            " the prompt and the key elsewhere; set base_url to the address that answers"
        )
    if got.status == 401:
        return f"it refused the key (401); put another into {where}" if keyed else f"it requires a key (401): {where}"
    return {
        400: "it refused the request (400)",
        403: "this key may not use that model (403)" if keyed else f"it requires a key (403): {where}",
        404: "it knows no such model or address (404)",
        413: "the prompt is too long for it (413); lower schema_tokens",
        429: "too many requests, or a quota is used up (429); wait and ask again",
    }.get(got.status, f"it failed ({got.status})" + ("; ask again later" if got.status >= 500 else ""))


def listed(name: str, names: list[str]) -> str:
    """Return what to add to the error for an unknown model, given the models that the server lists."""
    if not names:
        return "; base_url usually ends in /v1"
    if name in names:
        return f"; it lists {name!r}, so base_url may be wrong: it usually ends in /v1"
    near = get_close_matches(name[:100], [model[:80] for model in names[:COMPARED]], n=5, cutoff=0.4) or names[:5]
    more = f" and {len(names) - len(near)} more" if len(names) > len(near) else ""
    return f"; it lists {', '.join(model[:80] for model in near)}{more}"


def _wait(headers: Mapping[str, str]) -> float | None:
    """Return `Retry-After` in seconds: a number, a date, or the milliseconds that some servers send."""
    for name, unit in (("retry-after-ms", 1_000), ("retry-after", 1)):
        try:
            return max(0.0, float(headers.get(name, "")) / unit)
        except ValueError:
            continue
    try:
        until = email.utils.parsedate_to_datetime(headers.get("retry-after", ""))
    except (ValueError, TypeError, OverflowError):  # the last one by a year of many digits
        return None
    return max(0.0, round(until.timestamp() - time.time(), 1))
