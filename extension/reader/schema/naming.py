"""Choose columns of a table by what their names say: what shows and identifies a row, its dates, and its limits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from askwhere.engine import Column, Table
from askwhere.indexer.key_names import GIVEN_OUT
from askwhere.indexer.word_forms import CONVENTIONAL, is_participle, singular
from askwhere.reader.schema.senses import Sense
from askwhere.reader.words.english import SHORT, stems, written_out
from askwhere.reader.words.months import is_by_month, year_beside
from askwhere.reader.words.names import COMMON, KEY_WORDS, called, cut_name, full_stems, name_stems, parted, starts
from askwhere.reader.words.tokens import stem
from askwhere.reader.words.types import is_date, is_number, is_text, is_time_of_day, is_year, says_birth, says_yes_or_no
from askwhere.reader.words.verbs import DOER

SECOND = "second"  # the `kind` of a second table; its path is that of the first with its own name appended (`roles`)


@lru_cache(maxsize=2_000)
def person_names(table: Table) -> tuple[tuple[Column, Column], ...]:
    """Return the pair of columns for first and last name, in a tuple that is empty unless the table has both."""
    by_meaning: dict[frozenset[str], Column] = {}
    own = frozenset(stem(w) for name in called(table) for w in cut_name(name))
    known = frozenset(COMMON) | frozenset(SHORT) | own
    for column, name in ((c, name) for c in table.columns for name in called(c)):
        words = tuple(stem(p) for w in cut_name(name) for p in parted(w, known))
        written = [_PERSONAL.get(word, word) if "name" in words else word for word in written_out(words)]
        for form in (written, words):
            by_meaning.setdefault(
                frozenset(w for w in form if w in ("first", "last", "name") or (w not in own and not starts(w, own))),
                column,
            )
    for ends in _PARTS_OF_NAMES:
        first, last = (by_meaning.get(frozenset(end)) for end in ends)
        alone = len(ends[0]) == 1 and any(name_stems(c.name)[-1:] in _OF_THINGS for c in table.columns)
        if first and last and is_text(first) and is_text(last) and not alone:
            return ((first, last),)
    return ()


# How a row is called that has no name of a person: "first" and "last" are then the ends of a range.
_OF_THINGS = (("name",), ("title",), ("code",), ("label",))
# The words of a first and a last name. Without "name" they say so only beside each other.
_PARTS_OF_NAMES = (
    (("first", "name"), ("last", "name")),
    (("first",), ("last",)),
    (("fn",), ("ln",)),
    ((stem("given"),), (stem("family"),)),
)
# `given_name` and `family_name` are a first and a last name.
_PERSONAL = {stem("given"): "first", stem("family"): "last"}


def own_words(table: Table, column: Column) -> frozenset[str]:
    """Return the stems of a column's name without those of its table's name."""
    return frozenset(name_stems(column.name)) - frozenset(name_stems(table.name))


def is_the_name(table: Table, columns: tuple[Column, ...]) -> bool:
    """Return whether columns are the one name or title of a table's rows: `name`, or `user_name` of `users`."""
    return columns == name_columns(table) and all(own_words(table, c) in _PLAIN for c in columns)


