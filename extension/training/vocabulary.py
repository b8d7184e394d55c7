"""Make the words of invented databases: titles and codes in cells, plurals in questions."""

from __future__ import annotations

import random

CITIES = """
Paris|London|Berlin|Madrid|Rome|Vienna|Prague|Lisbon|Dublin|Oslo|Tokyo|Osaka|Seoul|Beijing|Shanghai|Delhi|Mumbai|Cairo
|Lagos|Nairobi|Accra|Lima|Quito|Bogota|Santiago|Boston|Chicago|Denver|Seattle|Austin|Dallas|Toronto|Montreal|Sydney
|Perth|Auckland|New York|Los Angeles|San Diego|Cape Town|Buenos Aires|Hong Kong|Springfield|Riverton|Oakdale|Fairview
|Brookfield|Milton|Ashford|Kingsport
""".replace("\n", "").split("|")
_ADJECTIVES = """
Silver Golden Old New Red Blue Green Grand Little Lost Silent Broken Royal Hidden Northern Southern Eastern Western
Bright Dark Wild Quiet Central First Last Upper Lower Crystal Iron Stone Summer Winter Distant Burning Frozen Secret
Ancient
""".split()
_NOUNS = """
River Mountain Garden Bridge Star Harbor Forest Valley House Tower Lake Island Road Dream Light Shadow Ocean Storm Field
Crown Castle Mirror Window Journey Song Dance Night Morning Heart Fire Moon Sun Rose Lion Eagle Wolf Falcon Square Park
""".split()
_CODE = "ABCDEFGHKLMNPRSTUVWX"
_IRREGULAR = {"people": "people", "person": "people", "aircraft": "aircraft", "child": "children", "man": "men"}


def title(rng: random.Random) -> str:
    """Return a random name of a thing, such as a museum, a film or a horse."""
    form = rng.random()
    noun, adjective = rng.choice(_NOUNS), rng.choice(_ADJECTIVES)
    if form < 0.5:
        return f"{adjective} {noun}"
    if form < 0.7:
        return f"The {adjective} {noun}"
    if form < 0.85:
        return f"{noun} of {rng.choice(_NOUNS)}"
    return f"{rng.choice(CITIES)} {noun}"


def code(rng: random.Random) -> str:
    """Return a random code of letters and digits."""
    letters = "".join(rng.choices(_CODE, k=rng.randint(1, 3)))
    return f"{letters}{rng.choice(('', '-', ' '))}{rng.randint(1, 9999)}"


def plural(words: str) -> str:
    """Return the plural of a column's words."""
    if words in _IRREGULAR:
        return _IRREGULAR[words]
    head, of, rest = words.partition(" of ")
    if of and head != "number":
        return f"{plural(head)} of {rest}"
    if words.endswith(("s", "x", "ch", "sh")):
        return words if words.endswith("s") else f"{words}es"
    if words.endswith("y") and words[-2:-1] not in tuple("aeiou"):
        return f"{words[:-1]}ies"
    return f"{words}s"
