"""`askwhere serve`: real servers and DuckDB clients in processes of their own, with the DuckDB that PyPI has Quack for.

`make serving` installs it into build/serving. What needs no Quack is in test_serve.py.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import apsw
import pytest
from faulty import Exchange, Faulty, answer, reply
from guard.attacks import ATTACKS
from servers import BIN, free_port
from support import NO_BARS, SHOP, Told, in_threads

ROOT = Path(__file__).resolve().parent.parent
TOKEN = "0123456789abcdef"
ASK = "SELECT * FROM ask('number of customers per country') ORDER BY 1"
ANSWER = [["Canada", 2], ["Norway", 1]]

CLIENT = """
import json, sys, duckdb
from askwhere.bindings.duckdb.extensions import load
connection = duckdb.connect()
for extension in ("httpfs", "quack"):
    load(connection, extension)
for line in sys.stdin:
    try:
        said = connection.execute(json.loads(line)).fetchall()
    except duckdb.Error as exc:
        said = f"{type(exc).__name__}: {exc}"
    print(json.dumps(said, default=str), flush=True)
"""


# Runs statements on a file, with askwhere or without, in the DuckDB that serves: older ones do not read newer files.
RUN = """
import json, sys, askwhere, duckdb
way, path, *statements = sys.argv[1:]
connection = {"askwhere": askwhere, "duckdb": duckdb}[way].connect(path)
print(json.dumps([connection.execute(statement).fetchall() for statement in statements]))
"""


def run(path: Path, *statements: str, way: str = "duckdb") -> Any:
    command = [BIN / "python", "-c", NO_BARS + RUN, way, path, *statements]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, timeout=600).stdout)


@dataclass
class Client:
    """A process with DuckDB, that knows nothing of askwhere's database; its secret is the server's."""

    address: str
    token: str = TOKEN
    process: Any = field(init=False)

    def __post_init__(self) -> None:
        self.process = subprocess.Popen(
            [BIN / "python", "-c", NO_BARS + CLIENT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.run(f"CREATE SECRET (TYPE quack, TOKEN '{self.token}', SCOPE '{self.address}')")

    def run(self, sql: str) -> Any:
        """The rows of a statement here, or the text of its error."""
        self.process.stdin.write(json.dumps(sql) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def ask(self, sql: str) -> Any:
        """The rows of a statement there."""
        return self.run(f"FROM quack_query('{self.address}', $$ {sql} $$)")

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


@dataclass
class Server:
    """`askwhere serve`, ready: a process that watches, and one that serves."""

    process: Any
    address: str
    said: str

    def stop(self, number: int = signal.SIGTERM) -> tuple[int, str]:
        """End it with a signal; its exit code and what it said meanwhile."""
        self.process.send_signal(number)
        rest, _ = self.process.communicate(timeout=600)
        return self.process.returncode, rest

    def worker(self) -> int:
        """The process that serves."""
        pid = self.process.pid
        return int(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    assert BIN.exists(), "make serving installs what these tests need"
    found = Place(tmp_path)
    yield found
    found.close()


class Place:
    """Makes servers and clients, and ends them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._open: list[Any] = []

    def shop(self, name: str = "shop.duckdb", script: str = SHOP) -> Path:
        path = self.folder / name
        if name.endswith("duckdb"):
            run(path, *filter(str.strip, script.split(";")))
        else:
            with contextlib.closing(apsw.Connection(str(path))) as connection:
                connection.execute(script)
        return path

    def serve(self, path: Path | str, *options: str, **environment: str) -> Server:
        port = free_port()
        process = subprocess.Popen(
            [BIN / "askwhere", "serve", path, "--listen", f"localhost:{port}", *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=os.environ | {"ASKWHERE_TOKEN": TOKEN} | environment,
            start_new_session=True,
        )
        self._open.append(process)
        said = ""
        while not re.search(r"SELECT \* FROM ask.*\n\n", said) and (line := process.stdout.readline()):
            said += line
        return Server(process, f"quack:localhost:{port}", said)

    def client(self, server: Server, token: str = TOKEN) -> Client:
        self._open.append(Client(server.address, token))
        return self._open[-1]

    def close(self) -> None:
        for opened in reversed(self._open):
            if isinstance(opened, Client):
                opened.close()
            else:
                opened.kill()
                opened.communicate()


def macros(path: Path) -> list[str]:
    rows = run(path, "SELECT function_name FROM duckdb_functions() WHERE function_type LIKE '%macro' ORDER BY 1")[0]
    return [name for (name,) in rows if name.startswith("ask")]


@pytest.mark.slow
def test_a_client_asks_in_another_process(place: Place) -> None:
    server = place.serve(place.shop())
    client = place.client(server)
    assert client.ask(ASK) == ANSWER
    assert client.ask("SELECT name, n FROM customers JOIN (SELECT 1 AS id, 2 AS n) USING (id)") == [["Ann", 2]]
    assert "CREATE VIEW" not in str(client.ask("SELECT ask_sql('number of customers')"))
    assert "xyzzy" in client.ask("SELECT * FROM ask('xyzzy customers')")
    assert client.ask("SELECT * FROM ask_pins()") == []
    assert client.ask("SELECT ask_pin('all', 'SELECT name FROM customers')") == [["pinned 'all'"]]
    assert client.ask("SELECT * FROM ask('all') ORDER BY 1 LIMIT 1") == [["Ann"]]


@pytest.mark.slow
def test_data_files_and_an_attached_database_are_served_to_be_read(place: Place) -> None:
    (place.folder / "sales.csv").write_text("country,amount\nPeru,3\nChile,4\n")
    server = place.serve(place.folder / "sales.csv", "--attach", f"crm={place.shop()}")
    assert "Attached, to be read only: crm." in server.said
    client = place.client(server)
    assert sorted(client.ask("SELECT * FROM ask('total amount of sales per country')")) == [["Chile", 4], ["Peru", 3]]
    assert client.ask("SELECT * FROM ask('number of customers in crm')") == [[3]]
    assert "file system operations are disabled" in client.ask("SELECT * FROM read_csv('/etc/passwd')")
    assert "attached in read-only mode" in client.ask("DELETE FROM crm.customers")
    assert "Authorization failed" in client.ask("CREATE OR REPLACE VIEW sales AS SELECT 'Mars' AS country, 1 AS amount")
    assert "Authorization failed" in client.ask("DROP VIEW sales")
    assert "Authorization failed" in client.ask("SELECT * FROM postgres_query('crm', 'SELECT 1')")
    assert server.stop()[0] == 0


@pytest.mark.slow
def test_views_over_files_say_how_to_allow_them_and_are_asked_where_that_was_done(place: Place) -> None:
    data = place.folder / "data"
    data.mkdir()
    (data / "sales.csv").write_text("country,amount\nPeru,3\nChile,4\n")
    made = f"CREATE VIEW sales AS FROM '{data}/s*.csv'"
    server = place.serve(place.shop(script=f"{SHOP}; {made}"))
    how = f"{data}/s*.csv may not be read here; in a file for --init, SET allowed_directories = ['{data}'] allows"
    assert f"the view sales cannot be asked: {how}" in server.said
    client = place.client(server)
    assert how in client.ask("SELECT * FROM ask('total amount of sales per country')")
    assert client.ask(ASK) == ANSWER
    assert server.stop()[0] == 0
    (place.folder / "allow.sql").write_text(f"SET allowed_directories = ['{data}'];")
    server = place.serve(place.folder / "shop.duckdb", "--init", str(place.folder / "allow.sql"))
    assert "cannot be asked" not in server.said
    client = place.client(server)
    assert client.ask("SELECT * FROM ask('total amount of sales in Chile')") == [[4]]
    assert "disabled" in client.ask("FROM read_csv('/etc/passwd')")


@pytest.mark.slow
def test_a_client_is_told_what_is_wrong_and_nothing_of_our_code(place: Place) -> None:
    client = place.client(place.serve(place.shop()))
    for statement, said in (
        ("SELECT * FROM ask('xyzzy customers')", "The built-in reader could not place “xyzzy” in this database."),
        ("CREATE VIEW odd AS SELECT * FROM ask('xyzzy customers')", "The built-in reader could not place “xyzzy”"),
        ("SELECT ask_set('modl', 'x')", "there is no setting 'modl'; did you mean 'model'?"),
        ("SELECT ask_sql(1)", "question must be a text, found the number 1"),
        ("SELECT * FROM ask_values('x', 0)", "k must be"),
    ):
        told = client.ask(statement)
        assert told.startswith("InvalidInputException: Invalid Input Error: ")
        assert said in told
        assert not re.search(r"Python|UDF|\.py|At:|Error: \w+Error:", told), told
    assert client.ask("SELECT * FROM ask_trace('never asked')") == []
    assert client.ask("SELECT ask_value('number of customers where name is Ann'), ask_set('effort', 'fast')") == [
        ["1", "effort = fast"]
    ]


@pytest.mark.slow
def test_duckdbs_own_shell_asks_by_the_lines_that_are_printed(place: Place) -> None:
    server = place.serve(place.shop(), ASKWHERE_TOKEN="")
    typed = re.findall(r"^  (.*)$", server.said, re.MULTILINE)
    assert typed[0] == "INSTALL quack; LOAD quack;"  # from DuckDB's server; the second line names PyPI's files
    script = re.findall(r"LOAD '[^']+';", typed[1])
    assert len(script) == 2
    script += [line.replace("…", "number of customers") for line in typed[1:]]
    shell = subprocess.Popen(
        [BIN / "duckdb", "-csv", "-bail"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    said, _ = shell.communicate("\n".join(script), timeout=600)
    assert (shell.returncode, said.split()[-1]) == (0, "3"), said


@pytest.mark.slow
def test_the_macro_makes_a_question_a_table_of_the_client(place: Place) -> None:
    server = place.serve(place.shop())
    client = place.client(server)
    client.run(re.findall(r"CREATE MACRO.*", server.said)[0])
    joined = "FROM ask('number of customers per country') JOIN ask('name and country of customers') USING (country)"
    assert client.run(f"CREATE TABLE kept AS SELECT country {joined} WHERE name = 'Cy'") == [[1]]
    assert client.run("SELECT country FROM kept JOIN ask('number of customers per country') USING (country)") == [
        ["Norway"]
    ]
    client.run("CREATE VIEW asked AS SELECT * FROM ask('number of customers per country')")
    assert client.run("FROM asked ORDER BY 1") == ANSWER
    assert "could not place “odd”" in client.run("SELECT * FROM ask('it''s an odd {} customer')")


@pytest.mark.slow
def test_an_attached_database_keeps_its_connection(place: Place) -> None:
    path = place.shop(script="CREATE TABLE planets (name TEXT, moons INT); INSERT INTO planets VALUES ('Mars', 2)")
    server = place.serve(path)
    client = place.client(server)
    client.run(f"ATTACH '{server.address}' AS served")
    assert client.run("FROM served.planets") == [["Mars", 2]]
    assert client.run("FROM served.query($$ SELECT ask_set('effort', 'fast') $$)") == [["effort = fast"]]
    effort = "SELECT value, source FROM ask_settings() WHERE name = 'effort'"
    assert client.run(f"FROM served.query($$ {effort} $$)") == [["fast", "ask_set"]]
    assert client.ask(effort) == [["balanced", "default"]]
    client.ask("CREATE VIEW asked AS SELECT * FROM ask('names of planets')")
    assert "Table with name asked does not exist" in client.run("FROM served.asked")
    client.run(f"DETACH served; ATTACH '{server.address}' AS served")
    assert client.run("FROM served.asked") == [["Mars"]]
    other = place.client(server)
    other.run(f"ATTACH '{server.address}' AS served")
    assert other.run("FROM served.asked") == [["Mars"]]  # a table like any other, for a BI tool


@pytest.mark.slow
def test_a_wrong_token_is_refused_and_files_cannot_be_read(place: Place) -> None:
    server = place.serve(place.shop())
    assert "Authentication failed" in place.client(server, "f" * 16).ask("SELECT 1")
    client = place.client(server)
    assert "disabled" in client.ask("FROM read_text('/etc/hostname')")
    assert "disabled" in client.ask("FROM read_csv('/etc/passwd')")
    assert "Authorization failed" in client.ask(f"COPY customers TO '{place.folder / 'out.csv'}'")
    assert "locked" in client.ask("SET enable_external_access = true")
    assert client.ask(ASK) == ANSWER


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGQUIT])
def test_a_signal_stops_it_and_the_macros_go(place: Place, number: int) -> None:
    path = place.shop()
    server = place.serve(path)
    client = place.client(server)
    assert client.ask(ASK) == ANSWER
    assert server.stop(number) == (0, "stopped\n")
    assert macros(path) == []
    assert "IO Error" in client.ask(ASK)


@pytest.mark.slow
@pytest.mark.parametrize("pause", [0.0, 0.02, 0.1])
def test_signals_that_follow_do_not_stop_the_cleaning(place: Place, pause: float) -> None:
    path = place.shop()
    server = place.serve(path)
    for number in (signal.SIGINT, signal.SIGINT, signal.SIGTERM):
        server.process.send_signal(number)
        time.sleep(pause)
    rest, _ = server.process.communicate(timeout=600)
    assert (server.process.returncode, rest) == (0, "stopped\n")
    assert macros(path) == []


@pytest.mark.slow
def test_a_terminal_that_closes_stops_it_and_the_macros_go(place: Place) -> None:
    path = place.shop()
    server = place.serve(path)
    assert place.client(server).ask(ASK) == ANSWER
    os.killpg(server.process.pid, signal.SIGHUP)
    assert server.process.communicate(timeout=600)[0] == "stopped\n"
    assert macros(path) == []


@pytest.mark.slow
def test_what_a_crash_leaves_is_cleaned_up_though_nobody_reads_what_is_said(place: Place) -> None:
    path = place.shop()
    server = place.serve(path)
    server.process.stdout.close()
    os.kill(server.worker(), signal.SIGSEGV)
    assert server.process.wait(timeout=600) == 1
    assert macros(path) == []
    server.process.stdout = None


@pytest.mark.slow
def test_no_other_sqlite_file_is_read_through_the_one_that_is_served(place: Place) -> None:
    other = place.shop("other.db", "CREATE TABLE secret (x); INSERT INTO secret VALUES ('CANARY')")
    client = place.client(place.serve(place.shop("shop.db")))
    assert client.ask("SELECT count(*) FROM shop.customers") == [[3]]
    for statement in (
        f"FROM sqlite_scan('{other}', 'secret')",
        f"FROM sqlite_attach('{other}')",
        "FROM sqlite_query('shop', 'SELECT 1')",
    ):
        assert "Authorization failed" in client.ask(statement)


@pytest.mark.slow
def test_what_a_killed_server_left_is_cleaned_by_the_next(place: Place) -> None:
    path = place.shop()
    server = place.serve(path)
    assert place.client(server).ask(ASK) == ANSWER
    os.killpg(server.process.pid, signal.SIGKILL)
    server.process.communicate(timeout=600)
    assert "ask" in macros(path)
    assert run(path, ASK, way="askwhere") == [ANSWER]  # is not disturbed by them
    again = place.serve(path)
    assert place.client(again).ask(ASK) == ANSWER
    again.stop()
    assert macros(path) == []


RELEASED = threading.Event()


def by_question(exchange: Exchange) -> None:
    """A model that answers 'number n' with n, and 'slow n' when it is released."""
    kind, n = re.findall(r"(number|slow) (\d+)", exchange.body["messages"][0]["content"])[-1]
    if kind == "slow":
        while not RELEASED.is_set() and exchange.wait(0.05):
            pass
    answer(reply(f"SELECT {n} AS n, count(*) AS c FROM customers"))(exchange)


@pytest.fixture
def model() -> Iterator[tuple[Faulty, dict[str, str]]]:
    RELEASED.clear()
    with Faulty((by_question,)) as server:
        yield (
            server,
            {
                "ASKWHERE_MODEL": "openai:house",
                "ASKWHERE_BASE_URL": server.url,
                "ASKWHERE_API_KEY": "k",
                "ASKWHERE_METHOD": "sea",
            },
        )


@pytest.mark.slow
def test_clients_at_once_get_their_own_answers_and_a_slow_model_keeps_only_its_own_waiting(
    place: Place, model: tuple[Faulty, dict[str, str]]
) -> None:
    server = place.serve(place.shop(), **model[1])
    clients = [place.client(server) for _ in range(4)]
    slow = place.client(server)
    late: list[Any] = []
    waiting = threading.Thread(target=lambda: late.append(slow.ask("SELECT * FROM ask('slow 99')")))
    waiting.start()

    def work(k: int) -> list[Any]:
        return [clients[k].ask(f"SELECT * FROM ask('number {n}')") for n in range(k * 10, k * 10 + 5)]

    assert in_threads(work, range(4)) == [[[[n, 3]] for n in range(k * 10, k * 10 + 5)] for k in range(4)]
    assert waiting.is_alive()
    RELEASED.set()
    waiting.join()
    assert late == [[[99, 3]]]


@pytest.mark.slow
def test_a_question_costs_one_answer_however_many_clients_ask_it(
    place: Place, model: tuple[Faulty, dict[str, str]]
) -> None:
    server = place.serve(place.shop(), **model[1])
    for _ in range(3):
        client = place.client(server)
        assert client.ask("SELECT * FROM ask('number 7')") == [[7, 3]]
        assert client.ask("SELECT * FROM ask('number 7')") == [[7, 3]]
    assert len(model[0].requests) == 1


@pytest.mark.slow
def test_a_server_stops_though_a_question_waits_for_its_model(
    place: Place, model: tuple[Faulty, dict[str, str]]
) -> None:
    path = place.shop()
    server = place.serve(path, **model[1])
    client = place.client(server)
    late: list[Any] = []
    waiting = threading.Thread(target=lambda: late.append(client.ask("SELECT * FROM ask('slow 1')")))
    waiting.start()
    assert model[0].asked.wait(600)
    assert server.stop()[0] == 0
    waiting.join()
    assert "IO Error" in late[0]
    assert macros(path) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ["shop.db", "shop.duckdb"])