@lru_cache(maxsize=2_000)
def name_columns(table: Table) -> tuple[Column, ...]:
    """Return the columns that show a row to people: its name, its first and last name, or else its key."""
    named = any(name_stems(name) == ("name",) for c in table.columns for name in called(c))
    if any(pair := p for p in person_names(table)) and not named:
        return pair
    names = table.path[-2:-1] if table.kind == SECOND else called(table)  # as its rows are those of the first table
    own = frozenset(word for name in names for word in (*name_stems(name), *full_stems(name)))
    own |= _before_key_word(table)
    shared = Counter(words[0] for c in table.columns if len(words := name_stems(c.name)) > 1)
    others = frozenset(word for word, columns in shared.items() if columns > 2 and not starts(word, own)) - own
    foreign = {column for key in table.foreign_keys for column in key.columns}
    keys = key_columns(table)
    if meaning := meaning_of_code(table):
        return meaning
    plates = tuple(c for c in table.columns[1:2] if table.columns[:1] == keys and is_text(c))
    ranked = sorted(
        (rank, c in keys, place)
        for place, c in enumerate(table.columns)
        for rank in [min(_rank(table, name, own, others, c in plates) for name in called(c))]
        if _may_name(c, rank, foreign) and not (rank == _LABELLED and c.type == KIND)
    )
    if ranked and ranked[0][0] == _CALLED:  # an order is rather shown by its number than by its `technician_name`
        ranked = [entry for entry in ranked if entry[0] == _OWN_NUMBER] or ranked
    if ranked and ranked[0][0] < (_NONE if _says_nothing(keys) or ranked[0][0] == _OWN_NUMBER else _DESCRIBED):
        name = table.columns[ranked[0][-1]]
        if name_stems(name.name) != ("model",):
            return (name,)
        makers = [c for c in table.columns if name_stems(c.name) in _MAKERS]
        given = [(key, p) for rank, key, p in ranked if rank in (_OWN_NUMBER, _GIVEN)]
        numbers = [table.columns[p] for key, p in given if not (key and is_number(keys[0]))]
        return (numbers[0],) if numbers else (*makers[:1], name)  # many turbines and cars are of one model
    return keys


def _before_key_word(table: Table) -> frozenset[str]:
    """Return the stem before "id" or "code" in the name of the primary key: `crt` of `crt_cd`, in courts."""
    key = own_key(table) if len(table.primary_key) == 1 else ()
    words = name_stems(key[0].name) if key and key[0].name.lower() not in foreign_columns(table) else ()
    return frozenset(words[:1]) if len(words) == 2 and KEY_WORDS & {*full_stems(key[0].name)[-1:]} else frozenset()


def own_names(table: Table) -> tuple[Column, ...]:
    """Return the name columns without those that many rows share: of make and model the model alone."""
    names = name_columns(table)
    return names if names in person_names(table) else names[-1:]


def is_name(sense: Sense) -> bool:
    """Return whether a sense is of columns that name the rows of their table."""
    return bool(set(sense.columns) & set(name_columns(sense.table)))


def is_thing(sense: Sense) -> bool:
    """Return whether a sense is a thing, or its name or key."""
    return not sense.columns or bool(set(sense.columns) & {*name_columns(sense.table), *key_columns(sense.table)})


def _may_name(column: Column, rank: int, foreign: set[str]) -> bool:
    """Return whether a column of a rank may name rows: no number (`distance_nm`), date or month, rarely a key."""
    if is_by_month(column) or is_date(column) or (rank in (_FULL, _FIRM, _CALLED) and is_number(column)):
        return False
    return column.name not in foreign or (rank < _LABELLED and rank != _FIRM)


@lru_cache(maxsize=2_000)
def meaning_of_code(table: Table) -> tuple[Column, ...]:
    """Return the column that says what the codes of a lookup table mean: its only text, or the only one called so."""
    keys = key_columns(table)
    texts = tuple(c for c in table.columns if c not in keys and is_text(c) and not (is_date(c) or says_yes_or_no(c)))
    coded = len(keys) == 1 and full_stems(keys[0].name)[-1:] == ("code",)
    called_so = tuple(c for c in texts if full_stems(c.name)[-1:] in _MEANINGS)
    meanings = texts if len(texts) == 1 and len(table.columns) == 2 else called_so
    return meanings if coded and len(meanings) == 1 and not _names_key(meanings[0].name) else ()


def lists_kinds(table: Table) -> bool:
    """Return whether a table only says what kinds or states there are.

    It has `meaning_of_code`, or one column behind its key. `indexer.guessing`, which has no keys yet, looks for two
    columns of which one is called a code.
    """
    return bool(meaning_of_code(table)) or (len(table.columns) == 2 and len(own_key(table)) == 1)


def with_listed(paths: Iterable[tuple[str, ...]], tables: Iterable[Table]) -> frozenset[tuple[str, ...]]:
    """Return these paths, and the paths of tables that refer to one of them for the kinds or states of their rows."""
    named = frozenset(paths)
    if not named:
        return named
    tables = tuple(tables)
    lists = {table.path for table in tables if lists_kinds(table)} & named
    return named.union(t.path for t in tables if any(key.target in lists for key in t.foreign_keys))


