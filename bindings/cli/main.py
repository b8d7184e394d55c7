"""The command line: `askwhere ask`, `trace`, `shell`, `index`, `model`, `pins`, `fix`, `explain` and the others."""

from __future__ import annotations

import argparse
import contextlib
import csv
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import askwhere
from askwhere import files, settings
from askwhere.bindings import connections
from askwhere.bindings.cli import calibrate, comments, demo, doctor, model, options, shell, trace
from askwhere.bindings.cli.show import Screen, safe_for
from askwhere.bindings.file_errors import of_file
from askwhere.bindings.loadable import library as native
from askwhere.errors import AskError, SettingError
from askwhere.indexer.pins import from_json, to_json
from askwhere.session import Question
from askwhere.tables import table
from askwhere.udfs import ask_pins

# Exit codes, as shells expect: 1 for a failure, 2 for wrong arguments (by argparse), 130 for an interrupt.
FAILED, INTERRUPTED = 1, 130
# Commands that a misspelt setting does not stop: they ask nothing, or answer for a program that is not ours.
UNHEEDING = ("doctor", "extension-path", "worker")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command, and return its exit code. A user's mistake prints one line, never a traceback."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        parsed = _parsed(given)
        if given[0] not in UNHEEDING:
            _refuse_misspelt()
        code = int(parsed.run(parsed))
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as exc:
        # Else Python would report the error again when it closes standard output.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(exc, BrokenPipeError):  # a closed pipe, such as that of `head`, is no mistake
            print(f"askwhere: {exc.filename or 'the output cannot be written'}: {exc.strerror}", file=sys.stderr)
        return FAILED
    except Exception as exc:
        said = exc if isinstance(exc, AskError) else of_file(exc)
        if said is None:
            raise
        print(safe_for(f"askwhere: {said}", sys.stderr), file=sys.stderr)
        return FAILED


def _refuse_misspelt() -> None:
    """Raise `SettingError` for a misspelt setting in the environment, which would otherwise be ignored."""
    for name, meant in settings.misspelt().items():
        raise SettingError(f"there is no setting {name}, which is in the environment; did you mean {meant}?")


def _parsed(arguments: Sequence[str]) -> argparse.Namespace:
    if arguments[:1] == ["eval"]:
        from askwhere.bindings.cli import evaluate  # imports the evaluation

        return evaluate.parse(arguments[1:])
    if arguments[:1] == ["train"]:
        from askwhere.bindings.cli import train

        return train.parse(arguments[1:])
    if arguments[:1] == ["model"]:
        return model.parse(list(arguments[1:]))
    parser, taking_words = make_parsers()
    if arguments and arguments[0] in taking_words:
        # Only so are options understood between the words; subcommands do not allow it.
        return taking_words[arguments[0]].parse_intermixed_args(arguments[1:])
    return parser.parse_args(arguments)


