"""The setting prompt_cache: the next process evaluates only what is new, and says the same.

On a small file with random weights, and on a real model.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from askwhere.bindings import connections
from askwhere.errors import ModelError, SettingError
from askwhere.models import llama_states, named
from askwhere.models.llama_cpp import LlamaCpp
from askwhere.models.llama_states import State
from askwhere.models.llama_weights import Weights
from support import ERRORS, Database
from tiny_gguf import write_lora, write_model

pytestmark = pytest.mark.slow

SCHEMA = "CREATE TABLE customers (id INTEGER, name TEXT, country TEXT, amount DOUBLE);\n" * 20
QUESTION, NEXT = f"{SCHEMA}-- customers in Canada", f"{SCHEMA}-- how many orders per customer?"
Process = Callable[..., LlamaCpp]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where this test's states are."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "askwhere" / "prompts"


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files of models and adapters."""
    folder = tmp_path_factory.mktemp("gguf")
    write_model(folder / "tiny.gguf")
    write_model(folder / "long.gguf", size="30M", context=32_768)
    write_model(folder / "other.gguf", seed=5)
    write_lora(folder / "lora.gguf", folder / "tiny.gguf")
    return folder


@pytest.fixture(scope="module")
def real(real_model: Path) -> Weights:
    """The weights of a real model, loaded once."""
    return Weights(real_model)


@pytest.fixture
def process(models: Path) -> Process:
    """Makes a model that has read nothing, as a new process has it."""
    return lambda kept="disk": LlamaCpp(Weights(models / "tiny.gguf"), prompt_cache=kept)


@pytest.fixture(params=["noise", "real"])
def either(request: pytest.FixtureRequest, process: Process) -> Process:
    """The same, and then with a real model."""
    if request.param == "noise":
        return process
    weights = request.getfixturevalue("real")
    return lambda kept="disk": LlamaCpp(weights, prompt_cache=kept)


def asked(model: LlamaCpp, prompt: str, fixed: str = SCHEMA) -> tuple[str, int]:
    """The greedy reply, and how many tokens of the prompt were evaluated for it; what is to be kept is then on disk."""
    before = model.evaluated
    got = model.complete(prompt, max_tokens=24, fixed=len(fixed))
    written()
    return got.texts[0], model.evaluated - before


def written() -> None:
    """Waits until all that is to be kept is on disk."""
    for thread in threading.enumerate():
        if thread.name == "askwhere-state":
            thread.join()


def states(folder: Path) -> list[Path]:
    return sorted(folder.glob("*")) if folder.exists() else []


# ------------------------------------------------------------------------------------------- what is evaluated


def test_the_next_process_evaluates_what_is_new_and_says_the_same(either: Process, folder: Path) -> None:
    plain = {kept: asked(either(kept), NEXT) for kept in ("memory", "off")}
    assert states(folder) == []
    first = either()
    asked(first, QUESTION)
    assert len(states(folder)) == 1
    within = asked(first, NEXT)
    (path,) = states(folder)
    before = path.stat().st_mtime_ns
    after = asked(either(), NEXT)
    assert {said for said, _ in (*plain.values(), within, after)} == {plain["memory"][0]}
    assert plain["memory"][1] == plain["off"][1] > 400
    assert within[1] <= after[1] < 40
    assert states(folder) == [path]
    assert path.stat().st_mtime_ns > before, "it was used now"


def test_samples_after_what_is_on_disk_are_the_same_too(process: Process) -> None:
    def drawn(model: LlamaCpp) -> tuple[str, ...]:
        return model.complete(NEXT, n=5, temperature=1.0, max_tokens=12, seed=3, fixed=len(SCHEMA)).texts

    alone = drawn(process("memory"))
    asked(process(), QUESTION)
    assert drawn(process()) == alone


def test_off_keeps_nothing_from_one_prompt_to_the_next(process: Process, folder: Path) -> None:
    model = process("off")
    first, again = asked(model, QUESTION), asked(model, QUESTION)
    assert first == again
    assert again[1] > 400
    assert states(folder) == []


def test_it_holds_the_beginning_alone_and_no_short_one(models: Path, folder: Path) -> None:
    model = LlamaCpp(Weights(models / "tiny.gguf"), prompt_cache="disk")
    asked(model, QUESTION, SCHEMA[:200])
    asked(model, "quite another prompt " * 100, "")
    assert states(folder) == []
    assert len(model._weights.tokens(SCHEMA)) > 400
    asked(LlamaCpp(Weights(models / "tiny.gguf"), prompt_cache="disk"), NEXT)
    (saved,) = llama_states.saved(folder)
    assert saved.count == len(model._weights.tokens(f"<|im_start|>user\n{SCHEMA}", special=True)) + 1 - 4


