"""Look up the tables and columns that words of a question may name, by their stems.

A name is found as it is written, in part, by synonyms, and by short forms; a score from 0 to 1 says how well it fits.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import islice, product

from askwhere.engine import Column, Table
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.guessing import prefix
from askwhere.indexer.word_forms import shortens, shortness, singular
from askwhere.reader.schema.joins import Path
from askwhere.reader.schema.naming import key_columns, person_names
from askwhere.reader.schema.roles import is_role, is_second, leads
from askwhere.reader.words.english import OPPOSITES, PATRONS, SAME, SHORT, WORKERS, stems, written_out
from askwhere.reader.words.names import COMMON, called, copied, cut_name, joined, name_stems, parted, root, starts
from askwhere.reader.words.nearness import Nearness, alike, is_english
from askwhere.reader.words.phrases import WORD
from askwhere.reader.words.tokens import stem
from askwhere.reader.words.types import Truth, Truths
from askwhere.reader.words.units import SUFFIXES, lasts
from askwhere.reader.words.verbs import DOER

# Stems that are ignored in names and questions; stems that add nothing to a table's name; and, for stems that a
# question may leave out of a name, the factor by which the score falls.
_FILLERS = {stem(w) for w in "of in by the to from a an for and on at s yn is has was".split()}
VAGUE = {
    stem(w)
    for w in "data list table tbl info ref details header hdr record records master all the of in at s by to".split()
}
REST = {"name": 0.9, "titl": 0.88, "code": 0.75, "id": 0.6, "number": 0.68, "type": 0.6, "text": 0.75, "detail": 0.8,
         "descript": 0.75, "valu": 0.8, "full": 0.8, "offici": 0.85, "common": 0.8, "dollar": 0.9, "usd": 0.9,
         "million": 0.9, "billion": 0.9, "km": 0.9, "mm": 0.9, "percent": 0.85, "yn": 0.9, "amount": 0.8,
         "current": 0.8, "other": 0.55, "date": 0.75, "year": 0.7, "time": 0.72, "total": 0.72, "kg": 0.9, "metr": 0.9,
         "m": 0.9, "ft": 0.9, "level": 0.75, "flag": 0.9, "short": 0.55, "long": 0.55, "cost": 0.5,
         "averag": 0.8, "quantiti": 0.8}  # fmt: skip
_UNIT_STEMS = frozenset(map(stem, SUFFIXES)) - REST.keys()

PATRON = 0.9  # the score of a table of customers and the like, as an answer to "who"
_SYNONYM = 0.85  # the factor for each synonym
_PLAIN = 0.8  # from this score on, short forms are not looked for
_INITIALS = 0.75
READ_AS = "read as"  # a note on a short form begins so; the caller puts the question's words before it
_MOST_SHORT = 6  # combinations of short forms that are tried for several words
_PERSONAL = frozenset(stems("hire hired birth birthday born wage salary gender sex email phone mobile"))
_SECOND = 0.85  # the factor for columns of second tables: "salary" is rather the employee's than the manager's


@dataclass(frozen=True)
class Sense:
    """One meaning of some words: a table, a column of it (or two: a first and a last name), or a value in them."""

    table: Table
    columns: tuple[Column, ...] = ()
    score: float = 1.0
    value: str | float | int | tuple[str, ...] | None = None  # for a flag its value for yes, for a person both names
    note: str = ""
    chance: float = 1.0  # that it is meant, if it was guessed from the meaning of the words

    @property
    def column(self) -> Column:
        """Return the only or first column."""
        return self.columns[0]


@dataclass(frozen=True)
class _Entry:
    """A name that can be found by a part of its words."""

    sense: Sense
    words: frozenset[str]  # the stems of the name, for a column without those of its table's name
    head: str  # the last of them, which says what kind of thing it is
    extra: frozenset[str]  # the stems of the table's name, which a question may add to a column's


class Lexicon:
    """The names of one catalog's tables and columns, by the stems of the words that people write for them.

    The tables in `views`, and their columns, are found by their full names only. `flags` has the value for yes of each
    column of yes and no.
    """

    def __init__(self, catalog: Catalog, views: frozenset[Path] = frozenset(), flags: Truths | None = None) -> None:
        self._flags = flags or {}
        self._exact: dict[frozenset[str], dict[tuple[object, ...], Sense]] = defaultdict(dict)
        self.loose: dict[str, list[_Entry]] = defaultdict(list)
        self._known = _vocabulary(catalog)
        self._keys = {(t.path, c.lower()): k.target for t in catalog.tables for k in t.foreign_keys for c in k.columns}
        self._keyed = _keyed(catalog)
        self._second_paths = {t.path for t in catalog.tables if is_second(t)}
        self.words: set[str] = set()
        self.tables = tuple(t for t in catalog.tables if t.path not in views and not is_role(t))
        self.roles = tuple(t for t in catalog.tables if is_role(t))
        self.people = {
            t.path: person_names(t) for t in catalog.tables
        }  # the pairs of first and last name columns of each table
        self.seconds: dict[Path, list[Table]] = defaultdict(list)  # the second tables of each table
        for second in filter(is_second, catalog.tables):
            self.seconds[second.path[:-1]].append(second)
        self._hidden = _hidden(catalog)
        for table in catalog.tables:
            self._add_table(table, loosely=table.path not in views)
        self._shorts = self._short_words()
        self.find = lru_cache(maxsize=20_000)(self._find)
        self.near = lru_cache(maxsize=5_000)(self._near)
        # Each entry of a word asks: without a cache, the time grew with the square of the tables that a word names.
        self._kinds_of = lru_cache(maxsize=20_000)(self._count_kinds_of)
        self._tables_of = lru_cache(maxsize=20_000)(self._count_tables_of)
        self.persons = cache(self._persons)
        self._nearness = cache(lambda: Nearness(sorted(w for w in self.words if len(w) > 2)))

    def _add_table(self, table: Table, loosely: bool) -> None:
        """Add the names of a table and its columns; with `loosely`, also to be found by a part of their words."""
        owns = [_meant(words) for words in self.names(table)]
        for words in self.names(table):
            for form in _forms(words):
                self._put(frozenset(form), Sense(table, score=1.0))
                self._put(frozenset(w for w in form if w not in VAGUE), Sense(table, score=0.97))
                if loosely and not is_role(table):
                    meant = _meant(form)
                    self._loosen(_Entry(Sense(table), frozenset(meant), meant[-1], frozenset()))
        for said in _comments(table):
            self._put(said, Sense(table, score=0.95))
        if is_role(table):
            return
        for column in (*table.columns, *self._hidden.get(table.path, ())):
            for words in self.names(column):
                for own in owns:
                    self._add_column(table, column, words, frozenset(own), loosely)
            for said in _comments(column):
                self._put(said, Sense(table, (column,), 0.95))
        for columns in self.people[table.path]:
            for phrase, score in (("name", 0.97), ("full name", 1.0), ("first last name", 1.0)):
                pair = Sense(table, columns, score)
                for own in ((), *owns):
                    self._put(frozenset((*stems(phrase), *own)), pair)

    def _add_column(
        self, table: Table, column: Column, words: tuple[str, ...], own: frozenset[str], loosely: bool
    ) -> None:
        """Add one name of a column, given as stems; `own` are the stems of its table's name."""
        known = _SECOND if is_second(table) else 1.0
        for form in _forms(words):
            whole = frozenset(form)
            said = frozenset(w for w in form if w not in _FILLERS) or whole
            rest = frozenset(w for w in said if w not in own and not starts(w, own) and len(w) > 1) or said
            refers = (table.path, column.name.lower()) in self._keys and (column.name,) != table.primary_key
            # A word that names a foreign key mostly means the table that it refers to: "country" is the country's
            # name. And "id" alone is the primary key.
            weight = (0.93 if said & {"id", "code", "number", "name"} else 0.55) if refers else 1.0
            if self._keys.get((table.path, column.name.lower())) in self._second_paths:
                self._put(whole, Sense(table, (column,), score=weight))  # else "reports" would name `ReportsTo`
                continue
            plain = ((whole, 1.0), (said, 1.0), (said | own, 0.98))
            for forms, score in plain if refers and rest != said else (*plain, (rest, 0.97), (rest | own, 0.97)):
                self._put(forms, Sense(table, (column,), score * weight * known))
            if len(form) > 1 and lasts(column):  # `response_min` is the response time
                self._put(frozenset((*form[:-1], "time")), Sense(table, (column,), 0.95 * known))
            if "per" in form[1:]:  # the `cost_per_portion` is a cost
                before = frozenset(form[: form.index("per")])
                self._put(before, Sense(table, (column,), 0.6 * weight * known))
                self._put(before | own, Sense(table, (column,), 0.6 * weight * known))
            head = next((w for w in reversed(form) if w in rest), form[-1]) if form else ""
            if loosely:
                fit = known * (weight if said & {"id"} else 1.0)
                self._loosen(_Entry(Sense(table, (column,), fit), rest, head, own))

    def names(self, thing: Table | Column) -> list[tuple[str, ...]]:
        """Return the stems of a thing's name and of each of its synonyms: in words, as spelt, and in one.

        A table is also called after its key: `PaperStock` with the key `paperId` is a table of papers.
        """
        keyed = self._keyed.get(thing.path, ()) if isinstance(thing, Table) else ()
        forms = ((self.split(name), copied(name), joined(name)) for name in (*called(thing), *keyed))
        return list(dict.fromkeys(words for named in forms for words in named if words))

    def _put(self, words: frozenset[str], sense: Sense) -> None:
        """Let a set of stems name a sense, unless it names the same columns already."""
        if words:
            self.words |= words
            self._exact[words].setdefault((sense.table.path, *(c.name for c in sense.columns)), sense)

    def _loosen(self, entry: _Entry) -> None:
        """Let an entry be found by each of its words, and by their roots."""
        for word in entry.words:
            self.loose[word].append(entry)
            if root(word) != word:
                self.loose[root(word)].append(entry)

    def split(self, name: str) -> tuple[str, ...]:
        """Return the stems of a name's words: the same for `SourceAirport`, `source_airport` and `sourceairport`."""
        return tuple(stem(part) for word in cut_name(name) for part in parted(word, self._known))

    def truth(self, sense: Sense) -> Truth | None:
        """Return the value for yes in the column of a sense, None if the column is no flag."""
        return self._flags.get((sense.table.path, sense.column.name)) if len(sense.columns) == 1 else None

    def hides(self, sense: Sense) -> bool:
        """Return whether a sense is of a hidden column.

        The lexicon has hidden columns so that their words are refused, and not taken for other columns.
        """
        return any(c in self._hidden.get(sense.table.path, ()) for c in sense.columns)

    def named(self, words: tuple[str, ...]) -> tuple[Sense, ...]:
        """Return the senses of words that are not stemmed yet, best first."""
        return self.find(tuple(stem(word) for word in words))

    def _persons(self) -> tuple[Sense, ...]:
        """Return the tables of people, which "who" may ask for; customers score higher than employees."""
        found = {}
        for table in (t for t in self.tables if not is_second(t)):
            words = {word for name in self.names(table) for word in (*name, *written_out(name))}
            led = any(leads(second) for second in self.seconds.get(table.path, ()))
            sure = bool(words & WORKERS) or led or _has_person_facts(table)
            known = words & PATRONS or sure or self.people[table.path] or any(map(_is_full_name, table.columns))
            if known and not _links(table):
                found[table.path] = Sense(table, score=PATRON if words & PATRONS else 0.8 if sure else 0.5)
        return tuple(found.values())

    def _near(self, word: str) -> list[tuple[str, float]]:
        """Return stems of the schema that a stem is likely meant for, with chances: by meaning, or else by spelling.

        Opposites are near to each other, but nobody means the one by the other.
        """
        if not is_english(word):
            return alike(word, self.words)
        against = OPPOSITES.get(word, frozenset())
        return [(name, chance) for name, chance in self._nearness().likely(word) if name not in against]

    def writes(self, word: str) -> bool:
        """Return whether a stem, or one of its root, is a word of a name, or is a synonym of such words.

        Other words find names only by short forms and by their vectors.
        """
        same = any(words <= self.words for words in SAME.get(frozenset({word}), ()))
        return same or word in self.words or word in self.loose or root(word) in self.loose

    def _find(self, words: tuple[str, ...]) -> tuple[Sense, ...]:
        """Return the senses of these stems, best first, 24 at most.

        If none scores `_PLAIN` or more, names that are short forms of the stems are added, with a note.
        """
        found = self._find_written(words)
        if len(words) > 3 or (found and found[0].score >= _PLAIN):
            return found
        kept = {(s.table.path, s.columns): s for s in found}
        shorts = [(said, left, self._find_written(said)) for said, left in self._in_short(words)]
        whole = {s.table.path for said, _, of in shorts for s in of if not s.columns and said in self.names(s.table)}
        for said, left, senses in shorts:
            for sense in senses:
                if whole and not sense.columns and sense.table.path not in whole:
                    continue  # an "incident" is `incdt`, and no `inc_type`
                if len(said) < len(words) and sense.score < 0.9:
                    continue  # "overtime hours" are `ot_hrs`, and no `qty_oh`
                other = kept.get((sense.table.path, sense.columns))
                if other is None or other.score < sense.score * left:
                    note = f"{READ_AS} {spoken(sense)}"
                    kept[sense.table.path, sense.columns] = replace(sense, score=sense.score * left, note=note)
        return tuple(sorted(kept.values(), key=lambda s: -s.score)[:24])

    def _in_short(self, words: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], float]]:
        """Yield short forms in the schema for these stems, each with its factor on the score.

        They are the initials of several words, and combinations of short forms for the stems that no name has.
        """
        initials = "".join(word[0] for word in words)
        if len(words) > 1 and initials in self._shorts and not any(_asks(word) for word in words):
            yield (initials,), _INITIALS
        others = [((word, 1.0),) if word in self.words else self._shorter(word) for word in words]
        if all(others) and not all(word in self.words for word in words):
            for said in islice(product(*others), _MOST_SHORT):
                yield tuple(word for word, _ in said), min(left for _, left in said)

    def _shorter(self, word: str) -> tuple[tuple[str, float], ...]:
        """Return up to three words of the schema that shorten a word, or that it shortens, with factors, best first."""
        if len(word) < 3 or any(operator.kind not in ("tail", "unit") for operator in WORD.get((word,), ())):
            return ()
        same = [next(iter(other)) for other in SAME.get(frozenset({word}), ()) if len(other) == 1]
        said = [*((form, 1.0) for form in _spelt_out(word)), *((_ending_in_y(other), 0.85) for other in same)]
        found = {n: max(left * shortness(_ending_in_y(n), other) for other, left in said) for n in self._shorts}
        if not is_english(word):
            longer = [name for name in self.words if shortens(word, name)]
            found |= {name: max(shortness(word, name), found.get(name, 0.0)) for name in longer}
        best = max(found.values(), default=0.0)  # of `brth` and `bt` only the former is a berth
        near = ((n, 0.85 * left) for n, left in found.items() if left and left >= best - 0.1)
        return tuple(sorted(near, key=lambda one: -one[1])[:3])

    def _short_words(self) -> frozenset[str]:
        """Return the words of the schema that may be short forms.

        These are words that are not English and, if they are more than a quarter, all words of up to five letters.
        """
        words = {w for w in self.words if w.isalpha() and w not in COMMON and w not in _FILLERS}
        words -= {w for w in words & SHORT.keys() if len(w) < 4}  # a listed `brth` may be a berth, too
        words -= {stem(prefix(t)) for t in self.tables} - {stem(t.name) for t in self.tables}  # `ab_id`, `ab_nm`
        words -= {w for w in words if (w,) in WORD}  # the "up" of `signed_up` is short for nothing
        strange = {w for w in words if not is_english(w)}
        small = {w for w in words if len(w) <= 5} if 4 * len(strange) > len(words) else set()
        return frozenset(strange | small)

    def _find_written(self, words: tuple[str, ...]) -> tuple[Sense, ...]:
        """Return the senses of these stems without short forms, best first, the best of each column or table.

        Columns are dropped where their table is meant by the same words.
        """
        found: dict[tuple[object, ...], Sense] = {}
        for sense in (*self._plainly(words), *self._loosely(words)):
            key = (sense.table.path, tuple(c.name for c in sense.columns))
            if key not in found or found[key].score < sense.score:
                found[key] = sense
        best = max((s.score for s in found.values() if not s.columns), default=0.0)
        named = {s.table.path for s in found.values() if not s.columns and s.score >= 0.97}
        # "Visits" names the table, and not its column `visited_on`, which adds only a filler to the table's name.
        found = {k: s for k, s in found.items() if not s.columns or not self._says_its_table(s, named)}
        # "Invoice" names the table, and not its column `invoice_date`.
        found = {k: s for k, s in found.items() if not s.columns or s.score >= 0.9 or s.table.path not in named}
        tables = {s.table.path for s in found.values() if not s.columns and s.score >= max(best - 0.15, 0.9)}
        kept = [
            s for s in found.values() if (not self._key_to(s, tables) if s.columns else self._close(s, best, words))
        ]
        return tuple(sorted(self._in_full_first(kept, words), key=lambda s: -s.score)[:24])

    def _says_its_table(self, sense: Sense, named: set[Path]) -> bool:
        """Return whether a column of these tables is named after its table alone, with a filler: `visited_on`."""
        if sense.table.path not in named or len(sense.columns) != 1:
            return False
        own = {word for name in self.names(sense.table) for word in name}
        return all(set(name) & _FILLERS and set(name) - _FILLERS <= own for name in self.names(sense.column))

    def _in_full_first(self, senses: list[Sense], words: tuple[str, ...]) -> list[Sense]:
        """Lower the scores of tables of which the words name only a part, if they name another table in full.

        So "orders" is `Orders` before `Order Details`.
        """
        asked = frozenset(words)
        full = {
            s.table.path
            for s in senses
            if not s.columns and any(asked in map(frozenset, _forms(name)) for name in self.names(s.table))
        }
        return [
            replace(s, score=s.score * 0.7) if full and not (s.columns or s.table.path in full) else s for s in senses
        ]

    def _close(self, sense: Sense, best: float, words: tuple[str, ...]) -> bool:
        """Return whether a table's score is near the `best`; it may be farther off if its name has one of `words`."""
        named = any(set(words) & set(name) for name in self.names(sense.table))
        return sense.score >= best - (0.5 if named else 0.15)

    def _key_to(self, sense: Sense, tables: set[tuple[str, ...]]) -> bool:
        """Return whether a sense is a foreign key to one of these tables; then the table is meant, not the key."""
        return len(sense.columns) == 1 and self._keys.get((sense.table.path, sense.column.name.lower())) in tables

    def _plainly(self, words: tuple[str, ...]) -> Iterator[Sense]:
        """Yield the senses that these stems name in full, also with a synonym or a long form for some of them."""
        asked = frozenset(w for w in words if w not in _FILLERS) or frozenset(words)
        yield from self._exact.get(asked, {}).values()
        for said, left in _otherwise(words):
            for sense in self._exact.get(
                frozenset(w for w in said if w not in _FILLERS) or frozenset(said), {}
            ).values():
                yield replace(sense, score=sense.score * left)

    def _by_synonym(self, word: str) -> Iterator[Sense]:
        """Yield columns, no foreign keys, with a synonym of a word as part of their name: `UnitPrice` for "cost"."""
        same = [next(iter(other)) for other in SAME.get(frozenset({word}), ()) if len(other) == 1]
        for other in same:
            for entry in (e for e in self.loose.get(other, ()) if e.sense.columns):
                key = (entry.sense.table.path, entry.sense.column.name.lower()) in self._keys
                if not key and (score := _looseness(entry, [other])):
                    yield replace(entry.sense, score=score * 0.85 * entry.sense.score)

    def _loosely(self, words: tuple[str, ...]) -> Iterator[Sense]:
        """Yield the senses of which one to three stems name only a part, with scores by how much they leave out."""
        asked = [w for w in words if w not in _FILLERS]
        if not 0 < len(asked) <= 3:
            return
        for word in asked[-1:]:
            if len(asked) == 1 and word not in self.loose and root(word) not in self.loose:
                yield from self._by_synonym(word)
            for entry in (*self.loose.get(word, ()), *(self.loose.get(root(word), ()) if root(word) != word else ())):
                if score := _looseness(entry, asked):
                    alone = not entry.sense.columns and self._tables_of(word) == 1
                    kind = not entry.sense.columns and entry.head == word and self._kinds_of(word) == 1
                    least = 0.85 if kind else 0.7 if alone else 0.0  # "orders" is `salesOrder`, not `orderLine`
                    yield replace(entry.sense, score=max(score * entry.sense.score, least))

    def _count_kinds_of(self, word: str) -> int:
        """Return how many tables have a word as the last one of their names, second tables aside."""
        named = (e for e in self.loose.get(word, ()) if not e.sense.columns and not is_second(e.sense.table))
        return len({entry.sense.table.path for entry in named if entry.head == word})

    def _count_tables_of(self, word: str) -> int:
        """Return how many tables have a word in a name."""
        return len({entry.sense.table.path for entry in self.loose.get(word, ()) if not entry.sense.columns})


