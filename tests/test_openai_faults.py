"""Each fault of a model server ends in time, in a clear error or in a retry that works."""

from __future__ import annotations

import email.utils
import logging
import re
import signal
import socket
import sys
import textwrap
import threading
import time
import traceback
import tracemalloc
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures._base import _AcquireFutures
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from askwhere.api_keys import Key
from askwhere.errors import ModelError
from askwhere.models import openai as client
from askwhere.models.openai import OpenAI
from askwhere.models.protocol import estimate
from faulty import (
    Fault,
    Faulty,
    answer,
    bomb,
    drip,
    endless,
    head,
    interrupted,
    raw,
    refusal,
    reply,
    reset,
    silence,
)

pytestmark = pytest.mark.slow

GOOD = answer(reply("SELECT 1"))
SECRET = "sk-SECRET123"
# Seconds for what comes at once, and seconds that a call may end later than it must: the machine may be busy.
LONG = 600.0
GRACE = 60.0


@pytest.fixture(autouse=True)
def _no_long_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "BACKOFF", 0.01)


@pytest.fixture(autouse=True)
def _imported() -> None:
    import openai  # noqa: F401  # its time is not the server's


@contextmanager
def asked(*faults: Fault, models: tuple[str, ...] = (), **options: Any) -> Iterator[tuple[OpenAI, Faulty]]:
    with Faulty(faults, models) as server:
        model = OpenAI("some-model", server.url, **options)
        yield model, server
        model.close()


def failure(model: OpenAI, seconds: float = LONG, **options: Any) -> str:
    """The error of a call, without the words that are in all of them."""
    started = time.monotonic()
    with pytest.raises(ModelError) as caught:
        model.complete("how many?", seconds=seconds, **options)
    assert time.monotonic() - started < seconds + GRACE
    assert caught.value.__context__ is None
    start, _, said = str(caught.value).partition(": ")
    assert start == f"openai:some-model at {model._client.host}"
    return said


# Connections


def test_a_refused_connection_asks_whether_the_server_runs() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
    model = OpenAI("some-model", url)
    assert failure(model) == (
        "nothing answers there (connection refused); is the server running, and is base_url right? (asked 3 times)"
    )
    model.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    "fault", [reset(), reset(b"HTTP/1.1 200"), reset(head(content_length="100") + b'{"choices": [')]
)
def test_a_connection_that_breaks_off_is_tried_again(fault: Fault) -> None:
    with asked(fault) as (model, server):
        assert failure(model) == "the connection was closed before the reply was complete (asked 3 times)"
        assert len(server.requests) == 3
    with asked(fault, GOOD) as (model, server):
        done = model.complete("q", seconds=LONG)
        assert (done.texts, done.requests, len(server.requests)) == (("SELECT 1",), 2, 2)


@pytest.mark.slow
@pytest.mark.parametrize(
    "fault",
    [
        silence,
        drip(b"", b"HTTP/1.1 200 OK\r\n"),
        drip(b"HTTP/1.1 200 OK\r\n", b"X-A: b\r\n"),
        drip(b"", b"HTTP/1.1 100 Continue\r\n\r\n", pause=0.01),
        drip(head(), b" "),
        drip(head(content_length="1000000"), b" "),
        drip(head(500), b" "),
        drip(head(transfer_encoding="chunked"), b"1\r\n \r\n"),
    ],
)
def test_a_slow_server_is_given_up_in_time(fault: Fault) -> None:
    with asked(fault) as (model, server):
        said = failure(model, seconds=0.3)
        assert said == "no complete reply came within 0.3 s; give it more, or ask a faster model"
        assert len(server.requests) <= 1


def test_the_time_is_for_all_retries_together() -> None:
    def slow(exchange: Any) -> None:
        exchange.wait(0.3)
        refusal("overloaded", 503)(exchange)

    with asked(slow) as (model, server):
        failure(model, seconds=0.5)
        assert len(server.requests) < 3


def test_a_name_that_takes_long_to_look_up_is_given_up_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    released = threading.Event()

    def lookup(*arguments: Any, **options: Any) -> Any:
        released.wait(LONG)
        raise socket.gaierror(socket.EAI_NONAME, "unknown")

    monkeypatch.setattr(socket, "getaddrinfo", lookup)
    model = OpenAI("some-model", "https://slow.test/v1")
    assert failure(model, seconds=0.2).startswith("no complete reply came within 0.2 s")
    released.set()
    assert failure(model).startswith("there is no such host, or no network; is base_url right?")
    model.close()


