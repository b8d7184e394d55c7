"""Write what is computed from columns: revenue, days between two dates, differences of amounts, and medians.

A term names its formula; the columns are those of its slot's sense, in the order that the formula takes them. SQLite
has no function for medians, so they are the mean of the middle one or two rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from askwhere.engine import Column, Table
from askwhere.reader.marking.marks import Mark
from askwhere.reader.marking.revenue import product
from askwhere.reader.schema.lexicon import Lexicon
from askwhere.reader.schema.naming import events, own_dates, timely
from askwhere.reader.schema.roles import is_role
from askwhere.reader.schema.senses import Sense
from askwhere.reader.words.english import stems
from askwhere.reader.words.names import cut_name, full_stems
from askwhere.reader.words.tokens import stem
from askwhere.reader.words.types import is_moment, is_number, is_year
from askwhere.reader.words.verbs import called_after_act, says_when
from askwhere.sql.dialect import Dialect
from sqlglot import exp

REVENUE, DAYS, DIFFERENCE = "revenue", "days", "difference"
HOURS, MINUTES = "hours", "minutes"
# The formula for times by the unit in which they are to be shown.
TIMES = {"hours": HOURS, "hour": HOURS, "hrs": HOURS, "minutes": MINUTES, "minute": MINUTES, "mins": MINUTES}
AGE = "age"
LETTERS = "letters"  # how many a text has
_SECONDS = {HOURS: "3600.0", MINUTES: "60.0"}  # in each of them
RATIO, PRODUCT = "ratio", "product"
# Stems of dates at which something begins, and at which it ends.
_BEGINS = frozenset(
    "start begin open activ hire admit admiss join from check arriv arrival arr pickup order issu creat lend borrow"
    " rent loan".split()
)
_ENDS = frozenset(
    "end finish close deactiv dis disch discharg leav left to until thru return dropoff deliv deliver deliveri depart"
    " departur complet expir expiri terminat resign clear resolv solv retir scrap done dep".split()
)
_DEPARTS = frozenset("depart departur dep".split())
# The same of less certain words, for tables without others.
_ALSO_BEGINS = frozenset("report request receiv submit file log rais ask appoint enter post announc".split())
_ALSO_ENDS = frozenset("fix answer decid execut repair exit dismiss repli respond reply settl".split())
_JOINS = frozenset(stems("joined signed registered enrolled subscribed since"))  # of customers and members
_CANCELS = frozenset(stems("cancelled"))
_BACK = frozenset(stems("return back"))  # of what went out before: `out_date`
# Words of dates at which something should be done.
DUE = frozenset(map(stem, "due promised required planned expected scheduled deadline target agreed wanted eta".split()))
AHEAD = DUE | set(stems("next last expiry until"))  # words of dates that say how things are now, or are to be
_EXPIRES = frozenset("expir expiri exp laps until".split())
_DATES = frozenset({"date", "time", "day"})
_BIRTH = stem("born")
# What a margin is the difference of: a price, and what was paid for the thing.
_LATER, _EARLIER = frozenset(("price", "pr")), frozenset(stems("cost purchase buy buying wholesale"))


def computed(formula: str, columns: list[exp.Expr], dialect: Dialect) -> exp.Expr:
    """Return the SQL of a formula over the columns of one row."""
    if formula == REVENUE:
        return product(columns)
    if formula == DAYS:
        return dialect.expressions.days(columns[0], columns[1])
    if formula == LETTERS:
        return exp.Length(this=columns[0])
    if formula == AGE:
        return dialect.expressions.age(columns[0])
    if formula in _SECONDS:
        seconds = dialect.expressions.seconds(columns[0], columns[1])
        return exp.Div(this=seconds, expression=exp.Literal.number(_SECONDS[formula]), typed=True)
    if formula == PRODUCT:
        return exp.Mul(this=columns[0], expression=columns[1])
    if formula == RATIO:
        return quotient(exp.Mul(this=exp.Literal.number("1.0"), expression=columns[0]), columns[1])
    return exp.Sub(this=columns[0], expression=columns[1])


def quotient(part: exp.Expr, whole: exp.Expr) -> exp.Expr:
    """Return a part divided by a whole, and NULL where the whole is 0, for which DuckDB has infinity or NaN."""
    some = exp.Nullif(this=whole, expression=exp.Literal.number(0))
    return exp.Div(this=part, expression=some, typed=True)


def days_between(first: Mark, second: Mark, lexicon: Lexicon) -> tuple[Sense, ...]:
    """Return the pairs of dates, the later one first, that two marks name in one table: "from order to delivery"."""
    earlier, later = dates_of(first, lexicon), dates_of(second, lexicon)
    return tuple(
        Sense(a.table, (b.column, a.column), min(a.score, b.score))
        for a in earlier
        for b in later
        if a.table is b.table and a.column is not b.column
    )


def days_until(mark: Mark, lexicon: Lexicon) -> tuple[Sense, ...]:
    """Return the pairs of a date that a mark names and the date at which the row came to be: "does shipping take"."""
    return tuple(
        Sense(s.table, (s.column, began), s.score)
        for s in dates_of(mark, lexicon)
        for began in (own_dates(s.table) or events(s.table))[:1]
        if began is not s.column and not is_year(began)
    )


def names_end(column: Column) -> bool:
    """Return whether a date's name says that something ends then."""
    return bool(_ENDS & set(full_stems(column.name)))


