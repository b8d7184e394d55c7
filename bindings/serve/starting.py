"""Begin to serve: by one process that another one watches, or by several workers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from askwhere.bindings.serve import server
from askwhere.bindings.serve import watch as serve_watch
from askwhere.bindings.serve import workers as workers_
from askwhere.bindings.serve.address import parse
from askwhere.bindings.source import Source
from askwhere.session import Session


def run(source: Source, listen: str, token_file: Path | None, chosen: Mapping[str, Any], workers: int = 1) -> NoReturn:
    """Serve a database until one of `server.signals` ends the process; `chosen` are settings of every client.

    Raises `AskError` for a wrong address, token, setting or number of workers.
    """
    workers_.check(source, workers)
    address, (token, made) = parse(listen), server.find_token(token_file)
    Session(chosen)  # raises for a wrong setting before anything is opened

    def shown(attached: str | None) -> list[str]:
        return server.lines(source, address, token if made else None, attached)

    if workers > 1:
        workers_.run(workers_.Task(source, address, token, chosen), workers, shown)
    watched = serve_watch.begin(lambda: server.clean(source), server.signals())
    server.serve(
        source, address, token, chosen, watched, lambda served: print("\n".join(shown(served.attached)), flush=True)
    )
