"""Read descriptions and synonyms of tables and columns, and keys between them, from dbt's `manifest.json`.

In the schemas v10 to v12, nodes and sources have `resource_type`, `schema`, `alias` (a source: `identifier`),
`description`, `meta`, `config` (with another `meta`), and `columns` by name with the same three. A test of kind
`relationships` says that the values of a column are in a column of another relation. See
https://schemas.getdbt.com/dbt/manifest/v12.json.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from askwhere.cells import SURROGATE
from askwhere.engine import Table
from askwhere.errors import DatabaseError
from askwhere.frozen import frozen
from askwhere.grouping import grouped
from askwhere.indexer import comments
from askwhere.indexer.comments import Comment

# Resources that are tables or views in the database. An ephemeral model is neither.
KINDS = ("model", "seed", "snapshot", "source")

# A schema and the name of a table in it, in lower case.
_Relation = tuple[str, str]


@frozen
class Matched:
    """The descriptions and keys of a manifest that fit a database, and its names that the database lacks.

    `keys` are pairs of a table and its column, of which the first refers to the second.
    """

    described: tuple[tuple[Table, Comment], ...]
    missing: tuple[str, ...]
    keys: tuple[tuple[tuple[Table, str], tuple[Table, str]], ...] = ()

    @property
    def tables(self) -> int:
        """Return the number of tables that are described, or have a column that is."""
        return len({table.path for table, _ in self.described})

    @property
    def columns(self) -> int:
        """Return the number of columns that are described."""
        return sum(bool(comment.column) for _, comment in self.described)


def load(path: Path) -> Mapping[str, Any]:
    """Return the content of a manifest. Raise `DatabaseError` for a file that is not one, or cannot be read."""
    try:
        content = json.loads(path.read_bytes())
    except OSError as exc:
        raise DatabaseError(f"{path} cannot be read: {exc.strerror or exc}") from exc
    except (ValueError, RecursionError) as exc:
        raise DatabaseError(f"{path} is not valid JSON: {exc}") from exc
    kind = _text(_dict(_dict(content).get("metadata")).get("dbt_schema_version"))
    if "/dbt/manifest/" not in kind:
        found = f"found {kind}" if kind else "found no metadata.dbt_schema_version"
        raise DatabaseError(f"{path} is no manifest of dbt, which writes target/manifest.json: {found}")
    return _dict(content)


def matched(manifest: Mapping[str, Any], tables: Iterable[Table]) -> Matched:
    """Return what a manifest says about some tables.

    A relation of dbt is the table with the same schema and name. If there is none, it is the table with the same name,
    provided that only one table and one relation have that name.
    """
    relations, tests = _relations(manifest), list(_relationships(manifest))
    tables_by_relation = _tables_of({**relations, **{side[0]: [] for test in tests for side in test}}, tuple(tables))
    described: dict[tuple[tuple[str, ...], str], tuple[Table, Comment]] = {}
    missing: dict[str, None] = {}
    for relation, descriptions in relations.items():
        table = tables_by_relation.get(relation)
        if table is None:
            missing[".".join((relation[0], descriptions[0].table))] = None
            continue
        columns = {"": "", **{column.name.lower(): column.name for column in table.columns}}
        for comment in descriptions:
            column = columns.get(comment.column.lower())
            if column is None:
                missing[comment.name] = None
            else:
                described.setdefault((table.path, column), (table, replace(comment, column=column)))
    keys = [(_column(tables_by_relation, child), _column(tables_by_relation, parent)) for child, parent in tests]
    known = dict.fromkeys((child, parent) for child, parent in keys if child and parent)
    for test, sides in zip(tests, keys, strict=True):
        missing |= {".".join((*place, name)): None for (place, name), side in zip(test, sides, strict=True) if not side}
    return Matched(tuple(described.values()), tuple(missing), tuple(known))


def _column(tables: Mapping[_Relation, Table], side: tuple[_Relation, str]) -> tuple[Table, str] | None:
    """Return the table and the column of one side of a relationship; None where the database lacks it."""
    table = tables.get(side[0])
    spelled = {column.name.lower(): column.name for column in table.columns} if table else {}
    return (table, spelled[side[1].lower()]) if table and side[1].lower() in spelled else None


def _relationships(manifest: Mapping[str, Any]) -> Iterator[tuple[tuple[_Relation, str], tuple[_Relation, str]]]:
    """Yield both sides of each relationships test: a relation and the name of its column."""
    nodes = {**_dict(manifest.get("nodes")), **_dict(manifest.get("sources"))}
    for node in map(_dict, nodes.values()):
        test = _dict(node.get("test_metadata"))
        given = _dict(test.get("kwargs"))
        if node.get("resource_type") != "test" or test.get("name") != "relationships":
            continue
        attached, needed = _text(node.get("attached_node")), _dict(node.get("depends_on")).get("nodes")
        others = [name for name in needed if name != attached] if isinstance(needed, list) else []
        child, parent = (_relation(_dict(nodes.get(name))) for name in (attached, str((others or [attached])[0])))
        columns = (_text(node.get("column_name")) or _text(given.get("column_name")), _text(given.get("field")))
        if child and parent and all(columns):
            yield (child, columns[0].strip('"`')), (parent, columns[1].strip('"`'))


def _relation(node: Mapping[str, Any]) -> _Relation | None:
    """Return the schema and the name of a node's relation; None where it has none."""
    ephemeral = _dict(node.get("config")).get("materialized") == "ephemeral"
    table = _table_name(node)
    if node.get("resource_type") not in KINDS or ephemeral or not table:
        return None
    return (_text(node.get("schema")).lower(), table.lower())