KIND = "KIND"  # the type of a column of texts that many rows have in common (see `text_columns`)
_PLAIN = (frozenset({"name"}), frozenset({"titl"}))
# The ranks of columns as names of rows (`_rank`), best first.
_NAME = 0  # `name`
_TITLE = 1  # `title`
_SELF = 2  # called as the table is: `paper` of papers
_FULL = 3  # `full_name`, `official_name`
_FIRM = 4  # `company`, before `contact_name`
_CALLED = 5  # another name: `ship_name`
_LABELLED = 6  # `label`, `subject`, `model`
_DESCRIBED = 7  # `RegionDescription` of regions; a plain `description` may be any text, but behind a product's number
_OWN_NUMBER = 8  # `order_no` of orders
_GIVEN = 9  # a number or code that is given out: `serial_no`
_PLATED = 10  # another number that is a text just behind the key: `hull_no`
_NONE = 11  # no name of the row
_LABELS = {("label",), ("subject",), ("caption",), ("model",), ("usernam",), ("user", "name"), ("heading",)}
_FIRMS = {(stem(word),) for word in ("company", "organisation", "organization", "firm", "business", "institution")}
_MEANINGS = {(stem(word),) for word in "description meaning label text".split()}
# With these, a name is that of somebody or something beside the row: `supplier_name`, `category_name`.
_PARTIES = frozenset(
    map(stem, "vendor supplier manufacturer customer client owner manager class type kind category group".split())
)
_MAKERS = {("make",), ("brand",), ("manufactur",), ("maker",)}  # shown before a model
_NUMBERED = {(stem(word),) for word in "number code reference plate tag registration reg".split()}
_SERIAL = {(stem(word), "number") for word in "serial registration plate tail asset inventory".split()}


def _says_nothing(keys: tuple[Column, ...]) -> bool:
    """Return whether a key is a mere number or an id, which tells people nothing about the row, unlike a code."""
    return any(is_number(c) or name_stems(c.name)[-1:] == ("id",) for c in keys)


def _rank(table: Table, name: str, own: frozenset[str], others: frozenset[str], behind_key: bool) -> int:
    """Return the rank of a column of this `name`, from `_NAME` to `_NONE`; for the rest see `_rank_of_words`.

    Who did it, `restorer`, is no name of `restorations`, nor is when or how much was `claimed` one of claims.
    """
    words = full_stems(name)
    numbered = any(full_stems(c.name)[-1:] in (("number",), ("code",)) for c in key_columns(table))
    # What a product with a number is, or where a thing is; of an event an address says only where that was.
    if (words == ("descript",) and behind_key and numbered) or (words == ("address",) and not timely(table)):
        return _DESCRIBED
    last = singular(cut_name(name)[-1]) if cut_name(name) else ""
    own_name = {CONVENTIONAL.get(word, word) for known in called(table) for word in map(singular, cut_name(known))}
    of_act = (DOER.search(last) or is_participle(last)) and last not in own_name and stem(last) in own
    return _rank_of_words(words, own - {stem(last)} if of_act else own, others, behind_key)


# What several days have the name of: a `month_name` names no row of a calendar.
_SHARED = frozenset(map(stem, ("month", "day", "weekday", "quarter", "holiday")))


def _rank_of_words(words: tuple[str, ...], own: frozenset[str], others: frozenset[str], behind_key: bool) -> int:
    """Return the rank of a column as the name of its table's rows, `_NAME` to `_NONE`, by the stems of its name.

    `own` are the stems of the table's name. `others` are stems with which several columns begin, so that these describe
    something else than the row (`ShipName`, `ShipCity`). `behind_key` says whether it is a text just behind the key.
    """
    rest = tuple(w for w in words if w not in own and len(w) > 1)
    if rest in _FIRMS:
        return _FIRM
    if rest in _LABELS:
        return _LABELLED
    if rest == ("number",) and words != rest:
        return _OWN_NUMBER
    if rest in _NUMBERED or rest in _SERIAL:
        return _GIVEN
    if rest == ("name",) or words == ("name",):
        return _NAME
    if rest == ("titl",):
        return _TITLE
    if not rest and "id" not in words:
        return _SELF
    if rest == ("descript",) and words != rest:
        return _DESCRIBED
    if rest[-1:] == ("number",) and behind_key and "phone" not in rest:
        return _PLATED
    if rest[-1:] == ("name",) and len(rest) <= 2 and rest[0] not in {"first", "last", *others, *_PARTIES, *_SHARED}:
        return _FULL if rest[0] in ("full", "offici", "common") else _CALLED
    return _NONE


