"""Read a follow-up into the draft of the question before it: conditions, groups, order, limit, what is shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from askwhere.frozen import frozen
from askwhere.reader.grammar.cursor import SENTENCE_ENDS, Stuck
from askwhere.reader.grammar.draft import Draft, Key, Term, pruned
from askwhere.reader.grammar.restrictions import restriction
from askwhere.reader.grammar.said_first import order_as_said
from askwhere.reader.grammar.settling import settle
from askwhere.reader.marking.marks import Mark
from askwhere.reader.marking.numeric import is_key
from askwhere.reader.replacing import Replacing
from askwhere.reader.schema.lexicon import Lexicon
from askwhere.reader.schema.naming import name_columns
from askwhere.reader.schema.senses import Sense, paths_of
from askwhere.reader.search import Way
from askwhere.reader.words.dates import PERIODS
from askwhere.reader.words.measures import SIZES
from askwhere.reader.words.phrases import WAYS
from askwhere.reader.words.tokens import stem
from askwhere.reader.words.types import is_number

AGGREGATES = ("agg", "average")
_RANKS = ("sup", "superlative", "supcount", "ordinal", "nth")
# The kinds of marks that a follow-up may begin with, and that no question by itself begins with.
BEGINNINGS = frozenset(
    "prep each period order direction spread comp when between days without except not rel like value number null their"
    " stocked have sup superlative supcount ordinal nth either comparative".split()
)
_MEASURED = ("longer than", "shorter than", "older than")  # these say which column is meant


def _is_amount(sense: Sense) -> bool:
    """Return whether a sense is a column of numbers that may be added up."""
    return is_number(sense.column) and not is_key(sense.table, sense.column)


@frozen
class Meaning:
    """What a reading was made from: its draft, in which each slot has one sense, and the marks of its question."""

    draft: Draft
    way: Way


def chosen(draft: Draft, senses: tuple[Sense, ...]) -> Draft:
    """Return a copy of a draft in which each slot has only the sense that was chosen for it."""
    slots = [replace(slot, senses=(sense,)) for slot, sense in zip(draft.slots, senses, strict=True)]
    return replace(_copy(draft), slots=slots)


def _copy(draft: Draft) -> Draft:
    """Return a draft that can be changed without changing the other."""
    return replace(
        draft,
        slots=list(draft.slots),
        outputs=list(draft.outputs),
        tests=[list(group) for group in draft.tests],
        share=[list(group) for group in draft.share],
        both=list(draft.both),
        groups=list(draft.groups),
        order=list(draft.order),
        mentions=list(draft.mentions),
    )


def together(before: Way, marks: tuple[Mark, ...], score: float) -> tuple[Way, int]:
    """Return the marks of the question before and of a follow-up as one sequence, and the follow-up's first word in it.

    `score` is that of the follow-up's marks. A stop stands between the two.
    """
    end = max((m.end for m in before.marks), default=0)
    moved = tuple(replace(m, start=m.start + end + 1, end=m.end + end + 1) for m in marks)
    stop = Mark("stop", end, end + 1, 0.0, ".")
    return Way(before.score + score, (*before.marks, stop, *moved), before.left_out_at), end + 1


def refined(before: Draft, way: Way, start: int, how: str, lexicon: Lexicon) -> Draft:
    """Return the draft `before` refined by the marks of `way` from the word `start` on.

    `how` says how the follow-up refines, as in `FollowUp`. Raise `Stuck` at the mark that cannot be read.
    """
    reader = _Refining(way.read, lexicon, before, start, how)
    meaning = reader.refine()
    if unread := restriction(tuple(m for m in way.marks if m.start >= start), lexicon.tables):
        raise Stuck(unread)
    return pruned(meaning, reader.dropped)


class _Refining(Replacing):
    """The grammar of a follow-up, which changes the draft of the question before it as it reads its own marks."""

    def __init__(self, marks: tuple[Mark, ...], lexicon: Lexicon, before: Draft, start: int, how: str) -> None:
        super().__init__(marks, lexicon, how)
        self.out = _copy(before)
        self.at = next((i for i, m in enumerate(self.marks) if m.start >= start), len(self.marks))
        self.current = self.out.focus
        self.out.of_each = False  # `settle` sets it again

    def refine(self) -> Draft:
        """Read the follow-up and return the draft. Raise `Stuck`."""
        marks = self.marks[self.at :]
        self.out.toward |= frozenset(way for way, verbs in WAYS.items() for m in marks if stem(m.text) in verbs)
        self.out.verbs += tuple(stem(m.text) for m in marks if m.kind == "link")
        self.out.words |= frozenset(stem(word) for m in marks for word in m.text.split())
        if self.how == "count":
            self.number()
        elif self.how == "list" or (self.how == "which" and self.shows_number()):
            self.list_counted()
        elif not marks:
            raise Stuck(self.peek(-1))
        while self.after("fill", "comma", "all", "be", "stop", "and").kind != "end":
            self.skip("fill", "comma", "all", "be", "stop", "and")
            self.reading()()
        self.at = len(self.marks)
        settle(self)
        order_as_said(self)
        return self.out

    def reading(self) -> Callable[[], None]:
        """Return the method that reads the next part of the follow-up, by its first mark."""
        mark, after = self.peek(), self.peek(1)
        if mark.kind in ("each", "period") or (
            mark.text == "by" and self.after("prep", "fill", "all").kind in ("table", "column", "period")
        ):
            return self.regrouped
        if mark.kind in ("order", "direction", "spread"):
            return self.sorted
        comparison = after if mark.argument == "with" else mark  # "with more than 45"
        is_bare = comparison.kind == "comp" and comparison.text not in _MEASURED
        if is_bare and self.after("prep", "comp", "fill", "number").kind in SENTENCE_ENDS:
            return self.compared_alone
        if mark.kind in _RANKS or (mark.kind == "number" and after.kind in _RANKS):
            return self.ranked
        thing = self.after("prep", "fill", "all")
        bare = mark is thing or mark.argument == "for"
        if bare and thing.kind == "table" and thing is self.last_said() and len(self.counted_rows()) == 1:
            return self.recounted
        if mark.kind in AGGREGATES and self.after(*AGGREGATES, "fill").kind in SENTENCE_ENDS:
            return self.aggregated_alone
        if mark.argument == "with" and after.kind == "column" and self.peek(2).kind in SENTENCE_ENDS:
            return self.shown  # "with population"
        if mark.kind in ("their", "agg", "average", "money") or (
            mark.kind == "column" and self.how not in ("", "which")
        ):
            return self.shown
        if self.out.limit is not None and self.shows_number():
            raise Stuck(mark)  # "how many?" after "the cheapest one": of those, or of others that are the cheapest
        return self.restricted

    def last_said(self) -> Mark | None:
        """Return the last mark that is no filler or punctuation."""
        return next((m for m in reversed(self.marks) if m.kind not in ("fill", "stop", "comma")), None)

    def counted_rows(self) -> list[Term]:
        """Return the terms shown that count the rows of a table."""
        return [t for t in self.out.outputs if t.rows and t.slot is not None]

    def recounted(self) -> None:
        """Read another thing to count in place of the one before: "and for bikes?".

        Raise `Stuck` where only the first few are asked for, and where both may be meant: "bikes too".
        """
        out, (old,) = self.out, self.counted_rows()
        self.skip("prep", "fill", "all")
        mark = self.take()
        if self.how.endswith("also") or out.limit is not None or old.distinct:
            raise Stuck(mark)
        new = replace(old, slot=self.slot(mark))
        out.outputs = [new if t == old else t for t in out.outputs]
        out.order = [replace(key, term=new) if key.term == old else key for key in out.order]
        out.mentions = [new.slot if m == old.slot else m for m in out.mentions if new.slot is not None]
        out.focus = new.slot if out.focus == old.slot else out.focus

    def number(self) -> None:
        """Ask for the number of rows: "how many of them", "how many are there", also after a number of rows.

        After "the cheapest one" it is the number of those that are as cheap. Raise `Stuck` after any other limit.
        """
        out = self.out
        other = any(t.counts for t in out.outputs) and not self.shows_number()
        alone = self.after("fill", "stop").kind == "end"
        limited = out.limit is not None and not (out.limit == 1 and not out.passed and alone)
        if out.focus is None or out.groups or limited or out.both or out.whether or other:
            raise Stuck(self.peek(-1))
        out.outputs, out.star, out.distinct = [Term(out.focus, rows=True)], None, False
        out.several = True
        if out.limit is None:
            out.order = []

    def shows_number(self) -> bool:
        """Return whether the question before asks for a number of rows alone."""
        return self.out.outputs == [Term(self.out.focus, rows=True)]

    def list_counted(self) -> None:
        """Show the rows that were counted: "which ones?" after "how many books are there". Raise `Stuck` elsewhere."""
        out = self.out
        if not self.shows_number() or out.groups or out.limit is not None or out.both or out.whether:
            raise Stuck(self.peek(-1))
        out.outputs = [Term(out.focus)]

    def aggregated_alone(self) -> None:
        """Read "and the total?": of the only column of numbers that is shown, or of what the groups count."""
        out, mark = self.out, self.peek()
        names = self.agg_names()
        self.skip("fill")
        if len(names) != 1 or out.limit is not None or (len(out.outputs) != 1 and not out.groups):
            raise Stuck(mark)
        if out.groups:
            counts = [t for t in out.outputs if t.rows or t.agg == "sum"]
            if names != ["sum"] or len(counts) != 1 or any(t.term.counts for group in out.tests for t in group):
                raise Stuck(mark)
            self.ungroup()
            return
        (shown,) = out.outputs
        senses = () if shown.slot is None or shown.counts else out.slots[shown.slot].senses
        if not senses or not all(s.columns and _is_amount(s) for s in senses):
            raise Stuck(mark)
        self.show_aggregates([replace(shown, agg=names[0])])

    def shown(self) -> None:
        """Read what to show besides what is shown, "their emails too", or in its place, "only their names".

        A column with a comparison behind it restricts the rows instead: "only salary above 5". Raise `Stuck` where
        what is shown and what is added do not go together, such as a count of all rows and a column of each.
        """
        start, slots = self.at, len(self.out.slots)
        if self.peek().kind == "column" and self.column_condition(self.peek()):
            self.at = start
            del self.out.slots[slots:]
            self.out.tests.pop()
            self.restricted()
            return
        before = [] if self.how in ("instead", "only") else list(self.out.outputs)
        if self.out.star is not None and before == []:
            self.out.star = None
        self.out.outputs = []
        owned = self.peek().kind == "their" or self.peek().argument == "with"
        self.skip("their", "prep", "fill", "all")
        self.outputs()
        added = self.out.outputs
        if owned:
            for term in added:
                self.prefer_own(term)
        plain = [t for t in added if not t.counts]
        if {t.counts for t in before} == {False, True} and plain == added and all(map(self.own_senses, added)):
            counted = [t for t in before if t.counts]  # "top 5 customers by number of loans", "and their email"
            self.out.outputs = [*(t for t in before if not t.counts), *added, *counted]
            return
        if not added or (self.out.groups and (plain or not before)):
            raise Stuck(self.peek(-1))
        if not before and not plain and self.out.limit is not None:
            raise Stuck(self.peek(-1))  # the sum over the first few is none over all
        if before == [Term(self.out.focus)] and any(map(self.is_name, added)):
            before = []  # they are shown by their names already
        kinds = {t.counts for t in (*before, *added)}
        if len(kinds) == 1:
            self.out.outputs = before + [t for t in added if t not in before]
        elif len(plain) == len(added):  # "how many members are there", "what are their names"
            self.out.outputs = before
            self.list_counted()
            self.out.outputs = added
        elif not plain and all(map(self.own_senses, added)):  # "members", "what is their average age"
            self.show_aggregates(added)
        else:
            raise Stuck(self.peek(-1))

    def show_aggregates(self, terms: list[Term]) -> None:
        """Show aggregates of all rows in place of the rows. Raise `Stuck` where only some of them were asked for."""
        out = self.out
        if out.groups or out.limit is not None or out.both or out.distinct or out.whether:
            raise Stuck(self.peek(-1))
        out.outputs, out.order, out.star = terms, [], None

    def is_name(self, term: Term) -> bool:
        """Return whether a term is of columns that name the rows that the question is about."""
        own = () if term.counts else self.own_senses(term)
        return bool(own) and all({*sense.columns} <= {*name_columns(sense.table)} for sense in own)

    def prefer_own(self, term: Term) -> None:
        """Leave a term only its senses in the table that the question is about, if it has any: "their names"."""
        if term.slot is not None and (own := self.own_senses(term)):
            self.out.slots[term.slot] = replace(self.out.slots[term.slot], senses=own)

    def own_senses(self, term: Term) -> tuple[Sense, ...]:
        """Return the senses of a term that are columns of the table that the question is about."""
        if term.slot is None or self.out.focus is None:
            return ()
        things = paths_of(self.out.slots[self.out.focus].senses)
        return tuple(s for s in self.out.slots[term.slot].senses if s.columns and s.table.path in things)

    def regrouped(self) -> None:
        """Read what to group by, in place of the draft's groups, or with `also` besides them."""
        if not self.how.endswith("also"):
            self.ungroup()
        if self.peek().kind == "period":
            self.period()
            return
        by = self.take().text
        if (by, self.peek().text) in PERIODS:
            raise Stuck(self.peek())  # "by day" is a period, and no column that is called so
        self.each_thing()

    def ungroup(self) -> None:
        """Take the groups out of the draft, with what is shown and sorted only because of them."""
        out = self.out
        ungrouped = set(out.groups)
        if not ungrouped:
            return
        self.drop(ungrouped)
        out.groups = []
        if any(t.counts for t in out.outputs):
            ungrouped |= {t.slot for t in out.outputs if t.slot is not None and not t.counts}
            out.outputs = [t for t in out.outputs if t.counts]
        out.order = [key for key in out.order if key.term.slot not in ungrouped or key.term.counts]

    def sorted(self) -> None:
        """Read another order. Raise `Stuck` where the first few by the former order were asked for."""
        if self.out.limit is not None:
            raise Stuck(self.peek())
        if self.peek().kind == "order":
            self.out.order = []
            self.sorting()
        elif self.peek().kind == "direction":
            self.direction()
        else:
            self.spread()

    def key(self) -> Term:
        """Read and return the term to sort by; "the number" alone is the count that is shown."""
        mark = self.peek()
        counts = [t for t in self.out.outputs if t.counts]
        after = self.peek(1).kind
        if mark.kind == "count" and after in (*SENTENCE_ENDS, "direction", "comma") and len(counts) == 1:
            self.take()
            return counts[0]
        term = super().key()
        shown = {
            c for t in self.out.outputs for s in self.out.senses_at(t.slot) for c in s.columns or name_columns(s.table)
        }
        if term.slot is not None and not term.counts:  # "sort by name" is by the name that is shown
            slot = self.out.slots[term.slot]
            senses = tuple(s for s in slot.senses if {*s.columns} & shown)
            self.out.slots[term.slot] = replace(slot, senses=senses or slot.senses)
        return term

    def ranked(self) -> None:
        """Read "the ten largest", "top 5 by revenue", "and the smallest": the first few, by another order or not."""
        out = self.out
        before, limit = list(out.order), out.limit
        out.order, out.limit, out.passed, out.ties = [], None, 0, False
        if self.peek().kind == "nth":
            if self.take().argument != "min" or self.peek().kind != "number" or not before:
                raise Stuck(self.peek(-1))
            out.order, out.limit = before, int(self.take().number or 1)
            return
        if self.peek().kind == "ordinal":
            self.place_of_order()
        if self.peek().kind == "number":
            out.limit = int(self.take().number or 1)
        mark = self.peek()
        if mark.kind != "sup":
            readers = {"superlative": self.rank_by, "supcount": self.most}
            if mark.kind not in readers:
                raise Stuck(mark)
            readers[mark.kind]()
            return
        number = self.peek(1) if self.peek(1).kind == "number" else None
        follow = self.peek(2 if number else 1)
        if follow.text == "by" or follow.kind in SENTENCE_ENDS:
            self.take()
            out.limit = int(self.take().number or 1) if number else out.limit
            self.rank_again(mark, before if limit is not None else [])
            return
        self.superlative()

    def rank_again(self, mark: Mark, before: list[Key]) -> None:
        """Rank by the term after "by"; else by the one of the former rank, the count that is shown, or a size."""
        counts = [t for t in self.out.outputs if t.counts]
        if self.peek().text == "by":
            self.take()
            self.rank(self.key(), mark.argument == "max")
        elif len(before) == 1:
            self.rank(before[0].term, mark.argument == "max")
        elif len(counts) == 1 and self.out.groups:
            self.rank(counts[0], mark.argument == "max")
        elif mark.text in SIZES and not counts:
            self.sized(mark)
        else:
            raise Stuck(mark)
