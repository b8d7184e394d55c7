"""Advice in errors on the command line: options and commands instead of SQL, and the command that adds a synonym."""

from __future__ import annotations

import argparse
import logging
import re
import shlex
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import duckdb
import pytest
from askwhere.bindings.advice import for_command_line
from askwhere.bindings.cli import main as cli
from askwhere.bindings.cli.main import main
from askwhere.bindings.source import Source
from askwhere.indexer import comments


@pytest.fixture(
    params=[("my shop.db", apsw.Connection), pytest.param(("shop.duckdb", duckdb.connect), marks=pytest.mark.slow)],
    ids=["sqlite", "duckdb"],
)
def shop(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    name, opened = request.param
    file = tmp_path / name
    connection: Any = opened(str(file))
    with closing(connection):
        connection.execute("CREATE TABLE purchases (id INTEGER, paid INTEGER)")
        connection.execute("INSERT INTO purchases VALUES (1, 20), (2, 30)")
    return str(file)


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(arguments) == 1
    return capsys.readouterr().err


def test_what_a_refusal_says_to_do_works_as_it_is_written(shop: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(capsys, "ask", shop, "how many repurchases are there")
    assert "SELECT ask_set" not in said
    assert "may read it: `askwhere model list` names some for this machine, and --model NAME sets one." in said
    asked, command, _ = said.split("`")[1::2]
    assert asked == f"askwhere ask {shlex.quote(shop)} 'how many purchases are there'"
    assert main([*shlex.split(asked)[1:], "--csv"]) == 0
    assert capsys.readouterr().out == "count\n2\n"
    assert command == f"askwhere comments {shlex.quote(shop)} --synonym repurchases purchases"
    assert main(shlex.split(command)[1:]) == 0
    assert capsys.readouterr().out == "questions may say repurchases for purchases\n"
    assert main(["ask", shop, "--csv", "how many repurchases are there"]) == 0
    assert capsys.readouterr().out == "count\n2\n"


def test_sql_in_place_of_a_question_is_refused_with_the_command_that_runs_it(
    shop: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said = refused(capsys, "ask", shop, "SELECT max(paid) FROM purchases")
    command = said.partition("\nIf it is SQL: `")[2].removesuffix("`\n")
    assert command == f"askwhere shell {shlex.quote(shop)} 'SELECT max(paid) FROM purchases'"
    assert main(shlex.split(command)[1:]) == 0
    assert "30" in capsys.readouterr().out
    assert "If it is SQL" not in refused(capsys, "ask", shop, "show the zorbs")


def test_a_refinement_of_no_question_is_refused_with_how_to_name_that(
    shop: str, capsys: pytest.CaptureFixture[str]
) -> None:
    sounds = "\nIt sounds like a refinement of another question: "
    assert f"{sounds}name that with --follows '…'.\n" in refused(capsys, "ask", shop, "only those with paid 20")
    assert sounds not in refused(capsys, "ask", shop, "which purchases zorb")
    assert main(["ask", shop, "only those with paid 20", "--follows", "how many purchases are there", "--csv"]) == 0
    assert capsys.readouterr().out == "count\n1\n"


@pytest.mark.parametrize(("command", "said"), [("pins", "`.pin`"), ("comments", "`--synonym"), ("keys", "`--suggest`")])
def test_an_empty_list_says_how_it_is_filled(
    command: str, said: str, shop: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, shop]) == 0
    out, err = capsys.readouterr()
    assert (out.endswith("0 rows\n"), err.startswith(said)) == (True, True)
    assert main([command, shop, "--json"]) == 0
    assert capsys.readouterr() == ("[]\n", "")


def test_only_commands_that_write_name_the_file_to_keep_it_in() -> None:
    said = "SELECT * FROM ask('all orders'); SELECT ask_key('a.b', 'c.d');"
    assert for_command_line(said, "a.csv", "a.csv --keep k.duckdb") == (
        "`askwhere ask a.csv 'all orders'` `askwhere keys a.csv --keep k.duckdb --add a.b c.d`,"
        " then `askwhere ask a.csv --keep k.duckdb …`"
    )


def test_advice_on_a_file_works_as_it_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bookings.csv").write_text("guest,room\nAnn,101\nBo,102\nAnn,201\n", "utf-8")
    question = "how many bookings per gust"
    assert main(["ask", "bookings.csv", question]) == 1
    instead, declared, then = re.findall("`askwhere ([^`]+)`", capsys.readouterr().err)[:3]
    assert main(shlex.split(instead)) == 0
    capsys.readouterr()
    assert main(shlex.split(declared)) == 0
    assert main([*shlex.split(then.removesuffix(" …")), question, "--csv"]) == 0
    assert capsys.readouterr().out.endswith("guest,count\nAnn,2\nBo,1\n")


def test_a_question_with_two_readings_is_settled_by_the_option_that_the_error_names(
    shop: str, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ("ask", shop, "--csv", "cities of orders")
    connection: Any = apsw.Connection(shop) if shop.endswith(".db") else duckdb.connect(shop)
    with closing(connection):
        connection.execute("CREATE TABLE orders (id INTEGER, ship_city TEXT, bill_city TEXT)")
        connection.execute("INSERT INTO orders VALUES (1, 'Oslo', 'Rome')")
    listed = (
        "say which with --choose N, or ask more precisely:\n"
        "  1: SELECT ship_city FROM orders -- “cities” read as orders.ship_city\n"
        "  2: SELECT bill_city FROM orders -- “cities” read as orders.bill_city"
    )
    assert listed in refused(capsys, *asked)
    assert listed in refused(capsys, "trace", *asked[1:2], asked[3])
    assert main([*asked, "--choose", "2"]) == 0
    assert capsys.readouterr().out == "bill_city\nRome\n"
    wrong = "choose: there are 2 candidates, and no rank 3; .choose in `askwhere shell` lists them"
    assert wrong in refused(capsys, *asked, "--choose", "3")


def test_synonyms_of_one_thing_add_up(shop: str, capsys: pytest.CaptureFixture[str]) -> None:
    for words in ("cost, price", "expense"):
        assert main(["comments", shop, "--synonym", words, "Purchases.PAID"]) == 0
    for word in ("cost", "price", "expense"):
        assert main(["ask", shop, "--csv", f"total {word} of purchases"]) == 0
    assert capsys.readouterr().out.count("50") == 3


@pytest.mark.parametrize("given", [["buys", "purchases"], ["buys=purchases"]])
def test_a_synonym_is_given_as_one_word_or_two(shop: str, capsys: pytest.CaptureFixture[str], given: list[str]) -> None:
    for words in ([shop, "--synonym", *given], ["--synonym", *given, shop]):
        assert main(["comments", *words]) == 0
        assert capsys.readouterr().out == "questions may say buys for purchases\n"
    assert main(["comments", shop, "--synonym=buys=purchases"]) == 0
    assert main(["keys", shop, "--add", "purchases.paid=purchases.id"]) == 0
    assert "purchases.paid refers to purchases.id" in capsys.readouterr().out


def test_a_synonym_for_nothing_names_what_is_near(shop: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert refused(capsys, "comments", shop, "--synonym", "cost", "purchases.piad") == (
        "askwhere: there is no table or column purchases.piad: expected TABLE or TABLE.COLUMN;"
        " did you mean 'purchases.paid'?\n"
    )


def test_a_key_that_is_named_without_its_option_is_shown_with_it(shop: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["keys", shop, "purchases.buyer", "customers.id"])
    advice = f"to declare a key: askwhere keys {shlex.quote(shop)} --add purchases.buyer customers.id\n"
    assert capsys.readouterr().err.endswith(advice)


def test_what_a_word_may_now_stand_for_is_said(shop: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["comments", shop, "--synonym", "cost, price", "purchases.paid"]) == 0
    assert capsys.readouterr().out == "questions may say cost, price for purchases.paid\n"


@pytest.mark.parametrize(
    ("sql", "command"),
    [
        ("SELECT ask_set('max_calls', …) allows more", "--set max_calls=… allows more"),
        ("SELECT ask_set('mcs', 'prompts=3, votes=5')", "--set 'mcs=prompts=3, votes=5'"),
        ("SELECT ask_set('hint', 'it''s')", "--set 'hint=it'\"'\"'s'"),
        ("SELECT ask_index('drop') removes it", "`askwhere index my.db --drop` removes it"),
        ("Without “new”: SELECT * FROM ask('old ones');", "Without “new”: `askwhere ask my.db 'old ones'`"),
        ("If a.b is c.d: SELECT ask_key('a.b', 'c.d');", "If a.b is c.d: `askwhere keys my.db --add a.b c.d`"),
        ("SELECT ask_pin('a', 'b') stays", "SELECT ask_pin('a', 'b') stays"),
        (
            f"{comments.create()}; INSERT INTO askwhere_comments (table_name, column_name, synonyms)"
            " VALUES ('Order Details', 'Qty.', 'amount');",
            '`askwhere comments my.db --synonym amount \'"Order Details"."Qty."\'`.',
        ),
    ],
)
def test_advice_is_put_in_the_words_of_the_command_line(sql: str, command: str) -> None:
    assert for_command_line(sql, "my.db") == command


def test_a_note_advises_a_command_whose_result_lasts(capsys: pytest.CaptureFixture[str]) -> None:
    parsed = argparse.Namespace(database=Source(("big.csv",)))
    with cli._noting("ask", parsed):
        logging.getLogger("askwhere").warning("not all was read; SELECT ask_index() reads the values whole")
    advised = "`askwhere index big.csv --keep kept.duckdb`, then `askwhere ask big.csv --keep kept.duckdb …`"
    assert capsys.readouterr().err == f"not all was read; {advised} reads the values whole\n"
    with cli._noting("shell", parsed):
        assert not logging.getLogger("askwhere").handlers
