"""Return the value of each setting, from the strongest source that gives one.

A named argument wins over `ask_set`, that over `connect()`/`register()`, that over the environment (`ASKWHERE_` and the
name in capitals), that over `askwhere/config.toml` in the user's configuration folder, that over the default.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from askwhere import configuration
from askwhere.errors import SettingError, nearest, shown, suggestion
from askwhere.frozen import frozen
from askwhere.known_settings import SETTINGS, Setting
from askwhere.setting_values import COSTLY, ByEffort, InvalidValue, models

# Names in the configuration file that are no settings; SQL never sees them.
OF_THE_FILE = ("api_key", "prices")
# Names in the environment (after ASKWHERE_) that are no settings.
OF_THE_ENVIRONMENT = ("api_key", "token", "worker")
NEAR = 0.7  # the least similarity, by difflib, of a misspelt environment variable and the setting that is meant

_BY_NAME = {setting.name: setting for setting in SETTINGS}


@frozen
class Settings:
    """The values that were given, by source; the strongest source comes first."""

    layers: tuple[tuple[str, Mapping[str, Any]], ...] = ()

    def __getitem__(self, name: str) -> Any:
        return self._with_source(name)[0]

    def source(self, name: str) -> str:
        """Return the source of a setting's value.

        It is 'argument', 'ask_set', 'register', 'environment', 'file' or 'default'.
        """
        return self._with_source(name)[1]

    def check_method(self) -> None:
        """Raise `SettingError` where a method is set, which needs a model, and no model is set."""
        if self["method"] and self.source("model") == "default":
            raise SettingError(
                f"the method {self['method']!r} asks a model, and none is set: SELECT ask_set('model', 'openai:NAME')"
                " or ask_set('model', 'gguf:/path/model.gguf'); or ask_set('method', '') for the built-in reader"
            )

    def _with_source(self, name: str) -> tuple[Any, str]:
        """Return a setting's value and its source."""
        for source, values in self.layers:
            if name in values:
                return values[name], source
        default = _BY_NAME[name].default
        if isinstance(default, ByEffort):
            default = getattr(default, "thorough" if self["method"] in COSTLY else self["effort"])
        return default, "default"

    def for_question(self, **given: Any) -> Settings:
        """Return the settings with the arguments of one call on top; those that are None are ignored."""
        named = {name: parse(name, value) for name, value in given.items() if value is not None}
        return Settings((("argument", named), *self.layers)) if named else self

    @cached_property
    def values(self) -> tuple[Any, ...]:
        """Return the values of all settings, in the order of `SETTINGS`."""
        return tuple([self[setting.name] for setting in SETTINGS])

    def without(self, source: str) -> Settings:
        """Return the settings without the values of a source."""
        return Settings(tuple(layer for layer in self.layers if layer[0] != source))

    def from_sql(self, name: str, value: Any) -> Settings:
        """Return the settings with one changed by `ask_set`. Raise `SettingError` for what SQL may not change."""
        name = name.strip().lower()
        if name in OF_THE_FILE or (name in _BY_NAME and _BY_NAME[name].guarded):
            raise SettingError(f"{name} cannot be set from SQL: put it into the environment or into {config_path()}")
        changed = self.with_value("ask_set", name, value)
        host = urlsplit(changed["base_url"]).hostname
        if name == "base_url" and value is not None and host and host not in self["allowed_hosts"]:
            raise SettingError(
                "setting base_url: from SQL it can be set to a host of allowed_hosts"
                f" ({as_text(self['allowed_hosts'])}), found {shown(host)}"
            )
        return changed

    def with_value(self, source: str, name: str, value: Any) -> Settings:
        """Return the settings with one more value from `source`; None removes that source's value."""
        parsed = None if value is None else parse(name, value)
        name = named(name).name
        layers = []
        for layer, values in self.layers:
            kept = {k: v for k, v in values.items() if layer != source or k != name}
            layers.append((layer, kept | {name: parsed} if layer == source and parsed is not None else kept))
        return replace(self, layers=tuple(layers))

    def rows(self) -> Iterator[tuple[str, str, str, str]]:
        """Yield for each setting: name, value as text, source, description."""
        for setting in SETTINGS:
            value, source = self._with_source(setting.name)
            # A path in the environment need not be UTF-8, which no engine can store.
            text = as_text(value).encode("utf-8", "backslashreplace").decode()
            yield setting.name, text, source, setting.description


