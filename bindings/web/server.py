"""Serve the page of `askwhere web` on the loopback address, to browsers that send the token."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Callable
from math import ceil
from typing import Any

import askwhere
from askwhere.bindings.web.conversation import Conversation
from askwhere.bindings.web.guard import HOST, Guard
from askwhere.bindings.web.handlers import PATIENCE, Pages
from askwhere.errors import DatabaseError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.routing import Route

AT_ONCE = 20  # connections that are accepted before what came on those before them is read


def run(connect: Callable[[], Any], name: str, port: int, write: bool) -> None:
    """Serve until Ctrl-C, on connections that `connect` opens. Raise `DatabaseError`."""
    listening = listen(port)
    token, port = secrets.token_urlsafe(24), listening.getsockname()[1]
    conversation = Conversation(connect)
    app = make(conversation, name, token, port, write)
    print(f"askwhere {askwhere.__version__} shows {name} at http://{HOST}:{port}/?token={token}", flush=True)
    print("The address holds the key to the page: keep it to yourself. Ctrl-C stops it.", flush=True)
    try:
        server(app).run(sockets=[listening])
    except KeyboardInterrupt:
        pass
    finally:
        for number in conversation.asked:
            conversation.stop(number)
        conversation.close()


def server(app: Any) -> Any:
    """Return uvicorn's server for the application, which waits for a client for a limited time."""
    import uvicorn
    from askwhere.bindings.web.protocol import Bounded

    leaving = ceil(PATIENCE)  # seconds that replies under way have when the server ends
    return uvicorn.Server(
        uvicorn.Config(
            app,
            http=Bounded,
            ws="none",
            lifespan="off",  # we have none, and its task would be in the way of a second Ctrl-C
            log_level="warning",
            access_log=False,
            timeout_graceful_shutdown=leaving,
            backlog=AT_ONCE,
        )
    )


def listen(port: int) -> socket.socket:
    """Return a socket of the loopback address; port 0 is a free one. Raise `DatabaseError` for one in use."""
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((HOST, port))
        made.listen()  # connections made before the server runs wait, and no other program gets the port
    except OSError as exc:
        made.close()
        raise DatabaseError(f"{HOST}:{port} cannot be listened on: {exc.strerror}; try another --port") from exc
    return made


def make(conversation: Conversation, name: str, token: str, port: int, write: bool) -> Any:
    """Return the ASGI application of a database's page."""
    pages = Pages(conversation, name, write)
    routes = [
        Route("/", pages.home),
        Route("/ask", pages.ask, methods=["POST"]),
        Route("/answer/{number:int}", pages.answer),
        Route("/choose/{number:int}/{rank:int}", pages.choose, methods=["POST"]),
        Route("/stop/{number:int}", pages.stop, methods=["POST"]),
        Route("/synonym/{number:int}", pages.synonym, methods=["POST"]),
        Route("/key/{number:int}", pages.key, methods=["POST"]),
        Route("/index/{number:int}", pages.index, methods=["POST"]),
        Route("/pin/{number:int}", pages.pin, methods=["POST"]),
        Route("/unpin", pages.unpin, methods=["POST"]),
        Route("/history", pages.history),
        Route("/words", pages.words),
        Route("/words", pages.describe, methods=["POST"]),
    ]
    return Guard(Starlette(routes=routes, exception_handlers={HTTPException: pages.failed}), token, port)
