"""How marks go together: reads them once from left to right into a draft, or says where it stuck.

The order is that of English questions: what comes before ("for each …"), what is asked for, then conditions, groups
and order in any sequence. Nothing is skipped but words that carry no meaning of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from askwhere.reader.draft import Draft, Key, Nested, Slot, Term, Test
from askwhere.reader.lexicon import Lexicon, Sense, name_columns, person_names
from askwhere.reader.phrases import SIZES
from askwhere.reader.place import Mark
from askwhere.reader.types import is_date, is_flag, is_number, is_year

END = Mark("end", 0, 0, 0.0, "")
_SKIPPED = ("fill", "be", "all", "link")
_FLIP = {">": "<=", ">=": "<", "<": ">=", "<=": ">", "=": "!=", "!=": "="}


_COUNTING = ("most", "the most", "least", "the least", "fewest", "the fewest")
_ENDS = ("and", "comma", "stop", "order", "direction", "or")


class Stuck(Exception):
    """The marks make no sentence; `mark` is the first that did not fit."""

    def __init__(self, mark: Mark) -> None:
        super().__init__(mark.text)
        self.mark = mark


def draft(marks: tuple[Mark, ...], lexicon: Lexicon) -> Draft:
    """The meaning of a question that was cut into marks. Raises `Stuck`."""
    return _Grammar(marks, lexicon).question()


class _Grammar:
    def __init__(self, marks: tuple[Mark, ...], lexicon: Lexicon) -> None:
        self.marks = tuple(
            m for i, m in enumerate(marks) if m.kind != "tail" or i == 0 or marks[i - 1].kind != "column"
        )
        self.lexicon = lexicon
        self.at = 0
        self.out = Draft()
        self.current: int | None = None  # the thing spoken of last
        self.negated = False
        self.either = False  # the next test is an alternative of the last
        self.away: list[Test] | None = None
        self.last: Term | None = None  # the column tested last: "above 5 or below 3"
        self.sort_by = False  # the question began with "sort": a "by" says how

    # -- the cursor

    def peek(self, ahead: int = 0) -> Mark:
        place = self.at + ahead
        return self.marks[place] if place < len(self.marks) else END

    def take(self) -> Mark:
        mark = self.peek()
        if mark is END:
            raise Stuck(self.marks[-1] if self.marks else END)
        if mark.kind == "unknown":
            raise Stuck(mark)
        self.at += 1
        return mark

    def accept(self, *kinds: str) -> Mark | None:
        return self.take() if self.peek().kind in kinds else None

    def skip(self, *kinds: str) -> None:
        while self.peek().kind in kinds:
            self.at += 1

    def after(self, *skipped: str) -> Mark:
        """The next mark that is none of these kinds, without moving."""
        ahead = 0
        while self.peek(ahead).kind in skipped:
            ahead += 1
        return self.peek(ahead)

    def slot(self, mark: Mark, owner: int | None = None, firm: bool = False) -> int:
        before = next((m for m in reversed(self.marks) if m.end <= mark.start and m.kind != "fill"), END)
        prep = before.argument if before.kind == "prep" else ""
        self.out.slots.append(Slot(mark.senses, owner, firm, mark.start, prep))
        return len(self.out.slots) - 1

    def thing(self, mark: Mark, owner: int | None = None) -> int:
        """A slot for a table; the first one is what the question is about."""
        slot = self.slot(mark, owner)
        self.out.mentions.append(slot)
        if self.out.focus is None:
            self.out.focus = slot
        self.current = slot
        return slot

    # -- the whole

    def question(self) -> Draft:
        self.prefix()
        self.opening()
        self.outputs()
        self.modifiers()
        if self.at < len(self.marks):
            raise Stuck(self.peek())
        if not self.out.outputs and self.out.star is None:
            raise Stuck(self.marks[-1] if self.marks else END)
        self.settle()
        return self.out

    def prefix(self) -> None:
        """What comes before what is asked for: "for each country, …", "in 2014, …"."""
        self.skip("fill", "comma")
        if self.peek().kind == "each":
            self.each()
            self.skip("comma", "fill")
        elif self.peek().kind == "prep":
            comma = next((i for i, m in enumerate(self.marks) if m.kind == "comma"), None)
            if comma is None or not any(m.kind in ("open", "count") for m in self.marks[comma : comma + 3]):
                return
            self.modifiers(comma)
            self.skip("comma")

    def opening(self) -> None:
        if self.peek().kind == "order" and self.peek().text in ("sort", "order"):
            self.take()
            self.sort_by = True
        self.skip("open", "fill", "all", "be", "comma")

    def outputs(self) -> None:
        """The list of what to show."""
        found: list[Term] = []
        while True:
            start = self.at
            self.skip("fill", "their", "all", "be", "either")
            if not self.item(found):
                self.at = start
                break
            if self.peek().kind not in ("comma", "and") or not self.begins_item():
                break
            self.skip("comma", "and")
        self.own(found)
        self.out.outputs += found

    def own(self, terms: list[Term]) -> None:
        """Give each column the owner that the next column of the list has: "names and ages of students"."""
        owner = None
        for term in reversed(terms):
            if term.slot is None or term.rows:
                continue
            slot = self.out.slots[term.slot]
            if slot.owner is not None:
                owner = slot.owner if slot.firm else owner
            elif owner is not None and slot.senses and slot.senses[0].columns:
                self.out.slots[term.slot] = replace(slot, owner=owner, firm=True)

    def begins_item(self) -> bool:
        """Whether what follows the comma or the "and" is one more thing to show rather than a condition."""
        ahead = 0
        while self.peek(ahead).kind in ("comma", "and", "fill", "their", "all", "be", "distinct"):
            ahead += 1
        mark = self.peek(ahead)
        if mark.kind in ("count", "agg", "times"):
            return True
        if mark.kind == "sup":
            return self.peek(ahead + 1).kind in ("column", "and")
        if mark.kind == "table":
            return self.peek(ahead + 1).kind in (
                "column",
                "own",
                "end",
                "prep",
                "stop",
                "comma",
                "and",
                "rel",
                "order",
                "direction",
                "each",
            )
        return mark.kind == "column" and self.peek(ahead + 1).kind not in (
            "comp",
            "between",
            "like",
            "when",
            "comparative",
        )

    # -- one thing to show

    def item(self, found: list[Term]) -> bool:
        readers: dict[str, Callable[[list[Term]], bool]] = {
            "count": self.count, "agg": self.aggregates, "sup": self.extreme, "superlative": self.oldest,
            "common": self.commonest, "whole": self.whole, "table": self.entity, "column": self.column,
            "value": self.kind_of, "number": self.several, "distinct": self.different, "average": self.aggregates,
            "each": self.every,
        }  # fmt: skip
        reader = readers.get(self.peek().kind)
        return bool(reader and reader(found))

    def every(self, found: list[Term]) -> bool:
        if not self.peek().text.startswith(("each", "every")):
            return False
        self.take()
        self.skip("fill", "prep")
        return self.item(found)

    def different(self, found: list[Term]) -> bool:
        self.take()
        self.out.distinct = True
        return self.item(found)

    def count(self, found: list[Term]) -> bool:
        total = "total" in self.take().text
        self.skip("fill", "all", "their", "prep")
        different = bool(self.accept("distinct"))
        self.skip("fill")
        mark = self.peek()
        if mark.kind == "value":
            self.value_test()
            self.skip("fill")
            mark = self.peek()
            if mark.kind not in ("table", "column"):
                raise Stuck(mark)
        if mark.kind == "table":
            slot = self.thing(self.take())
            if self.peek().kind == "column":
                raise Stuck(self.peek())
            found.append(Term(slot, rows=True, distinct=different))
            return True
        if mark.kind in ("end", "stop") and found:
            found.append(Term(None, rows=True))
            return True
        if mark.kind == "column":
            slot = self.slot(self.take())
            self.owner(slot)
            if not different and _measured(mark):
                found.append(Term(slot, agg="sum") if total else Term(slot, distinct=True))
                self.out.doubt += 0.3
                return True
            found.append(Term(slot, agg="count", distinct=True))
            self.out.doubt += 0.0 if different else 0.25
            return True
        raise Stuck(mark)

    def aggregates(self, found: list[Term]) -> bool:
        names = self.agg_names()
        self.skip("fill", "all", "prep")
        self.accept("distinct")
        if self.peek().kind == "table" and self.peek(1).kind == "column":
            self.thing(self.take())
        if self.peek().kind != "column":
            raise Stuck(self.peek())
        while True:
            slot = self.slot(self.take())
            if not self.peek().text.startswith("of e"):  # "the total of each" is a group
                self.owner(slot)
            if not any(is_number(s.column) for s in self.out.slots[slot].senses) and "avg" in [*names, "sum"]:
                raise Stuck(self.marks[self.at - 1])
            found += [Term(slot, agg=name) for name in names]
            another = self.after("and", "comma", "fill")
            if self.peek().kind not in ("and", "comma") or another.kind != "column" or not _measured(another):
                return True
            self.skip("and", "comma", "fill")

    def agg_names(self) -> list[str]:
        """The aggregates in a row: "average, minimum and maximum"."""
        names = []
        while self.peek().kind in ("agg", "sup", "average"):
            mark = self.take()
            names.append("avg" if mark.kind == "average" else mark.argument)
            if self.after("and", "comma", "fill").kind not in ("agg", "sup", "average"):
                return names
            self.skip("and", "comma", "fill")
        return names

    def extreme(self, found: list[Term]) -> bool:
        """The highest of a column, or the top few of a thing."""
        if self.peek(1).kind == "number":
            mark = self.take()
            return self.top(found, mark.argument)
        if self.after("and", "comma", "fill", "agg", "sup", "average").kind == "column":
            return self.aggregates(found)
        mark = self.take()
        if mark.text in SIZES and self.peek().kind == "table" and self.item(found):
            self.sized(mark)
            return True
        raise Stuck(self.peek())

    def top(self, found: list[Term], end: str) -> bool:
        self.out.limit = int(self.take().number or 1)
        self.skip("fill")
        if self.peek().kind in ("superlative", "sup", "common"):
            return self.item(found)
        item = self.item(found)
        self.skip("fill")
        if (
            item and self.peek().text in ("by", "in terms of", "based on", "according to")
        ) or self.peek().kind == "order":
            self.take()
            self.out.order.append(Key(self.key(), end == "max"))
            return True
        if (
            item
            and self.peek().kind in ("prep", "rel", "have")
            and self.after("prep", "rel", "have", "fill").kind in ("sup", "supcount")
        ):
            return True
        raise Stuck(self.peek())

    def several(self, found: list[Term]) -> bool:
        """A number of things: "the 3 youngest singers"."""
        mark = self.take()
        self.skip("fill")
        if self.peek().kind not in ("superlative", "sup", "common", "table") or not isinstance(mark.number, int):
            raise Stuck(mark)
        self.out.limit = mark.number  # `settle` refuses it when nothing says which come first
        return self.item(found)

    def oldest(self, found: list[Term]) -> bool:
        mark = self.take()
        if self.peek().kind == "number":
            self.out.limit = int(self.take().number or 1)
        self.skip("fill")
        if self.peek().kind not in ("table", "value", "column", "distinct"):
            raise Stuck(self.peek())
        self.item(found)
        self.rank(Term(self.measured(mark)), mark.argument == "max")
        return True

    def commonest(self, found: list[Term]) -> bool:
        mark = self.take()
        self.skip("fill")
        before = len(found)
        if not self.item(found) or len(found) == before:
            raise Stuck(self.peek())
        term = found[before]
        self.out.groups.append(term.slot or 0)
        self.rank(Term(None, rows=True), mark.argument == "max")
        return True

    def whole(self, found: list[Term]) -> bool:
        self.take()
        self.skip("fill", "all", "prep", "their")
        if self.peek().kind == "value":
            self.value_test()
        if self.peek().kind != "table":
            raise Stuck(self.peek())
        self.out.star = self.thing(self.take())
        return True

    def entity(self, found: list[Term]) -> bool:
        slot = self.thing(self.take())
        owned = bool(self.accept("own"))
        self.skip("fill") if owned else None
        tested = self.peek(1).kind in ("comp", "between", "like", "when", "comparative")
        if self.peek().kind == "column" and (owned or not tested):
            while True:
                found.append(Term(self.slot(self.take(), slot, True)))
                if (
                    not owned
                    or self.peek().kind not in ("and", "comma")
                    or self.after("and", "comma", "fill").kind != "column"
                ):
                    break
                self.skip("and", "comma", "fill")
            return True
        if owned and self.peek().kind in ("agg", "sup", "count"):
            return self.item(found)
        if owned or self.peek().kind == "table":
            raise Stuck(self.peek())
        found.append(Term(slot))
        return True

    def column(self, found: list[Term]) -> bool:
        if _flag(self.peek()) and self.peek(1).kind == "table":
            self.flagged()
            return self.item(found)
        if _flag(self.peek()):  # "the capital of France": the thing that is one
            tables = tuple(Sense(s.table, (), s.score) for s in self.peek().senses if is_flag(s.column))
            slot = self.thing(replace(self.peek(), senses=tables))
            self.flagged()
            found.append(Term(slot))
            return True
        slot = self.slot(self.take())
        if self.peek().kind == "value" and self.after("value").kind not in ("table", "column"):
            raise Stuck(self.peek())
        self.owner(slot)
        found.append(Term(slot))
        return True

    def kind_of(self, found: list[Term]) -> bool:
        """A value before a name: "French singers"."""
        self.value_test()
        self.skip("fill")
        if self.peek().kind not in ("table", "column"):
            raise Stuck(self.peek())
        return self.item(found)

    def owner(self, slot: int) -> None:
        """Read "of the students" after a column, which says whose it is."""
        start = self.at
        if not self.accept("prep") and not (self.peek().text in ("of each", "of every") and self.accept("each")):
            return
        self.skip("fill", "all", "distinct", "their", "either")
        if self.peek().kind == "table" and self.peek(1).kind not in ("own", "column"):
            owner = self.thing(self.take())
            self.out.slots[slot] = replace(self.out.slots[slot], owner=owner, firm=True)
        elif self.peek().kind == "value" and self.peek(1).kind == "table" and self.peek(2).kind != "column":
            value = self.take()
            owner = self.thing(self.take())
            self.out.slots[slot] = replace(self.out.slots[slot], owner=owner, firm=True)
            self.test(Test(Term(self.slot(value, owner)), "is"))
        else:
            self.at = start

    # -- conditions, groups, order

    def modifiers(self, end: int | None = None) -> None:
        readers: dict[str, Callable[[], None]] = {
            "prep": self.prep, "rel": self.relative, "have": self.advance, "fill": self.advance, "be": self.advance,
            "all": self.advance, "link": self.advance, "stop": self.stop, "comma": self.joined, "and": self.joined, "or": self.alternative,
            "either": self.advance, "not": self.no, "without": self.without, "except": self.without, "both": self.both_of,
            "order": self.sorting, "direction": self.direction, "spread": self.spread, "each": self.each, "sup": self.superlative,
            "supcount": self.most, "superlative": self.rank_by, "common": self.rank_common, "comp": self.compared,
            "when": self.dated, "between": self.dated, "comparative": self.measured_test, "like": self.liked,
            "column": self.column_said, "null": self.missing, "value": self.value_said, "number": self.number_said, "table": self.table_said,
            "their": self.more_outputs, "count": self.more_outputs, "agg": self.aggregated, "distinct": self.advance,
            "average": self.aggregated, "open": self.asked_again,
        }  # fmt: skip
        while self.at < (len(self.marks) if end is None else end):
            reader = readers.get(self.peek().kind)
            if reader is None:
                raise Stuck(self.peek())
            reader()

    def advance(self) -> None:
        self.take()

    def stop(self) -> None:
        self.take()
        self.current = self.out.focus

    def asked_again(self) -> None:
        """A second sentence that says what to show: "Which student …? Give me the name and age."."""
        mark = self.take()
        if mark.text in ("whose",):
            return
        before = self.marks[self.at - 2].kind
        if before not in ("stop", "open", "fill", "and", "comma"):
            if mark.text.split()[-1] in ("which", "who", "what") or mark.text.split()[0] in ("who", "which"):
                return
            raise Stuck(mark)
        self.skip("open", "fill", "all", "their")
        asked, self.out.outputs = self.out.outputs, []
        self.outputs()
        plain = all(not t.counts and t.slot is not None and not self.out.slots[t.slot].senses[0].columns for t in asked)
        if not self.out.outputs:
            raise Stuck(mark)
        if not plain:
            self.out.outputs = asked + self.out.outputs

    def prep(self) -> None:
        mark = self.take()
        if mark.text == "by" and self.sort_by:
            self.sort_by = False
            down = self.accept("direction")
            self.out.order.append(Key(self.key(), bool(down and down.argument == "desc")))
            return
        self.skip("fill", "all")
        follow = self.peek()
        plain = not self.out.order and all(not t.counts for t in self.out.outputs)
        if (
            mark.text == "by"
            and follow.kind == "column"
            and plain
            and self.peek(1).kind in ("end", "stop", "direction")
        ):
            self.out.order.append(Key(Term(self.slot(self.take(), self.about()))))
            return
        if mark.text == "by" and follow.kind in ("column", "table") and any(t.counts for t in self.out.outputs):
            if follow.kind == "column" and self.peek(1).kind in ("end", "stop", "comma", "order", "direction", "and"):
                self.out.groups.append(self.slot(self.take()))

    def relative(self) -> None:
        mark = self.take()
        if mark.text == "whose" and self.peek().kind == "table" and self.peek(1).kind == "column":
            self.thing(self.take())

    def joined(self) -> None:
        start = self.at
        follow = self.after("and", "comma", "fill")
        if self.begins_item() and follow.kind in ("column", "count", "agg", "table"):
            saved = (len(self.out.slots), self.current, self.out.doubt, list(self.out.mentions))
            self.skip("and", "comma", "fill")
            if follow.kind == "column" and self.column_condition(self.peek(), try_only=True):
                self.either = False
                return
            self.at = start
            if follow.kind != "table" or (self.peek(1).kind == "table" and self.peek(2).kind in ("column", "own")):
                if self.continue_outputs():
                    return
            self.at, self.current, self.out.doubt = start, saved[1], saved[2]
            del self.out.slots[saved[0] :]
            self.out.mentions[:] = saved[3]
        self.take()
        self.away = None

    def continue_outputs(self) -> bool:
        """One more thing to show, said after a condition: "…, and their ages"."""
        mark = self.after("and", "comma", "fill")
        their = any(m.kind == "their" for m in self.marks[self.at : self.at + 4])
        if mark.kind == "column" and not their:
            return False
        self.more()
        return True

    def more(self) -> None:
        self.skip("and", "comma", "fill", "their", "all")
        before = len(self.out.outputs)
        self.outputs()
        if len(self.out.outputs) == before:
            raise Stuck(self.peek())

    def more_outputs(self) -> None:
        mark = self.peek()
        if mark.kind == "their":
            self.take()
            if self.peek().kind == "column" and self.column_condition(self.peek()):
                return
            if self.marks[self.at - 2].kind not in ("and", "comma", "prep"):
                raise Stuck(mark)
            self.more()
            return
        if self.marks[self.at - 1].kind in ("and", "comma", "prep", "fill", "order") and self.having_count():
            return
        before = next((m.kind for m in reversed(self.marks[: self.at]) if m.kind not in ("fill",)), "")
        if before in ("and", "comma", "prep", "stop"):
            self.more()
            return
        raise Stuck(mark)

    def having_count(self) -> bool:
        """ "with the number of concerts above 3" """
        start, slots = self.at, len(self.out.slots)
        self.take()
        self.skip("fill", "distinct", "all")
        if self.peek().kind == "table":
            term = Term(self.slot(self.take(), self.current), rows=True)
            self.skip("be", "fill")
            if self.peek().kind in ("comp", "between"):
                self.out.mentions.append(term.slot or 0)
                self.comparison(term)
                return True
        self.at = start
        del self.out.slots[slots:]
        return False

    def alternative(self) -> None:
        self.take()
        self.either = True

    def no(self) -> None:
        self.take()
        self.negated = not self.negated

    def without(self) -> None:
        """ "without any pets", "except Canada" """
        mark = self.take()
        self.skip("fill", "all", "prep", "distinct", "rel", "be", "have", "link")
        follow = self.peek()
        if follow.kind == "table":
            self.lacking()
        elif follow.kind == "value":
            self.negated = True
            self.value_test()
        elif follow.kind == "column" and mark.kind == "without":
            slot = self.slot(self.take(), self.about())
            self.test(Test(Term(slot), "null"))
            if self.peek().kind not in ("end", "stop", "and", "comma", "order", "direction"):
                raise Stuck(self.peek())
        else:
            raise Stuck(follow)

    def lacking(self) -> None:
        slot = self.slot(self.take(), self.about())
        either, self.negated, self.either = self.either, False, False
        outer, self.current = self.current, slot
        tests = self.inner_tests()
        self.current, self.either = outer, either
        self.test(Test(Term(slot), "lacks", tests=tests))

    def inner_tests(self, mentions: bool = False) -> tuple[Test, ...]:
        """The tests of the thing that is lacking: "no pets older than 5", up to the next "and" or comma."""
        out = self.out
        kept, out.tests = out.tests, []
        before = (len(out.outputs), len(out.order), len(out.groups), len(out.both), len(out.mentions), out.limit)
        end = next((i for i in range(self.at, len(self.marks)) if self.marks[i].kind in _ENDS), len(self.marks))
        self.modifiers(end)
        found, out.tests = out.tests, kept
        after = (len(out.outputs), len(out.order), len(out.groups), len(out.both), len(out.mentions), out.limit)
        if before != after and not (mentions and before[:4] == after[:4] and before[5] == after[5]):
            raise Stuck(self.peek(-1))
        if any(len(group) > 1 or group[0].term.counts for group in found) or self.negated or self.either:
            raise Stuck(self.peek(-1))
        return tuple(group[0] for group in found)

    def both_of(self) -> None:
        """ "both English and French": two tests that no single row can pass."""
        self.take()
        start, slots = self.at, len(self.out.slots)
        try:
            self.both_values()
        except Stuck:
            self.at = start
            del self.out.slots[slots:]
            first = self.inner_tests(mentions=True)
            if not self.accept("and"):
                raise
            second = self.inner_tests(mentions=True)
            if len(first) != 1 or len(second) != 1 or any(t.op == "lacks" for t in (*first, *second)):
                raise
            self.out.both.append((first[0], second[0]))

    def both_values(self) -> None:
        self.skip("fill", "prep")
        column = None
        if self.peek().kind == "column":
            column = self.take()
        first, second = self.operand_value(), None
        if self.accept("and") and first:
            self.skip("fill", "prep", "link", "be")
            second = self.operand_value()
        if not first or not second:
            raise Stuck(self.peek())
        if self.peek().kind == "column" and column is None:
            column = self.take()
        elif self.peek().kind == "table":
            self.current = self.thing(self.take())
        tests = [self.value_of(mark, column) for mark in (first, second)]
        self.out.both.append((tests[0], tests[1]))

    def operand_value(self) -> Mark | None:
        return self.take() if self.peek().kind in ("value", "number") else None

    def value_of(self, mark: Mark, column: Mark | None) -> Test:
        if column is None:
            if not mark.senses:
                raise Stuck(mark)
            return Test(Term(self.slot(mark, self.about())), "is")
        return self.equal(mark, column)

    # -- order

    def sorting(self) -> None:
        mark = self.take()
        self.skip("fill")
        before = self.accept("direction")
        self.skip("fill", "all")
        if self.peek().kind == "spread":
            return
        if before and self.peek().text in ("of", "by", "with"):
            self.take()
        if self.peek().kind in ("end", "stop"):
            if mark.argument or before:
                self.sort_outputs((before.argument if before else mark.argument) == "desc")
                return
            raise Stuck(mark)
        down = mark.argument == "desc"
        while True:
            term = self.key()
            after = self.accept("direction")
            if after or before:
                down = (after or before or mark).argument == "desc"
            self.out.order.append(Key(term, down))
            if self.peek().kind not in ("and", "comma") or self.after("and", "comma", "fill").kind not in (
                "column",
                "direction",
            ):
                return
            if self.after("and", "comma", "fill").kind == "direction":
                self.skip("and", "comma", "fill")
                self.out.order[-1] = replace(self.out.order[-1], descending=self.take().argument == "desc")
                return
            self.skip("and", "comma", "fill")

    def key(self) -> Term:
        """What to sort by: a column, an aggregate of one, a count, or what an adjective measures."""
        self.skip("fill", "their", "all", "distinct")
        mark = self.peek()
        if mark.kind == "count":
            self.take()
            self.skip("fill", "all", "their", "distinct")
            if self.peek().kind == "column" and _numeric(self.peek()):
                return Term(self.slot(self.take(), self.about()))
            if self.peek().kind != "table":
                raise Stuck(self.peek())
            slot = self.slot(self.take(), self.about())
            self.out.mentions.append(slot)
            return Term(slot, rows=True)
        if mark.kind in ("agg", "sup", "average"):
            name = self.agg_names()[0]
            self.skip("fill")
            if self.peek().kind != "column":
                raise Stuck(self.peek())
            return Term(self.slot(self.take(), self.about()), agg=name)
        if mark.kind == "table" and self.peek(1).kind in ("own", "column"):
            owner = self.slot(self.take(), self.about())
            self.accept("own")
            if self.peek().kind == "column":
                return Term(self.slot(self.take(), owner, True))
            raise Stuck(self.peek())
        if mark.kind == "column":
            slot = self.slot(self.take(), self.about())
            self.skip("prep") if self.after("prep", "fill", "their").kind in ("table",) else None
            self.skip("fill", "their") if self.peek().kind in ("fill", "their") else None
            if self.peek().kind == "table" and self.marks[self.at - 1].kind in ("prep", "fill", "their"):
                owner = self.slot(self.take(), self.about())
                self.out.slots[slot] = replace(self.out.slots[slot], owner=owner, firm=True)
            return Term(slot)
        raise Stuck(mark)

    def direction(self) -> None:
        mark = self.take()
        if (self.peek().kind == "prep" and self.peek().argument in ("of", "by")) or self.peek().kind == "order":
            self.take()
            self.out.order.append(Key(self.key(), mark.argument == "desc"))
        elif self.out.order and self.out.limit is None:
            self.out.order[-1] = replace(self.out.order[-1], descending=mark.argument == "desc")
        else:
            self.sort_outputs(mark.argument == "desc")

    def spread(self) -> None:
        """ "from youngest to oldest", which says by what as well as which way"""
        mark = self.take()
        if self.out.limit is not None:
            raise Stuck(mark)
        if self.out.order:
            self.out.order[-1] = replace(self.out.order[-1], descending=mark.argument == "desc")
        else:
            self.out.order.append(Key(Term(self.measured(mark)), mark.argument == "desc"))

    def sort_outputs(self, down: bool) -> None:
        if not self.out.outputs:
            raise Stuck(self.peek(-1))
        self.out.order.append(Key(self.out.outputs[0], down))

    def rank(self, term: Term, descending: bool) -> None:
        if self.out.order:
            raise Stuck(self.peek(-1))
        self.out.order.append(Key(term, descending))
        if self.out.limit is None:
            self.out.limit = 1

    def superlative(self) -> None:
        """ "with the highest budget", "has the most concerts" """
        mark = self.take()
        if self.at > 1 and self.marks[self.at - 2].text == "at":
            raise Stuck(mark)
        if self.peek().kind == "number":
            self.out.limit = int(self.take().number or 1)
            if self.peek().kind == "table":  # "least two" is no "at least two", but may have been meant so
                raise Stuck(self.peek())
        self.skip("fill", "distinct", "their")
        down = mark.argument == "max"
        follow = self.peek()
        if follow.kind == "count":
            self.take()
            self.skip("fill", "all", "distinct")
            follow = self.peek()
            if follow.kind == "table" or (follow.kind == "column" and not _numeric(follow)):
                self.counted(down)
                return
        if follow.kind == "agg":
            name = self.take().argument
            self.skip("fill", "prep")
            if self.peek().kind == "column":
                self.rank(Term(self.slot(self.take(), self.about()), agg=name), down)
                return
        if follow.kind == "column":
            if mark.text in ("most", "the most", "least", "fewest", "the least", "the fewest") and not _numeric(follow):
                raise Stuck(follow)
            self.rank(Term(self.slot(self.take(), self.about())), down)
        elif follow.kind == "table" and mark.text in _COUNTING:
            self.counted(down)
        elif follow.kind == "table" and mark.text in SIZES:
            self.thing(self.take(), self.about())
            self.sized(mark)
        else:
            raise Stuck(follow)

    def sized(self, mark: Mark) -> None:
        """ "the largest city", "the largest city by area": by what is said, or what its size is measured in."""
        if self.peek().text == "by" and self.peek(1).kind == "column":
            self.take()
            self.rank(Term(self.slot(self.take(), self.about())), mark.argument == "max")
            return
        self.rank(Term(self.measured(replace(mark, measure=SIZES[mark.text]))), mark.argument == "max")

    def counted(self, down: bool) -> None:
        slot = self.slot(self.take(), self.about())
        if not self.out.slots[slot].senses[0].columns:
            self.out.mentions.append(slot)
            self.rank(Term(slot, rows=True), down)
        else:
            self.rank(Term(slot, agg="count"), down)

    def most(self) -> None:
        mark = self.take()
        self.skip("fill", "all", "distinct")
        follow = self.peek()
        if follow.kind == "column" and ((_numeric(follow) and not _is_key(follow)) or "amount" in mark.text):
            self.rank(Term(self.slot(self.take(), self.about())), mark.argument == "max")
        elif follow.kind in ("table", "column"):
            self.counted(mark.argument == "max")
        else:
            raise Stuck(follow)

    def rank_by(self) -> None:
        mark = self.take()
        if self.peek().kind == "column":
            if not {s.columns for s in self.peek().senses} & {s.columns for s in self.senses_of(mark)}:
                raise Stuck(mark)
            self.rank(Term(self.slot(self.take(), self.about())), mark.argument == "max")
            return
        if self.peek().kind == "table":
            self.thing(self.take())
        self.rank(Term(self.measured(mark)), mark.argument == "max")

    def rank_common(self) -> None:
        mark = self.take()
        self.skip("fill")
        if self.peek().kind in ("column", "table"):
            raise Stuck(self.peek())
        self.rank(Term(None, rows=True), mark.argument == "max")

    def senses_of(self, mark: Mark) -> tuple[Sense, ...]:
        if mark.measure is None:
            raise Stuck(mark)
        found = [s for words in mark.measure.words for s in self.lexicon.named(words) if s.columns]
        # Which of several measures is meant is not for the spelling of their names to say.
        return tuple(replace(s, score=0.9 if s.score >= 0.5 else s.score * 0.9) for s in found)

    def measured(self, mark: Mark) -> int:
        """The slot of the column that an adjective measures."""
        senses = self.senses_of(mark)
        if not senses:
            raise Stuck(mark)
        return self.slot(replace(mark, senses=senses), self.about(), True)

    # -- tests

    def about(self) -> int | None:
        return self.current if self.current is not None else self.out.focus

    def test(self, test: Test) -> None:
        if self.negated:
            test, self.negated = replace(test, negated=not test.negated), False
        if self.either:
            if not self.out.tests:
                raise Stuck(self.peek(-1))
            self.out.tests[-1].append(test)
        else:
            self.out.tests.append([test])
        self.either = False
        self.last = test.term

    def column_said(self) -> None:
        mark = self.peek()
        if not self.column_condition(mark):
            if not _flag(mark):
                raise Stuck(mark)
            self.flagged()

    def flagged(self) -> None:
        """ "official languages", "customers who are active": a column that says yes or no."""
        mark = self.take()
        flags = tuple(s for s in mark.senses if is_flag(s.column))
        self.test(Test(Term(self.slot(replace(mark, senses=flags), self.about())), "true"))

    def missing(self) -> None:
        """ "a missing email" """
        mark = self.take()
        self.skip("fill")
        if self.peek().kind != "column":
            raise Stuck(mark)
        self.test(Test(Term(self.slot(self.take(), self.about())), "null"))

    def column_condition(self, mark: Mark, try_only: bool = False) -> bool:
        """A test that begins with its column: "age is above 20", "year 2014", "name contains 'x'"."""
        start, slots, negated = self.at, len(self.out.slots), self.negated
        self.take()
        slot = self.slot(mark, self.about())
        if (
            self.peek().kind == "prep"
            and self.peek().argument in ("of", "for")
            and self.after("prep", "fill", "their", "all").kind == "table"
        ):
            self.skip("prep", "fill", "their", "all")
            owner = self.thing(self.take())
            self.out.slots[slot] = replace(self.out.slots[slot], owner=owner, firm=True)
        self.skip("be", "fill", "link", "have")
        if self.accept("not"):
            self.negated = not self.negated
            self.skip("be", "fill", "link")
        if self.rest_of_condition(slot, mark):
            return True
        self.at, self.negated = start, negated
        del self.out.slots[slots:]
        return False

    def rest_of_condition(self, slot: int, mark: Mark) -> bool:
        follow = self.after("prep", "either", "comma") if self.peek().kind in ("prep", "either") else self.peek()
        if follow.kind in ("value", "number"):
            prep = self.peek().argument if self.peek().kind == "prep" else ""
            if prep and prep not in ("of", "in", "for", "by", "with") and not (set(_keys(mark)) & set(_keys(follow))):
                return False
            self.skip("prep", "either")
            self.skip("fill")
            self.listed(mark, slot)
            return True
        if follow.kind in ("comp", "when", "between", "like", "comparative"):
            if follow.kind == "when" and not any(_timely(s) for s in self.out.slots[slot].senses):
                return False
            self.skip("prep", "either")
            self.comparison(Term(slot))
            return True
        if follow.kind == "null" and self.peek() is follow:
            self.take()
            self.test(Test(Term(slot), "null"))
            return True
        if follow.kind == "sup" and self.peek() is follow and self.peek(1).kind in ("end", "stop"):
            self.rank(Term(slot), self.take().argument == "max")
            return True
        return False

    def listed(self, column: Mark, slot: int) -> None:
        """One value of a column, or several with "or" between them."""
        negated = self.negated
        first = True
        while True:
            mark = self.take()
            after = self.accept("after")
            if after:
                self.test(Test(Term(slot), after.argument, (_operand(mark),)))
                return
            if first or negated:
                self.negated = negated
            else:
                self.either = True
            self.test(self.equal(mark, column, slot if first else None))
            first = False
            if self.peek().kind not in ("or", "comma") or self.after("or", "comma", "fill").kind not in (
                "value",
                "number",
            ):
                return
            if self.peek().kind == "comma" and not any(m.kind == "or" for m in self.marks[self.at : self.at + 5]):
                return
            self.skip("or", "comma", "fill")

    def equal(self, mark: Mark, column: Mark, slot: int | None = None) -> Test:
        """The test that a column holds a value, in the data's own spelling where it is known."""
        held = {(s.table.path, s.column.name): s for s in mark.senses if s.columns}
        shared = []
        for sense in column.senses:
            for one in sense.columns if sense.columns else ():
                known = held.get((sense.table.path, one.name))
                if known:
                    shared.append(replace(known, columns=(one,), score=sense.score * max(known.score, 0.9)))
        owner = self.out.slots[slot].owner if slot is not None else self.about()
        if shared:
            return Test(Term(self.slot(replace(mark, senses=tuple(shared)), owner)), "is")
        if mark.kind == "number" or mark.number is not None:
            if not any(_numeric_or_text(s) for s in column.senses):
                raise Stuck(mark)
        elif mark.argument not in ("quoted", "date"):
            raise Stuck(mark)
        single = tuple(s for s in column.senses if len(s.columns) == 1)
        if not single:
            raise Stuck(mark)
        number = slot if slot is not None else self.slot(column, owner)
        self.out.slots[number] = replace(self.out.slots[number], senses=single)
        self.out.doubt += 0.15 if mark.argument == "quoted" else 0.0
        return Test(Term(number), "=", (_operand(mark),))

    def comparison(self, term: Term) -> None:
        """The rest of a test after its column: "more than 5", "between 1 and 3", "starting with 'a'"."""
        mark = self.take()
        self.skip("be") if mark.kind == "like" else self.skip("fill", "be")
        if mark.kind == "between":
            low = self.amount()
            self.skip("fill")
            if not self.accept("and") and self.peek().text != "to":
                raise Stuck(self.peek())
            if self.peek().text == "to":
                self.take()
            self.skip("fill")
            self.test(Test(term, "between", (low, self.amount())))
            return
        if mark.kind == "like":
            self.like(term, mark.argument)
            return
        self.test(Test(term, _operator(mark), (self.compared_with(term),)))
        if (
            self.peek().kind in ("and", "or")
            and self.after("and", "or", "fill", "be").kind in ("comp", "when")
            and self.after("and", "or", "fill", "be", "comp", "when").kind == "number"
            and not self.counts_next()
        ):
            self.either = self.take().kind == "or"
            self.skip("fill", "be")
            self.comparison(term)

    def counts_next(self) -> bool:
        """Whether "and more than 3 …" goes on to name what it counts."""
        return self.after("and", "or", "fill", "be", "comp", "when", "number").kind in ("column", "table")

    def compared_with(self, term: Term) -> str | int | float | Nested | Term:
        self.skip("fill", "prep") if self.peek().kind == "prep" and self.peek().argument == "of" else None
        mark = self.peek()
        if mark.kind in ("number", "value"):
            return self.amount()
        if mark.kind in ("average", "agg", "sup", "all"):
            return self.nested(term)
        if mark.kind == "column" and term.slot is not None and not term.counts:
            return Term(self.slot(self.take(), self.out.slots[term.slot].owner))
        raise Stuck(mark)

    def nested(self, term: Term) -> Nested:
        """ "the average", "the maximum age of all students", "the average price of books" """
        if term.slot is None or term.counts:
            raise Stuck(self.peek())
        name = self.agg_names()[:1]
        if not name:
            raise Stuck(self.peek())
        self.skip("fill", "prep") if self.after("fill", "prep").kind == "column" else None
        inner = term
        if self.peek().kind == "column":
            said = self.take()
            mine = self.out.slots[term.slot].senses
            same = tuple(s for s in said.senses if any(s.columns == m.columns and s.table is m.table for m in mine))
            if not same:
                raise Stuck(said)
            self.out.slots[term.slot] = replace(self.out.slots[term.slot], senses=same)
        if self.peek().kind == "prep" and self.after("prep", "fill", "all").kind == "table":
            self.skip("prep", "fill", "all")
            self.slot(self.take())
        if self.peek().kind not in ("end", "stop", "and", "comma", "order", "direction"):
            raise Stuck(self.peek())
        return Nested(name[0], inner)

    def amount(self) -> str | int | float:
        mark = self.accept("number", "value")
        if mark is None:
            raise Stuck(self.peek())
        self.accept("unit")
        if mark.kind == "value" and mark.argument not in ("quoted", "date", "number"):
            raise Stuck(mark)
        return _operand(mark)

    def like(self, term: Term, where: str) -> None:
        while self.peek().kind in ("fill", "either") and len(self.peek().text) > 1:
            self.take()
        mark = self.peek()
        self.at += 1
        text = mark.text
        if mark.kind == "number" or mark.kind == "value" or (mark.end == mark.start + 1 and len(text) <= 2):
            pattern = {"start": f"{text}%", "end": f"%{text}", "in": f"%{text}%"}[where]
            self.test(Test(term, "like", (pattern,)))
            return
        raise Stuck(mark)

    def liked(self) -> None:
        if self.last is None and len(self.out.outputs) == 1 and not self.out.outputs[0].counts:
            self.comparison(self.out.outputs[0])
            return
        if self.last is None or self.last.counts or self.marks[self.at - 1].kind not in ("and", "or"):
            raise Stuck(self.peek())
        self.comparison(self.last)

    def compared(self) -> None:
        """A test that begins with its comparison: "more than 3 pets", "at least 20 points"."""
        mark = self.take()
        self.skip("fill")
        if self.peek().kind != "number":
            if self.peek().kind == "value" and mark.argument == "!=":
                self.negated = True
                self.value_test()
                return
            raise Stuck(self.peek())
        amount = self.take()
        if self.peek().kind in ("and", "but") and self.peek(1).kind == "comp" and self.peek(2).kind == "number":
            self.range_of(mark, amount)
            return
        self.accept("unit")
        self.skip("fill", "distinct", "their")
        if self.peek().kind == "prep" and self.peek().argument == "of":
            self.take()
        self.amounted(Test(Term(None), mark.argument, (_operand(amount),)), mark)

    def range_of(self, mark: Mark, amount: Mark) -> None:
        """ "at least 3 and at most 5 pages": what is compared is named after both."""
        self.take()
        other, limit = self.take(), self.take()
        self.accept("unit")
        self.skip("fill", "distinct", "their")
        start = self.at
        self.amounted(Test(Term(None), mark.argument, (_operand(amount),)))
        self.at = start
        self.amounted(Test(Term(None), other.argument, (_operand(limit),)))

    def amounted(self, test: Test, said: Mark | None = None) -> None:
        follow = self.peek()
        if follow.kind == "table":
            if self.peek(1).kind == "column":
                raise Stuck(self.peek(1))
            slot = self.slot(self.take(), self.about())
            self.out.mentions.append(slot)
            self.test(replace(test, term=Term(slot, rows=True)))
        elif follow.kind == "column" and _numeric(follow):
            self.test(replace(test, term=Term(self.slot(self.take(), self.about()))))
        elif follow.kind == "column":
            self.test(replace(test, term=Term(self.slot(self.take(), self.about()), agg="count", distinct=True)))
        elif self.last is not None and self.marks[self.at - 1].kind == "number":
            self.test(replace(test, term=self.last))
        elif said is not None and said.text in SIZES:
            self.test(replace(test, term=Term(self.measured(replace(said, measure=SIZES[said.text])))))
        else:
            raise Stuck(follow)

    def dated(self) -> None:
        """A test of time without its column: "after 2010", "between 2000 and 2005"."""
        senses = self.times()
        mark = self.peek()
        follow = self.after("when", "between", "fill")
        if follow.kind not in ("number", "value") or not senses or (follow.kind == "number" and not _is_year(follow)):
            raise Stuck(mark)
        slot = self.slot(replace(mark, senses=tuple(replace(s, score=s.score * 0.85) for s in senses)), self.about())
        self.comparison(Term(slot))

    def times(self) -> list[Sense]:
        """The columns of years and dates, the likeliest first."""
        return [
            replace(s, score=s.score * fit)
            for word, fit in (("year", 1.0), ("date", 0.85), ("time", 0.5))
            for s in self.lexicon.named((word,))
            if s.columns and _timely(s)
        ]

    def measured_test(self) -> None:
        mark = self.take()
        term = Term(self.measured(mark))
        self.skip("fill")
        self.test(Test(term, ">" if mark.argument == "max" else "<", (self.compared_with(term),)))
        self.accept("unit")

    def number_said(self) -> None:
        """A number that names no column: a year, or a count of things ("has two pets")."""
        mark = self.take()
        if self.peek().kind in ("unit", "after"):
            after = self.take()
            self.skip("fill", "distinct", "their")
            self.amounted(Test(Term(None), after.argument or "=", (_operand(mark),)))
            return
        if self.peek().kind in ("superlative", "sup", "common") and isinstance(mark.number, int):
            self.out.limit = mark.number
            return
        if _is_year(mark) and self.peek().kind not in ("table", "column"):
            senses = self.times()
            if senses:
                slot = self.slot(replace(mark, senses=tuple(senses)), self.about())
                self.test(Test(Term(slot), "=", (_operand(mark),)))
                return
        if mark.senses and self.peek().kind != "table":
            self.test(Test(Term(self.slot(replace(mark, senses=self.numbered(mark)), self.about())), "is"))
            return
        if self.peek().kind in ("table",) and isinstance(mark.number, int):
            before = next((m for m in reversed(self.marks[: self.at - 1]) if m.kind != "fill"), END)
            if before.kind == "prep" and before.argument in ("of", "for"):  # "the names of the 3 shops with the most …"
                self.out.limit = mark.number
                return
            self.amounted(Test(Term(None), "=", (_operand(mark),)))
            return
        raise Stuck(mark)

    def value_said(self) -> None:
        self.value_test()
        if self.peek().kind == "table" and self.out.tests:
            self.table_said()

    def value_test(self) -> None:
        """A value that stands for a test of its column, with alternatives after "or"."""
        negated = self.negated
        mark = self.take()
        if mark.argument == "number" and not mark.senses:
            raise Stuck(mark)
        column = self.peek() if self.peek().kind == "column" and set(_keys(self.peek())) & set(_keys(mark)) else None
        if column and not self.begins_output():
            self.take()
            self.test(self.equal(mark, column))
        elif mark.senses:
            if mark.argument == "number":
                mark = replace(mark, senses=self.numbered(mark))
            self.test(Test(Term(self.slot(mark, self.about())), "is"))
        elif self.about() is not None and (self.at < 2 or self.marks[self.at - 2].kind in ("be", "table")):
            self.called(mark, self.about() or 0)
        else:
            raise Stuck(mark)
        while (
            self.peek().kind in ("or", "comma") and self.after("or", "comma", "fill", "either", "prep").kind == "value"
        ):
            if self.peek().kind == "comma" and not any(m.kind == "or" for m in self.marks[self.at : self.at + 5]):
                return
            self.skip("or", "comma", "fill", "either", "prep")
            other = self.take()
            alike = tuple(s for s in other.senses if any(_key(s) == _key(o) for o in mark.senses))
            if not alike:
                raise Stuck(other)
            self.negated = negated
            self.either = not negated
            self.test(Test(Term(self.slot(replace(other, senses=alike), self.about())), "is"))

    def called(self, mark: Mark, thing: int) -> None:
        """A quoted name that the data does not hold as it is: the thing's name, or first and last name, is that."""
        if mark.argument != "quoted" or not self.out.slots[thing].senses:
            raise Stuck(mark)
        self.out.doubt += 0.3
        words = mark.text.split()
        senses = [s for s in self.out.slots[thing].senses if not s.columns]
        people = [(s, pair) for s in senses for pair in person_names(s.table)]
        if len(words) == 2 and people:
            for place, word in enumerate(words):
                named = tuple(Sense(s.table, (pair[place],), s.score, word) for s, pair in people)
                self.test(Test(Term(self.slot(replace(mark, senses=named), thing, True)), "is"))
            return
        named = tuple(
            Sense(s.table, columns, s.score, mark.text)
            for s in senses
            for columns in [name_columns(s.table)]
            if len(columns) == 1 and not is_number(columns[0])
        )
        if not named:
            raise Stuck(mark)
        self.test(Test(Term(self.slot(replace(mark, senses=named), thing, True)), "is"))

    def numbered(self, mark: Mark) -> tuple[Sense, ...]:
        """The columns that a number may stand for by itself: years and dates, or what was named just before it."""
        before = self.marks[self.at - 2] if self.at > 1 else END
        senses = tuple(s for s in mark.senses if (_timely(s) if _is_year(mark) else before.kind == "table"))
        if not senses:
            raise Stuck(mark)
        return senses

    def begins_output(self) -> bool:
        return not self.out.outputs and self.peek(1).kind in ("comp", "between", "like")

    def table_said(self) -> None:
        """A thing that is spoken of: the join to it is meant, or that there is none of it."""
        self.peek()
        if self.negated:
            self.lacking()
            return
        before = self.marks[self.at - 1] if self.at else END
        slot = self.thing(self.take(), self.about())
        if self.peek().kind == "own" or (self.peek().kind == "column" and before.kind != "value"):
            if self.accept("own") is None and not self.column_condition(self.peek(), try_only=True):
                raise Stuck(self.peek())
        if self.peek().kind == "value":
            value = self.take()
            if value.senses:
                self.test(Test(Term(self.slot(value, slot, True)), "is"))
            else:
                self.called(value, slot)
        elif self.peek().kind == "number" and not _is_year(self.peek()):
            self.numbered_thing(slot)

    def numbered_thing(self, slot: int) -> None:
        """ "room 105", "store 1": the thing with that number, in its key or in a value of its table."""
        mark = self.take()
        found = []
        for sense in self.out.slots[slot].senses:
            keys = [c for c in sense.table.columns if (c.name,) == sense.table.primary_key and is_number(c)]
            held = [s for s in mark.senses if s.table is sense.table]
            found += held or [Sense(sense.table, (c,), sense.score * 0.9, mark.number) for c in keys]
        if not found:
            raise Stuck(mark)
        self.test(Test(Term(self.slot(replace(mark, senses=tuple(found)), slot, True)), "is"))

    def aggregated(self) -> None:
        """ "whose average score is above 5", or one more thing to show."""
        start, slots = self.at, len(self.out.slots)
        names = self.agg_names()
        self.skip("fill", "prep")
        if self.peek().kind == "column" and len(names) == 1:
            term = Term(self.slot(self.take(), self.about()), agg=names[0])
            self.skip("be", "fill")
            if self.peek().kind in ("comp", "between"):
                self.comparison(term)
                return
        self.at = start
        del self.out.slots[slots:]
        before = next((m.kind for m in reversed(self.marks[: self.at]) if m.kind not in ("fill", "their")), "")
        if before in ("and", "comma", "stop", "prep"):
            self.more()
            return
        raise Stuck(self.peek())

    # -- groups

    def each(self) -> None:
        self.take()
        self.skip("fill", "all", "distinct")
        mark = self.peek()
        if mark.kind in ("end", "stop") and len({t.counts for t in self.out.outputs}) == 2:
            return
        if mark.kind == "table":
            owner = self.slot(self.take(), None)
            self.out.mentions.append(owner)
            self.current = owner
            if self.accept("own"):
                self.skip("fill")
            if self.peek().kind == "column" and self.peek(1).kind not in ("comp", "between", "value", "like", "when"):
                self.out.groups.append(self.slot(self.take(), owner, True))
            else:
                self.out.groups.append(owner)
        elif mark.kind == "column":
            slot = self.slot(self.take(), None)
            self.out.groups.append(slot)
            self.owner(slot) if self.peek().argument == "of" else None
        else:
            raise Stuck(mark)

    # -- the end

    def settle(self) -> None:
        """Give columns without an owner the question's own thing, and groups where something is counted."""
        out = self.out
        if self.negated or self.either:
            raise Stuck(self.marks[-1])
        for place, slot in enumerate(out.slots):
            if slot.owner is None and out.focus is not None and place != out.focus:
                out.slots[place] = replace(slot, owner=out.focus)
        if out.limit is not None and (not out.order or out.limit > 1_000_000):
            raise Stuck(self.marks[-1])
        # "the number of hours" is a column of amounts: added up where things are grouped, shown as it is elsewhere.
        added = bool(out.groups) or len(out.outputs) == 1
        out.outputs = [
            replace(t, agg="sum" if added else "", distinct=False) if t.distinct and not t.counts else t
            for t in out.outputs
        ]
        first = out.outputs[0] if out.outputs else None
        if first and first.agg not in ("", "count") and not out.groups and not all(t.counts for t in out.outputs):
            raise Stuck(self.marks[-1])  # "the lowest price and the name": of each name, or of the cheapest thing?
        if out.groups and not any(t.counts for t in out.outputs) and not any(k.term.counts for k in out.order):
            self.settle_groups()

    def settle_groups(self) -> None:
        """ "customers per country" counts them; "the name of each customer" is no group at all."""
        out = self.out
        only = out.outputs[0] if len(out.outputs) == 1 else None
        if (
            only
            and only.slot is not None
            and out.limit is None
            and not out.order
            and not out.slots[only.slot].senses[0].columns
        ):
            out.outputs = [Term(only.slot, rows=True)]
            return
        owners = {out.slots[t.slot].owner for t in out.outputs if t.slot is not None} | {out.focus}
        if out.limit is not None or not all(self.same_thing(g, owners) for g in out.groups):
            raise Stuck(self.marks[-1])
        out.groups = []

    def same_thing(self, group: int, owners: set[int | None]) -> bool:
        mine = {s.table.path for s in self.out.slots[group].senses if not s.columns}
        return any(mine & {s.table.path for s in self.out.slots[o].senses} for o in owners if o is not None)


