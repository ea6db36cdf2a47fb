"""An own schema: SQL files that somebody brings, loaded as the main instance of a database."""

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import psycopg

from sqlrl.database.catalog import Catalog, read_tables
from sqlrl.database.cleaning import Sorter, without_public
from sqlrl.database.connect import Connection, fetch_all, words_of
from sqlrl.database.files import MAIN
from sqlrl.database.script import Part, read_script
from sqlrl.database.server import Server, own_database
from sqlrl.database.snapshot import WHILE_RESTORING, restore, snapshot
from sqlrl.errors import UserError
from sqlrl.files import digest_text, write_text

ELSEWHERE = """
    SELECT c.oid::regclass::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'v', 'm') AND n.nspname <> 'public' AND n.nspname <> 'information_schema'
    AND left(n.nspname, 3) <> 'pg_'
    AND NOT EXISTS (SELECT FROM pg_depend d
                    WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
    ORDER BY 1
"""
TAKEN = """
    SELECT relname FROM pg_class WHERE relnamespace = 'pg_catalog'::regnamespace
    UNION SELECT proname FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace
    UNION SELECT typname FROM pg_type WHERE typnamespace = 'pg_catalog'::regnamespace
"""


@dataclass(frozen=True)
class Statements:
    """What the files of an own schema say, in the order in which it is run: each with its file."""

    early: tuple[tuple[Part, Path], ...]
    rows: tuple[tuple[Part, Path], ...]
    late: tuple[tuple[Part, Path], ...]

    @property
    def schema(self) -> str:
        """All statements that make the schema, without rows."""
        return "\n\n".join(part for part in (_text(self.early), _text(self.late)) if part) + "\n"


def read_statements(scripts: Sequence[Path]) -> Statements:
    """Read the files of an own schema: dump.sql, or schema.sql and seed.sql.

    Raises:
        UserError: a file is missing, or holds what can't be part of a database here.
    """
    sorter = Sorter()
    sorted_parts: dict[str, list[tuple[Part, Path]]] = {"early": [], "rows": [], "late": [], "drop": []}
    for script in scripts:
        if not script.is_file():
            raise UserError(f"{script}: no such file.")
        with script.open(encoding="utf-8", newline="\n") as stream:
            for part in read_script(stream, str(script)):
                fate = "rows" if part.rows is not None else sorter.fate(part.sql, str(script))
                sorted_parts[fate].append((part, script))
    return Statements(*(tuple(sorted_parts[fate]) for fate in ("early", "rows", "late")))


@dataclass(frozen=True)
class Loaded:
    """The main instance of an own schema: its content file and what describes it.

    Attributes:
        text: the content file.
        schema: the statements that make the schema, without rows.
    """

    text: str
    catalog: Catalog
    schema: str


def load_database(server: Server, scripts: Sequence[Path], database: str) -> Loaded:
    """Load SQL files into a database and write it as a content file, which is then restored as a proof.

    Args:
        server: to load it on.
        scripts: dump.sql, or schema.sql and seed.sql.
        database: its name.

    Raises:
        UserError: a statement is refused, by us or by PostgreSQL; names the file and the statement.
    """
    statements = read_statements(scripts)
    with own_database(server, MAIN) as connection:
        statements = with_short_names(connection, statements)
        run_statements(connection, statements)
        check_place(connection, scripts[0])
        tables = read_tables(connection)
        text = snapshot(connection, _text(statements.early), tables, _text(statements.late))
    _check_restored(server, text, statements)
    catalog = Catalog(database, MAIN, digest_text(text), server.major, tables)
    return Loaded(text, catalog, statements.schema)


def with_short_names(connection: Connection, statements: Statements) -> Statements:
    """The same statements with ``public.`` left out where no name of PostgreSQL itself is meant then."""
    taken = frozenset(str(row[0]) for row in fetch_all(connection, TAKEN))
    early, late = (
        tuple((replace(part, sql=without_public(part.sql, taken)), script) for part, script in parts)
        for parts in (statements.early, statements.late)
    )
    return replace(statements, early=early, late=late)


def run_statements(connection: Connection, statements: Statements) -> None:
    """Make the schema, fill in the rows, then make what must wait for them; in one transaction.

    Raises:
        UserError: PostgreSQL refuses a statement.
    """
    with connection.transaction():
        connection.execute(WHILE_RESTORING)
        for part, script in (*statements.early, *statements.rows, *statements.late):
            try:
                _run(connection, part)
            except psycopg.Error as error:
                raise UserError(_refusal(connection, part, script, error)) from error
        # Deferred constraints are asked now, so that a row that breaks one is told like the others.
        try:
            connection.execute("SET CONSTRAINTS ALL IMMEDIATE")
        except psycopg.Error as error:
            where = statements.rows[-1][1] if statements.rows else "the rows"
            raise UserError(f"{where}: the rows break a constraint: {words_of(error)}") from error


def _run(connection: Connection, part: Part) -> None:
    if part.rows is None:
        connection.execute(part.sql.encode())
        return
    with connection.cursor().copy(part.sql.encode()) as copy:
        copy.write("".join(part.rows).encode())


def _refusal(connection: Connection, part: Part, script: Path, error: psycopg.Error) -> str:
    beginning = " ".join(part.sql.split())
    beginning = beginning if len(beginning) <= 120 else f"{beginning[:120]}..."
    text = f"{script}: PostgreSQL refuses `{beginning}`: {words_of(error)}"
    if isinstance(error, psycopg.errors.FeatureNotSupported) and "extension" in str(error):
        return f"{text}. The server here has only the extensions of PostgreSQL itself: leave out what needs this one."
    return text


def check_place(connection: Connection, script: Path) -> None:
    """Refuse tables and views outside the schema public, and a database without tables.

    Raises:
        UserError: names the first of them, and the statements that bring them to public.
    """
    elsewhere = [str(row[0]) for row in fetch_all(connection, ELSEWHERE)]
    if elsewhere:
        more = f" and {len(elsewhere) - 3} more" if len(elsewhere) > 3 else ""
        raise UserError(
            f"{script}: tables and views must be in the schema public; elsewhere: {', '.join(elsewhere[:3])}{more}. "
            f"End the file with ALTER TABLE {elsewhere[0]} SET SCHEMA public; and the same for the others."
        )
    if not read_tables(connection):
        raise UserError(f"{script}: makes no table.")


def _check_restored(server: Server, text: str, loaded: Statements) -> None:
    """Restore a content file and see that it writes the same content file again.

    Raises:
        UserError: it does not.
    """
    script = loaded.early[0][1]
    with tempfile.TemporaryDirectory() as folder, own_database(server, MAIN) as connection:
        dump = Path(folder, f"{MAIN}.sql")
        write_text(dump, text)
        try:
            restore(dump, server.owner_conninfo(MAIN))
        except psycopg.Error as error:
            raise UserError(f"{script}: loads, but can't be restored: {words_of(error)}.") from error
        again = snapshot(connection, _text(loaded.early), read_tables(connection), _text(loaded.late))
    if again != text:
        raise UserError(
            f"{script}: loads, but a restored copy has other rows. Does a default or a type change them?"
        )


def _text(parts: Sequence[tuple[Part, Path]]) -> str:
    return "\n\n".join(f"{part.comment}\n{part.sql};".lstrip("\n") for part, _ in parts)
