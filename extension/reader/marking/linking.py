"""Find the tables and columns that runs of words in a question may name (schema linking)."""

from __future__ import annotations

from dataclasses import replace

from askwhere.engine import Column, Table
from askwhere.indexer.word_forms import singular
from askwhere.reader.marking.marks import Mark
from askwhere.reader.marking.operators import is_preposition
from askwhere.reader.marking.plain_names import plainly_named
from askwhere.reader.marking.revenue import MONEY
from askwhere.reader.marking.values import SMALL
from askwhere.reader.schema.guessing import guessed
from askwhere.reader.schema.lexicon import READ_AS, Lexicon
from askwhere.reader.schema.naming import events
from askwhere.reader.schema.roles import LEADING, is_second
from askwhere.reader.schema.senses import Sense
from askwhere.reader.words.dates import EVERY
from askwhere.reader.words.english import DATED
from askwhere.reader.words.measures import ASKED
from askwhere.reader.words.names import called, cut_name, root
from askwhere.reader.words.phrases import WORD
from askwhere.reader.words.tokens import Token, is_singular, stem
from askwhere.reader.words.types import is_date, is_dated
from askwhere.reader.words.verbs import DOER, PARTICIPLE, is_act, names_an_act, names_who, says_when

LONGEST_NAME = 6


def names(tokens: tuple[Token, ...], lexicon: Lexicon, valued: frozenset[int]) -> list[Mark]:
    """Return the marks of tables and columns for all spans of up to `LONGEST_NAME` words that may be one name.

    The words at the places `valued` are values, and near to names at most: no name that they are only like is taken.
    """
    found = []
    words = [t.stem for t in tokens]
    for start, token in enumerate(tokens):
        if token.kind not in ("word", "number"):
            continue
        for end in range(start + 1, min(start + LONGEST_NAME, len(tokens)) + 1):
            if tokens[end - 1].kind not in ("word", "number") or end - 1 in valued:
                break
            edged = tokens[end - 1].lower in _EDGES or token.lower in _EDGES
            if edged and end - start > 1 and not _ends_in(tokens[start:end], lexicon):
                continue
            if tokens[end - 1].lower in _NEVER_LAST and end - start > 1:
                continue
            if tokens[end - 1].lower in ("first", "last") and any(t.lower == "of" for t in tokens[start:end]):
                continue  # "the name of the last order" has no last name in it
            if any(t.lower in _PARTING and t.lower not in ("of", "and", "the") for t in tokens[start + 1 : end - 1]):
                break
            if any(
                t.lower == "the" and tokens[start + i].lower != "of" for i, t in enumerate(tokens[start + 1 : end - 1])
            ):
                break
            if not (_of_a_table(tokens, words, start, end, lexicon) or _done(tokens, words, start, end, lexicon)):
                found += _named(tokens, words, start, end, lexicon)
    return found


def _ends_in(tokens: tuple[Token, ...], lexicon: Lexicon) -> bool:
    """Return whether words are the whole name of a column that ends in "in" without saying where: `check_in`."""
    said = tuple(t.stem for t in tokens)
    if tokens[-1].lower != "in" or is_act(tokens[-2].lower) or tokens[0].lower in _EDGES:
        return False
    senses = lexicon.exact.get(frozenset(said), {}).values()
    return any(s.columns and said in lexicon.names(s.column) for s in senses)


def _of_a_table(tokens: tuple[Token, ...], words: list[str], start: int, end: int, lexicon: Lexicon) -> bool:
    """Return whether a span like "details of the investors" is a column followed by its table, and so not one name."""
    cut = next((i for i in range(start + 1, end - 1) if tokens[i].lower == "of"), None)
    if cut is None:
        return False
    if tokens[start].stem == "number" and any(
        s.columns and s.score >= 1 for s in lexicon.find(tuple(words[start:end]))
    ):
        return False  # `Number_of_hosts` is the name of one column
    rest = tuple(w for t, w in zip(tokens[cut + 1 : end], words[cut + 1 : end], strict=True) if t.lower != "the")
    things = [rest, rest[:-1]] if names_an_act(tokens[end - 1].lower) else [rest]  # "… of investors registered in"
    return any(not s.columns and s.score >= 0.9 for said in things for s in lexicon.find(said))


