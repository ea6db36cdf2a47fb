"""A sample of the rows of a running database that keeps every foreign key whole."""

from collections.abc import Mapping, Sequence

from psycopg.sql import SQL, Composed, Identifier, Literal

from sqlrl.database.connect import Connection
from sqlrl.errors import UserError
from sqlrl.live.selection import LiveKey, LiveTable, Name, Selection

Values = tuple[str | None, ...]
# From this estimate on the server reads some pages of a table, not all.
LARGE = 200_000
AT_ONCE = 5_000
# Without a length these mean one of length 1.
CASTS = {"character": "bpchar", "bit": "varbit"}


class Sample:
    """Rows by table, each once, in the order in which they were found."""

    def __init__(self, connection: Connection, selection: Selection, left_out: set[tuple[Name, str]]) -> None:
        """
        Args:
            connection: in its read-only transaction.
            selection: the tables.
            left_out: table and name of columns that are not read.
        """
        self._connection, self._selection = connection, selection
        self.columns = {
            table.name: tuple(
                one.name
                for one in table.columns
                if not one.generated and (table.name, one.name) not in left_out
            )
            for table in selection.tables
        }
        self.rows: dict[Name, list[Values]] = {table.name: [] for table in selection.tables}
        self._seen: dict[Name, set[Values]] = {table.name: set() for table in selection.tables}
        self._tables = {table.name: table for table in selection.tables}

    def draw(self, rows_per_table: int) -> None:
        """Some rows of each table, the same ones each time while the table stays the same."""
        for table in self._selection.tables:
            part = SQL("")
            if table.rows > LARGE and not table.partitioned:
                percent = min(100.0, 100.0 * max(10 * rows_per_table, 10_000) / table.rows)
                part = SQL("TABLESAMPLE SYSTEM ({}) REPEATABLE (1)").format(Literal(percent))  # type: ignore[assignment]
            query = SQL("{select} t {part} ORDER BY md5({order}), {order} LIMIT {limit}").format(
                select=self._select(table),
                part=part,
                order=self._identity(table),
                limit=Literal(rows_per_table),
            )
            self._add(table, query)

    def close(self) -> None:
        """Fetch all rows that foreign keys of sampled rows point to, until none is missing."""
        waiting = list(self._selection.keys)
        while waiting:
            key = waiting.pop(0)
            if self._fetch_parents(key):
                waiting += [
                    one for one in self._selection.keys if one.child == key.parent and one not in waiting
                ]

    def check_size(self, megabytes: float) -> None:
        """Refuse a sample that is too large.

        Raises:
            UserError: names the largest tables.
        """
        sizes = {
            name: sum(len(value) for row in rows for value in row if value)
            for name, rows in self.rows.items()
        }
        if sum(sizes.values()) <= megabytes * 1e6:
            return
        largest = sorted(sizes, key=lambda name: -sizes[name])[:3]
        told = ", ".join(f"{'.'.join(name)} {sizes[name] / 1e6:.1f}" for name in largest)
        raise UserError(
            f"snapshot: the sample has {sum(sizes.values()) / 1e6:.1f} megabytes, more than snapshot.megabytes "
            f"({megabytes:g}); largest are {told}. Lower rows_per_table, exclude such tables or their long columns, or "
            "raise megabytes."
        )

    def _select(self, table: LiveTable) -> Composed:
        names = SQL(", ").join(SQL("t.{}").format(Identifier(one)) for one in self.columns[table.name])
        only = SQL("") if table.partitioned else SQL("ONLY ")
        return SQL("SELECT {} FROM {}{}").format(names, only, Identifier(*table.name))

    def _identity(self, table: LiveTable) -> Composed:
        """A text by which rows are put in an order: of the key, or of all that is read."""
        keys = [one.name for one in table.columns if one.key and one.name in self.columns[table.name]]
        names = keys or self.columns[table.name]
        return SQL("ROW({})::text").format(
            SQL(", ").join(SQL("t.{}").format(Identifier(one)) for one in names)
        )

    def _add(self, table: LiveTable, query: Composed) -> int:
        found = 0
        with self._connection.cursor().copy(SQL("COPY ({}) TO STDOUT").format(query)) as copy:
            for row in copy.rows():
                if row not in self._seen[table.name] or not self._has_key(table):
                    self._seen[table.name].add(row)
                    self.rows[table.name].append(row)
                    found += 1
        return found

    def _has_key(self, table: LiveTable) -> bool:
        return any(one.key for one in table.columns)

    def _fetch_parents(self, key: LiveKey) -> int:
        missing = sorted(
            self._pointed(key.child, key.columns) - self._pointed(key.parent, key.parent_columns)
        )
        table = self._tables[key.parent]
        types = {one.name: one.type for one in table.columns}
        found = 0
        for start in range(0, len(missing), AT_ONCE):
            part = missing[start : start + AT_ONCE]
            arrays = [[values[place] for values in part] for place in range(len(key.columns))]
            wanted = SQL(", ").join(
                SQL("w.{}::{}").format(Identifier(f"v{place}"), SQL(CASTS.get(types[name], types[name])))
                for place, name in enumerate(key.parent_columns)
            )
            query = SQL("{} t WHERE ({}) IN (SELECT {} FROM unnest({}) AS w ({}))").format(
                self._select(table),
                SQL(", ").join(SQL("t.{}").format(Identifier(name)) for name in key.parent_columns),
                wanted,
                SQL(", ").join(SQL("{}::text[]").format(Literal(values)) for values in arrays),
                SQL(", ").join(Identifier(f"v{place}") for place in range(len(arrays))),
            )
            found += self._add(table, query)
        return found

    def _pointed(self, table: Name, columns: Sequence[str]) -> set[tuple[str, ...]]:
        places = [self.columns[table].index(name) for name in columns]
        chosen = (tuple(row[place] for place in places) for row in self.rows[table])
        return {values for values in chosen if None not in values}  # type: ignore[misc]


def ordered(sample: Mapping[Name, Sequence[Values]]) -> dict[Name, list[Values]]:
    """Rows in an order that they alone decide, so that the same rows give the same file."""
    return {
        name: sorted(rows, key=lambda row: [(value is None, value or "") for value in row])
        for name, rows in sample.items()
    }