def test_every_difference_has_a_file_of_its_own(models: Path, folder: Path) -> None:
    base, other = models / "tiny.gguf", models / "other.gguf"
    kinds: list[Callable[[], LlamaCpp]] = [
        lambda: LlamaCpp(Weights(base), prompt_cache="disk"),
        lambda: LlamaCpp(Weights(other), prompt_cache="disk"),
        lambda: LlamaCpp(Weights(base), models / "lora.gguf", prompt_cache="disk"),
    ]
    said = [asked(kind(), QUESTION) for kind in kinds]
    changed = SCHEMA.replace("country", "city", 1)
    asked(kinds[0](), changed, changed)
    assert len(states(folder)) == 4
    assert len({text for text, _ in said}) == 3
    assert [asked(kind(), QUESTION)[0] for kind in kinds] == [text for text, _ in said]


def test_a_model_that_was_written_anew_does_not_find_what_the_old_one_made(tmp_path: Path) -> None:
    path = write_model(tmp_path / "x.gguf")
    asked(LlamaCpp(Weights(path), prompt_cache="disk"), QUESTION)
    path.unlink()
    write_model(path, seed=5)
    expected = asked(LlamaCpp(Weights(path)), QUESTION)
    assert asked(LlamaCpp(Weights(path), prompt_cache="disk"), QUESTION) == expected


def test_a_prompt_that_ran_out_of_time_is_gone_on_with(models: Path, folder: Path) -> None:
    long = SCHEMA * 3
    seconds, weights = 0.5, Weights(models / "long.gguf")
    while not states(folder):  # a busy machine may read nothing in the first
        with pytest.raises(ModelError, match="was not done after"):
            LlamaCpp(weights, prompt_cache="disk").complete(long, max_tokens=10_000, seconds=seconds, fixed=len(long))
        written()
        seconds *= 2
    (saved,) = llama_states.saved(folder)
    after, alone = LlamaCpp(weights, prompt_cache="disk"), LlamaCpp(weights)
    said = [asked(model, f"{long}-- how many?", long) for model in (after, alone)]
    assert said[0][1] == said[1][1] - saved.count
    assert said[0][0] == said[1][0]


def test_a_context_that_holds_other_prompts_takes_one_from_disk(process: Process) -> None:
    expected, _ = asked(process(), QUESTION)
    model = process()
    for word in ("select", "from", "where", "group", "order"):
        model.complete(f"{word} " * 150, max_tokens=1)
    said, evaluated = asked(model, NEXT)
    assert evaluated < 40
    assert (said, asked(model, QUESTION)[0]) == (asked(process("memory"), NEXT)[0], expected)


# ---------------------------------------------------------------------------------------------- files that are not


