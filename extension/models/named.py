"""Open models by the names that the settings `model` and `eliminator` give; each is opened once and cached."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from askwhere import known_models
from askwhere.errors import ModelError, SettingError
from askwhere.models import files
from askwhere.models.address import PORTS
from askwhere.models.protocol import Model
from askwhere.settings import Settings

OLLAMA = "OLLAMA_HOST"  # Ollama's own environment variable
_OLLAMAS_PORT = 11434
_servers: dict[tuple[Any, ...], Model] = {}
_lock = threading.Lock()


def open_model(settings: Settings, setting: str) -> Model | None:
    """Return the model that `setting` names; None for the reader, or where it names none.

    Opening a server's model sends nothing. A model in a file is loaded once in the process and never downloaded. Raise
    `ModelError`.
    """
    value = settings[setting]
    if not isinstance(value, str):
        return value  # type: ignore[no-any-return]  # the user's own object
    kind, _, rest = value.partition(":")
    if kind == "lora":
        return _with_adapter(settings, setting, rest)
    if kind == "openai":
        return _server(settings, rest)
    if kind == "ollama":
        return _ollama(settings, rest)
    file = model_file(value)
    # The package's adapters learned to write queries: no other model than that of the setting has them.
    return _file(settings, file, settings["adapter"] if setting == "model" else "off") if file else None


def model_file(value: str) -> Path | None:
    """Return the GGUF file of a model, as the setting `model` names it; None for a model that is not in a file.

    Raise `ModelError`, with the command to download it, where the file is not on this machine.
    """
    kind, _, rest = value.partition(":")
    if kind == "gguf":
        return Path(rest)
    if kind == "hf" or known_models.named(value):
        return files.find(known_models.source(value)).path
    return None


def _file(settings: Settings, file: Path, adapter: str) -> Model:
    from askwhere.models import llama_cpp

    return llama_cpp.open_(file, adapter, settings["threads"], settings["prompt_cache"])


def _with_adapter(settings: Settings, setting: str, lora: str) -> Model:
    """Return the model of the setting `model` with a LoRA adapter."""
    base = str(settings["model"]) if setting != "model" else ""
    file = model_file(base)
    if file is None:
        raise SettingError(
            f"setting {setting}: 'lora:{lora}' is an adapter for a model of a file, 'gguf:FILE' or one that `askwhere"
            " model list` shows, and none is set"
        )
    return _file(settings, file, lora)


def _server(settings: Settings, name: str) -> Model:
    """Return a model of the server at `base_url`."""
    from askwhere import api_keys

    address = settings["base_url"]
    # A key goes only where it was configured to go, never to an address that SQL gave.
    key = api_keys.find() if address == settings.without("ask_set")["base_url"] else None
    return _opened(settings, f"openai:{name}", address, key, settings["server"], "base_url")


def _ollama(settings: Settings, name: str) -> Model:
    """Return a model of Ollama's server. The configured key is for another server and is not sent."""
    return _opened(settings, f"ollama:{name}", ollama_address(), None, "ollama", OLLAMA)


def ollama_address(environment: Mapping[str, str] | None = None) -> str:
    """Return the address of Ollama's OpenAI-compatible server, by OLLAMA_HOST as Ollama reads it; else on this machine.

    Raise `ModelError` for an invalid address.

    >>> ollama_address({"OLLAMA_HOST": "gpu.example.com"})
    'http://gpu.example.com:11434/v1'
    """
    given = (os.environ if environment is None else environment).get(OLLAMA, "").strip().strip("\"'")
    scheme, _, rest = given.rpartition("://")
    try:
        parts = urlsplit(f"{scheme or 'http'}://{rest if rest not in ('', '/') else '127.0.0.1'}")
        host, port = parts.hostname or "127.0.0.1", parts.port or PORTS.get(scheme, _OLLAMAS_PORT)
    except ValueError:
        raise ModelError(f"{OLLAMA}: expected an address such as 127.0.0.1:11434") from None
    # An address that means "all interfaces" to a server means this machine to its clients.
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}:{port}{parts.path.rstrip('/')}/v1"


def _opened(settings: Settings, name: str, address: str, key: Any, server: str, place: str) -> Model:
    """Return the model of a server, opened once for each name, address and key."""
    from askwhere.models.openai import OpenAI

    plain = urlsplit(address).hostname in settings["allowed_hosts"]
    key_of_model = (name, address, key.value if key else None, server, plain)
    with _lock:
        if key_of_model not in _servers:
            _servers[key_of_model] = OpenAI(name.partition(":")[2], address or None, key, server, plain, name, place)
        return _servers[key_of_model]
