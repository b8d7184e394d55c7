"""Look up the tables and columns that words of a question may name, by their stems.

A name is found as it is written, in part, by synonyms, and by short forms; a score from 0 to 1 says how well it fits.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache, lru_cache

from askwhere.engine import Table
from askwhere.indexer.catalog import Catalog
from askwhere.reader.schema.edges import Path
from askwhere.reader.schema.name_index import FILLERS, NameIndex, forms_of, looseness
from askwhere.reader.schema.naming import key_columns
from askwhere.reader.schema.persons import persons
from askwhere.reader.schema.roles import is_role, is_second
from askwhere.reader.schema.senses import Sense, spoken
from askwhere.reader.schema.short_forms import ShortForms
from askwhere.reader.words.english import OPPOSITES, SAME, SHORT, stems
from askwhere.reader.words.money import MONEY
from askwhere.reader.words.names import KEY_WORDS, full_stems, root
from askwhere.reader.words.nearness import Nearness, alike, is_english
from askwhere.reader.words.tokens import stem
from askwhere.reader.words.types import Truth, Truths, is_date, is_number

_OF_SECOND = 0.98  # the score of a second table by a part of its name
_OF_DAYS = frozenset(stems("night morning noon afternoon evening midnight weekend day today yesterday tomorrow"))
_TIMES = frozenset(stems("hour hourly day daily week weekly month monthly year yearly night nightly"))
_SYNONYM = 0.85  # the factor for each synonym
_PLAIN = 0.8  # from this score on, short forms are not looked for
_MOST = 24  # senses of some words
READ_AS = "read as"  # begins the note of a sense by a short form; whoever shows it puts the question's words before it


class Lexicon(NameIndex):
    """The names of one catalog's tables and columns, to be looked up by the words that people write for them.

    The tables in `views`, and their columns, are found by their full names only. `flags` has the value for yes of each
    column of yes and no.
    """

    def __init__(self, catalog: Catalog, views: frozenset[Path] = frozenset(), flags: Truths | None = None) -> None:
        super().__init__(catalog, views)
        self._flags = flags or {}
        self.flagged = {path for path, _ in self._flags}  # the paths of the tables with columns of yes and no
        self.tables = tuple(t for t in catalog.tables if t.path not in views and not is_role(t))
        self.roles = tuple(t for t in catalog.tables if is_role(t))
        self.seconds: dict[Path, list[Table]] = defaultdict(list)  # the second tables of each table
        for second in filter(is_second, catalog.tables):
            self.seconds[second.path[:-1]].append(second)
        self._shorts = ShortForms(self.words, self.tables)
        self.find = lru_cache(maxsize=20_000)(self._find)
        self.near = lru_cache(maxsize=5_000)(self._near)
        self.persons = cache(lambda: persons(self, self.tables, self.seconds))
        self._nearness = cache(lambda: Nearness(sorted(w for w in self.words if len(w) > 2)))

    def truth(self, sense: Sense) -> Truth | None:
        """Return the value for yes in the column of a sense, None if the column is no flag."""
        return self._flags.get((sense.table.path, sense.column.name)) if len(sense.columns) == 1 else None

    def hides(self, sense: Sense) -> bool:
        """Return whether a sense is of a hidden column.

        The lexicon has hidden columns so that their words are refused, and not taken for other columns.
        """
        return any(c in self.hidden.get(sense.table.path, ()) for c in sense.columns)

    def named(self, words: tuple[str, ...]) -> tuple[Sense, ...]:
        """Return the senses of words that are not stemmed yet, best first."""
        return self.find(tuple(stem(word) for word in words))

    def _near(self, word: str) -> list[tuple[str, float]]:
        """Return stems of the schema that a stem may be meant for, with chances: near in meaning, or else in spelling.

        The vectors of opposites are near to each other, but nobody means the one by the other; so with those of times.
        """
        if not is_english(word):
            return alike(word, self.words)
        if word in _OF_DAYS:
            return []  # "at night" is near to `hours`, which says nothing of when
        opposites = OPPOSITES.get(word, frozenset())
        return [(name, chance) for name, chance in self._nearness().likely(word) if name not in opposites]

    def writes(self, word: str) -> bool:
        """Return whether a stem, or one of its root, is a word of a name, or is a synonym of such words.

        Other words find names only by short forms and by their vectors.
        """
        same = any(words <= self.words for words in SAME.get(frozenset({word}), ()))
        return same or word in self.words or word in self.loose or root(word) in self.loose

    def _find(self, words: tuple[str, ...]) -> tuple[Sense, ...]:
        """Return the senses of these stems, best first, `_MOST` at most.

        If none scores `_PLAIN` or more, names that are short forms of the stems are added, with a note.
        """
        written = self._find_written(words)
        if len(words) > 3 or (written and written[0].score >= _PLAIN):
            return written
        if not written and len(words) == 1 and not is_english(words[0]) and alike(words[0], self.words):
            return ()  # a slip of a name, "voluteers", is no short form of another
        best = {(s.table.path, s.columns): s for s in written}
        shorts = [(short, factor, self._find_written(short)) for short, factor in self._shorts.of(words)]
        whole = {s.table.path for short, _, of in shorts for s in of if not s.columns and short in self.names(s.table)}
        for short, factor, senses in shorts:
            for sense in senses:
                if whole and not sense.columns and sense.table.path not in whole:
                    continue  # an "incident" is `incdt`, and no `inc_type`
                if len(short) < len(words) and sense.score < 0.9:
                    continue  # "overtime hours" are `ot_hrs`, and no `qty_oh`
                other = best.get((sense.table.path, sense.columns))
                if other is None or other.score < sense.score * factor:
                    note = f"{READ_AS} {spoken(sense)}"
                    best[sense.table.path, sense.columns] = replace(sense, score=sense.score * factor, note=note)
        return tuple(sorted(best.values(), key=lambda s: -s.score)[:_MOST])

    def _find_written(self, words: tuple[str, ...]) -> tuple[Sense, ...]:
        """Return the senses of these stems without short forms, best first, one for each table or column.

        Columns are left out where the same words rather mean their table, or the one that they refer to.
        """
        partly = tuple(self._loosely(words))
        best: dict[tuple[object, ...], Sense] = {}
        for sense in (*self._plainly(words), *_ranked_below(self._by_synonyms(words), partly), *partly):
            key = (sense.table.path, tuple(c.name for c in sense.columns))
            if key not in best or best[key].score < sense.score:
                best[key] = sense
        scores = {s.table.path: s.score for s in best.values() if not s.columns}
        highest = max(scores.values(), default=0.0)
        in_full = {path for path, score in scores.items() if score >= 0.97}
        of_rows = any(t.path in in_full for t in self.tables)  # and not in a role: "opened", by somebody
        likely = {path for path, score in scores.items() if score >= max(highest - 0.15, 0.9)}

        def is_meant(sense: Sense) -> bool:
            if not sense.columns:
                return self._is_near(sense, highest, words)
            if sense.table.path in in_full and (sense.score < 0.9 or self._says_its_table(sense)):
                return False  # "invoice" names the table in full, and not its columns `invoice_date` or `invoiced_on`
            if of_rows and len(sense.columns) == 1 and is_date(sense.column) and len(words) == 1:
                return False  # "market" names the table, and not another one's `market_day`
            return not self._is_key_to(sense, likely, scores)

        kept = [sense for sense in best.values() if is_meant(sense)]
        return tuple(sorted(self._in_full_first(kept, words), key=lambda s: -s.score)[:_MOST])

    def _says_its_table(self, sense: Sense) -> bool:
        """Return whether a column is named after its table alone, with a filler: `visited_on` of visits."""
        if len(sense.columns) != 1:
            return False
        own = {word for name in self.names(sense.table) for word in name}
        return all(set(name) & FILLERS and set(name) - FILLERS <= own for name in self.names(sense.column))

    def _in_full_first(self, senses: list[Sense], words: tuple[str, ...]) -> list[Sense]:
        """Return the senses with less score for tables that the words name in part, if they name another in full.

        So "orders" is `Orders` before `Order Details`. The name of some link tables is that of what they link.
        """
        asked = frozenset(words)
        full = {
            self.named_after.get(s.table.path, s.table).path
            for s in senses
            if not s.columns and any(asked in map(frozenset, forms_of(name)) for name in self.names(s.table))
        }
        return [
            replace(s, score=s.score * 0.7) if full and not (s.columns or s.table.path in full) else s for s in senses
        ]

    def _is_near(self, sense: Sense, highest: float, words: tuple[str, ...]) -> bool:
        """Return whether a table's score is near the `highest`; it may be lower if its name has one of the words."""
        named = any(set(words) & set(name) for name in self.names(sense.table))
        return sense.score >= highest - (0.5 if named else 0.15)

    def _is_key_to(self, sense: Sense, tables: set[Path], scores: dict[Path, float]) -> bool:
        """Return whether a sense is a key that is not meant, as its table or the one that it refers to is.

        That is a foreign key to one of `tables`, or the key of a table whose own score, of those by path, is as good:
        "staff" are `emp`, and no `emp_no`.
        """
        path, column = sense.table.path, sense.column
        key = self.keys.get((path, column.name.lower())) if len(sense.columns) == 1 else None
        own = sense.columns == key_columns(sense.table)
        own = own and {*full_stems(column.name)} - {*full_stems(sense.table.name)} <= KEY_WORDS
        return key in tables or (own and scores.get(path, 0.0) >= sense.score)

    def _plainly(self, words: tuple[str, ...]) -> Iterator[Sense]:
        """Yield the senses that these stems name in full."""
        asked = frozenset(w for w in words if w not in FILLERS) or frozenset(words)
        yield from self.exact.get(asked, {}).values()

    def _by_synonyms(self, words: tuple[str, ...]) -> Iterator[Sense]:
        """Yield the senses that these stems name in full, with a synonym or a long form for some of them."""
        for synonyms, factor in _with_synonyms(words):
            for sense in self._plainly(synonyms):
                yield replace(sense, score=sense.score * factor)

    def _by_synonym(self, word: str) -> Iterator[Sense]:
        """Yield columns, no foreign keys, with a synonym of a word as part of their name: `UnitPrice` for "cost"."""
        same = [next(iter(other)) for other in SAME.get(frozenset({word}), ()) if len(other) == 1]
        for other in same:
            for entry in (e for e in self.loose.get(other, ()) if e.sense.columns):
                key = (entry.sense.table.path, entry.sense.column.name.lower()) in self.keys
                if not key and (score := looseness(entry, [other])):
                    yield replace(entry.sense, score=score * _SYNONYM * entry.sense.score)

    def _loosely(self, words: tuple[str, ...]) -> Iterator[Sense]:
        """Yield the senses of which one to three stems name only a part, with scores by how much they leave out."""
        asked = [w for w in words if w not in FILLERS]
        if not 0 < len(asked) <= 3:
            return
        times = set(asked) <= _TIMES
        last = asked[-1]
        if len(asked) == 1 and last not in self.loose and root(last) not in self.loose:
            yield from self._by_synonym(last)
        for entry in (*self.loose.get(last, ()), *(self.loose.get(root(last), ()) if root(last) != last else ())):
            if times and any(not MONEY.isdisjoint(full_stems(c.name)) for c in entry.sense.columns):
                continue  # "nights" are no `nightly_rate`
            if score := looseness(entry, asked):
                alone = not entry.sense.columns and self.tables_of(last) == 1
                kind = not entry.sense.columns and entry.head == last and self.kinds_of(last) == 1
                least = 0.85 if kind else 0.7 if alone else 0.0  # "orders" is `salesOrder`, not `orderLine`
                # "Categories" are rather the rows of `mach_cat` than those over them, its second table.
                second = _OF_SECOND if is_second(entry.sense.table) else 1.0
                yield replace(entry.sense, score=second * max(score * entry.sense.score, least))