@pytest.mark.parametrize("content", [b"", b"x", bytes(5_000_000), None], ids=["none", "short", "zeros", "half"])
def test_what_llama_cpp_does_not_take_is_evaluated(process: Process, folder: Path, content: bytes | None) -> None:
    expected, _ = asked(process(), QUESTION)
    (path,) = states(folder)
    key = bytes.fromhex(path.stem)
    whole = llama_states.load(key, folder)
    assert whole
    path.unlink()
    wrong = bytes(whole.content)[: len(whole.content) // 2] if content is None else content
    array = (type(whole.content)._type_ * len(wrong)).from_buffer_copy(wrong)
    llama_states.save(key, "x", State(whole.count, array), folder).join()
    said, evaluated = asked(process(), QUESTION)
    assert (said, evaluated > 400) == (expected, True)


def test_a_damaged_file_is_made_again(process: Process, folder: Path) -> None:
    expected, _ = asked(process(), QUESTION)
    (path,) = states(folder)
    whole = path.read_bytes()
    path.write_bytes(whole[:-5_000] + bytes(5_000))
    assert asked(process(), QUESTION)[0] == expected
    assert path.read_bytes() == whole
    assert asked(process(), QUESTION)[1] < 40


# ------------------------------------------------------------------------------------------------- through ask()


def shop(database: Database, models: Path, path: Path | None = None, **settings: Any) -> Any:
    connection = database.shop(
        path, **{"model": f"gguf:{models / 'tiny.gguf'}", "method": "sea", "max_calls": 1, "max_tokens": 64} | settings
    )
    for number in range(12):
        connection.execute(f"CREATE TABLE more_{number} (id INTEGER, label TEXT, weight DOUBLE)")
    return connection


def ask(connection: Any, question: str) -> None:
    """Asks; what the model says is noise."""
    try:
        connection.execute(f"SELECT * FROM ask('{question}')").fetchall()
    except ERRORS as error:
        assert "no usable query was found" in str(error)  # noqa: PT017
    written()


def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forgets the models that are open, as a new process would."""
    from askwhere.models import llama_cpp

    monkeypatch.setattr(llama_cpp, "_models", {})


@pytest.mark.parametrize("method", ["sea", "plain"])
def test_questions_on_the_same_tables_share_a_file_and_hidden_columns_have_another(
    database: Database, models: Path, folder: Path, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh(monkeypatch)
    connection = shop(database, models, method=method)
    ask(connection, "flurb one")
    assert len(states(folder)) == 1
    fresh(monkeypatch)
    ask(connection, "quite another question about customers")
    assert len(states(folder)) == 1
    model: Any = named.open_model(connections.session(connection).settings, "model")
    assert 0 < model.evaluated < 150
    fresh(monkeypatch)
    ask(shop(database, models, method=method, hide_columns="customers.country"), "flurb one")
    assert len(states(folder)) == 2


@pytest.mark.parametrize("kept", ["memory", "off"])
def test_nothing_is_written_where_it_is_not_wanted(
    database: Database, models: Path, folder: Path, kept: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASKWHERE_PROMPT_CACHE", kept)
    ask(shop(database, models), "flurb one")
    assert states(folder) == []


def test_a_schema_that_is_cut_to_the_question_is_not_kept(database: Database, models: Path, folder: Path) -> None:
    ask(shop(database, models, schema_tokens=150), "flurb one")
    assert states(folder) == []


def test_sql_cannot_change_where_it_is_kept(database: Database) -> None:
    with pytest.raises(ERRORS, match="prompt_cache cannot be set from SQL"):
        database.shop().execute("SELECT ask_set('prompt_cache', 'disk')").fetchall()
    with pytest.raises(SettingError, match="expected 'disk', 'memory' or 'off', found 'ram'"):
        database.shop(prompt_cache="ram")


PROCESS = """
import askwhere, json, sys
from askwhere.bindings import connections
from askwhere.models import named
settings = {"model": f"gguf:{sys.argv[2]}", "method": "sea", "max_calls": 1, "max_tokens": 64}
connection = askwhere.connect(sys.argv[1], read_only=True, **settings)
try:
    askwhere.ask(connection, sys.argv[3])
except askwhere.AskError:
    pass
steps = connection.execute("SELECT reply, prompt_tokens FROM ask_trace(?) WHERE model IS NOT NULL", (sys.argv[3],))
model = named.open_model(connections.session(connection).settings, "model")
print(json.dumps([*next(iter(steps.fetchall())), model.evaluated]))
"""


def test_processes_that_ask_at_once_leave_one_file_that_the_next_uses(
    database: Database, models: Path, folder: Path
) -> None:
    shop(database, models, database.path).close()

    def start(question: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", PROCESS, str(database.path), str(models / "tiny.gguf"), question]
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    both = [start("How many customers are there?") for _ in range(2)]
    said = [process.communicate(timeout=300)[0] for process in both]
    one, other = map(json.loads, said)
    assert one[0] == other[0]
    assert len(states(folder)) == 1
    again = json.loads(start("How many customers are there?").communicate(timeout=300)[0])
    assert again[:2] == one[:2]
    assert again[2] < one[1] / 3


# ------------------------------------------------------------------------------------------------- the command


def test_the_command_shows_and_clears_them(models: Path, folder: Path) -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "askwhere", "model", "cache", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)

    assert run().stdout.endswith("0 rows\n")
    asked(LlamaCpp(Weights(models / "tiny.gguf"), prompt_cache="disk"), QUESTION)
    (path,) = states(folder)
    size = path.stat().st_size
    assert f"{size:,}" in run().stdout.replace(f"{size}", f"{size:,}")
    assert run().stderr == f"{size:,} of at most 1,000,000,000 bytes, in {folder}\n"
    (listed,) = json.loads(run("--json").stdout)
    assert (listed["model"], listed["bytes"], listed["path"]) == ("tiny.gguf", size, str(path))
    assert run("clear").stderr == f"{size:,} bytes were deleted from {folder}\n"
    assert states(folder) == []
