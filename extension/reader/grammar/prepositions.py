"""Read what follows a preposition: a thing, a group, a sort key, or one more output."""

from __future__ import annotations

from dataclasses import replace

from askwhere.engine import Column, Table
from askwhere.reader.grammar.adding import FIGURES
from askwhere.reader.grammar.cursor import CLAUSE_ENDS, SENTENCE_ENDS, Stuck
from askwhere.reader.grammar.draft import Key, Term
from askwhere.reader.grammar.groups import Groups
from askwhere.reader.grammar.presently import lasted_then, lasts, time_behind, under_way
from askwhere.reader.marking.marks import Mark, key_of, looks_like_year
from askwhere.reader.marking.numeric import adds_up
from askwhere.reader.schema.naming import is_name, key_columns, name_columns, own_names, refers, timely
from askwhere.reader.schema.senses import Sense, paths_of
from askwhere.reader.words.tokens import is_singular
from askwhere.reader.words.types import is_number, is_text

_ENDS = frozenset("maximum minimum highest lowest most least largest smallest total average".split())
_BEING = ("on", "in", "under")  # "on loan", "in repair", "under repair"
_WITH = ("with", "with a", "with an")
_NO_THING = (*SENTENCE_ENDS, "comma", "rel", "order", "direction", "not", "be", "without")


def _named(table: Table) -> tuple[Column, ...]:
    """Return the columns that tell the rows of a table apart, and its dates."""
    return (*own_names(table), *key_columns(table), *timely(table))


