"""A tiny causal language model in Hugging Face's format, made by code, with the same weights as GGUF."""

from __future__ import annotations

import json
from pathlib import Path
from pydoc_data import topics  # about 700 kB of English with code in it, on every machine
from typing import Any

import numpy as np
import torch
from askwhere.training import adapter
from gguf import GGUFWriter, TokenType
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

END, VOCABULARY = "<|end|>", 512
# How Qwen2's tokenizer splits a text into words; llama.cpp knows the rule by this name.
SPLIT = "qwen2"
PARTS = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)


def make_tokenizer() -> Tokenizer:
    """Return a tokenizer of a little English; token 0 ends a text, and 256 others are the bytes."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split(Regex(PARTS), "isolated"), pre_tokenizers.ByteLevel(False, use_regex=False)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY, special_tokens=[END], initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator([topics.topics["assignment"], topics.topics["comparisons"]], trainer)
    return tokenizer


def write_base(words: Tokenizer, folder: Path) -> Path:
    """Return a model whose queries outnumber its keys, in `folder`; `folder.gguf` is the same for llama.cpp."""
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=VOCABULARY, hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4,
        num_key_value_heads=2, max_position_embeddings=2_048, bos_token_id=0, eos_token_id=0, initializer_range=0.2,
    )  # fmt: skip
    model = LlamaForCausalLM(config)
    model.save_pretrained(folder)
    fast = PreTrainedTokenizerFast(tokenizer_object=words, eos_token=END, bos_token=END)
    fast.save_pretrained(folder)
    _write_gguf(model, words, folder.with_suffix(".gguf"))
    return folder


def _write_gguf(model: Any, words: Tokenizer, path: Path) -> None:
    config = model.config
    writer = GGUFWriter(path, "llama")
    writer.add_context_length(2_048)
    writer.add_embedding_length(config.hidden_size)
    writer.add_block_count(config.num_hidden_layers)
    writer.add_feed_forward_length(config.intermediate_size)
    writer.add_head_count(config.num_attention_heads)
    writer.add_head_count_kv(config.num_key_value_heads)
    writer.add_rope_dimension_count(config.hidden_size // config.num_attention_heads)
    writer.add_rope_freq_base(10_000.0)
    writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    writer.add_vocab_size(config.vocab_size)
    _add_tokenizer(writer, words)
    for name, tensor in model.state_dict().items():
        theirs, weights = _named(name), tensor.float().numpy()
        heads = {"attn_q": config.num_attention_heads, "attn_k": config.num_key_value_heads}.get(theirs.split(".")[-1])
        weights = weights if heads is None else adapter.halves_to_pairs(weights, heads)
        writer.add_tensor(f"{theirs}.weight", np.ascontiguousarray(weights))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _add_tokenizer(writer: GGUFWriter, tokenizer: Tokenizer) -> None:
    vocabulary = sorted(tokenizer.get_vocab().items(), key=lambda item: item[1])
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(SPLIT)
    writer.add_token_list([token for token, _ in vocabulary])
    writer.add_token_types([TokenType.CONTROL if token == END else TokenType.NORMAL for token, _ in vocabulary])
    writer.add_token_merges([" ".join(merge) for merge in json.loads(tokenizer.to_str())["model"]["merges"]])
    writer.add_eos_token_id(0)
    writer.add_bos_token_id(0)
    writer.add_add_bos_token(False)


def _named(name: str) -> str:
    """llama.cpp's name of a tensor."""
    parts = name.split(".")
    if "layers" not in parts:
        return {"embed_tokens": "token_embd", "norm": "output_norm", "lm_head": "output"}[parts[-2]]
    norms = {"input_layernorm": "attn_norm", "post_attention_layernorm": "ffn_norm"}
    return f"blk.{parts[2]}.{(norms | adapter._NAMES)[parts[-2]]}"