def test_a_file_to_be_read_only_is_served_from_beside(place: Place, name: str) -> None:
    path = place.shop(name)
    before = path.read_bytes()
    server = place.serve(path, "--read-only")
    client = place.client(server)
    assert client.ask(ASK) == ANSWER
    assert client.ask("SELECT name FROM shop.customers ORDER BY id LIMIT 1") == [["Ann"]]
    assert "read-only" in client.ask("DELETE FROM shop.customers")
    evil = "AS SELECT 1 AS id, 'evil' AS name, 'Mars' AS country"
    for made in ("TABLE memory.main.customers", "VIEW customers", "VIEW memory.main.customers"):
        assert "Authorization failed" in client.ask(f"CREATE {made} {evil}")
    assert client.ask(f"CREATE TEMP TABLE customers {evil}") == [[1]]
    assert place.client(server).ask(ASK) == ANSWER
    assert client.ask("SELECT ask_pin('all', 'SELECT name FROM shop.customers')") == [["pinned 'all'"]]
    assert client.ask("SELECT count(*) FROM ask('all')") == [[3]]
    assert "The file is read only; the names of its tables begin with shop.\nThe token" in server.said
    server.stop()
    assert path.read_bytes() == before


@pytest.mark.slow
def test_pins_and_index_of_a_file_to_be_read_only_are_used(place: Place) -> None:
    path = place.shop()
    run(path, "SELECT ask_pin('all', 'SELECT name FROM customers')", "SELECT ask_index()", way="askwhere")
    server = place.serve(path, "--read-only", ASKWHERE_ISOLATION="process")
    assert place.client(server).ask("SELECT * FROM ask('all') ORDER BY 1") == [["Ann"], ["Bo"], ["Cy"]]
    assert place.client(server).ask("SELECT value FROM ask_values('norway')") == [["Norway"]]