def _keyed(catalog: Catalog) -> dict[Path, tuple[str, ...]]:
    """Return the name that the key of a table gives its rows, `paper` for `paperId`, where no table is called so."""
    single = ((t, cut_name(t.primary_key[0])) for t in catalog.tables if len(t.primary_key) == 1)
    named = {t.path: tuple(words[:-1]) for t, words in single if len(words) > 1 and words[-1] == "id"}
    foreign = {t.path for t in catalog.tables for key in t.foreign_keys if key.columns == t.primary_key}
    taken = {tuple(map(stem, cut_name(name))) for t in catalog.tables for name in called(t)}
    found = {path: words for path, words in named.items() if tuple(map(stem, words)) not in taken}
    shared = Counter(found.values())
    return {path: ("_".join(words),) for path, words in found.items() if path not in foreign and shared[words] == 1}


def _otherwise(words: tuple[str, ...], parts: int = 2) -> Iterator[tuple[tuple[str, ...], float]]:
    """Yield these stems with up to `parts` runs of them replaced by a synonym or long form, each with its factor."""
    for start in range(len(words) if parts else 0):
        for end in range(start + 1, len(words) + 1):
            run = words[start:end]
            for other in (*SAME.get(frozenset(run), ()), *_expanded(run)):
                before = (*words[:start], *other)
                yield (*before, *words[end:]), _SYNONYM
                for rest, left in _otherwise(words[end:], parts - 1):
                    yield (*before, *rest), _SYNONYM * left


