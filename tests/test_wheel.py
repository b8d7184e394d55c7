"""The wheel: for every Python 3, with all data files that the package reads; the workflow that builds it elsewhere."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
USES = """
import askwhere, sys
from askwhere import known_models
from askwhere.bindings.loadable import library
from askwhere.bindings.sample import build
from askwhere.indexer import word_forms
from askwhere.models import adapters
from askwhere.pages.page import templates
from askwhere.reader.words import nearness
assert askwhere.__file__.startswith(sys.argv[1]), askwhere.__file__
assert list(adapters.FOLDER.glob('*.gguf'))
assert known_models.known() and build.script() and word_forms.CONVENTIONAL
assert {templates().get_template(name).name for name in templates().list_templates()} >= {"trace.html", "trace.css"}
assert nearness.Nearness(['salari']).likely('wage')
print(library.library().exists())
"""


@pytest.mark.slow
@pytest.mark.parametrize("compiler", ["cc", "/nowhere/cc"], ids=["with a compiler", "without"])
def test_a_wheel_is_for_every_python_and_has_its_data_files(
    compiler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CC", compiler)
    source, wheels, installed = tmp_path / "source", tmp_path / "wheels", tmp_path / "installed"
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in files.splitlines():
        if not name.startswith("tests/"):
            copy = source / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes((ROOT / name).read_bytes())
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", wheels, source], check=True)
    (wheel,) = wheels.iterdir()
    subprocess.run([*pip, "install", "--no-deps", "--target", installed, wheel], check=True)
    ran = subprocess.run(
        [sys.executable, "-c", USES, str(installed)],
        env={"PYTHONPATH": str(installed), "PATH": ""},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout == ("True\n" if compiler == "cc" else "False\n")
    tag = wheel.name.removeprefix("askwhere-").partition("-")[2]
    assert tag.startswith("py3-none-")
    assert (tag == "py3-none-any.whl") == (compiler != "cc")


@pytest.fixture
def jobs() -> dict[str, Any]:
    yaml = pytest.importorskip("yaml", reason="only `make test-all` installs it")
    return yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text("utf-8"))["jobs"]


@pytest.mark.slow
def test_each_wheel_is_built_and_tried_on_three_systems_and_goes_to_no_index(jobs: dict[str, Any]) -> None:
    systems = ["ubuntu-latest", "macos-latest", "windows-latest"]
    assert {name: job["strategy"]["matrix"]["system"] for name, job in jobs.items()} == dict.fromkeys(jobs, systems)
    assert jobs["check"]["needs"] == "build"
    actions = {step["uses"].partition("@")[0] for job in jobs.values() for step in job["steps"] if "uses" in step}
    assert actions == {
        f"actions/{name}" for name in ("checkout", "setup-python", "upload-artifact", "download-artifact")
    }
    assert not [step for job in jobs.values() for step in job["steps"] if "twine" in step.get("run", "")]


@pytest.mark.slow
def test_what_the_workflow_asks_of_a_wheel_is_answered(jobs: dict[str, Any], tmp_path: Path) -> None:
    commands = [step["run"] for step in jobs["check"]["steps"] if step.get("name", "").startswith("Ask")]
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    for command in commands:
        ran = subprocess.run(
            ["bash", "-ec", command],
            cwd=tmp_path,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            check=True,
        )
    assert len(commands) == 2
    assert ran.stdout == "70\n"
