"""The trainers on tiny models: what is learned, kept and gone on with, and what llama.cpp makes of the files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from askwhere.errors import ArgumentError
from askwhere.training import adapter, export, lora, packing, pairs, pretraining, small, source, tokenizer
from askwhere.training.pairs import Pair
from askwhere.training.tasks import Text
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny_training import TINY, make_tokenizer, write_base
from tokenizers import Tokenizer

TEXT = "### Question: How many ships of 2012 are in Saint-Étienne?\nSELECT COUNT(*) FROM ships_2 WHERE \"my col\" = 'x'"
# What PEFT 0.21 asks of transformers 5.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:.is_gradient_checkpointing. is deprecated:FutureWarning"),
]


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    """Threads of several tests at once wait for each other."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(scope="session")
def words() -> Tokenizer:
    return make_tokenizer()


# -------------------------------------------------------------------------------------------------------- the tokenizer


@settings(max_examples=100)
@given(text=st.text(max_size=60))
def test_any_text_comes_back_from_its_tokens(text: str, words: Tokenizer) -> None:
    assert words.decode(words.encode(text).ids) == text


def test_the_same_tokens_come_out_of_llama_cpp(tmp_path: Path, words: Tokenizer) -> None:
    weights = pytest.importorskip("askwhere.models.llama_weights")
    path = export.write(small.Small(TINY), words, tmp_path / "small.gguf", 256)
    model = weights.Weights(path)
    for text in (
        TEXT,
        "a  b\n\n c\t1234.5 _x __y CamelCase it's 日本",
        "### SQLite tables\n\n# table A_b\nId: INTEGER",
    ):
        assert model.tokens(text) == words.encode(text).ids


# -------------------------------------------------------------------------------------------------------------- packing


def test_a_row_is_learned_as_its_texts_alone_are(words: Tokenizer) -> None:
    """Ends that share a beginning have the loss that they have by themselves."""
    torch.manual_seed(0)
    model = small.Small(TINY)
    head = "### SQLite tables and their columns.\n\n# table ships\nid: INTEGER\n" * 3
    texts = [
        Text(f"{head}\n### Question: how many {x}?\nSELECT", f" COUNT(*) FROM {x}") for x in ("ships", "cars", "men")
    ]
    (piece,) = packing.pieces(texts, words, 2_048)
    assert len(piece.ends) == 3
    assert len(piece.beginning) > 50
    together = pretraining._loss(model, [packing._row([piece], 512)], "cpu").item()
    alone = [packing.Piece([], [packing._end(text, words, 0)]) for text in texts]
    rows = [packing._row([one], 512) for one in alone]
    losses = [(pretraining._loss(model, [row], "cpu").item(), int(row.replies.sum())) for row in rows]
    assert together == pytest.approx(sum(loss * n for loss, n in losses) / sum(n for _, n in losses), rel=0.02)


def test_each_token_sees_its_document_and_its_part_alone() -> None:
    """Rows of documents longer than what is worked out at once, against attention under a mask of everything."""
    torch.manual_seed(0)
    lengths = ((700, 300, 24), (1_000, 24, 0))
    document = torch.tensor([[n for n, many in enumerate(row) for _ in range(many)] for row in lengths])
    part = torch.randint(0, 3, document.shape)
    query, key, value = (torch.randn(2, 3, 1_024, 8, requires_grad=True) for _ in range(3))
    same = document[:, :, None] == document[:, None, :]
    seen = same & ((part[:, None] == 0) | (part[:, :, None] == part[:, None])) & torch.ones(1_024, 1_024).tril().bool()
    wanted = torch.nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=seen[:, None])
    found = small.attention(query, key, value, small.documents(document, part))
    assert torch.allclose(found, wanted, atol=1e-5)
    learned, expected = (torch.autograd.grad(x.square().sum(), (query, key, value)) for x in (found, wanted))
    assert all(torch.allclose(a, b, atol=1e-4) for a, b in zip(learned, expected, strict=True))


def test_what_is_learned_is_the_reply_and_its_end(words: Tokenizer) -> None:
    (piece,) = packing.pieces([Text("### Question: how many?\nSELECT", " COUNT(*)")], words, 100)
    row = packing._row([piece], 64)
    learned = [t for t, is_reply in zip(row.targets.tolist(), row.replies.tolist(), strict=True) if is_reply]
    assert words.decode(learned[:-1]) == " COUNT(*)"
    assert learned[-1] == packing.END
    assert words.decode([row.tokens[0], *(t for t in row.targets.tolist() if t > 0)]) == (
        "### Question: how many?\nSELECT COUNT(*)"
    )
    assert (row.document >= 0).sum() == len(piece)


def test_a_text_that_is_too_long_is_left_out(words: Tokenizer) -> None:
    assert list(packing.pieces([Text("word " * 500, " reply")], words, 64)) == []


# ------------------------------------------------------------------------------------------------------ the small model


def test_the_file_says_what_the_model_says(tmp_path: Path, words: Tokenizer) -> None:
    torch.manual_seed(1)
    model = small.Small(TINY)
    for parameter in model.parameters():
        if parameter.ndim == 2:
            torch.nn.init.normal_(parameter, std=0.1)
    ids = words.encode(TEXT).ids
    places = torch.arange(len(ids))[None]
    nothing = torch.zeros_like(places)
    with torch.no_grad():
        wanted = model(torch.tensor([ids]), places, small.documents(nothing, nothing))[0].numpy()
    path = export.write(model, words, tmp_path / "small.gguf", 512, bits=32)
    assert np.abs(scores(path, ids) - wanted).max() < 1e-2
    assert export.write(model, words, tmp_path / "small8.gguf", 512).stat().st_size < path.stat().st_size / 2


