"""List the built-in functions that a generated query may call: those that only compute from their arguments.

A test holds that these are left out: functions that read or write files, settings, variables, sequences, catalogs and
logs; that sleep, or evaluate text as SQL; internals such as aggregate states and index keys; and in SQLite those that
make a large value from a small number. The DuckDB sets after `DUCKDB_NUMBERS` are the kinds by which
`askwhere.guard.call_sizes` estimates the size of a result.
"""

from __future__ import annotations

from askwhere.frozen import frozen
from askwhere.sql.dialects import named


def _names(table: str) -> frozenset[str]:
    """Return the words of a text whose lines each begin with a topic and a colon."""
    return frozenset(word for line in table.strip().splitlines() for word in line.split(":", 1)[1].split())


def _topics(*topics: str) -> frozenset[str]:
    """Return the functions of DuckDB under some topics."""
    return _names("\n".join(line for line in _DUCKDB.splitlines() if line.split(":", 1)[0] in topics))


def harmless(dialect: str) -> frozenset[str]:
    """Return the functions that a query may call, by the name of its dialect."""
    return FUNCTIONS[named(dialect).name]


def table_functions(dialect: str) -> frozenset[str]:
    """Return the functions that a query may read from, by the name of its dialect."""
    return TABLE_FUNCTIONS[named(dialect).name]


SQLITE_TABLE_FUNCTIONS = frozenset({"json_each", "json_tree"})

# Functions whose value is no longer than their longest argument, or than a number or date.
SQLITE_SHORT = _names("""
numbers: abs acos acosh asin asinh atan atan2 atanh ceil ceiling cos cosh degrees exp floor ln log log10 log2 mod pi
numbers: pow power radians random round sign sin sinh sqrt tan tanh trunc max min
text: glob instr length like lower ltrim octet_length rtrim soundex substr substring trim unhex unicode upper regexp
choice: coalesce if ifnull iif likelihood likely nullif subtype typeof unlikely
dates: current_date current_time current_timestamp date datetime julianday time timediff unixepoch
aggregates: avg count median percentile percentile_cont percentile_disc sum total
windows: cume_dist dense_rank first_value lag last_value lead nth_value ntile percent_rank rank row_number
json: -> ->> json_array_length json_error_position json_extract json_type json_valid
version: sqlite_version
""")


@frozen
class Slow:
    """How slow a function or a search is: a call takes a second for values of so many `bytes`.

    The time grows with the square of their length; or with the length itself, if the function is `linear`. A call is
    fast if its argument at `place` is a literal of at most `literal` characters, quotes included. For an operator,
    whose pattern follows it, `place` is None.
    """

    bytes: int
    linear: bool = False
    literal: int = 100
    place: int | None = 1


_PATTERN = 20  # characters: a trim looks for each of its characters, LIKE and GLOB for the pattern, at every place
# Functions whose time grows with the product of the lengths of two arguments. SQLite looks for an interrupt only after
# the call.
SQLITE_SLOW = {
    # The length of their pattern is limited while a query runs (SQLITE_LIMIT_LIKE_PATTERN_LENGTH).
    **dict.fromkeys(("glob", "like"), Slow(2 << 20, linear=True, literal=_PATTERN, place=None)),
    **dict.fromkeys(("instr", "replace"), Slow(256 << 10)),
    **dict.fromkeys(("ltrim", "rtrim", "trim"), Slow(16 << 10, literal=_PATTERN)),
    "unhex": Slow(16 << 10),
    **dict.fromkeys(("json_patch", "jsonb_patch"), Slow(64 << 10, literal=0, place=0)),
    # Compare each side of one polygon with many others, of the same polygon too.
    **dict.fromkeys(("geopoly_overlap", "geopoly_within"), Slow(64 << 10, literal=0, place=0)),
    # Copies what it has written for each word that it marks.
    "highlight": Slow(128 << 10, literal=0, place=0),
    # Takes memory for up to 63 separators before SQLite looks at the length of what it makes.
    "concat_ws": Slow(1 << 20, place=0),
}

# Aggregates that sort their values in one step, in an order that may take quadratic time.
SQLITE_SORTING = frozenset({"median", "percentile", "percentile_cont", "percentile_disc"})

