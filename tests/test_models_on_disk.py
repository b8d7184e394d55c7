"""Models by a short name and of the hub: what a setting may say, which file is meant, and what is said of one that is
not here. Nothing here uses the network.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import askwhere
import pytest
from askwhere import known_models, settings
from askwhere.bindings.cli import config_file, doctor
from askwhere.bindings.cli.doctor import free_memory
from askwhere.errors import ModelError, SettingError
from askwhere.known_models import Source
from askwhere.models import files, llama_context, named
from support import ERRORS, Database

NAMES = [
    "README.md",
    "small-Q4_K_M.gguf",
    "small-Q4_K_M-00001-of-00002.gguf",
    "small-Q4_K_M-00002-of-00002.gguf",
    "big-UD-Q4_K_XL-00001-of-00002.gguf",
    "big-UD-Q4_K_XL-00002-of-00002.gguf",
    "small-q8_0.gguf",
    "mmproj-F16.gguf",
]


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    return tmp_path / "hub"


def put(cache: Path, repository: str, name: str, content: bytes = b"GGUF", commit: str = "c0ffee") -> Path:
    """A file in the cache, as the hub's own package puts it there."""
    folder = cache / f"models--{repository.replace('/', '--')}"
    path = folder / "snapshots" / commit / name
    path.parent.mkdir(parents=True, exist_ok=True)
    (folder / "blobs").mkdir(exist_ok=True)
    (folder / "blobs" / f"{commit}-{name}").write_bytes(content)
    path.symlink_to(folder / "blobs" / f"{commit}-{name}")
    (folder / "refs").mkdir(exist_ok=True)
    (folder / "refs" / "main").write_text(commit)
    return path


def test_the_list_says_of_each_model_what_it_takes_and_may() -> None:
    names = [model.name for model in known_models.known()]
    assert {f"qwen2.5-coder-{size}" for size in ("0.5b", "1.5b", "3b", "7b")} < set(names)
    assert len(names) == len(set(names))
    for model in known_models.known():
        assert model.gigabytes < model.memory < 2 * model.gigabytes + 1
        assert settings.parse("model", model.name.upper()) == model.name
        assert files.choose([model.file, "other-Q4_K_M.gguf"], known_models.source(model.name)) == [model.file]
    assert "not for commercial use" in known_models.named("qwen2.5-coder-3b").license  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("Qwen2.5-Coder-1.5B ", "qwen2.5-coder-1.5b"),
        ("HF:Some-one/small.GGUF", "hf:Some-one/small.GGUF"),
        ("hf:someone/small-GGUF:q4_k_m", "hf:someone/small-GGUF:Q4_K_M"),
        ("hf:someone/small-GGUF:small-q8_0.gguf", "hf:someone/small-GGUF:small-q8_0.gguf"),
        ("Ollama:qwen2.5-coder:1.5b", "ollama:qwen2.5-coder:1.5b"),
    ],
)
def test_a_model_is_written_in_several_ways_and_kept_in_one(written: str, said: str) -> None:
    assert settings.parse("model", written) == settings.parse("eliminator", written) == said


@pytest.mark.parametrize("written", ["hf:", "hf:small", "hf:a/../b", "hf:../b", "hf:a/b--c", "hf:a/b:", "hf:a/b:c/d"])
def test_what_is_no_repository_is_refused(written: str) -> None:
    with pytest.raises(SettingError, match="setting model: expected OWNER/REPO, OWNER/REPO:QUANT or one of qwen"):
        settings.parse("model", written)


def test_a_misspelt_name_is_told_with_the_one_that_was_meant() -> None:
    with pytest.raises(SettingError, match=r"found 'qwen2.5-coder-1.5'; did you mean 'qwen2.5-coder-1.5b'\?"):
        settings.parse("model", "qwen2.5-coder-1.5")


@pytest.mark.parametrize(
    ("quant", "chosen"),
    [
        ("", ["small-Q4_K_M.gguf"]),
        ("Q4_K_M", ["small-Q4_K_M.gguf"]),
        ("Q8_0", ["small-q8_0.gguf"]),
        ("UD-Q4_K_XL", ["big-UD-Q4_K_XL-00001-of-00002.gguf", "big-UD-Q4_K_XL-00002-of-00002.gguf"]),
        ("small-q8_0.gguf", ["small-q8_0.gguf"]),
        ("Q2_K", []),
        ("F16", []),
    ],
)
def test_the_files_that_are_meant(quant: str, chosen: list[str]) -> None:
    assert files.choose(NAMES, Source("someone/small", quant, "x")) == chosen


def test_the_only_file_is_meant_and_of_several_none() -> None:
    assert files.choose(["a-q8_0.gguf"], Source("someone/small", "", "x")) == ["a-q8_0.gguf"]
    assert files.choose(["a-q8_0.gguf", "b-q5_k.gguf"], Source("someone/small", "", "x")) == []
    with pytest.raises(ModelError, match=r"may be a-Q4_K_M.gguf or b-Q4_K_M.gguf: name the file, someone/small:FILE"):
        files.choose(["a-Q4_K_M.gguf", "b-Q4_K_M.gguf"], Source("someone/small", "", "x"))