def foreign_columns(table: Table) -> set[str]:
    """Return the names of the columns that foreign keys of a table consist of, in lower case."""
    return {name.lower() for key in table.foreign_keys for name in key.columns}


def own_key(table: Table) -> tuple[Column, ...]:
    """Return the key of a table; () if no key is declared and the column that may be one is a foreign key."""
    keys = key_columns(table)
    return keys if table.primary_key or not {c.name.lower() for c in keys} & foreign_columns(table) else ()


def key_columns(table: Table) -> tuple[Column, ...]:
    """Return the declared primary key, else the first column with a name like a key, else the first column."""
    by_name = {c.name.lower(): c for c in table.columns}
    declared = tuple(by_name[name.lower()] for name in table.primary_key if name.lower() in by_name)
    if declared:
        return declared
    first = [c for c in table.columns[:1] if _names_key(c.name)]
    likely = [c for c in table.columns if name_stems(c.name)[-1:] == ("id",)]
    return tuple((first or likely)[:1] or table.columns[:1])


def _names_key(name: str) -> bool:
    """Return whether the last word of a name names a key: `airline_code`, `cust_no`, or the name is `vin`, `isbn`."""
    return name.lower() in GIVEN_OUT or not KEY_WORDS.isdisjoint(full_stems(name)[-1:])


def refers(table: Table, other: Table) -> bool:
    """Return whether a table has a key to another one, or a column named as its key, unless that is a mere `code`."""
    if any(key.target == other.path for key in table.foreign_keys):
        return True
    keys = key_columns(other)
    telling = len(keys) == 1 and not KEY_WORDS.issuperset(full_stems(keys[0].name))
    return telling and any(c.name == keys[0].name for c in table.columns)


_TIMES = frozenset({"date", "time", "year", "month", "datetim", "timestamp", "day", "at", "on"})
_OF_SOMETHING_ELSE = frozenset({"death", "die", "deceas", "updat", "modifi", "chang"})


def sequence_columns(table: Table) -> tuple[Column, ...]:
    """Return the columns that may order the rows of a table in time.

    If there is a date named after the table (`OrderDate` of `Orders`) or after nothing, only such dates are returned;
    else other dates, except those of birth, death and changes, and the key if it is one number.
    """
    dates = events(table)
    keys = key_columns(table)
    return own_dates(table) or dates + (keys if len(keys) == 1 and is_number(keys[0]) else ())


@lru_cache(maxsize=2_000)
def events(table: Table) -> tuple[Column, ...]:
    """Return the dates and years of a table, except dates of birth, death and changes to its rows.

    Times of day are left out where there is a date as well: an appointment with a `start_time` is on a day. When rows
    were asked for, `requested_on`, comes last where another date says when they start.
    """
    dates = tuple(c for c in timely(table) if not says_birth(c) and _OF_SOMETHING_ELSE.isdisjoint(full_stems(c.name)))
    dates = tuple(c for c in dates if not is_time_of_day(c)) or dates
    if not any(_STARTING & {*full_stems(c.name)} for c in dates):
        return dates
    return tuple(sorted(dates, key=lambda c: bool(_ASKING_FOR & {*full_stems(c.name)} - _STARTING)))


_STARTING = frozenset(map(stem, ("start", "begin", "from", "scheduled")))
_ASKING_FOR = frozenset(
    map(stem, "requested created entered booked reserved ordered registered recorded placed".split())
)