def _ranked_below(synonyms: Iterable[Sense], written: Iterable[Sense]) -> Iterator[Sense]:
    """Yield senses by synonyms, columns of numbers with less score than those among the `written` ones.

    So a "fee" is `fee_paid`, and no `price`, which is a fee where no name has the word.
    """
    best = max((s.score for s in written if _holds_numbers(s)), default=1.0)
    yield from (replace(s, score=min(s.score, 0.9 * best)) if _holds_numbers(s) else s for s in synonyms)


def _holds_numbers(sense: Sense) -> bool:
    """Return whether a sense is a column of numbers."""
    return len(sense.columns) == 1 and is_number(sense.column)


def _with_synonyms(words: tuple[str, ...], parts: int = 2) -> Iterator[tuple[tuple[str, ...], float]]:
    """Yield these stems with up to `parts` runs of them replaced by a synonym or long form, each with its factor."""
    for start in range(len(words) if parts else 0):
        for end in range(start + 1, len(words) + 1):
            run = words[start:end]
            for other in (*SAME.get(frozenset(run), ()), *_expanded(run)):
                before = (*words[:start], *other)
                yield (*before, *words[end:]), _SYNONYM
                for rest, factor in _with_synonyms(words[end:], parts - 1):
                    yield (*before, *rest), _SYNONYM * factor


def _expanded(words: tuple[str, ...]) -> tuple[frozenset[str], ...]:
    """Return the long form of a single stem that is a known short form, else nothing."""
    return (frozenset(SHORT[words[0]]),) if len(words) == 1 and words[0] in SHORT else ()
