"""Tables of English words that link a question to names and values spelt otherwise: synonyms, short forms, nations …"""

from __future__ import annotations

from collections.abc import Iterable

from askwhere.indexer import people
from askwhere.indexer.word_forms import CONVENTIONAL
from askwhere.reader.words.tokens import stem

# Synonyms, a group in each line: any of them may be in the question, and any other in the database.
_SAME = """
country | nation | state country
nationality | citizenship
last name | surname | family name
first name | given name | forename
salary | wage | pay | earning | income
price | cost | fee
phone | telephone | phone number | telephone number | cell number | mobile number
email | email address | mail
film | movie
song | track
duration | length | runtime | running time | playing time | play time | milliseconds
car | vehicle | automobile
doctor | physician
employee | worker | staff | staff member
headcount | staff | employee | employee count | staff count | number employee
student | pupil
teacher | instructor | professor | lecturer
company | firm | business | corporation | enterprise
singer | vocalist | musician
airline | carrier | airway
author | writer
customer | client
city | town
gender | sex
job | occupation | profession
job | work order | call out | callout | service call
zip code | zip | postal code | postcode
average | mean
begin | start
language | tongue
id | identifier | identification | ids
area | size | sqm | hectares
location | place
birth | date birth
birth date | date birth | birthday
birth year | year birth
birth place | place birth | birthplace
kind | type | category | sort
title | name
course | class
organization | organisation
picture | photo | image
description | detail
amount | sum
percentage | percent
stadium | arena
concert | show
dorm | dormitory
department | division
grade | mark | score
rating | star | stars
color | colour
theater | theatre
program | programme
center | centre
flight | plane
document | paper
dog | puppy
owner | proprietor
battle | combat
home town | hometown
template | layout
parent | mother
capacity | seat
population | people | resident | inhabitant
died | death | death year | year died | death date | deceased
revenue | earning
earning | money
rank | ranking
team | club
match | game
day | date
daily | day
weekly | week
monthly | month
hourly | hour
nightly | night
product | goods | item | merchandise
course | curriculum
file | document
address | location
airport | aerodrome
airplane | aircraft | plane
ship | vessel | boat
station | terminal
manager | head | boss | supervisor
head | leader
headquarter | head office
university | college | school
pilot | aviator
driver | chauffeur
nickname | monicker
trip | tour | journey
bicycle | bike
feature | characteristic | attribute
railway | railroad
outcome | result
contest | competition
license | licence
topic | subject | theme
height | altitude | elevation
catalogue | catalog
income | revenue | earning
speed | velocity
inventory | stock
stock | on hand | quantity on hand | units on hand
bedroom | bedchamber
bathroom | washroom
cellphone | mobile phone | phone
founder | establisher
first last name | given family name | first family name | forename surname | forename last name | given last name
"""

_NATIONS = """
american: united states, usa, us, america | french: france | german: germany
british: united kingdom, uk, great britain
italian: italy | spanish: spain | chinese: china | japanese: japan | russian: russia | indian: india
canadian: canada | australian: australia | dutch: netherlands | swedish: sweden | norwegian: norway | danish: denmark
finnish: finland | polish: poland | greek: greece | turkish: turkey | brazilian: brazil | mexican: mexico
argentine: argentina | argentinian: argentina | irish: ireland | scottish: scotland | welsh: wales | swiss: switzerland
belgian: belgium | austrian: austria | portuguese: portugal | hungarian: hungary | czech: czech republic
korean: south korea, korea | vietnamese: vietnam | thai: thailand | egyptian: egypt | nigerian: nigeria
european: europe | asian: asia | african: africa | cuban: cuba | israeli: israel | iranian: iran | iraqi: iraq
ukrainian: ukraine | romanian: romania | bulgarian: bulgaria | serbian: serbia | croatian: croatia | chilean: chile
colombian: colombia | peruvian: peru | pakistani: pakistan | indonesian: indonesia | malaysian: malaysia
"""

