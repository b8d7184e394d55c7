"""Read a question's marks once from left to right into a draft, or raise `Stuck` at the mark that does not fit.

The grammar is that of English questions: first a prefix ("for each …"), then what is asked for, then conditions,
groups and order in any sequence. Only words without a meaning of their own are skipped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from askwhere.reader.grammar.cursor import END, Stuck
from askwhere.reader.grammar.dating import ASKS_WHEN
from askwhere.reader.grammar.draft import Draft, Key, Term
from askwhere.reader.grammar.preparing import prepare
from askwhere.reader.grammar.presently import overdue, still
from askwhere.reader.grammar.restrictions import restriction
from askwhere.reader.grammar.settling import settle
from askwhere.reader.grammar.whether import Whether
from askwhere.reader.marking.formulas import dates_of
from askwhere.reader.marking.marks import Mark, is_timely, looks_like_year
from askwhere.reader.schema.lexicon import PATRON, Lexicon, Sense
from askwhere.reader.schema.naming import key_columns, name_columns
from askwhere.reader.schema.roles import LEADING, is_role, is_second
from askwhere.reader.words.measures import ASKED
from askwhere.reader.words.names import asks_for_key
from askwhere.reader.words.phrases import LINKING
from askwhere.reader.words.tokens import is_singular, stem
from askwhere.reader.words.types import is_date, is_text
from askwhere.reader.words.verbs import AUXILIARY, is_act, names_an_act, names_doer

_ENDS = frozenset("maximum minimum highest lowest most least largest smallest total average".split())
_FIGURES = frozenset("amount amounts total totals sum sums count counts number numbers figure figures".split())
_SITUATED = frozenset(map(stem, "located situated held hosted based placed".split()))
_SELLS = frozenset({"sell"})
_DOES = frozenset("do does did are were have has".split())
_WITH = ("with", "with a", "with an")
_AFTER_EACH = ("end", "stop", "comma", "order", "direction")
_AFTER_BY = ("end", "stop", "comma", "order", "direction", "and")


class Restriction(Stuck):
    """The grammar fits, but one mark restricts the answer and is not understood; it must not be left out."""


def draft(marks: tuple[Mark, ...], lexicon: Lexicon, whole: tuple[Mark, ...] = ()) -> Draft:
    """Return the draft of a question's marks. Raises `Stuck`, or `Restriction` for one that is not understood.

    `whole` are all marks of the question, where some of them were left out of `marks`.
    """
    meaning = Grammar(marks, lexicon).question()
    if found := restriction(whole or marks, lexicon.tables):
        raise Restriction(found)
    return meaning


class Grammar(Whether):
    """The whole grammar: reads a question from its first mark to its last."""

    def question(self) -> Draft:
        """Read all marks and return the draft. Raises `Stuck`."""
        prepare(self)
        self.whether() if self.asks_whether() else self.asked()
        self.modifiers()
        if self.at < len(self.marks):
            raise Stuck(self.peek())
        if not self.out.outputs and self.out.star is None:
            raise Stuck(self.marks[-1] if self.marks else END)
        settle(self)
        asked, what, does, *_ = (*self.marks, END, END, END)
        which = asked.text in ("which", "what") and what.kind == "column" and len(self.out.outputs) == 1
        hangs = next((m for m in self.marks[::-1] if m.kind != "stop"), END).kind == "prep"  # "the towns we ship to"
        plain = len(self.out.outputs) == 1 and not self.out.outputs[0].counts and self.out.outputs[0].slot is not None
        self.out.once = (which and bool(_DOES & set(does.text.split()[:1]))) or (hangs and plain)
        if self.out.whether and (len(self.out.outputs) != 1 or self.out.groups or self.out.limit is not None):
            raise Stuck(self.marks[-1])
        return self.out

    def asked(self) -> None:
        """Read what is asked for: outputs, or the subject of "who rented …"."""
        self.prefix()
        self.opening()
        self.no_act()
        asks_who = any(m.text.split()[0] == "who" for m in self.marks[max(self.at - 2, 0) : self.at])
        acts = self.peek().kind == "table" and stem(self.peek().text) in LINKING
        acts = acts or (
            self.peek().kind == "value" and self.after("value", "fill").kind == "table"
        )  # "who lost parcels"
        acts = acts or (
            self.peek().kind == "column" and names_an_act(self.peek().text) and self.peek(1).kind != "table"
        )
        # "who repaired the Luna", "who rode it"
        who = self.at > 0 and self.marks[self.at - 1].text == "who"
        recorded = self.peek().kind == "table" and (who or names_an_act(self.peek().text))
        acts = acts or (recorded and not any(is_role(s.table) or is_second(s.table) for s in self.peek().senses))
        if asks_who and self.doer():
            return
        dated = self.done_when()
        if not (dated or (asks_who and acts) or self.when_done()):
            self.outputs()
        if not self.out.outputs and (dated or asks_who):
            self.who()

    def prefix(self) -> None:
        """Read what comes before the thing asked for: "for each country, …", "in 2014, …"."""
        self.skip("fill", "comma")
        if self.peek().kind in ("each", "period"):
            self.period() if self.peek().kind == "period" else self.each()
            self.skip("comma", "fill")
        elif self.peek().kind == "prep":
            comma = next((i for i, m in enumerate(self.marks) if m.kind == "comma"), None)
            if comma is None or not any(m.kind in ("open", "count") for m in self.marks[comma : comma + 3]):
                return
            self.modifiers(comma)
            self.skip("comma")

    def opening(self) -> None:
        """Read how a question opens: "what are all the", "sort"."""
        if self.peek().kind == "order" and self.peek().text in ("sort", "order"):
            self.take()
            self.sort_by = True
        self.skip("open", "fill", "all", "be", "comma")

    def no_act(self) -> None:
        """Raise `Stuck` where a thing and what was done to it are taken for its column: "pupils born in 2014"."""
        mark = self.peek()
        said = mark.text.split() if mark.kind == "column" else []
        if len(said) > 1 and is_act(said[-1]) and self.peek(1).kind in ("prep", "when", "between", "days", "comp"):
            raise Stuck(mark)

    def doer(self) -> bool:
        """Read the verb of "who directed Heat" where a column of names is called after its doer, `director`.

        The column is shown. Returns False, with nothing read, where there is none.
        """
        mark = self.peek()
        verb = stem(mark.text.split()[-1]) if mark.kind in ("column", "link") and mark.text else ""
        keys = {(t.path, c) for t in self.lexicon.tables for key in t.foreign_keys for c in key.columns}
        doers = tuple(
            Sense(t, (c,), 0.95)
            for t in self.lexicon.tables
            for c in t.columns
            if verb and is_text(c) and (t.path, c.name) not in keys and names_doer([c.name], verb)
        )
        if not doers or self.peek(1).kind != "value":
            return False
        self.out.outputs.append(Term(self.slot(replace(self.take(), kind="column", senses=doers))))
        return True

    def who(self) -> None:
        """Read the subject of "who rented …": a slot for the tables of people, which is shown.

        With a verb such as "manages" the tables are those of the people over others; with "was hired in" they are those
        that have the date.
        """
        held = [s.table for s in self.peek().senses if not is_second(s.table)] if self.done_when() else []
        dated = tuple(map(Sense, held))
        led = LEADING & set(self.out.verbs)
        over = tuple(Sense(t) for t in self.lexicon.tables if t.path in self.lexicon.seconds) if led else ()
        senses = over or dated or self.lexicon.persons()
        senses = self.having(senses)
        said = {stem(w) for m in self.marks[self.at : self.at + 1] for w in m.text.split()[-1:]}
        named = tuple(s for s in senses if any(names_doer((s.table.name,), verb) for verb in said))
        senses = named or senses  # "who adopted Rex": the adopters
        if self.says(_SELLS):
            senses = tuple(s for s in senses if s.score < PATRON)  # customers buy
        if not senses or self.peek().kind not in ("link", "table", "column", "value", "have", "not", "without"):
            raise Stuck(self.marks[self.at - 1])
        slot = self.thing(replace(self.marks[self.at - 1], kind="table", senses=senses))
        self.out.several = True
        self.out.outputs.append(Term(slot))

    def having(self, people: tuple[Sense, ...]) -> tuple[Sense, ...]:
        """Return of people those with a key to what follows "who has" or "who has no", or all where none have one."""
        thing = self.after("have", "without", "fill")
        told = {s.table.path for s in thing.senses if thing.kind == "table" and thing is not self.peek()}
        return tuple(s for s in people if told & {key.target for key in s.table.foreign_keys}) or people

    def when_done(self) -> bool:
        """Read "when was Ann hired", "where is the club located": show the date, or place, that the last verb says.

        Returns False for another question, and where no value says which row is meant.
        """
        asked = self.marks[0].text if self.marks else ""
        if asked not in ("when", "where") or self.at > 1:
            return False
        acts = [m for m in self.marks[1:] if m.kind == "link" or (m.kind == "column" and is_act(m.text))]
        verb = acts[-1] if acts else END
        senses = dates_of(verb, self.lexicon) if asked == "when" else self.places(verb)
        if not acts or not senses or not any(m.kind in ("value", "number") for m in self.marks):
            return False
        self.marks = tuple(replace(m, kind="link", senses=()) if m is verb else m for m in self.marks)
        self.at = 1
        self.skip("be", "fill", "have")
        self.out.outputs.append(Term(self.slot(replace(verb, kind="column", senses=senses))))
        return True

    def places(self, verb: Mark) -> tuple[Sense, ...]:
        """Return the columns of places that a verb names, "located", or else all that "where" may ask for."""
        if verb.kind == "column":
            return verb.senses
        named = (s for words in ASKED[("where",)] for s in self.lexicon.named(words))
        return tuple(s for s in named if s.columns and s.score >= 0.9) if stem(verb.text) in _SITUATED else ()

    def done_when(self) -> bool:
        """Return whether "who was" is followed by a verb that names dates alone, and a time: "hired in 2014"."""
        mark, before = self.peek(), " ".join(m.text for m in self.marks[: self.at])
        asked = before.endswith(("who was", "who were", "who is", "who are"))
        verb = mark.kind == "column" and all(is_timely(sense) for sense in mark.senses)
        return asked and verb and self.peek(1).kind in ("prep", "when", "between", "days", "comp")

    def modifiers(self, end: int | None = None) -> None:
        """Read conditions, groups and order in any sequence, up to the mark with index `end` or to the last."""
        readers: dict[str, Callable[[], None]] = {
            "prep": self.prep,
            "rel": self.relative,
            "have": self.advance,
            "fill": self.advance,
            "be": self.advance,
            "all": self.advance,
            "link": self.done,
            "stop": self.stop,
            "comma": self.joined,
            "and": self.joined,
            "or": self.alternative,
            "either": self.advance,
            "not": self.no,
            "without": self.without,
            "except": self.without,
            "both": self.both_of,
            "order": self.sorting,
            "direction": self.direction,
            "spread": self.spread,
            "each": self.each,
            "period": self.period,
            "money": self.money_said,
            "margin": self.formula_said,
            "stocked": self.stocked,
            "current": lambda: still(self),
            "overdue": lambda: overdue(self),
            "sup": self.superlative,
            "supcount": self.most,
            "ordinal": self.place_of_order,
            "superlative": self.rank_by,
            "common": self.rank_common,
            "comp": self.compared,
            "more": self.more_than_average,
            "when": self.dated,
            "between": self.dated,
            "days": self.in_days,
            "comparative": self.measured_test,
            "like": self.liked,
            "column": self.column_said,
            "null": self.missing,
            "value": self.value_said,
            "number": self.number_said,
            "table": self.table_said,
            "their": self.more_outputs,
            "count": self.more_outputs,
            "agg": self.aggregated,
            "distinct": self.advance,
            "average": self.aggregated,
            "open": self.asked_again,
            "kept": self.kept,
            "none": self.keeping,
        }
        while self.at < (len(self.marks) if end is None else end):
            reader = readers.get(self.peek().kind)
            if reader is None:
                raise Stuck(self.peek())
            reader()

    def advance(self) -> None:
        """Move past a mark that adds nothing."""
        self.take()

    def stop(self) -> None:
        """Read the end of a sentence; what follows is said of the focus again."""
        if self.also_none():
            return
        self.take()
        self.current = self.out.focus

    def prep(self) -> None:
        """Read a preposition; "by" may group or sort, and "with" may list more to show."""
        mark = self.take()
        if mark.text == "by" and self.sort_by:
            self.sort_by = False
            down = self.accept("direction")
            self.out.order.append(Key(self.key(), bool(down and down.argument == "desc")))
            return
        if self.with_one(mark):
            return
        if mark.argument == "with" and self.with_figures():
            return
        if mark.text in _WITH and self.flags(self.peek()) and self.peek(1).kind not in ("and", "comma", "column"):
            self.flagged()  # "stops with a shelter"
            return
        if mark.argument == "with" and self.lists_more():
            self.more()
            return
        joined = self.at > 1 and self.marks[self.at - 2].kind == "and"
        self.skip("fill", "all")
        follow = self.peek()
        if joined and follow.kind in ("end", "stop", "comma", "rel", "order", "direction", "not", "be", "without"):
            raise Stuck(mark)  # "the date from and to": the preposition is part of a name
        if mark.text in ("with a", "with an", "with the") and follow.kind in ("end", "stop"):
            raise Stuck(mark)
        counted = any(t.counts or t.distinct for t in self.out.outputs)
        plain = not self.out.order and not counted
        if (
            mark.text == "by"
            and follow.kind == "column"
            and plain
            and self.peek(1).kind in ("end", "stop", "direction")
        ):
            self.out.order.append(Key(Term(self.slot(self.take(), self.about()))))
            return
        plainly = mark is self.marks[self.at - 1] and self.marks[self.at - 2].kind not in ("link", "be")
        if mark.text == "by" and follow.kind == "table" and counted and plainly and not follow.text.endswith("s"):
            self.each_thing()  # "fines by member", but not "books by authors" or "written by the author"
            return
        ends = self.peek(1).kind in _AFTER_BY
        if mark.text == "by" and follow.kind == "table" and plainly and ends and self.out.limit:
            raise Stuck(mark)  # "the longest film by language" is one of all films, or one of each language
        alone = follow.start == mark.end and self.out.star is None and bool(self.out.outputs)
        if mark.text == "by" and follow.kind == "table" and plainly and ends and plain and alone:
            self.listed_by()  # "films by category"
            return
        # "sales by country in 2010"
        dated = self.peek(1).argument == "in" and (looks_like_year(self.peek(2)) or self.peek(2).kind == "days")
        if (
            mark.text == "by"
            and follow.kind == "column"
            and counted
            and (ends or dated or self.peek(1).argument == "of")
        ):
            self.out.groups.append(self.slot(self.take()))

    def keeping(self) -> None:
        """Read "with none" behind what was asked for."""
        if not self.also_none():
            raise Stuck(self.peek())

    def listed_by(self) -> None:
        """Read the thing by which others are listed, "films by category": it is shown first, and sorted by."""
        slot = self.slot(self.take(), self.about())
        self.out.mentions.append(slot)
        self.out.outputs.insert(0, Term(slot))
        self.out.order.append(Key(Term(slot)))

    def with_figures(self) -> bool:
        """Read "with the amounts" behind a ranking: what it is by is shown as well. Returns False for other words."""
        start = self.at
        self.skip("fill", "their")
        ends = self.peek().text in _FIGURES and self.peek(1).kind in ("end", "stop")
        by = self.out.order[-1].term if self.out.order else Term(None)
        if not ends or not by.counts:
            self.at = start
            return False
        self.take()
        if not any(t.counts for t in self.out.outputs) and by != self.ranked_by:
            self.out.outputs.append(by)
        return True

    def lists_more(self) -> bool:
        """Return whether only names of things to show follow "with": "with the customer's name and the date"."""
        rest = self.marks[self.at :]
        end = next((i for i, m in enumerate(rest) if m.kind in ("stop", "comma", "order", "direction")), len(rest))
        kinds = [m.kind for m in rest[:end] if m.kind not in ("fill", "their", "all")]
        named = (
            self.out.focus is not None and bool(self.out.outputs) and set(kinds) <= {"column", "table", "own", "and"}
        )
        first = any(m.text.split()[0] in _ENDS for m in rest[:end])  # "with the maximum length" picks one
        # "Tracks with album and artist" shows both; "with an album" and "with albums" are conditions.
        bare = [m for m in rest[:end] if m.kind == "table"]
        ends = kinds[-1:] == ["column"] or (
            kinds == ["table", "and", "table"] and end == 3 and all(is_singular(m.text) for m in bare)
        )
        return named and ends and kinds[0] != "and" and self.out.limit is None and not first

    def relative(self) -> None:
        """Read a relative pronoun: "who", "that", "whose"."""
        mark = self.take()
        before = self.marks[self.at - 2].kind if self.at > 1 else "stop"
        if mark.text in ("when", "where") and before in ("stop", "and") and self.peek().kind in ("fill", "be"):
            raise Stuck(mark)  # begins a second question
        if mark.text in ("who", "which") and before == "and" and not self.out.tests:
            raise Stuck(mark)  # "and who sold them" does, too
        if mark.text == "whose" and self.peek().kind == "table" and self.peek(1).kind == "column":
            self.thing(self.take())
        said = self.marks[self.at - 2] if self.at > 1 else END
        if mark.text == "whose" and self.peek().text in ("name", "names") and said.kind == "column":
            self.column_condition(replace(self.peek(), senses=said.senses))  # "publishers whose name contains …"

    def each(self) -> None:
        """Read a phrase that groups: "for each country", "per branch"."""
        self.take()
        self.each_thing()
        while (
            self.peek().kind == "and" and self.peek(1).kind in ("table", "column") and self.peek(2).kind in _AFTER_EACH
        ):
            self.take()  # "jobs per press and product type"
            self.each_thing()

    def period(self) -> None:
        """Read a period to group by, "per month". Raises `Stuck` where "by year" may as well mean an order."""
        mark = self.take()
        counted = any(t.counts or t.slot in self.totals for t in self.out.outputs)
        things = [t for t in self.out.outputs if t.slot is not None and not self.out.slots[t.slot].senses[0].columns]
        if self.out.outputs and not counted and (len(self.out.outputs) > 1 or not things or mark.text == "by year"):
            raise Stuck(mark)
        self.out.groups.append(self.dated_by(mark))

    def money_said(self) -> None:
        """Read money as a condition, "with revenue above 1000", or else as one more thing to show."""
        place = self.here()
        if self.tested(self.money()):
            return
        self.back(place)
        if self.marks[self.at - 1].kind not in ("and", "comma", "prep", "fill", "their"):
            raise Stuck(self.peek())
        self.more()

    def each_thing(self) -> None:
        """Read what to group by: a thing, one of its columns, or a column alone."""
        self.skip("fill", "all", "distinct")
        if self.peek().kind == "value" and self.peek(1).kind == "table":
            self.value_test()  # "each cancelled order"
        mark = self.peek()
        had = 1 if mark.kind == "have" else 0  # "and how many loans does each have?"
        if self.peek(had).kind in ("end", "stop") and len({t.counts for t in self.out.outputs}) == 2:
            self.at += had
            return
        if mark.kind == "table":
            owner = self.slot(self.take(), None)
            self.out.mentions.append(owner)
            self.current = owner
            if self.accept("own"):
                self.skip("fill")
            elif self.is_plain_verb():
                self.take()  # "how many parts did each client order"
            elif self.peek().kind == "column" and is_act(self.peek().text) and not self.peek(1).senses:
                own = {s.table.path for s in mark.senses}
                if not any(s.table.path in own for s in self.peek().senses):
                    raise Stuck(self.peek())  # "how much has each band paid" is not by the day of payment
            if self.peek().kind == "column" and self.peek(1).kind not in ("comp", "between", "value", "like", "when"):
                self.out.groups.append(self.slot(self.take(), owner, True))
            else:
                self.out.groups.append(owner)
        elif mark.kind == "column" and (things := self.referred(mark)):
            self.take()
            slot = self.slot(replace(mark, kind="table", senses=things), None)
            self.out.mentions.append(slot)
            self.out.groups.append(slot)
        elif mark.kind == "column":
            slot = self.slot(self.take(), None)
            self.out.groups.append(slot)
            self.owner(slot) if self.peek().argument == "of" else None
        else:
            raise Stuck(mark)

    def is_plain_verb(self) -> bool:
        """Return whether "did" stands before, and a verb comes last that only names a date: "did each client order"."""
        mark = self.peek()
        asked = any(m.kind == "fill" and AUXILIARY & {*m.text.split()} for m in self.marks[: self.at])
        dates = mark.kind == "column" and all(is_date(s.column) for s in mark.senses)
        return asked and dates and not ASKS_WHEN & {*mark.text.split()} and self.peek(1).kind in ("end", "stop")

    def referred(self, mark: Mark) -> tuple[Sense, ...]:
        """Return the tables whose rows a mark names by a key to them, "support rep": `SupportRepId`.

        Nothing is returned where its best sense is no key, or the question says that it means the key.
        """
        if not mark.senses or asks_for_key(mark.text):
            return ()
        best = [s for s in mark.senses if s.score >= mark.senses[0].score - 0.05]
        targets = {key.target for s in best for key in s.table.foreign_keys if key.columns == (s.column.name,)}
        keyed = all(any(key.columns == (s.column.name,) for key in s.table.foreign_keys) for s in best)
        tables = [t for t in self.lexicon.tables if t.path in targets]
        named = all(name_columns(t) != key_columns(t) for t in tables)
        return tuple(Sense(t, (), mark.senses[0].score) for t in tables) if keyed and named else ()
