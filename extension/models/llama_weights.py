"""What a GGUF file holds: weights, the tokens of its vocabulary, its chat template. Read once and shared."""

from __future__ import annotations

import ctypes
import os
import weakref
from functools import cached_property
from pathlib import Path
from typing import Any

from askwhere.errors import ModelError
from askwhere.indexer import progress
from askwhere.models.llama_library import Stop, apart, hear, library, said
from askwhere.models.llama_tokens import Tree

MAGIC = b"GGUF"
ACROSS = 4  # tokens that what follows a text may change at its end
Identity = tuple[str, int, int, int, int]


def identity(path: Path) -> Identity:
    """What tells one file from another that was put in its place; raises `ModelError` where there is no GGUF file."""
    try:
        facts = path.stat()
        with path.open("rb") as file:
            begins = file.read(16)
    except IsADirectoryError:
        raise ModelError(f"{path} is a folder; name the .gguf file in it") from None
    except OSError as exc:
        raise ModelError(f"{path} cannot be read: {exc.strerror}; name a .gguf file") from exc
    if not begins.startswith(MAGIC):
        # Nothing of what it holds: SQL may name any file.
        what = "it is a pointer of Git LFS" if begins.startswith(b"version https://") else "it does not begin as one"
        what = what if begins else "it is empty"
        raise ModelError(f"{path} is no GGUF file: {what}; download a model in the GGUF format")
    return str(path.resolve()), facts.st_dev, facts.st_ino, facts.st_size, facts.st_mtime_ns


