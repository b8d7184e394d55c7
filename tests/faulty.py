"""A server on loopback that does one thing wrong: the faults that a model's client must live with."""

from __future__ import annotations

import gzip
import json
import signal
import socket
import struct
import subprocess
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

Fault = Callable[["Exchange"], None]


@dataclass
class Exchange:
    """One connection, its request already read."""

    connection: socket.socket
    method: str
    path: str
    headers: dict[str, str]
    body: Any
    closing: threading.Event

    def send(self, data: bytes) -> None:
        self.connection.sendall(data)

    def wait(self, seconds: float) -> bool:
        """Sleep; False as soon as the server closes."""
        return not self.closing.wait(seconds)


@dataclass
class Faulty:
    """A server that handles its n-th request by the n-th of `faults`, later ones by the last; it lists `models`."""

    faults: tuple[Fault, ...]
    models: tuple[str, ...] = ()
    requests: list[Exchange] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.listing = answer({"data": [{"id": name} for name in self.models]})
        self.closing = threading.Event()
        self.asked = threading.Event()  # as soon as there is a request
        self._lock = threading.Lock()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listening.getsockname()[1]}/v1"

    @property
    def bodies(self) -> list[Any]:
        return [exchange.body for exchange in self.requests]

    def __enter__(self) -> Faulty:
        return self

    def __exit__(self, *exc: object) -> None:
        self.closing.set()
        self._listening.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        self._listening.close()

    def _accept(self) -> None:
        while not self.closing.is_set():
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            self._threads.append(threading.Thread(target=self._serve, args=(connection,)))
            self._threads[-1].start()

    def _serve(self, connection: socket.socket) -> None:
        with connection:
            try:
                exchange = self._read(connection)
                if exchange.method == "GET":
                    self.listing(exchange)
                    return
                with self._lock:
                    self.requests.append(exchange)
                    fault = self.faults[min(len(self.requests), len(self.faults)) - 1]
                self.asked.set()
                fault(exchange)
            except (OSError, ValueError):
                pass  # the client has had enough, as it should, or speaks TLS

    def _read(self, connection: socket.socket) -> Exchange:
        with connection.makefile("rb") as stream:
            method, path, _ = stream.readline().decode().split()
            headers: dict[str, str] = {}
            while line := stream.readline().decode().strip():
                name, _, value = line.partition(":")
                headers[name.lower()] = value.strip()
            body = stream.read(int(headers.get("content-length", 0)))
        return Exchange(connection, method, path, headers, json.loads(body) if body else None, self.closing)


def reply(*texts: str, usage: Any = None, **more: Any) -> dict[str, Any]:
    """Return the payload of a chat completion."""
    choices = [
        {"index": i, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        for i, text in enumerate(texts)
    ]
    counted = {"prompt_tokens": 10, "completion_tokens": 2 * len(texts)} if usage is None else usage
    return {"object": "chat.completion", "choices": choices, "usage": counted, **more}


def answer(payload: Any, status: int = 200, kind: str = "application/json", phrase: str = "", **headers: str) -> Fault:
    """Return a whole response; `payload` is text, bytes, or what becomes JSON."""
    body = payload if isinstance(payload, bytes) else (payload if isinstance(payload, str) else json.dumps(payload))
    body = body if isinstance(body, bytes) else body.encode()
    return raw(head(status, kind, phrase, content_length=str(len(body)), **headers) + body)


def head(status: int = 200, kind: str = "application/json", phrase: str = "", **headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status} {phrase or 'X'}", f"Content-Type: {kind}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode()


def refusal(message: str, status: int = 400, param: str | None = None, **headers: str) -> Fault:
    return answer({"error": {"message": message, "param": param}}, status, **headers)


def raw(data: bytes) -> Fault:
    return lambda exchange: exchange.send(data)


def reset(first: bytes = b"") -> Fault:
    """Break the connection off, after sending `first`."""

    def fault(exchange: Exchange) -> None:
        exchange.send(first)
        if first:
            exchange.wait(0.05)  # or the reset overtakes it
        exchange.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    return fault


def drip(first: bytes, slowly: bytes, pause: float = 0.1) -> Fault:
    """Sends `first`, then a byte at a time, over and over."""

    def fault(exchange: Exchange) -> None:
        exchange.send(first)
        while all(exchange.wait(pause) and not exchange.send(bytes([byte])) for byte in slowly):
            pass

    return fault


def silence(exchange: Exchange) -> None:
    """Sends nothing."""
    while exchange.wait(1):
        pass


def endless(exchange: Exchange) -> None:
    """Never stops sending."""
    exchange.send(head())
    while exchange.wait(0):
        exchange.send(b" " * 65_536)


def bomb(megabytes: int) -> Fault:
    """Return a few bytes that unpack to so many megabytes."""
    packed = gzip.compress(b" " * 1_000_000 * megabytes, 9)
    return answer(packed, content_encoding="gzip")


def interrupted(command: Sequence[str], server: Faulty) -> tuple[str, str]:
    """Return the output and the errors of a process that gets Ctrl-C while it waits for the server."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert server.asked.wait(300), "the server was not asked"
            process.send_signal(signal.SIGINT)
            return process.communicate(timeout=300)
        finally:
            process.kill()
