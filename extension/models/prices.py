"""Compute what calls of models cost, for the log; a user's own prices win."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from askwhere import configuration
from askwhere.errors import SettingError
from askwhere.settings import config_path

# Dollars for a million tokens of prompts and of completions, as listed in November 2026; without discounts for cached
# prompts. Prices change: `prices` in the configuration file wins.
PRICES: dict[str, tuple[float, float]] = {
    "gpt-6-astra": (10.0, 50.0),
    "gpt-6.1-sol": (2.0, 10.0),
    "gpt-6-sol": (2.0, 10.0),
    "gpt-6-luna": (0.1, 0.5),
    "gpt-5.6-sol": (4.0, 20.0),
    "gpt-5.6-terra": (2.0, 12.0),
    "gpt-5.6-luna": (0.2, 1.2),
    "gpt-5.5": (5.0, 30.0),
    "gpt-5.4": (2.5, 15.0),
    "gpt-5.4-mini": (0.75, 4.5),
    "gpt-5.4-nano": (0.2, 1.25),
    "gpt-5.2": (1.75, 14.0),
    "gpt-5.1": (1.25, 10.0),
    "gpt-5": (1.25, 10.0),
    "gpt-5-mini": (0.25, 2.0),
    "gpt-5-nano": (0.05, 0.4),
    "gpt-4.1": (2.0, 8.0),
    "gpt-4.1-mini": (0.4, 1.6),
    "gpt-4.1-nano": (0.1, 0.4),
    "gpt-4o": (2.5, 10.0),
    "gpt-4o-mini": (0.15, 0.6),
    "o3": (2.0, 8.0),
    "o4-mini": (1.1, 4.4),
}
_DATE = re.compile(r"-\d{4}-\d{2}-\d{2}$")


def cost(
    model_name: str, prompt_tokens: int, completion_tokens: int, own: Mapping[str, Sequence[float]] = {}
) -> float | None:
    """Return the dollars for a number of tokens; None for a model without a known price.

    `model_name` may begin with `openai:` and end with the date of a version. `own` has prices in the form of `PRICES`.

    >>> cost("openai:gpt-5-mini-2025-08-07", 1_000_000, 500_000)
    1.25
    """
    name = model_name.removeprefix("openai:")
    for known in (model_name, name, _DATE.sub("", name)):
        price = own.get(known, PRICES.get(known))
        if price is not None:
            return (prompt_tokens * price[0] + completion_tokens * price[1]) / 1_000_000
    return None


def of_user(file: Path | None = None) -> Callable[[str, int, int], float | None]:
    """Return `cost` with the prices of the configuration file. Raise `SettingError` for invalid prices."""
    path = config_path() if file is None else file
    try:
        prices = configuration.values(path).get("prices", {})
    except SettingError:
        prices = {}  # loading the settings reports a file that cannot be read
    for name, price in prices.items() if isinstance(prices, dict) else [("prices", prices)]:
        if not isinstance(price, list) or len(price) != 2 or not all(map(_is_price, price)):
            raise SettingError(
                f"{path}: expected [prices] with dollars per million tokens of prompts and of completions, as"
                f' "{name}" = [0.2, 0.8], found {price!r}'
            )
    return partial(cost, own=prices)


def _is_price(value: object) -> bool:
    """Return whether a value is a price in dollars for a million tokens: from 0 to a dollar for each token."""
    return isinstance(value, int | float) and 0 <= value <= 1_000_000
