"""Read superlatives: what rows are ranked by, and how many of the first are kept."""

from __future__ import annotations

from dataclasses import replace

from askwhere.engine import Table
from askwhere.reader.grammar.cursor import SENTENCE_ENDS, Stuck
from askwhere.reader.grammar.draft import Term, Test
from askwhere.reader.grammar.frequency import Frequency
from askwhere.reader.marking.formulas import LETTERS
from askwhere.reader.marking.marks import Mark, is_amount, is_numeric, is_timely, names_a_key
from askwhere.reader.marking.numeric import column_words, is_key
from askwhere.reader.schema.naming import name_columns, person_names
from askwhere.reader.schema.senses import Sense, paths_of
from askwhere.reader.words.measures import AMOUNT, ATTENDED, SIZE, SIZES
from askwhere.reader.words.money import PAID
from askwhere.reader.words.names import name_stems
from askwhere.reader.words.tokens import is_singular, stem
from askwhere.reader.words.types import is_text

COUNTING = ("most", "the most", "least", "the least", "fewest", "the fewest")
_EARNED = frozenset({"revenu", "turnov", "spend"})  # "which store has the highest revenue" is by its sum
_PLACES = ("rank", "place", "stand")


class Ranking(Frequency):
    """The part of the grammar that reads what rows are ranked by.

    Its methods read from the cursor on, add order and limit to the draft, and raise `Stuck` at a mark that does not
    fit.
    """

    def place_of_order(self) -> None:
        """Read an ordinal before a superlative, "the second largest", as the number of rows to skip."""
        mark = self.take()
        if self.out.passed or self.peek().kind not in ("sup", "superlative", "supcount", "common", "sold"):
            raise Stuck(mark)
        self.out.passed = int(mark.argument) - 1

    def superlative(self) -> None:
        """Read "with the highest budget", "has the most concerts": rank by a column, aggregate, count or revenue."""
        mark = self.take()
        before = self.marks[self.at - 2].text if self.at > 1 else ""
        if before == "at":
            raise Stuck(mark)
        if self.peek().kind == "number":
            self.top_number()
        self.skip("fill", "distinct", "their")
        counting = mark.text in COUNTING
        read = (
            self.superlative_number(mark)
            or self.superlative_aggregate(mark)
            or self.superlative_formula(mark)
            or self.superlative_share(mark)
            or (counting and self.most_by_verb(mark, before))
            or (counting and self.most_flagged(mark, before))
            or self.superlative_column(mark, before)
            or (counting and self.most_things(mark))
            or (mark.text in SIZES and self.superlative_size(mark))
        )
        if not read:
            raise Stuck(self.peek())

    def top_number(self) -> None:
        """Read the number of "top 5" as the limit."""
        self.out.limit = int(self.take().number or 1)
        if self.peek().kind == "table":  # "least two" may be a slip for "at least two"
            raise Stuck(self.peek())

    def superlative_number(self, mark: Mark) -> bool:
        """Read "number of concerts"; before a column of numbers, only "number of" is read."""
        if self.accept("count") is None:
            return False
        self.skip("fill", "all", "distinct")
        follow = self.peek()
        if follow.kind == "table" or (follow.kind == "column" and not is_numeric(follow)):
            self.counted(mark.argument == "max")
            return True
        return False

    def superlative_aggregate(self, mark: Mark) -> bool:
        """Read "average price" or "average payment", whose table has one column of amounts."""
        first = self.peek()
        if first.kind not in ("agg", "average"):
            return False
        name = self.agg_names()[0]
        self.skip("fill", "prep")
        follow = self.peek()
        if follow.kind == "table" and stem(follow.text.split()[-1]) in PAID and (amounts := self.amounts()):
            tables = paths_of(follow.senses)
            own = tuple(s for s in amounts if s.table.path in tables)
            self.take()
            follow = replace(follow, kind="column", senses=own)
        elif self.accept("column") is None:
            raise Stuck(first)
        self.rank(Term(self.slot(follow, self.about()), agg=name), mark.argument == "max")
        return True

    def superlative_formula(self, mark: Mark) -> bool:
        """Read "revenue", "margin" or "cost per click"."""
        kind = self.peek().kind
        if kind not in ("money", "margin", "computed"):
            return False
        self.rank(self.money() if kind == "money" else self.formula(), mark.argument == "max")
        return True

    def superlative_share(self, mark: Mark) -> bool:
        """Read a share of rows, "failure rate"."""
        if self.peek().kind != "percent":
            return False
        self.rank(self.ranking_share(), mark.argument == "max")
        return True

    def most_by_verb(self, mark: Mark, before: str) -> bool:
        """Rank by what the verb before "the most" says: "spent the most", "rented the most films"."""
        if spent := self.most_spent(mark):
            self.rank(self.money(replace(mark, senses=spent)), mark.argument == "max")
            return True
        may_end = self.peek().kind in (*SENTENCE_ENDS, "prep", "comma", "days", "when", "table")
        return may_end and before != "by" and self.rank_done(mark.argument == "max")

    def most_flagged(self, mark: Mark, before: str) -> bool:
        """Read "the most redos" where rows have a flag `redo`: rank by how many of them have it."""
        follow = self.peek()
        flags = () if is_singular(follow.text) or before == "by" else self.flags(follow, alone=True)
        if not flags:
            return False
        rows = self.slot(replace(follow, kind="table", senses=tuple(Sense(s.table) for s in flags)), self.about())
        self.out.mentions.append(rows)
        self.test(Test(Term(self.slot(replace(self.take(), senses=flags), rows, True)), "true"))
        self.rank(Term(rows, rows=True), mark.argument == "max")
        return True

    def superlative_column(self, mark: Mark, before: str) -> bool:
        """Read a column: rank by its values, by their sum, or by how many there are of them."""
        follow, counting = self.peek(), mark.text in COUNTING
        if follow.kind != "column":
            return False
        if before == "by" or (counting and names_a_key(follow)):
            raise Stuck(follow)  # "spoken by most people" is no ranking, nor is "most" before a key
        if counting and not is_numeric(follow):
            self.several_of(follow)
            return True
        best = follow.senses[0]
        if counting and is_text(best.column):
            raise Stuck(follow)  # "the most jobs" is not the last `job_title`, though a `job_no` is a number
        if is_text(best.column) and best.columns == name_columns(best.table):
            raise Stuck(follow)  # "the largest city" is not the last one in alphabetical order
        if name_stems(best.column.name)[-1] in _PLACES:
            raise Stuck(follow)  # "the highest rank" may be 1 or the greatest number
        things = paths_of(self.out.senses_at(self.about()))
        earned = bool(column_words(best.column) & _EARNED) and bool(things) and best.table.path not in things
        added = earned or (counting and self.shows_a_kind(best.table))
        slot = self.slot(self.take(), self.about())
        self.rank(Term(slot, agg="sum") if added else Term(slot, distinct=counting), mark.argument == "max")
        return True

    def most_things(self, mark: Mark) -> bool:
        """Read the table of "the most concerts"."""
        if self.peek().kind != "table":
            return False
        self.counted(mark.argument == "max")
        return True

    def superlative_size(self, mark: Mark) -> bool:
        """Read the table of "the largest city", or nothing in "which city is the largest"."""
        if self.peek().kind == "table":
            self.thing(self.take(), self.about())
        elif self.peek().kind not in SENTENCE_ENDS or not self.shows_things():
            return False
        self.sized(mark)
        return True

    def shows_a_kind(self, table: Table) -> bool:
        """Return whether all that is shown is a column of a table that does not name its rows: "which colour"."""
        shown = [t for t in self.out.outputs if t.slot is not None and not t.counts]
        senses = [self.out.slots[t.slot or 0].senses[0] for t in shown]
        kinds = [
            s for s in senses if s.table is table and s.columns and is_text(s.column) and not is_key(table, s.column)
        ]
        return len(self.out.outputs) == len(kinds) == 1 and not {*kinds[0].columns} & {*name_columns(table)}

    def sized(self, mark: Mark) -> None:
        """Rank "the largest city" by the column after "by", or else by a column for size.

        `mark` is the adjective, which was read already.
        """
        counted = self.peek(1).kind == "count" and self.peek(2).kind == "column" and is_numeric(self.peek(2))
        if self.peek().text == "by" and (self.peek(1).kind == "column" or counted):
            self.at += 2 if counted else 1  # "by number of guests", `guests`
            if not is_numeric(self.peek()) and not any(map(is_timely, self.peek().senses)):
                raise Stuck(self.peek())  # "the largest payments by method"
            self.rank(Term(self.slot(self.take(), self.about())), mark.argument == "max")
            return
        self.rank(Term(self.size(mark)), mark.argument == "max")

    def size(self, mark: Mark) -> int:
        """Return a new slot for the column that a word of size is about: an amount, where things have no size."""
        measure = SIZES[mark.text]
        if measure is SIZE and not self.has_measure(measure):
            if not self.has_measure(AMOUNT) and (amounts := self.only_amounts()):
                return self.slot(replace(mark, kind="column", senses=amounts), self.about(), True)
            measure = ATTENDED if self.has_measure(ATTENDED) and not self.has_measure(AMOUNT) else AMOUNT
        return self.measured(replace(mark, measure=measure))

    def ranked_by_letters(self, mark: Mark, slot: int) -> bool:
        """Rank by how long a text is, "the longest name"; return False for another adjective or no column of texts.

        A text is called by its name, "title", and not as what it names is, "songs". Raise `Stuck` for a name in two
        columns.
        """
        said, best = self.out.slots[slot].text, self.out.slots[slot].senses[0]
        long = mark.text.endswith(("longest", "shortest")) and len(best.columns) == 1 and is_text(best.column)
        if not long or stem(said.split()[-1]) not in name_stems(best.column.name)[-1:]:
            return False
        if any(best.column in pair for pair in person_names(best.table)):
            raise Stuck(mark)
        self.rank(Term(slot, formula=LETTERS), mark.argument == "max")
        return True

    def rank_by(self) -> None:
        """Read an adjective in the superlative, such as "the oldest", and what it applies to, if that follows."""
        mark = self.take()
        if self.peek().kind == "column":
            alike = {s.columns for s in self.peek().senses} & {s.columns for s in self.senses_of(mark)}
            amount = bool(alike) or is_amount(self.peek())
            slot = self.slot(self.take(), self.about())
            if amount:
                self.rank(Term(slot), mark.argument == "max")
            elif not self.ranked_by_letters(mark, slot):
                raise Stuck(mark)
            return
        thing = self.accept("table")
        if thing:
            self.thing(thing)
        if lasting := self.lasting(mark):
            self.rank(lasting, mark.argument == "max")
            return
        measured, down = self.first_by(mark)
        if thing:
            self.measures(measured, thing)
        if self.peek().kind == "value":
            self.measures(measured, self.peek())
        self.rank(Term(measured), down)