@pytest.mark.slow
def test_a_port_in_use_and_a_macro_of_the_users_are_said(place: Place) -> None:
    first = place.serve(place.shop())
    second = place.serve(place.shop("other.duckdb"), "--listen", first.address.removeprefix("quack:"))
    assert "cannot be listened on: Address already in use" in second.said
    assert second.process.wait(timeout=600) == 1
    assert macros(place.folder / "other.duckdb") == []
    own = place.shop("own.duckdb", SHOP + "CREATE MACRO ask_sql(x) AS x + 1;")
    third = place.serve(own)
    assert third.said.startswith("askwhere: the database has a macro ask_sql() of its own")
    assert macros(own) == ["ask_sql"]


STORED = """PRAGMA writable_schema = ON; INSERT INTO sqlite_master
VALUES ('table', 'per_country', 'per_country', 0, 'CREATE VIRTUAL TABLE per_country USING ask()');"""
UNLISTED = "DuckDB cannot open the virtual table per_country (no such module: ask): drop it, or use a copy without it"


@pytest.mark.slow
@pytest.mark.parametrize("attached", [False, True])
def test_a_stored_answer_in_a_sqlite_file_is_said_to_keep_it_from_being_served(place: Place, attached: bool) -> None:
    file = place.shop("shop.db", f"{SHOP} {STORED}")
    server = place.serve(place.shop(), "--attach", f"other=sqlite:{file}") if attached else place.serve(file)
    assert server.said.endswith(f"{UNLISTED}\n")
    assert server.said.count("\n") == 1
    assert server.process.wait(timeout=600) == 1


