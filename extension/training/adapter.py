"""Write a LoRA adapter as a GGUF file, which llama.cpp applies to the base model's GGUF, and go on from such a file."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from askwhere.errors import ArgumentError
from askwhere.models.llama_weights import PROMPTS
from askwhere.pipeline import prompts
from askwhere.training.lora import Run

# By Hugging Face's name of an architecture: llama.cpp's name, and whether llama.cpp rotates neighbouring pairs where
# Hugging Face rotates the two halves of a head (RoPE), so that the rows of queries and keys must be reordered.
ARCHITECTURES = {
    "llama": ("llama", True), "mistral": ("llama", True), "qwen2": ("qwen2", False), "qwen3": ("qwen3", False),
    "gemma2": ("gemma2", False), "phi3": ("phi3", False),
}  # fmt: skip
_NAMES = {
    "q_proj": "attn_q", "k_proj": "attn_k", "v_proj": "attn_v", "o_proj": "attn_output",
    "gate_proj": "ffn_gate", "up_proj": "ffn_up", "down_proj": "ffn_down",
}  # fmt: skip


def write(run: Run, path: Path, bits: int = 16) -> Path:
    """Write the adapter to `path` and return it; the file appears once it is whole.

    Its numbers have 16 bits; with `bits` of 8, those of the matrices that read the model's state have 8.5 (Q8_0): the
    others have rows as long as the rank, too short for its blocks of 32.
    Raise `ArgumentError` for an architecture that is not in `ARCHITECTURES`.
    """
    from gguf import GGMLQuantizationType, GGUFValueType, GGUFWriter, quants
    from peft import get_peft_model_state_dict

    config = run.model.base_model.model.config
    if config.model_type not in ARCHITECTURES:
        known = ", ".join(sorted(ARCHITECTURES))
        raise ArgumentError(
            f"adapters of {config.model_type} models cannot be written for llama.cpp; known are {known}"
        )
    architecture, turned = ARCHITECTURES[config.model_type]
    part = path.with_suffix(".part")
    writer = GGUFWriter(part, architecture)
    writer.add_type("adapter")
    writer.add_string("adapter.type", "lora")
    writer.add_key_value("adapter.lora.alpha", float(run.plan.alpha), GGUFValueType.FLOAT32)
    writer.add_uint32(PROMPTS, prompts.VERSION)
    for name, tensor in get_peft_model_state_dict(run.model).items():
        gguf_name, weights = _named(name), tensor.detach().float().cpu().numpy()
        if turned and gguf_name.endswith(".lora_b"):
            weights = _reordered(gguf_name, weights, config, halves_to_pairs)
        if bits == 8 and gguf_name.endswith(".lora_a"):
            packed = quants.quantize(np.ascontiguousarray(weights), GGMLQuantizationType.Q8_0)
            writer.add_tensor(gguf_name, packed, raw_dtype=GGMLQuantizationType.Q8_0)
        else:
            writer.add_tensor(gguf_name, np.ascontiguousarray(weights, np.float16))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    part.replace(path)
    return path


def start(run: Run, path: Path) -> None:
    """Begin a run with the weights of an adapter in a GGUF file.

    Raise `ArgumentError` where the file is no adapter, or one of other matrices than the run learns.
    """
    from gguf import GGUFReader, quants

    try:
        tensors = {
            tensor.name: quants.dequantize(tensor.data, tensor.tensor_type) for tensor in GGUFReader(path).tensors
        }
    except (OSError, ValueError) as exc:
        raise ArgumentError(f"{path} is no adapter: {exc}") from exc
    config = run.model.base_model.model.config
    turned = ARCHITECTURES.get(config.model_type, ("", False))[1]
    names = (_named(name) for name, own in run.model.named_parameters() if own.requires_grad)
    for name, exact in zip(names, run.exact, strict=True):
        weights = tensors.pop(name, None)
        if weights is None or weights.shape != tuple(exact.shape):
            shape = "none" if weights is None else f"one of {weights.shape}"
            raise ArgumentError(f"{path} does not fit: expected {name} of shape {tuple(exact.shape)}, found {shape}")
        if turned and name.endswith(".lora_b"):
            weights = _reordered(name, weights, config, pairs_to_halves)
        exact.data.copy_(exact.new_tensor(weights))
    if tensors:
        raise ArgumentError(f"{path} does not fit: it also has {min(tensors)}, which this run does not learn")
    run.update_model()


def _named(name: str) -> str:
    """Return llama.cpp's name of a tensor that PEFT calls `name`."""
    match = re.search(r"layers\.(\d+)\.\w+\.(\w+)\.lora_([AB])\.", name)
    if match is None or match[2] not in _NAMES:
        raise ArgumentError(f"the adapter has a matrix that cannot be written for llama.cpp: {name}")
    return f"blk.{match[1]}.{_NAMES[match[2]]}.weight.lora_{match[3].lower()}"


def _reordered(
    name: str, weights: np.ndarray, config: Any, reorder: Callable[[np.ndarray, int], np.ndarray]
) -> np.ndarray:
    """Return the weights with the rows of each head of queries and keys reordered."""
    heads = {"attn_q": config.num_attention_heads, "attn_k": config.num_key_value_heads}.get(name.split(".")[2])
    return weights if heads is None else reorder(weights, heads)


def halves_to_pairs(weights: np.ndarray, heads: int) -> np.ndarray:
    """Reorder the rows of each head from halves that rotate with each other to neighbours that do."""
    rows, columns = weights.shape
    return weights.reshape(heads, 2, rows // heads // 2, columns).swapaxes(1, 2).reshape(rows, columns)


def pairs_to_halves(weights: np.ndarray, heads: int) -> np.ndarray:
    """Reorder the rows of each head from neighbours that rotate with each other to halves that do."""
    rows, columns = weights.shape
    return weights.reshape(heads, rows // heads // 2, 2, columns).swapaxes(1, 2).reshape(rows, columns)