def _has_person_facts(table: Table) -> bool:
    """Return whether a table is named after those who do something, and says what is known of people: "lawyers"."""
    doers = any(DOER.search(cut_name(name)[-1]) for name in called(table) if cut_name(name))
    return doers and any(_PERSONAL.intersection(name_stems(c.name)) for c in table.columns)


def _links(table: Table) -> bool:
    """Return whether the key of a table consists of keys to others, as of `TranslatorLanguage`."""
    foreign = {name for key in table.foreign_keys for name in key.columns}
    return len(table.primary_key) != 1 and {column.name for column in key_columns(table)} <= foreign


def _is_full_name(column: Column) -> bool:
    """Return whether a column holds the full names of people."""
    return set(written_out(name_stems(column.name))) == {"full", "name"}


def _asks(word: str) -> bool:
    """Return whether a word is a question word or a small one, and so no part of a name's initials."""
    return any(
        operator.kind in ("open", "rel", "prep", "be", "have", "each", "all") for operator in WORD.get((word,), ())
    )


def _ending_in_y(word: str) -> str:
    """Return a stem with a final "i" as "y", as the word has it: `specialty` for the stem `specialti`."""
    return f"{word[:-1]}y" if word.endswith("i") else word


_ENDINGS = ("s", "ent", "ment", "er", "or", "ion", "ation", "ance", "ence", "ing", "e")