def make_parsers() -> tuple[argparse.ArgumentParser, dict[str, argparse.ArgumentParser]]:
    """Return the parser of all commands but `eval`, `train` and `model`, which have their own.

    With it come, by name, the parsers of the commands that take several words: a question, or statements.
    """
    parser = argparse.ArgumentParser("askwhere", description="Ask a database in plain language, and get rows.")
    parser.add_argument("--version", action="version", version=askwhere.__version__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    ask = commands.add_parser("ask", help="ask one question and print the rows")
    ask.add_argument("database", metavar="DB", help="a SQLite or DuckDB file")
    ask.add_argument("question", nargs="+", help="what to ask, in quotes or as words")
    output = ask.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="print the rows as a JSON array of objects")
    output.add_argument("--csv", action="store_true", help="print the rows as CSV")
    output.add_argument("--sql", action="store_true", help="print the SQL, and do not run it")
    _add_options(ask)
    ask.set_defaults(run=_ask)

    traced = commands.add_parser("trace", help="ask one question and show how the answer came about, step by step")
    traced.add_argument("database", metavar="DB", help="a SQLite or DuckDB file")
    traced.add_argument("question", nargs="+", help="what to ask, in quotes or as words")
    output = traced.add_mutually_exclusive_group()
    output.add_argument("--html", type=Path, metavar="FILE", help="write one self-contained HTML page")
    output.add_argument("--json", action="store_true", help="print the steps as a JSON array of objects")
    _add_options(traced)
    traced.set_defaults(run=_trace)

    opened = commands.add_parser("shell", help="open a prompt that takes questions and SQL")
    opened.add_argument("database", metavar="DB", help="a SQLite or DuckDB file, or :memory:")
    opened.add_argument("sql", nargs="*", help="statements to run, instead of opening a prompt")
    _add_read_only(opened)
    options.add(opened)
    opened.set_defaults(run=_shell)

    indexed = commands.add_parser("index", help="index the values of a database, so that questions find them at once")
    indexed.add_argument("database", metavar="DB", help="a SQLite or DuckDB file")
    what = indexed.add_mutually_exclusive_group()
    what.add_argument("table", nargs="?", help="index only this table again")
    what.add_argument("--drop", action="store_true", help="remove the index")
    options.add(indexed)
    indexed.set_defaults(run=_index)

    kept = commands.add_parser("pins", help="list the pinned questions, export them to a file, or import them from one")
    kept.add_argument("database", metavar="DB", help="a SQLite or DuckDB file")
    way = kept.add_mutually_exclusive_group()
    way.add_argument("--json", action="store_true", help="print them as a JSON array of objects")
    way.add_argument("--export", type=Path, metavar="FILE", help="write them to a file as JSON lines")
    way.add_argument(
        "--import", type=Path, metavar="FILE", dest="read", help="check and pin the questions of a file of JSON lines"
    )
    kept.set_defaults(run=_pins)

    learnt = commands.add_parser("calibrate", help="calibrate the confidence of answers by asking the pinned questions")
    learnt.add_argument("database", metavar="DB", help="a SQLite or DuckDB file")
    way = learnt.add_mutually_exclusive_group()
    way.add_argument(
        "--json", action="store_true", help="print the outcome of each pin, and the reliability tables, as JSON"
    )
    way.add_argument("--drop", action="store_true", help="remove the calibration")
    options.add(learnt)
    learnt.set_defaults(run=_calibrate)

    said = commands.add_parser("comments", help="list comments on tables and columns, or import them from dbt")
    said.add_argument("database", metavar="DB", help="a SQLite or DuckDB file")
    way = said.add_mutually_exclusive_group()
    way.add_argument("--json", action="store_true", help="print them as a JSON array of objects")
    way.add_argument("--dbt", type=Path, metavar="FILE", help="import the descriptions of dbt's manifest.json")
    said.add_argument("--replace", action="store_true", help="overwrite comments that are there already")
    said.set_defaults(run=_comments, wrong=said.error)

    fixed = commands.add_parser("fix", help="repair a query that fails, with as few changes as possible, and print it")
    fixed.add_argument("database", metavar="DB", help="a SQLite or DuckDB file")
    fixed.add_argument("sql", metavar="SQL", help="the query")
    fixed.add_argument("--error", help="the error that the query raised, if you have it")
    options.add(fixed)
    fixed.set_defaults(run=_fix)

    told = commands.add_parser("explain", help="say in plain language what a query shows")
    told.add_argument("database", metavar="DB", help="a SQLite or DuckDB file")
    told.add_argument("sql", metavar="SQL", help="the query")
    options.add(told)
    told.set_defaults(run=_explain)

    served = commands.add_parser("serve", help="serve a database, with ask('…'), to every DuckDB client")
    served.add_argument("database", metavar="DB", help="a DuckDB file, or a SQLite file, which clients can only read")
    served.add_argument(
        "--listen",
        default="localhost",
        metavar="HOST[:PORT]",
        help="the address to listen on; localhost:9494 by default",
    )
    served.add_argument(
        "--token-file",
        type=Path,
        metavar="FILE",
        help="the file with the token that clients need; by default the token is ASKWHERE_TOKEN, or a new one",
    )
    _add_read_only(served)
    options.add(served)
    served.set_defaults(run=_serve)

    commands.add_parser("eval", help="measure how often answers are right, by questions with gold SQL")
    commands.add_parser("model", help="download language models, and list, choose and delete them")
    commands.add_parser("train", help="train the bias eliminator, or the small model")

    shown = commands.add_parser("demo", help="build the sample database and ask it five questions")
    shown.add_argument(
        "--folder",
        type=Path,
        default=Path(),
        help="the folder for world.db and world.duckdb; the current one by default",
    )
    shown.set_defaults(run=lambda parsed: demo.run(parsed.folder))

    found = commands.add_parser("extension-path", help="print where the loadable SQLite extension is")
    found.set_defaults(run=_extension_path)

    worker = commands.add_parser(
        "worker", help="started by the SQLite extension, to answer for the program that loaded it"
    )
    worker.set_defaults(run=_worker)

    checked = commands.add_parser(
        "doctor", help="report what is installed, and which settings and models would be used"
    )
    checked.set_defaults(run=lambda parsed: doctor.run())
    return parser, {"ask": ask, "trace": traced, "shell": opened}


def _add_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("--hint", help="something that a model should know; the reader cannot use it")
    options.add(command)
    _add_read_only(command)
    command.add_argument(
        "--choose", type=int, metavar="RANK", help="answer an ambiguous question with the candidate of this rank"
    )


