"""Small model files with random weights and a tokenizer that works: any text comes back from its tokens.

They say nothing sensible, but everything around the saying can be tested on them: what is evaluated, stopped, held to a
grammar, refused. The same seed gives the same file.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from pydoc_data import topics  # about 700 kB of English with code in it, on every machine

import numpy as np
from gguf import GGMLQuantizationType, GGUFReader, GGUFValueType, GGUFWriter, TokenType
from gguf.quants import quantize

BOS, EOS, START, END = "<s>", "</s>", "<|im_start|>", "<|im_end|>"
SPECIAL = (BOS, EOS, START, END)
CHATML = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
SQL = """SELECT DISTINCT FROM WHERE GROUP BY ORDER HAVING LIMIT OFFSET JOIN LEFT INNER ON AS AND OR NOT IN IS NULL LIKE
BETWEEN EXISTS UNION ALL CASE WHEN THEN ELSE END COUNT SUM AVG MIN MAX ASC DESC CAST WITH select from where group order
by having limit join on as and or not in is null like count sum avg min max customers orders country name amount id
été ère øre 日本語 мир 😀😁"""


@dataclass(frozen=True)
class Shape:
    """How large a model is; the vocabulary of the large one is as long as real ones are."""

    vocabulary: int
    width: int
    layers: int
    hidden: int
    heads: int


SHAPES = {"1M": Shape(2_000, 128, 3, 352, 4), "30M": Shape(32_000, 256, 12, 1_024, 8)}


def write_model(
    path: Path,
    size: str = "1M",
    context: int = 4_096,
    chat_template: str | None = CHATML,
    seed: int = 0,
    add_bos: bool = True,
    kind: GGMLQuantizationType = GGMLQuantizationType.F16,
    facts: Mapping[str, str] = {},
) -> Path:
    """Write a model of llama's architecture to `path`, with about as many parameters as `size` says ('1M' or '30M')."""
    shape = SHAPES[size]
    writer = GGUFWriter(path, "llama")
    _add_shape(writer, shape, context)
    for key, value in facts.items():
        writer.add_string(key, value)
    _add_tokenizer(writer, shape.vocabulary, add_bos)
    if chat_template is not None:
        writer.add_chat_template(chat_template)
    random = np.random.default_rng(seed)
    for name, dimensions in _tensors(shape):
        if len(dimensions) == 1:
            writer.add_tensor(name, np.ones(dimensions, np.float32))
        else:
            # The variance keeps numbers about one through the layers, so that no token is much likelier than others.
            weights = random.standard_normal(dimensions, np.float32) / np.sqrt(dimensions[-1])
            writer.add_tensor(name, quantize(weights, kind), raw_dtype=kind)
    return _write(writer, path)


def write_lora(path: Path, model: Path, rank: int = 4, seed: int = 1) -> Path:
    """Return a LoRA adapter at `path` that fits `model`, and no model of another size; it changes what is said."""
    writer = GGUFWriter(path, "llama")
    writer.add_type("adapter")
    writer.add_string("adapter.type", "lora")
    writer.add_key_value("adapter.lora.alpha", float(rank), GGUFValueType.FLOAT32)
    random = np.random.default_rng(seed)
    for tensor in GGUFReader(model).tensors:
        if tensor.name.endswith(("attn_q.weight", "ffn_down.weight")):
            inputs, outputs = (int(n) for n in tensor.shape)
            for suffix, dimensions in (("lora_a", (rank, inputs)), ("lora_b", (outputs, rank))):
                weights = random.standard_normal(dimensions, np.float32) / np.sqrt(dimensions[-1])
                writer.add_tensor(f"{tensor.name}.{suffix}", weights.astype(np.float32))
    return _write(writer, path)


def _write(writer: GGUFWriter, path: Path) -> Path:
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _tensors(shape: Shape) -> list[tuple[str, tuple[int, ...]]]:
    width, hidden = shape.width, shape.hidden
    layer = {
        "attn_norm": (width,),
        "attn_q": (width, width),
        "attn_k": (width, width),
        "attn_v": (width, width),
        "attn_output": (width, width),
        "ffn_norm": (width,),
        "ffn_gate": (hidden, width),
        "ffn_up": (hidden, width),
        "ffn_down": (width, hidden),
    }
    layers = [(f"blk.{i}.{name}.weight", size) for i in range(shape.layers) for name, size in layer.items()]
    ends = [("output_norm.weight", (width,)), ("output.weight", (shape.vocabulary, width))]
    return [("token_embd.weight", (shape.vocabulary, width)), *layers, *ends]


def _add_shape(writer: GGUFWriter, shape: Shape, context: int) -> None:
    writer.add_name("tiny")
    writer.add_context_length(context)
    writer.add_embedding_length(shape.width)
    writer.add_block_count(shape.layers)
    writer.add_feed_forward_length(shape.hidden)
    writer.add_head_count(shape.heads)
    writer.add_head_count_kv(shape.heads)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(shape.width // shape.heads)
    writer.add_vocab_size(shape.vocabulary)


def _add_tokenizer(writer: GGUFWriter, size: int, add_bos: bool) -> None:
    tokens, merges = _vocabulary(size)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(tokens)
    writer.add_token_types([TokenType.CONTROL if token in SPECIAL else TokenType.NORMAL for token in tokens])
    writer.add_token_merges(merges)
    writer.add_bos_token_id(tokens.index(BOS))
    writer.add_eos_token_id(tokens.index(EOS))
    writer.add_eot_token_id(tokens.index(END))
    writer.add_add_bos_token(add_bos)
    writer.add_add_space_prefix(False)


@cache
def _vocabulary(size: int) -> tuple[list[str], list[str]]:
    """Byte-level BPE: the special tokens, all 256 bytes, and the words that are met most, grown byte by byte."""
    tokens, merges = dict.fromkeys([*SPECIAL, *_bytes()]), []
    for word in _words():
        letters = "".join(_bytes()[byte] for byte in word.encode())
        for end in range(2, len(letters) + 1):
            if letters[:end] not in tokens and len(tokens) < size:
                tokens[letters[:end]] = None
                merges.append(f"{letters[: end - 1]} {letters[end - 1]}")
    assert len(tokens) == size
    return list(tokens), merges


def _words() -> list[str]:
    """SQL's words, then English ones from the most frequent on, each also as it stands after a space."""
    counted = Counter(re.findall(r"[A-Za-z_]+|[^\w\s]{1,3}| {2,8}", "\n".join(topics.topics.values())))
    words = [*SQL.split(), *(word for word, _ in counted.most_common())]
    return [form for word in words for form in (word, f" {word}", word.capitalize(), f" {word.upper()}")]


@cache
def _bytes() -> list[str]:
    """Return the letter that stands for each byte in GPT-2's vocabulary: itself where it is printable."""
    printable = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    others = iter(range(256, 512))
    return [chr(byte) if byte in printable else chr(next(others)) for byte in range(256)]
