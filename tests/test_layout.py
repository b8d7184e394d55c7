"""The layout holds: imports point one way, importing is cheap, packages are listed, functions are in the README."""

from __future__ import annotations

import ast
import graphlib
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import askwhere
import pytest
from askwhere.udfs import FUNCTIONS

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = {
    "extension": "askwhere",
    "udfs": "askwhere.udfs",
    "indexer": "askwhere.indexer",
    "bindings": "askwhere.bindings",
}
# Each layer may import itself and those before it.
LAYERS = (
    (
        "askwhere.box",
        "askwhere.cells",
        "askwhere.errors",
        "askwhere.frozen",
        "askwhere.grouping",
        "askwhere.known_models",
        "askwhere.patterns",
        "askwhere.user_files",
        "askwhere.version",
    ),
    ("askwhere.sql",),
    (
        "askwhere.configuration",
        "askwhere.setting_values",
        "askwhere.known_settings",
        "askwhere.settings",
        "askwhere.api_keys",
        "askwhere.engine",
        "askwhere.storage",
        "askwhere.files",
        "askwhere.display",
        "askwhere.charts",
    ),
    ("askwhere.guard",),
    ("askwhere.indexer", "askwhere.models"),
    ("askwhere.reader.words",),
    ("askwhere.reader.schema",),
    ("askwhere.reader.marking",),
    ("askwhere.reader.grammar",),
    ("askwhere.reader.writing",),
    ("askwhere.reader",),
    ("askwhere.pipeline",),
    ("askwhere.rewrite",),
    ("askwhere.memory", "askwhere.session"),
    ("askwhere.pages",),
    ("askwhere.evaluation",),
    ("askwhere.training",),
    ("askwhere.udfs",),
    ("askwhere.bindings",),
    ("askwhere.__main__",),
)


def modules() -> Iterator[tuple[str, Path]]:
    for folder, package in FOLDERS.items():
        for path in sorted((ROOT / folder).rglob("*.py")):
            parts = [p for p in path.relative_to(ROOT / folder).with_suffix("").parts if p != "__init__"]
            yield ".".join([package, *parts]), path


def statements(within: ast.AST) -> Iterator[ast.AST]:
    """Every statement inside of a node, at any depth, and none of their expressions, which are most of a tree."""
    for node in ast.iter_child_nodes(within):
        if isinstance(node, (ast.stmt, ast.excepthandler, ast.match_case)):
            yield node
            yield from statements(node)


@cache
def imports(path: Path) -> tuple[str, ...]:
    """Every module that a file imports, at its top or inside a function; those for the type checker alone too."""
    found: list[str] = []
    for node in statements(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found += (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found += (f"{node.module}.{alias.name}" for alias in node.names)
    return tuple(found)


@cache
def layer(module: str) -> int:
    found = [i for i, names in enumerate(LAYERS) for n in names if module == n or module.startswith(f"{n}.")]
    return found[0] if found else -1


def astray(module: str, imported: str) -> bool:
    """Whether a module must not import another."""
    if imported.split(".")[0] in ("apsw", "duckdb"):
        return not module.startswith("askwhere.bindings")
    return imported.startswith("askwhere.") and layer(imported) > layer(module)


@pytest.mark.slow
def test_imports_point_one_way() -> None:
    layered = [(module, path) for module, path in modules() if module != "askwhere"]
    assert [module for module, _ in layered if layer(module) < 0] == []  # these belong to no layer
    assert [(module, name) for module, path in layered for name in imports(path) if astray(module, name)] == []


def test_no_module_imports_itself_through_others() -> None:
    paths = dict(modules())
    imported = {
        module: {name if name in paths else name.rpartition(".")[0] for name in imports(path)} & paths.keys() - {module}
        for module, path in paths.items()
    }
    graphlib.TopologicalSorter(imported).prepare()  # raises CycleError, which names the circle


def test_every_package_is_listed_for_installation() -> None:
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]
    found = {module for module, path in modules() if path.name == "__init__.py"}
    assert set(listed) == found


def test_importing_loads_no_engine_and_no_model() -> None:
    code = "import askwhere, sys; print(*(m for m in sys.modules if m.split('.')[0] in sys.argv[1:]))"
    heavy = ["apsw", "duckdb", "numpy", "sqlglot", "openai", "llama_cpp", "torch", "rank_bm25", "prompt_toolkit"]
    ran = subprocess.run([sys.executable, "-c", code, *heavy], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == ""


def test_the_exported_names_are_all_there() -> None:
    assert sorted(askwhere.__all__) == sorted(name for name in askwhere.__all__ if hasattr(askwhere, name))


def test_the_version_is_said_once() -> None:
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"] == askwhere.__version__


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.name)
def test_each_function_has_a_file_of_its_own_and_the_readme_its_signature(function: object) -> None:
    name, signature = function.name, function.signature  # type: ignore[attr-defined]
    assert (ROOT / "udfs" / f"{name}.py").exists()
    assert f"`{signature}`" in (ROOT / "README.md").read_text("utf-8")
