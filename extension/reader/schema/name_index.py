"""Index the names of tables and columns by their stems: in full, in part, written out, and from comments."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import permutations, takewhile

from askwhere.engine import Column, Table
from askwhere.frozen import frozen
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.word_forms import CONVENTIONAL, is_participle, singular
from askwhere.reader.schema.edges import Path, goes_between
from askwhere.reader.schema.naming import dated_headers, person_names
from askwhere.reader.schema.roles import is_role, is_second
from askwhere.reader.schema.senses import Sense
from askwhere.reader.words.english import SHORT, stems, written_out
from askwhere.reader.words.months import is_by_month
from askwhere.reader.words.names import COMMON, called, copied, cut_name, joined, parted, root, starts
from askwhere.reader.words.tokens import stem
from askwhere.reader.words.types import is_date
from askwhere.reader.words.units import SUFFIXES, names_duration

# Stems that are ignored in names and questions.
FILLERS = {stem(w) for w in "of in by the to from a an for and on at s yn is has was".split()}
# Stems that add nothing to a table's name.
VAGUE = {
    stem(w)
    for w in (
        "data list table tbl dim fact lkp vw info ref details header hdr record records master all the of in at s by to"
    ).split()
}
# Stems that a question may leave out of a name, each with the factor by which the score falls.
REST = {"name": 0.9, "titl": 0.88, "code": 0.75, "id": 0.6, "number": 0.68, "type": 0.6, "text": 0.75, "detail": 0.8,
         "descript": 0.75, "valu": 0.8, "full": 0.8, "offici": 0.85, "common": 0.8, "dollar": 0.9, "usd": 0.9,
         "million": 0.9, "billion": 0.9, "km": 0.9, "mm": 0.9, "percent": 0.85, "yn": 0.9, "fl": 0.9, "amount": 0.8,
         "current": 0.8, "other": 0.55, "date": 0.75, "year": 0.7, "time": 0.72, "total": 0.72, "kg": 0.9, "metr": 0.9,
         "m": 0.9, "ft": 0.9, "level": 0.75, "flag": 0.9, "short": 0.55, "long": 0.55, "cost": 0.5,
         "averag": 0.8, "quantiti": 0.8}  # fmt: skip
_UNIT_STEMS = frozenset(map(stem, SUFFIXES)) - REST.keys()
# The score of a link table by its own name, where that is rather one of the two tables that it links.
_LINK = 0.6
# The factor for a column whose table's name is said without its last word: a "customer id" is no `customer_orders.id`.
_OTHER_OWNER = 0.8
# The factor for columns of second tables (see `roles`): "salary" is rather the employee's than the manager's.
_SECOND = 0.85


@frozen
class Entry:
    """A name that can be found by a part of its stems (`words`), for a column without those of its table's name."""

    sense: Sense
    words: frozenset[str]
    head: str  # the last of them, which says what kind of thing it is
    extra: frozenset[str]  # stems that a question may add, for a column those of its table's name
    owner: str = ""  # for a column the last stem of its table's name, which says whose column it is


