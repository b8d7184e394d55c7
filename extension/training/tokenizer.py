"""Train and read the small model's tokenizer: byte-level BPE that llama.cpp splits in the same way.

Texts are split into words by the rule of Qwen2's tokenizer (each digit apart), which llama.cpp knows by name.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizers import Tokenizer

END = "<|end|>"
PRETOKENIZER = "qwen2"  # llama.cpp's name of the splitting rule in _PARTS
_PARTS = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)


def train(texts: Iterable[str], size: int) -> Tokenizer:
    """Return a tokenizer of `size` tokens; token 0 ends a text, and 256 others are the bytes."""
    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split(Regex(_PARTS), "isolated"), pre_tokenizers.ByteLevel(False, use_regex=False)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    trainer = trainers.BpeTrainer(vocab_size=size, special_tokens=[END], initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer


def read(path: Path) -> Tokenizer:
    """Return the tokenizer in a file."""
    from tokenizers import Tokenizer

    return Tokenizer.from_file(str(path))
