"""The state of reading one question: the position in its marks, and the draft that is filled.

The classes that build on `Cursor` each read one part of the grammar; `question.Grammar` is the last of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from askwhere.engine import Column
from askwhere.frozen import frozen
from askwhere.reader.grammar.draft import Draft, Slot, Term, Test
from askwhere.reader.grammar.rules import Rules
from askwhere.reader.marking.marks import Mark, refers_to_itself
from askwhere.reader.marking.numeric import STOCKS, column_words, is_price
from askwhere.reader.marking.rates import RATES
from askwhere.reader.schema.lexicon import Lexicon
from askwhere.reader.schema.naming import events
from askwhere.reader.schema.senses import Sense
from askwhere.reader.words.names import asks_for_key
from askwhere.reader.words.phrases import LINKING
from askwhere.reader.words.tokens import is_singular, stem
from askwhere.reader.words.types import is_dated, is_number, says_yes_or_no
from askwhere.reader.words.verbs import AUXILIARY, called_after_act, names_an_act, names_who

# Words between a thing and a value that say that the value is its name: "customers named Ann".
_NAMED = (
    "named", "called", "titled", "entitled", "is called", "are called", "is named", "is titled", "whose name is",
    "named as", "with name", "with the name", "known as",
)  # fmt: skip
_HAVING = ("have", "rel", "number", "comp", "after")
END = Mark("end", 0, 0, 0.0, "")
SENTENCE_ENDS = ("end", "stop")  # kinds of marks behind the last word of a sentence
NAME_ENDS = (*SENTENCE_ENDS, "prep", "comma", "each", "period")  # behind the name of what is asked for
CLAUSE_ENDS = (*SENTENCE_ENDS, "and", "comma", "order", "direction")  # behind the last word of a phrase
PARTING = ("and", "comma", "stop")  # between clauses
WHAT_DO = ("what do", "what does")  # "what does Ann earn" asks for an amount
EVENT = "event"  # the argument of a table's mark that is an act with a date: "arrivals", of animals


def mark_at(marks: Sequence[Mark], place: int) -> Mark:
    """Return the mark at a place, `END` before the first mark and behind the last."""
    return marks[place] if 0 <= place < len(marks) else END


def that_are(place: int) -> tuple[Mark, Mark]:
    """Return the marks of "that are", put in at a word of the question."""
    return Mark("rel", place, place, 0.0, "that"), Mark("be", place, place, 0.0, "are")


def as_each(mark: Mark) -> Mark:
    """Return a mark of "by" as one of "per", which groups."""
    return replace(mark, kind="each", text="per", argument="")


def _says_later_act(date: Sense) -> bool:
    """Return whether a date is called after an act, and is not the first of its table: `shipped_at` of orders."""
    return called_after_act(date.column.name) and date.column not in events(date.table)[:1]


_COMPARING = ("during", "<", "<=", ">", ">=", "=")  # operations of tests


class Stuck(Exception):
    """The marks do not go together by the grammar; `mark` is the first that does not fit."""

    def __init__(self, mark: Mark) -> None:
        super().__init__(mark.text)
        self.mark = mark


@frozen
class Checkpoint:
    """A state of reading: the position, and those parts of the cursor and the draft that reading on may change."""

    at: int
    current: int | None
    negated: bool
    either: bool
    draft: tuple[int | None, bool, float, int, tuple[int, ...]]  # of the draft: focus, several, doubt, slots, mentions


def _is_mere_tail(mark: Mark, before: Mark) -> bool:
    """Return whether a mark is a mere tail of the column before it, "snatch score", "labour cost" of `lab_amt`.

    "Stock value" is not the stock, and only prices are rates: "win rate" is no flag `won`, and no `prize_won`.
    """
    if mark.kind == before.kind == "column" and mark.text in _COSTS and before.end == mark.start:
        return before.text not in _COSTS and bool(_SUMS & column_words(before.senses[0].column))
    if mark.kind != "tail" or before.kind != "column":
        return False
    if mark.text in RATES and not is_price(before.senses[0].column):
        return False
    return mark.text not in ("value", "values") or not any(STOCKS & column_words(c) for c in before.senses[0].columns)


_COSTS = frozenset("cost costs charge charges amount amounts".split())
_SUMS = frozenset(map(stem, "amount cost charge total".split()))


class Cursor(Rules):
    """A position in the marks of one question, which are read from left to right into the draft `out`."""

    def __init__(self, marks: tuple[Mark, ...], lexicon: Lexicon) -> None:
        self.marks = tuple(m for i, m in enumerate(marks) if not _is_mere_tail(m, mark_at(marks, i - 1)))
        self.lexicon = lexicon
        self.at = 0
        self.out = Draft()
        self.current: int | None = None  # the slot of the thing spoken of last
        self.negated = False  # the next test is negated
        self.either = False  # the next test is an alternative (OR) of the last
        self.last: Term | None = None  # the column tested last: "above 5 or below 3"
        self.totals: dict[int, bool] = {}  # slots of columns called a total; the value: was it "of all …"
        self.part: Mark | None = None  # the thing of which a share is asked for
        self.rated: int | None = None  # where the rate begins that is asked for: "cancellation rate"
        self.ranked_by: Term | None = None  # the term of the top few ("top 3 by price"), which is shown if computed
        self.compared_at: tuple[int, int] | None = None  # where the two values begin that are compared with each other
        self.more_of = ""  # 'max' where the question asks which of the two there are more of, 'min' for fewer
        self.events: tuple[Sense, ...] = ()  # the dates of what a noun names by its act, "arrivals"
        self.altogether = False  # "in total" was said
        self.first: Mark | None = None  # what is said to come first: "cheapest first"
        self.known: Mark | None = None  # the clause that leaves out what has no value: "skip those without a rating"
        self.growth: tuple[Mark, Mark] | None = None  # the two periods between which an amount grew
        self.sort_by = False  # the question began with "sort", so that the next "by" names the order
        self._of_marks: tuple[tuple[Mark, ...], set[str], set[str]] = ((), set(), set())

    def kinds_and_texts(self) -> tuple[set[str], set[str]]:
        """Return the kinds of all marks, and their texts, which are kept as long as the marks stay the same."""
        if self._of_marks[0] is not self.marks:
            self._of_marks = (self.marks, {m.kind for m in self.marks}, {m.text for m in self.marks})
        return self._of_marks[1:]

    def checkpoint(self) -> Checkpoint:
        """Return the state of reading, to go back to it where what follows is something else."""
        out = self.out
        draft = (out.focus, out.several, out.doubt, len(out.slots), tuple(out.mentions))
        return Checkpoint(self.at, self.current, self.negated, self.either, draft)

    def restore(self, saved: Checkpoint) -> None:
        """Go back to a state that `checkpoint` returned; tests, outputs and order must be as they were then."""
        out = self.out
        self.at, self.current, self.negated, self.either = saved.at, saved.current, saved.negated, saved.either
        out.focus, out.several, out.doubt, slots, mentions = saved.draft
        del out.slots[slots:]
        out.mentions[:] = mentions

    def peek(self, ahead: int = 0) -> Mark:
        """Return the next mark, or the one `ahead` places behind it, without moving; `END` behind the last."""
        place = self.at + ahead
        return self.marks[place] if place < len(self.marks) else END

    def take(self) -> Mark:
        """Return the next mark and move past it. Raise `Stuck` at the end and at a word that means nothing here."""
        mark = self.peek()
        if mark is END:
            raise Stuck(self.marks[-1] if self.marks else END)
        if mark.kind == "unknown":
            raise Stuck(mark)
        self.at += 1
        return mark

    def accept(self, *kinds: str) -> Mark | None:
        """Return the next mark and move past it if it is of one of these kinds, else return None."""
        return self.take() if self.peek().kind in kinds else None

    def skip(self, *kinds: str) -> None:
        """Move past all marks of these kinds that come next."""
        while self.peek().kind in kinds:
            self.at += 1

    def after(self, *skipped: str) -> Mark:
        """Return the first mark from here on that is of none of these kinds, without moving."""
        ahead = 0
        while self.peek(ahead).kind in skipped:
            ahead += 1
        return self.peek(ahead)

    def before(self, start: int) -> Mark:
        """Return the mark before the one that begins at the word `start`, fillers aside; `END` without one."""
        return next((m for m in reversed(self.marks) if m.end <= start and m.kind != "fill"), END)

    def slot(self, mark: Mark, owner: int | None = None, firm: bool = False) -> int:
        """Add a slot for what a mark names, and return its number.

        `owner` is the slot of the thing that it is said of, `firm` whether the question says so plainly. Raise `Stuck`
        for a key to its own table, and where nothing is named.
        """
        if not mark.senses:
            raise Stuck(mark)
        if mark.kind == "column" and mark.senses and refers_to_itself(mark) and not asks_for_key(mark.text):
            raise Stuck(mark)  # "who reports to Ann" needs the table joined to itself
        before = self.before(mark.start)
        prep = (
            before.argument
            if before.kind == "prep"
            else "have"
            if mark.kind == "table" and before.kind in _HAVING
            else ""
        )
        how = self.owning(mark, before) or prep
        self.out.slots.append(Slot(mark.senses, owner, firm, mark.start, how, mark.text, self.is_done(mark, before)))
        return len(self.out.slots) - 1

    def is_done(self, mark: Mark, before: Mark) -> bool:
        """Return whether a table's mark is a verb with its subject just `before` it: "students live", "who live"."""
        word = mark.text.split()[0] if mark.kind == "table" else ""
        verb = bool({word, stem(word)} & LINKING) and not names_who(word)
        return verb and before.kind in ("table", "column", "value", "rel")

    def owning(self, mark: Mark, before: Mark) -> str:
        """Return how a value relates to the thing beside it: '' or 'called', 'named', 'whose', 'have'.

        It is the thing's name in "the album Queen" ('called') and "albums named Queen" ('named'), and its owner in
        "albums of Queen" ('whose') and "does Queen have" ('have').
        """
        if mark.kind != "value":
            return ""
        if before.kind == "table" and before.end == mark.start:
            return "called"
        thing = self.before(before.start)
        if before.text in _NAMED and thing.kind == "table":
            return "named"
        after = next((m for m in self.marks if m.start >= mark.end), END)
        if after.kind == "table" and after.start == mark.end and mark.text[:1].isupper():
            return "whose"  # "Queen albums"
        if before.argument == "of" and before.kind == "prep" and thing.kind == "table":
            return "whose"
        just = next((m for m in self.marks if m.end == mark.start), END)
        if just.kind == "have" and thing.kind in ("table", "column") and {after.text, stem(after.text)} & LINKING:
            return "have"  # "how many albums has Queen recorded"
        asked = just.kind == "fill" and (after.kind == "have" or (after.kind == "link" and just.text in AUXILIARY))
        return "have" if asked else ""

    def thing(self, mark: Mark, owner: int | None = None) -> int:
        """Add a slot for a table and return its number; the first one becomes the draft's focus."""
        slot = self.slot(mark, owner)
        self.out.mentions.append(slot)
        if self.out.focus is None:
            self.out.focus = slot
            self.out.several = not is_singular(mark.text)
        self.current = slot
        if mark.argument == EVENT:
            dates = tuple(replace(s, score=1.0) for s in self.events)  # the word counts as that for the things
            when = self.slot(replace(mark, kind="column", senses=dates), slot, True)
            self.test(Test(Term(when), "null", negated=True))
        return slot

    def about(self) -> int | None:
        """Return the slot of the thing that is spoken of here, None before any is named."""
        return self.current if self.current is not None else self.out.focus

    def computes(self) -> bool:
        """Return whether all that is shown is computed from two columns each, and so may be added up in groups."""
        return bool(self.out.outputs) and all(t.other is not None for t in self.out.outputs)

    def flags(self, mark: Mark, alone: bool = False) -> tuple[Sense, ...]:
        """Return the senses of a mark that are columns of yes and no, each with its value for yes.

        None of them where the likeliest sense is another column. Where a word stands `alone`, for the things of which
        it is true, a column that is known by its numbers is none, `goals` are amounts also where none has two, unless
        it says what was done: "refunds" are the rows that are `refunded`.
        """
        if mark.kind != "column":
            return ()
        columns = [s for s in mark.senses if s.columns and not (alone and _is_known_by_numbers(s.column))]
        truths = [self.lexicon.truth(s) for s in columns]
        if not columns or truths[0] is None:
            return ()
        return tuple(replace(s, value=yes) for s, yes in zip(columns, truths, strict=True) if yes is not None)

    def test(self, test: Test) -> None:
        """Add a condition: negated after "not", an alternative after "or".

        What was "not returned in May" was returned then or never, so that rows without the date count as well.
        """
        never: list[Test] = []
        if self.negated:
            test, self.negated = replace(test, negated=not test.negated), False
            never = [Test(test.term, "null")] if test.negated and self.is_of_act(test) else []
        if self.either:
            if not self.out.tests:
                raise Stuck(self.peek(-1))
            self.out.tests[-1] += [test, *never]
        else:
            self.out.tests.append([test, *never])
        self.either = False
        self.last = test.term

    def is_of_act(self, test: Test) -> bool:
        """Return whether a test compares the date at which an act that the question names was done: "returned"."""
        if test.term.slot is None or test.term.counts or test.op not in _COMPARING:
            return False
        slot = self.out.slots[test.term.slot]
        best = slot.senses[0]
        dated = len(best.columns) == 1 and is_dated(best.column)
        return dated and (names_an_act(slot.text) or _says_later_act(best))

    def agg_names(self) -> list[str]:
        """Read the aggregates in a row, "average, minimum and maximum", and return them as in `Term.agg`."""
        names = []
        while self.peek().kind in ("agg", "sup", "average"):
            mark = self.take()
            names.append("avg" if mark.kind == "average" else mark.argument)
            if self.after("and", "comma", "fill").kind not in ("agg", "sup", "average"):
                return names
            if self.peek().kind not in ("and", "comma"):
                raise Stuck(self.peek())  # "the highest average price" is an aggregate of another
            self.skip("and", "comma", "fill")
        return names


def _is_known_by_numbers(column: Column) -> bool:
    """Return whether a column holds numbers, and its name does not say that it is a flag or what was done."""
    return is_number(column) and not (says_yes_or_no(column) or names_an_act(column.name.lower()))
