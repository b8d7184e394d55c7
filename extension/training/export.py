"""Write the small model as a GGUF file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from askwhere.training.small import Shape, Small
from askwhere.training.tokenizer import END, PRETOKENIZER

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_LAYER = {
    "attn_norm": "attention_norm", "attn_q": "query", "attn_k": "key", "attn_v": "value", "attn_output": "output",
    "ffn_norm": "norm", "ffn_gate": "gate", "ffn_up": "up", "ffn_down": "down",
}  # fmt: skip


def write(model: Small, tokenizer: Tokenizer, path: Path, context: int, bits: int = 8) -> Path:
    """Write the model to `path` and return it; the file appears once it is whole.

    `bits` is 8 (Q8_0) or 16 for matrices in half precision, or 32 to keep them as they are.
    """
    from gguf import GGMLQuantizationType, GGUFWriter
    from gguf.quants import quantize

    kind = {8: GGMLQuantizationType.Q8_0, 16: GGMLQuantizationType.F16, 32: GGMLQuantizationType.F32}[bits]
    part = path.with_suffix(".part")
    writer = GGUFWriter(part, "llama")
    _add_shape(writer, model.shape, context)
    _add_tokenizer(writer, tokenizer)
    for name, source in _names(model.shape):
        weights = model.state_dict()[source].detach().float().cpu().numpy()
        if weights.ndim == 1 or bits == 32:
            writer.add_tensor(name, weights)
        else:
            writer.add_tensor(name, quantize(weights, kind), raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    part.replace(path)
    return path


def _names(shape: Shape) -> list[tuple[str, str]]:
    """Return llama.cpp's names of the tensors, each with its name in the model."""
    layers = [
        (f"blk.{i}.{gguf_name}.weight", f"layers.{i}.{own_name}.weight")
        for i in range(shape.layers)
        for gguf_name, own_name in _LAYER.items()
    ]
    return [("token_embd.weight", "embedding.weight"), *layers, ("output_norm.weight", "norm.weight")]


def _add_shape(writer: object, shape: Shape, context: int) -> None:
    """Write the model's shape as GGUF metadata."""
    from gguf import GGUFWriter

    assert isinstance(writer, GGUFWriter)
    writer.add_name("askwhere small")
    writer.add_context_length(context)
    writer.add_embedding_length(shape.width)
    writer.add_block_count(shape.layers)
    writer.add_feed_forward_length(shape.hidden)
    writer.add_head_count(shape.heads)
    writer.add_head_count_kv(shape.heads)
    writer.add_rope_dimension_count(shape.width // shape.heads)
    writer.add_rope_freq_base(shape.base)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(shape.vocabulary)


def _add_tokenizer(writer: object, tokenizer: Tokenizer) -> None:
    """Write the tokenizer as GGUF metadata."""
    from gguf import GGUFWriter, TokenType

    assert isinstance(writer, GGUFWriter)
    vocabulary = sorted(tokenizer.get_vocab().items(), key=lambda item: item[1])
    merges = json.loads(tokenizer.to_str())["model"]["merges"]
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(PRETOKENIZER)
    writer.add_token_list([token for token, _ in vocabulary])
    writer.add_token_types([TokenType.CONTROL if token == END else TokenType.NORMAL for token, _ in vocabulary])
    writer.add_token_merges([" ".join(merge) for merge in merges])
    writer.add_eos_token_id(0)
    writer.add_bos_token_id(0)
    writer.add_add_bos_token(False)
