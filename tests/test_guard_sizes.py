"""What DuckDB could be made to do in a step that nothing interrupts, and ordinary queries that look like it."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest
from askwhere.bindings.duckdb.engine import DuckDBEngine
from askwhere.engine import Grant
from askwhere.errors import QueryError, Refused
from guard.shop import DuckDBShop


@pytest.fixture(scope="module")
def duck() -> Iterator[DuckDBShop]:
    shop = DuckDBShop()
    yield shop
    shop.close()


def many(written: str, count: int, between: str = ", ") -> str:
    return between.join(written.replace("{n}", str(n)) for n in range(count))


# A record of a hundred fields.
RECORD = "(SELECT name, {" + ", ".join(f"'a{n}': id + {n}" for n in range(100)) + "} AS s FROM customers)"
ORDINARY = [
    "SELECT c.name.upper().left(3), country.trim(), id.greatest(3), name.string_split(' ').len() FROM customers c",
    "SELECT main.upper(name), system.main.trim(name), json_quote('{\"a\": [1]}') FROM customers",
    "SELECT string_agg(concat_ws(', ', name, country), '; '), concat_ws('-', list(id)) FROM customers",
    "SELECT list_transform(string_split(name, ' '), lambda w: upper(w[1]) || w[2:]) FROM customers",
    "SELECT sum(id & 7), bit_or(id), max(id << 2), max(md5(name)), date_part('year', current_date) FROM customers",
    "SELECT encode(name), base64(encode(name)), hex(name), sha256(name)[:8], list_sum([id, id]) FROM customers",
    "SELECT column_name || ': ' || column_type, \"min\" FROM (SUMMARIZE customers)",
    "SELECT upper(u) || ' ' || v FROM (UNPIVOT (SELECT name, country FROM customers) ON * INTO NAME u VALUE v)",
    "SELECT format('{:.2f} {:,} {}', id * 1.5, id, name), printf('%05d %s', id, name), typeof(name) FROM customers",
    "SELECT name FROM customers WHERE json_contains(json_array(name, country), '\"Ann\"')",
    "SELECT json_type(to_json(list(name))), json_array_length(json_group_array(name)), json_type(json_array(id)) FROM"
    " customers GROUP BY id",
    "SELECT json_type(j), j -> 0, j ->> 'name', upper(j ->> '$.name'), json_type(j -> '$.name'), json_array_length(j ->"
    " '$.*'), json_keys(j), json_extract(j, id), CASE WHEN json_type(j -> 'id') = 'VARCHAR' THEN j END FROM (SELECT id,"
    " json_object('name', name) AS j FROM customers)",
    "SELECT j -> 'a' -> 'b' -> 'c' ->> 'd', list_transform(json_extract(j, '$[*]'), lambda x: x -> 'b' ->> 'c'),"
    " unnest(j -> '$[*]') ->> 'a' FROM (SELECT json_array(name) AS j FROM customers)",
    "SELECT to_json(CASE WHEN amount > 1 THEN [name] END), to_json(coalesce(name, '-')), [note]::JSON,"
    " to_json({'a': []}), to_json(list_sort([name, country])), json_type(note::VARCHAR) IS NULL FROM customers,"
    " orders WHERE false",
    "SELECT t.fullkey, t.path, t.atom FROM customers, json_tree(json_array(name, id)) t WHERE t.type <> 'ARRAY'",
    "SELECT json_array(name) ->> '$..a', json_extract_string(json_array(id), ['$.a', '$.b[0]']) FROM customers",
    "SELECT json_extract(json_group_array(name), '$[0]'), json_object('a', id) -> '$.*' FROM customers GROUP BY id",
    "SELECT unnest(range(0, 100000)) AS n",
    "SELECT unnest(generate_series(DATE '2020-01-01', DATE '2024-12-31', INTERVAL 1 DAY))::DATE AS d",
    "SELECT unnest(generate_series(min(day), max(day), INTERVAL 1 MONTH)) AS d FROM orders",
    "WITH b AS (SELECT min(day) lo, max(day) hi FROM orders), days AS (SELECT unnest(generate_series(lo, hi, "
    "INTERVAL 1 DAY)) d FROM b) SELECT d, count(o.id) FROM days LEFT JOIN orders o ON o.day = d GROUP BY d "
    "ORDER BY d",
    "WITH RECURSIVE d(x) AS (SELECT min(day) FROM orders UNION ALL SELECT x + INTERVAL 1 DAY FROM d WHERE x < "
    "DATE '2020-03-01') SELECT x FROM d",
    "SELECT d FROM generate_series(TIMESTAMP '2024-01-01', TIMESTAMP '2024-01-31', INTERVAL 1 HOUR) t(d)",
    "SELECT unnest(generate_series(TIMESTAMP '2024-01-01', TIMESTAMP '2024-01-02', INTERVAL '1 hour')) h",
    "SELECT unnest(generate_series(date_trunc('month', min(day))::DATE, current_date, INTERVAL '1' MONTH)) m "
    "FROM orders",
    "WITH RECURSIVE path(id, p) AS (SELECT id, name FROM customers WHERE id = 1 UNION ALL SELECT c.id, path.p "
    "|| ' > ' || c.name FROM customers c JOIN path ON c.id = path.id + 1) SELECT * FROM path",
    "SELECT country, list(name), string_agg(name, ', ' ORDER BY name), array_agg(DISTINCT id) FROM customers "
    "GROUP BY country",
    "SELECT country, list(name), count(*) FROM customers GROUP BY ROLLUP (country)",
    "SELECT country, count(*) FROM customers GROUP BY CUBE (country, name)",
    "SELECT date_trunc('month', day) m, note, sum(amount) FROM orders GROUP BY GROUPING SETS ((m), (m, note), ())",
    "SELECT list_transform(list(name), lambda x: upper(x)), list_filter(list(id), lambda x: x > 1), "
    "array_to_string(list(name), ', ') FROM customers",
    "SELECT a.name, b.name, jaro_winkler_similarity(a.name || ' ' || coalesce(a.country, ''), b.name || ' ' || "
    "b.country) s FROM customers a, customers b ORDER BY s DESC",
    "SELECT name, bar(amount, 0, 20, 40), repeat('#', 3), lpad(customers.id::VARCHAR, 6, '0'), rpad(name, 20, "
    "' ') FROM customers JOIN orders ON customers.id = customer_id",
    r"SELECT a.name FROM customers a, customers b WHERE regexp_matches(a.name, '\b' || regexp_escape(b.name) || '\b')",
    r"SELECT regexp_matches(name, '^\p{L}{2,5}'), regexp_extract(name, trim(country)) FROM customers",
    r"SELECT regexp_matches(note, '\d{4}-\d{2}-\d{2}'), name SIMILAR TO '[A-Z]{2}.{0,40}' FROM customers, orders",
    "SELECT regexp_replace(regexp_replace(name, '[^a-z]', ' ', 'g'), '\\s+', ' ', 'g') FROM customers",
    "SELECT split_part(note, '@', 2), string_split(note, ' '), len(string_split(note, ' ')) FROM orders",
    "SELECT unnest(string_split(string_agg(name, ','), ',')) FROM customers",
    "SELECT c.name, o.* FROM customers c JOIN orders o ON c.id = o.customer_id WHERE c.name LIKE '%' || o.note || '%'",
    "SELECT list_sort(list(name)), list_reverse_sort(list(name)), list_distinct(list(country)), "
    "list_aggregate(list(id), 'sum'), list_aggr(list(id), 'avg') FROM customers",
    "SELECT country, max(name, 2), arg_max(name, id, 2), approx_top_k(name, 3) FROM customers GROUP BY country",
    "SELECT histogram(country), mode(country), quantile_cont(id, [0.25, 0.5]) FROM customers",
    "SELECT [i * 2 FOR i IN range(10)], list_reduce([1, 2, 3], lambda a, b: a + b), "
    "list_sum(list_transform(range(100), lambda x: x * x))",
    "SELECT range(len(name)), [name[i] FOR i IN generate_series(1, length(name))] FROM customers",
    "SELECT struct_pack(a := id, b := name), {'x': id}, MAP {'k': id}, row(id, name) FROM customers",
    "SELECT c FROM customers c",
    "SELECT to_json(c), json_group_array(c.name), json_object('a', list(id)) FROM customers c GROUP BY c",
    "WITH a AS (SELECT * FROM customers), b AS (SELECT * FROM a), c AS (SELECT * FROM b), d AS (SELECT c.*, "
    "o.amount FROM c JOIN orders o ON c.id = o.customer_id), e AS (SELECT *, row_number() OVER (PARTITION BY "
    "id ORDER BY amount DESC) rn FROM d) SELECT x.*, y.rn AS other FROM e x LEFT JOIN e y ON x.id = y.id",
    "SELECT string_agg(name, ', ') || ' and ' || count(*) FROM customers",
    "SELECT count(*) FROM customers a, customers b WHERE a.name < b.name AND hamming(a.name, a.name) = 0",
    "SELECT strftime(day, '%A %d %B %Y'), format('{:>10} {}', note, amount), printf('%08.2f', amount) FROM orders",
    "WITH m AS (SELECT customer_id, list(amount ORDER BY day) xs FROM orders GROUP BY 1) SELECT customer_id, "
    "list_sum(xs), xs[1], len(xs), list_avg(xs) FROM m",
    "SELECT id, sum(amount) OVER w, avg(amount) OVER w FROM orders WINDOW w AS (PARTITION BY customer_id ORDER "
    "BY day ROWS BETWEEN 2 PRECEDING AND CURRENT ROW)",
    "SELECT list_zip(list(id), list(name)) FROM customers",
    "SELECT unnest(list_zip([1,2],[3,4])), unnest({'a': 1, 'b': 2})",
    "SELECT x.a, x.b FROM (SELECT {'a': id, 'b': name} x FROM customers)",
    "SELECT a, list_filter(a, lambda x, i: x > 1 AND i < 3) FROM (SELECT list(id) a FROM orders)",
    "SELECT len(list_intersect(list(a.id), list(b.id))) FROM customers a, customers b",
    "SELECT md5(string_agg(name, '')), hash(list(id)) FROM customers",
    "SELECT id, note.split(' ')[1], note.len() FROM orders",
    "SELECT array_distance([1.0, 2.0]::FLOAT[2], [1, 2]::FLOAT[2]), list_cosine_similarity([1.0, 2], [2.0, 3])",
    "SELECT position('a' IN note), instr(note, 'b'), contains(note, 'c'), note LIKE '%a_b%', "
    "regexp_matches(note, '^a'), note SIMILAR TO 'a.*' FROM orders",
    "SELECT DISTINCT ON (country) * FROM customers ORDER BY country, id DESC",
    "SELECT time_bucket(INTERVAL '1 week', day) w, count(*) FROM orders GROUP BY w",
    "SELECT generate_series(1, 5), generate_subscripts([1, 2, 3], 1)",
    "WITH RECURSIVE f(n, a, b) AS (SELECT 1, 0, 1 UNION ALL SELECT n + 1, b, a + b FROM f WHERE n < 20) SELECT "
    "* FROM f",
    "SELECT url_encode(name), to_base64(name::BLOB), hex(name), md5(name), upper(md5(name)), bin(id) FROM customers",
    r"SELECT COLUMNS('(n)(.*)') AS 'new_\2', max(COLUMNS('(.*)')) AS 'most_\0' FROM customers GROUP BY ALL",
    "SELECT * RENAME (id AS number), c.* FROM customers c",
    "SELECT CASE " + " ".join(f"WHEN name = 'n{n}' THEN {n}" for n in range(150)) + " END FROM customers",
    "SELECT count(*) FROM customers PIVOT (count(*) AS c, max(id) AS m FOR name IN ('Ann', 'Bo') country IN ('x'))",
    "SELECT COLUMNS('n.*'), max(COLUMNS(*)) OVER () FROM customers",
    "SELECT quantile_cont(id, 0.5) OVER (PARTITION BY country), median(id) OVER (ORDER BY id) FROM customers",
    "SELECT nfc_normalize(name), strip_accents(name) FROM customers ORDER BY name COLLATE NOCASE",
    "SELECT list(name) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) FROM customers",
    "SELECT count(DISTINCT name) OVER (ORDER BY id) FROM customers",
    "SELECT id, list_transform(list_value(name, country), lambda x: list_transform(string_split(x, ' '), "
    "lambda y: upper(y[1]))) FROM customers",
    "SUMMARIZE customers",
    "SELECT x.column_name, x.max, y.max FROM (SUMMARIZE customers) x JOIN (SUMMARIZE orders) y USING (column_name)",
    "SELECT name, max(q50) FROM customers c, LATERAL (SELECT * FROM (SUMMARIZE SELECT c.id)) GROUP BY name",
    "SELECT DISTINCT ON (country) name, concat(*COLUMNS(*)) FROM customers",
    "WITH w AS NOT MATERIALIZED (SELECT c.id FROM customers c JOIN orders o ON o.customer_id = c.id) SELECT count(*)"
    " FROM w a, w b, w c WHERE a.id = b.id AND b.id = c.id",
    "SELECT (SELECT count(*) FROM orders o WHERE o.customer_id = c.id AND c IS NOT NULL), c FROM customers c",
    "SELECT country, approx_count_distinct(COLUMNS(*)), approx_quantile(id, 0.5) FROM customers GROUP BY country",
    "SELECT country, count(DISTINCT COLUMNS(*)), mode(COLUMNS(*)) FROM customers GROUP BY CUBE (country, name)",
    "SELECT country, approx_top_k(name, 100), max(name, 100), histogram(id, range(100)) FROM customers GROUP BY 1",
    "SELECT country, " + ", ".join(f"avg(id + {n}), min(id + {n})" for n in range(200)) + " FROM customers GROUP BY 1",
    "SELECT approx_top_k(id, 900), max(id, 900), histogram(id, range(2000)) FROM customers",
    "SELECT " + ", ".join(f"count(DISTINCT id + {n})" for n in range(40)) + " FROM customers GROUP BY name",
    "SELECT name FROM customers c WHERE EXISTS (SELECT 1 FROM orders WHERE customer_id = c.id) AND id IN (SELECT"
    " customer_id FROM orders) AND id > ALL (SELECT amount FROM orders WHERE amount < 0)",
    "SELECT " + ", ".join(f"sum(id + {n}) OVER (ORDER BY id)" for n in range(30)) + " FROM customers",
    "WITH t AS (SELECT customer_id, list(amount) AS xs, string_agg(note, ', ') AS notes FROM orders GROUP BY 1) SELECT"
    " name, xs[1], len(xs), coalesce(notes, '-'), CASE WHEN strlen(notes) > 3 THEN notes END FROM customers LEFT JOIN t"
    " ON t.customer_id = customers.id ORDER BY len(xs)",
    "WITH t AS (SELECT customer_id, list_sort(list(amount)) AS xs, list({'n': note}) AS ns, max(note) AS last FROM"
    " orders GROUP BY 1) SELECT name, xs[1], len(xs), list_extract(xs, 2), ns[1].n, len(ns), len(last), first(name),"
    " any_value(last) FROM customers JOIN t ON t.customer_id = customers.id GROUP BY ALL",
    "SELECT c.name, len(l), l[1] FROM customers c JOIN orders o ON o.customer_id = c.id, (SELECT list(day) AS l,"
    " max(id) AS k FROM orders) WHERE o.id <= k AND c.country = 'Peru'",
    "SELECT len(name), name[1], first(name) OVER (ORDER BY id), lag(name) OVER (ORDER BY id), lead(id, 2, 0) OVER"
    " (ORDER BY id), first_value(country) OVER (PARTITION BY name ORDER BY id), TRY(name::INT) FROM customers",
    "SELECT country, first(name), last(name), any_value(name), arg_max(name, id), len(string_agg(name, ', ')),"
    " len(list(name)), list(name)[1] FROM customers GROUP BY country",
    "SELECT name, (SELECT string_agg(note, ', ') FROM orders o WHERE o.customer_id = c.id) AS notes FROM customers c",
    "SELECT country, upper(string_agg(name, ', ')), list_sort(list(name)), list(name)::VARCHAR FROM customers GROUP"
    " BY 1 HAVING list_contains(list(name), 'Ann')",
    "WITH t AS (SELECT country, list(name) AS names FROM customers GROUP BY 1) SELECT country, list_sort(names),"
    " array_to_string(names, ', '), list_contains(names, 'Ann') FROM t WHERE list_has(names, 'Bo') ORDER BY names",
    "WITH RECURSIVE t(id, trail, seen) AS (SELECT id, name, [id] FROM customers WHERE id = 1 UNION ALL SELECT c.id,"
    " trail || '/' || c.name, list_append(seen, c.id) FROM t JOIN customers c ON c.id = t.id + 1 WHERE NOT"
    " list_contains(seen, c.id)) SELECT c.country, t.trail, len(seen) FROM t JOIN customers c ON c.id = t.id",
    "WITH RECURSIVE t AS (SELECT *, name AS trail FROM customers WHERE id = 1 UNION ALL SELECT c.*, t.trail || c.name"
    " FROM t JOIN customers c ON c.id = t.id + 1) SELECT t.*, o.note FROM t JOIN orders o ON o.customer_id = t.id",
    "SELECT list(name) OVER w, string_agg(country, ', ') OVER w FROM customers WINDOW w AS (ORDER BY id ROWS BETWEEN"
    " 100 PRECEDING AND CURRENT ROW)",
    "SELECT count(DISTINCT name) OVER (PARTITION BY country), count(DISTINCT id) OVER (), first_value(name ORDER BY id)"
    " OVER (PARTITION BY country), "
    + ", ".join(f"rank() OVER (ORDER BY id + {n})" for n in range(27))
    + " FROM customers",
    f"SELECT {many('id = {n}', 300)}, {many('id < id + {n}', 300)} FROM customers",
    "SELECT count(*) FROM customers a JOIN customers b ON "
    + " AND ".join(["a.id = b.id"] * 60)
    + " JOIN orders o ON o.customer_id = a.id AND o.note = b.name",
    f"SELECT * FROM ({many('SELECT id, name FROM customers', 12, ' UNION ALL ')}) WHERE "
    + many("(id % 9 <> {n} OR name = 'n{n}')", 90, " AND "),
    f"SELECT s.*, upper(name) FROM {RECORD}",
    "SELECT country, count(DISTINCT id) AS n, sum(id) AS s, s / n AS mean, CASE WHEN mean > 2 THEN 'high' WHEN mean > 1"
    " THEN 'middle' ELSE 'low' END AS class FROM customers GROUP BY country HAVING n > 0 AND mean > 0 AND class <> 'x'"
    " ORDER BY class, mean DESC, n",
    "SELECT (SELECT count(*) FROM orders o WHERE o.customer_id = c.id) AS n FROM customers c WHERE n > 1 AND n < 9",
    "SELECT id, sum(id) OVER (ORDER BY id) AS s, avg(id) OVER (ORDER BY id) AS a, s - a AS d, d / s AS r FROM customers"
    " QUALIFY r > 0 AND d > 0 AND s < 100 ORDER BY d, r, s + a",
    f"SELECT max(COLUMNS(*)) FROM (SELECT {many('id AS c{n}', 900)} FROM customers)",
    f"SELECT * FROM (SELECT name, id FROM customers) PIVOT (max(id + 1) FOR name IN ({many('{n}', 40)}))",
    f"SELECT name, t.* FROM customers JOIN (SELECT s.* FROM {RECORD}) t ON a1 = id + 1",
    "SELECT c.name, o.amount FROM customers c ASOF LEFT JOIN orders o ON c.id >= o.id - 1 AND o.customer_id = c.id",
    "SELECT c.name FROM customers c ASOF JOIN customers o USING (name, id)",
    "SELECT * FROM customers USING SAMPLE 10 ROWS",
    "SELECT * FROM (SELECT upper(name) AS n, CASE " + many("WHEN id = {n} THEN 'c{n}'", 30, " ") + " END AS c FROM"
    " customers) t WHERE c <> 'c1' AND n <> 'A' AND " + many("(c <> 'x{n}' OR n = 'y')", 90, " AND "),
    "WITH t AS (SELECT country, count(*) AS n, sum(id) AS s FROM customers GROUP BY 1), u AS (SELECT *, s / n AS mean"
    " FROM t WHERE n > 0 AND s > 0) SELECT * FROM u JOIN t ON t.n = u.n AND u.mean > t.s WHERE mean BETWEEN 1 AND 9",
    "SELECT * FROM customers TABLESAMPLE reservoir(20%)",
    "WITH RECURSIVE t(id, trail, seen) AS (SELECT id, name, [id] FROM customers WHERE id = 1 UNION ALL SELECT c.id,"
    " trail || ' > ' || c.name || ' (' || c.country || ')', list_append(seen, c.id) FROM t JOIN customers c ON c.id ="
    " t.id + 1 AND NOT list_contains(seen, c.id) WHERE c.id NOT IN (SELECT unnest(seen))) SELECT * FROM t",
]


@pytest.mark.parametrize("sql", ORDINARY)
def test_what_people_and_models_write_is_run(duck: DuckDBShop, sql: str) -> None:
    duck.rows(sql)


def doubling(levels: int, first: str, each: str) -> str:
    named = [f"a0 AS ({first})"] + [f"a{n} AS ({each.format(f'a{n - 1}')})" for n in range(1, levels)]
    return f"WITH {', '.join(named)} SELECT count(*) FROM a{levels - 1}"


AGAIN = "the query computes a long value again for each element of a list; use a join of tables for it"
TOO_LARGE = "the query makes too large a value out of smaller ones; let it repeat, replace or collect less"
WRITTEN_OUT = (
    "the query has more than 40,000 columns and expressions where *, COLUMNS, aliases, macros, filters of UNION and"
    " what it names in WITH are written out; name fewer columns, by short names, and use each alias and each name of"
    " WITH less often"
)
TOO_MUCH = (
    "the query makes more than 250,000 bytes for each row, intermediate values included; let it put"
    " together, repeat or collect less"
)
MARKS = "'" + "\u0301\u0323" * 400 + "' || name"
COLLATED = "COLLATE NFC takes too long for long texts: compare short ones by nfc_normalize(left(text, 100))"
NAME = "n" * 9_000  # of a record's field
NO_ARRAY = "an array of a fixed length may not stand in a list or record here; cast it to a list"
NOT_NESTED = "GROUPING SETS, CUBE and ROLLUP take plain columns here, no lists or records"
LONG = "(SELECT string_agg(name, '') AS s FROM customers)"


DEEP = (
    "json_contains may end the process where JSON has very many levels: give it values of at most 20,000 bytes each, or"
    " look for a value with json_extract"
)


TREE = (
    "json_tree writes two paths for each value, which takes gigabytes where JSON has very many levels: give it values"
    " of at most 10,000 bytes, or use json_each"
)


def ordered(name: str) -> str:
    return f"write the arguments of {name} in their order, without names"


def number(name: str, most: str = "10,000") -> str:
    return f"{name} needs a plain number up to {most} for its size"


def compares(name: str) -> str:
    return f"{name} compares every character with every other: give it short texts, as left(text, 100) makes them"


def long_names(most: str) -> str:
    return (
        f"COLUMNS makes names of up to {most} bytes, and 1,000 are allowed; put fewer parts of the old names, as \\1,"
        " into its alias"
    )


def several(name: str) -> str:
    return f"{name} as a window keeps several values for each row: use it with GROUP BY and join the result"


def series(most: str) -> str:
    return (
        f"range makes a list of up to {most} plain numbers here, or of dates by hours or more for the whole query;"
        " for others read it as a table: FROM range(...)"
    )


COUNTED = (
    "a regular expression with a large count, as {900}, takes too long in texts of this length: use a small count"
    " or none, or shorten the texts, as left(text, 100) does"
)
PATTERN = (
    "regexp_matches needs a plain text for its pattern, or columns of tables joined to short texts without counts as"
    r" {3} and classes as \p{L}; to look for a column's value, use contains or starts_with"
)

KEPT = (
    "the aggregates of the query keep more than 83,333 bytes for each group; let them keep fewer values, or ask for"
    " fewer of them"
)
JOINED = (
    "the query has more than 80 joins; subqueries in expressions, aggregates with DISTINCT, mode, entropy and histogram"
    " count as one each"
)
WIDTH = (
    "the query keeps rows of more than 128,000 bytes, by what it groups by and computes for each group"
    " (approx_count_distinct takes 1,056, a column or a field of a record 16); take fewer columns"
)
WIDE = "(SELECT " + ", ".join(f"id AS c{n}" for n in range(900)) + " FROM customers) AS c"

EXPANDED = "the views and WITH queries that the query names have more than 300 joins; name fewer"
DOUBLED = "id + id AS c0" + "".join(f", c{n} + c{n} AS c{n + 1}" for n in range(9))
USED = f"greatest({', '.join(['c9'] * 40)})"  # of an expression of a thousand columns
COLLECTED = "(SELECT list(id) FROM orders)"
ONE_ROW = "(SELECT max(id) AS k, list(id) AS l FROM orders) o"
COPIED = (
    "the query joins one row with a collected list by a key, so that DuckDB copies the list for each row; join without"
    " a condition on that row, or take what is needed of the list before"
)
TEXT = "(SELECT string_agg(note, '') FROM orders)"
JOINED_TO = "FROM customers c, (SELECT list(id) AS l FROM orders) o"


def alone(what: str) -> str:
    return (
        f"{what} would read a collected value again for each of many rows: compute it once, in the query that collects"
        " the value, or collect less; beside other rows, only the length and the elements of a list may be taken, and"
        " strlen of a text"
    )


ORDERED = (
    "the query has more than 3 windows (OVER) with DISTINCT or an ORDER BY in their arguments; compute fewer, or use"
    " them with GROUP BY and join the result"
)
EQUAL = (
    "the query compares columns with each other for equality more than 120 times (=, <>, USING, NATURAL), or 600 times"
    " in WITH queries that are written out; compare fewer"
)
NEAR = "OVER (ORDER BY id ROWS BETWEEN 100 PRECEDING AND 100 FOLLOWING)"
SIDES = f"({many('SELECT id, name FROM customers', 100, ' UNION ALL ')}) u"
FILTER = many("(u.id % 9 <> {n})", 100, " AND ")
REFUSED = [
    (f"SELECT * FROM {SIDES} WHERE {FILTER}", WRITTEN_OUT),
    (f"WITH u AS ({SIDES.removesuffix(' u')[1:-1]}) SELECT * FROM u WHERE {FILTER}", WRITTEN_OUT),
    (f"SELECT * FROM (SELECT * FROM {SIDES}) u WHERE {FILTER}", WRITTEN_OUT),
    (f"SELECT * FROM customers c JOIN {SIDES} ON u.id = c.id AND {FILTER}", WRITTEN_OUT),
    (f"SELECT name, id FROM {SIDES} GROUP BY name, id HAVING {FILTER}", WRITTEN_OUT),
    (f"SELECT {many('count(DISTINCT id + {n}) OVER (ORDER BY id)', 4)} FROM customers", ORDERED),
    (f"SELECT {many('first_value(id + {n} ORDER BY name) OVER (ORDER BY id)', 4)} FROM customers", ORDERED),
    (f"SELECT {many('sum(id + {n} ORDER BY name) OVER (ORDER BY id)', 4)} FROM customers", ORDERED),
    (f"SELECT max(DISTINCT COLUMNS(*)) OVER (ORDER BY c0) FROM (SELECT {many('id AS c{n}', 4)} FROM customers)",
     ORDERED),
    (f"SELECT 1 FROM {WIDE} WHERE {many('c{n} = c1{n}', 121, ' AND ')}", EQUAL),
    (f"SELECT 1 FROM {WIDE} WHERE {many('NOT (c{n} + 1 <> c1{n})', 121, ' AND ')}", EQUAL),
    (f"SELECT 1 FROM {WIDE} WHERE COLUMNS(*) = c0", EQUAL),
    (f"SELECT 1 FROM (SELECT {many('c{n} = c1{n} AS e{n}', 121)} FROM {WIDE}) WHERE {many('e{n}', 121, ' AND ')}",
     EQUAL),
    (f"WITH q AS NOT MATERIALIZED (FROM {WIDE} WHERE {many('c{n} = c1{n}', 99, ' AND ')}) SELECT 1 FROM "
     + many("q AS q{n}", 7),
     EQUAL),
    (f"SELECT 1 FROM {WIDE} JOIN {WIDE.removesuffix('c')} d USING ({many('c{n}', 121)})", EQUAL),
    (f"SELECT 1 FROM {WIDE} NATURAL JOIN {WIDE.removesuffix('c')} d", EQUAL),
    (f"SELECT string_agg(repeat(name, 4)) {NEAR} FROM customers", KEPT),
    (f"SELECT json_group_array(repeat('a', 9000)) {NEAR} FROM customers", KEPT),
    (f"SELECT list(name) {NEAR}, list(country) {NEAR}, list(id) {NEAR} FROM customers", KEPT),
    (f"SELECT list_position({COLLECTED}, id) FROM customers", alone("list_position")),
    (f"SELECT count(*) FROM customers WHERE list_contains({COLLECTED}, id)", alone("list_contains")),
    (f"SELECT list_intersect({COLLECTED}, [id]) FROM customers", alone("list_intersect")),
    ("SELECT ltrim((SELECT string_agg(note, '') FROM orders), name) FROM customers", alone("ltrim")),
    ("SELECT (SELECT string_agg(note, '') FROM orders) || name FROM customers", alone("||")),
    (f"SELECT ({COLLECTED})[1:id] FROM customers", alone("the operator SLICE")),
    (f"SELECT list_has(l, c.id) {JOINED_TO}", alone("list_has")),
    ("SELECT list_has(l, c.id) FROM customers c JOIN (SELECT customer_id AS k, list(id) AS l FROM orders GROUP BY 1) o"
     " ON k = c.id", alone("list_has")),
    (f"SELECT (SELECT list_has(l, c.id)) {JOINED_TO}", alone("list_has")),
    (f"SELECT x {JOINED_TO}, LATERAL (SELECT list_has(l, c.id) AS x)", alone("list_has")),
    (f"SELECT 1 {JOINED_TO} WHERE l > [c.id]", alone("a comparison")),
    (f"SELECT l::VARCHAR {JOINED_TO}", alone("a cast")),
    (f"SELECT max(l) {JOINED_TO}", alone("max")),
    (f"SELECT row_number() OVER (PARTITION BY l) {JOINED_TO}", alone("a sort or a partition")),
    (f"SELECT list_has(l, c.id) FROM (SELECT l, c.id {JOINED_TO}) c", None),
    ("SELECT list_has(l, j) FROM (SELECT l, unnest(range(9)) AS j FROM (SELECT list(id) AS l FROM orders))",
     alone("list_has")),
    (f"SELECT {COLLECTED} AS l, list_transform(range(9), lambda j: list_has(l, j))", alone("list_has")),
    (f"SELECT list_has(first_value(l) OVER (), id) FROM (SELECT id, CASE WHEN id = 1 THEN {COLLECTED} END AS l FROM"
     " customers)", alone("first_value")),
    (f"SELECT len(l) FROM customers c JOIN {ONE_ROW} ON o.k = c.id", COPIED),
    (f"SELECT len(l) FROM customers c, {ONE_ROW} WHERE c.name <> 'x' AND c.id + 0 = k", COPIED),
    (f"SELECT len(l) FROM (SELECT id AS k FROM customers) c JOIN {ONE_ROW} USING (k)", COPIED),
    (f"SELECT len(l) FROM (SELECT id AS k FROM customers) c NATURAL JOIN {ONE_ROW}", COPIED),
    (f"SELECT ({TEXT})[id] FROM customers", alone("the operator EXTRACT")),
    (f"SELECT ([{TEXT}])[1][id] FROM customers", alone("the operator EXTRACT")),
    (f"SELECT list_extract({TEXT}, id::INT) FROM customers", alone("list_extract")),
    (f"SELECT len({TEXT}) + id FROM customers", alone("len")),
    (f"SELECT len(s.t) + id FROM (SELECT {{'t': {TEXT}}} AS s), customers", alone("len")),
    ("SELECT (SELECT histogram(amount) FROM orders)[id] FROM customers", alone("the operator EXTRACT")),
    (f"SELECT element_at((SELECT list_histogram({COLLECTED})), id) FROM customers", alone("element_at")),
    (f"SELECT any_value(l) {JOINED_TO} GROUP BY c.id", alone("any_value")),
    (f"SELECT lag(l) OVER (ORDER BY c.id) {JOINED_TO}", alone("lag")),
    (f"SELECT TRY(l) {JOINED_TO}", alone("the operator TRY")),
    (f"SELECT {DOUBLED} FROM customers WHERE {USED} > 5", WRITTEN_OUT),
    (f"SELECT {DOUBLED} FROM customers WHERE 1 IN ({', '.join(['c9'] * 40)})", WRITTEN_OUT),
    (f"SELECT {DOUBLED} FROM customers GROUP BY ALL HAVING {USED} > 5", WRITTEN_OUT),
    (f"SELECT {DOUBLED}, row_number() OVER () FROM customers QUALIFY {USED} > 5", WRITTEN_OUT),
    (f"SELECT {DOUBLED} FROM customers ORDER BY {USED}", WRITTEN_OUT),
    (f"SELECT DISTINCT ON ({USED}) {DOUBLED} FROM customers", WRITTEN_OUT),
    (f"SELECT {DOUBLED}, list_transform([1], lambda x: {USED}) FROM customers", WRITTEN_OUT),
    (f"SELECT id IN ({many('{n}', 4_000)}) AS p, coalesce({', '.join(['p'] * 20)}) FROM customers", WRITTEN_OUT),
    (f"SELECT greatest({', '.join(['COLUMNS(*)'] * 50)}) FROM {WIDE}", WRITTEN_OUT),
    (f"SELECT COLUMNS(*) IN ({many('{n}', 50)}) FROM {WIDE}", WRITTEN_OUT),
    ("SELECT (SELECT count(*) FROM orders o WHERE o.customer_id = c.id) AS n FROM customers c WHERE"
     f" greatest({', '.join(['n'] * 80)}) > 5", JOINED),
    (f"SELECT approx_count_distinct(COLUMNS(*)) FROM (SELECT q.* FROM {WIDE}, LATERAL (SELECT c.*) q) GROUP BY c0",
     KEPT),
    (f"SELECT (SELECT count(x) FROM (SELECT mode(COLUMNS(c.*)) FROM customers) t(x)) FROM {WIDE}", JOINED),
    (f"SELECT 1 FROM customers c, LATERAL (SELECT * FROM (SUMMARIZE SELECT {many('c.id + {n}', 30)}))", KEPT),
    (f"SELECT 1 FROM customers c, LATERAL (WITH w AS (SELECT {many('c.id + {n}', 30)}) SELECT * FROM (SUMMARIZE w))",
     KEPT),
    (f"SELECT (SELECT max(z.q50) FROM (SUMMARIZE SELECT {many('c.id + {n}', 200)}) z) FROM customers c", WIDTH),
    (f"SELECT name, approx_count_distinct(COLUMNS(* EXCLUDE (name))) FROM (SELECT name, s.* FROM {RECORD}) GROUP BY 1",
     KEPT),
    (f"SELECT name, approx_count_distinct(COLUMNS(s.*)) FROM {RECORD} GROUP BY name", KEPT),
    (f"SELECT name FROM {RECORD} GROUP BY name HAVING mode(COLUMNS(s.*)) > 1", JOINED),
    (f"SELECT name, count(DISTINCT COLUMNS(* EXCLUDE (name))) FROM (SELECT name, unnest(s) FROM {RECORD}) GROUP BY 1",
     JOINED),
    (f"SELECT DISTINCT s, {many('row(s, {n})', 20)} FROM (SELECT row(*COLUMNS(*)) AS s FROM {WIDE})", None),
    (f"SELECT DISTINCT ON ({many('c', 9)}) 1 FROM {WIDE}", WIDTH),
    ("SELECT DISTINCT s, " + many("row(s, {n})", 620) + " FROM (SELECT CAST(NULL AS STRUCT("
     + many("f{n} STRUCT(a TEXT, b TEXT, c TEXT, d TEXT, e TEXT)", 6) + ")) AS s FROM customers)", WIDTH),
    ("WITH w AS NOT MATERIALIZED (SELECT c0.id FROM customers AS c0 "
     + many("JOIN customers AS d{n} USING (id)", 20, " ") + ") SELECT 1 FROM "
     + many("w AS x{n}", 20), EXPANDED),
    ("SELECT " + many(f"(SELECT count(*) FROM orders WHERE {many('y IS NULL', 12, ' OR ')})", 1)
     + f" FROM {WIDE.removesuffix('AS c')} AS y", WRITTEN_OUT),
    (f"SELECT {many('approx_count_distinct(id + {n})', 80)} FROM customers GROUP BY name", KEPT),
    ("SELECT approx_top_k(name, 150) FROM customers GROUP BY id", KEPT),
    ("SELECT (SELECT approx_top_k(o.note, 150) FROM orders o WHERE o.customer_id = c.id) FROM customers c", KEPT),
    ("SELECT approx_top_k(id, 9) OVER (ORDER BY id) FROM customers", several("approx_top_k")),
    (f"SELECT {many('approx_quantile(id + {n}, 0.5) OVER (ORDER BY id)', 2)} FROM customers", KEPT),
    (f"SELECT {many('approx_count_distinct(id + {n}) OVER (ORDER BY id)', 14)} FROM customers", KEPT),
    ("SELECT list_aggregate([name], 'approx_top_k', 150) FROM customers", KEPT),
    ("SELECT list_aggregate([name], 'max', 100000000) FROM customers", number("max")),
    ("SELECT list_aggregate([name], 'max', id) FROM customers", number("max")),
    ("SELECT histogram(id, range(7000)) FROM customers GROUP BY name", KEPT),
    ("SELECT histogram(id, range(500)) OVER (ORDER BY id ROWS 3 PRECEDING) FROM customers", KEPT),
    ("SELECT histogram(id, (SELECT list(id) FROM orders)) FROM customers GROUP BY name",
     "histogram copies its bins for each group; give it a list of numbers or texts that is written"),
    (f"SELECT {many('max(name, 150)', 20)} FROM customers GROUP BY id", KEPT),
    (f"SELECT approx_count_distinct(COLUMNS(*)) FROM {WIDE} GROUP BY c0", KEPT),
    (f"SELECT {many('c', 9)}, count(*) FROM {WIDE} GROUP BY ALL", WIDTH),
    (f"SELECT {many('c', 9)} FROM {WIDE} UNION SELECT {many('c', 9)} FROM {WIDE}", WIDTH),
    (f"SELECT count(*) OVER (PARTITION BY {many('c', 9)}) FROM {WIDE}", WIDTH),
    (f"SELECT {many('mode(id + {n})', 81)} FROM customers GROUP BY name", JOINED),
    (f"SELECT {many('entropy(id + {n})', 81)} FROM customers", JOINED),
    (f"SELECT {many('count(DISTINCT id + {n})', 21)} FROM customers GROUP BY CUBE (name, country)", JOINED),
    (f"SELECT {many('(SELECT max(amount) FROM orders WHERE customer_id = id + {n})', 81)} FROM customers", JOINED),
    (f"SELECT 1 FROM customers WHERE {many('id NOT IN (SELECT id + {n} FROM orders)', 81, ' AND ')}", JOINED),
    (f"SELECT 1 FROM customers{', orders' * 41} WHERE {many('EXISTS (FROM orders)', 41, ' AND ')}", JOINED),
    (f"SELECT mode(COLUMNS(*)) FROM {WIDE} GROUP BY c0", JOINED),
    (f"SELECT 1 FROM {WIDE} WHERE COLUMNS(*) IN (SELECT id FROM orders)", JOINED),
    (f"SELECT c0 FROM {WIDE} GROUP BY c0 HAVING count(DISTINCT COLUMNS(*)) > 1", JOINED),
    (f"SELECT c0 FROM {WIDE} GROUP BY c0 ORDER BY mode(COLUMNS(*))", JOINED),
    (f"SELECT 1 FROM customers PIVOT (mode(id) FOR name IN ({many('{n}', 81)}))", JOINED),
    (f"SELECT {many('lag(id + {n}) OVER (ORDER BY id)', 31)} FROM customers",
     "the query has more than 30 windows (OVER); compute fewer"),
    (f"SELECT max(COLUMNS(*)) OVER (ORDER BY c0) FROM {WIDE}",
     "the query has more than 30 windows (OVER); compute fewer"),
    ("WITH RECURSIVE k(a, b) USING KEY (a) AS (SELECT 1, 2 UNION SELECT a, b + 1 FROM k WHERE b < 5) FROM k",
     "WITH RECURSIVE with USING KEY cannot be stopped; leave USING KEY out"),
    ("SELECT " + "encode(" * 8 + "name" + ")::BIT::VARCHAR" * 8 + " FROM customers", TOO_LARGE),
    ("SELECT name" + "::BLOB::BIT::VARCHAR" * 8 + " FROM customers", TOO_LARGE),
    ("SELECT " + "encode(" * 9 + "repeat(name, 9)" + ")::VARCHAR" * 9 + " FROM customers", TOO_LARGE),
    ("SELECT repeat((~(repeat('1', 9000)::BIT))::VARCHAR, 5000) FROM customers", TOO_LARGE),
    ("SELECT repeat(bit_or(repeat('1', 9000)::BIT)::VARCHAR, 5000) FROM customers GROUP BY name", TOO_LARGE),
    ("SELECT repeat(bitstring('1', 80000)::VARCHAR, 5) FROM customers", TOO_LARGE),
    ("SELECT repeat(sha256(name), 7400) FROM customers", TOO_LARGE),
    (f"SELECT repeat(u, 999) FROM (UNPIVOT (SELECT id AS {NAME} FROM customers) ON * INTO NAME u VALUE v)", TOO_LARGE),
    (f"SELECT repeat(u, 999) FROM (UNPIVOT customers ON id AS '{NAME}' INTO NAME u VALUE v)", TOO_LARGE),
    (f"WITH b AS (SELECT COLUMNS(*) FROM (SELECT id AS {NAME} FROM customers)) SELECT repeat(u, 999) FROM"
     " (UNPIVOT b ON * INTO NAME u VALUE v)", TOO_LARGE),
    (f"SELECT repeat(column_name, 999) FROM (SUMMARIZE SELECT id AS {NAME} FROM customers), customers", TOO_LARGE),
    (f"SELECT repeat(column_type, 999) FROM (SUMMARIZE SELECT {{'{NAME}': id}} AS s FROM customers)", None),
    ('SELECT repeat("max", 999) FROM (SUMMARIZE SELECT repeat(name, 99) AS s FROM customers), customers', TOO_LARGE),
    (f"SELECT repeat(typeof({{'{NAME}': id}}), 999) FROM customers", TOO_LARGE),
    ("SELECT format('" + "{0:f}" * 500 + "', id * 1e300) FROM customers", TOO_LARGE),
    ("SELECT printf('" + "%1$f" * 500 + "', id * 1e300) FROM customers", TOO_LARGE),
    ("SELECT json_extract('" + "[" * 5000 + "]" * 5000 + "' || name, '$..*') FROM customers", TOO_LARGE),
    ("SELECT ('" + '{"a":' * 300 + "1" + "}" * 300 + "'::JSON) ->> '$..a'", TOO_LARGE),
    ("SELECT json_extract(json_group_array(name), '$..*') FROM customers", TOO_LARGE),
    ("SELECT json_extract('[\"" + "x" * 30_000 + "\"]', [" + ", ".join(["'/0'"] * 900) + "])", TOO_LARGE),
    ("SELECT json_extract_string(json_array(repeat(name, 9)), [" + ", ".join(["'/0'"] * 900) + "]) FROM customers",
     TOO_LARGE),
    (r"SELECT count(*) FROM range(9999) t(i) WHERE regexp_matches('abc', '(\pL{300})' || i::VARCHAR)", PATTERN),
    ("SELECT count(*) FROM customers WHERE regexp_matches(name, '(a|b)*a(a|b){900}c')", COUNTED),
    ("SELECT count(*) FROM customers WHERE name SIMILAR TO '(a|b)*a(a|b){990}c'", COUNTED),
    ("SELECT count(*) FROM customers WHERE " + " OR ".join(["regexp_matches(name, '.{30}a')"] * 5), COUNTED),
    ("SELECT count(*) FROM customers WHERE regexp_matches(name, '((.{6}){6}){6}')", COUNTED),
    ("SELECT regexp_matches(name, repeat('.', 400) || name) FROM customers", PATTERN),
    ("WITH p AS (SELECT '(.{300})' AS x FROM customers) SELECT regexp_matches('abc', x) FROM p", PATTERN),
    ("SELECT regexp_matches('abc', name) FROM (SELECT * REPLACE ('.{9}' || name AS name) FROM customers)", PATTERN),
    ("SELECT levenshtein(name, country) FROM (SELECT * REPLACE (repeat(name, 999) AS name) FROM customers)", None),
    ("SELECT length(repeat(count := 200000000, string := '1'))", ordered("repeat")),
    ("SELECT rpad(count := 200000000, string := '1', character := 'x')", ordered("rpad")),
    ("SELECT list_resize([1], value := 1, size := 200000000)", ordered("list_resize")),
    ("SELECT bitstring('1', 100000000)", number("bitstring", "80,000")),
    ("SELECT approx_top_k(id, 100000000) FROM customers", number("approx_top_k")),
    ("SELECT max(id, 100000000) FROM customers", number("max")),
    ("SELECT arg_max(id, name, id) FROM customers", number("arg_max")),
    ("SELECT equi_width_bins(0, 100, 100000000, false)", number("equi_width_bins")),
    ("SELECT reservoir_quantile(id, 0.5, 2147483647) FROM customers",
     "the query calls the function 'reservoir_quantile', which it may not"),
    ("SELECT damerau_levenshtein(name, country) FROM customers",
     "the query calls the function 'damerau_levenshtein', which it may not"),
    ("SELECT name.json_pretty() FROM customers", "the query calls the function 'json_pretty', which it may not"),
    ("SELECT list_aggregate([1], 'reservoir_quantile', 0.5, 9)",
     "list_aggregate needs the plain name of an aggregate, such as 'sum'"),
    ("SELECT array_aggr([1], name) FROM customers", "array_aggr needs the plain name of an aggregate, such as 'sum'"),
    ("SELECT aggregate([1], function_name := 'bitstring_agg')", ordered("aggregate")),
    ("SELECT len(range(200000000))", series("1,000,000")),
    ("SELECT len(range(id * 1000000)) FROM customers", series("7,500")),
    ("SELECT len(range(TIMESTAMP '0001-01-01', TIMESTAMP '9999-01-01', INTERVAL 1 SECOND))", series("1,000,000")),
    ("SELECT repeat(repeat('x', 10000), 10000)", TOO_LARGE),
    ("SELECT hex(hex(repeat(name, 500))) FROM customers", TOO_LARGE),
    ("SELECT repeat(printf('%9999s', name), 100) FROM customers", TOO_LARGE),
    ("SELECT repeat(format('{:>9999.2f}', id::DOUBLE), 100) FROM customers", TOO_LARGE),
    ("SELECT format('" + "{0}" * 2_000 + "', name) FROM customers", TOO_LARGE),
    ("SELECT list_select([name], list_transform(range(5000), lambda x: 1)) FROM customers", TOO_LARGE),
    ("SELECT list_zip(range(2000), " + ", ".join(["[]"] * 100) + ") FROM customers", TOO_LARGE),
    (f"SELECT list_transform(range(99), lambda x: {{'{NAME}': x}})::VARCHAR", TOO_LARGE),
    (f"SELECT to_json(list_transform(range(99), lambda x: struct_pack({NAME} := x)))", TOO_LARGE),
    (f"SELECT list_transform(range(99), lambda x: row(x)::STRUCT({NAME} INT))::VARCHAR", TOO_LARGE),
    (f"SELECT repeat(concat(c), 99) FROM (SELECT id AS {NAME} FROM customers) c", TOO_LARGE),
    (f"SELECT to_json(list(c)) FROM (SELECT id AS {NAME} FROM customers) c", TOO_LARGE),
    ("SELECT " + " || ".join(["name"] * 99) + " FROM customers", TOO_MUCH),
    ("SELECT 1 FROM customers WHERE " + " OR ".join(f"repeat(name, {n}) = 'a'" for n in range(70, 140)), TOO_MUCH),
    ("SELECT trim(x) FROM (SELECT upper(x) x FROM (SELECT trim(x) x FROM (SELECT repeat(name, 600) x FROM customers)))",
     TOO_MUCH),
    ("SELECT " + ", ".join(["upper(s)"] * 70) + f" FROM {LONG}", TOO_MUCH),
    ("SELECT list_transform(range(7000), lambda x: range(7000))", AGAIN),
    ("SELECT list_sum(list_transform(range(7000), lambda x: list_sum(list_transform(range(7000), lambda y: x * y))))",
     AGAIN),
    ("SELECT list_reduce(['a', 'b'], lambda a, b: a || a)",
     "list_reduce multiplies the value at each element, so that it grows too fast; let it add a part"),
    ("WITH RECURSIVE r(x) AS (SELECT 'x' UNION ALL SELECT x || x FROM r) SELECT length(x) FROM r",
     "each step of the recursive query multiplies the value, so that it grows too fast; let it add a part"),
    ("SELECT list(name) OVER (ORDER BY id) FROM customers",
     "list as a window collects rows again for each row: use it with GROUP BY and join the result, or with"
     " a frame between plain numbers of rows up to 100"),
    ("SELECT string_agg(name, ',') OVER (ORDER BY id ROWS BETWEEN 101 PRECEDING AND CURRENT ROW) FROM customers",
     "string_agg as a window collects rows again for each row: use it with GROUP BY and join the result, or with"
     " a frame between plain numbers of rows up to 100"),
    ("SELECT fill(id) OVER (ORDER BY id) FROM customers", "the query calls the function 'fill', which it may not"),
    ("SELECT quantile_cont(id, [0.1, 0.2]) OVER (ORDER BY id) FROM customers", several("quantile_cont")),
    ("SELECT approx_quantile(id, (SELECT [0.1, 0.2])) OVER (ORDER BY id) FROM customers", several("approx_quantile")),
    ("SELECT quantile_disc(id, '[0.1, 0.2]'::DOUBLE[]) OVER (ORDER BY id) FROM customers", several("quantile_disc")),
    ("SELECT count(DISTINCT id) OVER (ORDER BY id ROWS BETWEEN 9 PRECEDING AND 9 FOLLOWING EXCLUDE TIES) FROM orders",
     "count as a window may have DISTINCT or EXCLUDE, not both"),
    ("SELECT repeat('9', 9000)::BIGNUM", "the query casts a text to BIGNUM that it made longer than numbers are"),
    ("SELECT NULL::INTEGER[10000][10000]", "the query casts to an array that is too long"),
    (f"SELECT levenshtein(s, s) FROM {LONG}", compares("levenshtein")),
    ("SELECT jaro_similarity(repeat(name, 1000), name) FROM customers", compares("jaro_similarity")),
    ("WITH a AS (SELECT repeat(name, 9) AS x FROM customers), b AS (FROM a) SELECT editdist3(x, x) FROM b",
     compares("editdist3")),
    (f"SELECT nfc_normalize({MARKS}) FROM customers", compares("nfc_normalize")),
    ("SELECT name FROM customers WHERE repeat(name, 100) < ('a' COLLATE nfc)", COLLATED),
    ("SELECT name FROM customers ORDER BY name COLLATE NOCASE.NFC", COLLATED),
    ("SELECT contains(repeat('a', 10000), repeat('a', 5000) || 'b')",
     "contains looks for a text in a long one, or for a long one, for too many rows; shorten them"),
    ("SELECT name LIKE '%a_%a_%a_%a_%b' FROM customers",
     "a pattern of LIKE or GLOB with many wildcards takes too long; use fewer, or regexp_matches"),
    (doubling(17, "SELECT 1 x", "SELECT a.*, b.* FROM {0} a, {0} b"), None),
    (doubling(17, "SELECT 1 x", "SELECT COLUMNS(*) FROM {0} a, {0} b"), None),
    ("SELECT COLUMNS('(.*)') AS '" + r"\1" * 200 + "' FROM customers", long_names("1,800")),
    ("SELECT count(COLUMNS('(.*)')) AS '" + r"\0" * 200 + "' FROM customers", long_names("1,800")),
    (r"WITH a AS (SELECT COLUMNS('(.*)') AS '" + r"\1" * 40 + r"' FROM customers)"
     r" SELECT COLUMNS('(.*)') AS '\1\1\1' FROM a", long_names("1,086")),
    (doubling(9, f"SELECT 1 AS {NAME}", "SELECT a.*, b.* FROM {0} a, {0} b"), WRITTEN_OUT),
    (doubling(9, f"SELECT '{NAME}'", "SELECT a.*, b.* FROM {0} a, {0} b"), WRITTEN_OUT),
    (doubling(9, f"SELECT * FROM (SELECT 1) t({NAME})", "SELECT COLUMNS(*) FROM {0} a, {0} b"), WRITTEN_OUT),
    (doubling(9, f"SELECT * RENAME (id AS {NAME}) FROM customers", "SELECT a.*, b.* FROM {0} a, {0} b"), WRITTEN_OUT),
    (doubling(9, f"SELECT unnest({{'{NAME}': 1}})", "SELECT a.*, b.* FROM {0} a, {0} b"), WRITTEN_OUT),
    (doubling(9, f"SELECT s.* FROM (SELECT {{'{NAME}': 1}} s)", "SELECT a.*, b.* FROM {0} a, {0} b"), WRITTEN_OUT),
    ("SELECT count(*) FROM (SELECT name, id FROM customers) PIVOT (count(*) FOR name IN ('" + NAME + "') id IN ("
     + ", ".join(map(str, range(300))) + "))", None),
    (doubling(22, "SELECT 1 x", "SELECT a.x FROM {0} a, {0} b"), WRITTEN_OUT),
    (doubling(25, "SELECT 1 x", "SELECT a AS x, b AS y FROM {0} a, {0} b"), None),
    (doubling(60, "SELECT 1 x", "SELECT [x] x FROM {0}"), "lists and records of the query are nested too deeply"),
    ("SELECT count(*) FROM customers GROUP BY CUBE (" + ", ".join(f"id + {n}" for n in range(9)) + ")",
     "the query groups by more than 128 sets of columns; name fewer in CUBE and ROLLUP"),
    ("SELECT row(array_value(1, 2)) x, count(*) FROM customers GROUP BY ROLLUP (x)", NO_ARRAY),
    ("SELECT DISTINCT {'a': [1, 2]::INTEGER[2]} FROM customers", NO_ARRAY),
    (f"SELECT path FROM {LONG}, json_tree(s)", TREE),
    ("SELECT path FROM customers, json_tree(repeat('[', 5000) || repeat(']', 5000) || name)", TREE),
    (f"SELECT json_contains(s, '1') FROM {LONG}", DEEP),
    (f"SELECT json_contains('[]', s) FROM {LONG}", DEEP),
    ("SELECT json_contains(repeat('[', 9999) || repeat(']', 9999) || name, '1') FROM customers", DEEP),
    ("SELECT variant_group_array(name) FROM customers",
     "the query calls the function 'variant_group_array', which it may not"),
    ("SELECT list_sort(1::VARIANT)", "'variant' is not a built-in type"),
    ("SELECT list([id, id]::INTEGER[2]) FROM customers", NO_ARRAY),
    ("SELECT row(id, name) x, count(*) FROM customers GROUP BY ROLLUP (x)", NOT_NESTED),
    ("SELECT count(*) FROM (SELECT [id] AS x FROM customers) GROUP BY CUBE (x)", NOT_NESTED),
    ("SELECT customers, count(*) FROM customers GROUP BY ROLLUP (customers)", NOT_NESTED),
]  # fmt: skip


@pytest.mark.parametrize(("sql", "message"), REFUSED, ids=[sql[:70] for sql, _ in REFUSED])
def test_what_nothing_could_stop_is_refused(duck: DuckDBShop, sql: str, message: str | None) -> None:
    with pytest.raises(QueryError) as caught:
        duck.rows(sql)
    assert isinstance(caught.value, Refused)
    assert message is None or str(caught.value) == message


# DuckDB 2.0 gives up the database where it reads such a list, with a NULL in it, as JSON; 1.5 reports an error.
JSON_LIST = "[to_json(name), NULL]"
MIXED = f"(SELECT {JSON_LIST} AS x FROM customers UNION ALL SELECT to_json(name) FROM customers)"
LISTS_AS_JSON = [
    ("json_type", f"SELECT json_type({JSON_LIST}) FROM customers"),
    ("json_type", f"SELECT json_type(({JSON_LIST})::JSON) FROM customers"),
    ("json_type", f"SELECT json_type(x) FROM (SELECT {JSON_LIST} AS x FROM customers)"),
    ("json_type", f"SELECT json_type(x) FROM {MIXED}"),
    ("json_type", "SELECT json_type(json_extract(to_json(c), ['$.name', '$.none'])) FROM customers c"),
    ("json_type", "SELECT json_type(to_json(c) -> ['$.name', '$.none']) FROM customers c"),
    ("json_type", "WITH RECURSIVE r(j, n) AS (SELECT '1'::JSON, 0 UNION ALL SELECT [j, NULL], n + 1 FROM r WHERE n < 1)"
     " SELECT json_type(j) FROM r"),
    ("json_array_length", "SELECT country, json_array_length(list(CASE WHEN id > 5 THEN to_json(name) END)) FROM"
     " customers GROUP BY country"),
    ("json_contains", f"SELECT json_contains('[1]', {JSON_LIST}) FROM customers"),
    ("json_merge_patch", f"SELECT json_merge_patch('{{}}', {JSON_LIST}) FROM customers"),
    ("->", f"SELECT ({JSON_LIST}) -> 0 FROM customers"),
    ("->>", f"SELECT ({JSON_LIST}) ->> 0 FROM customers"),
    ("to_json", f"SELECT to_json(x) FROM {MIXED}"),
    ("to_json", f"SELECT to_json(({JSON_LIST})::JSON) FROM customers"),
    ("to_json", f"SELECT to_json(CASE WHEN id > 1 THEN {JSON_LIST} ELSE to_json(name) END) FROM customers"),
    ("to_json", f"SELECT to_json([{JSON_LIST}, to_json(name)]) FROM customers"),
    ("to_json", f"SELECT to_json(v) FROM (UNPIVOT (SELECT {JSON_LIST} AS a, to_json(name) AS b FROM customers) ON a, b"
     " INTO NAME n VALUE v)"),
    ("json_group_array", f"SELECT json_group_array(x) FROM {MIXED}"),
]  # fmt: skip


@pytest.mark.skipif(duckdb.__version__.startswith("1."), reason="DuckDB 1.5 reports an error itself")
@pytest.mark.parametrize(("name", "sql"), LISTS_AS_JSON)
def test_no_list_is_read_as_json_without_to_json(duck: DuckDBShop, name: str, sql: str) -> None:
    with pytest.raises(Refused, match="may give up the whole database") as caught:
        duck.rows(sql)
    assert str(caught.value).startswith(f"{name} ")


TUPLE = (
    "a column that is read is a TUPLE with arrays of a fixed length in it, which may crash DuckDB;"
    " name the fields of such records: STRUCT"
)


without_tuples = pytest.mark.skipif(
    duckdb.__version__.startswith("1."), reason="tables have no such columns before DuckDB 2.0"
)


@pytest.mark.slow
@without_tuples
@pytest.mark.parametrize(
    "sql",
    [
        "SELECT DISTINCT pair FROM points",
        "SELECT p.pair, count(*) FROM points p GROUP BY ROLLUP (1)",
        "SELECT * FROM points UNION SELECT * FROM points",
        "SELECT DISTINCT COLUMNS('pair') FROM points",
        "SELECT q.id FROM points JOIN points q USING (pair)",
        "SELECT count(*) FROM points NATURAL JOIN points q",
        "SELECT x, count(*) FROM points t(n, x) GROUP BY x",
        "SELECT DISTINCT #2 FROM points",
    ],
)
def test_stored_records_that_crash_the_engine_are_not_read(sql: str) -> None:
    with pytest.raises(Refused) as caught:
        _checked(sql)
    assert str(caught.value) == TUPLE


@without_tuples
def test_other_columns_beside_them_are_read_and_records_with_names_too() -> None:
    _checked("SELECT id, spot.a, count(*) FROM points GROUP BY id, spot")
    _checked("SELECT DISTINCT spot FROM points ORDER BY spot")


def _checked(sql: str) -> None:
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE points(id INTEGER, pair TUPLE(INTEGER[2]), spot STRUCT(a INTEGER[2]))")
        DuckDBEngine(connection).check(sql, Grant(DuckDBEngine(connection).tables()))


@pytest.mark.parametrize("call", ["regexp_replace(name, 'a')", "list_resize(name)", "equi_width_bins(1, 2)"])
def test_a_call_with_too_few_arguments_is_refused_as_other_queries_are(duck: DuckDBShop, call: str) -> None:
    with pytest.raises(QueryError):
        duck.rows(f"SELECT {call} FROM customers")
