"""`askwhere web`, over both engines: what the page does, what it refuses, and what only `--write` allows."""

from __future__ import annotations

import contextlib
import http.client
import re
import socket
import sys
from collections.abc import Iterator
from typing import Any

import askwhere
import pytest
from askwhere.bindings.cli import main as cli
from askwhere.indexer.tables import FORMAT
from askwhere.models import Scripted
from askwhere.pages import svg
from support import SHOP, Database, connected, rows
from web import TOKEN, Site, serving

pytestmark = pytest.mark.slow

ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x > 0) SELECT count(*) AS n FROM c"


@pytest.fixture
def file(database: Database) -> str:
    made = connected(database.kind, database.path)
    made.execute(SHOP)
    made.close()
    return str(database.path)


@pytest.fixture
def site(file: str) -> Iterator[Site]:
    with serving(lambda: askwhere.connect(file, read_only=True)) as made:
        yield made


@pytest.fixture
def writing(file: str) -> Iterator[Site]:
    with serving(lambda: askwhere.connect(file), write=True) as made:
        yield made


def test_a_question_is_answered_with_rows_query_and_steps(site: Site) -> None:
    page = site.asked("customers per country")
    assert "<td>Canada</td>" in page
    assert "GROUP BY" in page
    assert "Confidence" in page
    assert 'aria-label="Step 1"' in page
    assert "read only" in page
    assert "/pin/" not in page


def test_the_first_page_has_examples_that_this_database_answers(site: Site) -> None:
    examples: list[str] = []
    while not examples:  # a slow machine shows its first page without them
        examples = re.findall(r'name="question" value="([^"]+)"', site.get("/")[1])
    for example in examples:
        assert 'role="alert"' not in site.asked(example)


def test_an_answer_that_has_a_chart_shows_it(site: Site) -> None:
    pytest.importorskip("vl_convert")
    page = site.asked("customers per country")
    assert '<svg role="img" aria-label="Bar chart of ' in page
    assert re.search(r"<text [^>]*>Canada</text>", page)
    assert not re.search(r"<svg[^>]*(?:style|xmlns|href)=", page)
    assert "Bar chart" not in site.asked("how many customers are there")


def test_without_what_draws_a_chart_the_page_says_how_to_get_it(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    page = site.asked("customers per country")
    assert "For a chart of these rows, install vl-convert: pip install vl-convert-python" in page
    assert "Bar chart" not in page
    assert "vl-convert" not in site.asked("how many customers are there")


def test_a_picture_keeps_its_shapes_and_texts_alone() -> None:
    shape = "<path d='M0,0' fill='#000' style='color: red' onload='x()' stroke='URL(#a)'/>"
    inside = f"<g class='a' href='x'>{shape}<text>a &lt;b&gt;</text></g><script>x()</script><a><text>no</text></a>"
    made = svg.inline(f"<svg xmlns='http://www.w3.org/2000/svg' width='9' height='7'>{inside}</svg>", 'a "b"')
    assert made == (
        '<svg role="img" aria-label="a &#34;b&#34;" width="9" height="7" viewBox="0 0 9 7">'
        '<g class="a"><path d="M0,0" fill="#000"></path><text>a &lt;b&gt;</text></g></svg>'
    )


def test_a_question_may_follow_the_one_above(site: Site) -> None:
    assert 'value="1" checked' in site.asked("customers per country")
    page = site.asked("only those in Canada", after=1)
    assert "After “customers per country”" in page
    assert "<td>Norway</td>" not in page
    assert "<td>Canada</td>" in page
    assert 'href="/answer/1"' in page
    assert "After “" not in site.asked("how many orders are there", after=1)


def test_without_an_answer_the_page_says_why(site: Site) -> None:
    page = site.asked("flurbs by zorb")
    assert "could not place “flurbs”, “zorb” in this database" in page
    assert 'role="alert"' in page


def test_history_and_words_are_shown(site: Site) -> None:
    site.asked("customers per country")
    site.asked("how many customers are there")
    history = site.get("/history")[1]
    assert history.index("how many customers are there") < history.index("customers per country")
    assert "Comments and synonyms" in site.get("/words")[1]


@pytest.mark.parametrize(
    ("path", "headers", "said"),
    [
        ("/", {"Cookie": ""}, "Open the page by the address that `askwhere web` has printed, with its token."),
        ("/", {"Cookie": "askwhere=wrong"}, "Open the page by the address"),
        ("/?token=wrong", {"Cookie": ""}, "Open the page by the address"),
        ("/?token=%C3%A9", {"Cookie": ""}, "Open the page by the address"),
        ("/", {"Host": "evil.example"}, "This page has no such name: open it by http://127.0.0.1:"),
        ("/", {"Host": "127.0.0.1:1"}, "This page has no such name"),
    ],
)
def test_who_has_no_token_or_another_name_for_us_sees_nothing(
    site: Site, path: str, headers: dict[str, str], said: str
) -> None:
    code, text = site.get(path, **headers)
    assert code == 403
    assert text.startswith(said)


@pytest.mark.parametrize("origin", ["", "null", "http://evil.example", "http://127.0.0.1:1", "https://127.0.0.1"])
def test_forms_of_other_pages_are_refused(site: Site, origin: str) -> None:
    assert site.post("/ask", {"question": "customers"}, Origin=origin) == (403, "Only this page may send its forms.")
    assert site.get("/answer/1")[0] == 404


@pytest.mark.parametrize("header", ["Host", "Origin"])
@pytest.mark.parametrize("other", ["", "evil.example"])
def test_a_request_with_a_header_twice_is_refused(site: Site, header: str, other: str) -> None:
    mine = {"Host": f"127.0.0.1:{site.port}", "Origin": site.origin}
    told = [*mine.items(), (header.lower(), other or mine[header]), ("Cookie", f"askwhere_{site.port}={TOKEN}")]
    for order in (told, told[::-1]):
        connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=600)
        with contextlib.closing(connection):
            connection.putrequest("POST", "/ask", skip_host=True)
            for name, value in (*order, ("Content-Length", "10")):
                connection.putheader(name, value)
            connection.endheaders(b"question=a")
            assert connection.getresponse().status == 400
    assert site.get("/answer/1")[0] == 404


