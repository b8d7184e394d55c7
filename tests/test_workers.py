"""`askwhere serve --workers`: several processes behind one address, with real clients, and one of them killed.

`make serving` installs what these tests need.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import io
import os
import pickle
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from asker import Asker
from askwhere.bindings.cli import main as cli
from askwhere.bindings.serve import workers as several
from askwhere.bindings.serve.address import Address
from askwhere.bindings.serve.proxy import MOST, UNKNOWN, Proxy
from askwhere.bindings.source import Source
from servers import BIN, free_port
from support import in_threads
from test_serving import ANSWER, ASK, Client, Place, Server

QUESTION = "SELECT * FROM ask('the best')"


@pytest.fixture
def place(tmp_path: Path) -> contextlib.closing[Place]:
    return contextlib.closing(Place(tmp_path))


def workers(server: Server) -> list[int]:
    """The processes that serve."""
    pid = server.process.pid
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def process(client: Client) -> str:
    """What tells which worker answers a new connection: each made the names of its own functions."""
    sql = "SELECT max(function_name) FROM duckdb_functions() WHERE starts_with(function_name, 'askwhere_read')"
    return str(client.ask(sql))


@pytest.mark.slow
def test_two_workers_answer_and_know_each_others_pins_and_one_that_is_killed_is_replaced(
    place: contextlib.closing[Place],
) -> None:
    with place as at:
        content = (path := at.shop()).read_bytes()
        server = at.serve(path, "--read-only", "--workers", "2")
        clients = [at.client(server) for _ in range(3)]
        assert in_threads(lambda number: clients[number].ask(ASK), range(3)) == [ANSWER] * 3
        assert len({process(clients[0]) for _ in range(6)}) == 2
        assert "pinned" in str(
            clients[0].ask("SELECT ask_pin('the best', 'SELECT max(name) AS n FROM shop.customers')")
        )
        assert [clients[1].ask(QUESTION) for _ in range(4)] == [[["Cy"]]] * 4
        before = workers(server)
        os.kill(before[0], signal.SIGKILL)
        while len(now := workers(server)) < 2 or before[0] in now:
            assert "killed" not in str(clients[2].run("SELECT 1"))
            time.sleep(0.05)
        while len({process(clients[0]) for _ in range(6)}) < 2:
            time.sleep(0.05)
        assert [client.ask(QUESTION) for client in clients] == [[["Cy"]]] * 3
        assert server.stop()[0] == 0
        assert not any(Path(f"/proc/{pid}").exists() for pid in (*before, *now))
        assert path.read_bytes() == content


@pytest.mark.slow
def test_workers_whose_opening_takes_seconds_say_nothing_but_that_they_serve(
    place: contextlib.closing[Place], tmp_path: Path
) -> None:
    with place as at:
        # More than the two seconds after which DuckDB shows its progress to a person.
        (init := tmp_path / "slow.sql").write_text(
            "SELECT sum(hash(a.range * b.range) % 7) FROM range(100000) a, range(600) b"
        )
        server = at.serve(at.shop(), "--read-only", "--workers", "2", "--init", str(init))
        assert at.client(server).ask(ASK) == ANSWER


@pytest.mark.slow
def test_a_connection_stays_with_its_worker_and_long_answers_come_whole(place: contextlib.closing[Place]) -> None:
    script = "CREATE TABLE customers (id INTEGER, name VARCHAR); INSERT INTO customers VALUES (1, 'Ann')"
    with place as at:
        server = at.serve(at.shop(script=script), "--read-only", "--workers", "2")
        client, other = at.client(server), at.client(server)
        for one in (client, other):
            assert one.run(f"ATTACH '{server.address}' AS served") == []
        assert client.run("FROM served.query($$ SELECT ask_set('effort', 'fast') $$)") == [["effort = fast"]]
        effort = "FROM served.query($$ SELECT value FROM ask_settings() WHERE name = 'effort' $$)"
        assert [client.run(effort) for _ in range(4)] == [[["fast"]]] * 4
        assert other.run(effort) == [["balanced"]]
        rows = f"SELECT count(*), sum(i) FROM quack_query('{server.address}', 'SELECT i FROM range(300000) r(i)')"
        assert client.run(rows) == [[300_000, 299_999 * 150_000]]
        long = "SELECT length('" + "x" * 200_000 + "')"
        assert client.ask(long) == [[200_000]]


@pytest.mark.slow
def test_a_signal_while_workers_start_stops_them_and_nothing_is_said_of_our_code(
    place: contextlib.closing[Place],
) -> None:
    with place as at:
        port = free_port()
        command = [
            BIN / "askwhere",
            "serve",
            at.shop(),
            "--read-only",
            "--workers",
            "2",
            "--listen",
            f"localhost:{port}",
        ]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
            server = Server(process, "", "")
            while not workers(server):
                time.sleep(0.01)
            assert server.stop() == (0, "stopped\n")


@pytest.mark.slow
def test_workers_end_with_the_process_that_started_them(place: contextlib.closing[Place]) -> None:
    with place as at:
        server = at.serve(at.shop(), "--read-only", "--workers", "2")
        started = workers(server)
        assert len(started) == 2
        server.process.kill()
        server.process.wait(600)
        while any(Path(f"/proc/{pid}/exe").exists() for pid in started):
            time.sleep(0.05)


@pytest.mark.parametrize(("resets", "answer"), [(2, b"200 OK"), (99, b"502 Bad Gateway")])
def test_a_request_that_a_worker_resets_is_sent_again(
    resets: int, answer: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("askwhere.bindings.serve.proxy.PAUSES", (0.0, 0.0, 0.0))
    seen: list[bytes] = []

    async def worker(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        seen.append(head + await reader.readexactly(40))
        if len(seen) <= resets:  # a linger of no seconds makes of the end a reset
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        else:
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
        writer.close()

    async def asked() -> bytes:
        served = await asyncio.start_server(worker, "127.0.0.1", 0)
        proxy = Proxy()
        proxy.ports = {served.sockets[0].getsockname()[1]}
        listening = await asyncio.start_server(proxy.client, "127.0.0.1", 0)
        reader, writer = await asyncio.open_connection(*listening.sockets[0].getsockname())
        writer.write(b"POST /quack HTTP/1.1\r\nContent-Length: 40\r\nConnection: close\r\n\r\n" + b"x" * 40)
        try:
            return await reader.readuntil(b"\r\n\r\n")
        finally:
            for one in (writer, served, listening):
                one.close()

    assert answer in asyncio.run(asked())
    assert len(seen) == min(resets + 1, 4)
    assert len(set(seen)) == 1


KNOWN = b"0123456789ABCDEF" * 2  # the number of a connection that a server has let in
BODY = b"\x01\x00\x03\x02\x00 " + KNOWN
Answering = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@contextlib.asynccontextmanager
async def passing_on(worker: Answering) -> AsyncIterator[tuple[Proxy, tuple[str, int]]]:
    """A proxy before one worker, which has let in the connection `KNOWN`, and the address that it listens on."""
    async with await asyncio.start_server(worker, "127.0.0.1", 0) as served:
        proxy = Proxy()
        proxy.ports = {served.sockets[0].getsockname()[1]}
        proxy._of[KNOWN] = served.sockets[0].getsockname()[1]
        async with await asyncio.start_server(proxy.client, "127.0.0.1", 0) as listening:
            yield proxy, listening.sockets[0].getsockname()


@pytest.mark.parametrize(
    ("length", "body"),
    [
        (MOST + 1, BODY),
        (UNKNOWN + 1, b"\x01\x00\x01\x03\x00\x06\xff\xff\x01\x00\x10" + b"x" * 40),
        (UNKNOWN + 1, BODY.replace(b"0", b"F")),
    ],
)
def test_a_request_that_is_too_long_is_refused_before_it_comes(length: int, body: bytes) -> None:
    async def asked() -> bytes:
        proxy = Proxy()
        proxy._of[KNOWN] = 1
        listening = await asyncio.start_server(proxy.client, "127.0.0.1", 0)
        reader, writer = await asyncio.open_connection(*listening.sockets[0].getsockname())
        writer.write(b"POST /quack HTTP/1.1\r\nContent-Length: %d\r\n\r\n" % length + body)
        try:
            return await reader.readuntil(b"\r\n\r\n")
        finally:
            writer.close()
            listening.close()

    assert b"413 Content Too Large" in asyncio.run(asked())


@pytest.mark.parametrize(
    ("request_line", "asked_of_workers", "answer"),
    [
        (b"HEAD / HTTP/1.1", 0, b"405 Method Not Allowed"),
        (b"GET / HTTP/1.1", 1, b""),  # a body that is stated and does not come
    ],
)
def test_an_answer_without_its_body_is_given_up(
    monkeypatch: pytest.MonkeyPatch, request_line: bytes, asked_of_workers: int, answer: bytes
) -> None:
    """Four hundred such requests, each sent again and waited for, kept all others out for a minute."""
    monkeypatch.setattr("askwhere.bindings.serve.proxy.SECONDS", 0.2)
    came: list[bytes] = []

    async def worker(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        came.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 77\r\n\r\n")
        await reader.read()  # the connection stays open as long as the proxy's
        writer.close()

    async def asked() -> bytes:
        async with passing_on(worker) as (proxy, address):
            reader, writer = await asyncio.open_connection(*address)
            writer.write(request_line + b"\r\nHost: x\r\n\r\n")
            try:
                return await reader.read()
            except ConnectionResetError:
                return b""
            finally:
                writer.close()
                while proxy._open:
                    await asyncio.sleep(0.01)

    assert answer in asyncio.run(asked())
    assert len(came) == asked_of_workers


@pytest.mark.parametrize(("body", "answered"), [(BODY, 3), (BODY.replace(b"0", b"F"), 1)])
def test_without_a_known_number_one_request_is_answered(body: bytes, answered: int) -> None:
    """Who has no token could otherwise send requests on 400 connections without end, and keep the others out."""

    async def worker(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n" + body)
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
        writer.close()

    async def asked() -> bytes:
        async with passing_on(worker) as (_, address):
            reader, writer = await asyncio.open_connection(*address)
            writer.write((b"POST /quack HTTP/1.1\r\nContent-Length: %d\r\n\r\n" % len(body) + body) * 3)
            writer.write_eof()
            try:
                return await reader.read()
            finally:
                writer.close()

    assert asyncio.run(asked()).count(b"200 OK") == answered


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_worker_logs_nothing_that_a_terminal_would_take_as_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    task = several.Task(Source(("shop.duckdb",)), Address("127.0.0.1", 9494), "token", {})
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(pickle.dumps(task))))
    monkeypatch.setattr(sys, "stderr", terminal := _Terminal())
    monkeypatch.setattr(several.server, "serve", lambda *_: print("refused: \x1b[2J", file=sys.stderr))
    several.work()
    assert terminal.getvalue() == "refused: ⟨U+001B⟩[2J\n"


def test_a_client_that_reads_nothing_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("askwhere.bindings.serve.proxy.SECONDS", 0.05)
    long = b"x" * 30_000_000  # more than the buffers of both sockets hold

    async def worker(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n" + BODY)
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(long) + long)

    async def asked() -> None:
        async with passing_on(worker) as (proxy, address):
            with socket.create_connection(address) as client:
                client.sendall(b"POST /quack HTTP/1.1\r\nContent-Length: %d\r\n\r\n" % len(BODY) + BODY)
                while not proxy._open:
                    await asyncio.sleep(0.01)
                while proxy._open:
                    await asyncio.sleep(0.01)

    asyncio.run(asked())


@pytest.mark.slow
def test_workers_import_nothing_from_the_current_folder(
    place: contextlib.closing[Place], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("apsw.py").write_text("open('ran', 'w').close()")
    with place as at:
        server = at.serve(at.shop(), "--read-only", "--workers", "2")
        assert at.client(server).ask(ASK) == ANSWER
    assert not Path("ran").exists()


def test_what_is_under_way_as_the_server_ends_is_ended_without_a_traceback(caplog: pytest.LogCaptureFixture) -> None:
    async def ended() -> None:
        async with await asyncio.start_server(proxy.client, "127.0.0.1", 0) as listening:
            _, writer = await asyncio.open_connection(*listening.sockets[0].getsockname())
            while not proxy._open:
                await asyncio.sleep(0)
        writer.close()

    proxy = Proxy()
    asyncio.run(ended())
    assert (proxy._open, caplog.messages) == (set(), [])


@pytest.mark.slow
def test_a_request_whose_client_has_left_waits_for_its_worker_and_is_no_garbage(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def asked() -> None:
        came, answered = asyncio.Event(), asyncio.Event()

        async def worker(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n" + b"x" * 40)
            came.set()
            await answered.wait()
            writer.close()

        served = await asyncio.start_server(worker, "127.0.0.1", 0)
        proxy.ports = {served.sockets[0].getsockname()[1]}
        async with await asyncio.start_server(proxy.client, "127.0.0.1", 0) as listening:
            _, writer = await asyncio.open_connection(*listening.sockets[0].getsockname())
            writer.write(b"POST /quack HTTP/1.1\r\nContent-Length: 40\r\n\r\n" + b"x" * 40)
            await came.wait()
            writer.transport.abort()
            for _ in range(9):
                await asyncio.sleep(0.01)
                gc.collect()
            answered.set()
            while proxy._open:
                await asyncio.sleep(0)
        served.close()

    proxy = Proxy()
    asyncio.run(asked())
    assert not [text for text in caplog.messages if "destroyed" in text]


@pytest.mark.slow
def test_a_request_that_does_not_come_is_given_up(place: contextlib.closing[Place]) -> None:
    with place as at:
        server = at.serve(at.shop(), "--read-only", "--workers", "2")
        with socket.create_connection(("127.0.0.1", int(server.address.rpartition(":")[2]))) as slow:
            slow.settimeout(600)
            slow.sendall(b"POST /quack HTTP/1.1\r\nContent-Length: 58\r\n\r\n\x01\x00")
            assert slow.recv(1) == b""
        assert at.client(server).ask(ASK) == ANSWER


@pytest.mark.slow
def test_workers_over_data_files_keep_pins_and_keys_in_a_lake(place: contextlib.closing[Place], tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "client.csv").write_text("id,name,country\n1,Ann,Canada\n2,Bo,Norway\n")
    (tmp_path / "shop" / "deal.csv").write_text("number,party,amount\n1,1,3\n2,2,4\n3,2,5\n")
    kept = f"ducklake:sqlite:{tmp_path / 'kept.db'}"
    (tmp_path / "make.sql").write_text(f"ATTACH '{kept}' AS kept (DATA_PATH '{tmp_path / 'kept'}');")
    with contextlib.closing(Asker(path=":memory:", init=str(tmp_path / "make.sql"))) as maker:
        assert maker.run("SELECT 1") == [[1]]
    with place as at:
        server = at.serve(tmp_path / "shop", "--keep", kept, "--workers", "2")
        client, other = at.client(server), at.client(server)
        assert "refers to" in str(client.ask("SELECT ask_key('deal.party', 'client.id')"))
        asked = "SELECT * FROM ask('total amount per country')"
        assert [sorted(other.ask(asked)) for _ in range(4)] == [[["Canada", 3], ["Norway", 9]]] * 4
        assert "pinned" in str(other.ask("SELECT ask_pin('the best', 'SELECT max(amount) AS m FROM deal')"))
        assert [client.ask(QUESTION) for _ in range(4)] == [[[5]]] * 4
        assert server.stop()[0] == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "--workers: only one process can open {}/shop.duckdb to write it; add --read-only, or put its tables"),
        (("--attach", "crm={}/other.duckdb", "--keep", "{}/kept.duckdb"), "keep is not for|only one process can write"),
    ],
)
def test_what_one_process_can_open_is_refused_with_what_to_do(
    place: contextlib.closing[Place], tmp_path: Path, options: tuple[str, ...], said: str
) -> None:
    with place as at:
        at.shop("other.duckdb")
        server = at.serve(at.shop(), "--workers", "2", *(option.format(tmp_path) for option in options))
        assert server.process.wait(600) == 1
        assert any(part.format(tmp_path) in server.said for part in said.split("|")), server.said


def test_a_number_of_workers_and_what_keeps_nothing_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (path := tmp_path / "sales.csv").write_text("country,amount\nPeru,3\n")
    assert cli.main(["serve", str(path), "--workers", "0"]) == 1
    assert "--workers: expected a number from 1 to 64, found 0" in capsys.readouterr().err
    assert cli.main(["serve", str(path), "--workers", "2"]) == 1
    assert "would be known to one process alone; keep it in a DuckLake" in capsys.readouterr().err


@pytest.mark.slow
def test_a_worker_that_cannot_serve_says_so_once_and_the_server_ends(place: contextlib.closing[Place]) -> None:
    with place as at:
        path = at.shop(script="CREATE TABLE t (a INTEGER)")
        path.write_bytes(path.read_bytes()[:5000])
        server = at.serve(path, "--read-only", "--workers", "2")
        assert server.process.wait(600) == 1
        assert server.said.count("askwhere: ") == 1
