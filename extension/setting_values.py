"""Parse the values that settings are given.

Each function returns the value that the code uses, or raises ValueError with what it expected. `number` and `one_of`
return such a function.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import fields
from typing import Any
from urllib.parse import urlsplit

from askwhere import known_models, patterns
from askwhere.frozen import frozen

LOOPBACK = ("localhost", "127.0.0.1", "::1")  # the hosts that are this machine
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


class InvalidValue(ValueError):
    """A setting got a value that it does not take; `known` are the values among which the nearest is suggested."""

    def __init__(self, expected: str, known: Iterable[str]) -> None:
        super().__init__(expected)
        self.known = tuple(known)


@frozen
class ByEffort:
    """A default that depends on the setting `effort`."""

    fast: Any
    balanced: Any
    thorough: Any

    def __str__(self) -> str:
        return " / ".join(f"{value:,}" for value in (self.fast, self.balanced, self.thorough))


@frozen
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


def _words(value: Any) -> tuple[str, ...]:
    parts = value.split(",") if isinstance(value, str) else _listed(value)
    return tuple(part.strip() for part in parts if part.strip())


def _listed(value: Any) -> list[str]:
    if not isinstance(value, Iterable):
        raise ValueError("expected texts, separated by commas or in a list")
    return [str(part) for part in value]


def parts(value: Any) -> tuple[str, ...]:
    """Parse the setting `leave_out`: names of `PARTS`, separated by commas."""
    words = tuple(word.lower() for word in _words(value))
    known = {part for parts in PARTS.values() for part in parts}
    if not known.issuperset(words):
        raise ValueError("expected " + "; ".join(f"of {name} {', '.join(parts)}" for name, parts in PARTS.items()))
    return words


def mcs(value: Any) -> Mcs:
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
            given[name] = number(kind, least.get(name, 1), 1 if name == "threshold" else 10_000)(text)
        except ValueError as exc:
            raise ValueError(f"{name}: {exc}") from None
    return Mcs(**given)


def stripped(value: Any) -> str:
    """Return a text without white space at its ends."""
    return str(value).strip()


def adapter(value: Any) -> str:
    """Parse the setting `adapter`: 'auto', 'off' or a file."""
    text = stripped(value)
    if not text:
        raise ValueError("expected 'auto', 'off' or the path of a GGUF file")
    return text.lower() if text.lower() in ("auto", "off") else text


def names(value: Any) -> tuple[str, ...]:
    """Parse patterns of names, separated by commas outside of double quotes."""
    parts = patterns.split(value) if isinstance(value, str) else _listed(value)
    return tuple(part.strip() for part in parts if part.strip())


def columns(value: Any) -> tuple[str, ...]:
    """Parse patterns of columns, each as table.column."""
    words = names(value)
    if not all("." in word or "*" in word for word in words):
        raise ValueError("expected columns as table.column")
    return words


def hosts(value: Any) -> tuple[str, ...]:
    """Parse the setting `allowed_hosts`, to which this machine is added."""
    return tuple(dict.fromkeys((*LOOPBACK, *(host.lower() for host in _words(value)))))


# No number of a setting is larger: an endless time limit would end the thread that is to keep it.
MOST = 1_000_000_000


def number(kind: type[int] | type[float], least: float, most: float = MOST) -> Callable[[Any], Any]:
    """Return a function that parses a number from `least` to `most`."""

    def parse(value: Any) -> Any:
        expected = f"expected a number from {least:g}" + (f" to {most:g}" if most < MOST else "")
        try:
            number = kind(value)
        except (TypeError, ValueError, OverflowError):
            raise ValueError(expected) from None
        if isinstance(value, bool) or not least <= number <= most:
            raise ValueError(expected if most < MOST or not number > most else f"{expected} to {MOST:,}")
        return number

    return parse


def one_of(*choices: str) -> Callable[[Any], Any]:
    """Return a function that parses one of `choices`, written in any case."""

    def parse(value: Any) -> Any:
        if str(value).strip().lower() not in choices:
            expected = "expected " + ", ".join(repr(c) for c in choices[:-1]) + f" or {choices[-1]!r}"
            raise InvalidValue(expected, choices)
        return str(value).strip().lower()

    return parse


def model(value: Any) -> Any:
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
    raise InvalidValue(
        "expected 'reader', 'openai:NAME', 'gguf:/path/model.gguf', 'ollama:NAME', 'hf:OWNER/REPO:QUANT', a name of"
        " `askwhere model list`, or in Python a model object",
        [*models(), f"gguf:{text}"] if text.lower().endswith(".gguf") else models(),
    )


def models() -> tuple[str, ...]:
    """Return the names of models that the setting `model` takes without a prefix."""
    return "reader", *(model.name for model in known_models.known())


def model_or_none(value: Any) -> Any:
    """Parse a setting that names a model or is empty."""
    return "" if value == "" else model(value)


def address(value: Any) -> str:
    """Parse the setting `base_url`: an address of HTTP, or an empty text."""
    text = str(value).strip().rstrip("/")
    parts = urlsplit(text)
    if text and (parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.password):
        raise ValueError("expected an address such as http://127.0.0.1:8080/v1, without name or password")
    return text
