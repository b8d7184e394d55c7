"""Define every setting: its name, default and meaning, and where its value comes from.

A named argument wins over `ask_set`, that over `connect()`/`register()`, that over the environment (`ASKWHERE_` and the
name in capitals), that over `askwhere/config.toml` in the user's configuration folder, that over the default.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from askwhere import configuration, known_models, patterns
from askwhere.errors import SettingError

SERVERS = ("openai", "azure", "vllm", "llama-server", "llama-cpp-python", "ollama", "other")
# Names in the configuration file that are no settings; SQL never sees them.
OF_THE_FILE = ("api_key", "prices")
# Names in the environment (after ASKWHERE_) that are no settings.
OF_THE_ENVIRONMENT = ("api_key", "token", "worker")
NEAR = 0.7  # the least similarity, by difflib, of a misspelt environment variable and the setting that is meant


EFFORTS = ("fast", "balanced", "thorough")
# Methods with so many calls that a question's default limits are those of 'thorough'.
COSTLY = ("mcs",)
# The parts that `leave_out` can leave out of each method.
PARTS = {
    "every method": ("repair",),
    "sea": ("elimination", "adjustment"),
    "dac": ("entities", "skeleton", "execution"),
    "mcs": ("linking", "rows", "examples", "nearest", "masked", "filter", "choice"),
}


@dataclass(frozen=True)
class ByEffort:
    """A default that depends on the setting `effort`."""

    fast: Any
    balanced: Any
    thorough: Any

    def __str__(self) -> str:
        return " / ".join(f"{value:,}" for value in (self.fast, self.balanced, self.thorough))


@dataclass(frozen=True)
class Mcs:
    """The parameters of MCS-SQL; the defaults are the paper's (section 4.3).

    `table_prompts`, `column_prompts` and `prompts` are the prompts that link tables, link columns and write queries;
    each of them has `link_samples` or `samples` completions. `votes` choose among the queries. `examples` are the
    demonstrations in a prompt. Groups with a smaller share than `threshold` are dropped. `temperature` is that of all
    calls, and `seed` that of everything drawn.
    """

    table_prompts: int = 3
    column_prompts: int = 3
    link_samples: int = 20
    prompts: int = 5
    samples: int = 20
    votes: int = 20
    examples: int = 20
    threshold: float = 0.2
    temperature: float = 1.0
    seed: int = 0

    def __str__(self) -> str:
        return ", ".join(f"{field.name}={getattr(self, field.name):g}" for field in fields(self))

    def calls(self, leave_out: Collection[str] = ()) -> int:
        """Return the most completions that a question costs."""
        linking = 0 if "linking" in leave_out else (self.table_prompts + self.column_prompts) * self.link_samples
        return linking + self.prompts * self.samples + (0 if "choice" in leave_out else self.votes)


@dataclass(frozen=True)
class Setting:
    """One setting; `parse` turns a user's value into the one used, or raises ValueError with what it expected.

    `guarded` settings cannot be set from SQL: a user who may only ask must not change where questions go. `example` is
    a value as a user would write it.
    """

    name: str
    default: Any
    parse: Callable[[Any], Any]
    description: str
    guarded: bool = False
    example: str = ""


def _words(value: Any) -> tuple[str, ...]:
    parts = value.split(",") if isinstance(value, str) else [str(part) for part in value]
    return tuple(part.strip() for part in parts if part.strip())


def _parts(value: Any) -> tuple[str, ...]:
    words = tuple(word.lower() for word in _words(value))
    known = {part for parts in PARTS.values() for part in parts}
    if not known.issuperset(words):
        raise ValueError("expected " + "; ".join(f"of {name} {', '.join(parts)}" for name, parts in PARTS.items()))
    return words


def _mcs(value: Any) -> Mcs:
    """Parse the setting `mcs`: name=number, separated by commas."""
    if isinstance(value, Mcs):
        return value
    least = {"examples": 0, "threshold": 0, "temperature": 0, "seed": 0}
    known = {field.name: field.default for field in fields(Mcs)}
    given = {}
    for part in _words(value):
        name, _, text = (piece.strip() for piece in part.partition("="))
        if name not in known or name in given:
            raise ValueError(f"expected name=number, each once, with names of {', '.join(known)}")
        kind = float if isinstance(known[name], float) else int
        try:
            given[name] = _number(kind, least.get(name, 1), 1 if name == "threshold" else 10_000)(text)
        except ValueError as exc:
            raise ValueError(f"{name}: {exc}") from None
    return Mcs(**given)


def _text(value: Any) -> str:
    return str(value).strip()


def _names(value: Any) -> tuple[str, ...]:
    parts = patterns.split(value) if isinstance(value, str) else [str(part).strip() for part in value]
    return tuple(part for part in parts if part)


def _columns(value: Any) -> tuple[str, ...]:
    words = _names(value)
    if not all("." in word or "*" in word for word in words):
        raise ValueError("expected columns as table.column")
    return words


LOOPBACK = ("localhost", "127.0.0.1", "::1")


def _hosts(value: Any) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*LOOPBACK, *(host.lower() for host in _words(value)))))


def _number(kind: type[int] | type[float], least: float, most: float = float("inf")) -> Callable[[Any], Any]:
    def parse(value: Any) -> Any:
        expected = f"expected a number from {least:g}" + (f" to {most:g}" if most < float("inf") else "")
        try:
            number = kind(value)
        except (TypeError, ValueError, OverflowError):
            raise ValueError(expected) from None
        if isinstance(value, bool) or not least <= number <= most:
            raise ValueError(expected)
        return number

    return parse


def _one_of(*choices: str) -> Callable[[Any], Any]:
    def parse(value: Any) -> Any:
        if str(value).strip().lower() not in choices:
            raise ValueError("expected " + ", ".join(repr(c) for c in choices[:-1]) + f" or {choices[-1]!r}")
        return str(value).strip().lower()

    return parse


def _model(value: Any) -> Any:
    """Parse the setting `model`: a name, or in Python a model object."""
    if callable(getattr(value, "complete", None)):
        return value
    text = str(value).strip()
    kind, _, rest = text.partition(":")
    if kind.lower() == "reader" and not rest:
        return "reader"
    if kind.lower() in ("openai", "ollama", "gguf", "lora") and rest.strip():
        return f"{kind.lower()}:{rest.strip()}"
    if kind.lower() == "hf" or known_models.named(text):
        return known_models.source(text).name
    near = difflib.get_close_matches(text.lower(), ["reader", *(model.name for model in known_models.known())], n=1)
    raise ValueError(
        "expected 'reader', 'openai:NAME', 'gguf:/path/model.gguf', 'ollama:NAME', 'hf:OWNER/REPO:QUANT', a name of"
        " `askwhere model list`, or in Python a model object" + (f"; did you mean {near[0]!r}?" if near else "")
    )


def _no_model_or(value: Any) -> Any:
    return "" if value == "" else _model(value)


def _address(value: Any) -> str:
    text = str(value).strip().rstrip("/")
    parts = urlsplit(text)
    if text and (parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.password):
        raise ValueError("expected an address such as http://127.0.0.1:8080/v1, without name or password")
    return text


SETTINGS = (
    Setting(
        "model",
        "reader",
        _model,
        "what writes the SQL: 'reader', a name of `askwhere model list`, 'hf:OWNER/REPO:QUANT',"
        " 'gguf:/path/model.gguf', 'openai:NAME', 'ollama:NAME', or in Python a model object",
        example="openai:gpt-5-mini",
    ),
    Setting(
        "base_url",
        "",
        _address,
        "where an OpenAI-compatible server listens; empty is OpenAI itself",
        example="http://127.0.0.1:8080/v1",
    ),
    Setting(
        "allowed_hosts",
        LOOPBACK,
        _hosts,
        "beside this machine, the hosts that base_url may be set to from SQL, and that may be spoken to without TLS",
        guarded=True,
        example="models.example.com",
    ),
    Setting(
        "server", "", _one_of("", *SERVERS), "what kind of server listens there; empty goes by its host", example="vllm"
    ),
    Setting(
        "effort",
        "balanced",
        _one_of(*EFFORTS),
        "how far a question goes: 'fast', 'balanced' or 'thorough' (docs/methods.md)",
        example="fast",
    ),
    Setting(
        "method",
        "",
        _one_of("", "plain", "sea", "dac", "mcs"),
        "a method as published: 'sea' is SEA-SQL's, 'dac' DAC's, 'mcs' MCS-SQL's; 'plain' sends tables and question and"
        " no more, to compare with; empty goes by effort",
        example="sea",
    ),
    Setting(
        "mcs",
        Mcs(),
        _mcs,
        "parameters of the method 'mcs', those that are not to be the paper's",
        example="prompts=3, samples=5",
    ),
    Setting(
        "leave_out", (), _parts, "steps that a method is left without, to see what each is worth", example="skeleton"
    ),
    Setting(
        "examples",
        "",
        _text,
        "a file of questions with SQL, as JSON lines, that prompts show beside the pins",
        guarded=True,
        example="/data/examples.jsonl",
    ),
    Setting(
        "examples_by",
        "bm25",
        _one_of("bm25", "masked", "embeddings"),
        "by what the nearest examples are found: 'bm25' by words, 'masked' by words but for names and values, or"
        " 'embeddings' by a model's vectors",
        example="masked",
    ),
    Setting(
        "masked_by",
        "linking",
        _one_of("linking", "model"),
        "what masks the names and values of questions: 'linking' by the schema and the value index, or 'model'",
        example="model",
    ),
    Setting(
        "embedder",
        "",
        _no_model_or,
        "the model whose vectors examples_by 'embeddings' compares, as model; empty is the model itself",
        example="openai:text-embedding-3-small",
    ),
    Setting(
        "eliminator",
        "",
        _no_model_or,
        "the model that rids queries of bias, as model; or 'lora:FILE' for it",
        example="lora:/models/bias.gguf",
    ),
    Setting(
        "grammar",
        "binding",
        _one_of("binding", "names", "off"),
        "what replies are held to: 'names' to a grammar of your tables' names, where a model takes one; 'binding' in"
        " this process also to columns that the tables of a query have (a server is sent the grammar of names)",
        example="off",
    ),
    Setting(
        "threads",
        0,
        _number(int, 0, 512),
        "how many threads evaluate a model of a file; 0 goes by the cores, of which one is left to others"
        " (`askwhere doctor` shows it)",
        guarded=True,
        example="2",
    ),
    Setting(
        "prompt_cache",
        "disk",
        _one_of("disk", "memory", "off"),
        "where a model of a file keeps what it has read of prompts: 'disk' for the next process too, what is the same"
        " for every question (`askwhere model cache`), 'memory' while this one lives, 'off' nowhere",
        guarded=True,
        example="memory",
    ),
    Setting("max_calls", ByEffort(8, 40, 300), _number(int, 1), "completions that one question may cost", example="10"),
    Setting(
        "max_tokens",
        ByEffort(8_000, 40_000, 300_000),
        _number(int, 1),
        "tokens that its completions may have",
        example="20000",
    ),
    Setting(
        "max_seconds",
        ByEffort(60, 180, 900),
        _number(float, 0.01),
        "seconds that finding its query may take",
        example="30",
    ),
    Setting(
        "values",
        "",
        _one_of("", "show", "matched", "hide"),
        "which cell values a prompt may hold; empty shows the best of every column to a model in this process, and to"
        " a server those that the question mentions",
        example="hide",
    ),
    Setting(
        "values_shown",
        2,
        _number(int, 0, 100),
        "how many example values of each column a prompt shows, and how many that were found for the question",
        example="1",
    ),
    Setting(
        "schema_tokens",
        4_000,
        _number(int, 100),
        "how much of the schema a prompt shows, in tokens, about",
        example="8000",
    ),
    Setting(
        "hide_columns",
        (),
        _columns,
        "columns never read or shown, as table.column; * is any text, and what ends in ? need not be there",
        example="customers.email, *.token",
    ),
    Setting("include_tables", (), _names, "only these tables may be asked; * is any text", example="v_*"),
    Setting("exclude_tables", (), _names, "these tables may not be asked; * is any text", example="staging_*, audit"),
    Setting("allow_functions", (), _names, "your own SQL functions that generated SQL may call", example="distance_km"),
    Setting(
        "index_characters",
        200,
        _number(int, 1, 100_000),
        "longer values are not indexed: they are no names",
        example="400",
    ),
    Setting(
        "index_values", 1_000_000, _number(int, 1), "a column of more different values is not indexed", example="100000"
    ),
    Setting(
        "index_words",
        12,
        _number(int, 1),
        "nor one of unlike texts that have more words on average: it is prose",
        example="20",
    ),
    Setting(
        "index_numbers", "off", _one_of("on", "off"), "whether ask_index() indexes numeric columns too", example="on"
    ),
    Setting("query_timeout", 30.0, _number(float, 0.01), "seconds that one generated query may run", example="5"),
    Setting("max_rows", 1_000_000, _number(int, 1), "a larger answer is an error, never cut", example="1000"),
    Setting("min_confidence", 0.0, _number(float, 0, 1), "an answer of less confidence is an error", example="0.6"),
    Setting(
        "stale_pins",
        "fail",
        _one_of("fail", "run", "ask"),
        "what a pin does whose tables have changed: 'fail', 'run' where it gives the same columns, or 'ask' again",
        example="run",
    ),
    Setting(
        "remember",
        "connection",
        _one_of("connection", "database"),
        "where answers already given are kept; 'database' keeps them in the file, for all connections",
        example="database",
    ),
    Setting(
        "log",
        "connection",
        _one_of("connection", "database"),
        "where ask_log() is kept; 'database' is the file",
        example="database",
    ),
    Setting(
        "isolation",
        "",
        _one_of("", "process"),
        "'process' runs generated SQL in a process with hard limits",
        example="process",
    ),
    Setting(
        "dynamic_columns",
        "on",
        _one_of("on", "off"),
        "whether ask() of the loadable SQLite extension shows the answer's own columns, which it prepares the statement"
        " again for; 'off' is for hosts that read columns before the first step (docs/hosts.md)",
        example="off",
    ),
)
_BY_NAME = {setting.name: setting for setting in SETTINGS}


@dataclass(frozen=True)
class Settings:
    """The values that were given, by source; the strongest source comes first."""

    layers: tuple[tuple[str, Mapping[str, Any]], ...] = ()

    def __getitem__(self, name: str) -> Any:
        return self._found(name)[0]

    def source(self, name: str) -> str:
        """Return the source of a setting's value.

        It is 'argument', 'ask_set', 'register', 'environment', 'file' or 'default'.
        """
        return self._found(name)[1]

    def check_method(self) -> None:
        """Raise `SettingError` where a method is set, which needs a model, and no model is set."""
        if self["method"] and self.source("model") == "default":
            raise SettingError(
                f"the method {self['method']!r} asks a model, and none is set: SELECT ask_set('model', 'openai:NAME')"
                " or ask_set('model', 'gguf:/path/model.gguf'); or ask_set('method', '') for the built-in reader"
            )

    def _found(self, name: str) -> tuple[Any, str]:
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
        """Return the settings with one changed by `ask_set`. Raises `SettingError` for what SQL may not change."""
        name = name.strip().lower()
        if name in OF_THE_FILE or (name in _BY_NAME and _BY_NAME[name].guarded):
            raise SettingError(f"{name} cannot be set from SQL: put it into the environment or into {config_path()}")
        changed = self.with_value("ask_set", name, value)
        host = urlsplit(changed["base_url"]).hostname
        if name == "base_url" and value is not None and host and host not in self["allowed_hosts"]:
            raise SettingError(
                "setting base_url: from SQL it can be set to a host of allowed_hosts"
                f" ({as_text(self['allowed_hosts'])}), found {host!r}"
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
            value, source = self._found(setting.name)
            yield setting.name, as_text(value), source, setting.description


def named(name: str) -> Setting:
    """Return the setting of a name. Raises `SettingError`, with the nearest name."""
    setting = _BY_NAME.get(name.strip().lower() if isinstance(name, str) else name)
    if setting is None:
        near = difflib.get_close_matches(str(name)[:100], _BY_NAME, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else f"; expected one of {', '.join(_BY_NAME)}"
        raise SettingError(f"there is no setting {name!r}{hint}")
    return setting


def parse(name: str, value: Any) -> Any:
    """Return the value of setting `name` as the code uses it. Raises `SettingError`."""
    setting = named(name)
    try:
        return setting.parse(value)
    except ValueError as exc:
        raise SettingError(f"setting {setting.name}: {exc}, found {value!r}") from None


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
    return {name: parse(name, value) for name, value in found.items() if value}


def misspelt(environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment variables that seem misspelt, each with the name that is meant.

    A variable that is like none of ours is ignored: it may be another program's, such as ASKWHERE_PORT of Kubernetes.
    """
    known = {name.upper() for name in (*_BY_NAME, *OF_THE_ENVIRONMENT)}
    found: dict[str, str] = {}
    for name in sorted(os.environ if environment is None else environment):
        rest = name[len("ASKWHERE_") :]
        wrong = not name.startswith("ASKWHERE_") or rest not in known
        if name.upper().startswith("ASKWHERE_") and wrong:
            for near in difflib.get_close_matches(rest.upper()[:100], sorted(known), 1, NEAR):
                found[name] = f"ASKWHERE_{near}"
    return found


def _from_file(path: Path) -> dict[str, Any]:
    found = configuration.values(path)
    return {name: parse(name, value) for name, value in found.items() if name not in OF_THE_FILE}
