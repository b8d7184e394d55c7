"""Read the subject of a question that asks who, when or where: "who rented …", "when was Ann hired"."""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile

from askwhere.indexer.word_forms import is_participle
from askwhere.reader.grammar.cursor import END, Stuck
from askwhere.reader.grammar.draft import Term
from askwhere.reader.grammar.whether import Whether
from askwhere.reader.marking.formulas import dates_of
from askwhere.reader.marking.marks import Mark, is_timely
from askwhere.reader.marking.numeric import adds_up
from askwhere.reader.schema.edges import goes_between
from askwhere.reader.schema.naming import is_name, own_dates
from askwhere.reader.schema.persons import PATRON
from askwhere.reader.schema.roles import LEADING, is_second
from askwhere.reader.schema.senses import Sense, paths_of
from askwhere.reader.words.english import WORKING
from askwhere.reader.words.measures import ASKED
from askwhere.reader.words.tokens import stem
from askwhere.reader.words.types import is_text
from askwhere.reader.words.verbs import AUXILIARY, is_act, names_doer

_SITUATED = frozenset(map(stem, "located situated held hosted based placed".split()))
_BEHIND_WHO = ("link", "table", "column", "value", "have", "not", "without", "current")
# What says which row is meant: "when was Ann hired", "when was the oldest patient born".
_CHOOSING = ("value", "number", "superlative")
_SELLS = frozenset({"sell"})
_BUYS = frozenset({"buy", "pay", "spend", "purchas"})