def test_the_newest_version_that_has_the_file_is_found(cache: Path) -> None:
    old = put(cache, "someone/small", "a-Q4_K_M.gguf", commit="old")
    new = put(cache, "someone/small", "a-Q8_0.gguf", b"GGUF8", commit="new")
    assert files.find(known_models.source("someone/small:Q8_0")).path == new
    assert files.find(known_models.source("someone/small")).path == new  # the only one of that version
    assert files.find(known_models.source("someone/small:Q4_K_M")).path == old
    assert [(one.name, one.size) for one in files.all_cached()] == [
        ("hf:someone/small:Q8_0", 5),
        ("hf:someone/small:Q4_K_M", 4),
    ]


def test_a_link_without_its_file_is_no_model(cache: Path) -> None:
    put(cache, "someone/small", "a-Q4_K_M.gguf").resolve().unlink()
    assert files.all_cached() == []


@pytest.mark.parametrize(
    ("variables", "folder"),
    [
        ({"HF_HUB_CACHE": "/a", "HF_HOME": "/b"}, "/a"),
        ({"HF_HOME": "/b", "XDG_CACHE_HOME": "/c"}, "/b/hub"),
        ({"XDG_CACHE_HOME": "/c"}, "/c/huggingface/hub"),
        ({}, f"{Path.home()}/.cache/huggingface/hub"),
    ],
)
def test_the_cache_is_where_the_hubs_own_variables_say(variables: dict[str, str], folder: str) -> None:
    assert files.cache_folder(variables) == Path(folder)


# --------------------------------------------------------------------------------------------------------- asking one


@pytest.mark.any_engine
@pytest.mark.parametrize("name", ["qwen2.5-coder-1.5b", "hf:someone/small:Q8_0"])
def test_a_select_downloads_nothing_and_names_the_command(database: Database, cache: Path, name: str) -> None:
    connection = database.shop()
    connection.execute("SELECT ask_set('model', ?)", (name,)).fetchall()
    command = f"is not on this machine: askwhere model get {name.removeprefix('hf:')}"
    with pytest.raises(ERRORS, match=f"the model {name} {command}"):
        connection.execute("SELECT * FROM ask('flurb')").fetchall()
    assert not cache.exists()


def test_a_model_that_is_here_is_opened(cache: Path) -> None:
    known = known_models.named("qwen2.5-coder-0.5b")
    assert known
    path = put(cache, known.repository, known.file, b"not one")
    assert named.model_file(known.name) == path
    with pytest.raises(ModelError, match=rf"{path} is no GGUF file"):
        named.open_model(settings.load({"model": known.name}), "model")


def test_an_adapter_goes_with_any_model_of_a_file(cache: Path) -> None:
    with pytest.raises(ModelError, match=r"askwhere model get qwen2\.5-coder-1\.5b"):
        named.open_model(settings.load({"model": "qwen2.5-coder-1.5b", "eliminator": "lora:/a.gguf"}), "eliminator")


# -------------------------------------------------------------------------------------------------------------- Ollama


@pytest.mark.parametrize(
    ("said", "address"),
    [
        ("", "http://127.0.0.1:11434/v1"),
        ("0.0.0.0", "http://127.0.0.1:11434/v1"),
        (":8000", "http://127.0.0.1:8000/v1"),
        ("0.0.0.0:8000", "http://127.0.0.1:8000/v1"),
        ("[::1]:8000", "http://[::1]:8000/v1"),
        ("gpu.example.com", "http://gpu.example.com:11434/v1"),
        ("http://gpu.example.com", "http://gpu.example.com:80/v1"),
        ("https://gpu.example.com/ollama/", "https://gpu.example.com:443/ollama/v1"),
    ],
)
def test_ollama_is_where_its_own_variable_says(said: str, address: str) -> None:
    assert named.ollama_address({"OLLAMA_HOST": said}) == address


def test_another_host_of_ollama_is_spoken_to_in_the_clear_only_where_that_is_allowed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OLLAMA_HOST", "gpu.example.com")
    with pytest.raises(ModelError, match=r"OLLAMA_HOST: gpu\.example\.com needs https"):
        named.open_model(settings.load({"model": "ollama:x"}), "model")
    named.open_model(settings.load({"model": "ollama:x", "allowed_hosts": "gpu.example.com"}), "model")
    monkeypatch.setenv("OLLAMA_HOST", "gpu:1:2")
    with pytest.raises(ModelError, match=r"OLLAMA_HOST: expected an address such as 127\.0\.0\.1:11434"):
        named.open_model(settings.load({"model": "ollama:x"}), "model")