class Weights:
    """A loaded file. Any thread may ask it for tokens; it is freed when nobody holds it, at the latest at exit."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.identity = identity(path)
        self.llama = library()
        self.pointer = apart(self._load, None, "")
        self.vocabulary = self.llama.llama_model_get_vocab(self.pointer)
        self.context = int(self.llama.llama_model_n_ctx_train(self.pointer))
        self.size = int(self.llama.llama_vocab_n_tokens(self.vocabulary))
        self._adapters: dict[Identity, Any] = {}
        self._pieces: dict[int, bytes] = {}
        weakref.finalize(self, self.llama.llama_model_free, self.pointer)

    def _load(self, stop: Stop) -> Any:
        tell, megabytes = progress.on_terminal("loading"), max(self.path.stat().st_size // 1_000_000, 1)

        def loaded(share: float, _: object) -> bool:
            if tell:
                tell(f"{self.path.name}, MB", int(share * megabytes), megabytes)
            return not stop

        parameters = self.llama.llama_model_default_params()
        parameters.progress_callback = callback = self.llama.llama_progress_callback(loaded)
        # Its kernels for AMX, which quantized weights are laid out anew for, end the process on an illegal instruction
        # where the compiler has left out the tiles' configuration: github.com/ggml-org/llama.cpp/pull/26954.
        parameters.use_extra_bufts = b"AMX_INT8 = 1" not in self.llama.llama_print_system_info()
        hear()
        pointer = self.llama.llama_model_load_from_file(os.fsencode(self.path), parameters)
        del callback  # it had to live until here
        if tell:
            tell("", megabytes, megabytes)
        if not pointer:
            raise ModelError(f"llama.cpp cannot load {self.path}: {said()}; is the file complete?")
        return pointer

    def adapter(self, path: Path) -> Any:
        """The LoRA adapter of a file, for `llama_set_adapters_lora`. It is freed with these weights."""
        key = identity(path)
        if key not in self._adapters:
            self._adapters[key] = apart(lambda _: self._load_adapter(path), None, "")
        return self._adapters[key]

    def _load_adapter(self, path: Path) -> Any:
        hear()
        pointer = self.llama.llama_adapter_lora_init(self.pointer, os.fsencode(path))
        if not pointer:
            raise ModelError(f"{path} is no LoRA adapter for {self.path.name}: {said()}")
        return pointer

    def facts(self, cells: int) -> tuple[object, ...]:
        """All but tokens that goes into what is evaluated in a context of so many cells, as texts and numbers.

        Some models turn positions in another way in a context that is longer than the one they were first trained on.
        """
        name = self._said("general.architecture")
        longer = cells > int(self._said(f"{name}.rope.scaling.original_context_length") or self.context)
        return self.identity, longer, self.llama.__version__, self.llama.llama_print_system_info()

    def _said(self, key: str) -> str:
        """A fact in the file's metadata, '' where it has none."""
        room = ctypes.create_string_buffer(256)
        self.llama.llama_model_meta_val_str(self.pointer, key.encode(), room, len(room))
        return room.value.decode(errors="replace")

    # ------------------------------------------------------------------------------------------------------- tokens

    def tokens(self, text: str, special: bool = False) -> list[int]:
        """The tokens of a text; with `special`, the names of control tokens in it stand for those tokens."""
        data = text.encode(errors="replace")
        room = len(data) + 8  # never more tokens than bytes, but for a space or so that some vocabularies put first
        found = (self.llama.llama_token * room)()
        count = self.llama.llama_tokenize(self.vocabulary, data, len(data), found, room, False, special)
        if count < 0:
            raise ModelError(f"{self.path.name} cannot split a text of {len(data)} bytes into tokens")
        return list(found[:count])

    def piece(self, token: int) -> bytes:
        """The bytes that a token stands for in a reply: part of a character, or many; none for a control token."""
        if token not in self._pieces:
            self._pieces[token] = self._piece(token, special=False)
        return self._pieces[token]

    def _piece(self, token: int, special: bool) -> bytes:
        room = 256
        while True:
            buffer = ctypes.create_string_buffer(room)
            count = self.llama.llama_token_to_piece(self.vocabulary, token, buffer, room, 0, special)
            if count >= 0:
                return buffer.raw[:count]
            room = -count

    def ends(self, token: int) -> bool:
        """Whether the model says with this token that its reply is over."""
        return bool(self.llama.llama_vocab_is_eog(self.vocabulary, token))

    @cached_property
    def tree(self) -> Tree:
        """The vocabulary for grammars."""
        tokens = range(self.size)
        return Tree([self.piece(token) for token in tokens], [token for token in tokens if self.ends(token)])

    # ------------------------------------------------------------------------------------------------------ prompts

    def prompt(self, text: str) -> list[int]:
        """The tokens of a prompt in the form the model was trained on: its chat template, its first token, once."""
        return self._whole(self._render(self._harmless(text)))

    def beginning(self, text: str, fixed: int) -> int:
        """How many tokens all prompts have in common that share the first `fixed` characters of the prompt `text`.

        A few less, since a token may go across that place; 0 where it is not sure.
        """
        if not fixed:
            return 0
        rendered, shared = self._render(self._harmless(text)), self._harmless(text[:fixed])
        if (start := rendered.find(shared)) < 0:
            return 0
        tokens = self._whole(rendered[: start + len(shared)])[:-ACROSS]
        return len(tokens) if self._whole(rendered)[: len(tokens)] == tokens else 0

    def _whole(self, text: str) -> list[int]:
        tokens = self.tokens(text, special=True)
        first = self.llama.llama_vocab_bos(self.vocabulary)
        if self.llama.llama_vocab_get_add_bos(self.vocabulary) and tokens[:1] != [first]:
            tokens.insert(0, first)
        if not tokens:
            raise ModelError("the prompt is empty")
        return tokens

    def _harmless(self, text: str) -> str:
        """The text without control tokens: a cell of the database that reads `<|im_end|>` must not end our message."""
        for token in set(self.tokens(text, special=True)):
            if self.llama.llama_vocab_is_control(self.vocabulary, token):
                name = self._piece(token, special=True).decode(errors="replace")
                text = text.replace(name, f"{name[:1]} {name[1:]}")
        return text

    def _render(self, text: str) -> str:
        if self._template is None:
            return text
        try:
            return str(self._template(messages=[{"role": "user", "content": text}]).prompt)
        except Exception as exc:  # a template is a program that came with the file; it may fail in any way
            raise ModelError(f"the chat template of {self.path.name} fails: {exc}") from exc

    @cached_property
    def _template(self) -> Any:
        """What renders a list of messages as the file's own chat template has it; None where it has none."""
        text = self.llama.llama_model_chat_template(self.pointer, None)
        if not text:
            return None
        from llama_cpp.llama_chat_format import Jinja2ChatFormatter

        first, last = self.llama.llama_vocab_bos(self.vocabulary), self.llama.llama_vocab_eos(self.vocabulary)
        names = [self._piece(token, special=True).decode() if token >= 0 else "" for token in (last, first)]
        try:
            return Jinja2ChatFormatter(text.decode(), eos_token=names[0], bos_token=names[1])
        except Exception as exc:
            raise ModelError(f"the chat template of {self.path.name} is not one: {exc}") from exc
