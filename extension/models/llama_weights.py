"""Load a GGUF file: its weights, vocabulary and chat template, read once and shared."""

from __future__ import annotations

import ctypes
import os
import weakref
from functools import cached_property
from pathlib import Path
from typing import Any

from askwhere import files
from askwhere.errors import ModelError
from askwhere.indexer import progress
from askwhere.models.llama_library import Stop, clear_log, library, logged_reason, stoppable
from askwhere.models.llama_tokens import TokenTrie

MAGIC = b"GGUF"
PROMPTS = "askwhere.prompts"  # the metadata key of the version of the prompts that an adapter learned
ACROSS = 4  # the last tokens of a text, which may be others if the text continues
Identity = tuple[str, int, int, int, int]


def identity(path: Path) -> Identity:
    """Return facts that change when another file takes a file's place. Raise `ModelError` where it is no GGUF file."""
    try:
        facts = path.stat()
        begins = files.first_bytes(path, 16)
    except IsADirectoryError:
        raise ModelError(f"{path} is a folder; name the .gguf file in it") from None
    except OSError as exc:
        raise ModelError(f"{path} cannot be read: {exc.strerror}; name a .gguf file") from exc
    except ValueError as exc:  # a NUL, or half of a character
        raise ModelError(f"{str(path)!a} is the name of no file: {exc}; name a .gguf file") from exc
    if not begins.startswith(MAGIC):
        # The error shows nothing of its content: SQL may name any file.
        fault = "it is a pointer of Git LFS" if begins.startswith(b"version https://") else "it does not begin as one"
        fault = fault if begins else "it is empty"
        raise ModelError(f"{path} is no GGUF file: {fault}; download a model in the GGUF format")
    return str(path.resolve()), facts.st_dev, facts.st_ino, facts.st_size, facts.st_mtime_ns


