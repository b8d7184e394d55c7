"""Estimate the bytes of a function's result where they are not simply the sum of its arguments'."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from askwhere.guard.estimates import BYTE, FIXED, LONG, Value
from askwhere.guard.functions import DUCKDB_NAMED_AGGREGATES
from askwhere.guard.tree import Node, literal_number, literal_text, walk
from askwhere.sql.identifiers import fold

_LEAST_ELEMENT = 1.0  # bytes of an element of a collected list
DIGITS = 320.0  # characters of the number 1e308 written out
_LARGEST = 136.0  # bytes of the same number as an integer
_IN_JSON = 1.25  # JSON has five characters for each four of a BLOB's text, `\\x00`: the backslash is doubled
# JSON of n bytes has up to n / 2 levels of two brackets, whose parts have n / 2 bytes on average: n² / 4 in all.
_LEVEL = 4
_JOINING = {"string_agg", "group_concat", "listagg"}  # aggregates that put a separator between their values

_Growth = Callable[[Sequence[Value], Sequence[Node]], float]  # bytes, from the bounds and the nodes of the arguments


def _number(node: Node, default: float = 1.0) -> float:
    return float(literal_number(node) or default)


def _bytes(node: Node) -> int:
    """Return the bytes of a literal text."""
    return len(literal_text(node).encode())


def _sum(values: Sequence[Value]) -> float:
    return sum(v.size for v in values)


def _texts(values: Sequence[Value]) -> float:
    return sum(v.text_bytes for v in values)


def _maximum(values: Sequence[Value]) -> float:
    return max([FIXED, *(v.size for v in values)])


def _cut(value: Value, lengths: Sequence[Node]) -> float:
    """Return the bytes of a text's first or last characters, where a literal says how many."""
    most = [literal_number(node) for node in lengths]
    return min(value.text_bytes, 4.0 * most[0]) if most and most[0] and most[0] > 0 else value.text_bytes


def _resized(values: Sequence[Value], given: Sequence[Node]) -> float:
    """Return the bytes of a text that is repeated, or of a list whose new elements are the third argument or NULL."""
    element = FIXED + values[2].size if len(values) > 2 else values[0].size
    return element * _number(given[1]) + values[0].size


def _replaced(values: Sequence[Value], given: Sequence[Node]) -> float:
    """Return the bytes of `replace`: of literals, by the ratio of their lengths, else as if each byte was replaced."""
    if given[2].get("class") == "CONSTANT" == given[1].get("class"):
        return values[0].size * max(1.0, _bytes(given[2]) / max(1, _bytes(given[1])))
    return values[0].size * values[2].size


def _replaced_by_pattern(values: Sequence[Value], given: Sequence[Node]) -> float:
    """Return the bytes of `regexp_replace`, as if its pattern matched at each byte."""
    literal = _bytes(given[2])
    if given[2].get("class") != "CONSTANT" or literal:
        return values[0].size * (1.0 + (literal or values[2].size))
    return values[0].size


def _split(values: Sequence[Value], given: Sequence[Node]) -> float:
    """Return the bytes of a text split into a list, as if each byte became an element of `FIXED` bytes.

    In a collected text, elements are taken to have two bytes on average.
    """
    size = values[0].size
    return size * FIXED / 2 if size >= LONG else FIXED * (size + 1)


def _joined(values: Sequence[Value], given: Sequence[Node]) -> float:
    """Return the bytes of a list as a text, with a separator between its elements.

    A collected list may have elements of one byte, so many that a separator of more than seven bytes adds gigabytes.
    """
    element = _LEAST_ELEMENT if values[0].size >= LONG else FIXED
    return values[0].size * (1 + (values[1].size if len(values) > 1 else 0) / element)


def _separated(value: Value, separator: Value) -> float:
    """Return the bytes of a value as text and a separator behind it; of a list, with one behind each element."""
    if value.nested:
        return _joined([replace(value, size=value.text_bytes), separator], ())
    return value.text_bytes + separator.text_bytes


def _aggregated(values: Sequence[Value], given: Sequence[Node]) -> float:
    """Return the bytes of `list_aggregate`'s result: those of a joined text, else the sum of its arguments'."""
    joins = fold(literal_text(given[1])) in _JOINING if len(given) > 1 else False
    return _joined([values[0], *values[2:]], given) if joins else FIXED + _sum(values)


def _several(values: Sequence[Value], given: Sequence[Node]) -> float:
    """Return the bytes of the result of an aggregate that returns as many values as an argument says."""
    return _maximum(values) * float(max([1, *(literal_number(node) or 1 for node in given[1:])]))


def _extracted(values: Sequence[Value], given: Sequence[Node]) -> float:
    """Return the bytes that JSON paths extract: each may extract the whole, and one with `..` a part at each level."""
    paths = [literal_text(part) for node in given[1:] for part in walk(node) if part.get("class") == "CONSTANT"]
    deep = any(".." in path for path in paths)
    return values[0].size * max(1, len(paths)) * (values[0].size / _LEVEL if deep else _IN_JSON)


def _each(names: str, growth: _Growth) -> dict[str, _Growth]:
    """Return the entries of `GROWTH` for functions that grow alike."""
    return dict.fromkeys(names.split(), growth)


