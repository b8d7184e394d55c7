"""Runs attacks, each in a process of its own, which begins with everything imported: that is most of its work.

`python -m guard.attack_process` reads lines, each a JSON array of an attack's id, the engine, an empty folder and the
beginning of the paths of two files: `.json` gets the facts, `.txt` what the process writes. The answer is the exit
code.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import re
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import apsw
import askwhere
import duckdb
from askwhere.bindings.duckdb.extensions import load
from askwhere.models import Scripted
from askwhere.models.protocol import Completions
from guard.attacks import ATTACHED, ATTACKS, DUCKDB, SQLITE, Attack

PLACES = ("HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME")
# What asking imports when it first asks.
LATER = (
    "askwhere.bindings.connections", "askwhere.bindings.duckdb.functions", "askwhere.bindings.sqlite.functions",
    "askwhere.session.repairing", "askwhere.session.showing", "askwhere.indexer.build", "askwhere.pipeline.methods",
    "askwhere.pipeline.binding", "askwhere.models.named", "sqlglot.optimizer.annotate_types",
    *(f"sqlglot.dialects.{name}" for name in "bigquery duckdb mysql oracle postgres snowflake sqlite tsql".split()),
)  # fmt: skip
MANY = 1_000_000  # as many rows as an answer may have when nothing is set


class Obedient(Scripted):
    """A model that has been taken over by what its prompt says."""

    def complete(self, prompt: str, *arguments: Any, **options: Any) -> Completions:
        self.prompts.append(prompt)
        order = re.search(r"RUN: ([A-Za-z ]+)", prompt)
        return Completions((order.group(1) if order else "SELECT count(*) FROM tickets",))


def main(name: str, engine: str, folder: Path) -> dict[str, Any]:
    """Sets up the database, asks through SQL and through Python, and tells what happened."""
    attack = next(a for a in ATTACKS if a.id == name)
    connection, called = prepare(attack, engine, folder)
    reply = attack.reply.replace("@W", str(folder))
    model = Obedient([]) if attack.obedient else Scripted([reply] * 20)
    settings = {"hide_columns": attack.hide, "allow_functions": attack.allow}
    given = {name: value for name, value in settings.items() if value}
    askwhere.register(connection, model=model, query_timeout=attack.timeout, **given)
    globals().update({attack.variable: {"x": ["CANARY-PYVAR"]}} if attack.variable else {})
    state = STATES[engine]
    before = state(connection, folder)
    asked = [
        ask(lambda: through_sql(connection, attack.question)),
        ask(lambda: through_python(connection, f"{attack.question} please")),
    ]
    return {
        "asked": asked,
        "unchanged": before == state(connection, folder),
        "prompts": len(model.prompts),
        "called": len(called),
        "megabytes": most_memory(),
    }


def most_memory() -> float:
    """The most megabytes this process has held; `ru_maxrss` would begin with what its parent held."""
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return int(re.findall(r"VmHWM:\s*(\d+) kB", status)[0]) / 1024


def prepare(attack: Attack, engine: str, folder: Path) -> tuple[Any, list[Any]]:
    """The user's own connection to a file, and the calls of the user's own function."""
    (folder / "secret.csv").write_text("k\nCANARY-FILE\n")
    other = apsw.Connection(str(folder / "other.db"))
    other.execute("CREATE TABLE secret(s); INSERT INTO secret VALUES ('CANARY-OTHER')")
    other.close()
    called: list[Any] = []
    connection: Any
    if engine == "sqlite":
        connection = apsw.Connection(str(folder / "app.db"))
        connection.execute(SQLITE)
        if attack.user_function:
            connection.create_scalar_function(attack.user_function, lambda *values: called.append(values), -1)
    else:
        connection = MADE[engine](folder)
        if attack.user_function:
            function: Callable[[str], str] = lambda x: called.append(x) or x  # noqa: E731 - the engine wants a type
            connection.create_function(attack.user_function, function, ["VARCHAR"], "VARCHAR")
    connection.execute(attack.before or "SELECT 1").fetchall()
    return connection, called


def own_tables(folder: Path) -> duckdb.DuckDBPyConnection:
    """A DuckDB file with the tables."""
    connection = duckdb.connect(str(folder / "app.duckdb"))
    connection.execute(DUCKDB)
    return connection


def attached_tables(folder: Path) -> duckdb.DuckDBPyConnection:
    """A DuckDB connection with the tables in an attached SQLite file, which are found by their names alone."""
    made = apsw.Connection(str(folder / "app.db"))
    made.execute(ATTACHED)
    made.close()
    connection = duckdb.connect()
    load(connection, "sqlite_scanner")
    connection.execute(f"ATTACH '{folder / 'app.db'}' AS crm (TYPE sqlite, READ_ONLY); CREATE SEQUENCE s")
    connection.execute("SET search_path = 'memory.main,crm.main'; CREATE VIEW v_cust AS SELECT id, name FROM customers")
    return connection


MADE = {"duckdb": own_tables, "attached": attached_tables}


def ask(answer: Callable[[], tuple[list[str], list[Any]]]) -> dict[str, Any]:
    """What one way of asking gave: rows or an error, and its processor time."""
    started = time.process_time()
    found: dict[str, Any] = {"rows": None, "columns": [], "error": None, "text": ""}
    try:
        found["columns"], found["rows"] = answer()
    except Exception as error:
        found["error"] = ", ".join(cls.__name__ for cls in type(error).__mro__)
        found["text"] = f"{error} {getattr(error, 'sql', '')}"
    return found | {"seconds": time.process_time() - started}


def through_sql(connection: Any, question: str) -> tuple[list[str], list[Any]]:
    cursor = connection.execute(f"SELECT * FROM ask('{question}')")
    columns = [name for name, *_ in cursor.description]
    rows = []
    for row in iter(cursor.fetchone, None):
        rows.append(row)
        if len(rows) > MANY:
            raise AssertionError("more rows than max_rows were delivered")
    return columns, rows[:1_000]


def through_python(connection: Any, question: str) -> tuple[list[str], list[Any]]:
    answer = askwhere.ask(connection, question)
    return list(answer.columns), list(answer.rows[:1_000])


def sqlite_state(connection: Any, folder: Path) -> Any:
    bytes_ = [hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in ("app.db",)]
    rows = [connection.execute(f"SELECT count(*), max(id) FROM {t}").fetchall() for t in ("orders", "customers")]
    pragmas = [connection.pragma(p) for p in ("query_only", "data_version", "foreign_keys")]
    return bytes_, rows, pragmas, connection.in_transaction, connection.total_changes(), files(folder)


def duckdb_state(connection: Any, folder: Path) -> Any:
    queries = (
        "SELECT table_name, sql FROM duckdb_tables() ORDER BY ALL",
        "SELECT sequence_name, last_value FROM duckdb_sequences() ORDER BY ALL",
        "SELECT name, value FROM duckdb_settings() ORDER BY ALL",
        "SELECT count(*), max(id) FROM customers",
        "SELECT count(*) FROM log",
        "SELECT name, loaded, installed FROM duckdb_extensions() ORDER BY ALL".replace("name", "extension_name"),
    )
    transactions = len({connection.execute("SELECT txid_current()").fetchall()[0] for _ in range(2)})
    bytes_ = hashlib.sha256((folder / "app.db").read_bytes()).hexdigest() if (folder / "app.db").exists() else ""
    return [connection.execute(q).fetchall() for q in queries], transactions, files(folder), bytes_


STATES: dict[str, Callable[[Any, Path], Any]] = {
    "sqlite": sqlite_state, "duckdb": duckdb_state, "attached": duckdb_state
}  # fmt: skip


def files(folder: Path) -> list[str]:
    """Everything under the scratch directory, which is also the home and the place for temporary files."""
    return sorted(str(p) for p in folder.rglob("*") if ".tmp" not in p.name)


def serve() -> None:
    """Runs the attacks that standard input names, one after the other, until it is closed."""
    for line in sys.stdin:
        child = os.fork()
        if not child:
            run(*json.loads(line))
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


def run(name: str, engine: str, folder: str, output: str) -> NoReturn:
    """Runs an attack, and ends the process: by an alarm if nothing else does."""
    signal.alarm(600)
    for number, path in enumerate((os.devnull, f"{output}.txt", f"{output}.txt")):
        os.dup2(os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND), number)
    os.environ.update(dict.fromkeys(PLACES, folder))
    try:
        Path(f"{output}.json").write_text(json.dumps(main(name, engine, Path(folder)), default=str))
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)
    sys.stdout.flush()
    os._exit(0)  # a statement that cannot be stopped must not keep the process, and with it the test, alive


if __name__ == "__main__":
    for module in LATER:
        importlib.import_module(module)
    serve()