# -------------------------------------------------------------------------------------------------- the configuration


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", 'model = "reader"\n'),
        ("effort = 'fast' # quick", "effort = 'fast' # quick\nmodel = \"reader\"\n"),
        ("# mine\nmodel='gguf:/a b.gguf'  # old\napi_key = \"k\"\n", '# mine\nmodel="reader"  # old\napi_key = "k"\n'),
        ('"model" = "x"\n[prices]\nmodel = [1, 2]\n', '"model" = "reader"\n[prices]\nmodel = [1, 2]\n'),
        ("[prices]\nmodel = [1, 2]\n", 'model = "reader"\n[prices]\nmodel = [1, 2]\n'),
        (
            'hide_columns = [\n  "a.b",\n]\n[prices]\nx = [1, 2]\n',
            'hide_columns = [\n  "a.b",\n]\nmodel = "reader"\n[prices]\nx = [1, 2]\n',
        ),
        (
            'examples = """\nmodel = "this"\n"""\nmodel = "that"\n',
            'examples = """\nmodel = "this"\n"""\nmodel = "reader"\n',
        ),
    ],
)
def test_one_setting_is_written_and_all_else_stays(before: str, after: str) -> None:
    assert config_file.with_value(before, "model", "reader") == after


@pytest.mark.parametrize("text", ["model = ", 'model = """\nx"""\n', "model.x = 1\n"])
def test_a_file_that_is_not_understood_is_left_alone(text: str, config: Path) -> None:
    config.write_text(text)
    with pytest.raises(SettingError, match=r'cannot be changed: write model = "reader" into it, above its first'):
        config_file.write("model", "reader")
    assert config.read_text() == text


@pytest.fixture
def config() -> Path:
    """The user's configuration file, which is not there yet."""
    path = settings.config_path()
    path.parent.mkdir(parents=True)
    return path


def test_the_configuration_stays_its_owners_and_a_link_stays_a_link(config: Path, tmp_path: Path) -> None:
    assert config_file.write("model", "reader") == config
    assert config.stat().st_mode & 0o777 == 0o600
    kept = tmp_path / "dotfiles.toml"
    kept.write_text("effort = 'fast'\n")
    os.chmod(kept, 0o640)
    config.unlink()
    config.symlink_to(kept)
    config_file.write("model", "qwen2.5-coder-1.5b")
    assert config.is_symlink()
    assert kept.stat().st_mode & 0o777 == 0o640
    assert {path.name for path in config.parent.iterdir()} == {"config.toml"}
    loaded: Any = settings.load({})
    assert (loaded["model"], loaded["effort"]) == ("qwen2.5-coder-1.5b", "fast")


# ---------------------------------------------------------------------------------------------------------- the machine


def test_free_memory_is_the_machines_or_what_a_container_is_left_with(tmp_path: Path) -> None:
    machine = tmp_path / "meminfo"
    machine.write_text("MemTotal:  9000 kB\nMemAvailable:  4000 kB\n")
    assert free_memory(machine, tmp_path) == 4_096_000
    (tmp_path / "memory.max").write_text("3000000\n")
    (tmp_path / "memory.current").write_text("1000000\n")
    assert free_memory(machine, tmp_path) == 2_000_000
    (tmp_path / "memory.max").write_text("max\n")
    assert free_memory(machine, tmp_path) == 4_096_000
    everything = free_memory(tmp_path / "none", tmp_path)
    assert everything is None or everything > 4_096_000


def test_threads_are_the_owners_to_set(database: Database) -> None:
    connection = database.shop()
    with pytest.raises(ERRORS, match="threads cannot be set from SQL"):
        connection.execute("SELECT ask_set('threads', '2')").fetchall()
    askwhere.register(connection, threads=2)


def test_doctor_says_which_models_fit_and_by_how_many_threads(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = known_models.named("qwen2.5-coder-1.5b")
    assert known
    put(cache, known.repository, known.file)
    put(cache, "someone/small", "a-Q8_0.gguf")
    monkeypatch.setattr(llama_context, "cores", lambda: 2)
    monkeypatch.setattr(doctor, "cores", lambda: 2)
    monkeypatch.setattr(doctor, "free_memory", lambda: 1_500_000_000)
    threads, listed, other = doctor._models()
    assert threads[:2] == ("threads", "1 of 2 cores")
    assert threads[2].endswith("one core is left to other programs, threads = 2 uses it too")
    fits = "needs about 1.6 GB of memory; 1.5 GB are free, so it does not fit: take a smaller one"
    assert listed == ("model qwen2.5-coder-1.5b", "0.0 GB", fits)
    assert other[0] == "model hf:someone/small:Q8_0"
    assert other[2].endswith("and it fits")
    monkeypatch.setenv("ASKWHERE_THREADS", "2")
    assert next(iter(doctor._models()))[1:] == ("2 of 2 cores", "for models of a file, by the setting threads")