class NameIndex:
    """The names of one catalog's tables and columns, each under the set of its stems.

    `exact` has the senses that a set of stems names in full, `loose` the names of which a stem is a part, `words` all
    stems. The tables in `views`, and their columns, are in `exact` alone.
    """

    def __init__(self, catalog: Catalog, views: frozenset[Path]) -> None:
        self.exact: dict[frozenset[str], dict[tuple[object, ...], Sense]] = defaultdict(dict)
        self.loose: dict[str, list[Entry]] = defaultdict(list)
        self.words: set[str] = set()
        self.keys = {(t.path, c.lower()): k.target for t in catalog.tables for k in t.foreign_keys for c in k.columns}
        self.hidden = _hidden(catalog)
        self.people = {t.path: person_names(t) for t in catalog.tables}  # each table's pairs of first and last name
        self._known = _vocabulary(catalog)
        self.split = lru_cache(maxsize=20_000)(self._split)  # many tables have columns of the same names
        self._implied = _implied_names(catalog)
        self._second_paths = {t.path for t in catalog.tables if is_second(t)}
        self.named_after = self._named_after({t.path: t for t in catalog.tables})
        for table in catalog.tables:
            self._add_table(table, loosely=table.path not in views)
        # The lexicon asks for each entry of a word: without a cache that is quadratic in the tables that a word names.
        self.kinds_of = lru_cache(maxsize=20_000)(self._count_kinds_of)
        self.tables_of = lru_cache(maxsize=20_000)(self._count_tables_of)

    def _add_table(self, table: Table, loosely: bool) -> None:
        """Add the names of a table and its columns; with `loosely`, also to be found by a part of their words."""
        owns = list(dict.fromkeys(_meant(form) for words in self.names(table) for form in _forms_of_rows(words)))
        named = self.named_after.get(table.path, table)
        fit = 1.0 if named is table else _LINK
        for words in self.names(table):
            for form in _forms_of_rows(words):
                self._put(frozenset(form), Sense(named, score=1.0))
                self._put(frozenset(form), Sense(table, score=fit))
                self._put(frozenset(w for w in form if w not in VAGUE), Sense(table, score=0.97 * fit))
                if loosely and not is_role(table):
                    words_of_rows = _meant(form)
                    if any(map(is_by_month, table.columns)):  # a "month" is then that of a date, and no row
                        words_of_rows = tuple(w for w in words_of_rows if w != "month") or words_of_rows
                    extra = {*_meant(form)} - {*words_of_rows}
                    sense = Sense(table, score=fit)
                    self._loosen(Entry(sense, frozenset(words_of_rows), words_of_rows[-1], frozenset(extra)))
        for phrase in _comments(table):
            self._put(phrase, Sense(table, score=0.95))
        if is_role(table):
            return
        for column in (*table.columns, *self.hidden.get(table.path, ())):
            if is_by_month(column):
                continue  # "by month" is by the month of a certain year, as of a date
            for words in self.names(column):
                for own in owns:
                    self._add_column(table, column, words, own, loosely)
            for phrase in _comments(column):
                self._put(phrase, Sense(table, (column,), 0.95))
        for columns in self.people[table.path]:
            for words, score in ((("name",), 0.97), (("full", "name"), 1.0), (("first", "last", "name"), 1.0)):
                pair = Sense(table, columns, score)
                for own in ((), *owns):
                    self._put(frozenset((*words, *own)), pair)

    def _named_after(self, tables: Mapping[Path, Table]) -> dict[Path, Table]:
        """Return for each link table that is named after both tables that it links the one named last, by path.

        That is what the name means: a "film category" is a category, and no row of `film_category`.
        """
        after: dict[Path, Table] = {}
        for table in filter(goes_between, tables.values()):
            own = set(self.names(table))
            ends = [tables[key.target] for key in table.foreign_keys if key.target in tables]
            for first, last in permutations(ends, 2):
                if any((*one, *other) in own for one in self.names(first) for other in self.names(last)):
                    after[table.path] = last
        return after

    def _add_column(
        self, table: Table, column: Column, words: tuple[str, ...], owner: tuple[str, ...], loosely: bool
    ) -> None:
        """Add one name of a column, given as stems; `owner` is its table's name, in stems too."""
        own = frozenset(owner)
        fit = _SECOND if is_second(table) else 1.0
        for form in forms_of(words):
            whole = frozenset(form)
            content = frozenset(w for w in form if w not in FILLERS) or whole
            rest = frozenset(w for w in content if w not in own and not starts(w, own) and len(w) > 1) or content
            refers = (table.path, column.name.lower()) in self.keys and (column.name,) != table.primary_key
            # A word that names a foreign key mostly means the table that it refers to: "country" is the country's
            # name. And "id" alone is the primary key.
            weight = (0.93 if content & {"id", "code", "number", "name"} else 0.55) if refers else 1.0
            if self.keys.get((table.path, column.name.lower())) in self._second_paths:
                self._put(whole, Sense(table, (column,), score=weight))  # else "reports" would name `ReportsTo`
                continue
            plain = ((whole, 1.0), (content, 1.0), (content | own, 0.98))
            for forms, score in plain if refers and rest != content else (*plain, (rest, 0.97), (rest | own, 0.97)):
                self._put(forms, Sense(table, (column,), score * weight * fit))
            if len(form) > 1 and names_duration(column):  # `response_min` is the response time
                self._put(frozenset((*form[:-1], "time")), Sense(table, (column,), 0.95 * fit))
            if is_date(column) and "date" not in content:  # `hired_on` is the hire date
                self._put(rest | {"date"}, Sense(table, (column,), 0.95 * fit))
            if "per" in form[1:]:  # the `cost_per_portion` is a cost
                before = frozenset(form[: form.index("per")])
                self._put(before, Sense(table, (column,), 0.6 * weight * fit))
                self._put(before | own, Sense(table, (column,), 0.6 * weight * fit))
            head = next((w for w in reversed(form) if w in rest), form[-1]) if form else ""
            if loosely:
                score = fit * (weight if content & {"id"} else 1.0)
                self._loosen(Entry(Sense(table, (column,), score), rest, head, own, owner[-1]))

    def names(self, thing: Table | Column) -> list[tuple[str, ...]]:
        """Return the stems of a thing's name and synonyms, cut by `split` and by `copied`, and in one (`joined`).

        A table also has the names that its key and its lines imply (`_implied_names`).
        """
        implied = self._implied.get(thing.path, ()) if isinstance(thing, Table) else ()
        forms = ((self.split(name), copied(name), joined(name)) for name in (*called(thing), *implied))
        return list(dict.fromkeys(words for named in forms for words in named if words))

    def ends_in(self, thing: Table | Column, word: str) -> bool:
        """Return whether a stem is the last word of a thing's name, written out: "type" of `jobtyp`."""
        return any(form[-1] == word for words in self.names(thing) for form in forms_of(words))

    def _put(self, words: frozenset[str], sense: Sense) -> None:
        """Let a set of stems name a sense, unless it names the same columns already."""
        if words:
            self.words |= words
            self.exact[words].setdefault((sense.table.path, *(c.name for c in sense.columns)), sense)

    def _loosen(self, entry: Entry) -> None:
        """Let an entry be found by each of its words, and by their roots."""
        for word in entry.words:
            self.loose[word].append(entry)
            if root(word) != word:
                self.loose[root(word)].append(entry)

    def _split(self, name: str) -> tuple[str, ...]:
        """Return the stems of a name's words: the same for `SourceAirport`, `source_airport` and `sourceairport`."""
        words = cut_name(name)
        return tuple(stem(part) for word in words for part in parted(word, self._known, len(words) == 1))

    def _count_kinds_of(self, word: str) -> int:
        """Return how many tables have a word as the last one of their names, second tables aside."""
        named = (e for e in self.loose.get(word, ()) if not e.sense.columns and not is_second(e.sense.table))
        return len({entry.sense.table.path for entry in named if entry.head == word})

    def _count_tables_of(self, word: str) -> int:
        """Return how many tables have a word in a name."""
        return len({entry.sense.table.path for entry in self.loose.get(word, ()) if not entry.sense.columns})


