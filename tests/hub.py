"""A server on this machine that implements what downloads need of the Hugging Face hub's protocol, and its faults."""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import json
import os
import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

COMMIT = "0123456789abcdef0123456789abcdef01234567"
REPOSITORY = "someone/small-GGUF"


@dataclass
class Faults:
    """What goes wrong: the connection breaks in the middle of so many downloads, or stays there with nothing more to
    come, other bytes come than are stated, or for the list of files, the status of what is asked with the name of the
    error, the token that is wanted, what names a file's content and the version instead of what is right, what is
    stated of every file beside that, the beginning of the path of what never ends, how often all that comes is
    compressed, and how often a file is to be asked for again after a year.
    """

    cuts: int = 0
    stalls: bool = False
    instead: bytes | None = None
    listing: bytes = b""
    status: int = 0
    error: str = ""
    token: str = ""
    etag: str = ""
    commit: str = COMMIT
    stated: Mapping[str, Any] = field(default_factory=dict)
    endless: str = ""
    compressed: int = 0
    busy: int = 0


@dataclass
class Hub:
    """The server of one repository; `asked` are the paths that were asked for, with the range wanted of each, and
    `tokens` what was sent to the host that keeps its files.
    """

    files: Mapping[str, bytes]
    faults: Faults = field(default_factory=Faults)
    asked: list[tuple[str, str, str]] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)

    def __enter__(self) -> Hub:
        hub = self

        class Handler(_Handler):
            served = hub

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._server.server_address[1])

    def variables(self, cache: Path, **more: str) -> dict[str, str]:
        """Return an environment in which the hub is this server, and its cache that folder."""
        return environment(f"http://127.0.0.1:{self.port}", cache, **more)

    def ranges(self) -> list[str]:
        """Return the parts of files that were asked for, one a download; empty for a whole one."""
        return [wanted for method, path, wanted in self.asked if method == "GET" and path.startswith("/kept/")]


def environment(endpoint: str, cache: Path, **more: str) -> dict[str, str]:
    """Return an environment in which the hub is at `endpoint`, without anything of the user's own."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "HUGGING"))}
    return {**plain, "HF_ENDPOINT": endpoint, "HF_HOME": str(cache), "HF_HUB_CACHE": str(cache / "hub"), **more}


class _Handler(BaseHTTPRequestHandler):
    served: Hub
    protocol_version = "HTTP/1.1"

    def do_HEAD(self) -> None:
        self._answer(False)

    def do_GET(self) -> None:
        self._answer(True)

    def _answer(self, body: bool) -> None:
        hub, path = self.served, self.path.partition("?")[0]
        hub.asked.append((self.command, path, self.headers.get("Range", "")))
        if hub.faults.status:
            self._send(hub.faults.status, b'{"error": "no"}', body, {"X-Error-Code": hub.faults.error})
        elif body and hub.faults.endless and path.startswith(hub.faults.endless):
            self._never_end()
        elif hub.faults.busy and path.startswith("/kept/"):
            hub.faults.busy -= 1
            self._send(429, b'{"error": "later"}', body, {"Retry-After": "31536000"})
        elif path.startswith("/kept/"):
            self._keep(path.removeprefix("/kept/"), body)
        elif hub.faults.token and self.headers.get("Authorization") != f"Bearer {hub.faults.token}":
            self._send(401, b'{"error": "who?"}', body, {"X-Error-Message": "Invalid credentials"})
        elif path == f"/api/models/{REPOSITORY}":
            listing = hub.faults.listing or json.dumps(self._info()).encode()
            self._send(200, listing, body, {"Content-Type": "application/json"})
        elif found := re.fullmatch(rf"/{REPOSITORY}/resolve/main/(.+)", path):
            self._resolve(found[1], body)
        else:
            self._send(404, b'{"error": "not found"}', body, {"X-Error-Code": "RepoNotFound"})

    def _info(self) -> dict[str, Any]:
        siblings = [
            {
                "rfilename": name,
                "size": len(content),
                "blobId": "0" * 40,
                "lfs": {"size": len(content), "sha256": _sha256(content), "pointerSize": 100},
                **self.served.faults.stated,
            }
            for name, content in self.served.files.items()
        ]
        return {"id": REPOSITORY, "modelId": REPOSITORY, "sha": COMMIT, "siblings": siblings, "tags": []}

    def _resolve(self, name: str, body: bool) -> None:
        """A large file is kept elsewhere, as on the hub: on a host of another name."""
        content = self.served.files.get(name)
        if content is None:
            self._send(404, b"", body, {"X-Error-Code": "EntryNotFound", "X-Repo-Commit": COMMIT})
            return
        etag = self.served.faults.etag or f'"{_sha256(content)}"'
        linked = {"X-Linked-Etag": etag, "X-Linked-Size": str(len(content))}
        place = {"Location": f"http://localhost:{self.served.port}/kept/{name}"}
        self._send(302, b"", body, {"X-Repo-Commit": self.served.faults.commit, **linked, **place})

    def _keep(self, name: str, body: bool) -> None:
        hub, content = self.served, self.served.files[name]
        hub.tokens += self.headers.get_all("Authorization", [])
        if hub.faults.instead is not None:
            content = hub.faults.instead
        start = int((re.findall(r"bytes=(\d+)-", self.headers.get("Range", "")) or ["0"])[0])
        ranged = {"Content-Range": f"bytes {start}-{len(content) - 1}/{len(content)}"} if start else {}
        rest = content[start:]
        if start >= len(content):
            self._send(416, b"", body, {})
        elif body and hub.faults.cuts:
            hub.faults.cuts -= 1
            self._send(206 if start else 200, rest, body, ranged, cut=len(rest) // 2)
            self.close_connection = True
        elif body and hub.faults.stalls:
            self._send(206 if start else 200, rest, body, ranged, cut=len(rest) // 2)
            self.rfile.read()  # until the other side is gone
            self.close_connection = True
        else:
            self._send(206 if start else 200, rest, body, ranged)

    def _never_end(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.close_connection = True
        with contextlib.suppress(OSError):  # the other side has gone
            while True:
                self.wfile.write(b" " * 65_536)

    def _send(
        self, status: int, content: bytes, body: bool, headers: Mapping[str, str], cut: int | None = None
    ) -> None:
        self.send_response(status)
        for _ in range(compressed := self.served.faults.compressed):
            content = gzip.compress(content)
        if compressed:
            headers = {**headers, "Content-Encoding": ", ".join(["gzip"] * compressed)}
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if body:
            self.wfile.write(content[:cut])

    def log_message(self, *_: object) -> None:
        """Nothing is printed."""


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
