"""Tries rows against the constraints of one table, as PostgreSQL reads them, and keeps those that hold."""

from collections.abc import Sequence

from psycopg.sql import SQL, Composed, Identifier

from sqlrl.database.connect import Connection, fetch_all
from sqlrl.resampling.shape import Row, Shape

NUMBER = "sqlrl_row_number"
DEFERRABLE = """
    SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint
    WHERE conrelid = 'sqlrl_kept'::regclass AND condeferrable AND contype IN ('p', 'u', 'x')
"""


class Trial:
    """Two temporary tables like the real one: rows to be tried, and rows that are kept, which are unique.

    Foreign keys are not among their constraints: parents are drawn from rows that are there.
    """

    def __init__(self, connection: Connection, shape: Shape) -> None:
        """``connection`` is to a database with the schema; one trial at a time."""
        self._connection, self._shape = connection, shape
        table, number = Identifier(shape.table), Identifier(NUMBER)
        for name, parts in {"sqlrl_tried": "GENERATED", "sqlrl_kept": "GENERATED INCLUDING INDEXES"}.items():
            connection.execute(SQL("DROP TABLE IF EXISTS {}").format(Identifier(name)))
            made = SQL("CREATE TEMP TABLE {} (LIKE public.{} INCLUDING {}, {} integer)")
            connection.execute(made.format(Identifier(name), table, SQL(parts), number))
        # ON CONFLICT knows no constraint that waits for the end of the transaction.
        for name, definition in fetch_all(connection, DEFERRABLE):
            change = SQL("ALTER TABLE sqlrl_kept DROP CONSTRAINT {}, ADD {}")
            plain = SQL(definition.partition(" DEFERRABLE")[0])
            connection.execute(change.format(Identifier(name), plain))

    def keep(self, rows: Sequence[tuple[int, Row]]) -> set[int]:
        """The numbers of those rows that hold, each for itself and beside all that were kept before.

        Raises:
            psycopg.Error: a value is none of its column's type or domain.
        """
        names = [*self._shape.names, NUMBER]
        columns = SQL(", ").join(map(Identifier, names))
        self._connection.execute("TRUNCATE sqlrl_tried")
        with self._connection.cursor().copy(SQL("COPY sqlrl_tried ({}) FROM STDIN").format(columns)) as copy:
            for number, row in rows:
                copy.write_row([*(row[name] for name in self._shape.names), str(number)])
        insert = SQL(
            "INSERT INTO sqlrl_kept ({columns}) SELECT {columns} FROM sqlrl_tried WHERE {checks}"
            " ORDER BY {number} ON CONFLICT DO NOTHING RETURNING {number}"
        )
        filled = insert.format(columns=columns, checks=self._checks(), number=Identifier(NUMBER))
        return {int(row[0]) for row in self._connection.execute(filled).fetchall()}

    def broken(self) -> str:
        """The check that most rows of the last try break, for a message; empty where it is none."""
        worst = ("", 0)
        for check in self._shape.checks:
            query = SQL("SELECT count(*) FROM sqlrl_tried WHERE NOT ({})").format(SQL(check.expression))
            count = int(self._connection.execute(query).fetchall()[0][0])
            worst = max(worst, (check.name, count), key=lambda one: one[1])
        return worst[0]

    def _checks(self) -> Composed:
        checks = [SQL("({}) IS NOT FALSE").format(SQL(check.expression)) for check in self._shape.checks]
        return SQL(" AND ").join([SQL("true"), *checks])