def dated_headers(table: Table, tables: Iterable[Table]) -> frozenset[tuple[str, ...]]:
    """Return the paths of the tables of documents, `orders`, that the rows of a table without dates are lines of.

    They are referred to, have dates, and have no names.
    """
    timed = events(table) or any(_TIMES & {*full_stems(c.name)} for c in table.columns)  # a `usage_month` is no date
    above = {key.target for key in table.foreign_keys} if not timed else set()
    if not above:
        return frozenset()
    return frozenset(t.path for t in tables if t.path in above and events(t) and name_columns(t) == key_columns(t))


def is_birth(column: Column) -> bool:
    """Return whether a column holds dates of birth."""
    return is_date(column) and not is_year(column) and says_birth(column)


# Stems of nouns for acts, each with the participles of the act where these have another stem.
_ACTS = {
    stem(noun): frozenset(stems(done))
    for noun, done in (
        ("sale", "sold"), ("payment", "paid"), ("loan", "lent borrowed loaned"), ("purchase", "bought"),
        ("rental", "rented"), ("shipment", "shipped"), ("delivery", "delivered"), ("donation", "donated given"),
        ("reservation", "reserved"), ("inspection", "inspected"), ("arrival", "arrived"), ("departure", "departed"),
    )
}  # fmt: skip


@lru_cache(maxsize=2_000)
def own_dates(table: Table) -> tuple[Column, ...]:
    """Return the dates and years that are named after the table or after nothing: `OrderDate`, `ord_dt` of `Orders`.

    So are those named after the act that its rows are of, `sold_at` of `sales`.
    """
    own = {*name_stems(table.name), *full_stems(table.name)}
    own = own.union(*(_ACTS.get(word, ()) for word in own))
    return tuple(c for c in timely(table) if {*full_stems(c.name)} - own <= _TIMES)


@lru_cache(maxsize=2_000)
def timely(table: Table) -> tuple[Column, ...]:
    """Return the columns of dates, times and years, without the years that belong to a column of months beside them."""
    months = tuple(year_beside(table, c) for c in table.columns if is_by_month(c))
    return tuple(c for c in table.columns if is_date(c) or (is_year(c) and c not in months))


# Before the bar words for a limit, and behind it words for what it is the limit of, a group in each line.
_LIMITS = """
reorder, safety, threshold, minimum | stock inventory hand quantity
budget, budgeted | cost costs spend spent spending expense expenses actual
capacity | enrolled enrollment enrolment occupancy occupied attendance booked registered attendees load
target, goal, quota | actual achieved reached raised sold sales result donations gifts collected received
limit | balance used usage spent owed
quote, quoted, estimate, estimated, asking | final actual billed charged agreed
"""
_OF_LIMITS = [
    (frozenset(stems(limits.replace(",", " "))), frozenset(stems(things)))
    for limits, things in (line.split("|") for line in _LIMITS.strip().splitlines())
]


def stock_levels(table: Table) -> tuple[Column, ...]:
    """Return the columns that hold the least stock that there should be: `reorder_level`, `safety_stock`."""
    levels, _ = _OF_LIMITS[0]
    return tuple(c for c in table.columns if is_number(c) and levels & set(full_stems(c.name)))


def things_limited(limit: Column) -> frozenset[str]:
    """Return the stems of what a column limits, by its name: those of "cost", "expense" and so on for a budget."""
    words = set(full_stems(limit.name))
    return frozenset(word for limits, things in _OF_LIMITS if limits & words for word in things)


def limited_by(table: Table, limit: Column) -> tuple[Column, ...]:
    """Return the column of numbers that a column limits, `units_in_stock` for `reorder_level`; () if it is not clear.

    It is named after what such limits are of, or is called as the limit is without its first word: `price` for
    `list_price`.
    """
    words = full_stems(limit.name)
    things = things_limited(limit)
    others = [c for c in table.columns if c is not limit and is_number(c) and not is_date(c)]
    named = [c for c in others if things & set(full_stems(c.name))]
    called_so = [c for c in others if len(words) > 1 and full_stems(c.name) == words[1:]]
    return tuple(named if len(named) == 1 else called_so[:1] if not named else ())
