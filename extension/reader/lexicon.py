"""What the words of a question may name: tables and columns under every form that people write them in."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import islice, product

from askwhere.engine import Column, Table
from askwhere.indexer.abbreviations import shortens, shortness
from askwhere.indexer.catalog import Catalog
from askwhere.reader.english import PATRONS, SAME, SHORT, WORKERS, stems
from askwhere.reader.flags import Truth, Truths
from askwhere.reader.joins import Path
from askwhere.reader.names import COMMON, called, copied, cut_name, parted, root, starts
from askwhere.reader.naming import person_names
from askwhere.reader.nearness import Nearness, is_english
from askwhere.reader.phrases import LINKING, WORD
from askwhere.reader.seconds import is_second
from askwhere.reader.tokens import stem

_FILLERS = {stem(w) for w in "of in by the to from a an for and on at s yn is has was".split()}
_VAGUE = {
    stem(w) for w in "data list table tbl info ref details record records master all the of in at s by to".split()
}
_REST = {"name": 0.9, "titl": 0.88, "code": 0.75, "id": 0.6, "number": 0.68, "type": 0.6, "text": 0.75, "detail": 0.8,
         "descript": 0.75, "valu": 0.8, "full": 0.8, "offici": 0.85, "common": 0.8, "dollar": 0.9, "usd": 0.9,
         "million": 0.9, "billion": 0.9, "km": 0.9, "mm": 0.9, "percent": 0.85, "yn": 0.7, "amount": 0.8,
         "current": 0.8, "other": 0.55, "date": 0.75, "year": 0.7, "time": 0.72, "total": 0.72, "kg": 0.9, "metr": 0.9,
         "m": 0.9, "ft": 0.9, "level": 0.75, "flag": 0.8, "short": 0.55, "long": 0.55}  # fmt: skip

# How near a word must be to one of the schema, and how much nearer to it than to any other of them.
_NO_NOUN = re.compile(r"(?:ed|ly|ic|ous|est|ful)\Z")
_NEAR, _NEARER = 0.4, 0.05
_BASE, _SLOPE = 0.45, 0.3  # what is left of the score of such a word, by how near it is
_PLAIN = 0.8  # the score of what is named so well that nothing shorter is looked for
_INITIALS = 0.75
READ_AS = "read as"  # begins the note of what was found in short, before which the question's own words belong
_MOST_SHORT = 6  # ways to write several words in short
_SECOND = 0.85  # what is said of employees is less likely of those that they report to


@dataclass(frozen=True)
class Sense:
    """One thing that words may stand for: a table, columns of it (first and last name go together) or a value."""

    table: Table
    columns: tuple[Column, ...] = ()
    score: float = 1.0
    value: str | float | int | tuple[str, ...] | None = None  # a flag's is what says yes; of a person, both names
    note: str = ""

    @property
    def column(self) -> Column:
        """The only or first column."""
        return self.columns[0]


@dataclass(frozen=True)
class _Entry:
    sense: Sense
    words: frozenset[str]  # without the table's own words
    head: str
    extra: frozenset[str]  # the table's own words, which may be said or left out


class Lexicon:
    """The names of one catalog, by the stems of the words that people write for them.

    Some `views` and their columns are known by their full names only.
    """

    def __init__(self, catalog: Catalog, views: frozenset[Path] = frozenset(), flags: Truths | None = None) -> None:
        self._flags = flags or {}
        self._exact: dict[frozenset[str], dict[tuple[object, ...], Sense]] = defaultdict(dict)
        self._loose: dict[str, list[_Entry]] = defaultdict(list)
        self._known = _vocabulary(catalog)
        self._keys = {(t.path, c.lower()): k.target for t in catalog.tables for k in t.foreign_keys for c in k.columns}
        self._second_paths = {t.path for t in catalog.tables if is_second(t)}
        self.words: set[str] = set()
        self.tables = tuple(t for t in catalog.tables if t.path not in views)
        self.people = {t.path: person_names(t) for t in catalog.tables}  # the first and last names of each table
        self.seconds: dict[Path, list[Table]] = defaultdict(list)  # of each table
        for second in filter(is_second, catalog.tables):
            self.seconds[second.path[:-1]].append(second)
        self._hidden = _hidden(catalog)
        for table in catalog.tables:
            self._add_table(table, loosely=table.path not in views)
        self._shorts = self._short_words()
        self.find = lru_cache(maxsize=20_000)(self._find)
        self.guess = lru_cache(maxsize=5_000)(self._guess)
        self._nearness = cache(lambda: Nearness(sorted(w for w in self.words if len(w) > 2)))

    def _add_table(self, table: Table, loosely: bool) -> None:
        owns = [_meant(words) for words in self.names(table)]
        for words, meant in zip(self.names(table), owns, strict=True):
            for form in _forms(words):
                self._put(frozenset(form), Sense(table, score=1.0))
                self._put(frozenset(w for w in form if w not in _VAGUE), Sense(table, score=0.97))
            if loosely:
                self._loosen(_Entry(Sense(table), frozenset(meant), meant[-1] if meant else "", frozenset()))
        for said in _comments(table):
            self._put(said, Sense(table, score=0.95))
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
        known = _SECOND if is_second(table) else 1.0
        for form in _forms(words):
            whole = frozenset(form)
            said = frozenset(w for w in form if w not in _FILLERS) or whole
            rest = frozenset(w for w in said if w not in own and not starts(w, own) and len(w) > 1) or said
            refers = (table.path, column.name.lower()) in self._keys and (column.name,) != table.primary_key
            # A key that is named like what it refers to mostly means that thing: "country" is the country's name.
            # And an "id" without more is a thing's own.
            weight = (0.93 if said & {"id", "code", "number", "name"} else 0.55) if refers else 1.0
            if self._keys.get((table.path, column.name.lower())) in self._second_paths:
                self._put(whole, Sense(table, (column,), score=weight))  # people report, they do not `ReportsTo`
                continue
            plain = ((whole, 1.0), (said, 1.0), (said | own, 0.98))
            for forms, score in plain if refers and rest != said else (*plain, (rest, 0.97), (rest | own, 0.97)):
                self._put(forms, Sense(table, (column,), score * weight * known))
            head = next((w for w in reversed(form) if w in rest), form[-1]) if form else ""
            if loosely:
                self._loosen(_Entry(Sense(table, (column,), known), rest, head, own))

    def names(self, thing: Table | Column) -> list[tuple[str, ...]]:
        """The words of a table's or column's name and of its synonyms, parted, and as a question would copy them."""
        return list(dict.fromkeys(words for name in called(thing) for words in (self.split(name), copied(name))))

    def _put(self, words: frozenset[str], sense: Sense) -> None:
        if words:
            self.words |= words
            self._exact[words].setdefault((sense.table.path, *(c.name for c in sense.columns)), sense)

    def _loosen(self, entry: _Entry) -> None:
        for word in entry.words:
            self._loose[word].append(entry)
            if root(word) != word:
                self._loose[root(word)].append(entry)

    def split(self, name: str) -> tuple[str, ...]:
        """The stems of a name's words: `SourceAirport`, `source_airport` and `sourceairport` are alike."""
        return tuple(stem(part) for word in cut_name(name) for part in parted(word, self._known))

    def truth(self, sense: Sense) -> Truth | None:
        """What says yes in the column of a sense, if it says yes or no."""
        return self._flags.get((sense.table.path, sense.column.name)) if len(sense.columns) == 1 else None

    def hides(self, sense: Sense) -> bool:
        """Whether a sense is a column that must stay unread: it is known so that no other is taken for it."""
        return any(c in self._hidden.get(sense.table.path, ()) for c in sense.columns)

    def named(self, words: tuple[str, ...]) -> tuple[Sense, ...]:
        """What plain words, not yet stems, may name, best first."""
        return self.find(tuple(stem(word) for word in words))

    def persons(self) -> tuple[Sense, ...]:
        """The tables of people, of whom "who" asks; those who work less likely than those who buy."""
        found = {}
        for table in self.tables:
            words = {word for name in self.names(table) for word in name}
            if not is_second(table) and (words & (PATRONS | WORKERS) or self.people[table.path]):
                found[table.path] = Sense(table, score=0.9 if words & PATRONS else 0.8 if words & WORKERS else 0.5)
        return tuple(found.values())

    def _guess(self, words: tuple[str, ...]) -> tuple[Sense, ...]:
        """What plain words that name nothing may be meant for: names that are near to them in what they mean.

        Each has a note of what was guessed.
        """
        strange = [word for word in words if self._is_strange(word)] if len(words) <= 3 else []
        if len(strange) != 1:
            return ()
        return tuple(
            replace(sense, score=sense.score * left, note=f"“{strange[0]}” read as {_spoken(sense)}")
            for other, left in self._nearest(strange[0])
            for sense in self.find(tuple(other if word == strange[0] else stem(word) for word in words))
        )

    def _is_strange(self, word: str) -> bool:
        """Whether a word, a noun by its form, names nothing here and says nothing by itself."""
        known = stem(word)
        if not (word.islower() and len(word) > 2) or _NO_NOUN.search(word) or known in _VAGUE or known in _REST:
            return False
        says = {word, known} & LINKING or (word,) in WORD
        return not (says or known in self._loose or self.find((known,)))

    def _nearest(self, word: str) -> list[tuple[str, float]]:
        """The word of the schema that a word is near to in what it means, and what is left of the score."""
        found = self._nearness().nearest(stem(word))
        near = [score for _, score in found]
        sure = near and near[0] >= _NEAR and near[0] - max(near[1:], default=0.0) >= _NEARER
        return [(found[0][0], _BASE + _SLOPE * near[0])] if sure else []

    def _find(self, words: tuple[str, ...]) -> tuple[Sense, ...]:
        """What these stems may name, best first; where they name little as they are, what is short for them, too."""
        found = self._find_written(words)
        if len(words) > 3 or (found and found[0].score >= _PLAIN):
            return found
        kept = {(s.table.path, s.columns): s for s in found}
        for said, left in self._in_short(words):
            for sense in self._find_written(said):
                other = kept.get((sense.table.path, sense.columns))
                if other is None or other.score < sense.score * left:
                    note = f"{READ_AS} {_spoken(sense)}"
                    kept[sense.table.path, sense.columns] = replace(sense, score=sense.score * left, note=note)
        return tuple(sorted(kept.values(), key=lambda s: -s.score)[:24])

    def _in_short(self, words: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], float]]:
        """The words that a schema may write for these, which it has not, and what is left of the score."""
        initials = "".join(word[0] for word in words)
        if len(words) > 1 and initials in self._shorts:
            yield (initials,), _INITIALS
        others = [((word, 1.0),) if word in self.words else self._shorter(word) for word in words]
        if all(others) and not all(word in self.words for word in words):
            for said in islice(product(*others), _MOST_SHORT):
                yield tuple(word for word, _ in said), min(left for _, left in said)

    def _shorter(self, word: str) -> tuple[tuple[str, float], ...]:
        """The words of the schema that are short for a word, or that it is short for, best first."""
        if len(word) < 3 or any(operator.kind not in ("tail", "unit") for operator in WORD.get((word,), ())):
            return ()
        same = [next(iter(other)) for other in SAME.get(frozenset({word}), ()) if len(other) == 1]
        said = [(_ending_in_y(word), 1.0), *((_ending_in_y(other), 0.85) for other in same)]
        found = {n: max(left * shortness(_ending_in_y(n), other) for other, left in said) for n in self._shorts}
        if not is_english(word):
            longer = [name for name in self.words if shortens(word, name)]
            found |= {name: max(shortness(word, name), found.get(name, 0.0)) for name in longer}
        return tuple(sorted(((n, 0.85 * left) for n, left in found.items() if left), key=lambda one: -one[1])[:3])

    def _short_words(self) -> frozenset[str]:
        """The words of the schema that may be short for others: not English, or small where many are not."""
        words = {w for w in self.words if w.isalpha() and w not in SHORT and w not in COMMON and w not in _FILLERS}
        strange = {w for w in words if not is_english(w)}
        small = {w for w in words if len(w) <= 5} if 4 * len(strange) > len(words) else set()
        return frozenset(strange | small)

    def _find_written(self, words: tuple[str, ...]) -> tuple[Sense, ...]:
        """What these stems name as they are, best first; a plain match hides looser ones of the same column."""
        found: dict[tuple[object, ...], Sense] = {}
        for sense in (*self._plainly(words), *self._loosely(words)):
            key = (sense.table.path, tuple(c.name for c in sense.columns))
            if key not in found or found[key].score < sense.score:
                found[key] = sense
        best = max((s.score for s in found.values() if not s.columns), default=0.0)
        named = {s.table.path for s in found.values() if not s.columns and s.score >= 0.97}
        # "Visits" are the things, and not the `visited_on` of a visit, which has no word of its own.
        found = {k: s for k, s in found.items() if not s.columns or not self._says_its_table(s, named)}
        # "Invoice" is the thing itself, and not the date of the invoice.
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
        """Tables with a vague word more, as `Order Details` for "orders", come after one that is named in full."""
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
        """Whether a table is worth a thought beside the best one: it bears one of the very words."""
        named = any(set(words) & set(name) for name in self.names(sense.table))
        return sense.score >= best - (0.5 if named else 0.15)

    def _key_to(self, sense: Sense, tables: set[tuple[str, ...]]) -> bool:
        """Whether a sense is a key to one of these tables: the thing itself is meant then, and not its key."""
        return len(sense.columns) == 1 and self._keys.get((sense.table.path, sense.column.name.lower())) in tables

    def _plainly(self, words: tuple[str, ...]) -> Iterator[Sense]:
        asked = frozenset(w for w in words if w not in _FILLERS) or frozenset(words)
        yield from self._exact.get(asked, {}).values()
        for size in range(len(words), 0, -1):
            for start in range(len(words) - size + 1):
                part = frozenset(words[start : start + size])
                for other in (*SAME.get(part, ()), *_expanded(words[start : start + size])):
                    for sense in self._exact.get(asked - part | other, {}).values():
                        yield replace(sense, score=sense.score * 0.85)

    def _by_synonym(self, word: str) -> Iterator[Sense]:
        """Columns that have a synonym of a word as part of their name: `UnitPrice` for "cost"."""
        same = [next(iter(other)) for other in SAME.get(frozenset({word}), ()) if len(other) == 1]
        for other in same:
            for entry in (e for e in self._loose.get(other, ()) if e.sense.columns):
                key = (entry.sense.table.path, entry.sense.column.name.lower()) in self._keys
                if not key and (score := _looseness(entry, [other])):
                    yield replace(entry.sense, score=score * 0.85 * entry.sense.score)

    def _loosely(self, words: tuple[str, ...]) -> Iterator[Sense]:
        asked = [w for w in words if w not in _FILLERS]
        if not 0 < len(asked) <= 3:
            return
        for word in asked[-1:]:
            if len(asked) == 1 and word not in self._loose and root(word) not in self._loose:
                yield from self._by_synonym(word)
            for entry in (*self._loose.get(word, ()), *(self._loose.get(root(word), ()) if root(word) != word else ())):
                if score := _looseness(entry, asked):
                    alone = not entry.sense.columns and self._tables_of(word) == 1
                    kind = not entry.sense.columns and entry.head == word and self._kinds_of(word) == 1
                    least = 0.85 if kind else 0.7 if alone else 0.0  # "orders" are the `salesOrder`, and no `orderLine`
                    yield replace(entry.sense, score=max(score * entry.sense.score, least))

    def _kinds_of(self, word: str) -> int:
        """How many tables are of a kind of thing: the last word of their names."""
        named = (e for e in self._loose.get(word, ()) if not e.sense.columns and not is_second(e.sense.table))
        return len({entry.sense.table.path for entry in named if entry.head == word})

    def _tables_of(self, word: str) -> int:
        """How many tables bear a word in a name."""
        return len({entry.sense.table.path for entry in self._loose.get(word, ()) if not entry.sense.columns})