@pytest.mark.slow
def test_one_that_is_stored_while_the_file_is_served_is_said_to_clients(place: Place) -> None:
    server = place.serve(file := place.shop("shop.db"))
    client = place.client(server)
    assert client.ask(ASK) == ANSWER
    with contextlib.closing(apsw.Connection(str(file))) as connection:
        connection.execute(STORED)
    for asked in (ASK, "SELECT ask_schema()"):
        assert UNLISTED in client.ask(asked)
    with contextlib.closing(apsw.Connection(str(file))) as connection:
        connection.execute("PRAGMA writable_schema = ON; DELETE FROM sqlite_master WHERE name = 'per_country'")
    assert client.ask(ASK) == ANSWER


@pytest.mark.slow
def test_a_server_whose_watcher_is_killed_stops_and_cleans_up(place: Place) -> None:
    path = place.shop()
    server = place.serve(path)
    assert place.client(server).ask(ASK) == ANSWER
    assert server.stop(signal.SIGKILL) == (-signal.SIGKILL, "stopped\n")
    assert macros(path) == []


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV])
def test_what_a_crash_leaves_is_cleaned_up(place: Place, number: int) -> None:
    path = place.shop()
    server = place.serve(path)
    client = place.client(server)
    assert client.ask("INSERT INTO customers VALUES (9, 'Di', 'Norway')") == [[1]]
    os.kill(server.worker(), number)
    rest, _ = server.process.communicate(timeout=600)
    assert server.process.returncode == 1
    assert f"ended: the serving process was killed by {signal.Signals(number).name}\n" in rest
    assert macros(path) == []
    assert run(path, "SELECT count(*) FROM customers") == [[[4]]]
    assert "IO Error" in client.ask("SELECT 1")


