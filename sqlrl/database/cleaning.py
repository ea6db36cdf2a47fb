"""What of somebody's SQL file becomes part of a database here, and when: before the rows or after them.

Rows are filled in before foreign keys that stand alone, triggers and materialised views are made: so tables may
refer to each other in circles, and a trigger changes no row that it has changed before, where the rows come from.
"""

import re
from collections.abc import Collection, Iterator
from typing import Any, Literal

import postgast
from google.protobuf.message import DecodeError  # type: ignore[import-untyped]

from sqlrl.errors import UserError

Fate = Literal["early", "rows", "late", "drop"]

ROWS = re.compile(r"(INSERT|UPDATE|DELETE|TRUNCATE|MERGE)\b", re.IGNORECASE)
# Large objects, statistics that ANALYZE makes anew, and settings of a session.
NO_ROWS = re.compile(r'sval: "(lo_|pg_restore_|set_config)')
MADE_OF_ROWS = (
    "a table made of other rows would be made before them; write CREATE TABLE, then INSERT ... SELECT."
)
# Who may do what, where files lie, who else is told: nothing that a question could be about.
DROPPED = frozenset(
    [
        "variable_set_stmt",
        "variable_show_stmt",
        "grant_stmt",
        "grant_role_stmt",
        "alter_owner_stmt",
        "alter_default_privileges_stmt",
        "create_role_stmt",
        "alter_role_stmt",
        "alter_role_set_stmt",
        "drop_role_stmt",
        "reassign_owned_stmt",
        "drop_owned_stmt",
        "drop_user_mapping_stmt",
        "createdb_stmt",
        "alter_database_stmt",
        "alter_database_set_stmt",
        "dropdb_stmt",
        "create_policy_stmt",
        "alter_policy_stmt",
        "sec_label_stmt",
        "create_publication_stmt",
        "alter_publication_stmt",
        "create_subscription_stmt",
        "alter_subscription_stmt",
        "create_event_trig_stmt",
        "alter_event_trig_stmt",
        "transaction_stmt",
        "drop_stmt",
        "lock_stmt",
        "create_table_space_stmt",
        "alter_table_space_options_stmt",
        "drop_table_space_stmt",
        "drop_subscription_stmt",
        "vacuum_stmt",
        "check_point_stmt",
        "listen_stmt",
        "notify_stmt",
        "discard_stmt",
    ]
)
# Statements about rows, also behind WITH.
OF_ROWS = frozenset(["insert_stmt", "update_stmt", "delete_stmt", "merge_stmt", "truncate_stmt"])
# What is renamed beside the database that is loaded.
OUTSIDE = frozenset(["OBJECT_DATABASE", "OBJECT_ROLE", "OBJECT_TABLESPACE"])
REFUSED = {
    "create_foreign_table_stmt": "a foreign table, whose rows lie in another server; make it an ordinary table",
    "create_foreign_server_stmt": "a server of foreign tables; leave it and its tables out",
    "create_fdw_stmt": "a wrapper of foreign tables; leave it and its tables out",
    "create_user_mapping_stmt": "a login to another server; leave it and its tables out",
    "import_foreign_schema_stmt": "tables of another server; make them ordinary tables",
    "do_stmt": "a DO block would run at every restore; write the statements that it runs",
    "call_stmt": "a call would run at every restore; write the rows that it makes",
    "execute_stmt": "a prepared statement; write the statement itself",
    "load_stmt": "a library to load; leave it out",
    "alter_system_stmt": "a setting of a whole server; leave it out",
}
# They reach files, other servers or SQL in a string, which a query of a model must not.
REFUSED_EXTENSIONS = (
    "dblink",
    "postgres_fdw",
    "file_fdw",
    "adminpack",
    "pageinspect",
    "tablefunc",
    "xml2",
    "lo",
)
IDLE_CHANGES = frozenset(
    [
        "AT_ChangeOwner",
        "AT_EnableRowSecurity",
        "AT_DisableRowSecurity",
        "AT_ForceRowSecurity",
        "AT_NoForceRowSecurity",
        "AT_SetTableSpace",
        "AT_ReplicaIdentity",
        "AT_ClusterOn",
        "AT_DropCluster",
        "AT_EnableTrigAll",
        "AT_DisableTrigAll",
        "AT_EnableTrigUser",
        "AT_DisableTrigUser",
        "AT_EnableTrig",
        "AT_DisableTrig",
    ]
)
IDLE_COMMENTS = (
    *("DATABASE", "EXTENSION", "ROLE", "TABLESPACE", "POLICY", "PUBLICATION", "SUBSCRIPTION"),
    *("EVENT_TRIGGER", "LARGEOBJECT", "SCHEMA", "LANGUAGE"),
)
LATE_COMMENTS = ("TRIGGER", "TABCONSTRAINT", "MATVIEW", "RULE")


