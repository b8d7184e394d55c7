"""What a question costs that is the first of a new process, with its prompt's beginning on disk or not, or the second.

    python tests/benchmarks/prompts_kept.py MODEL.gguf          (0.5 billion parameters: about 5 minutes on one core)

Each question is asked of chinook in processes of their own: of llama-cpp-python with the same prompt and no more, by
askwhere with nothing on disk, by askwhere with what that left there, which is the schema's part alone, and by askwhere
as the second question of a process. All reply greedily with one completion of at most 64 tokens. What counts is the
processor time from before the model is opened until the answer, of the second question that of itself. Its ratios are
what to read; the seconds depend on the machine, and the processor time of a core that others use, too.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import askwhere
from askwhere.bindings import connections
from askwhere.models import named

DATA = Path(os.environ.get("ASKWHERE_DATA", Path(__file__).parents[2] / "../shared/data"))
CHINOOK = DATA / "samples" / "chinook.sqlite"
REPLY = 64  # tokens
BEFORE = "Which playlists are there?"
QUESTIONS = (
    "How many customers are there in Canada?",
    "What are the titles of the albums by AC/DC?",
    "What is the total of all invoices per country?",
)
WAYS = ("prompted plainly", "cold", "from disk", "second question")


def main() -> None:
    """Print the table; with `--one` what one process has to say."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("--questions", type=int, default=len(QUESTIONS))
    parser.add_argument("--one", choices=("plain", "ask"), help=argparse.SUPPRESS)
    parser.add_argument("--ask", nargs="+", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(plain(options.model, *options.ask) if options.one == "plain" else ask(options)))
        return
    table([four_ways(options.model, question) for question in QUESTIONS[: options.questions]])


def plain(model: Path, question: str) -> tuple[float, int]:
    """Return processor seconds of llama-cpp-python for the prompt that askwhere sends, and the prompt's tokens."""
    import llama_cpp

    connection = askwhere.connect(CHINOOK, read_only=True, model=askwhere.models.Scripted([]))
    ((prompt,),) = connection.execute("SELECT ask_prompt(?)", (question,)).fetchall()
    defaults = llama_cpp.llama_model_default_params()
    defaults.use_extra_bufts = False  # as askwhere has it on a processor with AMX, where the other way may crash
    llama_cpp.llama_cpp.llama_model_default_params = lambda: defaults
    started = time.process_time()
    llama: Any = llama_cpp.Llama(str(model), n_ctx=4_096, n_threads=1, n_threads_batch=1, verbose=False)
    got = llama.create_chat_completion([{"role": "user", "content": prompt}], max_tokens=REPLY, temperature=0.0)
    return time.process_time() - started, got["usage"]["prompt_tokens"]


def ask(options: argparse.Namespace) -> tuple[float, int]:
    """Return processor seconds of the last question, and how many tokens of its prompt were evaluated."""
    settings = {"model": f"gguf:{options.model.resolve()}", "method": "sea", "max_calls": 1, "max_tokens": REPLY}
    started, before = time.process_time(), 0
    connection = askwhere.connect(CHINOOK, read_only=True, threads=1, max_seconds=3_600, **settings)
    for question in options.ask:
        if question is not options.ask[0]:
            started, before = time.process_time(), evaluated(connection)
        with contextlib.suppress(askwhere.AskError):  # a small model's query may not run
            askwhere.ask(connection, question)
    return time.process_time() - started, evaluated(connection) - before


def evaluated(connection: Any) -> int:
    """Return how many tokens of prompts the connection's model has evaluated."""
    model: Any = named.open_model(connections.session(connection).settings, "model")
    return int(model.evaluated)


def four_ways(model: Path, question: str) -> list[tuple[float, int]]:
    """Return seconds and tokens of one question, in the order of `WAYS`."""
    with tempfile.TemporaryDirectory() as folder:

        def process(*arguments: str) -> tuple[float, int]:
            command = [sys.executable, __file__, str(model), *arguments]
            ran = subprocess.run(
                command, check=True, stdout=subprocess.PIPE, env=os.environ | {"XDG_CACHE_HOME": folder}
            )
            seconds, tokens = json.loads(ran.stdout)
            print(f"{arguments}: {seconds:.2f} s of processor time, {tokens:,} tokens", file=sys.stderr, flush=True)
            return seconds, tokens

        once = ("--one", "ask", "--ask", question)
        return [
            process("--one", "plain", "--ask", question),
            process(*once),
            process(*once),
            process("--one", "ask", "--ask", BEFORE, question),
        ]


def table(found: list[list[tuple[float, int]]]) -> None:
    """Print medians over the questions, in Markdown."""
    print(f"{len(found)} questions, medians\n\n| | tokens of the prompt evaluated | of plain | of cold |")
    print("|---|---|---|---|")
    for i, way in enumerate(WAYS):
        tokens = statistics.median(one[i][1] for one in found)
        of_plain, of_cold = (statistics.median(one[i][0] / one[base][0] for one in found) for base in (0, 1))
        print(f"| {way} | {tokens:,.0f} | {of_plain:.2f} | {of_cold:.2f} |")


if __name__ == "__main__":
    main()
