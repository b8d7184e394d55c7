"""Adjectives and question words that ask for a column without naming it: "the oldest" (age), "how tall" (height)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from askwhere.frozen import frozen

# One adjective a line: its forms | the names of columns that it is about | the end that it means.
_MEASURES = """
old oldest older eldest | age | max
young youngest younger | age | min
tall tallest taller | height | max
heavy heaviest heavier | weight | max
light lightest lighter | weight | min
long longest longer | length, duration, distance, length time, runtime, millisecond, second, minute, hour, night | max
short shortest shorter | length, height, duration, distance, runtime, milliseconds, seconds, minutes, hours | min
expensive priciest costliest dearest dearer pricier costlier | price, cost, amount, fee, total, value | max
cheap cheapest cheaper | price, cost, amount, fee, total | min
fast fastest faster | speed, time | max
quick quickest quicker | time, duration, minutes, seconds, hours, days | min
slow slowest slower | speed | min
rich richest richer | money, income, wealth, salary, net worth | max
populous populated | population | max
crowded | population | max
new newest newer | date, year, time | max
recent recently | date, year, time | max
late | delay, lateness | max
recentest latest later | date, year, time | max
early earliest earlier soonest sooner | date, year, time | min
big biggest bigger | size, area, capacity | max
large largest larger | size, area, capacity, population | max
small smallest smaller | size, area, capacity, population | min
deep deepest deeper | depth | max
shallow shallowest shallower | depth | min
wide widest wider | width | max
narrow narrowest narrower | width | min
thick thickest thicker | thickness, thick | max
thin thinnest thinner | thickness, thick | min
far farther further | distance | max
high highest higher | height, elevation, altitude | max
senior | age | max
"""


@frozen
class Measure:
    """The columns that an adjective is about, and which end of their values it means.

    `words` are the names that such a column may have, each as a tuple of words. `end` is 'max' ("oldest") or 'min'
    ("youngest").
    """

    words: tuple[tuple[str, ...], ...]
    end: str


def _measure(names: str, end: str) -> Measure:
    """Return the measure of columns whose names are listed with commas between them."""
    return Measure(tuple(tuple(name.split()) for name in names.split(",")), end)


def _measures() -> Iterator[tuple[str, tuple[str, Measure]]]:
    """Yield each phrase of `_MEASURES` with its kind of mark, such as 'superlative', and its measure."""
    for line in _MEASURES.strip().splitlines():
        forms, names, end = (part.strip() for part in line.split("|"))
        measure = _measure(names, end)
        base, *rest = forms.split()
        yield base, ("extent", measure)
        opposite = Measure(measure.words, "min" if end == "max" else "max")
        for form in [base, *(r for r in rest if not r.endswith(("st", "er")))]:
            yield f"most {form}", ("superlative", measure)
            yield f"the most {form}", ("superlative", measure)
            yield f"least {form}", ("superlative", opposite)
            yield f"more {form} than", ("comparative", measure)
            yield f"less {form} than", ("comparative", opposite)
        for form in rest:
            if form.endswith("st"):
                yield form, ("superlative", measure)
            elif form.endswith("er"):
                yield f"{form} than", ("comparative", measure)


_PAID = "salary, wage, pay, income, fee, hourly rate, hourly wage, daily rate"  # what people earn
_SERVED = "hire date, date, year, time"  # since when they are here

_PHRASES = f"""
best paid, highest paid, top paid, top earning, highest earning, best earning | {_PAID} | max
worst paid, lowest paid, least paid, lowest earning | {_PAID} | min
best rated, top rated, highest rated | rating, score, stars, grade | max
worst rated, lowest rated | rating, score, stars, grade | min
best reviewed, best reviews, best ratings, best rating, best feedback | rating, score, stars, grade | max
worst reviewed, worst reviews, worst ratings, worst rating, worst feedback | rating, score, stars, grade | min
hardest, most difficult | difficulty | max
easiest, least difficult | difficulty | min
farthest, furthest | distance | max
nearest, closest | distance | min
longest serving, longest-serving | {_SERVED} | min
coldest | temperature, temp | min
warmest, hottest | temperature, temp | max
strongest | strength, abv, power | max
"""


# Verbs with "most" and "least" or the like behind them, "which part weighs the most".
_VERBS = f"""
earn earns earned, is paid, are paid | most | {_PAID}
earn earns earned, is paid, are paid | least | {_PAID}
weigh weighs weighed | most | weight
weigh weighs weighed | least | weight
cost costs | most | price, cost, amount, fee
cost costs | least | price, cost, amount, fee
last lasts lasted | longest | length, duration, minutes, days
take takes took | longest | duration, time, minutes, days
"""

# What is said of people before how long they have been there: "worked here for more than 5 years".
_SERVING = """
worked here, worked for us, worked with us, been working here, been working for us, employed, employed here
employed by us, been employed, been here, been with us, been on board, been a member, been a customer, with us
"""
_LONGER = ("longer than", "for longer than", "for more than", "for over")


def _verbs() -> Iterator[tuple[str, tuple[str, Measure]]]:
    """Yield each verb of `_VERBS` with what follows it, as a superlative with its measure."""
    for line in _VERBS.strip().splitlines():
        forms, behind, names = (part.strip() for part in line.split("|"))
        measure = _measure(names, "min" if behind == "least" else "max")
        single, *passive = forms.split(",")
        for form in (*single.split(), *map(str.strip, passive)):
            yield f"{form} {behind}", ("superlative", measure)
            yield f"{form} the {behind}", ("superlative", measure)


def _phrases() -> Iterator[tuple[str, tuple[str, Measure]]]:
    """Yield each phrase of `_PHRASES` as a superlative with its measure."""
    for line in _PHRASES.strip().splitlines():
        phrases, names, end = (part.strip() for part in line.split("|"))
        measure = _measure(names, end)
        for phrase in phrases.split(","):
            yield phrase.strip(), ("superlative", measure)
            yield f"the {phrase.strip()}", ("superlative", measure)


def _services() -> Iterator[tuple[str, tuple[str, Measure]]]:
    """Yield each phrase for how long people have been there, as a superlative or comparative with its measure."""
    longest = _measure(_SERVED, "min")
    for said in (phrase.strip() for line in _SERVING.strip().splitlines() for phrase in line.split(",")):
        yield from ((f"{said} {end}", ("superlative", longest)) for end in ("longest", "the longest"))
        yield from ((f"{said} {longer}", ("comparative", replace(longest, end="max"))) for longer in _LONGER)
        yield f"{said} for less than", ("comparative", longest)


MEASURES: dict[tuple[str, ...], tuple[str, Measure]] = {
    tuple(phrase.split()): meaning
    for phrase, meaning in (*_measures(), *_phrases(), *_verbs(), *_services())
    if phrase not in {"longer than", "shorter than", "larger than", "bigger than", "smaller than", "higher than",
                      "later than", "earlier than", "largest", "smallest", "highest", "biggest"}
}  # fmt: skip

# All words of the phrases without a verb: "expensive" and "paid", but not "weighs".
ADJECTIVES = frozenset(word for phrase, _ in (*_measures(), *_phrases()) for word in phrase.split())

# Question words that ask for a column without naming it, with the names that the column may have: "how heavy" and so
# on for each adjective of `_MEASURES`.
ASKED: dict[tuple[str, ...], tuple[tuple[str, ...], ...]] = {
    **{
        ("how", phrase[-1]): measure.words
        for phrase, (_, measure) in MEASURES.items()
        if phrase[0] == "most" and measure.words[0] != ("date",)  # "how late" may be a number of days
    },
    ("how", "far"): (("distance",),),
    ("when",): (("date",), ("year",), ("time",)),
    ("where",): (("location",), ("place",), ("address",), ("city",), ("country",)),
}

# The columns that words of size are about. The words themselves are in `phrases`, and so not in `MEASURES`, since
# the name of another column or a number may follow them: "the largest area", "higher than 5".
_AREAS = ("sqm", "m2", "sqft", "square metres", "square meters", "hectares", "acres", "volume")
SIZE = Measure((("size",), ("area",), ("capacity",), ("population",), *(tuple(a.split()) for a in _AREAS)), "max")
AMOUNT = Measure((("amount",), ("total",)), "max")  # for tables without a size: "the largest invoice"
# For events without a size or an amount: "the biggest party".
ATTENDED = Measure(
    (("guests",), ("attendees",), ("participants",), ("attendance",), ("headcount",), ("covers",)), "max"
)
HEIGHT = Measure((("height",), ("elevation",), ("altitude",)), "max")
HOLDING = Measure((("capacity",), ("population",), ("seats",)), "max")  # in people
SERVICE = _measure(_SERVED, "").words
LENGTH = Measure((("length",), ("duration",), ("distance",)), "max")
SIZES: dict[str, Measure] = {
    **dict.fromkeys(("largest", "biggest", "smallest", "greatest", "larger than", "bigger than", "smaller than"), SIZE),
    **dict.fromkeys(("highest", "lowest", "higher than", "lower than"), HEIGHT),
    **dict.fromkeys(("longer than", "shorter than"), LENGTH),
}
