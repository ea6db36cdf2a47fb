"""What the catalog teacher reads of a schema: tables, columns, keys, and how they refer to each other."""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlrl.authoring.teacher import Ask

NUMBER, TEXT, ENUM, FLAG, DATE, MOMENT, OTHER = "number", "text", "enum", "flag", "date", "moment", "other"
# By PostgreSQL's name of the base type. What is not here is left out of questions: json, arrays, bytea, ...
KINDS: Mapping[str, str] = {
    **dict.fromkeys(("int2", "int4", "int8", "numeric", "float4", "float8"), NUMBER),
    **dict.fromkeys(("text", "varchar", "bpchar", "citext"), TEXT),
    "bool": FLAG,
    "date": DATE,
    **dict.fromkeys(("timestamp", "timestamptz"), MOMENT),
}
WHOLE = ("int2", "int4", "int8")

TABLES = """
    SELECT c.oid::bigint, c.relname, n.nspname, quote_ident(c.relname),
           CASE WHEN n.nspname = 'public' THEN '' ELSE quote_ident(n.nspname) || '.' END,
           obj_description(c.oid, 'pg_class')
    FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg\\_%'
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass
                      AND d.objid = c.oid AND d.deptype = 'e')
    ORDER BY n.nspname COLLATE "C", c.relname COLLATE "C"
"""
COLUMNS = """
    WITH RECURSIVE base (oid, type) AS (
        SELECT oid, oid FROM pg_type WHERE typtype <> 'd'
        UNION ALL
        SELECT t.oid, b.type FROM pg_type t JOIN base b ON t.typbasetype = b.oid WHERE t.typtype = 'd'
    )
    SELECT a.attrelid::bigint, a.attname, quote_ident(a.attname), t.typname, t.typtype = 'e', a.attnotnull,
           col_description(a.attrelid, a.attnum)
    FROM pg_attribute a
    JOIN base b ON b.oid = a.atttypid
    JOIN pg_type t ON t.oid = b.type
    WHERE a.attnum > 0 AND NOT a.attisdropped
      AND a.attrelid IN (SELECT oid FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition)
    ORDER BY a.attrelid, a.attnum
"""
KEYS = """
    SELECT i.indrelid::bigint, i.indisprimary,
           ARRAY(SELECT a.attname::text FROM unnest(i.indkey) WITH ORDINALITY k (attnum, place)
                 JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
                 WHERE k.place <= i.indnkeyatts ORDER BY k.place)
    FROM pg_index i
    JOIN pg_class c ON c.oid = i.indexrelid
    WHERE i.indisunique AND i.indpred IS NULL AND i.indexprs IS NULL
    ORDER BY i.indrelid, i.indisprimary DESC, c.relname COLLATE "C"
"""
FOREIGN_KEYS = """
    SELECT r.conrelid::bigint, r.confrelid::bigint,
           ARRAY(SELECT a.attname::text FROM unnest(r.conkey) WITH ORDINALITY k (attnum, place)
                 JOIN pg_attribute a ON a.attrelid = r.conrelid AND a.attnum = k.attnum ORDER BY k.place),
           ARRAY(SELECT a.attname::text FROM unnest(r.confkey) WITH ORDINALITY k (attnum, place)
                 JOIN pg_attribute a ON a.attrelid = r.confrelid AND a.attnum = k.attnum ORDER BY k.place)
    FROM pg_constraint r
    WHERE r.contype = 'f' AND r.conparentid = 0
    ORDER BY r.conrelid, r.conkey[1], r.conname COLLATE "C"
"""
KEYWORDS = "SELECT word FROM pg_get_keywords() WHERE catcode <> 'U' ORDER BY word"


@dataclass(frozen=True)
class Field:
    """A column.

    Attributes:
        sql: its name as SQL writes it, in quotes where it needs them.
        type: PostgreSQL's name of its base type; kind: what that is to questions.
    """

    name: str
    sql: str
    type: str
    kind: str
    required: bool
    comment: str | None


@dataclass(frozen=True)
class ForeignKey:
    """A foreign key: its columns, the table that it leads to, the columns there, in pairs."""

    columns: tuple[str, ...]
    parent: str
    parent_columns: tuple[str, ...]


@dataclass(frozen=True)
class Relation:
    """A table; of a partitioned one the parent.

    Attributes:
        sql: its name as SQL writes it, with its schema where that is not ``public``.
        unique: the sets of columns that name a row, the primary key first.
    """

    name: str
    sql: str
    comment: str | None
    fields: tuple[Field, ...]
    primary: tuple[str, ...]
    unique: tuple[tuple[str, ...], ...]
    foreign_keys: tuple[ForeignKey, ...]

    def field(self, name: str) -> Field:
        """The column of this name."""
        return next(one for one in self.fields if one.name == name)


@dataclass(frozen=True)
class Structure:
    """A schema.

    Attributes:
        relations: by the name that SQL writes, in order.
        keywords: words that can't be an alias.
    """

    relations: Mapping[str, Relation]
    keywords: frozenset[str]


def read_structure(ask: Ask) -> Structure:
    """Read all tables but the system's and extensions', in the order of their names."""
    tables = {oid: (name, prefix + quoted, comment) for oid, name, _, quoted, prefix, comment in ask(TABLES)}
    fields: dict[int, list[Field]] = {oid: [] for oid in tables}
    for oid, name, quoted, type_name, is_enum, required, comment in ask(COLUMNS):
        if oid in fields:
            kind = ENUM if is_enum else KINDS.get(type_name, OTHER)
            fields[oid].append(Field(name, quoted, type_name, kind, required, comment))
    keys: dict[int, list[tuple[bool, tuple[str, ...]]]] = {oid: [] for oid in tables}
    for oid, is_primary, names in ask(KEYS):
        if oid in keys:
            keys[oid].append((is_primary, tuple(names)))
    references: dict[int, list[ForeignKey]] = {oid: [] for oid in tables}
    for oid, parent, names, parent_names in ask(FOREIGN_KEYS):
        if oid in tables and parent in tables:
            references[oid].append(ForeignKey(tuple(names), tables[parent][1], tuple(parent_names)))
    relations = {
        sql: Relation(
            name=name,
            sql=sql,
            comment=comment,
            fields=tuple(fields[oid]),
            primary=next((names for is_primary, names in keys[oid] if is_primary), ()),
            unique=tuple(names for _, names in keys[oid]),
            foreign_keys=tuple(sorted(set(references[oid]), key=lambda one: (one.columns, one.parent))),
        )
        for oid, (name, sql, comment) in tables.items()
    }
    return Structure(relations, frozenset(str(row[0]) for row in ask(KEYWORDS)))
