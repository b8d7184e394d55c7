"""Let only the page itself send requests to the server of `askwhere web`.

Any page in the same browser can send requests here, so each request is checked. It needs the token, in a cookie that
other sites cannot send. Its host name must be ours, as another name may resolve to our address (DNS rebinding). And
one that changes anything must come from our own origin.
"""

from __future__ import annotations

import hmac
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

HOST = "127.0.0.1"
LONGEST_PATH = 100  # characters of a page's path, numbers among them
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "frame-ancestors 'none'",  # the page itself says the rest, with its stylesheet's hash
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}


class Guard:
    """A middleware in front of every page, which refuses requests that are not from the page itself."""

    def __init__(self, app: Any, token: str, port: int) -> None:
        self._app, self._token, self._cookie = app, token, f"askwhere_{port}"
        self._hosts = (f"{HOST}:{port}", f"localhost:{port}")

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request, as ASGI asks for it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        response = self._answered_here(request)

        async def with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                extra = [(key.lower().encode(), value.encode()) for key, value in _HEADERS.items()]
                message = {**message, "headers": [*message["headers"], *extra]}
            await send(message)

        await (response or self._app)(scope, receive, with_headers)

    def _answered_here(self, request: Request) -> Response | None:
        """Return the refusal of a request; None for one that may pass."""
        twice = next((name for name in ("host", "origin") if len(request.headers.getlist(name)) > 1), "")
        if twice:  # whoever else reads the request may go by the other one
            return PlainTextResponse(f"This request has two headers {twice.title()}: send one.", 400)
        if {"content-length", "transfer-encoding"} <= {*request.headers}:  # here, too; what follows is no request then
            return PlainTextResponse("This request tells its length twice: send one.", 400, {"Connection": "close"})
        host = request.headers.get("host", "")
        if host not in self._hosts:
            return PlainTextResponse(f"This page has no such name: open it by http://{self._hosts[0]}/.", 403)
        given = request.query_params.get("token")
        if given is not None and request.method == "GET" and self._is_token(given):
            entered = RedirectResponse("/", 303)
            entered.set_cookie(self._cookie, self._token, httponly=True, samesite="strict")
            return entered
        if not self._is_token(request.cookies.get(self._cookie, "")):
            return PlainTextResponse(
                "Open the page by the address that `askwhere web` has printed, with its token.", 403
            )
        if request.method not in ("GET", "HEAD") and request.headers.get("origin") != f"http://{host}":
            return PlainTextResponse("Only this page may send its forms.", 403)
        if len(request.url.path) > LONGEST_PATH:
            return PlainTextResponse("There is no such page.", 404)
        return None

    def _is_token(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self._token.encode())