# A full-text table: the time grows with the square of the number of words that it is searched for.
SQLITE_SEARCHED = Slow(128 << 10)
# The most words of a search with a function that looks at each place of them in a row, as `highlight` does: its time
# grows with the square of their number, and SQLite looks for an interrupt only after the row.
SQLITE_SEARCHED_WORDS = 32

# Without `json_pretty`: it writes its indent a thousand times a line, up to 2 GB, before SQLite looks at the length.
SQLITE_FUNCTIONS = SQLITE_SHORT | _names("""
text: char concat concat_ws format printf hex quote replace unistr unistr_quote
dates: strftime
aggregates: group_concat string_agg
json: json json_array json_array_insert json_group_array
json: json_group_object json_insert json_object json_patch json_quote json_remove json_replace json_set
json: jsonb jsonb_array jsonb_array_insert jsonb_extract jsonb_group_array jsonb_group_object
json: jsonb_insert jsonb_object jsonb_patch jsonb_remove jsonb_replace jsonb_set
full text: bm25 highlight match matchinfo offsets snippet
shapes: geopoly_area geopoly_bbox geopoly_blob geopoly_ccw geopoly_contains_point geopoly_group_bbox geopoly_json
shapes: geopoly_overlap geopoly_regular geopoly_svg geopoly_within geopoly_xform
""")

DUCKDB_TABLE_FUNCTIONS = frozenset({"generate_series", "json_each", "json_tree", "range", "unnest"})

# Functions that DuckDB calls where a query writes their name like a column's, and there is no such column.
DUCKDB_BARE_CALLS = frozenset(
    {"current_catalog", "current_role", "current_schema", "current_user", "session_user", "user"}
)
# Names of that kind that call a function of another name.
DUCKDB_BARE_NAMES = {
    "current_time": "get_current_time",
    "current_timestamp": "get_current_timestamp",
    "localtime": "current_localtime",
    "localtimestamp": "current_localtimestamp",
}

# Functions that DuckDB calls, by name, for `x[1]`, `x.a`, `x * 0 = 0`, ORDER BY and UNPIVOT: it would call a user's
# function of that name instead.
DUCKDB_IMPLIED = _names("""
names: array_extract array_slice constant_or_null create_sort_key json_extract map_extract_value struct_extract
names: unpivot_list
""")
# The same for SUMMARIZE.
DUCKDB_SUMMARY = _names("""
columns: approx_count_distinct approx_quantile avg count count_star first list_value max min round stddev unnest
""")

# Functions that make a value as large as an argument says: the argument's position, and the largest literal allowed.
_MANY = 10_000
DUCKDB_NUMBERS: dict[str, dict[int, int]] = {
    **{name: {1: _MANY} for name in ("lpad", "rpad", "repeat", "list_resize", "array_resize")},
    **{name: {1: _MANY} for name in ("approx_top_k", "max", "min")},
    **{name: {2: _MANY} for name in ("arg_max", "arg_min", "argmax", "argmin", "max_by", "min_by")},
    "bar": {3: _MANY},
    "bitstring": {1: 8 * _MANY},
    "equi_width_bins": {2: _MANY},
    "lttb": {2: _MANY},
    "to_base": {2: 64},
}
# Functions that call the aggregate whose name is their second argument.
DUCKDB_NAMED_AGGREGATES = frozenset({"aggregate", "array_aggr", "array_aggregate", "list_aggr", "list_aggregate"})
# Functions whose time grows with the product of two texts' lengths, or with the square of one's: the bytes of each at
# which they take about half a second for a few thousand rows. Long ones take minutes.
DUCKDB_QUADRATIC = {
    **dict.fromkeys(("editdist3", "jaccard", "jaro_similarity", "jaro_winkler_similarity", "levenshtein"), 400),
    "nfc_normalize": 800,  # sorts the accents that follow one another
}
# Functions that search a text, a list, or the keys of a record, for those of another.
DUCKDB_SEARCHING = _names("""
texts: contains glob ilike instr position regexp_extract regexp_extract_all regexp_full_match regexp_matches
texts: regexp_replace regexp_split_to_array regexp_split_to_table replace split_part str_split_regex string_split_regex
texts: strpos ~~ !~~ ~~* !~~* ~~~ like_escape not_like_escape ilike_escape not_ilike_escape translate
texts: ~ ~* !~ !~* @> <@ list_has_all list_has_any array_has_all array_has_any json_contains
keys: json_deep_merge json_merge_patch json_merge_patch_diff map_concat
""")
# Functions that compile their second argument as a regular expression: once for a literal, otherwise for each row.
DUCKDB_REGEXPS = _names("""
texts: regexp_extract regexp_extract_all regexp_full_match regexp_matches regexp_replace regexp_split_to_array
texts: regexp_split_to_table str_split_regex string_split_regex ~ ~* !~ !~*
""")
# Aggregates whose value grows with the number of rows.
DUCKDB_COLLECTING = _names("""
lists: array_agg group_concat histogram histogram_exact json_group_array json_group_object json_group_structure list
lists: listagg string_agg
""")