class Weights:
    """The weights of a file, usable from any thread; freed when nothing refers to them, at the latest at exit."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.identity = identity(path)
        self.llama = library()
        self.pointer = stoppable(self._load, None, "")
        self.vocabulary = self.llama.llama_model_get_vocab(self.pointer)
        self.context = int(self.llama.llama_model_n_ctx_train(self.pointer))
        self.size = int(self.llama.llama_vocab_n_tokens(self.vocabulary))
        self._adapters: dict[Identity, Any] = {}
        self._pieces: dict[int, bytes] = {}
        weakref.finalize(self, self.llama.llama_model_free, self.pointer)

    def _load(self, stop: Stop) -> Any:
        """Load the file, with progress on the terminal. Raise `ModelError`."""
        tell, megabytes = progress.on_terminal("loading"), max(self.path.stat().st_size // 1_000_000, 1)

        def loaded(share: float, _: object) -> bool:
            tell(f"{self.path.name}, MB", int(share * megabytes), megabytes)
            return not stop

        parameters = self.llama.llama_model_default_params()
        parameters.progress_callback = callback = self.llama.llama_progress_callback(loaded)
        # llama.cpp's AMX kernels, for which quantized weights are repacked, end the process on an illegal instruction
        # where the compiler left out the tiles' configuration: github.com/ggml-org/llama.cpp/pull/26954.
        parameters.use_extra_bufts = b"AMX_INT8 = 1" not in self.llama.llama_print_system_info()
        clear_log()
        pointer = self.llama.llama_model_load_from_file(os.fsencode(self.path), parameters)
        del callback  # C code called it until here
        tell("", megabytes, megabytes)
        if not pointer:
            raise ModelError(f"llama.cpp cannot load {self.path}: {logged_reason()}; is the file complete?")
        return pointer

    def adapter(self, path: Path) -> Any:
        """Return the LoRA adapter of a file, for `llama_set_adapters_lora`; it is freed with these weights."""
        key = identity(path)
        if key not in self._adapters:
            self._adapters[key] = stoppable(lambda _: self._load_adapter(path), None, "")
        return self._adapters[key]

    def _load_adapter(self, path: Path) -> Any:
        """Load a LoRA adapter, and return its pointer. Raise `ModelError` where it does not fit these weights."""
        clear_log()
        pointer = self.llama.llama_adapter_lora_init(self.pointer, os.fsencode(path))
        if not pointer:
            raise ModelError(f"{path} is no LoRA adapter for {self.path.name}: {logged_reason()}")
        return pointer

    def prompts_learned(self, path: Path) -> int | None:
        """Return the version of the prompts that an adapter learned; None where its file states none."""
        room = ctypes.create_string_buffer(16)
        self.llama.llama_adapter_meta_val_str(self.adapter(path), PROMPTS.encode(), room, len(room))
        return int(room.value) if room.value.isdigit() else None

    def facts(self, cells: int) -> tuple[object, ...]:
        """Return all that an evaluated state depends on beside the tokens, for a context of `cells` tokens.

        Some models compute positions differently in a context longer than the one they were first trained on.
        """
        name = self.metadata("general.architecture")
        longer = cells > int(self.metadata(f"{name}.rope.scaling.original_context_length") or self.context)
        return self.identity, longer, self.llama.__version__, self.llama.llama_print_system_info()

    def metadata(self, key: str) -> str:
        """Return a value of the file's metadata, '' where it has none."""
        room = ctypes.create_string_buffer(256)
        self.llama.llama_model_meta_val_str(self.pointer, key.encode(), room, len(room))
        return room.value.decode(errors="replace")

    # ------------------------------------------------------------------------------------------------------- tokens

    def tokens(self, text: str, special: bool = False) -> list[int]:
        """Return the tokens of a text; with `special`, names of control tokens in it become those tokens."""
        data = text.encode(errors="replace")
        room = len(data) + 8  # at most a token for each byte, and the space that some vocabularies put first
        tokens = (self.llama.llama_token * room)()
        count = self.llama.llama_tokenize(self.vocabulary, data, len(data), tokens, room, False, special)
        if count < 0:
            raise ModelError(f"{self.path.name} cannot split a text of {len(data)} bytes into tokens")
        return list(tokens[:count])

    def piece(self, token: int) -> bytes:
        """Return the bytes of a token in a reply, which may be a part of a character; none for a control token."""
        if token not in self._pieces:
            self._pieces[token] = self._piece(token, special=False)
        return self._pieces[token]

    def _piece(self, token: int, special: bool) -> bytes:
        """Return the bytes of a token; with `special`, of a control token its name."""
        room = 256
        while True:
            buffer = ctypes.create_string_buffer(room)
            count = self.llama.llama_token_to_piece(self.vocabulary, token, buffer, room, 0, special)
            if count >= 0:
                return buffer.raw[:count]
            room = -count

    def ends(self, token: int) -> bool:
        """Return whether a token ends a reply."""
        return bool(self.llama.llama_vocab_is_eog(self.vocabulary, token))

    @cached_property
    def tree(self) -> TokenTrie:
        """Return the vocabulary as a tree, for grammars."""
        tokens = range(self.size)
        return TokenTrie([self.piece(token) for token in tokens], [token for token in tokens if self.ends(token)])

    # ------------------------------------------------------------------------------------------------------ prompts

    def prompt(self, text: str) -> list[int]:
        """Return the tokens of a prompt in the model's chat template, with its first token once."""
        return self._whole(self._render(self._harmless(text)))

    def beginning(self, text: str, fixed: int) -> int:
        """Return how many first tokens a prompt shares with every prompt that has the same first `fixed` characters.

        The last few are not counted, since a token may extend beyond that place; 0 where it is not certain.
        """
        if not fixed:
            return 0
        rendered, shared = self._render(self._harmless(text)), self._harmless(text[:fixed])
        if (start := rendered.find(shared)) < 0:
            return 0
        tokens = self._whole(rendered[: start + len(shared)])[:-ACROSS]
        return len(tokens) if self._whole(rendered)[: len(tokens)] == tokens else 0

    def _whole(self, text: str) -> list[int]:
        """Return the tokens of a rendered prompt, with the first token of the vocabulary if it needs one."""
        tokens = self.tokens(text, special=True)
        first = self.llama.llama_vocab_bos(self.vocabulary)
        if self.llama.llama_vocab_get_add_bos(self.vocabulary) and tokens[:1] != [first]:
            tokens.insert(0, first)
        if not tokens:
            raise ModelError("the prompt is empty")
        return tokens

    def _harmless(self, text: str) -> str:
        """Return the text without control tokens: a cell that reads `<|im_end|>` must not end the user's message."""
        for token in set(self.tokens(text, special=True)):
            if self.llama.llama_vocab_is_control(self.vocabulary, token):
                name = self._piece(token, special=True).decode(errors="replace")
                text = text.replace(name, f"{name[:1]} {name[1:]}")
        return text

    def _render(self, text: str) -> str:
        """Return the text in the file's chat template, or unchanged where it has none."""
        if self._template is None:
            return text
        try:
            return str(self._template(messages=[{"role": "user", "content": text}]).prompt)
        except Exception as exc:  # a template is a program that came with the file; it may fail in any way
            raise ModelError(f"the chat template of {self.path.name} fails: {exc}") from exc

    @cached_property
    def _template(self) -> Any:
        """Return the function that renders messages in the file's chat template; None where it has none."""
        text = self.llama.llama_model_chat_template(self.pointer, None)
        if not text:
            return None
        from llama_cpp.llama_chat_format import Jinja2ChatFormatter

        first, last = self.llama.llama_vocab_bos(self.vocabulary), self.llama.llama_vocab_eos(self.vocabulary)
        names = [
            self._piece(token, special=True).decode(errors="replace") if token >= 0 else "" for token in (last, first)
        ]
        try:
            return Jinja2ChatFormatter(text.decode(), eos_token=names[0], bos_token=names[1])
        except Exception as exc:
            raise ModelError(f"the chat template of {self.path.name} cannot be parsed: {exc}") from exc