def names_beginning(column: Column) -> bool:
    """Return whether a date's name says that something begins then."""
    return bool((_BEGINS | _ALSO_BEGINS) & set(full_stems(column.name)))


@lru_cache(maxsize=2_000)
def days_of(table: Table) -> tuple[Sense, ...]:
    """Return the dates at which the rows of a table begin and end, as one pair, the end first; nothing without both."""
    return _span(table, _BEGINS, _ENDS) or _two_moments(table)


@lru_cache(maxsize=2_000)
def span_of(table: Table) -> tuple[Sense, ...]:
    """Return what `days_of` does, or else two dates by words that are less sure to say when rows begin and end."""
    return days_of(table) or _span(table, _BEGINS | _ALSO_BEGINS, _ENDS | _ALSO_ENDS)


def present_span_of(table: Table) -> tuple[Sense, ...]:
    """Return what `span_of` does, or else the pair with the one end that was reached: `returned_on`, not `end_date`.

    What has no such dates ends when it is cancelled: subscribers.
    """
    ends = [c for c in events(table) if names_end(c)]
    reached = [c for c in ends if called_after_act(c.name)]
    begins = [c for c in events(table) if c not in ends and names_beginning(c)]
    some = (Sense(table, (reached[0], begins[0])),) if len(reached) == len(begins) == 1 < len(ends) else ()
    joined = [c for c in events(table) if _JOINS & {*full_stems(c.name)}]
    cancelled = [c for c in events(table) if _CANCELS & {*full_stems(c.name)}]
    subscribed = (Sense(table, (cancelled[0], joined[0])),) if len(cancelled) == len(joined) == 1 else ()
    return span_of(table) or some or subscribed


def _two_moments(table: Table) -> tuple[Sense, ...]:
    """Return the only two times of a table, if they may say when its rows begin and end: `takeoff`, `landing`.

    Neither is of what is due, the first not of an end, and the second not of a beginning. The pair has it first.
    """
    dates = events(table)
    if len(dates) != 2 or not all(map(is_moment, dates)):
        return ()
    first, second = (set(full_stems(c.name)) for c in dates)
    in_order = not first & (_ENDS | _ALSO_ENDS | DUE) and not second & (_BEGINS | _ALSO_BEGINS | DUE)
    return (Sense(table, dates[::-1]),) if in_order else ()


def _span(table: Table, beginning: frozenset[str], ending: frozenset[str]) -> tuple[Sense, ...]:
    """Return the only two dates of a table whose names say that something begins and ends, the end first.

    What is expected or due counts only where nothing else says when it begins and ends.
    """
    dates = tuple(c for c in events(table) if not is_year(c))
    firm = tuple(c for c in dates if not DUE & set(full_stems(c.name)))
    pairs = (_first_and_last(table, some, beginning, ending) for some in dict.fromkeys((firm, dates)))
    return next(filter(None, pairs), ())