def test_a_request_that_tells_its_length_twice_is_refused_with_what_follows(site: Site) -> None:
    page = f"Host: 127.0.0.1:{site.port}\r\nCookie: askwhere_{site.port}={TOKEN}\r\n"
    form = f"POST /ask HTTP/1.1\r\n{page}Origin: {site.origin}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n"
    with socket.create_connection(("127.0.0.1", site.port), 600) as raw:
        raw.sendall(f"{form}\r\n0\r\n\r\nGET /history HTTP/1.1\r\n{page}\r\n".encode())
        answers = b"".join(iter(lambda: raw.recv(65_536), b""))
    assert answers.count(b"HTTP/1.1 ") == answers.count(b"HTTP/1.1 400 Bad Request") == 1
    assert answers.endswith(b"This request tells its length twice: send one.")


def test_the_token_becomes_a_cookie_that_no_script_and_no_other_site_has(site: Site) -> None:
    assert site.get(site.entrance.removeprefix(site.origin), Cookie="")[0] == 303
    cookie = site.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert site.headers["location"] == "/"


def test_pages_are_not_kept_framed_or_run_as_anything_else(site: Site) -> None:
    text = site.get("/")[1]
    assert "default-src &#39;none&#39;; style-src &#39;sha256-" in text
    assert "<script" not in text
    assert site.headers["cache-control"] == "no-store"
    assert site.headers["content-security-policy"] == "frame-ancestors 'none'"
    assert site.headers["x-content-type-options"] == "nosniff"


def test_a_read_only_page_changes_nothing(site: Site, file: str) -> None:
    site.asked("customers per country")
    for path in ("/pin/1", "/unpin", "/words"):
        expected = "This page is read only: start it with `askwhere web --write`."
        code, page = site.post(path, {"question": "customers per country"})
        assert (code, expected in page) == (403, True)
    assert rows(askwhere.connect(file, read_only=True), "SELECT * FROM ask_pins()") == []