def _spelt_out(word: str) -> tuple[str, ...]:
    """Return a stem as words may be written that have it: `incident` for `incid`, of which `incdt` is short."""
    ended = word[-1:] in "aeiou"  # "revenue" has no other ending
    doing = (f"{word[:-1]}ing",) if word.endswith("e") else ()  # `rtg` is short for "rating"
    return (
        _ending_in_y(word),
        *(d for d in doing if stem(d) == word),
        *(word + end for end in _ENDINGS if not ended and stem(word + end) == word),
    )


def spoken(sense: Sense) -> str:
    """Return the name of a sense's table, or its columns as table.column, for a note."""
    return ", ".join(f"{sense.table.name}.{c.name}" for c in sense.columns) or sense.table.name


def _looseness(entry: _Entry, asked: list[str]) -> float:
    """Return from 0 to 1 how well the stems `asked`, a part of a name, stand for the whole; 0 if one is not in it."""
    score, used = 1.0, set()
    for word in asked:
        match = word if word in entry.words else next((w for w in entry.words if root(w) == root(word)), None)
        if match is None and word not in entry.extra:
            return 0.0
        if match:
            score *= 1.0 if match == word else 0.7
            used.add(match)
    rest = entry.words - used - VAGUE
    if not used or not rest:
        return score if used else 0.0
    for word in rest:
        score *= REST.get(word, 0.9 if word == entry.head and word in _UNIT_STEMS else 0.55)
    return score * (0.95 if entry.head in used or entry.head in REST or entry.head in _UNIT_STEMS else 0.8)


