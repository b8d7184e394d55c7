"""Write the reader's word vectors from a sentence model's own: `extension/reader/words/vectors.npy` and `vectors.txt`.

    apt-get download wamerican-small wbritish-small wamerican-large wbritish-large wordnet-base # dpkg -x each into DICT
    python tests/benchmarks/word_vectors.py all-minilm-l6-v2.zip DICT/usr/share/dict DICT/usr/share/wordnet

It needs the extra `train`. A word's vector is the mean of the model's input vectors of its pieces, as they are before
the first layer: of Spider-Syn's training questions they find the name that a synonym stands for more often than what
comes out of any layer, alone or beside these. Words are the tokenizer's own, where SCOWL's large lists have them in
small letters (so no names), and those of its small lists. Of the words that share a stem the most frequent one
counts, by the tokenizer's order. A word's vector is then moved half way to the mean of those that WordNet ties it to
(after Faruqui et al. 2015, https://aclanthology.org/N15-1184): of 892 synonyms of Spider-Syn's training questions the
right name comes first for 74 % (before: 70), and at a cosine where 9 of 10 proposals are right, with questions whose
name the database does not have among them, it is found for 49 % (before: 33). The vectors are centred, turned to
their principal axes (`DIMENSIONS` of them), evened out a little (`EVENED`: 1 would give each axis the same weight),
and rounded to 8 bits.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from askwhere.reader.words.nearness import VECTORS, WORDS
from askwhere.reader.words.tokens import stem
from safetensors.numpy import load_file
from tokenizers import Tokenizer
from wordnet import ties

DIMENSIONS = 224
EVENED = 0.25
FOLDER = Path(__file__).parents[2] / "extension/reader"


def listed(dictionaries: Path, size: str) -> set[str]:
    """Return the words of SCOWL's American and British lists of a size, but for names."""
    texts = [(dictionaries / f"{kind}-english-{size}").read_text("utf-8") for kind in ("american", "british")]
    return {word for text in texts for word in text.split() if re.fullmatch("[a-z]{3,}", word)}


def by_stem(whole: dict[str, int], dictionaries: Path) -> dict[str, str]:
    """Return the most frequent word of each stem."""
    small, large = listed(dictionaries, "small"), listed(dictionaries, "large")
    found: dict[str, str] = {}
    for word in sorted((whole.keys() & large) | small, key=lambda w: (whole.get(w, len(whole)), w)):
        found.setdefault(stem(word), word)
    return found


def tied(vectors: Any, words: list[str], folder: Path) -> Any:
    """Return the vectors, each moved half way to the mean of its ties in WordNet, less if they are weak."""
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    rows = {word: row for row, word in enumerate(words)}
    sums, weights = np.zeros_like(units), np.zeros(len(words), np.float32)
    for (one, other), weight in ties(folder, frozenset(words)).items():
        sums[rows[one]] += weight * units[rows[other]]
        weights[rows[one]] += weight
    most = np.maximum(weights, 1)
    return (units + sums / most[:, None]) / (1 + weights / most)[:, None]


def condensed(vectors: Any) -> Any:
    """Return the vectors along fewer axes, as 8-bit numbers of which only the direction counts."""
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    units -= units.mean(0)
    spread, axes = np.linalg.eigh(units.T @ units / len(units))
    best = np.argsort(-spread)[:DIMENSIONS]
    turned = units @ axes[:, best] / spread[best] ** (EVENED / 2)
    turned /= np.abs(turned).max(1, keepdims=True)
    return np.round(127 * turned).astype(np.int8)


def main(model: str, dictionaries: str, wordnet: str) -> None:
    """Write both files."""
    with tempfile.TemporaryDirectory() as folder:
        zipfile.ZipFile(model).extractall(folder)
        weights = load_file(f"{folder}/model.safetensors")
        tokenizer = Tokenizer.from_file(f"{folder}/tokenizer.json")
    tokenizer.no_padding()
    pieces = next(array for name, array in weights.items() if name.endswith("word_embeddings.weight"))
    words = by_stem(tokenizer.get_vocab(), Path(dictionaries))
    cut = tokenizer.encode_batch(list(words.values()), add_special_tokens=False)
    vectors = np.stack([pieces[one.ids].astype(np.float32).mean(0) for one in cut])
    np.save(FOLDER / VECTORS, condensed(tied(vectors, list(words), Path(wordnet))))
    (FOLDER / WORDS).write_text("\n".join(words) + "\n", "utf-8")
    print(json.dumps({"words": len(words), "bytes": (FOLDER / VECTORS).stat().st_size}))


if __name__ == "__main__":
    main(*sys.argv[1:])