# Without `damerau_levenshtein` and `json_pretty`: for texts of 20 and 60 kB they take 3 GB in one step. Without `fill`:
# it looks for the next value that is not NULL from each row anew. Without `variant_group_array` and
# `variant_group_object`: they make a VARIANT of JSON, which ends the process where it has some ten thousand levels.
_DUCKDB = """
operators: + - * / // % ** ^ & | ~ << >> ! !__postfix @ || = == != <> < <= > >= ->> -> ^@ @> <@ && <-> <=> ~~ !~~ ~~*
operators: !~~* ~~~ ~* !~ !~* like_escape not_like_escape ilike_escape not_ilike_escape __between add subtract multiply
operators: divide decimal_division
numbers: abs acos acosh asin asinh atan atan2 atanh binom bit_count cbrt ceil ceiling cos cosh cot degrees era
numbers: even exp factorial fdiv floor fmod gamma gcd greatest greatest_common_divisor isfinite isinf
numbers: isnan lcm least least_common_multiple lgamma ln log log10 log2 mod nextafter pi pow power radians random round
numbers: round_even roundbankers sign signbit sin sinh sqrt tan tanh trunc xor equi_width_bins
text: array_extract ascii base64 bit_length char_length character_length chr concat concat_ws contains
text: editdist3 ends_with format format_bytes formatreadabledecimalsize formatreadablesize
text: from_base64 from_binary from_hex hamming hex ilike instr jaccard jaro_similarity jaro_winkler_similarity lcase
text: left left_grapheme len length length_grapheme levenshtein lower lpad ltrim mismatches nfc_normalize octet_length
text: ord overlay parse_dirname parse_dirpath parse_filename parse_formatted_bytes parse_path position prefix printf
text: regexp_escape regexp_extract regexp_extract_all regexp_full_match regexp_matches regexp_replace
text: regexp_split_to_array regexp_split_to_table repeat replace reverse right right_grapheme rpad rtrim split
text: split_part starts_with str_split str_split_regex string_split string_split_regex string_to_array strip_accents
text: strlen strpos substr substring substring_grapheme suffix to_base to_base64 to_binary to_hex translate trim ucase
text: unbin unhex unicode upper url_decode url_encode bar
bytes: bin bit_position bitstring decode encode get_bit set_bit
hashes: hash md5 md5_number md5_number_lower md5_number_upper sha1 sha256
identities: gen_random_uuid uuid uuid_extract_timestamp uuid_extract_version uuidv4 uuidv7
choice: coalesce constant_or_null if ifnull nullif switch typeof pg_typeof can_cast_implicitly
dates: age ago century current_date current_localtime current_localtimestamp current_time current_timestamp date_add
dates: date_diff date_part date_sub date_trunc datediff datepart datesub datetrunc day dayname dayofmonth dayofweek
dates: dayofyear days_in_month decade epoch epoch_ms epoch_ns epoch_us get_current_time get_current_timestamp hour
dates: isodow isoyear julian last_day make_date make_time make_timestamp make_timestamp_ms make_timestamp_ns
dates: make_timestamptz microsecond millennium millisecond minute month monthname nanosecond normalized_interval now
dates: quarter second strftime strptime time_bucket timezone timezone_hour timezone_minute to_centuries to_days
dates: to_decades to_hours to_microseconds to_millennia to_milliseconds to_minutes to_months to_quarters to_seconds
dates: to_timestamp to_weeks to_years today transaction_timestamp try_strptime week weekday weekofyear year yearweek
lists: aggregate apply array_aggr array_aggregate array_append array_apply array_cat array_concat array_contains
lists: array_cosine_distance array_cosine_similarity array_cross_product array_distance array_distinct
lists: array_dot_product array_filter array_grade_up array_has array_has_all array_has_any array_indexof
lists: array_inner_product array_intersect array_length array_negative_dot_product array_negative_inner_product
lists: array_pop_back array_pop_front array_position array_prepend array_push_back array_push_front array_reduce
lists: array_resize array_reverse array_reverse_sort array_select array_slice array_sort array_to_string
lists: array_to_string_comma_default array_transform array_unique array_value array_where array_zip cardinality
lists: element_at filter flatten generate_series generate_subscripts grade_up list_aggr list_aggregate list_any_value
lists: list_append list_apply list_approx_count_distinct list_avg list_bit_and list_bit_or list_bit_xor list_bool_and
lists: list_bool_or list_cat list_concat list_contains list_cosine_distance list_cosine_similarity list_count
lists: list_distance list_distinct list_dot_product list_element list_entropy list_extract list_filter list_first
lists: list_grade_up list_has list_has_all list_has_any list_histogram list_indexof list_inner_product list_intersect
lists: list_kurtosis list_kurtosis_pop list_last list_mad list_max list_median list_min list_mode
lists: list_negative_dot_product list_negative_inner_product list_pack list_position list_prepend list_product
lists: list_reduce list_resize list_reverse list_reverse_sort list_select list_sem list_skewness list_slice list_sort
lists: list_stddev_pop list_stddev_samp list_string_agg list_sum list_transform list_unique list_value list_var_pop
lists: list_var_samp list_where list_zip range reduce unnest unpivot_list
records: map map_concat map_contains map_contains_entry map_contains_value map_entries map_extract map_extract_value
records: map_from_entries map_keys map_values row struct_concat struct_contains struct_extract struct_extract_at
records: struct_has struct_indexof struct_insert struct_keys struct_pack struct_position struct_update struct_values
records: union_extract union_tag union_value enum_code enum_first enum_last enum_range enum_range_boundary
json: array_to_json from_json from_json_strict json json_array json_array_length json_contains json_deep_merge
json: json_exists json_extract json_extract_path json_extract_path_text json_extract_string json_group_array
json: json_group_object json_group_structure json_insert json_keys json_merge_patch json_merge_patch_diff
json: json_normalize json_object json_quote json_remove json_replace json_set json_strip_nulls
json: json_structure json_transform json_transform_strict json_type json_valid json_value row_to_json to_json
json: variant_array_length variant_contains variant_exists variant_extract variant_extract_string variant_keys
json: variant_type variant_typeof
shapes: st_asbinary st_asgeojson st_astext st_aswkb st_aswkt st_geomfromgeojson st_geomfromwkb
aggregates: any_value approx_count_distinct approx_quantile approx_top_k arbitrary arg_max arg_max_null
aggregates: arg_max_nulls_last arg_min arg_min_null arg_min_nulls_last argmax argmin array_agg avg bit_and bit_or
aggregates: bit_xor bool_and bool_or corr count count_if count_star countif covar_pop covar_samp entropy
aggregates: favg first fsum geomean geometric_mean group_concat histogram histogram_exact is_histogram_other_bin
aggregates: kahan_sum kurtosis kurtosis_pop last list listagg lttb mad max max_by mean median min min_by mode product
aggregates: quantile quantile_cont quantile_disc regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope
aggregates: regr_sxx regr_sxy regr_syy sem skewness stddev stddev_pop stddev_samp string_agg sum
aggregates: sum_no_overflow sumkahan var_pop var_samp variance wavg weighted_avg percentile_cont percentile_disc
windows: cume_dist dense_rank first_value lag last_value lead nth_value ntile percent_rank rank rank_dense
windows: row_number
"""
DUCKDB_FUNCTIONS = _names(_DUCKDB)
FUNCTIONS = {"sqlite": SQLITE_FUNCTIONS, "duckdb": DUCKDB_FUNCTIONS}
TABLE_FUNCTIONS = {"sqlite": SQLITE_TABLE_FUNCTIONS, "duckdb": DUCKDB_TABLE_FUNCTIONS}

