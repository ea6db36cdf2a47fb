"""What the rows of each table must obey, read from PostgreSQL's catalog."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlrl.database.connect import Connection, fetch_all

Row = dict[str, str | None]


@dataclass(frozen=True)
class Column:
    """One column that rows are written with.

    Attributes:
        type: the type below any domain, such as ``integer`` or ``timestamp with time zone``.
        nullable: of the column itself.
        free: no domain restricts its values.
    """

    name: str
    type: str
    nullable: bool
    free: bool


@dataclass(frozen=True)
class ForeignKey:
    """``columns`` of a table are those of a row of ``parent``, in this order."""

    name: str
    columns: tuple[str, ...]
    parent: str
    parent_columns: tuple[str, ...]


@dataclass(frozen=True)
class Check:
    """A condition on the columns of one row."""

    name: str
    columns: tuple[str, ...]
    expression: str


@dataclass(frozen=True)
class Shape:
    """One table.

    Attributes:
        columns: those that can be written, in their order.
        uniques: columns that are unique together, the primary key among them.
        others: columns of what is unique in another way: under a condition, of an expression, an exclusion.
        placing: columns that decide in which partition a row lies.
    """

    table: str
    columns: tuple[Column, ...]
    uniques: tuple[tuple[str, ...], ...]
    others: tuple[tuple[str, ...], ...]
    checks: tuple[Check, ...]
    foreign_keys: tuple[ForeignKey, ...]
    placing: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(column.name for column in self.columns)

    @property
    def bound(self) -> frozenset[str]:
        """Columns of foreign keys."""
        return frozenset(name for key in self.foreign_keys for name in key.columns)

    @property
    def distinct(self) -> tuple[tuple[str, ...], ...]:
        """All sets of columns that are unique, in whatever way."""
        return (*self.uniques, *self.others)


NAMES_OF = """ARRAY(SELECT a.attname::text FROM unnest({numbers}) WITH ORDINALITY u (n, i)
    JOIN pg_attribute a ON a.attrelid = {table} AND a.attnum = u.n ORDER BY u.i)"""
COLUMNS = """
    SELECT c.relname, a.attname, format_type(COALESCE(b.base, a.atttypid), NULL), NOT a.attnotnull, b.base IS NULL
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    LEFT JOIN LATERAL (
        WITH RECURSIVE below (id, base) AS (
            SELECT t.oid, t.typbasetype FROM pg_type t WHERE t.oid = a.atttypid AND t.typtype = 'd'
            UNION ALL
            SELECT t.oid, t.typbasetype FROM below JOIN pg_type t ON t.oid = below.base AND t.typtype = 'd'
        )
        SELECT base FROM below ORDER BY (SELECT typtype = 'd' FROM pg_type WHERE oid = base) LIMIT 1
    ) b ON true
    WHERE a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace
    ORDER BY c.oid, a.attnum
"""
CONSTRAINTS = f"""
    SELECT c.relname, k.conname, k.contype::text, {NAMES_OF.format(numbers="k.conkey", table="k.conrelid")},
           p.relname, {NAMES_OF.format(numbers="k.confkey", table="k.confrelid")},
           pg_get_expr(k.conbin, k.conrelid)
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid LEFT JOIN pg_class p ON p.oid = k.confrelid
    WHERE k.contype IN ('p', 'u', 'x', 'f', 'c') AND k.conparentid = 0 AND NOT c.relispartition
    AND c.relnamespace = 'public'::regnamespace
    ORDER BY c.oid, k.contype = 'f', k.contype <> 'p', k.conname
"""
# Unique indexes that no constraint made. Of an expression all columns that it uses.
INDEXES = f"""
    SELECT c.relname, i.indpred IS NOT NULL OR i.indexprs IS NOT NULL,
           ARRAY(SELECT DISTINCT a.attname::text FROM pg_depend d
                 JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = d.refobjsubid
                 WHERE d.classid = 'pg_class'::regclass AND d.objid = i.indexrelid AND d.refobjid = i.indrelid
                 ORDER BY 1),
           {NAMES_OF.format(numbers="i.indkey::smallint[]", table="i.indrelid")}
    FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_class x ON x.oid = i.indexrelid
    WHERE i.indisunique AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace
    AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u', 'x'))
    ORDER BY c.oid, x.relname
"""
PLACING = """
    SELECT c.relname, a.attname
    FROM pg_class c, pg_partition_tree(c.oid) p
    JOIN pg_partitioned_table t ON t.partrelid = p.relid
    JOIN pg_attribute a ON a.attrelid = p.relid
    WHERE c.relkind = 'p' AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace
    AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    AND (a.attnum = ANY (t.partattrs::smallint[]) OR 0 = ANY (t.partattrs::smallint[]))
    GROUP BY 1, 2 ORDER BY 1, 2
"""


def read_shapes(connection: Connection, tables: tuple[str, ...]) -> dict[str, Shape]:
    """The shape of each table, in the order given.

    Args:
        connection: to a database with the schema.
        tables: names of the catalog's tables.
    """
    found: dict[str, dict[str, list[Any]]] = {
        name: {"columns": [], "uniques": [], "others": [], "checks": [], "keys": [], "placing": []}
        for name in tables
    }
    for table, *values in fetch_all(connection, COLUMNS):
        if table in found:
            found[table]["columns"].append(Column(*values))
    for table, name, kind, columns, parent, parents, expression in _rows(connection, CONSTRAINTS):
        if table not in found:
            continue
        if kind == "f":
            found[table]["keys"].append(ForeignKey(name, tuple(columns), parent, tuple(parents)))
        elif kind == "c":
            found[table]["checks"].append(Check(name, tuple(columns), expression))
        else:
            found[table]["others" if kind == "x" else "uniques"].append(tuple(columns))
    for table, special, used, columns in _rows(connection, INDEXES):
        if table in found:
            found[table]["others" if special else "uniques"].append(tuple(used if special else columns))
    for table, column in fetch_all(connection, PLACING):
        if table in found:
            found[table]["placing"].append(column)
    return {name: _shape(name, parts) for name, parts in found.items()}


def _rows(connection: Connection, query: str) -> list[tuple[Any, ...]]:
    return connection.execute(query.encode()).fetchall()


def _shape(name: str, parts: Mapping[str, list[Any]]) -> Shape:
    columns, uniques, others, checks, keys, placing = (tuple(part) for part in parts.values())
    # A generated column is not drawn; that it stays unique is tried like every other constraint.
    drawn = {one.name for one in columns}
    uniques = tuple(one for one in uniques if drawn.issuperset(one))
    return Shape(name, columns, uniques, others, checks, keys, placing)