def _ending_in_y(word: str) -> str:
    """A stem as words end: `specialti` is that of specialty."""
    return f"{word[:-1]}y" if word.endswith("i") else word


def _spoken(sense: Sense) -> str:
    """The name of what a sense stands for."""
    return ", ".join(f"{sense.table.name}.{c.name}" for c in sense.columns) or sense.table.name


def _looseness(entry: _Entry, asked: list[str]) -> float:
    """How well part of a name stands for the whole of it; 0 where it does not."""
    score, used = 1.0, set()
    for word in asked:
        match = word if word in entry.words else next((w for w in entry.words if root(w) == root(word)), None)
        if match is None and word not in entry.extra:
            return 0.0
        if match:
            score *= 1.0 if match == word else 0.7
            used.add(match)
    rest = entry.words - used - _VAGUE
    if not used or not rest:
        return score if used else 0.0
    for word in rest:
        score *= _REST.get(word, 0.55)
    return score * (0.95 if entry.head in used or entry.head in _REST else 0.8)


def _forms(words: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """A name's words as written, and with its short forms written out."""
    written = tuple(w for word in words for w in SHORT.get(word, (word,)))
    return (words,) if written == words else (words, written)


def _meant(words: tuple[str, ...]) -> tuple[str, ...]:
    """A table's words without those that say nothing, if any say something."""
    return tuple(w for w in words if w not in _VAGUE) or words


def _expanded(words: tuple[str, ...]) -> tuple[frozenset[str], ...]:
    return (frozenset(SHORT[words[0]]),) if len(words) == 1 and words[0] in SHORT else ()


def _comments(thing: Table | Column) -> Iterator[frozenset[str]]:
    """The first phrases of a comment, where they are short enough to be names."""
    for part in re.split(r"[,;:()\n]", thing.comment)[:3]:
        words = re.findall(r"[^\W\d_]+", part)
        if 0 < len(words) <= 4:
            yield frozenset(stems(" ".join(words)))


def _hidden(catalog: Catalog) -> dict[Path, tuple[Column, ...]]:
    """The hidden columns of each table."""
    hidden = catalog.grant.hidden
    found = {t.path: tuple(c for c in t.columns if (t.path, c.name) in hidden) for t in catalog.grant.tables}
    return {path: columns for path, columns in found.items() if columns}


def _vocabulary(catalog: Catalog) -> frozenset[str]:
    things: list[Table | Column] = [*catalog.tables, *(c for t in catalog.tables for c in t.columns)]
    names = [name for thing in things for name in called(thing)]
    words = {word for name in names for word in cut_name(name)}
    singular = {w[:-1] for w in words if w.endswith("s") and len(w) > 4}
    return frozenset(w for w in words | singular if len(w) >= 3) | frozenset(COMMON) | frozenset(SHORT)