def _chosen(values: Sequence[Value], given: Sequence[Node]) -> float:
    """Return the bytes of `list_select`: each index may select an element that is as long as the whole list."""
    return values[0].size * max(1.0, values[1].size / FIXED)


def _zipped(values: Sequence[Value], given: Sequence[Node]) -> float:
    """Return the bytes of a list of records with a field for each list, as many as the longest list has elements."""
    return 2.0 * _sum(values) + len(values) * _maximum(values)


def _formatted(values: Sequence[Value], given: Sequence[Node]) -> float:
    """Return the bytes of `format` and `printf`: for each field those of the longest argument, and of its own width.

    A number has up to `DIGITS` bytes.
    """
    text = literal_text(given[0])
    widths = sum(4.0 * int(digits) for digits in re.findall(r"\d{1,9}", "".join(re.findall(r"[{%][^a-zA-Z}]*", text))))
    fields = text.count("{") + text.count("%")
    return values[0].size + widths + fields * max([DIGITS, *(v.size for v in values[1:])])


# The bytes of a function's result where they are not the sum of its arguments'.
GROWTH: Mapping[str, _Growth] = {
    **_each("repeat list_resize array_resize", _resized),
    **_each("lpad rpad", lambda v, n: 4.0 * _number(n[1])),
    "bar": lambda v, n: 4.0 * (_number(n[3], 80) if len(n) > 3 else 80),
    "bitstring": lambda v, n: _number(n[1]) + FIXED if len(n) > 1 else v[0].size,
    "equi_width_bins": lambda v, n: FIXED * (_number(n[2]) + 2),
    "replace": _replaced,
    "regexp_replace": _replaced_by_pattern,
    **_each("hex to_hex", lambda v, n: 2.0 * max(v[0].size, _LARGEST)),
    **_each("to_base64 base64 regexp_escape", lambda v, n: 2.0 * v[0].size),
    **_each("bin to_binary", lambda v, n: 8.0 * max(v[0].size, _LARGEST)),
    **_each("url_encode nfc_normalize", lambda v, n: 3.0 * v[0].size),
    **_each("lower upper lcase ucase", lambda v, n: 1.5 * v[0].size),  # ɐ has two bytes, Ɐ three
    "translate": lambda v, n: 4.0 * v[0].size,  # a letter of one byte may become one of four
    **_each("json_structure json_group_structure", lambda v, n: 3.0 * v[0].size + FIXED),  # `1` is UBIGINT
    **_each("concat ||", lambda v, n: _texts(v) + FIXED),
    "strftime": lambda v, n: 10.0 * _sum(v),
    **_each(
        "json to_json json_quote row_to_json array_to_json json_object json_array json_deep_merge json_merge_patch"
        " json_merge_patch_diff json_remove json_strip_nulls",
        lambda v, n: 6.0 * _sum(v) + FIXED,  # JSON writes a control character as six: \u0001
    ),
    **_each(
        "string_split str_split split string_to_array string_split_regex str_split_regex regexp_split_to_array"
        " regexp_extract_all parse_path",
        _split,
    ),
    **_each("array_to_string list_string_agg array_to_string_comma_default", _joined),
    **_each(" ".join(sorted(DUCKDB_NAMED_AGGREGATES)), _aggregated),
    "concat_ws": lambda v, n: FIXED + _texts(v[:1]) + sum(_separated(value, v[0]) for value in v[1:]),
    **_each("list_zip array_zip", _zipped),
    **_each("list_select array_select", _chosen),
    **_each("format printf", _formatted),
    **_each(
        "approx_top_k arg_max arg_min max_by min_by argmax argmin max min quantile quantile_cont quantile_disc"
        " approx_quantile lttb",
        _several,
    ),
    **_each(
        "-> ->> json_extract json_extract_path json_extract_path_text json_extract_string json_keys json_value",
        _extracted,
    ),
    **_each("left right", lambda v, n: _cut(v[0], n[1:2])),
    **_each("substring substr", lambda v, n: _cut(v[0], n[2:3])),
    **_each(
        "trim ltrim rtrim reverse list_slice array_slice split_part"
        " regexp_extract nullif lag lead first last any_value arbitrary mode first_value last_value nth_value unnest"
        " list_extract element_at array_extract struct_extract list_filter list_distinct"
        " list_sort list_reverse strip_accents",
        lambda v, n: v[0].size if v else FIXED,
    ),
    **_each(
        "coalesce ifnull if greatest least & | ~ << >> xor add date_add subtract sum bit_and bit_or bit_xor list_sum"
        " list_bit_and list_bit_or list_bit_xor",
        lambda v, n: _maximum(v),  # values of BIT and BIGNUM are as long as the longest argument
    ),
    **_each(
        "encode unhex from_hex from_binary unbin from_base64 st_asbinary st_aswkb", lambda v, n: BYTE * _sum(v) + FIXED
    ),
    **_each(
        "hash md5 md5_number md5_number_lower md5_number_upper sha1 sha256 gen_random_uuid uuid uuidv4 uuidv7 to_base"
        " uuid_extract_timestamp uuid_extract_version",
        lambda v, n: 4 * FIXED,
    ),
}