def named(name: str) -> Setting:
    """Return the setting of a name. Raise `SettingError`, with the nearest name."""
    setting = _BY_NAME.get(name.strip().lower() if isinstance(name, str) else name)
    if setting is None:
        raise SettingError(f"there is no setting {shown(name)}{_meant(str(name))}")
    return setting


def _meant(name: str) -> str:
    """Return the end of an error about a setting that there is not: the nearest, the model that it names, or all."""
    if model := nearest(name, models(), NEAR):
        return f"; did you mean ask_set('model', '{model}')?"
    return suggestion(name, _BY_NAME) or f"; expected one of {', '.join(_BY_NAME)}"


def parse(name: str, value: Any) -> Any:
    """Return the value of setting `name` as the code uses it. Raise `SettingError`."""
    setting = named(name)
    try:
        return setting.parse(value)
    except ValueError as exc:
        near = suggestion(str(value), exc.known) if isinstance(exc, InvalidValue) else ""
        raise SettingError(f"setting {setting.name}: {exc}, found {shown(value)}{near}") from None


def as_text(value: Any) -> str:
    """Return a setting's value as `ask_settings()` shows it."""
    if isinstance(value, tuple):
        return ",".join(value)
    if callable(getattr(value, "complete", None)):
        return str(getattr(value, "name", type(value).__name__))
    return f"{value:g}" if isinstance(value, float) else str(value)


def load(given: Mapping[str, Any], environment: Mapping[str, str] | None = None, file: Path | None = None) -> Settings:
    """Return the settings from `given`, the environment and the configuration file."""
    known = {name: parse(name, value) for name, value in given.items() if value is not None}
    return Settings(
        (
            ("ask_set", {}),
            ("register", known),
            ("environment", _from_environment(os.environ if environment is None else environment)),
            ("file", _from_file(config_path() if file is None else file)),
        )
    )


def config_path() -> Path:
    """Return the path of the user's configuration file."""
    import platformdirs  # only when settings are first loaded: `import askwhere` stays cheap

    return platformdirs.user_config_path("askwhere") / "config.toml"


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    found = {name: environment.get(f"ASKWHERE_{name.upper()}") for name in _BY_NAME}
    return _parsed({name: value for name, value in found.items() if value}, "the environment")


def _parsed(values: Mapping[str, Any], place: str) -> dict[str, Any]:
    """Return the values that a place has, parsed. Raise `SettingError`, which names the place."""
    try:
        return {name: parse(name, value) for name, value in values.items()}
    except SettingError as exc:
        raise SettingError(f"in {place}: {exc}") from None


def misspelt(environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment variables that seem misspelt, each with the name that is meant.

    A variable that is like none of ours is ignored: it may be another program's, such as ASKWHERE_PORT of Kubernetes.
    """
    known = {name.upper() for name in (*_BY_NAME, *OF_THE_ENVIRONMENT)}
    found: dict[str, str] = {}
    for name in sorted(os.environ if environment is None else environment):
        rest = name[len("ASKWHERE_") :]
        wrong = not name.startswith("ASKWHERE_") or rest not in known
        if name.upper().startswith("ASKWHERE_") and wrong and (near := nearest(rest, sorted(known), NEAR)):
            found[name] = f"ASKWHERE_{near}"
    return found


def _from_file(path: Path) -> dict[str, Any]:
    found = configuration.values(path)
    return _parsed({name: value for name, value in found.items() if name not in OF_THE_FILE}, str(path))
