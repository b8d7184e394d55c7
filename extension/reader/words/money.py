"""List stems of nouns for money: what a thing costs, what is paid for it or earned, and what is added up."""

from __future__ import annotations

from askwhere.reader.words.english import stems

RATES = stems("rate fare rent tariff")  # for a unit or a time: never added up
PRICES = frozenset(RATES) | set(stems("price cost fee"))
WAGES = stems("salary wage income")
REVENUE = frozenset(stems("revenue turnover takings income earnings proceeds"))
# What is paid, or taken off: sums of these are amounts of money.
PAID = frozenset(
    stems(
        "payment expense donation gift contribution refund fine deposit fee charge freight tax tip toll premium"
        " commission discount prize"
    )
)
BILLED = PAID | set(stems("sale invoice bill salary"))  # of what happened, each time for an amount
FLOWS = PAID | REVENUE | set(stems("spend profit"))
MONEY = FLOWS | PRICES | set(WAGES) | {"money"}
