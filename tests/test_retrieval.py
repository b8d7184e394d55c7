"""Which examples are shown: by words, by masked words, by a model's vectors, and who masks."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import askwhere
import pytest
from askwhere.bindings import connections
from askwhere.engine import Result
from askwhere.errors import ModelError, SettingError
from askwhere.models import Model, Scripted
from askwhere.pipeline import retrieval
from askwhere.pipeline.asking import TEXTS, Asker, Budget
from askwhere.pipeline.demonstrations import Demonstration, Pool, read
from askwhere.pipeline.facts import Linked
from askwhere.pipeline.steps import Retrieval, StepContext
from askwhere.session import Question
from faulty import Faulty, answer
from support import PER_COUNTRY, Database

pytestmark = pytest.mark.any_engine

PINS = {
    "orders of Ann": "SELECT * FROM orders JOIN customers c ON c.id = customer_id WHERE c.name = 'Ann'",
    "how many customers are in Norway": "SELECT count(*) AS n FROM customers WHERE country = 'Norway'",
    "the largest order": "SELECT max(amount) AS most FROM orders",
}
QUESTION = "names from Canada"


class Meaning(Scripted):
    """A model whose vectors say how often each letter stands in a text, and that remembers what it embedded."""

    def __init__(self, replies: Sequence[str] = (), remote: bool = False) -> None:
        super().__init__(replies, remote)
        self.embedded: list[list[str]] = []

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        self.embedded.append(list(texts))
        return [[float(text.lower().count(chr(letter))) for letter in range(ord("a"), ord("z") + 1)] for text in texts]


def shop(database: Database, model: Any, **settings: Any) -> Any:
    con = database.shop(model=model, **{"method": "dac", "leave_out": "entities, skeleton, execution", **settings})
    for question, sql in PINS.items():
        con.execute("SELECT ask_pin(?, ?)", (question, sql)).fetchall()
    return con


def shown(prompt: str) -> list[str]:
    return [question for question in re.findall("### Question: (.*)", prompt) if question in PINS]


def test_words_decide_by_default(database: Database) -> None:
    model = Scripted([PER_COUNTRY])
    askwhere.ask(shop(database, model), "the largest one")
    assert shown(model.prompts[0])[0] == "the largest order"


def test_masked_words_decide_if_that_is_set(database: Database) -> None:
    model = Scripted([PER_COUNTRY])
    askwhere.ask(shop(database, model, examples_by="masked"), "how many orders are in Canada")
    assert shown(model.prompts[0])[0] == "how many customers are in Norway"
    assert len(model.prompts) == 1


# ------------------------------------------------------------------------------------------------------------- vectors


def test_vectors_decide_if_that_is_set_and_each_text_is_embedded_once(database: Database) -> None:
    model = Meaning([PER_COUNTRY] * 2)
    con = shop(database, model, examples_by="embeddings")
    askwhere.ask(con, "the legarst dorer")
    assert shown(model.prompts[0])[0] == "the largest order"
    assert model.embedded == [["the legarst dorer", *PINS]]
    askwhere.ask(con, "one more")
    assert model.embedded[1:] == [["one more"]]


def test_the_requests_for_vectors_are_in_the_log_and_in_the_trace(database: Database) -> None:
    con = shop(database, Meaning([PER_COUNTRY]), examples_by="embeddings")
    usage = askwhere.ask(con, QUESTION).usage
    assert (usage.requests, usage.calls) == (2, 1)
    assert con.execute("SELECT requests, calls FROM ask_log()").fetchall() == [(2, 1)]
    sql = f"SELECT step, detail, model, prompt FROM ask_trace('{QUESTION}') WHERE step = 'embed'"
    assert con.execute(sql).fetchall()[0] == ("embed", "4 texts", "scripted", "\n".join((QUESTION, *PINS)))


def test_many_texts_are_embedded_some_at_a_time(database: Database, tmp_path: Path) -> None:
    lines = [json.dumps({"question": f"question {n}", "sql": "SELECT 1"}) for n in range(2 * TEXTS)]
    (tmp_path / "pool.jsonl").write_text("\n".join(lines))
    model = Meaning([PER_COUNTRY])
    askwhere.ask(shop(database, model, examples_by="embeddings", examples=str(tmp_path / "pool.jsonl")), QUESTION)
    assert [len(texts) for texts in model.embedded] == [TEXTS, TEXTS, 1 + len(PINS)]


def test_another_model_can_have_the_vectors(database: Database) -> None:
    model, embedder = Scripted([PER_COUNTRY]), Meaning()
    askwhere.ask(shop(database, model, examples_by="embeddings", embedder=embedder), QUESTION)
    assert embedder.embedded == [[QUESTION, *PINS]]
    assert embedder.prompts == []


def test_a_server_can_have_the_vectors(database: Database) -> None:
    def vectors(exchange: Any) -> None:
        texts = exchange.body["input"]
        rows = [{"index": n, "embedding": [1.0, float("largest" in text)]} for n, text in enumerate(texts)]
        answer({"data": rows})(exchange)

    with Faulty((vectors,)) as server:
        model = Scripted([PER_COUNTRY])
        con = shop(
            database,
            model,
            examples_by="embeddings",
            embedder="openai:vectors",
            base_url=server.url,
            server="ollama",
        )
        askwhere.ask(con, "what is the largest")
        assert shown(model.prompts[0])[0] == "the largest order"
        sent = [(body["model"], len(body["input"])) for body in server.bodies]
        assert sent == [("vectors", 1 + len(PINS))]


def test_what_cannot_be_compared_is_no_vector(database: Database) -> None:
    model = Meaning()
    con = shop(database, model, examples_by="embeddings")
    for wrong in ([float("nan")], [float("inf")], [], [0.5] * 20_000):
        model.embed = lambda texts, wrong=wrong: [wrong for _ in texts]  # type: ignore[misc]
        with pytest.raises(ModelError, match="did not give a vector of numbers for each of 4 texts"):
            askwhere.ask(con, QUESTION)


def test_numbers_whose_squares_are_too_large_can_be_compared(database: Database) -> None:
    model = Meaning([PER_COUNTRY])
    model.embed = lambda texts: [[1e300 * ("largest" in text), 1e300] for text in texts]  # type: ignore[method-assign]
    askwhere.ask(shop(database, model, examples_by="embeddings"), "what is the largest")
    assert shown(model.prompts[0])[0] == "the largest order"


def test_vectors_of_different_lengths_are_an_error_and_forgotten(database: Database) -> None:
    model = Meaning([PER_COUNTRY])
    con, embed = shop(database, model, examples_by="embeddings"), model.embed
    model.embed = lambda texts: [[1.0] * (1 + n) for n, _ in enumerate(texts)]  # type: ignore[method-assign]
    with pytest.raises(ModelError, match="gave vectors of different lengths; ask again, or set another embedder"):
        askwhere.ask(con, QUESTION)
    model.embed = embed  # type: ignore[method-assign]
    askwhere.ask(con, QUESTION)


@pytest.mark.slow
def test_a_file_has_its_own_vectors(database: Database, tiny: Any) -> None:
    con = shop(database, tiny, examples_by="embeddings", max_tokens=64)
    with pytest.raises(askwhere.AskError, match="no usable query was found"):
        askwhere.ask(con, QUESTION)
    sql = f"SELECT step, detail, model FROM ask_trace('{QUESTION}') WHERE step = 'embed'"
    assert con.execute(sql).fetchall()[0] == ("embed", "4 texts", "gguf:tiny.gguf")


def test_a_model_without_vectors_is_an_error_that_says_what_to_do(database: Database) -> None:
    con = shop(database, Scripted([PER_COUNTRY]), examples_by="embeddings")
    with pytest.raises(SettingError, match="scripted gives no embeddings; SELECT ask_set"):
        askwhere.ask(con, QUESTION)


def test_a_pool_of_none_needs_no_vectors(database: Database) -> None:
    con = database.shop(model=Scripted([PER_COUNTRY]), method="dac", leave_out="entities, skeleton, execution")
    con.execute("SELECT ask_set('examples_by', 'embeddings')").fetchall()
    assert len(askwhere.ask(con, QUESTION).rows) == 2


def test_values_of_pins_do_not_go_to_an_embedder_elsewhere(database: Database) -> None:
    embedder = Meaning(remote=True)
    askwhere.ask(shop(database, Scripted([PER_COUNTRY]), examples_by="embeddings", embedder=embedder), QUESTION)
    assert "orders of ?" in embedder.embedded[0]


@pytest.mark.slow
@pytest.mark.parametrize("vectors", [[], [[1.0]], [[]] * 4, [[float("nan")]] * 4, "no", None])
def test_vectors_that_are_none_are_an_error(database: Database, vectors: Any) -> None:
    class Wrong(Scripted):
        def embed(self, texts: Sequence[str]) -> Any:
            return vectors

    con = shop(database, Wrong([PER_COUNTRY]), examples_by="embeddings")
    with pytest.raises(ModelError, match=r"embed|vector"):
        askwhere.ask(con, QUESTION)


def test_where_time_runs_out_words_decide_and_the_next_question_goes_on(database: Database) -> None:
    class Slow(Meaning):
        timed = True
        slow = True

        def embed(self, texts: Sequence[str], seconds: float = 0.0) -> list[list[float]]:
            if len(self.embedded) == 1 and self.slow:
                raise ModelError(f"not done after {seconds} s")
            return super().embed(texts)

    context, model = meaning(
        Slow(), Pool([Demonstration(f"question {n}", f"SELECT {n}") for n in range(100)], "sqlite")
    )
    asker = context.asker
    asker.budget = Budget(1, 1, 0.0)
    linked = of_shop(database)
    assert retrieval.nearest(linked, context, 1)
    assert asker.trace[-1].detail == "examples by BM25: 101 of 101 texts have no vectors yet"
    asker.budget = Budget(1, 1, 100.0)
    with pytest.raises(ModelError, match="not done after"):
        retrieval.nearest(linked, context, 1)
    model.slow = False
    assert retrieval.nearest(linked, context, 1)
    assert [len(texts) for texts in model.embedded] == [TEXTS, 101 - TEXTS]


def test_vectors_of_questions_long_ago_are_forgotten(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retrieval, "QUESTIONS", 2)
    context, model = meaning(Meaning(), pool_of_pins())
    linked = of_shop(database)
    for number in range(20):
        retrieval.nearest(replace(linked, question=f"question {number}"), context, 1)
    assert [len(texts) for texts in model.embedded] == [4] + [1] * 19
    known = {text for _, text in context.retrieval.vectors}
    assert known >= {*PINS, "question 19", "question 18"}
    assert len(known) == 2 * 4 + 2


def meaning(model: Any, pool: Pool, by: str = "embeddings") -> tuple[StepContext, Any]:
    def unused(*_: object) -> Any:
        raise AssertionError("nothing is run")

    run: Callable[[str, int | None], Result] = unused
    asker, how = Asker(Budget(10_000, 10_000_000, 600.0)), Retrieval(by)
    return StepContext(model, None, asker, unused, lambda: None, 0, lambda: pool, run, retrieval=how), model


def of_shop(database: Database, question: str = QUESTION) -> Linked:
    con = database.shop()
    return connections.session(con).shown(connections.engine(con), Question(question))


def pool_of_pins() -> Pool:
    return Pool([Demonstration(question, sql) for question, sql in PINS.items()], "sqlite")


def test_ask_prompt_asks_nothing_for_the_examples_that_it_shows(database: Database) -> None:
    model = Meaning([PER_COUNTRY])
    con = shop(database, model, examples_by="embeddings")
    ((prompt,),) = con.execute(f"SELECT ask_prompt('{QUESTION}')").fetchall()
    assert sorted(shown(prompt)) == sorted(PINS)
    assert (model.embedded, model.prompts) == ([], [])


# ------------------------------------------------------------------------------------------------- a thousand questions


@pytest.fixture
def spider(data: Path) -> Iterator[tuple[Pool, list[Linked]]]:
    """A thousand training questions whose databases are there, and each twentieth as it is linked to its database."""
    path = data / "spider" / "train_spider.jsonl"
    files = {file.stem: file for file in (data / "spider" / "databases").glob("*/*.sqlite")}
    records = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    places = [place for place, record in enumerate(records) if record["db_id"] in files][:1_000]
    demonstrations = read(str(path))
    opened: dict[str, Any] = {}
    linked: list[Linked] = []
    for record in (records[place] for place in places[::20]):
        if record["db_id"] not in opened:
            opened[record["db_id"]] = askwhere.connect(files[record["db_id"]])
        con = opened[record["db_id"]]
        linked.append(connections.session(con).shown(connections.engine(con), Question(record["question"])))
    yield Pool([demonstrations[place] for place in places], "sqlite"), linked
    for con in opened.values():
        con.close()


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Model:
    from askwhere.models.llama_cpp import open_
    from tiny_gguf import write_model

    return open_(write_model(tmp_path_factory.mktemp("gguf") / "tiny.gguf"))


@pytest.mark.slow
@pytest.mark.parametrize("by", ["bm25", "masked", "embeddings"])
def test_a_question_of_the_pool_finds_itself_first(spider: tuple[Pool, list[Linked]], tiny: Model, by: str) -> None:
    pool, asked = spider
    assert len(asked) == 50
    context, _ = meaning(tiny, pool, by)
    for linked in asked:
        assert retrieval.nearest(linked, context, 1)[0].question.lower() == linked.question.lower()


@pytest.mark.slow
def test_scores_belong_to_the_questions_that_they_are_for(spider: tuple[Pool, list[Linked]], tiny: Model) -> None:
    """Without the rule that a question itself comes first. By BM25 a question that repeats another's words may win."""
    pool, _ = spider
    context, _ = meaning(tiny, pool)
    places = range(0, 1_000, 20)
    by_words = sum(pool.questions[pool.by_question(pool.questions[n])[0]] == pool.questions[n] for n in places)
    by_masks = sum(pool.masks[pool.by_mask(pool.masks[n])[0]] == pool.masks[n] for n in places)
    by_vectors = sum(retrieval._by_vectors(pool.questions[n], pool.questions, context)[0] == n for n in places)
    assert by_words >= 48
    assert by_masks >= 45
    assert by_vectors == 50