class Subjects(Whether):
    """The part of the grammar that finds the table of people, or the date or place, that such a question asks for."""

    def no_act(self) -> None:
        """Raise `Stuck` where a noun and a verb, "pupils born in 2014", were read as the name of one column.

        Amounts are called so, too: "sheets used in 2014" are `sheets_used`.
        """
        mark = self.peek()
        amounts = mark.kind == "column" and adds_up(mark) and not any(is_timely(s) for s in mark.senses)
        said = mark.text.split() if mark.kind == "column" and not amounts else []
        if len(said) > 1 and is_act(said[-1]) and self.peek(1).kind in ("prep", "when", "between", "days", "comp"):
            raise Stuck(mark)

    def doer(self) -> bool:
        """Read the verb of "who directed Heat" where a column of names is called after its doer, `director`.

        The column is shown. Return False, with nothing read, where there is none.
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
        hired = [s.table for s in self.peek().senses if not is_second(s.table)] if self.done_when() else []
        dated = tuple(map(Sense, hired))
        led = LEADING & set(self.out.verbs)
        over = tuple(Sense(t) for t in self.lexicon.tables if t.path in self.lexicon.seconds) if led else ()
        senses = over or dated or self.doers_over_link() or self.lexicon.persons() or self.others_for_who()
        senses = self.people_who_have(senses)
        senses = self.people_of_act(senses)
        said = {stem(w) for m in self.marks[self.at : self.at + 1] for w in m.text.split()[-1:]}
        named = tuple(s for s in senses if any(names_doer((s.table.name,), verb) for verb in said))
        senses = named or senses  # "who adopted Rex": the adopters
        others = tuple(s for s in senses if s.score < PATRON)
        if self.says(_SELLS) or (self.peek().kind == "have" and self.peek().text in AUXILIARY):
            senses = others  # customers buy, and "who did most jobs" is no customer
        if self.says(WORKING):
            senses = others or senses  # "who works at Northside" is none of its patients
        if self.says(_BUYS):
            senses = tuple(s for s in senses if s.score >= PATRON) or senses
        senses = self.without_object(senses)
        if not senses or self.peek().kind not in _BEHIND_WHO:
            raise Stuck(self.marks[self.at - 1])
        slot = self.thing(replace(self.marks[self.at - 1], kind="table", senses=senses))
        self.out.several = True
        self.out.outputs.append(Term(slot))

    def without_object(self, people: tuple[Sense, ...]) -> tuple[Sense, ...]:
        """Return the tables of people without that of the person to whom something is done: "who visits Agnes Turner".

        That one stays where its rows refer to each other.
        """
        verb, thing, name = ([m for m in self.marks[self.at :] if m.kind not in ("have", "fill")] + [END] * 3)[:3]
        told = name if thing.kind == "table" else thing  # "who visits the patient Agnes Turner"
        done = verb.kind in ("link", "table", "column") and told.kind == "value"
        own = {s.table.path for s in told.senses if is_name(s) and s.table.path not in self.lexicon.seconds}
        return tuple(s for s in people if not (done and s.table.path in own))

    def doers_over_link(self) -> tuple[Sense, ...]:
        """Return the table on the other side of a link table that is the verb: the farms of "who grows wheat", `grows`.

        Nothing is returned where people are on either side.
        """
        verb, said = self.peek(), self.peek(1)
        if verb.kind != "table" or said.kind != "value" or not said.senses or not goes_between(verb.senses[0].table):
            return ()
        ends = [t for key in verb.senses[0].table.foreign_keys for t in self.lexicon.tables if t.path == key.target]
        people = paths_of(self.lexicon.persons())
        told = paths_of(said.senses)
        others = [t for t in ends if t.path not in told]
        alone = len(ends) == 2 and len(others) == 1 and not any(t.path in people for t in ends)
        return (Sense(others[0]),) if alone else ()

    def others_for_who(self) -> tuple[Sense, ...]:
        """Return the tables that "who" may ask for where no table is one of people.

        They are those whose column is spoken of, "who has most points", or whose key is called after the doer.
        """
        verb = stem(self.peek().text.split()[-1]) if self.peek().kind == "link" else ""
        done = {k.target for t in self.lexicon.tables for k in t.foreign_keys if verb and names_doer(k.columns, verb)}
        if done:
            return tuple(Sense(t) for t in self.lexicon.tables if t.path in done)
        has = self.peek().kind == "have"
        column = next((m for m in self.marks[self.at :] if m.kind == "column"), END) if has else END
        return tuple(Sense(s.table, (), s.score) for s in column.senses[:1] if s.columns and not goes_between(s.table))

    def read_key_as_verb(self) -> None:
        """Read a verb that was taken for the key named after its doer as a verb: "who inspects it", `inspector_id`."""
        mark = self.peek()
        verb = stem(mark.text.split()[-1]) if mark.kind == "column" else ""
        keys = {(s.table.path, c) for s in mark.senses for key in s.table.foreign_keys for c in key.columns}
        if verb and all(
            len(s.columns) == 1 and (s.table.path, s.column.name) in keys and names_doer((s.column.name,), verb)
            for s in mark.senses
        ):
            self.marks = tuple(replace(m, kind="link", senses=()) if m is mark else m for m in self.marks)
            self.out.verbs = (*self.out.verbs, verb)

    def read_date_as_act(self) -> None:
        """Read a participle that was taken for the date of an act as its table: "who inspected it", `insp_dt`."""
        people = paths_of(self.lexicon.persons())
        for mark in self.marks[self.at : self.at + 2]:
            acts = [s.table for s in mark.senses if s.columns and s.columns == own_dates(s.table)[:1]]
            done = mark.kind == "column" and is_participle(mark.text) and len(acts) == len(mark.senses)
            if done and all({key.target for key in act.foreign_keys} & people for act in acts):
                table = replace(mark, kind="table", senses=tuple(map(Sense, acts)))
                self.marks = tuple(table if m is mark else m for m in self.marks)

    def people_who_have(self, people: tuple[Sense, ...]) -> tuple[Sense, ...]:
        """Return the tables of people that refer to the table behind "who has" or "who has no"; all where none does."""
        thing = self.after("have", "without", "fill")
        told = {s.table.path for s in thing.senses if thing.kind == "table" and thing is not self.peek()}
        return tuple(s for s in people if told & {key.target for key in s.table.foreign_keys}) or people

    def people_of_act(self, people: tuple[Sense, ...]) -> tuple[Sense, ...]:
        """Return the tables of people that the table of what was done refers to; all where it refers to none.

        "Who visited site 7" asks for whom `site_visits` refers to, and not for the client whose site it is.
        """
        verbs = takewhile(lambda m: m.kind in ("link", "table", "column", "fill"), self.marks[self.at :])
        words = [word for mark in verbs for word in mark.text.split()]
        acts = [word for word in words if is_participle(word)] or words[:1]  # "who visited", "who visits"
        senses = (sense for word in acts for sense in self.lexicon.named((word,)))
        named = {s.table for s in senses if not s.columns or (is_timely(s) and s.columns == own_dates(s.table)[:1])}
        targets = {key.target for table in named for key in table.foreign_keys}
        return tuple(s for s in people if s.table.path in targets) or people

    def when_done(self) -> bool:
        """Read "when was Ann hired", "where is the club located": show the date, or place, that the last verb says.

        Return False for another question, and where no value or superlative says which row is meant.
        """
        asked = self.marks[0].text if self.marks else ""
        if asked not in ("when", "where") or self.at > 1:
            return False
        acts = [m for m in self.marks[1:] if m.kind == "link" or (m.kind == "column" and is_act(m.text))]
        verb = acts[-1] if acts else END
        senses = dates_of(verb, self.lexicon) if asked == "when" else self.places(verb)
        if not acts or not senses or not any(m.kind in _CHOOSING for m in self.marks):
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