# Countries, each with its two- and three-letter codes (ISO 3166-1).
_CODES = """
argentina AR ARG | australia AU AUS | austria AT AUT | belgium BE BEL | brazil BR BRA | bulgaria BG BGR | canada CA CAN
chile CL CHL | china CN CHN | colombia CO COL | croatia HR HRV | czech republic CZ CZE | czechia CZ CZE | denmark DK DNK
egypt EG EGY | estonia EE EST | finland FI FIN | france FR FRA | germany DE DEU | greece GR GRC | hungary HU HUN
iceland IS ISL | india IN IND | indonesia ID IDN | ireland IE IRL | israel IL ISR | italy IT ITA | japan JP JPN
kenya KE KEN | korea KR KOR | latvia LV LVA | lithuania LT LTU | luxembourg LU LUX | malaysia MY MYS | mexico MX MEX
morocco MA MAR | netherlands NL NLD | new zealand NZ NZL | nigeria NG NGA | norway NO NOR | pakistan PK PAK
peru PE PER | philippines PH PHL
poland PL POL | portugal PT PRT | romania RO ROU | russia RU RUS | saudi arabia SA SAU
serbia RS SRB | singapore SG SGP | slovakia SK SVK | slovenia SI SVN | south africa ZA ZAF | south korea KR KOR
spain ES ESP | sweden SE SWE | switzerland CH CHE | thailand TH THA | turkey TR TUR | ukraine UA UKR
united kingdom GB GBR UK | united states US USA | united arab emirates AE ARE | vietnam VN VNM
"""

# Countries that people call by their initials, in capitals.
INITIALS: dict[str, tuple[str, ...]] = {
    "US": ("USA", "United States", "United States of America"), "USA": ("US", "United States"),
    "UK": ("United Kingdom", "Great Britain"), "UAE": ("United Arab Emirates",),
}  # fmt: skip

# Words for a person's sex, each with the values that columns commonly hold for it.
SEXES: dict[str, tuple[str, ...]] = {
    "female": ("F", "Female", "Woman"), "females": ("F", "Female"), "woman": ("F", "Female"), "women": ("F", "Female"),
    "girl": ("F", "Female"), "girls": ("F", "Female"), "male": ("M", "Male", "Man"), "males": ("M", "Male"),
    "man": ("M", "Male"), "men": ("M", "Male"), "boy": ("M", "Male"), "boys": ("M", "Male"),
}  # fmt: skip


# Words for the two sides of something: near in meaning, but never the one for the other.
_OPPOSITES = """
student pupil learner: teacher instructor professor lecturer tutor | patient: doctor physician nurse
buyer customer client purchaser: seller vendor supplier salesman merchant | borrower: lender | debtor: creditor
employee worker staff: employer | tenant renter: landlord | guest visitor: host
child kid son daughter: parent mother father guardian
sender: receiver recipient | winner: loser | import: export | credit: debit | income revenue: expense
arrival: departure | origin source: destination target | start begin: end finish | man male boy: woman female girl
mother: father | husband: wife | brother: sister | son: daughter | minimum: maximum | home: away | input: output
latitude: longitude | width: height length | north: south | east: west | day: night | month: year week day | week: year
profit: loss price cost fee
"""

# Adjectives of which a thing is always one or the other: what is rural is not urban.
_ANTONYMS = """
urban: rural | public: private | permanent: temporary | automatic: manual | domestic: foreign | married: single
indoor: outdoor | wholesale: retail | residential: commercial | passed: failed | present: absent | enabled: disabled
outstanding: paid
"""


# Stems of verbs, each with the names of tables that record what it says: "sold" is recorded in sales or invoices.
_EVENTS = """
sell: sale invoice order purchase transaction | buy: sale invoice order purchase transaction
purchas: sale invoice order purchase transaction | rent: rental hire lease booking | hire: rental hire
pay: payment invoice transaction | spend: payment invoice order purchase transaction expense
earn: payment salary payroll | lend: loan lending | borrow: loan lending borrowing | book: booking reservation
reserv: booking reservation | deliv: delivery shipment | deliver: delivery shipment | ship: shipment delivery
"""

# Stems of verbs, each with words after which a date of the act may be named: `termination_date` for "left".
_DATED = """
leave: left leaving terminated term exit resigned departure end | hire: start join employment
join: hire start enrolment since signup registration registered
die: death died deceased | quit: left leaving terminated exit resigned departure cancelled end
resign: left leaving terminated exit departure end | introduce: intro launch release | launch: release intro
establish: founded foundation | found: established establishment
expire: expiry expiration end until to | lapse: expiry expiration expires until to
end: to until thru expiry | finish: to end until thru | start: from begin | begin: from start
register: signup since joined enrolment | enrol: since joined registration registered
"""


# Forms of verbs that are no stem of the noun for the doer, each with one that is: a "sender" has sent something.
DOERS = dict(
    pair.split(":")
    for pair in "sent:send lent:lend sold:sell bought:buy won:winn win:winn lost:lose paid:pay pai:pay wrote:write"
    " written:write drove:drive driven:drive taught:teach led:lead made:make ran:run run:runn".split()
)


def _entries(text: str) -> list[tuple[str, str]]:
    """Return the pairs of a table written as `name: meaning | name: meaning`."""
    pairs = [part.split(":") for line in text.strip().splitlines() for part in line.split("|")]
    return [(name.strip(), meaning.strip()) for name, meaning in pairs]


