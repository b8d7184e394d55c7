"""Options of every command that may ask a question: the model, the method, the effort, and any other setting."""

from __future__ import annotations

import argparse
from typing import Any

from askwhere import settings
from askwhere.errors import ArgumentError

NAMED = ("model", "method", "effort")


def add(command: argparse.ArgumentParser) -> None:
    """Add these options to a command."""
    for name in NAMED:
        command.add_argument(f"--{name}", help=f"the setting {name}")
    command.add_argument("--set", dest="given", action="append", default=[], metavar="NAME=VALUE", help="any setting")


def chosen(parsed: argparse.Namespace) -> dict[str, Any]:
    """Return the settings that the options give, by name. Raises `ArgumentError`, `SettingError`."""
    found: dict[str, Any] = {name: value for name in NAMED if (value := getattr(parsed, name)) is not None}
    for text in parsed.given:
        name, equals, value = text.partition("=")
        if not equals:
            raise ArgumentError(f"--set: expected NAME=VALUE, found {text!r}")
        found[settings.named(name).name] = value
    return found