def _done(tokens: tuple[Token, ...], words: list[str], start: int, end: int, lexicon: Lexicon) -> bool:
    """Return whether a span is a table and a verb, not one name: "orders shipped to Oslo", "fees due in May"."""
    if end - start > 1 and _begins_a_clause(tokens, words, start, end, lexicon):
        return True
    if end - start == 1 or end + 1 >= len(tokens) or tokens[end + 1].kind == "mark":
        return False
    follow, several = tokens[end].lower, not is_singular(tokens[end - 2].lower)
    act = bool(PARTICIPLE.match(tokens[end - 1].lower)) and follow in ("to", "from", "on", "at")
    if not (act or (several and follow in _TIMES)):
        return False
    things = lexicon.find(tuple(words[start : end - 1]))
    return bool(things) and not things[0].columns


def _begins_a_clause(tokens: tuple[Token, ...], words: list[str], start: int, end: int, lexicon: Lexicon) -> bool:
    """Return whether a span is things and what is said of them with a time: "members signed up in", "clients since"."""
    timed = tokens[end - 1].lower in ("since", "until") or (
        end < len(tokens) and tokens[end].lower in ("in", "on", "since", "before", "after", "last", "this", "between")
    )
    said = tokens[start + 1].lower
    if is_singular(tokens[start].lower) or not timed or not (is_act(said) or said in ("since", "until")):
        return False
    return any(not s.columns and s.score >= 0.9 for s in lexicon.find((words[start],)))


_TIMES = {"in", "on", "before", "after", "since", "until", "during", "between"}
_EDGES = {"of", "the", "for", "in", "and", "by", "to", "from", "a", "an", "or", "with", "that", "who"}
_NUMBERED = (("number",), ("num",), ("no",))
_BEING = {"is", "are", "was", "were"}
_FLAGGING = _BEING | {"has", "have", "had"}  # as names of flags begin: `has_shelter`, but "has no" is no `cust_no`
_NEVER_LAST = _BEING | {"has", "have", "had", "at", "on", "per"}
_PARTING = _EDGES | _BEING  # "order was shipped" is no name, though "is shipped" may be one