def looseness(entry: Entry, asked: list[str]) -> float:
    """Return how well the stems `asked` stand for the whole name, from 0, where it lacks one of them, to 1."""
    score, used, added = 1.0, set(), False
    for word in asked:
        match = word if word in entry.words else next((w for w in entry.words if root(w) == root(word)), None)
        if match is None and word not in entry.extra:
            return 0.0
        if match:
            score *= 1.0 if match == word else 0.7
            used.add(match)
        added = added or not match
    if added and entry.owner and entry.owner not in asked:
        score *= _OTHER_OWNER
    rest = entry.words - used - VAGUE
    if not used or not rest:
        return score if used else 0.0
    for word in sorted(rest):  # so that rounding is the same in every process
        score *= REST.get(word, 0.9 if word == entry.head and word in _UNIT_STEMS else 0.55)
    return score * (0.95 if entry.head in used or entry.head in REST or entry.head in _UNIT_STEMS else 0.8)


def _implied_names(catalog: Catalog) -> dict[Path, tuple[str, ...]]:
    """Return by path further names of tables for what their rows are, those that no table has and only one would get.

    One is implied by the key, `paper` for `PaperStock` with `paperId`, and one by the lines of a document, by the words
    with which the names of both begin: `ord` for `ord_hd` with the lines `ord_ln`.
    """
    single = ((t, cut_name(t.primary_key[0])) for t in catalog.tables if len(t.primary_key) == 1)
    foreign = {t.path for t in catalog.tables for key in t.foreign_keys if key.columns == t.primary_key}
    keyed = {t.path: tuple(w[:-1]) for t, w in single if len(w) > 1 and w[-1] == "id" and t.path not in foreign}
    taken = {tuple(map(stem, cut_name(name))) for t in catalog.tables for name in called(t)}
    implied: dict[Path, tuple[str, ...]] = {}
    for names in (keyed, _document_names(catalog)):
        free = {path: words for path, words in names.items() if tuple(map(stem, words)) not in taken}
        shared = Counter(free.values())
        for path, words in free.items():
            if shared[words] == 1:
                implied[path] = (*implied.get(path, ()), "_".join(words))
    return implied