def _first_and_last(
    table: Table, dates: tuple[Column, ...], beginning: frozenset[str], ending: frozenset[str]
) -> tuple[Sense, ...]:
    """Return the one pair of these dates of a table at which something begins and ends, the end first, or nothing."""
    ends = [c for c in dates if ending & set(full_stems(c.name)) and not _is_of_a_part(c, table)]
    last = [c for c in ends if c not in own_dates(table)] or ends  # returns begin at their `return_date`
    begins = [c for c in dates if beginning & set(full_stems(c.name)) and c not in last]
    if any(_BACK & set(full_stems(c.name)) for c in last):
        begins = begins or [c for c in dates if "out" in cut_name(c.name)]
    begins = begins or [c for c in own_dates(table) if c in dates and c not in last]
    before = [c for c in dates if last and table.columns.index(c) < table.columns.index(last[0])]
    begins = begins or (before if len(before) == 1 else [])  # the other one: `alarm_time`, `dropped_off`
    if len(last) == len(begins) == 1:
        pair = (last[0], begins[0])
        # What departs before it arrives, or returns, is no stay; the columns are in the order of time.
        travels = _DEPARTS & set(full_stems(last[0].name)) and dates.index(last[0]) < dates.index(begins[0])
        return (Sense(table, pair[::-1] if travels else pair),)
    moves = [(out, into) for out in dates for into in dates if _goes_out(out, into)]
    return (Sense(table, moves[0]),) if len(moves) == 1 else ()


def _is_of_a_part(date: Column, table: Table) -> bool:
    """Return whether a date says until when something that rows have is valid: `licence_expires` of drivers.

    So it is where no other date of the table is called after that thing, as `licence_from` would be.
    """
    own = {*full_stems(table.name)} | _EXPIRES | _DATES | _ENDS
    others = (c for c in timely(table) if c is not date)
    return is_expiry(date) and not {*full_stems(date.name)} - own <= {w for c in others for w in full_stems(c.name)}


def finest_time(pairs: tuple[Sense, ...]) -> str:
    """Return the formula for the time between pairs of dates: in hours if all have a time of day, else in days."""
    return HOURS if pairs and all(is_moment(c) for pair in pairs for c in pair.columns) else DAYS


def says_stay(dates: Sense) -> bool:
    """Return whether two dates, the end first, are of a stay: `check_out` and `check_in`, and not of a voyage."""
    return not _COMING.isdisjoint(full_stems(dates.columns[1].name))


_COMING = frozenset(map(stem, "check checkin admission admitted arrival arrived".split()))


def _goes_out(last: Column, first: Column) -> bool:
    """Return whether the names of two dates differ in "out" and "in" alone: `move_out_date` and `move_in_date`."""
    out, into = cut_name(last.name), cut_name(first.name)
    return "out" in out and tuple("in" if word == "out" else word for word in out) == into


def is_expiry(column: Column) -> bool:
    """Return whether a date's name says until when something is valid, which may lie ahead: `licence_expiry`."""
    return bool(_EXPIRES & set(full_stems(column.name))) or {"valid", "to"} <= set(full_stems(column.name))


def holds_until(mark: Mark) -> bool:
    """Return whether a mark names what holds until the dates of its senses, "insured", and not those themselves."""
    dates = all(s.columns and is_expiry(s.column) for s in mark.senses)
    return bool(mark.senses) and dates and (_EXPIRES | _DATES).isdisjoint(map(stem, mark.text.split()))


def flags_of_ends(table: Table, flags: Callable[[Sense], object]) -> tuple[Sense, ...]:
    """Return the one column that `flags` knows as one of yes and no, and that says that a row is done: `is_settled`."""
    ended = [Sense(table, (c,)) for c in table.columns if (_ENDS | _ALSO_ENDS) & set(full_stems(c.name))]
    return tuple(told) if len(told := [s for s in ended if flags(s)]) == 1 else ()


def is_of_opening(sense: Sense) -> bool:
    """Return whether a sense says when or by whom a thing was opened, of a table that also says when it ended."""
    if not sense.columns:
        return is_role(sense.table)
    pairs = days_of(sense.table)
    return any(sense.column in pair.columns or "opened" in cut_name(sense.column.name) for pair in pairs)


