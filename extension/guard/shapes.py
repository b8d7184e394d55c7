"""List the nodes and fields that may occur in a query's tree, as `json_serialize_sql` writes it in DuckDB 1.5 and 2.0.

The guard refuses every other node and field. Those of a new version of DuckDB must be reviewed and listed here before
queries can use them.
"""

from __future__ import annotations

from askwhere.errors import Refused
from askwhere.guard.tree import Node

_EXPRESSION = "class type alias query_location query_location_length"
_TABLE = "type alias sample query_location query_location_length"
_CALL = "function_name schema catalog qualified_name filter order_bys distinct is_operator export_state"


def _fields(*texts: str) -> frozenset[str]:
    return frozenset(" ".join(texts).split())


# Fields of expressions, by the node's `class`.
EXPRESSIONS = {
    "BETWEEN": _fields(_EXPRESSION, "input lower upper"),
    "CASE": _fields(_EXPRESSION, "case_checks else_expr"),
    "CAST": _fields(_EXPRESSION, "child cast_type type_expr try_cast"),
    "COLLATE": _fields(_EXPRESSION, "child collation"),
    "COLUMN_REF": _fields(_EXPRESSION, "column_names"),
    "COMPARISON": _fields(_EXPRESSION, "left right"),
    "CONJUNCTION": _fields(_EXPRESSION, "children"),
    "CONSTANT": _fields(_EXPRESSION, "value literal"),
    "FUNCTION": _fields(_EXPRESSION, _CALL, "children arguments"),
    "LAMBDA": _fields(_EXPRESSION, "lhs expr syntax_type"),
    "OPERATOR": _fields(_EXPRESSION, "children"),
    "POSITIONAL_REFERENCE": _fields(_EXPRESSION, "index"),
    "STAR": _fields(
        _EXPRESSION,
        "relation_name exclude_list replace_list columns expr qualified_exclude_list rename_list unpacked",
    ),
    "SUBQUERY": _fields(_EXPRESSION, "subquery_type subquery child comparison_type"),
    "TYPE": _fields(_EXPRESSION, "catalog schema type_name children qualified_name"),
    "WINDOW": _fields(
        _EXPRESSION, _CALL, "children arguments partitions orders start end start_expr end_expr offset_expr",
        "default_expr ignore_nulls has_ignore_nulls filter_expr exclude_clause arg_orders",
    ),
}  # fmt: skip
# Fields of tables, queries, modifiers and types, by the node's `type`.
NODES = {
    "BASE_TABLE": _fields(_TABLE, "schema_name table_name catalog_name column_name_alias at_clause qualified_name"),
    "EMPTY": _fields(_TABLE),
    "EXPRESSION_LIST": _fields(_TABLE, "expected_names expected_types values"),
    "JOIN": _fields(
        _TABLE, "left right condition join_type ref_type using_columns delim_flipped duplicate_eliminated_columns",
        "is_implicit ranking_expression nearest_count nearest_order_type nearest_approx",
    ),
    "PIVOT": _fields(_TABLE, "source aggregates unpivot_names pivots groups column_name_alias include_nulls"),
    "SHOW_REF": _fields(_TABLE, "table_name query show_type catalog_name schema_name qualified_name"),
    "SUBQUERY": _fields(_TABLE, "subquery column_name_alias"),
    "TABLE_FUNCTION": _fields(_TABLE, "function column_name_alias with_ordinality"),
    "SELECT_NODE": _fields(
        "type modifiers cte_map select_list from_table where_clause group_expressions group_sets aggregate_handling",
        "having sample qualify",
    ),
    "SET_OPERATION_NODE": _fields("type modifiers cte_map setop_type left right setop_all children"),
    "RECURSIVE_CTE_NODE": _fields(
        "type modifiers cte_map cte_name union_all left right aliases key_targets payload_aggregates"
    ),
    "LIMIT_MODIFIER": _fields("type limit offset limit_type"),
    "LIMIT_PERCENT_MODIFIER": _fields("type limit offset"),
    "DISTINCT_MODIFIER": _fields("type distinct_on_targets"),
    "ORDER_MODIFIER": _fields("type orders"),
    "ORDER_DEFAULT": _fields("type null_order expression"),
    "ASCENDING": _fields("type null_order expression"),
    "DESCENDING": _fields("type null_order expression"),
    "ARRAY_TYPE_INFO": _fields("type alias extension_info child_type size"),
    "DECIMAL_TYPE_INFO": _fields("type alias extension_info width scale"),
    "LIST_TYPE_INFO": _fields("type alias extension_info child_type"),
    "STRUCT_TYPE_INFO": _fields("type alias extension_info child_types"),
    "UNBOUND_TYPE_INFO": _fields("type alias extension_info name catalog schema user_type_modifiers"),
}  # fmt: skip
# Fields of records, which have neither class nor type, by the name of the field that holds the record.
RECORDS = {
    "arguments": _fields("name expression"),
    "case_checks": _fields("when_expr then_expr"),
    "cast_type": _fields("id type_info"),
    "child_type": _fields("id type_info"),
    "child_types": _fields("first second"),
    "entries": _fields("values star_expr alias"),
    "pivots": _fields("pivot_expressions unpivot_names entries"),
    "qualified_exclude_list": _fields("catalog schema table column"),
    "query": _fields("node named_param_map"),
    "rename_list": _fields("key value"),
    "key": _fields("catalog schema table column"),
    "replace_list": _fields("key value"),
    "second": _fields("id type_info"),
    "subquery": _fields("node named_param_map"),
    "type": _fields("id type_info"),
    "user_type_modifiers": _fields("type is_null value"),
    "values": _fields("type is_null value"),
    "expected_types": _fields("id type_info"),
}
# Fields that hold no expression: the walk does not enter them.
INERT = _fields("sample qualified_name group_sets literal named_param_map extension_info")
# Types of the expressions whose class is OPERATOR.
OPERATORS = _fields(
    "ARRAY_CONSTRUCTOR ARRAY_EXTRACT ARRAY_SLICE COMPARE_IN COMPARE_NOT_IN GROUPING_FUNCTION OPERATOR_COALESCE",
    "OPERATOR_IS_NOT_NULL OPERATOR_IS_NULL OPERATOR_NOT OPERATOR_NULLIF OPERATOR_TRY OPERATOR_UNPACK STRUCT_EXTRACT",
)
# Fields of a common table expression: its query is `query` (a statement) in 1.5, `query_node` (a node) in 2.0.
CTE = _fields("aliases materialized key_targets payload_aggregates query_node query")


def check_fields(node: Node, place: str) -> None:
    """Raise `Refused` for a node of an unknown kind, and for an unknown field that is not empty.

    `place` is the name of the field that the node is in.
    """
    if "class" in node:
        known, kind = EXPRESSIONS.get(node["class"]), node["class"]
    elif isinstance(node.get("type"), str):
        known, kind = NODES.get(node["type"]), node["type"]
    else:
        known, kind = RECORDS.get(place), place
    if known is None:
        raise Refused(f"the query uses {readable(kind)}, which is not known to be harmless")
    unknown = [name for name, value in node.items() if name not in known and value not in (None, "", [], False)]
    if unknown:
        raise Refused(f"{readable(kind)} has {unknown[0]!r}, which is not known to be harmless")


def readable(kind: str) -> str:
    """Return the kind of a node as an error names it."""
    return kind.replace("_", " ").lower()