def _document_names(catalog: Catalog) -> dict[Path, tuple[str, ...]]:
    """Return for each table of documents (`dated_headers`) the words with which its name and its lines' name begin."""
    names: dict[Path, tuple[str, ...]] = {}
    for line in catalog.tables:
        for path in dated_headers(line, catalog.tables):
            pairs = zip(cut_name(line.name), cut_name(path[-1]), strict=False)
            words = tuple(word for word, _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
            if not VAGUE.issuperset(map(stem, words)):
                names[path] = words
    return names


def forms_of(words: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Return the stems of a name, and if there are short forms among them, also with these written out."""
    written = written_out(words)
    return (words,) if written == words else (words, written)


def _forms_of_rows(words: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Return the forms of a table's name without participles: complaints are `cmpl`, and nothing "completed" is."""
    return forms_of(words) if _DONE.isdisjoint(words) else (words,)


_DONE = frozenset(short for short, meaning in CONVENTIONAL.items() if is_participle(meaning))


def _meant(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the stems of a table's name without the vague ones ("data", "list"), unless all are.

    Members of a crew are the crew.
    """
    if words[-1:] == ("member",) and words[-2:-1] and words[-2] in _COLLECTIVE:
        words = words[:-1]
    return tuple(w for w in words if w not in VAGUE) or words


_COLLECTIVE = frozenset(map(stem, "crew staff cast faculty personnel".split()))  # nouns for all of some people


def _comments(thing: Table | Column) -> Iterator[frozenset[str]]:
    """Yield the stems of each of the first three phrases of a comment that has at most four words, like a name."""
    for part in re.split(r"[,;:()\n]", thing.comment)[:3]:
        words = re.findall(r"[^\W\d_]+", part)
        if 0 < len(words) <= 4:
            yield frozenset(stems(" ".join(words)))


def _hidden(catalog: Catalog) -> dict[Path, tuple[Column, ...]]:
    """Return the hidden columns of each table that has any, by its path."""
    hidden = {
        t.path: tuple(c for c in t.columns if (t.path, c.name) in catalog.grant.hidden) for t in catalog.grant.tables
    }
    return {path: columns for path, columns in hidden.items() if columns}


def _vocabulary(catalog: Catalog) -> frozenset[str]:
    """Return the words by which names that are run together (`airportname`) can be split."""
    things: list[Table | Column] = [*catalog.tables, *(c for t in catalog.tables for c in t.columns)]
    names = [name for thing in things for name in called(thing)]
    words = {word for name in names for word in cut_name(name)}
    words |= set(map(singular, words))
    return frozenset(w for w in words if len(w) >= 3) | frozenset(COMMON) | frozenset(SHORT)
