"""`askwhere model`: downloads models from the hub, and lists, chooses and deletes them."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from askwhere import known_models, settings
from askwhere.bindings.cli import config_file, options
from askwhere.display import table
from askwhere.errors import ArgumentError
from askwhere.known_models import Source
from askwhere.models import files, hub, llama_states, named
from askwhere.models.files import DownloadedModel
from askwhere.models.llama_states import Saved

_NAME = "a name of `askwhere model list`, or OWNER/REPO[:QUANT] on the Hugging Face hub; QUANT is Q4_K_M by default"
_PATHS = ("/", "./", "../", "~")  # how paths of files begin, and no names of the hub
CACHE_COLUMNS = ("model", "files", "tokens", "bytes", "last used")
COLUMNS = ("name", "here", "size", "memory", "license", "context", "what it is for")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    listed = options.subcommand(commands, "list", "list the models with a short name, and all that were downloaded")
    listed.add_argument("--json", action="store_true", help="print them as a JSON array of objects")
    listed.set_defaults(run=_list)
    brought = _add(commands, "get", "download a model; one that is here is checked", _get)
    brought.add_argument("--use", action="store_true", help="then choose it, as `askwhere model use` does")
    used = _add(commands, "use", "choose a model: write it into the configuration file, as the setting model", _use)
    used._actions[
        -1
    ].help = f"{_NAME}; the path of a .gguf file; or any other value of the setting model, such as reader"
    _add(commands, "path", "print the path of a model's file", _path)
    _add(commands, "remove", "delete a model from this machine", _remove)
    cache = options.subcommand(
        commands, "cache", "list what is cached on disk of the prompts that models of a file have read"
    )
    cache.add_argument("action", nargs="?", choices=("clear",), metavar="clear", help="delete the cache")
    cache.add_argument("--json", action="store_true", help="print it as a JSON array, with one object for each file")
    cache.set_defaults(run=_cache)


def _add(commands: Any, name: str, summary: str, run: Callable[[argparse.Namespace], int]) -> argparse.ArgumentParser:
    command = options.subcommand(commands, name, summary)
    command.add_argument("name", metavar="NAME", help=_NAME)
    command.set_defaults(run=run)
    return command


def source(text: str) -> Source:
    """Return where a model of that name comes from. Raise `ArgumentError` for what is no model's name."""
    try:
        return known_models.source(text)
    except ValueError as exc:
        raise ArgumentError(f"{exc}, found {text!r}") from None


def _list(parsed: argparse.Namespace) -> int:
    here = {model.name: model for model in files.all_cached()}
    if parsed.json:
        print(json.dumps([_facts(*entry) for entry in _every(here)]))
    else:
        print(table(COLUMNS, [_row(*entry) for entry in _every(here)]))
        print("`askwhere model get NAME --use` downloads one, and sets it as the model that is asked", file=sys.stderr)
    return 0


def _every(here: dict[str, DownloadedModel]) -> Iterable[tuple[str, DownloadedModel | None]]:
    """Return the names of all models, known or downloaded, each with its file on this machine, if any."""
    names = [model.name for model in known_models.known()]
    return [(name, here.get(name)) for name in dict.fromkeys([*names, *here])]


def _facts(name: str, here: DownloadedModel | None) -> dict[str, Any]:
    known = known_models.named(name)
    return {
        "name": name,
        "path": str(here.path) if here else None,
        "gigabytes": round(here.size / 1e9, 2) if here else known.gigabytes if known else None,
        "memory": here.memory if here else known.memory if known else None,
        "license": known.license if known else None,
        "context": known.context if known else None,
        "purpose": known.purpose if known else None,
        "source": str(known_models.source(name).repository),
    }


def _row(name: str, here: DownloadedModel | None) -> tuple[Any, ...]:
    facts = _facts(name, here)
    sizes = (f"{facts['gigabytes']:.1f} GB", f"{facts['memory']:.1f} GB")
    about = facts["license"] or f"see its page: {facts['source']}"
    context = f"{facts['context']:,}" if facts["context"] else ""
    return name, "yes" if here else "", *sizes, about, context, facts["purpose"] or ""


def _get(parsed: argparse.Namespace) -> int:
    model = source(parsed.name)
    known = known_models.named(model.name)
    print(f"{model.name}: license {known.license if known else f'on the page of {model.repository}'}", file=sys.stderr)
    print(hub.get(model).path)
    if parsed.use:
        return _written(model.name)
    print(f"to ask it: askwhere model use {model.name}", file=sys.stderr)
    return 0


def _use(parsed: argparse.Namespace) -> int:
    value = settings.parse("model", _prefixed(parsed.name))
    if value.startswith("lora:"):
        raise ArgumentError(f"{value} is an adapter and not a model: choose its model, and set adapter = '{value[5:]}'")
    file = named.model_file(value)  # raises for a model that is not on this machine
    if file:
        from askwhere.models.llama_weights import identity  # takes time to load

        identity(file.expanduser())  # raises for what is no GGUF file
    # The configuration file is read from any folder.
    return _written(f"gguf:{os.path.abspath(file.expanduser())}" if file and value.startswith("gguf:") else value)


def _prefixed(name: str) -> str:
    """Return a model's name as the setting has it: a path gets `gguf:`, and OWNER/REPO gets `hf:`."""
    if name.startswith(_PATHS):
        return f"gguf:{name}"
    return f"hf:{name}" if "/" in name and ":" not in name.partition("/")[0] else name


def _written(value: str) -> int:
    path = config_file.write("model", value)
    print(f"model = {value} in {path}", file=sys.stderr)
    if os.environ.get("ASKWHERE_MODEL"):
        print("note: ASKWHERE_MODEL in the environment comes before that", file=sys.stderr)
    return 0


def _path(parsed: argparse.Namespace) -> int:
    print(files.find(source(parsed.name)).path)
    return 0


def _remove(parsed: argparse.Namespace) -> int:
    model = source(parsed.name)
    print(f"{model.name} was deleted: {hub.remove(model) / 1e9:.1f} GB", file=sys.stderr)
    if settings.load({})["model"] == model.name:
        print("note: the setting model still names it; askwhere model use reader", file=sys.stderr)
    return 0


def _cache(parsed: argparse.Namespace) -> int:
    """Print the prompts that are cached on disk, or delete them."""
    folder = llama_states.default_folder()
    if parsed.action:
        print(f"{llama_states.clear(folder):,} bytes were deleted from {folder}", file=sys.stderr)
        return 0
    saved = llama_states.saved(folder)
    if parsed.json:
        print(json.dumps([_file_facts(prompt) for prompt in saved]))
        return 0
    print(table(CACHE_COLUMNS, [_prompt_row(model, saved) for model in sorted({prompt.model for prompt in saved})]))
    total = sum(prompt.size for prompt in saved)
    print(f"{total:,} of at most {llama_states.MOST:,} bytes, in {folder}", file=sys.stderr)
    return 0


def _file_facts(prompt: Saved) -> dict[str, Any]:
    return {
        "model": prompt.model,
        "tokens": prompt.count,
        "bytes": prompt.size,
        "used": _time(prompt.used),
        "path": str(prompt.path),
    }


def _prompt_row(model: str, prompts: Iterable[Saved]) -> tuple[str, int, int, int, str]:
    """Return the row of one model: what is cached of its prompts."""
    own = [prompt for prompt in prompts if prompt.model == model]
    return model, len(own), sum(o.count for o in own), sum(o.size for o in own), _time(max(o.used for o in own))


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).isoformat(" ", "minutes")