DUCKDB_AGGREGATES = _topics("aggregates") | DUCKDB_COLLECTING
# Functions whose value is a number, a date, a boolean or a hash, whatever the arguments are.
DUCKDB_FIXED = (
    _topics("operators", "numbers", "dates", "windows")
    - _names("x: || + - @ -> ->> strftime cume_dist first_value lag last_value lead nth_value greatest least")
    - _names("x: & | ~ << >> xor add date_add subtract equi_width_bins date_part datepart")
) | _names("""
texts: ascii bit_length char_length character_length contains editdist3 ends_with format_bytes
texts: formatreadabledecimalsize formatreadablesize hamming instr jaccard jaro_similarity jaro_winkler_similarity len
texts: length length_grapheme levenshtein mismatches octet_length ord parse_formatted_bytes position prefix
texts: regexp_full_match regexp_matches starts_with strlen strpos suffix unicode
bytes: bit_count bit_position get_bit
choice: can_cast_implicitly
lists: array_contains array_cosine_distance array_cosine_similarity array_distance array_dot_product array_has
lists: array_has_all array_has_any array_indexof array_inner_product array_length array_negative_dot_product
lists: array_negative_inner_product array_position array_unique cardinality list_approx_count_distinct list_avg
lists: list_bool_and list_bool_or list_contains list_cosine_distance
lists: list_cosine_similarity list_count list_distance list_dot_product list_entropy list_has list_has_all list_has_any
lists: list_indexof list_inner_product list_kurtosis list_kurtosis_pop list_mad list_negative_dot_product
lists: list_negative_inner_product list_position list_product list_sem list_skewness list_stddev_pop list_stddev_samp
lists: list_unique list_var_pop list_var_samp
records: map_contains map_contains_entry map_contains_value struct_contains struct_has struct_indexof struct_position
records: enum_code
json: json_contains json_valid variant_contains
aggregates: approx_count_distinct avg bool_and bool_or corr count count_if count_star countif
aggregates: covar_pop covar_samp entropy favg fsum geomean geometric_mean kahan_sum kurtosis kurtosis_pop mad mean
aggregates: product regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy sem
aggregates: skewness stddev stddev_pop stddev_samp sum_no_overflow sumkahan var_pop var_samp variance wavg
aggregates: weighted_avg
""")
# Functions whose value is no longer than their longest argument, or than a number or date.
DUCKDB_SHORT = DUCKDB_FIXED | _names("""
text: lcase left lower ltrim right rtrim substr substring trim ucase upper
choice: coalesce if ifnull nullif
aggregates: any_value first last max min sum
""")
# Functions whose value is a list or a record, whatever the arguments are.
DUCKDB_NESTING = (_topics("lists", "records", "shapes") - DUCKDB_FIXED) - _names(
    "x: array_extract element_at list_extract list_first list_last map_extract_value struct_extract unnest list_bit_and"
    " list_bit_or list_bit_xor list_sum"
) | _names("""
texts: parse_path regexp_extract_all regexp_split_to_array split str_split str_split_regex string_split
texts: string_split_regex string_to_array
numbers: equi_width_bins
aggregates: approx_quantile approx_top_k arg_max arg_min argmax argmin lttb max max_by min min_by quantile quantile_cont
aggregates: quantile_disc
""")

# The built-in types that hold data; a user's own types are refused. VARIANT is left out: functions of lists crash
# DuckDB 1.5 when they are called with one.
DUCKDB_TYPES = _names("""
numbers: bigint bignum dec decimal double float float4 float8 hugeint int int1 int128 int16 int2 int32 int4 int64 int8
numbers: integer integral long numeric real short signed smallint tinyint ubigint uhugeint uint128 uint16 uint32 uint64
numbers: uint8 uinteger usmallint utinyint varint
text: bpchar char guid json nvarchar string text uuid varchar enum
bytes: binary bit bitstring blob bytea varbinary
truth: bool boolean logical null sqlnull
dates: date datetime interval time time_ns timestamp timestamp_ms timestamp_ns timestamp_s timestamp_us timestamptz
dates: timestamptz_ns timetz timestamp_sec
nested: array list map row struct tuple union geometry
""") | {"time with time zone", "timestamp with time zone"}