def _named(tokens: tuple[Token, ...], words: list[str], start: int, end: int, lexicon: Lexicon) -> list[Mark]:
    """Return the table mark and the column mark that one span of words may be, at most one of each."""
    if end - start == 1 and tokens[start].lower in SMALL and not _no_command(tokens, start):
        return []
    if words[end - 1] == "report" and tokens[end : end + 1] and tokens[end].lower == "to":
        return []  # "report to" is a verb
    asked = tuple(t.lower for t in tokens[start:end])
    said = tuple(w for t, w in zip(tokens[start:end], words[start:end], strict=True) if t.lower != "and")
    if len(set(said)) < len(said) and lexicon.find(tuple(words[end : end + 1])):
        return []  # "open date of open year" names two columns
    senses = lexicon.find(said) or _run_together(asked, lexicon) or _guessed(tokens, start, end, lexicon)
    listed = end < len(tokens) and tokens[end].lower in (",", "and")  # "first, middle and last names"
    if asked[0] in _FLAGGING and len(asked) > 1:
        senses = tuple(s for s in senses if s.columns and any(n[:1] == said[:1] for n in lexicon.names(s.column)))
    if asked in (("first",), ("last",)) and not listed:
        senses = tuple(s for s in senses if s.columns and asked in lexicon.names(s.column))
    if len(said) < end - start:  # "and" is part of a name only in "first and last name"
        senses = tuple(s for s in senses if len(s.columns) > 1)
    if asked[0] in ("number", "numbers") and len(asked) > 1:
        senses = tuple(s for s in senses if s.columns and any(n[:1] in _NUMBERED for n in lexicon.names(s.column)))
    if len(asked) == 1 and (plain := plainly_named(asked[0], lexicon)) and not _offered(tokens, start, lexicon):
        own = {s.table.path for s in senses if s.columns and s.score >= 0.9}
        senses = (*(s for s in senses if s.table.path in own), *(s for s in plain if s.table.path not in own))
    if not senses and asked in ASKED:
        senses = tuple(
            replace(s, score=s.score * 0.8)
            for alternative in ASKED[asked]
            for s in lexicon.named(alternative)
            if s.columns
        )
    if not senses and len(asked) == 1 and names_an_act(asked[0]):
        senses = dated(said[0], lexicon)
    if asked in _ANYONE and all(s.note.startswith(READ_AS) for s in senses):
        senses = lexicon.persons()
    if len(said) > 1 and names_an_act(asked[-1]) and said[-1] not in _NAMED:
        senses = _as_written(senses, asked[-1], lexicon.find(said[:-1]))
    if said[-1] in _GAINS:  # what somebody earns is no flag `paid`
        senses = tuple(s for s in senses if lexicon.truth(s) is None)
    if every := EVERY.get(" ".join(asked)):  # a "month" is no `monthly_fee`, nor an "hour" an `hourly_rate`
        senses = tuple(s for s in senses if not any(every in c.name.lower() for c in s.columns))
    if names_an_act(asked[-1]):
        short = (s for s in senses if s.columns and s.note.startswith(READ_AS))
        acts = {s for s in short if not is_date(s.columns[0]) and lexicon.truth(s) is None}
        senses = tuple(s for s in senses if s not in acts)
    senses = tuple(s for s in senses if not (len(said) > 1 and _ends_in_its_table(s, said[-1], lexicon)))
    if (
        said[-1] in LEADING and said[-1] != "report" and not DOER.search(asked[-1])
    ):  # "who supervises Ann" asks for no supervisor of her own
        senses = tuple(s for s in senses if s.columns or not is_second(s.table))
    senses = tuple(s for s in senses if _names_them(s, asked[-1]))
    if PARTICIPLE.match(asked[-1]) and not any(t.lower == "by" for t in tokens[end : end + 1]):
        senses = tuple(s for s in senses if s.columns or not _does(s.table, asked[-1]))
    senses = tuple(
        replace(s, note=f"“{' '.join(asked)}” {s.note}") if s.note.startswith(READ_AS) else s for s in senses
    )
    found = []
    for kind, of_kind in (
        ("table", [s for s in senses if not s.columns]),
        ("column", [s for s in senses if s.columns]),
    ):
        if of_kind:
            best = max(s.score for s in of_kind)
            size = end - start
            score = size * (0.35 + 0.65 * best) + 0.3 * (size - 1) + (0.03 if kind == "table" else 0.0)
            if asked in (("number",), ("numbers",)) and end < len(tokens) and tokens[end].lower == "of":
                score -= 0.6
            text = " ".join(asked)
            found.append(Mark(kind, start, end, score, text, senses=tuple(of_kind)))
    return found


def _offered(tokens: tuple[Token, ...], place: int, lexicon: Lexicon) -> bool:
    """Return whether "number" or "date" is of what is said beside it: "number of loans", "by date", "phone number"."""
    described = lexicon.find((tokens[place - 1].stem,)) if place and tokens[place - 1].kind == "word" else ()
    if described and described[0].columns:
        return True
    before, after = tokens[place - 1 : place], tokens[place + 1 : place + 2]
    counted = tokens[place].lower in ("number", "numbers") and any(t.lower == "of" for t in after)
    return counted or any(t.lower in ("by", "per") or t.kind == "number" for t in before)


def _no_command(tokens: tuple[Token, ...], place: int) -> bool:
    """Return whether "show" or "list" is a noun where it stands: "each show", "which list", "more than one show"."""
    before = tokens[place - 1].lower if place else ""
    noun = before in (_BEFORE_THINGS - {"no", "a", "an"} | {"which", "what", "one"})
    return bool(tokens[place].lower in ("show", "list") and noun)


_GAINS = frozenset(map(stem, "earn earns earning earnings salary wage income".split()))
_ANYONE = {("people",), ("person",), ("persons",)}
_NAMED = ("name", "titl", "detail", "call", "entitl")


