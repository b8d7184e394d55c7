"""A worker that says what no worker says: see faults.c. Run with a seed in NONSENSE."""

import contextlib
import os
import random
import socket
import struct
import threading

RNG = random.Random(int(os.environ["NONSENSE"]))
WORDS = (
    "reply",
    "error",
    "alive",
    "exec",
    "more",
    "stop",
    "state",
    "log",
    "authorize",
    "read",
    "guarded",
    "deliver",
    "",
)
QUERIES = (
    "SELECT 1",
    "SELECT * FROM t",
    "SELECT ?1, ?2",
    "SELECT zeroblob(5000000)",
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 9999) SELECT x, 'text' FROM c",
    "SAVEPOINT askwhere",
    "BEGIN",
    "ROLLBACK",
    "SELECT ask_version()",
    "SELECT; SELECT 2; nonsense",
    "",
    "a TEXT,b TEXT,c INTEGER,",
    "answer,",
    ",",
    "a,b,c,d,e,f,g,h,i,j,k,",
)
NUMBERS = (
    0,
    1,
    1,
    2,
    3,
    7,
    -1,
    0x7FFFFFFFFFFFFFF,
    (1 << 61) // 5 + 1,
    16,
    17,
    255,
    1 << 31,
    -(1 << 31),
    (1 << 32) + 1,
    1 << 40,
    (1 << 63) - 1,
    -(1 << 63),
    1 << 60,
)


def value() -> bytes:
    kind = RNG.random()
    if kind < 0.1:
        return b"n"
    if kind < 0.5:
        return b"i" + struct.pack("=q", RNG.choice(NUMBERS))
    if kind < 0.6:
        return b"f" + struct.pack("=d", RNG.choice((0.0, 1.5, -1.0, 1e308, float("inf"), float("nan"))))
    if kind < 0.95:
        return text(RNG.choice(WORDS + QUERIES), RNG.choice((b"t", b"t", b"t", b"b")))
    return RNG.randbytes(RNG.randrange(12))


def text(said: str, kind: bytes = b"t") -> bytes:
    content = said.encode()
    size = len(content) if RNG.random() < 0.95 else RNG.choice((0, 1, len(content) + 1, 1 << 20, (1 << 32) - 1))
    return kind + struct.pack("=I", size) + content + (b"\0" if RNG.random() < 0.95 else b"x")


def message() -> bytes:
    shape = RNG.random()
    if shape < 0.35:
        count = b"i" + struct.pack("=q", RNG.choice(NUMBERS))  # of rows or of columns
        columns = text(RNG.choice(QUERIES)) if RNG.random() < 0.5 else value()
        parts = [text("reply"), count, columns, *(value() for _ in range(RNG.randrange(12)))]
    elif shape < 0.7:
        how = RNG.choice(("read", "guarded", "deliver"))
        numbers = [b"f" + struct.pack("=d", RNG.choice((0.0, 0.01, 1e300)))]
        numbers += [b"i" + struct.pack("=q", RNG.choice(NUMBERS)) for _ in range(2)]
        numbers += [b"i" + struct.pack("=q", RNG.choice((0, 0, 0, 1, -1, 17)))]
        rest = [b"i" + struct.pack("=q", RNG.choice((0, 0, 1, 2, 1 << 40))), value(), value()]
        parts = [text("exec"), text(how), *numbers, text(RNG.choice(QUERIES)), *rest]
    else:
        parts = [text(RNG.choice(WORDS)), *(value() for _ in range(RNG.randrange(8)))]
    content = b"".join(parts)
    size = len(content) if RNG.random() < 0.97 else RNG.choice((0, 1, len(content) + 9, (1 << 32) - 1))
    return struct.pack("=I", size) + content


def talk(speaking: socket.socket) -> None:
    with contextlib.suppress(OSError), contextlib.closing(speaking):
        speaking.settimeout(0.05)  # what is cut short is not waited for
        speaking.recv(1 << 16)
        for _ in range(RNG.choice((0, 0, 0, 0, 1, 2, 5))):  # instead of an answer to 'begin', or before it
            speaking.sendall(message())
            speaking.recv(1 << 16)
        speaking.sendall(struct.pack("=I", 11) + b"t" + struct.pack("=I", 5) + b"reply\0")  # to 'begin'
        for _ in range(RNG.randrange(1, 12)):
            speaking.recv(1 << 16)
            said = message()
            speaking.sendall(said)


control = socket.socket(fileno=os.dup(0))
hello = [b"t" + struct.pack("=I", len(part)) + part + b"\0" for part in (b"hello", os.environ["VERSION"].encode())]
content = b"".join(hello) + b"i" + struct.pack("=q", os.getpid())
control.sendall(struct.pack("=I", len(content)) + content)
while True:
    piece, passed, _, _ = socket.recv_fds(control, 9, 1)
    if not piece:
        break
    if passed:
        threading.Thread(target=talk, args=(socket.socket(fileno=passed[0]),), daemon=True).start()