def test_the_small_model_learns_and_goes_on_where_it_was_left(tmp_path: Path, words: Tokenizer) -> None:
    plan = pretraining.Plan("tiny", steps=40, rows=1, length=512, rate=0.008, warm=5)
    run = pretraining.begin(plan, "cpu")
    before = pretraining.held_back(run, source.Source(), words, 2)
    list(pretraining.train(run, source.Source(), words, tmp_path, 300, 1))
    assert run.step == 40
    assert pretraining.held_back(run, source.Source(), words, 2) < before - 0.3
    again = pretraining.resumed(tmp_path, "cpu")
    assert again is not None
    assert (again.plan, again.step, again.group) == (plan, 40, run.group)
    assert all(torch.equal(a, b) for a, b in zip(run.model.parameters(), again.model.parameters(), strict=True))
    logged = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert [record["step"] for record in logged] == [20, 40]


def test_a_run_stops_in_time_and_is_kept(tmp_path: Path, words: Tokenizer) -> None:
    run = pretraining.begin(pretraining.Plan("tiny", steps=10_000, rows=1, length=256), "cpu")
    list(pretraining.train(run, source.Source(), words, tmp_path, 3, 1))
    kept = pretraining.resumed(tmp_path, "cpu")
    assert kept is not None
    assert 0 < kept.step == run.step < 10_000


def test_a_plan_says_what_it_costs() -> None:
    numbers = pretraining.Plan("30M", steps=1_000, rows=64, length=2_048).numbers(990e12)
    assert 28e6 < numbers["parameters"] < 32e6
    assert numbers["tokens"] == 1_000 * 64 * 2_048
    assert numbers["seconds"] == pytest.approx(numbers["operations"] / 198e12)


# ------------------------------------------------------------------------------------------------------------- the LoRA


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory, words: Tokenizer) -> Path:
    return write_base(words, tmp_path_factory.mktemp("hf") / "base")


def learned() -> list[Pair]:
    things = ["ship", "car", "dog", "city", "bank", "club"] * 6
    return [
        Pair(
            str(i),
            f"db{i % 6}",
            f"### Question: how many {x}?\n### query: SELECT 1\nSELECT",
            f" COUNT(*) FROM {x}",
            False,
            i % 6 == 0,
        )
        for i, x in enumerate(things)
    ]


def test_an_adapter_learns_and_llama_cpp_says_what_it_says(tmp_path: Path, base: Path, words: Tokenizer) -> None:
    run = lora.begin(base, lora.Plan(batch=8, epochs=4, rate=5e-3), "cpu")
    before = lora.held_back(run, learned())
    records = list(lora.train(run, learned(), tmp_path, 300))
    assert [r["step"] for r in records] == list(range(1, 17))
    assert before is not None
    after = lora.held_back(run, learned())
    assert after is not None
    assert after < before - 1
    path = adapter.write(run, tmp_path / "adapter.gguf")
    ids = words.encode(TEXT).ids
    run.model.eval()
    with torch.no_grad():
        wanted = run.model(input_ids=torch.tensor([ids])).logits[0].numpy()
        with run.model.disable_adapter():
            without = run.model(input_ids=torch.tensor([ids])).logits[0].numpy()
    assert np.abs(wanted - without).max() > 1
    assert np.abs(scores(base.with_suffix(".gguf"), ids, path) - wanted).max() < 1e-2
    again = lora.resumed(base, tmp_path, "cpu")
    assert again is not None
    assert again.step == 16


def test_only_the_reply_is_learned_and_it_ends(base: Path) -> None:
    run = lora.begin(base, lora.Plan(), "cpu")
    tokens, targets = lora.encode(run, learned()[0])
    assert run.tokenizer.decode([t for t in targets if t >= 0]) == f" COUNT(*) FROM ship{tokenizer.END}"
    assert [t for t, u in zip(tokens[1:], targets, strict=False) if u >= 0] == [t for t in targets if t >= 0]


def test_a_long_prompt_loses_its_beginning(base: Path) -> None:
    run = lora.begin(base, lora.Plan(longest=40), "cpu")
    tokens, _ = lora.encode(run, replace(learned()[0], prompt="word " * 200 + "SELECT"))
    assert len(tokens) == 40
    assert "SELECT COUNT" in run.tokenizer.decode(tokens)


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match=r"holds no model: expected a folder with config\.json"):
        lora.begin(tmp_path, lora.Plan(), "cpu")


def test_pairs_of_held_back_databases_alone_are_refused(tmp_path: Path, base: Path) -> None:
    run = lora.begin(base, lora.Plan(), "cpu")
    with pytest.raises(ArgumentError, match="no pairs to learn from"):
        list(lora.train(run, [p for p in learned() if p.held_back], tmp_path, 10))


def test_databases_are_held_back_and_never_questions() -> None:
    names = [f"db{i}" for i in range(20)]
    kept = pairs.held_back(names, 0.1, 0)
    assert len(kept) == 2
    assert kept == pairs.held_back(reversed(names), 0.1, 0)
    assert kept != pairs.held_back(names, 0.1, 1)
    assert pairs.held_back(["one"], 0.5, 0) == frozenset()


def scores(path: Path, ids: list[int], lora_path: Path | None = None) -> np.ndarray:
    """The scores of every next token, by llama.cpp."""
    llama_cpp = pytest.importorskip("llama_cpp")
    model = llama_cpp.Llama(
        str(path), lora_path=str(lora_path) if lora_path else None, n_ctx=512, logits_all=True, verbose=False,
        type_k=llama_cpp.GGML_TYPE_F32, type_v=llama_cpp.GGML_TYPE_F32,
    )  # fmt: skip
    model.eval(ids)
    return np.array(model.scores[: len(ids)])