def _add_read_only(command: argparse.ArgumentParser) -> None:
    command.add_argument("--read-only", action="store_true", help="open the database for reading only")


def _index(parsed: argparse.Namespace) -> int:
    connection = askwhere.connect(parsed.database, **options.chosen(parsed))
    with contextlib.closing(connection):
        found = connections.session(connection)
        print(found.index(connections.engine(connection), "drop" if parsed.drop else parsed.table))
    return 0


def _pins(parsed: argparse.Namespace) -> int:
    connection = askwhere.connect(parsed.database, read_only=parsed.read is None)
    with contextlib.closing(connection):
        found, engine = connections.session(connection), connections.engine(connection)
        if parsed.read:
            lines = parsed.read.read_text("utf-8").splitlines()
            pins = [from_json(line, f"{parsed.read}, line {n}") for n, line in enumerate(lines, 1) if line.strip()]
            print(f"{found.pin_all(engine, pins)} pins read from {parsed.read}", file=sys.stderr)
        elif parsed.export:
            pins = [pin for pin, _ in found.pins(engine)]
            files.write(files.named(parsed.export), "".join(f"{to_json(pin)}\n" for pin in pins))
            print(f"{len(pins)} pins written to {parsed.export}", file=sys.stderr)
        else:
            names = [name for name, _ in ask_pins.COLUMNS]
            _print(names, list(ask_pins.call(found, engine)), parsed)
    return 0


def _print(names: Sequence[str], rows: Sequence[Sequence[Any]], parsed: argparse.Namespace) -> None:
    """Print rows as a table, or as JSON."""
    if parsed.json:
        json.dump([dict(zip(names, row, strict=True)) for row in rows], sys.stdout, default=_plain)
        print()
    else:
        print(table(names, rows))


def _comments(parsed: argparse.Namespace) -> int:
    if parsed.replace and not parsed.dbt:
        parsed.wrong("--replace goes with --dbt")
    if parsed.dbt:
        return comments.import_dbt(parsed.database, parsed.dbt, parsed.replace)
    return comments.show(parsed.database, parsed.json)


def _fix(parsed: argparse.Namespace) -> int:
    connection = askwhere.connect(parsed.database, read_only=True, **options.chosen(parsed))
    with contextlib.closing(connection):
        fixed = connections.session(connection).fix(connections.engine(connection), parsed.sql, parsed.error)
        print(safe_for(fixed, sys.stdout))
    return 0


def _explain(parsed: argparse.Namespace) -> int:
    connection = askwhere.connect(parsed.database, read_only=True, **options.chosen(parsed))
    with contextlib.closing(connection):
        told = connections.session(connection).explain(connections.engine(connection), parsed.sql)
        print(safe_for(told, sys.stdout))
    return 0


def _ask(parsed: argparse.Namespace) -> int:
    # No other process can open a DuckDB file that this one has open for writing.
    chosen = options.chosen(parsed)
    read_only = parsed.read_only or settings.load(chosen)["isolation"] == "process"
    connection = askwhere.connect(parsed.database, read_only=read_only, **chosen)
    with contextlib.closing(connection):
        answer = askwhere.ask(connection, " ".join(parsed.question), hint=parsed.hint, choose=parsed.choose)
        if parsed.sql:
            print(safe_for(answer.candidates[(parsed.choose or 1) - 1].sql, sys.stdout))
        elif parsed.csv:
            csv.writer(Screen(sys.stdout), lineterminator="\n").writerows((answer.columns, *answer.rows))
        else:
            _print(answer.columns, answer.rows, parsed)
    return 0


def _trace(parsed: argparse.Namespace) -> int:
    question = Question(" ".join(parsed.question), hint=parsed.hint, choose=parsed.choose)
    chosen = options.chosen(parsed)
    return trace.run(parsed.database, question, parsed.read_only, parsed.html, parsed.json, chosen)


def _shell(parsed: argparse.Namespace) -> int:
    return shell.run(parsed.database, parsed.sql, parsed.read_only, **options.chosen(parsed))


def _calibrate(parsed: argparse.Namespace) -> int:
    return calibrate.run(parsed.database, options.chosen(parsed), parsed.json, parsed.drop)


def _serve(parsed: argparse.Namespace) -> int:
    from askwhere.bindings.serve import server  # imports duckdb

    server.run(parsed.database, parsed.listen, parsed.token_file, parsed.read_only, options.chosen(parsed))


def _extension_path(parsed: argparse.Namespace) -> int:
    print(native.extension_path())
    return 0


def _worker(parsed: argparse.Namespace) -> int:
    from askwhere.bindings.loadable import worker  # imports all that answers questions

    return worker.run()


def _plain(cell: Any) -> Any:
    return cell.hex() if isinstance(cell, bytes) else str(cell)
