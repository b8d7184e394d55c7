"""The trainer of adapters on a tiny model: what is learned, kept and gone on with, and what llama.cpp makes of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from askwhere.errors import ArgumentError
from askwhere.training import adapter, lora, pairs, prefixes
from askwhere.training.pairs import Pair
from tiny_training import END, make_tokenizer, write_base
from tokenizers import Tokenizer

THINGS = ["ships", "cars", "dogs", "towns", "banks", "clubs"]
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


@pytest.mark.parametrize(("upper", "workers"), [(1.0, 1), (0.5, 2)])
def test_an_adapter_learns_and_llama_cpp_says_what_it_says(
    tmp_path: Path, base: Path, words: Tokenizer, upper: float, workers: int
) -> None:
    run = lora.begin(base, lora.Plan(batch=8, epochs=4, rate=5e-3, upper=upper), "cpu", workers)
    before = lora.held_out_loss(run, learned())
    records = list(lora.train(run, learned(), tmp_path, 300))
    assert len(records) == run.step
    assert before is not None
    after = lora.held_out_loss(run, learned())
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
    small = adapter.write(run, tmp_path / "small.gguf", bits=8)
    assert small.stat().st_size < 0.9 * path.stat().st_size
    assert (
        np.abs(scores(base.with_suffix(".gguf"), ids, small) - wanted).mean() < 0.02 * np.abs(wanted - without).mean()
    )
    start = lora.begin(base, run.plan, "cpu")
    adapter.start(start, path)
    assert all(torch.equal(a.half(), b.half()) for a, b in zip(run.exact, start.exact, strict=True))
    again = lora.resume(base, tmp_path, "cpu")
    assert again is not None
    assert again.step == run.step
    assert all(torch.equal(a, b) for a, b in zip(run.learned, again.learned, strict=True))


def test_an_adapter_that_does_not_fit_is_no_start(tmp_path: Path, base: Path) -> None:
    path = adapter.write(lora.begin(base, lora.Plan(rank=8), "cpu"), tmp_path / "adapter.gguf")
    expected = r"does not fit: expected blk\.1\.attn_q\.weight\.lora_a of shape \(16, 64\), found one of \(8, 64\)"
    with pytest.raises(ArgumentError, match=expected):
        adapter.start(lora.begin(base, lora.Plan(), "cpu"), path)
    both = adapter.write(lora.begin(base, lora.Plan(upper=1.0), "cpu"), tmp_path / "both.gguf")
    with pytest.raises(ArgumentError, match=r"it also has blk\.0\..*, which this run does not learn"):
        adapter.start(lora.begin(base, lora.Plan(), "cpu"), both)
    (tmp_path / "none.gguf").write_text("something else")
    with pytest.raises(ArgumentError, match=r"none\.gguf is no adapter"):
        adapter.start(lora.begin(base, lora.Plan(), "cpu"), tmp_path / "none.gguf")


def test_a_pack_is_learned_as_its_texts_alone_are(base: Path) -> None:
    run = lora.begin(base, lora.Plan(), "cpu")
    for own in run.learned:
        torch.nn.init.normal_(own, std=0.1)
    head = "### SQLite tables and their columns.\n\nCREATE TABLE ships (id INTEGER, name TEXT, year INTEGER);\n\n" * 2
    texts = [Pair(x, "db", f"{head}### Question: how many {x}?\n", f"SELECT {x}", True, False) for x in THINGS]
    encoded = [lora.encode(run, text) for text in texts]
    (pack,) = prefixes.packs(encoded, 2_048)
    alone = [pack for text in encoded for pack in prefixes.packs([text], 2_048)]
    assert len(pack.endings) == len(alone) == len(THINGS)
    assert len(pack) < sum(map(len, alone)) / 2
    apart = [lora._gradients(run, 1, [one]) for one in alone]
    # As one pack, as packs that stand one after the other in a sequence, and as both.
    for packs, times in (([pack], 1), (alone, 1), ([pack, *alone, pack], 3)):
        loss, gradients = lora._gradients(run, 1, packs)
        assert loss == pytest.approx(times * sum(loss for loss, _ in apart), rel=1e-4)
        for at, gradient in enumerate(gradients):
            assert torch.allclose(gradient, times * torch.stack([one[at] for _, one in apart]).sum(0), atol=3e-3)


def test_a_pack_is_full_before_the_next_begins(base: Path) -> None:
    run = lora.begin(base, lora.Plan(), "cpu")
    same = [("SELECT one " * 40 + thing, "reply") for thing in THINGS]
    texts = [Pair(p, "db", p, r, True, False) for p, r in [*same, ("quite another " * 40, "reply")]]
    encoded = [lora.encode(run, text) for text in texts]
    longest = len(encoded[0][0]) + 16
    found = list(prefixes.packs(encoded, longest))
    assert sum(len(pack.endings) for pack in found) == len(texts)
    assert 2 < len(found) < len(texts)
    assert all(len(pack) <= longest for pack in found)
    assert len(found[-1].endings) == 1


def test_only_the_reply_is_learned_and_it_ends(base: Path) -> None:
    run = lora.begin(base, lora.Plan(), "cpu")
    tokens, targets = lora.encode(run, learned()[0])
    assert run.tokenizer.decode([t for t in targets if t >= 0]) == f" COUNT(*) FROM ship{END}"
    assert [t for t, u in zip(tokens[1:], targets, strict=False) if u >= 0] == [t for t in targets if t >= 0]


def test_a_long_prompt_loses_its_beginning(base: Path) -> None:
    run = lora.begin(base, lora.Plan(longest=40), "cpu")
    tokens, _ = lora.encode(run, replace(learned()[0], prompt="word " * 200 + "SELECT"))
    assert len(tokens) == 40
    assert "SELECT COUNT" in run.tokenizer.decode(tokens)


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match=r"holds no model: expected a folder with config\.json"):
        lora.begin(tmp_path, lora.Plan(), "cpu")


def test_pairs_of_held_out_databases_alone_are_refused(tmp_path: Path, base: Path) -> None:
    run = lora.begin(base, lora.Plan(), "cpu")
    with pytest.raises(ArgumentError, match="no pairs to learn from"):
        list(lora.train(run, [p for p in learned() if p.held_out], tmp_path, 10))


def test_packs_that_cost_too_much_are_left_out(tmp_path: Path, base: Path) -> None:
    run = lora.begin(base, lora.Plan(), "cpu")
    known = [replace(pair, prompt="word " * 80 + pair.prompt) for pair in learned()[1:6]]
    alone = replace(known[0], id="alone", prompt="quite another " * 60)
    (pack, costly) = lora._packs(run, [*known, alone])
    share = len(pack) / len(known)
    assert share < len(costly)
    cheap = replace(run, plan=lora.Plan(cost=share))
    assert [len(one.endings) for one in lora._packs(cheap, [*known, alone])] == [len(known)]
    with pytest.raises(ArgumentError, match="no pairs to learn from: all cost more than 3 tokens each"):
        list(lora.train(replace(run, plan=lora.Plan(cost=3)), known, tmp_path, 10))


def test_databases_are_held_out_and_never_questions() -> None:
    names = [f"db{i}" for i in range(20)]
    kept = pairs.held_out_databases(names, 0.1, 0)
    assert len(kept) == 2
    assert kept == pairs.held_out_databases(reversed(names), 0.1, 0)
    assert kept != pairs.held_out_databases(names, 0.1, 1)
    assert pairs.held_out_databases(["one"], 0.5, 0) == frozenset()


def scores(path: Path, ids: list[int], lora_path: Path | None = None) -> np.ndarray:
    """The scores of every next token, by llama.cpp."""
    llama_cpp = pytest.importorskip("llama_cpp")
    model = llama_cpp.Llama(
        str(path), lora_path=str(lora_path) if lora_path else None, n_ctx=512, logits_all=True, verbose=False,
        type_k=llama_cpp.GGML_TYPE_F32, type_v=llama_cpp.GGML_TYPE_F32,
    )  # fmt: skip
    model.eval(ids)
    return np.array(model.scores[: len(ids)])