def _is_year(mark: Mark) -> bool:
    return isinstance(mark.number, int) and 1000 <= mark.number <= 2100 and len(mark.text) == 4


def _operand(mark: Mark) -> str | int | float:
    return mark.number if mark.number is not None else mark.text


def _operator(mark: Mark) -> str:
    if mark.kind == "comparative":
        return ">" if mark.argument == "max" else "<"
    return mark.argument


def _numeric(mark: Mark) -> bool:
    best = max((s.score for s in mark.senses), default=0.0)
    return any(len(s.columns) == 1 and is_number(s.column) for s in mark.senses if s.score >= best - 0.25)


def _flag(mark: Mark) -> bool:
    return mark.kind == "column" and bool(mark.senses) and is_flag(mark.senses[0].column)


def _measured(mark: Mark) -> bool:
    """Whether a column holds amounts: numbers that are neither keys nor years."""
    return _numeric(mark) and not _is_key(mark) and not is_year(mark.senses[0].column)


def _is_key(mark: Mark) -> bool:
    return mark.senses[0].column.name.lower().endswith(("id", "code", "key"))


def _timely(sense: Sense) -> bool:
    return any(is_date(c) or is_year(c) or (is_number(c) and "birth" in c.name.lower()) for c in sense.columns)


def _numeric_or_text(sense: Sense) -> bool:
    return len(sense.columns) == 1


def _key(sense: Sense) -> tuple[object, ...]:
    return (sense.table.path, sense.column.name)


def _keys(mark: Mark) -> list[tuple[object, ...]]:
    return [(s.table.path, c.name) for s in mark.senses for c in s.columns]