class Sorter:
    """Tells the fate of each statement of a file in turn. What needs something late is late itself."""

    def __init__(self) -> None:
        self._late: set[str] = set()

    def fate(self, sql: str, where: str) -> Fate:
        """Where a statement goes.

        Raises:
            UserError: it can have no place here; the message says what to do.
        """
        if ROWS.match(sql):
            return "rows"
        node = _parse(sql, where)
        kind, value = _kind(node)
        fate = _of_kind(kind, value, f"{where}: {_beginning(sql)}")
        if fate == "early" and self._late & set(_relations(node)):
            fate = "late"
        if fate == "late":
            self._late.update(_made(kind, value))
        return fate


def without_public(sql: str, taken: Collection[str]) -> str:
    """A statement with ``public.`` left out before names, as people write them.

    Args:
        sql: one statement.
        taken: names that PostgreSQL has itself; before these it stays, and in strings too.
    """
    text = sql.encode()
    found = postgast.scan(sql).tokens
    tokens, places = [text[token.start : token.end] for token in found], [token.start for token in found]
    kept, start = [], 0
    for number in range(len(tokens) - 2):
        schema, dot, name = tokens[number : number + 3]
        inner = number > 0 and tokens[number - 1] == b"."
        if (schema, dot) == (b"public", b".") and not inner and name.decode().strip('"') not in taken:
            kept.append(text[start : places[number]])
            start = places[number + 2]
    return b"".join([*kept, text[start:]]).decode()


def _of_kind(kind: str, value: Any, where: str) -> Fate:
    if kind in REFUSED:
        raise UserError(f"{where}: {REFUSED[kind]}.")
    if kind == "create_extension_stmt" and value.extname in REFUSED_EXTENSIONS:
        raise UserError(
            f"{where}: the extension {value.extname} reaches beyond the database or runs SQL held in a string, "
            "which no reply of a model may; leave out what needs it."
        )
    if kind == "copy_stmt":
        raise UserError(f"{where}: COPY from a file of the server; write the rows below COPY ... FROM stdin.")
    if kind in DROPPED or (kind == "rename_stmt" and _enum(value, "rename_type") in OUTSIDE):
        return "drop"
    if kind in OF_ROWS:
        return "rows"
    if kind == "select_stmt":
        if value.HasField("into_clause"):
            raise UserError(f"{where}: {MADE_OF_ROWS}")
        return "drop" if NO_ROWS.search(str(value)) else "rows"
    if kind == "create_schema_stmt":
        return "drop" if value.schemaname == "public" else "early"
    if kind == "alter_table_stmt":
        return _of_changes(value)
    if kind == "comment_stmt":
        return _of_comment(_enum(value, "objtype").removeprefix("OBJECT_"))
    if kind == "create_table_as_stmt":
        if _enum(value, "objtype") != "OBJECT_MATVIEW":
            raise UserError(f"{where}: {MADE_OF_ROWS}")
        return "late"
    return "late" if kind in ("create_trig_stmt", "refresh_mat_view_stmt", "rule_stmt") else "early"


def _of_changes(value: Any) -> Fate:
    changes = [command.alter_table_cmd for command in value.cmds]
    if all(_enum(change, "subtype") in IDLE_CHANGES for change in changes):
        return "drop"
    return "late" if any(_adds_foreign_key(change) for change in changes) else "early"


def _adds_foreign_key(change: Any) -> bool:
    constraint = getattr(change, "def").constraint
    return _enum(change, "subtype") == "AT_AddConstraint" and _enum(constraint, "contype") == "CONSTR_FOREIGN"


def _of_comment(target: str) -> Fate:
    return "drop" if target in IDLE_COMMENTS else "late" if target in LATE_COMMENTS else "early"


def _parse(sql: str, where: str) -> Any:
    try:
        return postgast.parse(sql).stmts[0].stmt
    except (postgast.PgQueryError, DecodeError) as error:
        raise UserError(f"{where}: can't be read: {_beginning(sql)}: {error}.") from error


def _kind(node: Any) -> tuple[str, Any]:
    kind = str(node.WhichOneof("node"))
    return kind, getattr(node, kind)


def _enum(message: Any, field: str) -> str:
    kind = message.DESCRIPTOR.fields_by_name[field].enum_type
    return str(kind.values_by_number[getattr(message, field)].name)


def _made(kind: str, value: Any) -> Iterator[str]:
    """Names of relations that a late statement makes."""
    if kind == "create_table_as_stmt":
        yield value.into.rel.relname
    elif kind == "view_stmt":
        yield value.view.relname


def _relations(node: Any) -> Iterator[str]:
    """Names of all relations in a statement."""
    waiting = [node]
    while waiting:
        message = waiting.pop()
        if message.DESCRIPTOR.name == "RangeVar":
            yield message.relname
        elif message.DESCRIPTOR.name == "CommentStmt":
            yield from (item.string.sval for item in message.object.list.items)
        for field, value in message.ListFields():
            if field.message_type is not None:
                waiting.extend(value if field.is_repeated else [value])


def _beginning(sql: str) -> str:
    line = " ".join(sql.split())
    return line if len(line) <= 80 else f"{line[:80]}..."