def test_a_click_pins_the_query_for_the_whole_chain_and_another_unpins_it(writing: Site) -> None:
    writing.asked("customers per country")
    page = writing.asked("only those in Canada", after=1)
    assert 'action="/pin/2"' in page
    code, place = writing.post("/pin/2")
    assert (code, place) == (303, "/answer/2?message=pinned")
    assert 'role="status">Pinned.' in writing.get(place)[1]
    assert "Unpin “only those in Canada”" in writing.get("/history")[1]
    assert "the question is pinned" in writing.asked("only those in canada?", after=1)
    fields = {"question": "only those in Canada", "follows": '["customers per country"]'}
    assert writing.post("/unpin", fields) == (303, "/history")
    assert writing.post("/unpin", fields)[0] == 400


def test_comments_and_synonyms_are_edited(writing: Site) -> None:
    page = writing.get("/words")[1]
    place = page.split(">customers.country<")[0].rsplit('value="', 1)[1].split('"')[0]
    fields = {"name": place, "comment": "where they live", "synonyms": "realm, land of origin"}
    assert writing.post("/words", fields) == (303, "/words")
    page = writing.get("/words")[1]
    assert "where they live" in page
    assert "realm, land of origin" in page
    assert "<td>Norway</td>" in writing.asked("customers per realm")
    assert writing.post("/words", {"name": "999"})[0] == 400


def test_a_candidate_can_be_chosen(site: Site) -> None:
    site.asked("customers per country")
    page = site.asked("and by name?", after=1)
    assert "the question can be read in 2 ways" in page
    assert "choose one below, or ask more precisely</p>" in page
    assert page.count('aria-label="Candidate') == 2
    assert site.post("/choose/2/2") == (303, "/answer/3")
    assert "<td>Ann</td>" in site.answered("/answer/3")


def test_each_candidate_says_what_tells_it_from_the_others(database: Database) -> None:
    made = connected(database.kind, database.path)
    made.execute("CREATE TABLE shipments (id INTEGER PRIMARY KEY, from_city TEXT, to_city TEXT)")
    made.execute("INSERT INTO shipments VALUES (1, 'Oslo', 'Rome'), (2, 'Rome', 'Rome'), (3, 'Oslo', 'Rome')")
    made.close()
    with serving(lambda: askwhere.connect(str(database.path))) as site:
        page = site.asked("shipments in Rome")
    first, second = page.split('aria-label="Candidate')[1:]
    assert "<li>“Rome” read as shipments.from_city</li>" in first
    assert "<li>“Rome” read as shipments.to_city</li>" in second


def test_a_refusal_offers_to_add_the_synonym_that_it_advises(writing: Site) -> None:
    page = writing.asked("how many costumers are there")
    assert "To make “costumers” a word for customers: press the button below." in page
    assert "`askwhere web --model NAME`" in page
    assert "<button>Make “costumers” a word for customers</button>" in page
    fields = {"table": "customers", "column": "", "word": "costumers"}
    assert all(f'name="{name}" value="{value}"' in page for name, value in fields.items())
    assert writing.post("/synonym/1", fields) == (303, "/answer/2")
    assert re.search("<td[^>]*>3</td>", writing.answered("/answer/2"))
    code, page = writing.post("/synonym/1", {**fields, "table": "nope"})
    assert (code, "there is no one table or column of this name" in page) == (400, True)


def test_a_refusal_offers_the_question_that_reads(site: Site) -> None:
    page = site.asked("how many waterproof customers are there")
    assert "Without “waterproof”: “how many customers are there”" in page
    assert "<button>Ask “how many customers are there”</button>" in page
    assert re.search("<td[^>]*>3</td>", site.asked("how many customers are there"))


def test_a_button_declares_the_key_that_a_refusal_advises(writing: Site) -> None:
    fields = {"key": "orders.customer_id", "refers_to": "customers.id"}
    writing.asked("how many customers are there")
    assert writing.post("/key/1", fields) == (303, "/answer/2")
    assert re.search("<td[^>]*>3</td>", writing.answered("/answer/2"))
    code, page = writing.post("/key/1", {**fields, "refers_to": "nope.id"})
    assert (code, "nope" in page) == (400, True)


def test_a_page_that_may_not_write_says_how_to_start_one_that_may(site: Site) -> None:
    page = site.asked("how many costumers are there")
    assert "To make “costumers” a word for customers: start the page by `askwhere web --write`." in page
    assert "/synonym/" not in page
    for path in ("/synonym/1", "/key/1", "/index/1"):
        code, page = site.post(path, {"table": "customers", "word": "costumers"})
        assert (code, "This page is read only: start it with `askwhere web --write`." in page) == (403, True)


