"""Hold the words that cells of invented databases are made of."""

from __future__ import annotations

import random

FIRST = """
James Mary John Linda Robert Susan Michael Karen David Lisa Wei Mei Hiroshi Yuki Carlos Sofia Ahmed Fatima Ivan Olga
Pierre Claire Hans Greta Paolo Giulia Lars Ingrid Kofi Ama Raj Priya Omar Leila Jorge Elena Piotr Anna Sven Astrid Liam
Emma Noah Olivia Lucas Mia Ethan Zoe Hugo Alice Oscar Nora Felix Clara Mateo Lucia Tariq Amina Dmitri Katya Kenji Sakura
""".split()
LAST = """
Smith Johnson Brown Garcia Miller Davis Martinez Lopez Wilson Anderson Taylor Moore Jackson Martin Lee Thompson White
Harris Clark Lewis Young Walker Hall Allen King Wright Scott Torres Nguyen Hill Flores Green Adams Nelson Baker Rivera
Campbell Mitchell Carter Roberts Tanaka Suzuki Kim Park Chen Wang Singh Patel Ivanov Petrov Muller Schmidt Rossi Ferrari
Dubois Moreau Jensen Larsen Okafor Mensah Haddad Silva Santos Novak Kowalski Horvath O'Brien
""".split()
CITIES = """
Paris|London|Berlin|Madrid|Rome|Vienna|Prague|Lisbon|Dublin|Oslo|Tokyo|Osaka|Seoul|Beijing|Shanghai|Delhi|Mumbai|Cairo
|Lagos|Nairobi|Accra|Lima|Quito|Bogota|Santiago|Boston|Chicago|Denver|Seattle|Austin|Dallas|Toronto|Montreal|Sydney
|Perth|Auckland|New York|Los Angeles|San Diego|Cape Town|Buenos Aires|Hong Kong|Springfield|Riverton|Oakdale|Fairview
|Brookfield|Milton|Ashford|Kingsport
""".replace("\n", "").split("|")
COUNTRIES = """
France|Germany|Spain|Italy|Portugal|Ireland|Norway|Sweden|Poland|Austria|Japan|China|India|Brazil|Chile|Peru|Mexico
|Canada|United States|United Kingdom|Australia|New Zealand|Egypt|Kenya|Ghana|Nigeria|Morocco|Turkey|Greece|Denmark
|South Korea|South Africa|Argentina|Colombia
""".replace("\n", "").split("|")
NATIONS = """
French German Spanish Italian Portuguese Irish Norwegian Swedish Polish Austrian Japanese Chinese Indian Brazilian
Chilean Mexican Canadian American British Australian Egyptian Kenyan Ghanaian Nigerian Turkish Greek Danish Korean
""".split()
_ADJECTIVES = """
Silver Golden Old New Red Blue Green Grand Little Lost Silent Broken Royal Hidden Northern Southern Eastern Western
Bright Dark Wild Quiet Central First Last Upper Lower Crystal Iron Stone Summer Winter Distant Burning Frozen Secret
Ancient
""".split()
_NOUNS = """
River Mountain Garden Bridge Star Harbor Forest Valley House Tower Lake Island Road Dream Light Shadow Ocean Storm Field
Crown Castle Mirror Window Journey Song Dance Night Morning Heart Fire Moon Sun Rose Lion Eagle Wolf Falcon Square Park
""".split()
_COMPANY = "Group Inc Ltd Works Systems Partners Labs Industries Brothers Holdings Studio Press".split()
_CODE = "ABCDEFGHKLMNPRSTUVWX"


def person(rng: random.Random) -> str:
    """Return a random name of a person."""
    return f"{rng.choice(FIRST)} {rng.choice(LAST)}"


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


def company(rng: random.Random) -> str:
    """Return a random name of a company."""
    return f"{rng.choice((rng.choice(LAST), rng.choice(_NOUNS), rng.choice(CITIES)))} {rng.choice(_COMPANY)}"


def code(rng: random.Random) -> str:
    """Return a random code of letters and digits."""
    letters = "".join(rng.choices(_CODE, k=rng.randint(1, 3)))
    return f"{letters}{rng.choice(('', '-', ' '))}{rng.randint(1, 9999)}"
