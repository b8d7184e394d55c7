"""Models by name: what the settings `model` and `eliminator` say, opened once and kept."""

from __future__ import annotations

import threading
from typing import Any
from urllib.parse import urlsplit

from askwhere.errors import SettingError
from askwhere.models.protocol import Model
from askwhere.settings import Settings

_servers: dict[tuple[Any, ...], Model] = {}
_lock = threading.Lock()


def open_model(settings: Settings, setting: str) -> Model | None:
    """The model that `setting` names; None for the reader, or where it names none.

    Opening a server's model sends nothing; a file's is loaded once in the process. Raises `ModelError`.
    """
    value = settings[setting]
    if not isinstance(value, str):
        return value  # type: ignore[no-any-return]  # the user's own object
    kind, _, rest = value.partition(":")
    if kind == "gguf":
        from askwhere.models import llama_cpp

        return llama_cpp.open_(rest)
    if kind == "lora":
        return _with_adapter(settings, setting, rest)
    return _server(settings, rest) if kind == "openai" else None


def _with_adapter(settings: Settings, setting: str, file: str) -> Model:
    kind, _, path = str(settings["model"]).partition(":")
    if kind != "gguf" or setting == "model":
        raise SettingError(f"setting {setting}: 'lora:{file}' is an adapter for a model 'gguf:FILE', and none is set")
    from askwhere.models import llama_cpp

    return llama_cpp.open_(path, lora=file)


def _server(settings: Settings, name: str) -> Model:
    from askwhere import keys
    from askwhere.models.openai import OpenAI

    address = settings["base_url"]
    # A key goes only where it was configured to go, never to an address that SQL gave.
    key = keys.find() if address == settings.without("ask_set")["base_url"] else None
    plain = urlsplit(address).hostname in settings["allowed_hosts"]
    wanted = (name, address, key.value if key else None, settings["server"], plain)
    with _lock:
        if wanted not in _servers:
            _servers[wanted] = OpenAI(name, address or None, key, settings["server"], plain_http=plain)
        return _servers[wanted]