def test_a_server_without_tls_behind_https_is_told_apart() -> None:
    with Faulty((GOOD,)) as server:
        model = OpenAI("some-model", server.url.replace("http:", "https:"))
        assert failure(model).startswith(
            "no secure connection could be made; is base_url right, and does that server speak https?"
        )
        model.close()


def test_a_secure_connection_that_never_comes_about_is_given_up_in_time() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        model = OpenAI("some-model", f"https://127.0.0.1:{listening.getsockname()[1]}/v1")
        assert failure(model, seconds=0.3).startswith("no complete reply came within 0.3 s")
        model.close()


def test_no_thread_or_connection_stays_behind() -> None:
    before = threading.active_count()
    with asked(silence) as (model, _):
        failure(model, seconds=0.1, n=4)
    until = time.monotonic() + GRACE
    while threading.active_count() > before and time.monotonic() < until:
        time.sleep(0.01)
    assert threading.active_count() <= before


# What a status says


def test_a_401_that_echoes_the_key_shows_it_nowhere(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    echo = answer(
        {"error": {"message": f"Incorrect key {SECRET}, sent as Bearer {SECRET}"}},
        401,
        phrase=f"No {SECRET}",
        x_echo=SECRET,
    )
    with asked(echo, key=Key(SECRET)) as (model, server):
        with pytest.raises(ModelError) as caught:
            model.complete("how many?", seconds=LONG)
        assert server.requests[0].headers["authorization"] == f"Bearer {SECRET}"
        assert len(server.requests) == 1
    error = caught.value
    locals_too = traceback.TracebackException(type(error), error, error.__traceback__, capture_locals=True)
    frames = [frame for frame in locals_too.stack if Path(frame.filename).name != Path(__file__).name]
    assert len(frames) > 2
    shown = [str(error), repr(error), repr(vars(error)), *traceback.format_exception(error)]
    shown += [*error.args, caplog.text, *(str(frame.locals) for frame in frames)]
    assert not [text for text in shown if "SECRET" in text]
    assert "it refused the key (401); put another into ASKWHERE_API_KEY or OPENAI_API_KEY" in str(error)
    assert str(error).endswith("It said: Incorrect key [key], sent as [key]")


def test_a_reply_that_echoes_the_key_comes_without_it() -> None:
    with asked(answer(reply(f"SELECT '{SECRET}'")), key=Key(SECRET)) as (model, _):
        assert model.complete("q", seconds=LONG).texts == ("SELECT '[key]'",)


def test_a_401_without_a_key_says_where_to_put_one() -> None:
    with asked(refusal("no", 401)) as (model, _):
        said = failure(model)
        assert said.startswith(
            "it requires a key (401): ASKWHERE_API_KEY or OPENAI_API_KEY in the environment, or api_key"
        )


@pytest.mark.parametrize(
    ("models", "said"),
    [
        ((), "; base_url usually ends in /v1"),
        (("some-model",), "; it lists 'some-model', so base_url may be wrong: it usually ends in /v1"),
        (("a", "some-modle", "b"), "; it lists some-modle and 2 more"),
        (("x", "y"), "; it lists x, y"),
    ],
)
def test_a_404_says_what_the_server_has(models: tuple[str, ...], said: str) -> None:
    with asked(refusal("no such model", 404), models=models) as (model, _):
        assert failure(model) == f"it knows no such model or address (404){said}. It said: no such model"


def test_a_404_is_no_reason_to_take_more_time(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, later = time.monotonic, 0.0
    monkeypatch.setattr(client, "LISTING", 2 * LONG)
    monkeypatch.setattr(time, "monotonic", lambda: clock() + later)

    def listing(exchange: Any) -> None:
        nonlocal later
        later = LONG
        silence(exchange)

    with asked(refusal("no such model", 404)) as (model, server):
        server.listing = listing
        with pytest.raises(ModelError) as caught:
            model.complete("q", seconds=LONG)
        assert str(caught.value).partition(": ")[2].startswith("it knows no such model or address (404); base_url")


def test_a_429_that_asks_for_more_time_than_there_is_says_so_at_once() -> None:
    with asked(refusal("slow down", 429, retry_after="119")) as (model, server):
        started = time.monotonic()
        said = failure(model, seconds=100)
        assert time.monotonic() - started < GRACE
        assert said.startswith(
            "too many requests, or a quota is used up (429); wait and ask again; it asks to wait 119 s"
        )
        assert said.endswith("were left: ask again later. It said: slow down")
        assert len(server.requests) == 1


@pytest.mark.parametrize(
    "wait", [{"retry_after": "0"}, {"retry_after": "0.05"}, {"retry_after_ms": "50"}, {"retry_after": "soon"}, {}]
)
def test_a_429_that_asks_for_little_time_is_given_it(wait: dict[str, str]) -> None:
    with asked(refusal("slow down", 429, **wait), GOOD) as (model, server):
        done = model.complete("q", seconds=LONG)
        assert (done.texts, done.requests, len(server.requests)) == (("SELECT 1",), 2, 2)


def test_a_429_may_name_a_date() -> None:
    later = email.utils.formatdate(time.time() + 300, usegmt=True)
    with asked(refusal("slow down", 429, retry_after=later)) as (model, _):
        assert re.search(r"it asks to wait (2[5-9]\d(\.\d)?|300) s", failure(model, seconds=100))


def test_a_429_may_name_a_year_that_no_calendar_has() -> None:
    with asked(refusal("slow down", 429, retry_after="Mon, 01 Jan 99999999999 00:00:00 GMT"), GOOD) as (model, _):
        assert model.complete("q", seconds=LONG).requests == 2


@pytest.mark.parametrize("name", ["Content-Type", "Location", "x-request-id", "Retry-After"])
def test_headers_that_are_not_ascii_do_no_harm(name: str) -> None:
    said = raw(f"HTTP/1.1 404 X\r\n{name}: ".encode() + b"\xff\x1b[31m\xfe\r\nContent-Length: 2\r\n\r\n{}")
    with asked(said) as (model, _):
        assert failure(model).isprintable()


def test_an_empty_account_is_not_asked_twice() -> None:
    broke = answer({"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}}, 429)
    with asked(broke) as (model, server):
        assert failure(model).endswith("(429); wait and ask again. It said: You exceeded your current quota")
        assert len(server.requests) == 1


def test_a_server_that_fails_twice_is_asked_a_third_time_and_no_more() -> None:
    with asked(refusal("oops", 500), refusal("oops", 502), GOOD) as (model, server):
        done = model.complete("q", seconds=LONG)
        assert (done.texts, done.requests, len(server.requests)) == (("SELECT 1",), 3, 3)
    with asked(refusal("oops", 500)) as (model, server):
        assert failure(model) == "it failed (500); ask again later (asked 3 times). It said: oops"
        assert len(server.requests) == 3


def test_a_refused_request_says_the_servers_words_and_not_many() -> None:
    with asked(refusal("maximum context length " * 100, 400)) as (model, server):
        said = failure(model)
        assert said.startswith("it refused the request (400). It said: maximum context length maximum")
        assert len(said) < 400
        assert len(server.requests) == 1


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_is_not_followed(status: int) -> None:
    with Faulty((GOOD,)) as elsewhere, asked(answer("", status, location=elsewhere.url)) as (model, _):
        assert failure(model) == (
            f"it redirects ({status}) to {elsewhere.url}, which is not followed as it would take the prompt and the key"
            " elsewhere; set base_url to the address that answers"
        )
        assert not elsewhere.requests


# What a body says


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (answer('{"choices": [{"mess'), "the reply is not valid JSON; ask again, and look at the server's log"),
        (answer(""), "the reply is not valid JSON; ask again, and look at the server's log"),
        (answer("[" * 900_000), "the reply is not valid JSON; ask again, and look at the server's log"),
        (answer("9" * 900_000), "the reply is not valid JSON; ask again, and look at the server's log"),
        (answer(b'"\xff\xfe"'), "the reply is no chat completion: ��"),
        (answer(reply()), "the reply has no choices; ask again, or ask another model"),
        (
            answer("<html>Sign in</html>", kind="text/html; charset=utf-8"),
            "the reply is text/html, a web page such as a network's sign-in, not JSON; is base_url right? It usually"
            " ends in /v1",
        ),
        (
            answer("data: {}", kind="text/event-stream"),
            "the reply is text/event-stream, not JSON; is base_url right? It usually ends in /v1",
        ),
        (endless, "the reply is longer than 1,000,000 bytes, and no answer is"),
        (
            answer(b"no gzip at all", content_encoding="gzip"),
            "the reply is damaged: it cannot be decompressed",
        ),
        (
            answer(b"x", content_encoding="zstd"),
            "the reply is compressed as 'zstd', which was not asked for",
        ),
        (raw(b"SSH-2.0-OpenSSH\r\n"), "the connection was closed before the reply was complete (asked 3 times)"),
    ],
)
def test_a_senseless_reply_is_one_clear_error(fault: Fault, said: str) -> None:
    with asked(fault) as (model, _):
        assert failure(model, seconds=LONG) == said


@pytest.mark.slow
def test_a_reply_that_unpacks_to_very_much_never_does() -> None:
    with asked(bomb(200)) as (model, _):
        tracemalloc.start()
        said = failure(model, seconds=LONG)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert said == "the reply is longer than 1,000,000 bytes, and no answer is"
        assert peak < 8_000_000


def test_a_packed_reply_is_unpacked() -> None:
    import gzip
    import json

    packed = gzip.compress(json.dumps(reply("SELECT 1")).encode())
    with asked(answer(packed, content_encoding="gzip")) as (model, _):
        assert model.complete("q", seconds=LONG).texts == ("SELECT 1",)


def test_a_reply_is_read_as_utf8_whatever_its_header_says() -> None:
    """Of these, Python decodes the first in time that grows with the square of the length, and the last not at all."""
    for charset in ("punycode", "utf-16", "zlib_codec"):
        with asked(answer(reply("SELECT 'ä'"), kind=f"application/json; charset={charset}")) as (model, _):
            assert model.complete("q", seconds=LONG).texts == ("SELECT 'ä'",)


def test_missing_usage_is_estimated() -> None:
    with asked(answer(reply("SELECT 1", usage="none"))) as (model, _):
        done = model.complete("how many?", seconds=LONG)
        assert (done.prompt_tokens, done.completion_tokens) == (estimate("how many?"), estimate("SELECT 1"))


# What a server does not take


def test_a_server_that_ignores_n_is_asked_for_the_rest_with_other_seeds_and_remembered() -> None:
    with asked(GOOD) as (model, server):
        done = model.complete("q", n=7, seed=100, seconds=LONG)
        assert (len(done.texts), done.requests, done.prompt_tokens, done.completion_tokens) == (7, 7, 70, 14)
        assert server.bodies[0]["n"] == 7
        assert sorted(body["seed"] for body in server.bodies) == list(range(100, 107))
        assert model.complete("q", n=2, seconds=LONG).requests == 2
        assert all("n" not in body for body in server.bodies[1:])


def test_at_most_four_requests_run_at_once() -> None:
    lock, running, most = threading.Lock(), 0, 0

    def slow(exchange: Any) -> None:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        while most < 2 and exchange.wait(0.01):
            pass
        exchange.wait(0.03)
        with lock:
            running -= 1
        GOOD(exchange)

    with asked(slow, server="ollama") as (model, _):
        assert len(model.complete("q", n=10, seconds=LONG).texts) == 10
    assert 1 < most <= 4


def test_when_one_of_several_requests_fails_the_others_are_not_waited_for() -> None:
    with asked(silence, silence, refusal("no", 403), server="ollama", key=Key(SECRET)) as (model, server):
        started = time.monotonic()
        assert failure(model, seconds=LONG, n=10).startswith("this key may not use that model")
        assert time.monotonic() - started < GRACE
        assert len(server.requests) <= 6


REFUSED: list[tuple[Fault, dict[str, Any], Callable[[dict[str, Any]], bool]]] = [
    (refusal("'n' must be 1", param="n"), {"n": 2}, lambda body: "n" not in body),
    (
        refusal("Unsupported value: 'temperature' does not support 0 with this model.", param="temperature"),
        {},
        lambda body: "temperature" not in body,
    ),
    (
        refusal("Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead."),
        {},
        lambda body: body.get("max_completion_tokens") == 1_024 and "max_tokens" not in body,
    ),
    (
        answer({"detail": [{"loc": ["body", "seed"], "msg": "Extra inputs are not permitted"}]}, 422),
        {"seed": 1},
        lambda body: "seed" not in body,
    ),
    (refusal("Unsupported parameter: 'stop'"), {"stop": (";",)}, lambda body: "stop" not in body),
    (refusal("Unknown parameter: 'grammar'"), {"grammar": 'root ::= "x"'}, lambda body: "grammar" not in body),
]


@pytest.mark.parametrize(("fault", "options", "without"), REFUSED)
def test_what_a_server_refuses_is_left_out_and_stays_out(
    fault: Fault, options: dict[str, Any], without: Callable[[dict[str, Any]], bool]
) -> None:
    with asked(fault, GOOD, server="llama-server") as (model, server):
        assert set(model.complete("q", seconds=LONG, **options).texts) == {"SELECT 1"}
        assert not without(server.bodies[0])
        assert all(map(without, server.bodies[1:]))
        sent = len(server.requests)
        model.complete("q", seconds=LONG, **options)
        assert all(map(without, server.bodies[sent:]))
        assert model.grammars == ("grammar" not in options)


def test_a_server_may_refuse_one_parameter_after_another() -> None:
    refusals = [refusal(f"Unsupported parameter: '{name}'") for name in ("temperature", "stop", "seed", "max_tokens")]
    with asked(*refusals, GOOD) as (model, server):
        done = model.complete("q", stop=(";",), seed=1, seconds=LONG)
        assert (done.texts, done.requests) == (("SELECT 1",), 5)
        assert set(server.bodies[-1]) == {"model", "messages", "max_completion_tokens"}


def test_a_server_that_refuses_every_limit_on_tokens_is_an_error() -> None:
    with asked(refusal("Unsupported: max_tokens"), refusal("Unsupported: max_completion_tokens")) as (model, server):
        assert failure(model).startswith("it refused the request (400)")
        assert len(server.requests) == 2


def test_embeddings_live_with_the_same_faults() -> None:
    vectors = answer({"data": [{"index": 0, "embedding": [1.5]}]})
    with asked(refusal("oops", 500), reset(), vectors) as (model, server):
        assert model.embed(["a"], seconds=LONG) == [[1.5]]
        assert len(server.requests) == 3
    for fault, said, seconds in [
        (refusal("no", 404), r"no such model or address", LONG),
        (silence, "no complete reply", 0.3),
        (GOOD, "1 emb", LONG),
    ]:
        with asked(fault) as (model, _), pytest.raises(ModelError, match=said):
            model.embed(["a"], seconds=seconds)


# Ctrl-C


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
@pytest.mark.parametrize("n", [1, 6])
def test_ctrl_c_ends_it_at_once(n: int) -> None:
    code = f"""
        import sys
        from askwhere.models.openai import OpenAI
        model = OpenAI("m", sys.argv[1], server="ollama")
        try:
            model.complete("q", n={n}, seconds={2 * LONG})
        except KeyboardInterrupt:
            print("interrupted")
        model.close()
    """
    with Faulty((drip(head(), b" "),)) as server:
        command = [sys.executable, "-W", "error", "-c", textwrap.dedent(code), server.url]
        assert interrupted(command, server) == ("interrupted\n", "")


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_ctrl_c_as_a_waiter_takes_its_locks_ends_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    """`concurrent.futures.wait` takes the lock of each future: a caller that Ctrl-C stops there frees none."""
    enter = _AcquireFutures.__enter__

    def entered(taking: _AcquireFutures) -> None:
        enter(taking)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(_AcquireFutures, "__enter__", entered)
    with asked(silence, server="ollama") as (model, _), pytest.raises(KeyboardInterrupt):
        model.complete("q", n=6, seconds=LONG)


def test_ctrl_c_while_requests_are_begun_ends_those_that_are_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    submit, begun = ThreadPoolExecutor.submit, []

    def interrupting(pool: ThreadPoolExecutor, *call: Any) -> Any:
        if len(begun) == 2:
            raise KeyboardInterrupt
        begun.append(submit(pool, *call))
        return begun[-1]

    monkeypatch.setattr(ThreadPoolExecutor, "submit", interrupting)
    with asked(silence, server="ollama") as (model, _):
        started = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            model.complete("q", n=6, seconds=LONG)
        assert time.monotonic() - started < LONG / 2
    assert len(begun) == 2
