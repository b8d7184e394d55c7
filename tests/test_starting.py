"""What starts fast imports nothing heavy: the list of commands, and the package itself."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from askwhere.bindings.cli import main as cli
from support import SHOP, connected

pytestmark = pytest.mark.slow

# What takes tens of milliseconds to import, and what is only for some commands.
HEAVY = ("apsw", "duckdb", "numpy", "sqlglot", "jinja2", "wcwidth", "rapidfuzz", "Stemmer")
HEAVY += ("prompt_toolkit", "askwhere.settings", "askwhere.session", "askwhere.reader", "askwhere.pages")


def loaded(code: str) -> set[str]:
    """The modules that are loaded once a new Python has run the code."""
    ending = "import sys\nprint('|'.join(['', *sys.modules]))"
    ran = subprocess.run([sys.executable, "-c", f"{code}\n{ending}"], capture_output=True, text=True, check=True)
    return set(ran.stdout.rpartition("\n|")[2].strip().split("|"))


@pytest.mark.parametrize(
    "code",
    [
        "import askwhere",
        "from askwhere.bindings.cli import main\ntry: main.main(['--help'])\nexcept SystemExit: pass",
        "from askwhere.bindings.cli import main\ntry: main.main(['--version'])\nexcept SystemExit: pass",
    ],
)
def test_the_package_and_its_help_load_nothing_heavy(code: str) -> None:
    found = loaded(code)
    assert "askwhere" in found
    assert not found & set(HEAVY)


@pytest.mark.parametrize("engine", ["sqlite", "duckdb"])
def test_a_question_to_the_reader_loads_nothing_that_only_models_and_pages_need(tmp_path: Path, engine: str) -> None:
    connection = connected(engine, tmp_path / "shop.db")
    connection.execute(SHOP)
    connection.close()
    asked = ["ask", str(tmp_path / "shop.db"), "how many customers are there"]
    found = loaded(f"from askwhere.bindings.cli import main\nmain.main({asked!r})")
    assert "askwhere.reader.read" in found
    unneeded = {"jinja2", "askwhere.pages", "askwhere.pipeline.prompts", "askwhere.rewrite.fix", "askwhere.evaluation"}
    unneeded |= {"askwhere.reader.refusing.helping", "askwhere.reader.refusing.examples"}
    unneeded |= {"numpy.ma", "apsw.ext", "prompt_toolkit", "wcwidth"} | ({"duckdb"} if engine == "sqlite" else set())
    assert not found & unneeded


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="only Linux lists a process's threads there")
def test_a_command_lets_numpy_start_no_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    code = """
import os, sys
from askwhere.bindings.cli import main
sys.argv[1:] = ["--version"]
try: main.main()
except SystemExit: import numpy
print(len(os.listdir("/proc/self/task")))
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[1:] == ["1"]


@pytest.mark.parametrize("engine", ["sqlite", "duckdb"])
def test_a_process_ends_without_a_word_of_what_it_leaves(tmp_path: Path, engine: str) -> None:
    connection = connected(engine, tmp_path / "shop.db")
    connection.execute(SHOP)
    connection.close()
    asked = [
        sys.executable,
        "-m",
        "askwhere",
        "ask",
        str(tmp_path / "shop.db"),
        "how many customers are there",
        "--quiet",
    ]
    ran = subprocess.run(asked, capture_output=True, text=True, check=True)
    assert (ran.stdout.endswith("1 row\n"), ran.stderr) == (True, "")


def test_every_command_has_a_module_whose_parser_says_what_it_does() -> None:
    for name in cli.COMMANDS:
        parser = cli.parser_of(name)
        assert parser.prog == f"askwhere {name}"
        assert (parser.description or "").endswith(".")


def test_no_command_is_an_error_that_lists_them_or_says_how_to(capsys: pytest.CaptureFixture[str]) -> None:
    for given, listing in (([], "report what is installed"), (["nope"], "askwhere --help lists them")):
        with pytest.raises(SystemExit):
            cli.main(given)
        assert listing in capsys.readouterr().err