def dates_of(mark: Mark, lexicon: Lexicon) -> tuple[Sense, ...]:
    """Return the dates that a mark names: by its senses, or because a date's name says its last word."""
    verb = next((w for w in map(stem, reversed(mark.text.split())) if w not in _DATES), "")
    found: dict[tuple[object, str], Sense] = {}
    for table in lexicon.tables:
        named = {c.name: s.score for s in mark.senses if s.table is table for c in s.columns}
        own = [s.table for s in mark.senses if not s.columns and s.table is table]
        for column in (c for c in timely(table) if not is_year(c) or verb == _BIRTH):
            if column.name in named or (verb and says_when(column.name, verb)):
                score = 1.0 if verb and says_when(column.name, verb) else named[column.name]
                found[table.path, column.name] = Sense(table, (column,), max(score, named.get(column.name, 0.0)))
            elif own and column in (own_dates(table) or [pair.columns[1] for pair in days_of(table)]):
                found.setdefault((table.path, column.name), Sense(table, (column,), 0.9))
    return tuple(found.values())


def _costs_and_prices(table: Table) -> tuple[list[Column], list[Column]]:
    """Return the columns of what was paid for things, `purchase_price`, and those of what they are sold for."""
    numbers = [c for c in table.columns if is_number(c)]
    costs = [c for c in numbers if _EARLIER & {*full_stems(c.name)}]
    return costs, [c for c in numbers if _LATER & {*full_stems(c.name)} and c not in costs]


def with_selling_prices(senses: list[Sense]) -> list[Sense]:
    """Return columns of what things cost, of each table that has a cost and one price with the price alone.

    What was done at a cost, such as a repair, is no thing that is sold.
    """
    things = [s.table for s in senses if not (s.table.foreign_keys and events(s.table))]
    pairs = {table.path: _costs_and_prices(table) for table in things}
    sold = {path: tuple(prices) for path, (costs, prices) in pairs.items() if costs and len(prices) == 1}
    of_prices = {s.table.path: replace(s, columns=sold[s.table.path]) for s in senses if s.table.path in sold}
    return [*(s for s in senses if s.table.path not in sold), *of_prices.values()]


def margins(lexicon: Lexicon) -> Iterator[Sense]:
    """Yield the pairs of the only price and the only cost of a table."""
    for table in lexicon.tables:
        costs, prices = _costs_and_prices(table)
        if len(costs) == len(prices) == 1:
            yield Sense(table, (prices[0], costs[0]))


_TWO = exp.Literal.number(2)


def median(
    rows: exp.Select, value: exp.Expr, groups: Sequence[exp.Expr], shown: Sequence[tuple[int, str]], name: str
) -> exp.Select:
    """Return the query of the median of `value` over the rows of a query, for each group if there are any.

    `shown` are the groups that are shown, as their positions in `groups` and their names; `name` is the median's own.
    """
    keys = [exp.alias_(group.copy(), f"group_{place}") for place, group in enumerate(groups)]
    part = [group.copy() for group in groups]
    order = exp.Order(expressions=[exp.Ordered(this=value.copy())])
    place = exp.Window(this=exp.RowNumber(), partition_by=part, order=order)
    total = exp.Window(this=exp.Count(this=value.copy()), partition_by=[p.copy() for p in part])
    measured = [exp.alias_(one, said) for one, said in ((value.copy(), "value"), (place, "place"), (total, "total"))]
    some = exp.Is(this=value.copy(), expression=exp.Not(this=exp.null()))
    ranked = rows.select(*keys, *measured, append=False).where(some)
    ranked.set("distinct", None)
    count, twice = exp.column("total"), exp.Mul(this=_TWO.copy(), expression=exp.column("place"))
    middle = exp.Between(this=twice, low=count, high=exp.Add(this=count.copy(), expression=_TWO.copy()))
    columns = [exp.alias_(exp.column(f"group_{at}"), said) for at, said in shown]
    query = exp.select(*columns, exp.alias_(exp.Avg(this=exp.column("value")), name))
    query = query.from_(ranked.subquery("ranked")).where(middle)
    return query.group_by(*(exp.column(key.alias) for key in keys)) if keys else query
