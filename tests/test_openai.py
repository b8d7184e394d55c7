"""The client of OpenAI-compatible servers: keys, flags of servers, payloads, prices; faults are in another file."""

from __future__ import annotations

import copy
import json
import logging
import pickle
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from askwhere import api_keys
from askwhere.api_keys import Key, redact
from askwhere.errors import ModelError, SettingError
from askwhere.models import address, faults, payloads, prices, servers
from askwhere.models.openai import OpenAI
from askwhere.models.protocol import Completions, estimate
from askwhere.models.servers import CallParams, Server
from faulty import Faulty, answer, reply

SECRET = "sk-SECRET123"


# Keys


def test_a_key_shows_itself_in_no_ordinary_way() -> None:
    key = Key(SECRET)
    shown = f"{key} {key!r} {vars(key)} {[key]} {pickle.dumps(key)!r} {copy.deepcopy(key)!r}"
    assert "SECRET" not in shown
    assert key.value == SECRET
    assert copy.deepcopy([key])[0].value == SECRET
    assert not pickle.loads(pickle.dumps(key))


def test_redact_removes_the_key_and_what_looks_like_one() -> None:
    assert redact("a mykey12345 b", Key("mykey12345")) == "a [key] b"
    assert redact("Incorrect API key provided: sk-SECR***T123.") == "Incorrect API key provided: [key]."
    assert redact('{"authorization": "Bearer abc.def"}') == '{"authorization": "[key]"}'
    assert redact("the task-force asks ollama", Key("ollama")) == "the task-force asks ollama"


