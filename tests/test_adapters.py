"""The adapter of a model: the package's own by what the model's file says of itself, another, or none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from askwhere import settings
from askwhere.errors import SettingError
from askwhere.models import adapters, named
from askwhere.pipeline import prompts
from askwhere.settings import Settings

LARGEST = 15_000_000  # bytes of an adapter that comes with the package
NAME = "tiny-1m-instruct"


def opened(model: Path, setting: str = "model", **given: Any) -> Any:
    return named.open_model(Settings((("argument", {setting: f"gguf:{model}", **given}),)), setting)


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A model's file that says what it is, with an adapter that comes with the package."""
    pytest.importorskip("llama_cpp")
    gguf = pytest.importorskip("tiny_gguf")
    path = gguf.write_model(tmp_path / "any name.gguf", facts=FACTS)
    monkeypatch.setattr(adapters, "FOLDER", tmp_path / "adapters")
    (tmp_path / "adapters").mkdir()
    gguf.write_lora(tmp_path / "adapters" / f"{NAME}.gguf", path)
    gguf.write_lora(tmp_path / "own.gguf", path)
    return path


FACTS = {"general.basename": "Tiny", "general.size_label": "1M", "general.finetune": "Instruct-AWQ"}


@pytest.mark.parametrize("tuned", ["Instruct", "Instruct-GGUF", "instruct-awq"])
def test_a_model_has_the_same_name_in_every_quantization(tuned: str) -> None:
    assert adapters.name({**FACTS, "general.finetune": tuned}.get) == NAME


def test_a_file_that_says_nothing_of_itself_has_no_adapter() -> None:
    assert adapters.shipped(adapters.name({}.get)) is None


@pytest.mark.slow
def test_a_model_has_its_adapter_by_itself(model: Path) -> None:
    assert opened(model).name == f"gguf:any name.gguf+{NAME}.gguf"


@pytest.mark.slow
def test_the_adapter_is_left_off_or_another(model: Path) -> None:
    assert opened(model, adapter="off").name == "gguf:any name.gguf"
    assert opened(model, adapter=str(model.parent / "own.gguf")).name == "gguf:any name.gguf+own.gguf"
    assert opened(model) is opened(model, adapter="auto")


@pytest.mark.slow
@pytest.mark.parametrize("setting", ["eliminator", "embedder"])
def test_only_the_model_that_writes_queries_has_it(model: Path, setting: str) -> None:
    assert opened(model, setting).name == "gguf:any name.gguf"


@pytest.mark.slow
def test_a_model_that_the_package_does_not_know_has_none(model: Path) -> None:
    (adapters.FOLDER / f"{NAME}.gguf").rename(adapters.FOLDER / "another.gguf")
    assert opened(model).name == "gguf:any name.gguf"


def test_the_setting_names_a_file_or_what_it_may_be() -> None:
    assert settings.parse("adapter", " OFF ") == "off"
    assert settings.parse("adapter", "/models/Own.gguf") == "/models/Own.gguf"
    with pytest.raises(SettingError, match="expected 'auto', 'off' or the path of a GGUF file"):
        settings.parse("adapter", "")


@pytest.mark.parametrize("size", ["0.5B", "1.5B"])
def test_the_small_qwens_have_an_adapter(size: str) -> None:
    facts = {"general.basename": "Qwen2.5-Coder", "general.size_label": size, "general.finetune": "Instruct-AWQ"}
    assert adapters.shipped(adapters.name(facts.get)) is not None


@pytest.mark.slow  # needs gguf, which only `make test-all` installs
@pytest.mark.parametrize("path", sorted(adapters.FOLDER.glob("*")), ids=lambda path: path.name)
def test_adapters_that_come_with_the_package_are_small_and_learned_its_prompts(path: Path) -> None:
    gguf = pytest.importorskip("gguf")
    assert path.suffix == ".gguf"
    assert path.stat().st_size <= LARGEST
    fields = gguf.GGUFReader(path).fields
    assert fields["askwhere.prompts"].contents() == prompts.VERSION, "train it again, or remove it"