@pytest.mark.slow
def test_a_server_whose_database_is_given_up_ends(place: Place) -> None:
    path = place.shop()
    server = place.serve(path)
    client, other = place.client(server), place.client(server)
    assert other.ask(ASK) == ANSWER
    fatal = "SELECT reservoir_quantile(id::HUGEINT, 0.5, 2147483647) FROM customers"
    assert "Error" in client.ask(fatal)
    rest, _ = server.process.communicate(timeout=600)
    assert server.process.returncode == 1, rest
    assert re.search(r"^ended: DuckDB has given up the database \(.+\); what was committed is in the file$", rest, re.M)
    assert macros(path) == []
    again = place.serve(path)
    assert place.client(again).ask(ASK) == ANSWER


@pytest.mark.slow
def test_hostile_replies_are_refused_and_the_server_goes_on(place: Place) -> None:
    ids = ("N08", "N40", "N41", "N42", "N43", "N44", "N75", "N76", "W01", "W05", "W07")
    hostile = {f"flurb {attack.id}": attack for attack in ATTACKS if attack.id in ids}
    replies = Told({
        **{question: attack.reply for question, attack in hostile.items()},
        "tokens": "SELECT x FROM shown",
        "loose things": "SELECT list_sort(v) AS x FROM loose",
        "flurb of people": "SELECT count(*) AS n FROM customers",
    })  # fmt: skip

    def fault(exchange: Exchange) -> None:
        answer(reply(*replies.complete(exchange.body["messages"][-1]["content"]).texts))(exchange)

    made = """
    CREATE TABLE customers AS SELECT i AS id, 'n' || i AS name, 't' || i AS api_token FROM range(200) t(i);
    CREATE VIEW shown AS SELECT api_token AS x FROM customers;
    CREATE VIEW loose AS SELECT id::VARIANT AS v FROM customers
    """
    path = place.shop(script=made)
    with Faulty((fault,)) as model:
        server = place.serve(
            path,
            ASKWHERE_MODEL="openai:house", ASKWHERE_BASE_URL=model.url, ASKWHERE_METHOD="sea", ASKWHERE_EFFORT="fast",
            ASKWHERE_HIDE_COLUMNS="customers.api_token",
        )  # fmt: skip
        client = place.client(server)
        for question, attack in hostile.items():
            assert attack.error in client.ask(f"SELECT * FROM ask('{question}')"), attack.title
        assert "shown" in client.ask("SELECT * FROM ask('tokens')")
        assert "list_sort may crash DuckDB 1.5" in client.ask("SELECT * FROM ask('loose things')")
        assert client.ask("SELECT * FROM ask('flurb of people')") == [[200]]
        assert server.stop() == (0, "stopped\n")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="Linux says how much memory a process has")