def test_a_key_is_found_in_the_environment_then_in_the_file(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    assert api_keys.find({}, file) is None
    file.write_text('api_key = "from-file"\n')
    file.chmod(0o600)
    both = {"OPENAI_API_KEY": "openai", "ASKWHERE_API_KEY": "own"}
    found = [api_keys.find(environment, file) for environment in (both, {"OPENAI_API_KEY": " openai "}, {})]
    assert [key.value for key in found if key] == ["own", "openai", "from-file"]


@pytest.mark.parametrize("content", [f'api_key = "{SECRET}', f"api_key = ['{SECRET}']", f'api_key = "{SECRET} x"'])
def test_a_wrong_key_in_the_file_is_not_repeated_in_the_error(content: str, tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text(content)
    with pytest.raises(SettingError) as caught:
        api_keys.find({}, tmp_path / "config.toml")
    assert "SECRET" not in str(caught.value)
    assert caught.value.__context__ is None


# Servers


@pytest.mark.parametrize(
    ("name", "host", "found"),
    [
        ("", "api.openai.com", "openai"),
        ("", "eu.api.openai.com", "openai"),
        ("", "x.openai.azure.com", "azure"),
        ("", "notapi.openai.com.example", "other"),
        ("", "evilapi.openai.com", "other"),
        ("", "127.0.0.1", "other"),
        ("vllm", "127.0.0.1", "vllm"),
        ("other", "api.openai.com", "other"),
    ],
)
def test_a_server_is_known_by_name_or_by_host(name: str, host: str, found: str) -> None:
    assert servers.find(name, host).name == found


ALL = CallParams("q", 3, 0.5, 100, ("a", "b", "c", "d", "e"), 7, 'root ::= "x"')


@pytest.mark.parametrize(
    ("server", "sent"),
    [
        ("openai", {"max_completion_tokens": 100, "n": 3}),
        ("azure", {"max_completion_tokens": 100, "n": 3}),
        ("vllm", {"max_tokens": 100, "n": 3, "structured_outputs": {"grammar": 'root ::= "x"'}}),
        ("llama-server", {"max_tokens": 100, "n": 3, "grammar": 'root ::= "x"'}),
        ("llama-cpp-python", {"max_tokens": 100, "grammar": 'root ::= "x"'}),
        ("ollama", {"max_tokens": 100}),
        ("other", {"max_tokens": 100, "n": 3}),
    ],
)
def test_each_server_is_sent_what_it_takes(server: str, sent: dict[str, Any]) -> None:
    common = {"temperature": 0.5, "stop": ["a", "b", "c", "d"], "seed": 7}
    assert servers.options(servers.find(server, ""), ALL) == common | sent


def test_nothing_is_sent_that_was_not_asked_for() -> None:
    assert servers.options(Server("other"), CallParams("q")) == {"max_tokens": 1_024, "temperature": 0.0}


# Messages as the servers word them.
LESSONS = [
    (400, "Unsupported value: 'temperature' does not support 0.5 with this model.", "temperature"),
    (
        400,
        "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens'.",
        "tokens",
    ),
    (400, "Unsupported parameter: 'stop' is not supported with this model.", "stop"),
    (422, "body.seed: Extra inputs are not permitted", "seed"),
    (400, "Unknown parameter: 'grammar'.", "grammar"),
    (400, "property 'seed' is unsupported", "seed"),
    (400, "n must be 1 when using greedy sampling, got 3.", "many"),
    (400, "'n' : number must be at most 1", "many"),
    (400, "n_cmpl cannot be greater than the number of slots, please increase -np", "many"),
    (500, "Only one completion choice is allowed", "many"),
    (500, "temperature is not supported", None),
    (401, "temperature is not supported", None),
    (400, "This model's maximum context length is 4096 tokens, however you requested 5000 max_tokens", None),
    (400, "Failed to parse grammar", None),
    (400, "unknown model", None),
]


@pytest.mark.parametrize(("status", "said", "lesson"), LESSONS)
def test_a_refusal_that_names_a_parameter_teaches_to_leave_it_out(status: int, said: str, lesson: str | None) -> None:
    server = servers.find("llama-server", "")
    learned = servers.learn(server, ALL, status, said)
    if lesson is None:
        assert learned is None
        return
    assert learned is not None
    before, after = servers.options(server, ALL), servers.options(learned, ALL)
    name = {"many": "n", "tokens": "max_tokens"}.get(lesson, lesson)
    assert set(before) - set(after) == {name}
    assert set(after) - set(before) == ({"max_completion_tokens"} if lesson == "tokens" else set())
    assert servers.learn(learned, ALL, status, said) is None


# Payloads


def chat(**message: Any) -> dict[str, Any]:
    return {"choices": [{"message": message, "finish_reason": "stop"}]}


@pytest.mark.parametrize(
    ("payload", "n", "found"),
    [
        (reply("SELECT 1"), 1, Completions(("SELECT 1",), 10, 2)),
        (reply("a", "b", "c"), 2, Completions(("a", "b"), 10, 6)),
        (reply("a", usage={"prompt_tokens": None, "completion_tokens": True}), 1, Completions(("a",), 2, 1)),
        (reply("a", usage="many"), 1, Completions(("a",), 2, 1)),
        (chat(content=[{"type": "text", "text": "SEL"}, {"text": "ECT"}, 7]), 1, Completions(("SELECT",), 2, 3)),
        (chat(content="\ud800x"), 1, Completions(("?x",), 2, 2)),
        ({"choices": [7, *chat(content="b")["choices"]]}, 2, Completions(("", "b"), 2, 2)),
    ],
)
def test_a_reply_is_read(payload: Any, n: int, found: Completions) -> None:
    assert payloads.completions(payload, "hello", n) == found


def test_tokens_that_nobody_counted_are_estimated() -> None:
    found = payloads.completions(chat(content="SELECT 1"), "how many?", 1)
    assert (found.prompt_tokens, found.completion_tokens) == (estimate("how many?"), estimate("SELECT 1"))


@pytest.mark.parametrize(
    ("payload", "said"),
    [
        (None, "the reply is no chat completion: null"),
        ([], "the reply is no chat completion: []"),
        ({"error": {"message": "no GPU"}}, "the reply is no chat completion: no GPU"),
        ({"choices": []}, "the reply has no choices; ask again, or ask another model"),
        ({"choices": [None]}, "the reply has no text; ask again, or ask another model"),
        ({"choices": [{"message": "text"}]}, "the reply has no text; ask again, or ask another model"),
        (chat(content=None), "the reply has no text; ask again, or ask another model"),
        (chat(content=None, refusal="I can't\nhelp."), "the model refused: I can't help."),
        (chat(content=None, tool_calls=[{}]), "the model called a tool instead of writing text; ask another model"),
        (
            {"choices": [{"message": {"content": ""}, "finish_reason": "length"}]},
            "the model used up its tokens before it wrote any text: ask a model that reasons less, or raise max_tokens",
        ),
        (
            {"choices": [{"message": {}, "finish_reason": "content_filter"}]},
            "the server's content filter held the reply back; say the question in other words",
        ),
    ],
)
def test_a_senseless_reply_is_an_error_that_says_what_it_is(payload: Any, said: str) -> None:
    with pytest.raises(ModelError) as caught:
        payloads.completions(payload, "q", 1)
    assert str(caught.value) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"error": {"message": "bad", "param": "seed"}}', "seed: bad"),
        ('{"error": {"message": "bad seed", "param": "seed"}}', "bad seed"),
        ('{"error": "model not found"}', "model not found"),
        ('{"detail": [{"loc": ["body", "n"], "msg": "not permitted", "input": "prompt"}]}', "body.n: not permitted"),
        ('{"object": "error", "message": "bad"}', "bad"),
        ("plain \x1b[31m\n text", "plain [31m text"),
        ("<!DOCTYPE html><title>502</title>", ""),
        ("x" * 1_000, "x" * 299 + "…"),
        ("[" * 100_000, "[" * 299 + "…"),
    ],
)
def test_what_a_server_said_is_found_in_the_shapes_that_errors_have(text: str, said: str) -> None:
    assert payloads.error_text(text) == said


