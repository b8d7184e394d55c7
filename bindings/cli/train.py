"""`askwhere train`: makes pairs to train on, for generation and for the bias eliminator, and trains their adapters."""

from __future__ import annotations

import argparse
import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from askwhere import settings
from askwhere.bindings.cli import options
from askwhere.bindings.opening import open_database
from askwhere.errors import ArgumentError, AskError
from askwhere.evaluation import sets
from askwhere.indexer import progress
from askwhere.training import pairs

_FOLDER = Path("training/lora")
# The modules that the extra `train` installs.
NEEDED = ("torch", "transformers", "peft", "tokenizers", "gguf")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_data(
        options.subcommand(
            commands,
            "data",
            "ask a model questions with gold SQL, and write its first queries with corrections as training pairs",
        )
    )
    _add_examples(options.subcommand(commands, "examples", "write questions with gold SQL as training pairs"))
    _add_lora(options.subcommand(commands, "lora", "train an adapter on pairs; an interrupted run goes on"))


def _add_data(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("set", type=Path, metavar="SET", help="questions, as `askwhere eval` reads them")
    _add_databases(parser)
    engine = "the engine of the pairs; for duckdb, SQLite files are copied and gold SQL is translated"
    parser.add_argument("--engine", choices=("sqlite", "duckdb"), default="sqlite", help=f"{engine}; sqlite by default")
    options.add(parser)
    _add_output(parser)
    parser.set_defaults(run=_data)


def _add_examples(parser: argparse.ArgumentParser) -> None:
    sets_ = "files or folders of questions, as `askwhere eval` reads them"
    parser.add_argument("sets", type=Path, nargs="+", metavar="SET", help=sets_)
    _add_databases(parser)
    _add_output(parser)
    parser.set_defaults(run=_examples)


def _add_databases(parser: argparse.ArgumentParser) -> None:
    """Add the options of both commands for the questions to read and the folder of their databases."""
    parser.add_argument("--split", default="train", help="where SET is a folder, the split to read; train by default")
    parser.add_argument(
        "--databases", type=Path, metavar="FOLDER", help="the folder with the databases, as NAME/NAME.sqlite"
    )


def _add_output(parser: argparse.ArgumentParser) -> None:
    """Add the options of both commands that write pairs."""
    parser.add_argument(
        "--output", type=Path, required=True, metavar="FILE", help="where to write the pairs, as JSON lines"
    )
    about_held_out = "the share of the databases to hold out from training; 0.1 by default"
    parser.add_argument("--held-out", type=float, default=0.1, metavar="SHARE", help=about_held_out)
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="the seed for drawing them; 0 by default")


def _add_lora(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "pairs", type=Path, metavar="PAIRS", help="the pairs that `train examples` or `train data` wrote"
    )
    parser.add_argument("--base", type=Path, required=True, metavar="FOLDER", help="a model in Hugging Face's format")
    output = f"the folder for the run's state, its log, and the GGUF file; {_FOLDER} by default"
    parser.add_argument("--output", type=Path, default=_FOLDER, metavar="FOLDER", help=output)
    parser.add_argument("--device", default="", help="cuda or cpu; cuda by default if there is one")
    for name, value, what in (
        ("seconds", float("inf"), "seconds after which it stops; the same command goes on"),
        ("seed", 0, "the seed of all that is random"),
        ("rate", 2e-4, "the learning rate"), ("batch", 16, "pairs in a step, about"),
        ("epochs", 1, "how often each pair is seen"), ("rank", 16, "the adapter's rank"),
        ("upper", 0.5, "the share of the model's layers that get an adapter, its last ones"),
        ("longest", 2_048, "tokens that are read at once; longer prompts are cut"),
        ("cost", float("inf"), "leave out pairs of more tokens than this, with a schema that pairs share counted once"),
        ("workers", 1, "how many threads read prompts at the same time"),
    ):  # fmt: skip
        parser.add_argument(
            f"--{name}", type=type(value), default=value, metavar="N", help=f"{what}; {value:,} by default"
        )
    start = "an adapter of the same model, rank and layers to begin with, as a GGUF file"
    parser.add_argument("--start", type=Path, metavar="FILE", help=start)
    bits = "16, or 8 for a file that is a fifth smaller; 16 by default"
    parser.add_argument("--bits", type=int, choices=(16, 8), default=16, help=bits)
    parser.set_defaults(run=_lora)