class Prepositions(Groups):
    """The part of the grammar that tells what "of", "by" and "with" mean from what follows them."""

    def prep(self) -> None:
        """Read a preposition; "by" may group or sort, and "with" may list more to show."""
        mark = self.take()
        if mark.text == "by" and self.sort_by:
            self.sort_by = False
            down = self.accept("direction")
            self.out.order.append(Key(self.key(), bool(down and down.argument == "desc")))
            return
        if self.with_one(mark) or self.with_more(mark):
            return
        if mark.text in _BEING and (dates := under_way(self)):
            said = self.peek()
            self.table_said()
            if (time := time_behind(self)) is not None:
                lasted_then(self, said, dates, self.about(), time)
            else:
                lasts(self, said, dates, self.about(), False)
            return
        joined = self.at > 1 and self.marks[self.at - 2].kind == "and"
        self.skip("fill", "all")
        follow = self.peek().kind
        if joined and follow in _NO_THING:
            raise Stuck(mark)  # "the date from and to": the preposition is part of a name
        if mark.text in ("with a", "with an", "with the") and follow in SENTENCE_ENDS:
            raise Stuck(mark)
        if mark.text == "by" and follow == "column":
            self.by_column()
        elif mark.text == "by" and follow == "table":
            self.by_thing(mark)

    def with_more(self, mark: Mark) -> bool:
        """Read "with the amounts", "with a shelter", "with the customer's name" behind "with"; False for others."""
        if mark.argument == "with" and self.with_figures():
            return True
        if mark.text in _WITH and self.flags(self.peek()) and self.peek(1).kind not in ("and", "comma", "column"):
            self.flagged()  # "stops with a shelter"
            return True
        if mark.argument == "with" and self.lists_more():
            self.more()
            return True
        return False

    def counts_something(self) -> bool:
        """Return whether an aggregate, or what may become a sum, is shown."""
        return any(t.counts or t.distinct for t in self.out.outputs) or self.computes()

    def by_column(self) -> None:
        """Sort by the column that follows "by", or group by it where something is counted."""
        behind, counted = self.peek(1), self.counts_something()
        listed = behind.kind in SENTENCE_ENDS or (behind.kind == "comma" and self.peek(2).kind != "direction")
        listed = listed or self.limits_next()
        if not self.out.order and not counted and listed and self.names_kinds():
            self.out.outputs = [replace(self.out.outputs[0], rows=True)]
            self.out.groups.append(self.slot(self.take(), self.about(), True))
            return
        ends = behind.kind in SENTENCE_ENDS or self.limits_next()
        if not self.out.order and not counted and ends and self.adds_up_shown():
            self.out.outputs = [replace(self.out.outputs[0], agg="sum")]
            self.out.groups.append(self.slot(self.take()))  # "revenue by region"
            return
        if not self.out.order and not counted and listed and (shown := self.kinds_shown()) is not None:
            self.out.outputs = [Term(shown, rows=True)]
            self.out.groups += [self.slot(self.take(), self.about(), True), shown]  # "injuries by activity"
            return
        if not self.out.order and not counted and behind.kind in (*SENTENCE_ENDS, "direction"):
            self.out.order.append(Key(Term(self.slot(self.take(), self.about()), distinct=True)))
            return
        if counted and (behind.kind in CLAUSE_ENDS or self.limits_next() or behind.argument == "of"):
            self.out.groups.append(self.slot(self.take()))

    def kinds_shown(self) -> int | None:
        """Return the slot of a column of kinds that alone is shown, "severity", where another column of kinds is next.

        So "severity by cause" reads, whose rows are counted. None is returned for other outputs, also for names.
        """
        only = self.out.only_output
        told = any(m.kind in ("open", "rel", "order") for m in self.marks[: self.at])
        if told or only.slot is None or only.counts or only.formula or self.out.limit is not None:
            return None
        both = (self.out.slots[only.slot].senses, self.peek().senses)
        kinds = all(len(s.columns) == 1 and is_text(s.column) and not is_name(s) for senses in both for s in senses)
        of_rows = any(
            one.table is other.table or refers(one.table, other.table) for one in both[0] for other in both[1]
        )
        return only.slot if kinds and of_rows else None

    def limits_next(self) -> bool:
        """Return whether a time or a value that limits the rows is behind the next mark: "sales by country in 2010"."""
        behind = self.peek(1)
        limit = self.peek(2) if behind.kind in ("prep", "when", "between") else behind
        led = behind.kind != "prep" or behind.argument in ("in", "at", "from", "for", "since", "during")
        timely = limit.kind == "days" or (limit is not behind and looks_like_year(limit))
        return led and (timely or (behind.kind == "prep" and limit.kind == "value"))

    def adds_up_shown(self) -> bool:
        """Return whether amounts that are added up are all that is shown, and a column of text comes next."""
        only = self.out.only_output
        shown = self.out.slots[only.slot] if only.slot is not None and not only.counts else None
        told = any(m.kind in ("open", "rel", "order") for m in self.marks[: self.at])
        amounts = shown is not None and adds_up(replace(self.peek(), text=shown.text, senses=shown.senses))
        return amounts and not told and self.out.limit is None and all(is_text(s.column) for s in self.peek().senses)

    def titled(self) -> tuple[Sense, ...]:
        """Return the senses of the things that a title asks for, "bookings by …"; none where anything else is said."""
        only = self.out.only_output
        things = self.out.senses_at(only.slot)
        told = any(m.kind in ("open", "rel", "order") for m in self.marks[: self.at])
        return () if told or (things and things[0].columns) or self.out.limit is not None else things

    def names_kinds(self) -> bool:
        """Return whether things are asked for, and nothing else, "by" a column of kinds: "bookings by channel".

        So a title reads that has no verb; what is listed by a number, a date or the own name is sorted by it.
        """
        by = next(place for place in range(self.at - 1, -1, -1) if self.marks[place].kind == "prep")
        if not self.titled() or self.marks[by - 1].kind == "link":
            return False  # "cases won by the plaintiff"
        senses = [s for s in self.peek().senses if s.columns and s.score >= self.peek().senses[0].score - 0.1]
        return bool(senses) and all(is_text(s.column) and s.column not in _named(s.table) for s in senses)

    def by_thing(self, mark: Mark) -> None:
        """Group by the table that follows "by", or list by it; read nothing where "by" names who did something."""
        follow, counted = self.peek(), self.counts_something()
        bare = counted and follow.start == mark.end and is_singular(follow.text) and self.peek(1).kind != "value"
        if not bare and (mark is not self.marks[self.at - 1] or self.marks[self.at - 2].kind in ("link", "be")):
            return  # "written by the author"; but "hours driven by driver" are grouped
        ends = self.peek(1).kind in CLAUSE_ENDS
        if counted and (ends or not follow.text.endswith("s")):
            self.each_thing()  # "fines by member" or "members", but not "books by authors from Spain"
            return
        if ends and self.out.limit:
            raise Stuck(mark)  # "the longest film by language" is one of all films, or one of each language
        alone = follow.start == mark.end and self.out.star is None and bool(self.out.outputs)
        if ends and alone and not counted and not self.out.order:
            self.count_nameless()
            if self.counts_something():
                self.each_thing()  # "ticket sales by channel"
            else:
                self.listed_by()  # "films by category"

    def count_nameless(self) -> None:
        """Count the things that are asked for where they have no names, only numbers."""
        things = self.titled()
        nameless = bool(things) and all(
            not s.columns and name_columns(s.table) == key_columns(s.table) and is_number(key_columns(s.table)[0])
            for s in things
            if s.score >= things[0].score - 0.1
        )
        if nameless:
            self.out.outputs = [replace(self.out.outputs[0], rows=True)]

    def listed_by(self) -> None:
        """Read the thing behind "by" in "films by category": show it first, and sort by it."""
        slot = self.slot(self.take(), self.about())
        self.out.mentions.append(slot)
        self.out.outputs.insert(0, Term(slot))
        self.out.order.append(Key(Term(slot)))

    def with_figures(self) -> bool:
        """Read "with the amounts" behind a ranking or limit: what it is by is shown, too. Return False for other words.

        The words may be the name of the column that is added up: "top 3 hotels by room revenue, with the revenue".
        """
        start = self.at
        self.skip("fill", "their")
        limited = (t.term for group in self.out.tests for t in group if t.term.counts)
        by = self.out.order[-1].term if self.out.order else next(limited, Term(None))
        ranked = [s for s in self.out.senses_at(by.slot) if s.columns]
        named = any(s.columns and key_of(s) in map(key_of, ranked) for s in self.peek().senses)
        things = paths_of(self.out.senses_at(self.out.focus))
        summed = by.counts or (bool(things) and not any(s.table.path in things for s in ranked))
        said = summed and (named or (by.counts and self.peek().text in FIGURES))
        if not said or self.peek(1).kind not in SENTENCE_ENDS:
            self.at = start
            return False
        self.take()
        if by.counts and not any(t.counts for t in self.out.outputs) and by != self.ranked_by:
            self.out.outputs.append(by)
        return True

    def has_one(self, thing: Mark) -> bool:
        """Return whether each of the things asked for is of one row that `thing` names: the boat of a contract."""
        tables = [s.table for s in self.out.senses_at(self.out.focus) if not s.columns]
        return any(self.is_of(one, s.table) and one is not s.table for one in tables for s in thing.senses[:1])

    def lists_more(self) -> bool:
        """Return whether only names of things to show follow "with": "with the customer's name and the date"."""
        rest = self.marks[self.at :]
        end = next((i for i, m in enumerate(rest) if m.kind in ("stop", "comma", "order", "direction")), len(rest))
        kinds = [m.kind for m in rest[:end] if m.kind not in ("fill", "their", "all")]
        shown = {"column", "table", "own", "and", "count", "elapsed", "lateness", "computed", "excess"}
        named = bool(self.out.outputs) and set(kinds) <= shown
        done = any(m.kind == "column" and " " not in m.text and self.done_dates(m) for m in rest[:end])
        if done and "table" in kinds:
            return False  # "members with invoices unpaid"
        first = any(m.text.split()[0] in _ENDS for m in rest[:end])  # "with the maximum length" picks one
        # "Tracks with album and artist", "with price and artist" and "with the album" show these; "with albums" and
        # "with an album and a cover" are conditions.
        bare = [m for m in rest[:end] if m.kind == "table"]
        definite = {m.text for m in rest[:end] if m.kind in ("fill", "all")} <= {"the"}
        article = self.peek(-1).text.endswith(" the") or self.peek().kind == "fill"
        alone = definite and article and kinds == ["table"] and self.has_one(bare[0])
        named_things = alone or (definite and kinds[-2:] == ["and", "table"])
        singular = named_things and all(is_singular(m.text) for m in bare)
        ends = singular or kinds[-1:] in (["column"], ["elapsed"], ["lateness"], ["computed"], ["excess"])
        picked = self.out.limit is None or bool(self.out.order)  # "top 5 cities with population" says by what here
        return named and ends and kinds[0] != "and" and picked and not first
