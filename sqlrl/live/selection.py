"""Which tables of a running database are taken, and whether its role may read them."""

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from psycopg.sql import SQL, Identifier

from sqlrl.database.connect import Connection, fetch_all
from sqlrl.errors import UserError

# A partition is read through its table, but its definition needs a right of its own.
RELATIONS = """
    SELECT n.nspname, c.relname, c.relispartition, has_schema_privilege(n.oid, 'USAGE'),
           has_table_privilege(c.oid, 'SELECT'), GREATEST(c.reltuples, 0)::bigint, c.relkind = 'p'
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p') AND n.nspname = ANY (%s)
    AND NOT EXISTS (SELECT FROM pg_depend d
                    WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
    ORDER BY c.oid
"""
COLUMNS = """
    SELECT a.attname, format_type(COALESCE(NULLIF(t.typbasetype, 0), a.atttypid), NULL), a.attgenerated <> '',
           EXISTS (SELECT FROM pg_constraint k
                   WHERE k.conrelid = a.attrelid AND k.contype = 'p' AND a.attnum = ANY (k.conkey))
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_type t ON t.oid = a.atttypid
    WHERE n.nspname = %s AND c.relname = %s AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum
"""
KEYS = """
    SELECT k.conname, n.nspname, c.relname, pn.nspname, p.relname,
           ARRAY(SELECT a.attname::text FROM unnest(k.conkey) WITH ORDINALITY u (n, i)
                 JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.n ORDER BY u.i),
           ARRAY(SELECT a.attname::text FROM unnest(k.confkey) WITH ORDINALITY u (n, i)
                 JOIN pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = u.n ORDER BY u.i)
    FROM pg_constraint k
    JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_class p ON p.oid = k.confrelid JOIN pg_namespace pn ON pn.oid = p.relnamespace
    WHERE k.contype = 'f' AND k.conparentid = 0 AND NOT c.relispartition AND n.nspname = ANY (%s)
    ORDER BY c.oid, k.conname
"""

Name = tuple[str, str]


@dataclass(frozen=True)
class LiveColumn:
    """One column; ``type`` is the one below a domain."""

    name: str
    type: str
    generated: bool
    key: bool


@dataclass(frozen=True)
class LiveTable:
    """One table of a running database; ``rows`` is the server's own estimate."""

    name: Name
    columns: tuple[LiveColumn, ...]
    rows: int
    partitioned: bool

    def __str__(self) -> str:
        return ".".join(self.name)


@dataclass(frozen=True)
class LiveKey:
    """A foreign key between two tables that are taken."""

    constraint: str
    child: Name
    parent: Name
    columns: tuple[str, ...]
    parent_columns: tuple[str, ...]


@dataclass(frozen=True)
class Selection:
    """What is taken, and which relations of the same schemas are not."""

    tables: tuple[LiveTable, ...]
    keys: tuple[LiveKey, ...]
    left_out: tuple[Name, ...]


def select_tables(
    connection: Connection,
    schemas: Sequence[str],
    include: Sequence[str],
    exclude: Sequence[str],
    excluded_columns: Sequence[str],
) -> Selection:
    """Choose tables by their names, with all that their foreign keys need, and check the role's rights.

    Raises:
        UserError: nothing is left, a pattern matches nothing, a key needs a table that is excluded, or the role
            may not read a table; the message has the GRANT that is needed.
    """
    found = fetch_all(connection, RELATIONS, list(schemas))
    names = [(str(row[0]), str(row[1])) for row in found if not row[2]]
    _check_patterns(names, "include", include)
    _check_patterns(names, "exclude", exclude)
    keys = [key for key in _read_keys(connection, schemas) if not _goes(key, excluded_columns)]
    chosen = [one for one in names if (not include or _matches(one, include)) and not _matches(one, exclude)]
    chosen = _with_parents(names, chosen, keys, exclude)
    if not chosen:
        raise UserError(f"snapshot: no table in the schemas {', '.join(schemas)} is left to take.")
    partitions = [(str(row[0]), str(row[1])) for row in found if row[2]]
    needed = [row for row in found if (row[0], row[1]) in {*chosen, *partitions}]
    _check_rights(connection, needed)
    estimates = {(row[0], row[1]): row for row in found}
    tables = tuple(
        LiveTable(
            one,
            tuple(LiveColumn(*values) for values in fetch_all(connection, COLUMNS, *one)),
            int(estimates[one][5]),
            bool(estimates[one][6]),
        )
        for one in names
        if one in set(chosen)
    )
    left_out = tuple(one for one in names if one not in set(chosen))
    return Selection(tables, tuple(key for key in keys if key.child in set(chosen)), left_out)


def _read_keys(connection: Connection, schemas: Sequence[str]) -> list[LiveKey]:
    return [
        LiveKey(name, (schema, table), (parent_schema, parent), tuple(columns), tuple(parent_columns))
        for name, schema, table, parent_schema, parent, columns, parent_columns in fetch_all(
            connection, KEYS, list(schemas)
        )
    ]


def _goes(key: LiveKey, excluded_columns: Sequence[str]) -> bool:
    """Whether a key goes with one of its columns that is left out."""
    tables = (key.child[1], ".".join(key.child))
    return any(f"{table}.{column}" in excluded_columns for table in tables for column in key.columns)


def _matches(table: Name, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(name, one) for one in patterns for name in (table[1], ".".join(table)))


def _check_patterns(names: Sequence[Name], key: str, patterns: Sequence[str]) -> None:
    for pattern in patterns:
        if not any(_matches(name, [pattern]) for name in names):
            tables = ", ".join(".".join(name) for name in names[:8])
            raise UserError(f'snapshot.{key}: no table is called "{pattern}". Tables: {tables or "none"}.')


def _with_parents(
    names: Sequence[Name], chosen: list[Name], keys: Sequence[LiveKey], exclude: Sequence[str]
) -> list[Name]:
    waiting = list(chosen)
    while waiting:
        name = waiting.pop()
        for key in keys:
            if key.child != name or key.parent in chosen:
                continue
            parent, column = ".".join(key.parent), ".".join((*key.child, key.columns[0]))
            if _matches(key.parent, exclude) or key.parent not in names:
                raise UserError(
                    f"snapshot: {'.'.join(name)} needs {parent} by its foreign key {key.constraint}, but {parent} is "
                    f"left out. Take it too, or name {column} in snapshot.exclude_columns."
                )
            chosen.append(key.parent)
            waiting.append(key.parent)
    return chosen


def _check_rights(connection: Connection, relations: Sequence[tuple[object, ...]]) -> None:
    closed = [(str(row[0]), str(row[1])) for row in relations if not (row[3] and row[4])]
    if not closed:
        return
    role = str(fetch_all(connection, "SELECT current_user")[0][0])
    schemas = sorted({str(row[0]) for row in relations if not row[3]})
    grants = [
        SQL("GRANT USAGE ON SCHEMA {} TO {};").format(Identifier(schema), Identifier(role))
        for schema in schemas
    ]
    tables = SQL(", ").join(Identifier(*name) for name in closed)
    grants.append(SQL("GRANT SELECT ON {} TO {};").format(tables, Identifier(role)))
    listed = ", ".join(".".join(name) for name in closed)
    raise UserError(
        f"the role {role} may not read {listed}. An owner of them can allow it: "
        f"{' '.join(one.as_string(connection) for one in grants)} Or name them in snapshot.exclude."
    )