def _data(parsed: argparse.Namespace) -> int:
    items = sets.read(parsed.set, parsed.split)
    folders = sets.places(parsed.set, parsed.databases)
    chosen = options.chosen(parsed)
    if settings.load(chosen)["model"] == "reader":
        raise ArgumentError("the reader's queries need no eliminator; name a model with --model")
    known, _ = pairs.read(parsed.output) if parsed.output.exists() else ([], [])
    held_out = pairs.held_out_databases((item.db_id for item in items), parsed.held_out, parsed.seed)
    if any(pair.held_out != (pair.db_id in held_out) for pair in known):
        raise ArgumentError(
            f"{parsed.output} was trained with other databases held out: give the same --held-out and --seed"
        )
    done = {pair.id for pair in known}
    left = [item for item in items if item.id not in done]
    made = pairs.make_pairs(
        left, lambda name: sets.database(folders, name), open_database, chosen, held_out, parsed.engine
    )
    pairs.write(_with_progress(made, len(items), len(items) - len(left)), parsed.output)
    print(pairs.report(*pairs.read(parsed.output)))
    return 0


def _with_progress(made: Iterator[Any], total: int, done: int) -> Iterator[Any]:
    """Yield each pair, its progress reported on a terminal."""
    tell = progress.on_terminal("asking about")
    for number, pair in enumerate(made, done + 1):
        tell(pair.db_id, number, total)
        yield pair


def _examples(parsed: argparse.Namespace) -> int:
    from askwhere.training import examples

    folders = {folder: None for path in parsed.sets for folder in sets.places(path, parsed.databases)}
    items = [item for path in parsed.sets for item in sets.read(path, parsed.split)]
    databases = {name: sets.database(folders, name) for name in {item.db_id for item in items}}
    paths = {name: path for name, path in databases.items() if path and path.suffix != ".duckdb"}
    held_out = pairs.held_out_databases(paths, parsed.held_out, parsed.seed)
    groups = examples.groups((item for item in items if item.db_id in paths), parsed.seed)
    made = examples.make_examples(groups, paths, open_database, held_out, parsed.seed)
    parsed.output.unlink(missing_ok=True)
    pairs.write(_with_progress(made, sum(len(group.items) for group in groups), 0), parsed.output)
    print(pairs.report(*pairs.read(parsed.output)))
    return 0


def _lora(parsed: argparse.Namespace) -> int:
    _need()
    from askwhere.training import adapter, lora

    known, _ = pairs.read(parsed.pairs)
    parsed.output.mkdir(parents=True, exist_ok=True)
    device = _device(parsed.device)
    plan = lora.Plan(
        rate=parsed.rate, batch=parsed.batch, epochs=parsed.epochs, rank=parsed.rank, alpha=2 * parsed.rank,
        upper=parsed.upper, longest=parsed.longest, cost=parsed.cost, seed=parsed.seed,
        start=str(parsed.start or ""),
    )  # fmt: skip
    run = lora.resume(parsed.base, parsed.output, device, parsed.workers)
    if run is None:
        run = lora.begin(parsed.base, plan, device, parsed.workers)
        if parsed.start:
            adapter.start(run, parsed.start)
    if run.plan != plan:
        raise ArgumentError(_holds_another_run(parsed.output, run.plan, plan))
    _print_loss(lora.held_out_loss(run, known), f"after {run.step:,} steps")
    tell = progress.on_terminal("training to")
    for record in lora.train(run, known, parsed.output, parsed.seconds):
        tell(f"a loss of {record['loss']:.3f}", run.step, int(record["of"]))
    _print_loss(lora.held_out_loss(run, known), f"after {run.step:,} steps")
    path = adapter.write(run, parsed.output / "adapter.gguf", parsed.bits)
    print(
        f"written to {path}: set model to gguf:FILE of the same model, and adapter to {path}, or eliminator to"
        f" lora:{path} for pairs of `askwhere train data`"
    )
    return 0


def _print_loss(loss: float | None, when: str) -> None:
    """Print the loss on the held-out part."""
    if loss is not None:
        print(f"loss on the held-out databases, {when}: {loss:.3f}")


def _holds_another_run(folder: Path, held: object, expected: object) -> str:
    """Return the error for a folder that holds another run."""
    return f"{folder} holds another run, {held}; go on with its options, or name another folder for {expected}"


def _need() -> None:
    """Raise AskError where a package that training needs is missing."""
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise AskError(f"training needs {', '.join(missing)}: pip install {' '.join(missing)}")


def _device(name: str) -> str:
    import torch

    return name or ("cuda" if torch.cuda.is_available() else "cpu")