def _names_them(sense: Sense, word: str) -> bool:
    """Return whether a sense may be named by a word for a person or device: "reporters" are no reports.

    A word such as "reporter" shares its stem with "report". It names the sense only if a word of the sense's own name
    with this stem has such an ending, too. A noun for an act, "inspections", names no column of those who do it,
    `inspector`. Any other word may name the sense.
    """
    doer = bool(DOER.search(word))
    if not doer and not (sense.columns and names_who(word)):
        return True
    things: tuple[Column | Table, ...] = sense.columns or (sense.table,)
    alike = [w for t in things for n in called(t) for w in cut_name(n) if stem(w) == stem(word)]
    return not alike or any(bool(DOER.search(w)) == doer for w in alike)


def _does(table: Table, act: str) -> bool:
    """Return whether a table is of those who do an act, given as a participle: `translators`, for "translated"."""
    names = [cut_name(name)[-1] for name in called(table) if cut_name(name)]
    return any(DOER.search(n) and root(stem(n)) == root(stem(act)) and not act.startswith(singular(n)) for n in names)


def _as_written(senses: tuple[Sense, ...], done: str, things: tuple[Sense, ...]) -> tuple[Sense, ...]:
    """Return only the senses whose names contain the participle `done`, if the words before it name a table.

    "Films opened" is then not read as some other column of films, nor as the date at which they were. `things` is what
    the words before the participle name; if that is no table, all senses are returned.
    """
    if not things or things[0].columns:
        return senses
    return tuple(
        s
        for s in senses
        if any(done in n.lower() for n in [c.name for c in s.columns if not is_date(c)] or [s.table.name])
    )


def _guessed(tokens: tuple[Token, ...], start: int, end: int, lexicon: Lexicon) -> tuple[Sense, ...]:
    """Return the senses guessed for a span; none for one with a word for what is computed or refused, as money."""
    if any((token.lower,) in MONEY or (token.lower, "of") in WORD for token in tokens[start:end]):
        return ()  # nor for "percentage", which begins "percentage of"
    return guessed(lexicon, tuple(t.text for t in tokens[start:end]), is_noun(tokens, start, lexicon))


def _run_together(asked: tuple[str, ...], lexicon: Lexicon) -> tuple[Sense, ...]:
    """Return the senses of two words that the schema writes as one: `Highschooler` for "high schoolers"."""
    if len(asked) != 2 or not all(word.isalpha() and len(word) > 2 for word in asked):
        return ()
    return tuple(s for s in lexicon.find((stem("".join(asked)),)) if s.score >= 0.95)


def _ends_in_its_table(sense: Sense, last: str, lexicon: Lexicon) -> bool:
    """Return whether a sense is a column but the words end in its table: "picked products" are products."""
    short = any(not s.columns and s.table is sense.table for s in lexicon.find((last,)))
    return (
        bool(sense.columns)
        and (short or last in lexicon.split(sense.table.name))
        and not any(last in name for c in sense.columns for name in lexicon.names(c))
    )


def dated(verb: str, lexicon: Lexicon) -> tuple[Sense, ...]:
    """Return the dates that other words for a verb's act name, given its stem: `end_date` for "left"."""
    tables = [t for t in lexicon.tables if not is_second(t)] if verb in DATED else []
    columns = ((table, column) for table in tables for column in events(table) if is_dated(column))
    return tuple(Sense(t, (c,), 0.85) for t, c in columns if says_when(c.name, verb))


_DEGREES = {"highest", "lowest", "average", "maximum", "minimum", "total"}
_BEFORE_THINGS = {"the", "a", "an", "each", "every", "per", "of", "no", "any", "different", "distinct", "many", "most"}


def is_noun(tokens: tuple[Token, ...], place: int, lexicon: Lexicon) -> bool:
    """Return whether a word that may be a verb is a noun where it stands: "the store", "the names and origins of"."""
    before = tokens[place - 1].lower if place else ""
    after = tokens[place + 1].lower if place + 1 < len(tokens) else ""
    if tokens[place].lower.endswith(("ed", "ing")):
        return False
    if before in _DEGREES and any(s.columns and s.score >= 0.97 for s in lexicon.named((before,))):
        return False  # in "highest attendance" it adds nothing if there is a column `Highest`
    if is_preposition(before):
        return True  # "on hold", "in use"
    return names_who(tokens[place].lower) or before in _BEFORE_THINGS or (before == "and" and after == "of")
