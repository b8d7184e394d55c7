"""A tiny causal language model in Hugging Face's format, made by code, with the same weights as GGUF."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
from askwhere.training import adapter, corpus, export, small, source, tokenizer
from gguf import GGUFWriter
from tokenizers import Tokenizer

TINY = small.SHAPES["tiny"]


def make_tokenizer() -> Tokenizer:
    """Return the tokenizer of a few generated texts."""
    stream = corpus.Corpus(source.Source())
    texts = [text for number in range(12) for text in stream.group(number).texts]
    return tokenizer.train((f"{text.prompt}{text.reply}" for text in texts), TINY.vocabulary)


def write_base(words: Tokenizer, folder: Path) -> Path:
    """Return a model whose queries outnumber its keys, in `folder`; `folder.gguf` is the same for llama.cpp."""
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=TINY.vocabulary, hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4,
        num_key_value_heads=2, max_position_embeddings=2_048, bos_token_id=0, eos_token_id=0, initializer_range=0.2,
    )  # fmt: skip
    model = LlamaForCausalLM(config)
    model.save_pretrained(folder)
    fast = PreTrainedTokenizerFast(tokenizer_object=words, eos_token=tokenizer.END, bos_token=tokenizer.END)
    fast.save_pretrained(folder)
    _write_gguf(model, words, folder.with_suffix(".gguf"))
    return folder


def _write_gguf(model: Any, words: Tokenizer, path: Path) -> None:
    config = model.config
    writer = GGUFWriter(path, "llama")
    shape = small.Shape(config.vocab_size, config.hidden_size, config.num_hidden_layers, 4, config.intermediate_size)
    export._add_shape(writer, shape, 2_048)
    writer.kv_data[0].pop("llama.attention.head_count_kv")
    writer.add_head_count_kv(config.num_key_value_heads)
    writer.kv_data[0].pop("llama.attention.layer_norm_rms_epsilon")
    writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    export._add_tokenizer(writer, words)
    for name, tensor in model.state_dict().items():
        theirs, weights = _named(name), tensor.float().numpy()
        heads = {"attn_q": config.num_attention_heads, "attn_k": config.num_key_value_heads}.get(theirs.split(".")[-1])
        weights = weights if heads is None else adapter.halves_to_pairs(weights, heads)
        writer.add_tensor(f"{theirs}.weight", np.ascontiguousarray(weights))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _named(name: str) -> str:
    """llama.cpp's name of a tensor."""
    parts = name.split(".")
    if "layers" not in parts:
        return {"embed_tokens": "token_embd", "norm": "output_norm", "lm_head": "output"}[parts[-2]]
    norms = {"input_layernorm": "attn_norm", "post_attention_layernorm": "ffn_norm"}
    return f"blk.{parts[2]}.{(norms | adapter._NAMES)[parts[-2]]}"