def _table_name(node: Mapping[str, Any]) -> str:
    return _text(node.get("identifier")) or _text(node.get("alias")) or _text(node.get("name"))


def _relations(manifest: Mapping[str, Any]) -> dict[_Relation, list[Comment]]:
    """Return the descriptions of each relation of dbt that has any."""
    nodes = map(_dict, (*_dict(manifest.get("nodes")).values(), *_dict(manifest.get("sources")).values()))
    placed = ((relation, node) for node in nodes if (relation := _relation(node)))
    return grouped((relation, comment) for relation, node in placed for comment in _descriptions(node))


def _descriptions(node: Mapping[str, Any]) -> Iterator[Comment]:
    """Yield the descriptions of a relation's node and of its columns that are not empty."""
    table = _table_name(node)
    columns = [(_text(column.get("name")), column) for column in map(_dict, _dict(node.get("columns")).values())]
    for name, properties in (("", node), *((name, column) for name, column in columns if name)):
        comment = Comment(table, name, _text(properties.get("description")), _synonyms(properties))
        if comment.text or comment.synonyms:
            yield comment


def _synonyms(properties: Mapping[str, Any]) -> tuple[str, ...]:
    """Return `meta.synonyms`, else `config.meta.synonyms`; each may be a list, or a text with commas."""
    for meta in (properties.get("meta"), _dict(properties.get("config")).get("meta")):
        given = _dict(meta).get("synonyms")
        listed = [given] if isinstance(given, str) else given if isinstance(given, list) else []
        if words := comments.split(",".join(map(_text, listed))):
            return words
    return ()


def _tables_of(relations: Iterable[_Relation], tables: Sequence[Table]) -> dict[_Relation, Table]:
    """Return the table of each relation that has one."""
    placed = {(table.path[-2].lower(), table.name.lower()): table for table in reversed(tables)}
    tables_by_relation = {relation: placed[relation] for relation in relations if relation in placed}
    taken = {table.path for table in tables_by_relation.values()}
    named = Counter(name for schema, name in relations if (schema, name) not in tables_by_relation)
    times = Counter(table.name.lower() for table in tables)
    for table in tables:
        name = table.name.lower()
        if table.path not in taken and times[name] == named[name] == 1:
            tables_by_relation |= {r: table for r in relations if r[1] == name and r not in tables_by_relation}
    return tables_by_relation


def _dict(content: Any) -> Mapping[str, Any]:
    return content if isinstance(content, dict) else {}


def _text(content: Any) -> str:
    return SURROGATE.sub("\ufffd", content).strip() if isinstance(content, str) else ""
