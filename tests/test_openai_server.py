"""The client against a real server of another make: llama-cpp-python's, over loopback, with a model of random weights.

Needs the extra `llama-cpp-python[server]`.
"""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from askwhere.errors import ModelError
from askwhere.models.openai import OpenAI
from servers import free_port

pytestmark = pytest.mark.slow
GRAMMAR = 'root ::= "SELECT " ("name" | "country") " FROM customers" (" LIMIT " [1-9])?'
SQL = re.compile(r"SELECT (name|country) FROM customers( LIMIT [1-9])?")


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    from tiny_gguf import write_model

    folder = tmp_path_factory.mktemp("server")
    port = free_port()
    options = {"model": write_model(folder / "tiny.gguf"), "model_alias": "tiny", "port": port, "n_ctx": 2048}
    options |= {"n_threads": 1, "embedding": True, "verbose": False, "seed": 1}
    arguments = [str(part) for name, value in options.items() for part in (f"--{name}", value)]
    with (
        open(folder / "log", "wb") as log,
        subprocess.Popen([sys.executable, "-m", "llama_cpp.server", *arguments], stdout=log, stderr=log) as server,
    ):
        try:
            _wait(server, port, folder / "log")
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.terminate()


def _wait(server: subprocess.Popen[bytes], port: int, log: Path) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until and server.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.1)
    pytest.fail(f"the server did not start: {log.read_text()[-2_000:]}")


@pytest.fixture
def model(url: str) -> Iterator[OpenAI]:
    model = OpenAI("tiny", url, server="llama-cpp-python")
    yield model
    model.close()


def test_a_completion_comes_with_the_tokens_that_the_server_counted(model: OpenAI) -> None:
    done = model.complete("How many customers are there?", temperature=0.8, max_tokens=12, seed=3, seconds=60)
    assert len(done.texts) == 1
    assert done.requests == 1
    assert 5 < done.prompt_tokens < 100
    assert 0 < done.completion_tokens <= 13  # the server counts the one that it stops at


def test_a_grammar_holds_every_completion(model: OpenAI) -> None:
    assert model.grammars
    done = model.complete("q", n=6, temperature=1.0, max_tokens=40, seed=1, grammar=GRAMMAR, seconds=120)
    assert all(SQL.fullmatch(text) for text in done.texts)
    assert len(set(done.texts)) > 1  # of different seeds
    free = model.complete("q", temperature=1.0, max_tokens=20, seed=1, seconds=60)
    assert not SQL.fullmatch(free.texts[0])


def test_a_server_of_unknown_kind_turns_out_to_ignore_n(url: str) -> None:
    model = OpenAI("tiny", url)
    done = model.complete("q", n=3, max_tokens=5, seed=1, temperature=1.0, seconds=60)
    assert (len(done.texts), done.requests) == (3, 3)
    model.close()


def test_the_same_seed_gives_the_same_text_and_stops_cut_it(model: OpenAI) -> None:
    first, second = (model.complete("q", max_tokens=30, seed=5, seconds=60).texts[0] for _ in range(2))
    assert first == second
    middle = first[len(first) // 2 :][:3]
    assert model.complete("q", max_tokens=30, seed=5, stop=(middle,), seconds=60).texts[0] == first.partition(middle)[0]


def test_texts_have_vectors(model: OpenAI) -> None:
    found = model.embed(["customers", "orders", "customers"], seconds=60)
    assert len(found) == 3
    assert {len(vector) for vector in found} == {128}
    assert found[0] == pytest.approx(found[2], abs=1e-4)
    assert found[0] != pytest.approx(found[1], abs=1e-2)


def test_a_prompt_that_does_not_fit_is_an_error_in_the_servers_words(model: OpenAI) -> None:
    with pytest.raises(ModelError, match=r"it refused the request \(400\)\. It said: .*maximum context length"):
        model.complete("how many customers " * 2_000, seconds=60)


def test_a_long_answer_is_given_up_in_time_and_the_server_goes_on(model: OpenAI) -> None:
    with pytest.raises(ModelError, match="no complete reply came within"):
        model.complete("q", max_tokens=2_000, temperature=1.0, grammar='root ::= "x" root', seconds=0.1)
    assert model.complete("q", max_tokens=3, seconds=60).texts


def test_threads_share_a_model(model: OpenAI) -> None:
    with ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(model.complete, f"question {i}", max_tokens=4, seconds=120) for i in range(8)]
    assert all(each.result().texts for each in asked)
