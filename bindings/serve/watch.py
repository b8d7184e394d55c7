"""Watch the serving process from a process beside it, which listens, and cleans up when the other one does not.

A statement may crash DuckDB, or make it give up the database. In neither case can the process remove what it put into
the file. Quack keeps the memory of each long request, whoever sent it: so the process that watches passes requests on
(`proxy`), but no long ones of clients that are not let in yet.
"""

from __future__ import annotations

import asyncio
import json
import os
import select
import signal
import socket
from collections.abc import Callable, Iterable, Sequence
from contextlib import AsyncExitStack, suppress
from typing import NoReturn

from askwhere.bindings.serve.address import Address, refuse_used, used
from askwhere.bindings.serve.proxy import Proxy
from askwhere.errors import AskError

CHECK_EVERY_SECONDS = 0.2  # between two checks that the serving process runs
BROKEN = 3  # the exit code of a process that could not clean up


def reserve() -> tuple[Address, socket.socket]:
    """Return an address with a free port, for programs on this machine alone, and a socket that reserves the port.

    While the socket is open, the port is given to no other program; Quack, which sets `SO_REUSEPORT` too, can listen on
    it. Where there is no such option, the socket is closed, and nothing is reserved.
    """
    reserved = socket.socket()
    shared = getattr(socket, "SO_REUSEPORT", None)
    if shared is not None:
        reserved.setsockopt(socket.SOL_SOCKET, shared, 1)
        reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # for `refuse_used`
    reserved.bind(("127.0.0.1", 0))
    address = Address("127.0.0.1", reserved.getsockname()[1])
    if shared is None:
        reserved.close()
    return address, reserved


def begin(
    address: Address, shown: Callable[[str | None], Iterable[str]], clean: Callable[[], None], signals: Sequence[int]
) -> tuple[Address, Callable[[], bool], Callable[[str | None], None]]:
    """Fork: the caller goes on in the new process; the old one listens, and passes requests and `signals` on to it.

    When the new process has failed, the old one calls `clean`. Return the address to serve on, a function that returns
    whether the old process still runs, and one to call with the attached database when it is served: then `shown`
    returns the lines to print. On Windows, which has no fork, nothing is watched. Raise `DatabaseError` for an address
    in use.
    """
    if not hasattr(os, "fork"):
        return address, lambda: True, lambda attached: print("\n".join(shown(attached)), flush=True)
    refuse_used(address)
    within, reserved = reserve()
    theirs, ours = os.pipe()  # never written to: it closes when the old process ends
    reported, reporting = os.pipe()  # by which the new process says that it serves
    if child := os.fork():
        os.close(theirs)
        os.close(reporting)
        asyncio.run(_wait(child, address, within, reported, shown, clean, signals))
    os.close(ours)
    os.close(reported)
    reserved.close()  # the old process keeps its own open
    return (
        within,
        lambda: not select.select([theirs], [], [], 0)[0],
        lambda attached: _report_serving(reporting, attached),
    )


def _report_serving(reporting: int, attached: str | None) -> None:
    """Tell the process that watches that the database is served."""
    with suppress(BrokenPipeError), os.fdopen(reporting, "w") as file:
        json.dump(attached, file)


async def _wait(
    child: int,
    address: Address,
    within: Address,
    reported: int,
    shown: Callable[[str | None], Iterable[str]],
    clean: Callable[[], None],
    signals: Sequence[int],
) -> NoReturn:
    """Pass requests on to the serving process from when it is ready until it ends, clean up, and exit with its code."""

    def pass_on(number: int, frame: object) -> None:
        with suppress(ProcessLookupError):
            os.kill(child, number)

    for number in signals:
        signal.signal(number, pass_on)
    proxy, message = Proxy(), ""
    async with AsyncExitStack() as listening:
        # Polled: a signal that another thread takes would not interrupt a blocking wait, and be lost.
        while not (ended := os.waitpid(child, os.WNOHANG))[0]:
            if not proxy.ports and select.select([reported], [], [], 0)[0] and (facts := os.read(reported, 1 << 16)):
                proxy.ports.add(within.port)
                try:
                    await listening.enter_async_context(await proxy.listening(address))
                    print("\n".join(shown(json.loads(facts))), flush=True)
                except OSError as exc:
                    message = f"askwhere: {used(address, exc)}\n"
                    pass_on(signal.SIGTERM, None)
            await asyncio.sleep(CHECK_EVERY_SECONDS)
        code = os.waitstatus_to_exitcode(ended[1]) or bool(message)
        if code < 0 or code == BROKEN:
            message += f"ended: the serving process was killed by {signal.Signals(-code).name}\n" if code < 0 else ""
            code = 1
            try:
                clean()
            except AskError as exc:
                message += f"{exc}\n"
        with suppress(OSError):  # printed last, as nobody may read it any more
            print(message, end="", flush=True)
        os._exit(code)
