"""Write the grammar that constrains replies: one SELECT, bare or in a block, with existing tables and columns.

It is in GBNF, the notation of llama.cpp, and context-free: it knows the names, but not which columns the tables of a
FROM clause have. Replies of models in this process are also constrained by a `reading`. A server gets the grammar
alone, and what does not bind is found when the engine checks the query.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import groupby, takewhile

from askwhere import guard
from askwhere.engine import Table
from askwhere.indexer.catalog import Catalog
from askwhere.sql.dialects import named
from askwhere.sql.identifiers import quote

# The deepest nesting of queries and of expressions; gold queries of the benchmarks need less.
QUERIES = 2
EXPRESSIONS = 3
# The first and last line of a block, as chat models are trained to write it.
FENCE, CLOSING = "```sql\n", "```"
# The most characters of a text in quotes: without a limit, a sampler may go on in one until its tokens are used up.
TEXT = 60

# Functions that queries for questions use, by their number of arguments; only those that the guard allows are written.
_FUNCTIONS = {
    1: "abs avg ceil date day dayname exp floor hour julianday last_day length ln lower ltrim max median min minute"
    " month monthname quarter rtrim sign sqrt stddev sum total trim upper variance week year",
    2: "contains date_trunc ifnull instr nullif power round starts_with strftime",
    3: "date_diff datediff replace substr substring",
}
_WINDOWS = "row_number rank dense_rank"


def grammar(catalog: Catalog, dialect: str, titles: bool = False) -> str:
    """Return the GBNF text for a catalog's names; its root rule is `root`. The last few are cached.

    With `titles`, the alias of an output may come wherever a column may, and the caller must check that there is such
    an output; without, only in ORDER BY. Names are written as prefix tries, so that the cost of a token grows with the
    length of the names and not with their number.
    """
    return _written(catalog.tables, dialect, titles)


@lru_cache(maxsize=8)
def _written(tables: tuple[Table, ...], dialect: str, titles: bool) -> str:
    return "\n".join(_rules(tables, dialect, titles)) + "\n"


def _rules(tables: Sequence[Table], dialect: str, titles: bool) -> Iterator[str]:
    """Yield the rules of the grammar."""
    yield f"""root ::= o query0 o ";"? | "{FENCE[:-1]}\\n" o query0 o ";"? o "{CLOSING}" """.rstrip()
    yield from _names(tables, dialect)
    column = "(column | title)" if titles else "column"
    yield f'reference ::= {column} | (alias | table) "." {column}'
    yield from _words(dialect)
    for depth in range(QUERIES + 1):
        yield from _query(depth)
        for level in range(EXPRESSIONS + 1):
            yield from _expression(depth, level)


def _names(tables: Sequence[Table], dialect: str) -> Iterator[str]:
    """Yield the rules for tables and columns, bare where possible and quoted; tables also with their paths."""
    is_bare = named(dialect).is_bare
    columns = {column.name for table in tables for column in table.columns}
    paths = {".".join(map(quote, table.path)) for table in tables}
    quoted = paths | {quote(table.name) for table in tables}
    yield f"table ::= {_trie({t.name for t in tables if is_bare(t.name)} | quoted)}"
    yield f"column ::= {_trie({c for c in columns if is_bare(c)} | set(map(quote, columns)))}"
    # Aliases are so short that none is a column's name or a keyword.
    yield "alias ::= [a-zA-Z] [0-9]?"
    yield f'title ::= [a-z]{{1,16}} "_" [a-z0-9_]{{1,24}} | {_either("cnt n total average amount number result")}'


def _words(dialect: str) -> Iterator[str]:
    """Yield the rules for spaces, constants, operators, types and functions."""
    allowed = guard.harmless(dialect)
    yield r's ::= [ \n] " "{0,8}'
    yield "o ::= s?"
    yield 'number ::= [0-9]{1,12} ("." [0-9]{1,6})?'
    yield f"""text ::= "'" ([^'\\x00-\\x1f] | "''"){{0,{TEXT}}} "'" """.rstrip()
    yield 'compare ::= "=" | "<>" | "!=" | "<" | "<=" | ">" | ">="'
    yield 'operator ::= "+" | "-" | "*" | "/" | "%" | "||"'
    yield f"type ::= {_either(' '.join(named(dialect).types), upper=False)}"
    for count, names in _FUNCTIONS.items():
        yield f"function{count} ::= {_either(' '.join(n for n in names.split() if n in allowed))}"
    yield f"ranking ::= {_either(_WINDOWS)}"


def _query(d: int) -> Iterator[str]:
    """Yield the rules for a query at depth `d`; below depth `QUERIES` it may hold queries at depth d + 1."""
    x, condition, inner = f"x{d}-0", f"condition{d}-0", f'"(" o query{d + 1} o ")"'
    sub = f" | {inner} s ({_k('as')} s)? alias" if d < QUERIES else ""
    values = f'{x} (o "," o {x})*'
    yield (
        f"query{d} ::= select{d} (s ({_k('union')} (s {_k('all')})? | {_k('intersect')} | {_k('except')}) s select{d})*"
        f' (s {_k("order")} s {_k("by")} s order{d} (o "," o order{d})*)?'
        f" (s {_k('limit')} s [0-9]{{1,6}} (s {_k('offset')} s [0-9]{{1,6}})?)?"
    )
    yield (
        f'select{d} ::= {_k("select")} s ({_k("distinct")} s)? item{d} (o "," o item{d})* s {_k("from")} s source{d}'
        f' (o "," o source{d} | join{d})* (s {_k("where")} s {condition})?'
        f" (s {_k('group')} s {_k('by')} s {values} (s {_k('having')} s {condition})?)?"
    )
    yield f'item{d} ::= "*" | (alias | table) ".*" | ({x} | window{d}) (s {_k("as")} s title)?'
    yield f"source{d} ::= table (s ({_k('as')} s)? alias)?{sub}"
    yield (
        f"join{d} ::= s (({_k('inner')} | {_k('left')} (s {_k('outer')})?) s)? {_k('join')} s source{d} s"
        f' ({_k("on")} s {condition} | {_k("using")} o "(" column ")") | s {_k("cross")} s {_k("join")} s source{d}'
    )
    yield f"order{d} ::= ({x} | title) (s ({_k('asc')} | {_k('desc')}))?"
    yield (
        f'window{d} ::= (ranking "()" | function1 "(" {x[:-1]}1 o ")") s {_k("over")} o "("'
        f' ({_k("partition")} s {_k("by")} s {values})? (o {_k("order")} s {_k("by")} s order{d})? ")"'
    )


def _expression(d: int, e: int) -> Iterator[str]:
    """Yield the rules for values and conditions at level `e` in a query at depth `d`.

    The innermost level has only names and constants.
    """
    x, deeper, condition = f"x{d}-{e}", f"x{d}-{e + 1}", f"condition{d}-{e + 1}"
    inner = f'"(" o query{d + 1} o ")"' if d < QUERIES else ""
    term = [f"reference | number | text | {_k('null')}"]
    within = f'term{d}-{e} (o "," o term{d}-{e})*' + (f" | query{d + 1}" if inner else "")
    # The operand is written once, before all that may follow it: llama.cpp follows all alternatives at once.
    compared = [
        f"o compare o {x}",
        f"s {_k('is')} s ({_k('not')} s)? {_k('null')}",
        f"s ({_k('not')} s)? ({_k('like')} s text | {_k('between')} s term{d}-{e} s {_k('and')} s term{d}-{e}"
        f' | {_k("in")} s "(" o ({within}) o ")")',
    ]
    holds = [f"{x} ({' | '.join(compared)})"]
    if e < EXPRESSIONS:
        term += [
            f'"(" o {deeper} o ")"',
            f'{_k("count")} "(*)" | {_k("count")} "(" ({_k("distinct")} s)? {deeper} o ")"',
            f'function1 "(" ({_k("distinct")} s)? {deeper} o ")"',
            f'function2 "(" {deeper} o "," o {deeper} o ")"',
            f'function3 "(" {deeper} o "," o {deeper} o "," o {deeper} o ")"',
            f'{_k("coalesce")} "(" {deeper} (o "," o {deeper})+ o ")"',
            f'{_k("cast")} "(" {deeper} s {_k("as")} s type o ")"',
            f"{_k('case')} (s {_k('when')} s {condition} s {_k('then')} s {deeper})+ (s {_k('else')} s {deeper})? s"
            f" {_k('end')}",
        ]
        holds.append(f'({_k("not")} s)? "(" o {condition} o ")"')
    if inner:
        term.append(inner)
        holds.append(f"({_k('not')} s)? {_k('exists')} s {inner}")
    yield f"term{d}-{e} ::= {' | '.join(term)}"
    # Only the first term may be negative: `--` would begin a comment.
    yield f'x{d}-{e} ::= "-"? term{d}-{e} (o operator o term{d}-{e}){{0,4}}'
    yield f"condition{d}-{e} ::= holds{d}-{e} (s ({_k('and')} | {_k('or')}) s holds{d}-{e})*"
    yield f"holds{d}-{e} ::= {' | '.join(holds)}"


def _k(word: str) -> str:
    """Return the rule for a keyword, in upper or lower case."""
    return f'("{word.upper()}" | "{word}")'


def _either(words: str, upper: bool = True) -> str:
    spelled = [*words.split(), *(word.upper() for word in words.split() if upper)]
    return _trie(set(spelled))


def _trie(names: Collection[str]) -> str:
    """Return the rule for one of the names, as alternatives that share their prefixes.

    >>> _trie({"total", "title", "id"})
    '("id" | "t" ("itle" | "otal"))'
    """
    parts = []
    for _, alike in groupby(sorted(filter(None, names)), key=lambda name: name[0]):
        group = list(alike)
        prefix = "".join(
            a for a, b in takewhile(lambda pair: pair[0] == pair[1], zip(group[0], group[-1], strict=False))
        )
        rest = [name[len(prefix) :] for name in group]
        parts.append(_literal(prefix) + (f" {_trie(rest)}" if len(rest) > 1 else ""))
    body = f"({' | '.join(parts)})"
    return body if all(names) else f"{body}?"  # where a name ends, what others go on with is optional


def _literal(text: str) -> str:
    escaped = "".join(_ESCAPES.get(c, c if c.isprintable() else f"\\U{ord(c):08X}") for c in text)
    return f'"{escaped}"'


_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