def says_percent(text: str) -> bool:
    """Return whether a text has a word for percent: "in percent", "per cent of"."""
    return any(f" {word} " in f" {text} " for word in PERCENT)


def stems(phrase: str) -> tuple[str, ...]:
    """Return the stems of a phrase's words, in order."""
    return tuple(stem(word) for word in phrase.split())


SHORT: dict[str, tuple[str, ...]] = {stem(name): stems(meaning) for name, meaning in CONVENTIONAL.items()}
SHORT |= {name: stems(meaning) for name, meaning in CONVENTIONAL.items()}  # `min` is no stem of `mins`
PERCENT = ("percent", "%", "percentage", "pct", "per cent")
BY = ("by", "in terms of", "based on", "according to")  # before what things are ranked by
WHOLE_NAMES = ("name", "names", "first and last name", "first and last names", "full name", "full names")
BEING = frozenset({"is", "are", "was", "were"})
HAVING = frozenset({"has", "have", "had"})
# Stems of verbs that say no more than that a thing was used: dishes that were served, services that were booked.
CHOSEN = frozenset(stems("served booked requested"))
# First words of flags for where or how things are: `out_of_service` for "pumps out of service", "cars on hold".
PLACING = frozenset("in on off out under over at".split())
BEFORE_TIMES = frozenset({"in", "on", "before", "after", "since", "until", "during", "between"})
# Stems of nouns after which columns for the state or the kind of a row are named.
STATES = frozenset(stems("status state condition stage phase"))
KINDS = frozenset(stems("type kind class category"))
WORKING = frozenset(stems("work employed"))  # of workers, and never of patrons
PATRONS, WORKERS = frozenset(stems(people.PATRONS)), frozenset(stems(people.WORKERS))
NATIONS: dict[str, tuple[str, ...]] = {
    name: tuple(place.strip() for place in places.split(",")) for name, places in _entries(_NATIONS)
}

_coded = [entry.split() for line in _CODES.strip().splitlines() for entry in line.split(" | ")]
COUNTRY_CODES: dict[str, tuple[str, ...]] = {
    " ".join(w for w in entry if w.islower()): tuple(w for w in entry if w.isupper()) for entry in _coded
}

_groups = [[frozenset(stems(part)) for part in line.split("|")] for line in _SAME.strip().splitlines()]
SAME: dict[frozenset[str], tuple[frozenset[str], ...]] = {}
for _group in _groups:
    for _words in _group:
        SAME[_words] = (*SAME.get(_words, ()), *(w for w in _group if w != _words))

DATED: dict[str, frozenset[str]] = {stem(verb): frozenset(stems(words)) for verb, words in _entries(_DATED)}
ANTONYMS: dict[str, str] = {one: other for pair in _entries(_ANTONYMS) for one, other in (pair, pair[::-1])}
OPPOSITES: dict[str, frozenset[str]] = {}
for _one, _other in (sides[::way] for sides in _entries(_OPPOSITES) + _entries(_ANTONYMS) for way in (1, -1)):
    for _word in stems(_one):
        OPPOSITES[_word] = OPPOSITES.get(_word, frozenset()) | frozenset(stems(_other))

EVENTS: dict[str, frozenset[str]] = {verb: frozenset(stems(nouns)) for verb, nouns in _entries(_EVENTS)}


def written_out(words: Iterable[str]) -> tuple[str, ...]:
    """Return stems with the short forms among them written out: ("emp", "nm") gives those of "employee name"."""
    return tuple(word for short in words for word in SHORT.get(short, (short,)))


# Stems of verbs after which flags are named, with an object: `allows_pets`, `includes_breakfast`.
ALLOWING = frozenset(
    map(stem, "accept allow contain cover include need offer permit provide receive require serve support want".split())
)

# Endings of what people are called by what they do, with those of what they do.
_FIELDS = {
    "ist": ("", "o", "y", "e", "a", "istry", "ics"),
    "ician": ("ic", "ics", "ical", "icity"),
    "grapher": ("graphy",),
}
_FEWEST = 2  # letters before such an ending


def practised(word: str) -> tuple[str, ...]:
    """Return what those called so may play or do: "violin" of violinists, "surgery" of a surgeon; else nothing."""
    single = word.removesuffix("s")
    for ending, fields in _FIELDS.items():
        base = single.removesuffix(ending)
        if base != single and len(base) > _FEWEST:
            return tuple(base + field for field in fields)
    return ("surgery",) if single == "surgeon" else ()