def test_an_index_that_cannot_be_read_is_built_by_a_button(file: str, database: Database) -> None:
    with contextlib.closing(askwhere.connect(file)) as made:
        rows(made, "SELECT ask_index()")
        made.execute(f"UPDATE {FORMAT} SET value = 'x' WHERE name = 'format'")
    with serving(lambda: askwhere.connect(file), write=True) as site:
        page = site.asked("customers in Canada")
        assert "the button “Build the index” builds it anew, the button “Drop the index” removes it" in page
        assert "<button>Drop the index</button>" in page
        assert site.post("/index/1") == (303, "/answer/2")
        page = site.answered("/answer/2")
        assert "Bo" in page
        assert "the index" not in page


def test_a_slow_question_can_be_stopped(file: str) -> None:
    def connect() -> Any:
        model = Scripted([ENDLESS, *["SELECT country FROM customers"] * 5])
        return askwhere.connect(file, read_only=True, model=model, method="sea", query_timeout=3600, effort="fast")

    with serving(connect) as site:
        code, place = site.post("/ask", {"question": "flurb of zorb"})
        assert code == 303
        assert "Answering since" in site.get(place)[1]
        assert site.post("/stop/1") == (303, "/answer/1")
        assert "Stopped." in site.answered(place)
        assert "<td>Canada</td>" in site.asked("customers per country")


def test_a_question_that_fails_is_asked_of_the_model_once(file: str) -> None:
    class Failing(Scripted):
        def complete(self, prompt: str, *_: Any, **__: Any) -> Any:
            self.prompts.append(prompt)
            raise askwhere.ModelError("the model is not there")

    model = Failing([])
    with serving(lambda: askwhere.connect(file, read_only=True, model=model, max_calls=1, effort="fast")) as site:
        assert "the model is not there" in site.asked("flurb of zorb")
        assert len(model.prompts) == 1


@pytest.mark.parametrize("path", ["/nowhere", "/answer/first", "/ask", "/answer/1/2"])
def test_an_unknown_address_leads_to_the_page_to_ask_on(site: Site, path: str) -> None:
    code, page = site.get(path)
    assert code in (404, 405)
    assert "There is no such page." in page
    assert '<a href="/">Ask a question</a>' in page


def test_a_number_of_any_length_is_no_error_of_the_server(site: Site) -> None:
    long = "9" * 5_000
    assert site.get(f"/answer/{long}") == (404, "There is no such page.")
    assert site.post(f"/choose/1/{long}")[0] == 404
    assert "<td>Canada</td>" in site.asked("customers per country", after=long)


def test_a_form_is_not_read_to_an_end_that_it_does_not_tell(site: Site) -> None:
    headers = {"Origin": site.origin, "Cookie": f"askwhere_{site.port}={TOKEN}", "Transfer-Encoding": "chunked"}
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=60)
    with contextlib.closing(connection):
        connection.request("POST", "/ask", (b"a" * 10_000 for _ in range(20)), headers, encode_chunked=True)
        assert connection.getresponse().status == 413


def test_what_is_gone_or_too_long_is_said(site: Site) -> None:
    code, page = site.get("/answer/7")
    assert (code, "There is no such answer any more: ask again." in page) == (404, True)
    for path in ("/stop/7", "/choose/7/1"):
        assert site.post(path)[0] == 404
    code, page = site.post("/ask", {"question": "a" * 200_000})
    assert (code, "The form is too long." in page) == (413, True)
    assert site.post("/ask", {"question": " "}) == (303, "/")
    assert "the question has 20,000 characters" in site.asked("a" * 20_000)


@pytest.mark.parametrize("port", ["99999", "-1", "http"])
def test_what_is_no_port_is_an_error(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["web", "any.db", f"--port={port}"])
    assert f"expected a port, 0 to 65535, found '{port}'" in capsys.readouterr().err


def test_the_port_of_another_program_is_an_error(site: Site) -> None:
    from askwhere.bindings.web.server import listen

    taken = listen(0)
    taken.listen()
    with pytest.raises(askwhere.DatabaseError, match="cannot be listened on: Address already in use; try another --p"):
        listen(taken.getsockname()[1])
    taken.close()