def test_long_requests_of_whom_nobody_let_in_leave_nothing_in_memory(place: Place) -> None:
    server = place.serve(place.shop())
    client = place.client(server)
    assert client.ask(ASK) == ANSWER
    pids, port = (server.process.pid, server.worker()), int(server.address.rpartition(":")[2])
    before = [resident(pid) for pid in pids]
    for _ in range(4):
        with socket.create_connection(("127.0.0.1", port), timeout=600) as sender:
            sender.sendall(b"POST /quack HTTP/1.1\r\nContent-Length: 100000000\r\n\r\n")
            with contextlib.suppress(OSError):  # it is refused before it has come
                sender.sendall(bytes(100_000_000))
            with contextlib.suppress(ConnectionResetError):
                assert b"413 Content Too Large" in sender.recv(100)
    assert all(resident(pid) - was < 30_000_000 for pid, was in zip(pids, before, strict=True))
    assert client.ask(f"SELECT length('{'x' * 1_000_000}')") == [[1_000_000]]


def resident(pid: int) -> int:
    """The bytes of memory that a process has."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.slow
def test_no_client_harms_the_server_or_another_client(place: Place) -> None:
    planets = "CREATE TABLE planets (name TEXT, moons INT); INSERT INTO planets VALUES ('Mars', 2)"
    server = place.serve(place.shop(script=planets))
    client, other = place.client(server), place.client(server)
    other.run(f"ATTACH '{server.address}' AS served")
    assert other.run("FROM served.query($$ SELECT ask_set('effort', 'fast') $$)") == [["effort = fast"]]
    folder = place.folder
    hidden = "SELECT count(*) FROM duckdb_functions() WHERE function_name LIKE 'askwhere_change_%'"
    [[found]] = client.ask(hidden)
    assert found == 1
    [[change]] = client.ask(hidden.replace("count(*)", "min(function_name)"))
    for statement in (
        f"CALL enable_logging(storage = 'file', storage_path = '{folder}')",
        "CALL enable_logging()",
        "SET GLOBAL quack_authorization_function = 'quack_nop_authorization'",
        "SET GLOBAL memory_limit = '1TB'",
        "SET threads = 1",
        "RESET lock_configuration",
        f"ATTACH '{folder}/other.duckdb' AS other",
        "ATTACH ':memory:' AS other",
        f"PRAGMA profiling_output = '{folder}/profile'",
        f"COPY planets TO '{folder}/out.csv'",
        f"EXPORT DATABASE '{folder}/exported'",
        "INSTALL json",
        "FORCE CHECKPOINT",
        "DROP MACRO TABLE ask",
        "CREATE OR REPLACE MACRO ask_sql(question) AS 'SELECT 1'",
        "CREATE SECRET mine (TYPE quack, TOKEN 'x')",
        f"CALL quack_stop('{server.address}')",
        "CALL quack_serve('quack:localhost:1', token = '1111111111111111')",
        "FROM quack_active_connections()",
        "FROM query('FROM quack_active_' || 'connections()')",
        "FROM\u00a0quack_active_connections()",
        "FROM quack_active_connections\u200b()",
        'FROM "quack_active_connections" /* " */ ()',
        "SET GLOBAL integer_division = true",
        "CREATE MACRO current_connection_id() AS 7",
        "CREATE MACRO askwhere_may(client, statement) AS true",
        f"FROM enable_profiling(format = 'json', save_location = '{folder}/profile.json')",
        *(f"SELECT {change}('ask_set', '[[\"effort\",\"thorough\"],[]]', 'ask_set', '{n}')" for n in range(40)),
        *(
            f"SELECT \"{change}\" /* \" */ ('ask_set', '[[\"effort\",\"thorough\"],[]]', 'ask_set', '{n}')"
            for n in range(9)
        ),
    ):
        told = client.ask(statement)
        assert "Authorization failed" in told or "configuration has been locked" in told, (statement, told)
    assert client.ask("SELECT * FROM ask('names of planets')") == [["Mars"]]
    assert client.ask("SET TimeZone = 'UTC'") == []
    effort = "SELECT value FROM ask_settings() WHERE name = 'effort'"
    assert other.run(f"FROM served.query($$ {effort} $$)") == [["fast"]]
    assert sorted(path.name for path in folder.iterdir() if not path.name.startswith("shop")) == []


@pytest.mark.slow
def test_twenty_clients_at_once_and_one_killed_in_the_middle(
    place: Place, model: tuple[Faulty, dict[str, str]]
) -> None:
    path = place.shop()
    server = place.serve(path, **model[1])
    leaving = place.client(server)
    leaving.process.stdin.write(json.dumps(f"FROM quack_query('{server.address}', $$ SELECT * FROM ask('slow 1') $$)"))
    leaving.process.stdin.write("\n")
    leaving.process.stdin.flush()
    clients = [place.client(server) for _ in range(20)]
    leaving.process.kill()
    found = in_threads(lambda n: clients[n].ask(f"SELECT * FROM ask('number {n}')"), range(20))
    assert found == [[[n, 3]] for n in range(20)]
    assert server.stop()[0] == 0
    assert macros(path) == []


@pytest.mark.slow
def test_the_token_is_in_no_list_of_processes_and_nothing_that_a_client_sees(place: Place) -> None:
    server = place.serve(place.shop())
    client = place.client(server)
    for pid in (server.process.pid, server.worker()):
        assert TOKEN not in Path(f"/proc/{pid}/cmdline").read_text()
    for statement in ("FROM duckdb_settings()", "FROM duckdb_functions()", "FROM duckdb_secrets()", "FROM duckdb_logs"):
        assert TOKEN not in str(client.ask(f"SELECT s::VARCHAR FROM ({statement}) AS s")), statement
    assert TOKEN not in server.said


@pytest.mark.slow
def test_a_second_server_of_the_same_file_is_said(place: Place) -> None:
    path = place.shop()
    first = place.serve(path)
    second = place.serve(path)
    assert second.said.startswith(f"askwhere: {path} could not be opened: ")
    assert "lock" in second.said
    assert second.process.wait(timeout=600) == 1
    assert place.client(first).ask(ASK) == ANSWER


@pytest.mark.slow
@pytest.mark.parametrize("content", [b"no database at all", b"12345678DUCK" + b"\0" * 4000])
def test_what_cannot_be_served_is_said_and_nothing_else(place: Place, content: bytes) -> None:
    path = place.folder / "broken.duckdb"
    path.write_bytes(content)
    server = place.serve(path)
    assert server.said.startswith(f"askwhere: {path} ")
    assert not re.search("killed|the functions|terminate", server.said)
    assert server.process.wait(timeout=600) == 1
    assert path.read_bytes() == content


@pytest.mark.slow
def test_clients_that_send_a_byte_now_and_then_keep_nobody_waiting_for_ever(place: Place) -> None:
    """More of them than Quack has threads: each is closed."""
    server = place.serve(place.shop())
    assert "stops it" in server.said, server.said
    port = int(server.address.rpartition(":")[2])
    slow = [socket.create_connection(("127.0.0.1", port), timeout=600) for _ in range(140)]
    left = {one.fileno(): one for one in slow}
    while left:
        for one in list(left.values()):
            try:
                one.sendall(b"a")
            except OSError:
                left.pop(one.fileno()).close()
        time.sleep(0.2)
    assert place.client(server).ask(ASK) == ANSWER


@pytest.mark.slow
@pytest.mark.parametrize("name", ["md:x", ":memory:x", "~x", "what?", "askwhere_kept", "a'b\"c; d", "new\nline"])
def test_files_and_tables_of_any_name_are_served(place: Place, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, made = place.folder / "there", place.shop("made.duckdb")
    named = f"in {name}"
    quoted = '"' + named.replace('"', '""') + '"'
    run(made, f"CREATE TABLE {quoted} (name TEXT, {quoted} TEXT)", f"INSERT INTO {quoted} VALUES ('Rome', 'Oslo')")
    folder.mkdir()
    made.rename(folder / f"{name}.duckdb")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HOME", str(place.folder))
    server = place.serve(f"{name}.duckdb")
    client = place.client(server)
    assert client.ask(ASK) == ANSWER
    client.ask("SELECT ask_index()")
    assert [found[:3] for found in client.ask("SELECT * FROM ask_values('Oslo')")] == [[named, named, "Oslo"]]
    # So many rows that DuckDB writes its log into the file meanwhile.
    client.ask("CREATE TABLE many AS SELECT hash(i) AS i, hash(-i) AS j FROM range(3000000) t(i)")
    for _ in range(2):
        client.ask("UPDATE many SET i = i + 1")
    assert client.ask(ASK) == ANSWER
    assert server.stop()[0] == 0
    assert os.listdir(".") == [f"{name}.duckdb"]
    assert macros(folder / f"{name}.duckdb") == []