@pytest.mark.parametrize(
    "text",
    [
        '{"error": ' * 900 + '"x"' + "}" * 900,
        "".join(f'{{"param": "{"w w " * 400}{n}", "error": ' for n in range(500)) + '"x"' + "}" * 500,
        '{"param": ' * 900 + "1" + "}" * 900,
        '{"detail": [' * 400 + '"x"' + "]}" * 400,
        '{"loc": [1' + "0" * 4_000 + '], "msg": "x"}',
    ],
    ids=["nested", "places", "nested place", "lists", "number"],
)
def test_a_message_is_found_in_little_time_or_not_at_all(text: str) -> None:
    began = time.process_time()
    assert len(payloads.error_text(text)) <= payloads.REPEATED
    assert time.process_time() - began < 20  # the second took 85 seconds


def test_a_near_name_is_looked_for_among_a_thousand() -> None:
    began = time.process_time()
    faults.listed("a" * 100, [f"{'a' * 99}{n}"[-100:] for n in range(9_000)])
    assert time.process_time() - began < 60


@pytest.mark.parametrize("number", ["NaN", "1e999", "-Infinity", "1" + "0" * 400])
def test_what_no_number_of_a_vector_can_be_is_an_error(number: str) -> None:
    payload = json.loads(f'{{"data": [{{"index": 0, "embedding": [1, {number}]}}]}}')
    with pytest.raises(ModelError, match="an embedding that is no list of numbers"):
        payloads.vectors(payload, 1)


def test_vectors_come_in_the_order_of_the_texts() -> None:
    rows = [{"index": 1, "embedding": [2]}, {"index": 0, "embedding": [1, 0.5]}]
    assert payloads.vectors({"data": rows}, 2) == [[1.0, 0.5], [2.0]]
    for wrong in ([], "AAA", None, [True], [[1], [1, 2]], [[1], 2], [[]], [[[[]]]]):
        with pytest.raises(ModelError, match="an embedding that is no list of numbers"):
            payloads.vectors({"data": [{"embedding": wrong}]}, 1)
    with pytest.raises(ModelError, match="the reply does not have 2 embeddings: no such model"):
        payloads.vectors({"error": "no such model"}, 2)


def test_vectors_of_tokens_become_their_mean() -> None:
    assert payloads.vectors({"data": [{"embedding": [[1, 2], [3, 6]]}]}, 1) == [[2.0, 4.0]]


def test_a_text_is_cut_at_the_first_stop() -> None:
    assert payloads.cut("SELECT 1; SELECT 2\n\nmore", ("\n\n", ";")) == "SELECT 1"
    assert payloads.cut("SELECT 1", ("", ";")) == "SELECT 1"


# Prices


def test_costs_are_dollars_a_million_tokens_and_own_prices_win() -> None:
    assert prices.cost("gpt-5-mini", 1_000_000, 1_000_000) == pytest.approx(2.25)
    assert prices.cost("openai:gpt-5-mini-2025-08-07", 2_000, 100) == pytest.approx(0.0007)
    assert prices.cost("gpt-5-mini", 1_000_000, 0, {"gpt-5-mini": [1, 2]}) == 1.0
    assert prices.cost("openai:mine", 1_000_000, 0, {"openai:mine": [3, 4]}) == 3.0
    assert prices.cost("gguf:/x.gguf", 1, 1) is None


# Addresses


@pytest.mark.parametrize(
    "wrong",
    ["ftp://x/v1", "x", "http://", "https://user:pw@host/v1", "http://[::1", "https://host:99999/v1", "http://host/v1"],
)
def test_an_address_that_a_prompt_may_not_be_sent_to_is_refused(wrong: str) -> None:
    with pytest.raises(ModelError, match=r"^base_url: ") as caught:
        OpenAI("x", wrong)
    assert "pw" not in str(caught.value)


def test_plain_http_is_for_this_machine_or_by_permission() -> None:
    assert address.checked("http://localhost:8080/v1") == "localhost"
    assert address.checked("http://[::1]:8080/v1") == "::1"
    assert address.checked("http://gpu.lan/v1", plain_http=True) == "gpu.lan"