def _forms(words: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Return the stems of a name as they are and, if it has short forms, with these written out."""
    written = written_out(words)
    return (words,) if written == words else (words, written)


def _meant(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the stems of a table's name without the vague ones ("data", "list"), unless all are."""
    return tuple(w for w in words if w not in VAGUE) or words


def _expanded(words: tuple[str, ...]) -> tuple[frozenset[str], ...]:
    """Return the long form of a single stem that is a known short form, else nothing."""
    return (frozenset(SHORT[words[0]]),) if len(words) == 1 and words[0] in SHORT else ()


def _comments(thing: Table | Column) -> Iterator[frozenset[str]]:
    """Yield the stems of those of a comment's first three phrases that are short enough to be names."""
    for part in re.split(r"[,;:()\n]", thing.comment)[:3]:
        words = re.findall(r"[^\W\d_]+", part)
        if 0 < len(words) <= 4:
            yield frozenset(stems(" ".join(words)))


def _hidden(catalog: Catalog) -> dict[Path, tuple[Column, ...]]:
    """Return the hidden columns of each table that has any, by its path."""
    hidden = catalog.grant.hidden
    found = {t.path: tuple(c for c in t.columns if (t.path, c.name) in hidden) for t in catalog.grant.tables}
    return {path: columns for path, columns in found.items() if columns}


def _vocabulary(catalog: Catalog) -> frozenset[str]:
    """Return the words by which names that are run together (`airportname`) can be split."""
    things: list[Table | Column] = [*catalog.tables, *(c for t in catalog.tables for c in t.columns)]
    names = [name for thing in things for name in called(thing)]
    words = {word for name in names for word in cut_name(name)}
    words |= set(map(singular, words))
    return frozenset(w for w in words if len(w) >= 3) | frozenset(COMMON) | frozenset(SHORT)
