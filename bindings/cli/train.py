"""`askwhere train`: makes training pairs for the bias eliminator, trains its adapter, and trains the small model."""

from __future__ import annotations

import argparse
import importlib.util
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from askwhere import settings
from askwhere.bindings.cli import options
from askwhere.bindings.opening import open_database
from askwhere.errors import ArgumentError, AskError
from askwhere.evaluation import sets
from askwhere.indexer import progress
from askwhere.training import pairs

# The modules that the extra `train` installs.
NEEDED = ("torch", "transformers", "peft", "tokenizers", "gguf")


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Parse the arguments of `askwhere train`."""
    return make_parser().parse_args(arguments or ["--help"])


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of `askwhere train`."""
    parser = argparse.ArgumentParser(
        "askwhere train", description="Train the bias eliminator of a model, or a small model of your own."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_data(
        commands.add_parser(
            "data",
            help="ask a model questions with gold SQL, and write its first queries with corrections as training pairs",
        )
    )
    _add_lora(
        commands.add_parser("lora", help="train the eliminator's adapter on the pairs; an interrupted run goes on")
    )
    _add_read(
        commands.add_parser(
            "read", help="put the small model's training data into one file, to train on another machine"
        )
    )
    _add_small(commands.add_parser("small", help="train the small model from scratch; an interrupted run goes on"))
    return parser


def _add_data(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("set", type=Path, metavar="SET", help="questions, as `askwhere eval` reads them")
    parser.add_argument(
        "--output", type=Path, required=True, metavar="FILE", help="where to write the pairs, as JSON lines"
    )
    parser.add_argument("--split", default="train", help="where SET is a folder, the split to read; train by default")
    parser.add_argument(
        "--databases", type=Path, metavar="FOLDER", help="the folder with the databases, as NAME/NAME.sqlite"
    )
    options.add(parser)
    parser.add_argument(
        "--held-back",
        type=float,
        default=0.1,
        metavar="SHARE",
        help="the share of the databases to hold back from training; 0.1 by default",
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="the seed for drawing them; 0 by default")
    parser.set_defaults(run=_data)


def _add_lora(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("pairs", type=Path, metavar="PAIRS", help="the pairs that `askwhere train data` wrote")
    parser.add_argument("--base", type=Path, required=True, metavar="FOLDER", help="a model in Hugging Face's format")
    _add_run(parser, "training/lora")
    for name, value, what in (
        ("rate", 2e-4, "the learning rate"), ("batch", 64, "pairs in a step"), ("at-once", 4, "pairs at a time"),
        ("epochs", 1, "how often each pair is seen"), ("rank", 16, "the adapter's rank"),
        ("longest", 4_096, "tokens of a pair; longer prompts are cut"),
    ):  # fmt: skip
        parser.add_argument(
            f"--{name}", type=type(value), default=value, metavar="N", help=f"{what}; {value:,} by default"
        )
    parser.set_defaults(run=_lora)


def _add_read(parser: argparse.ArgumentParser) -> None:
    _add_source(parser, "Spider's training questions and databases")
    parser.add_argument(
        "--output",
        type=Path,
        required=True,
        metavar="FILE",
        help="where to write the file, which `askwhere train small` reads",
    )
    parser.set_defaults(run=_read)


def _add_source(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument("data", type=Path, metavar="DATA", help=what)
    parser.add_argument(
        "--also", type=Path, nargs="+", default=[], metavar="FILE",
        help="files with more questions, whose schemas are inferred from their SQL",
    )  # fmt: skip


def _add_small(parser: argparse.ArgumentParser) -> None:
    _add_source(parser, "Spider's training questions and databases, or the file that `train read` made of them")
    parser.add_argument("--shape", default="5M", help="the model's size: tiny, 5M or 30M")
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="how many processes make training texts")
    _add_run(parser, "training/small")
    for name, value, what in (
        ("steps", 10_000, "steps of the run"), ("rows", 8, "rows in a step"), ("length", 2_048, "tokens in a row"),
        ("rate", 0.005, "the learning rate"),
    ):  # fmt: skip
        parser.add_argument(
            f"--{name}", type=type(value), default=value, metavar="N", help=f"{what}; {value:,} by default"
        )
    parser.add_argument("--plan", action="store_true", help="print what the run would take, and do not train")
    parser.add_argument(
        "--card",
        type=float,
        default=990e12,
        metavar="N",
        help="for --plan, the operations a second that the GPU can do; 990e12 by default",
    )
    parser.set_defaults(run=_small)


def _add_run(parser: argparse.ArgumentParser, folder: str) -> None:
    parser.add_argument(
        "--output",
        type=Path,
        default=Path(folder),
        metavar="FOLDER",
        help=f"the folder for the run's state, its log, and the GGUF file; {folder} by default",
    )
    parser.add_argument(
        "--seconds",
        type=float,
        default=float("inf"),
        metavar="N",
        help="stop after N seconds; the same command goes on",
    )
    parser.add_argument("--device", default="", help="cuda or cpu; cuda by default if there is one")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="the seed of all that is random; 0 by default")


def _data(parsed: argparse.Namespace) -> int:
    items = sets.read(parsed.set, parsed.split)
    folders = sets.places(parsed.set, parsed.databases)
    chosen = options.chosen(parsed)
    if settings.load(chosen)["model"] == "reader":
        raise ArgumentError("the reader's queries need no eliminator; name a model with --model")
    known, _ = pairs.read(parsed.output) if parsed.output.exists() else ([], [])
    kept = pairs.held_back((item.db_id for item in items), parsed.held_back, parsed.seed)
    if any(pair.held_back != (pair.db_id in kept) for pair in known):
        raise ArgumentError(f"{parsed.output} holds back other databases; give its --held-back and --seed")
    done = {pair.id for pair in known}
    left = [item for item in items if item.id not in done]
    made = pairs.make(left, lambda name: sets.database(folders, name), open_database, chosen, kept)
    pairs.write(_with_progress(made, len(items), len(items) - len(left)), parsed.output)
    print(pairs.report(*pairs.read(parsed.output)))
    return 0


def _with_progress(made: Iterator[Any], total: int, done: int) -> Iterator[Any]:
    """Yield each pair, its progress reported on a terminal."""
    tell = progress.on_terminal("asking about") or _silent
    for number, one in enumerate(made, done + 1):
        tell(one.db_id, number, total)
        yield one


def _lora(parsed: argparse.Namespace) -> int:
    _need()
    from askwhere.training import adapter, lora

    known, _ = pairs.read(parsed.pairs)
    parsed.output.mkdir(parents=True, exist_ok=True)
    device = _device(parsed.device)
    plan = lora.Plan(
        rate=parsed.rate, batch=parsed.batch, at_once=parsed.at_once, epochs=parsed.epochs, rank=parsed.rank,
        longest=parsed.longest, seed=parsed.seed,
    )  # fmt: skip
    run = lora.resumed(parsed.base, parsed.output, device) or lora.begin(parsed.base, plan, device)
    if run.plan != plan:
        raise ArgumentError(_other(parsed.output, run.plan, plan))
    _print_loss(lora.held_back(run, known), f"after {run.step:,} steps")
    tell = progress.on_terminal("training to") or _silent
    for record in lora.train(run, known, parsed.output, parsed.seconds):
        tell(f"a loss of {record['loss']:.3f}", run.step, int(record["of"]))
    _print_loss(lora.held_back(run, known), f"after {run.step:,} steps")
    path = adapter.write(run, parsed.output / "adapter.gguf")
    print(f"written to {path}: set eliminator to lora:{path}, and model to gguf:FILE of the same model")
    return 0


def _read(parsed: argparse.Namespace) -> int:
    from askwhere.training import source

    found = source.read(parsed.data, parsed.also)
    source.write(found, parsed.output)
    asked = sum(len(found.asked.get(world.name, ())) for world in found.worlds)
    size = parsed.output.stat().st_size / 1e6
    print(f"written to {parsed.output}, {size:.1f} MB: {len(found.worlds)} databases, {asked:,} questions")
    return 0


def _source(parsed: argparse.Namespace) -> Any:
    from askwhere.training import source

    if parsed.data.is_dir():
        return source.read(parsed.data, parsed.also)
    if parsed.also:
        raise ArgumentError("--also goes with a folder of Spider's; give it to `askwhere train read`")
    return source.load(parsed.data)


def _small(parsed: argparse.Namespace) -> int:
    _need()
    from askwhere.training import export, pretraining, small, source

    if parsed.shape not in small.SHAPES:
        raise ArgumentError(f"there is no shape {parsed.shape!r}; there are {', '.join(small.SHAPES)}")
    plan = pretraining.Plan(parsed.shape, parsed.steps, parsed.rows, parsed.length, parsed.rate, seed=parsed.seed)
    if parsed.plan:
        for name, value in plan.numbers(parsed.card).items():
            print(f"{name}: {value:,.0f}")
        return 0
    parsed.output.mkdir(parents=True, exist_ok=True)
    learned, kept = source.parted(_source(parsed))
    tokenizer = pretraining.tokenizer_in(parsed.output, learned, small.SHAPES[parsed.shape].vocabulary)
    device = _device(parsed.device)
    run = pretraining.resumed(parsed.output, device) or pretraining.begin(plan, device)
    if run.plan != plan:
        raise ArgumentError(_other(parsed.output, run.plan, plan))
    tell = progress.on_terminal("training to") or _silent
    for record in pretraining.train(run, learned, tokenizer, parsed.output, parsed.seconds, parsed.workers):
        tell(f"a loss of {record['loss']:.3f}", run.step, plan.steps)
    _print_loss(pretraining.held_back(run, kept, tokenizer), f"after {run.step:,} of {plan.steps:,} steps")
    print(f"written to {export.write(run.model, tokenizer, parsed.output / 'small.gguf', plan.length)}")
    return 0


def _silent(name: str, done: int, total: int) -> None:
    """Report no progress, where there is no terminal."""


def _print_loss(loss: float | None, when: str) -> None:
    """Print the loss on the held-back part."""
    if loss is not None:
        print(f"loss on what was held back, {when}: {loss:.3f}")


def _other(folder: Path, there: object, wanted: object) -> str:
    """Return the error for a folder that holds another run."""
    return f"{folder} holds another run, {there}; go on with its options, or name another folder for {wanted}"


def _need() -> None:
    """Raise AskError where a package that training needs is missing."""
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise AskError(f"training needs {', '.join(missing)}: pip install {' '.join(missing)}")


def _device(name: str) -> str:
    import torch

    return name or ("cuda" if torch.cuda.is_available() else "cpu")
