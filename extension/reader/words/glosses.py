"""Replace a name that the question itself defines in brackets by its definition: "net weight (gross less tare)"."""

from __future__ import annotations

import re

_GLOSS = re.compile(r"\s*\(([^()]{3,80})\)")
_SIGNS = re.compile(r"(?i)\s+(minus|less|times|x|\*|\u00d7|/|divided by|multiplied by|over|out of)\s+")
_PLAIN = {
    "minus": "minus", "less": "minus", "times": "times", "x": "times", "*": "times", "\u00d7": "times",
    "/": "divided by", "divided by": "divided by", "multiplied by": "times", "over": "divided by",
    "out of": "divided by",
}  # fmt: skip
# What a name stands behind, and what may stand between it and its definition.
_START = re.compile(r"(?i)(?:^|[,;:]|\b(?:and|by|with|is|are|what's|show|give|me|list)\b)\s*(?:the\s+)?")
_ENDS = re.compile(r"(?i)\s+(?:of|per|by|for|in|so far)\b")
_AGGREGATE = re.compile(r"(?i)(average|mean|total)\s+")
_LONGEST = 4  # words of a name
_SMALL = frozenset("the a an of for per by in each every and what which is are total average mean".split())
_ORDERS = frozenset("first last top bottom highest lowest dearest cheapest most least best worst".split())


def with_definitions(text: str) -> str:
    """Return a question with the definition of a name in its place, if that is two names with one sign between them.

    Nothing is replaced where the question has the name twice, or the brackets hold more than the definition.

    >>> with_definitions("net weight (gross less tare) per truck")
    'gross minus tare per truck'
    >>> with_definitions("labour cost of each site so far (hours worked x hourly pay)")
    'hours worked times hourly pay of each site so far'
    >>> with_definitions("yield (output over input, percent) of each saw")
    'output divided by input in percent of each saw'
    """
    for gloss in _GLOSS.finditer(text):
        formula, _, more = (part.strip() for part in gloss[1].partition(","))
        start = [m.end() for m in _START.finditer(text[: gloss.start()])][-1]
        item = text[start : gloss.start()]
        behind = _ENDS.search(item)
        name, rest = (item[: behind.start()], item[behind.start() :]) if behind else (item, "")
        words = {word.rstrip("s") for word in re.findall(r"\w+", name.lower())}
        others = re.findall(r"\w+", f"{text[:start]} {rest} {text[gloss.end() :]}".lower())
        defines = len(_SIGNS.findall(formula)) == 1 and bool(words - _SMALL) and len(name.split()) <= _LONGEST
        again = (words - _SMALL) & {word.rstrip("s") for word in others}
        if not defines or again or words & _ORDERS or (more and not _PERCENT.fullmatch(more)):
            continue
        made = _SIGNS.sub(lambda m: f" {_PLAIN[m[1].lower()]} ", formula)
        every = _AGGREGATE.match(name) if "divided" not in made else None
        percent = " in percent" if more else ""
        return f"{text[:start]}{every[0] if every else ''}{made}{percent}{rest}{text[gloss.end() :]}"
    return text


_PERCENT = re.compile(r"(?i)(in |as )?(a )?(percent|percentage|%|pct)")