@pytest.mark.slow
def test_the_environments_proxy_is_used_but_not_for_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    with Faulty((answer(reply("SELECT 1")),)) as server:
        monkeypatch.setenv("http_proxy", server.url.removesuffix("/v1").removeprefix("http://"))
        monkeypatch.setenv("no_proxy", "")
        assert address.proxy("http://127.0.0.1/v1") is None
        model = OpenAI("x", "http://model.test/v1", plain_http=True)
        assert model.complete("q", seconds=600).texts == ("SELECT 1",)
        assert server.requests[0].path == "http://model.test/v1/chat/completions"
        model.close()


# The client


def test_what_is_sent_is_one_user_message_and_the_key_to_this_server_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-environment")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-x")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1")
    with Faulty((answer(reply("SELECT 1")),)) as server:
        for key in (Key(SECRET), None):
            model = OpenAI("some-model", server.url, key)
            assert model.complete("how many \ud800?", seconds=600).texts == ("SELECT 1",)
            model.close()
        keyed, bare = server.requests
    assert keyed.body == {
        "model": "some-model",
        "messages": [{"role": "user", "content": "how many ??"}],
        "max_tokens": 1_024,
        "temperature": 0.0,
    }
    assert keyed.headers["authorization"] == f"Bearer {SECRET}"
    assert "authorization" not in bare.headers
    assert not {"openai-organization", "openai-project"} & {*keyed.headers, *bare.headers}


def test_n_completions_come_in_one_request_and_the_flags_are_those_of_the_server() -> None:
    with Faulty((answer(reply("a;x", "b")),)) as server:
        model = OpenAI("m", server.url, server="llama-server")
        assert model.complete("q", n=2, stop=(";",), seconds=600) == Completions(("a", "b"), 10, 4, 1)
        model.close()
    assert (model.name, model.remote, model.timed, model.context) == ("openai:m", True, True, None)
    assert model.grammars
    assert not OpenAI("m").grammars


def test_texts_are_embedded_some_at_a_time_in_order() -> None:
    def fault(exchange: Any) -> None:
        rows = [{"index": i, "embedding": [float(text)]} for i, text in enumerate(exchange.body["input"])]
        answer({"data": rows[::-1]})(exchange)

    with Faulty((fault,)) as server:
        for kind in ("ollama", "other"):
            model = OpenAI("m", server.url, server=kind)
            assert model.embed([str(i) for i in range(10)], seconds=600) == [[float(i)] for i in range(10)]
            model.close()
    assert [len(body["input"]) for body in server.bodies] == [8, 2, *[1] * 10]


def test_closing_frees_and_asking_again_works() -> None:
    with Faulty((answer(reply("a")),)) as server:
        model = OpenAI("m", server.url, Key(SECRET))
        for _ in range(2):
            assert model.complete("q", seconds=600).texts == ("a",)
            assert logging.getLogger("httpcore2.http11").filters
            model.close()
            assert not logging.getLogger("httpcore2.http11").filters


def test_nothing_of_the_package_is_imported_before_it_is_needed_and_its_lack_names_the_extra() -> None:
    code = """
import sys
from askwhere.models.openai import OpenAI
model = OpenAI("gpt-5-mini")
assert not {"openai", "httpx2"} & set(sys.modules)
sys.modules["openai"] = None
try:
    model.complete("q")
except Exception as exc:
    print(type(exc).__name__, exc)
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == ("ModelError models openai:… and ollama:… need the openai package: pip install openai")


def test_whose_account_it_is_is_told_to_openai_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-x")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-x")
    with Faulty((answer(reply("SELECT 1")),)) as server:
        model = OpenAI("house", server.url, server="openai")
        model.complete("p")
        model.close()
        [asked] = server.requests
    assert not {"openai-organization", "openai-project"} & {*asked.headers}


def test_a_model_can_be_printed_and_its_parts_hold_no_readable_key() -> None:
    model = OpenAI("m", "https://h/v1", Key(SECRET))
    assert repr(model) == "OpenAI('m', 'h')"
    assert "SECRET" not in f"{vars(model)} {vars(model._client)} {json.dumps(vars(model._client), default=repr)}"


@pytest.mark.parametrize("proxy", ["socks5://127.0.0.1:1", "nonsense://x", "http://user:secret@:x"])
def test_a_proxy_that_cannot_be_used_is_a_clear_error(proxy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("https_proxy", proxy)
    with pytest.raises(ModelError, match=r"^no connection to h can be made, by its address or by a proxy: \w+$"):
        OpenAI("m", "https://h/v1").complete("q", seconds=1)
