"""What of a database goes to a model, and of what its queries gave: no more than config allows."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from psycopg.sql import SQL, Composable, Identifier

from sqlrl.authoring.instances import Instances, QueryError
from sqlrl.authoring.llm_form import FAULTS
from sqlrl.authoring.screen import REASONS, Rejection
from sqlrl.database.catalog import Column, Table, read_tables
from sqlrl.database.files import MAIN

MaySee = Literal["schema", "samples", "rows"]

VALUES_A_COLUMN, ROWS_A_TABLE = 5, 5
LONGEST_VALUE, LONGEST_ROW = 60, 400
RANGED = re.compile(r"(smallint|integer|bigint|numeric|real|double|date|time)")
# Reasons whose detail has only the model's own words, the parser's, or a setting.
OWN_WORDS = (
    "not_a_query",
    "volatile",
    "question_too_long",
    "duplicate_question",
    "duplicate_sql",
    "near_duplicate_question",
    "near_duplicate_of_template",
    "too_many_rows",
)


@dataclass(frozen=True)
class Shown:
    """Lines of values by column, and of whole rows by table; empty where they may not be seen."""

    values: tuple[str, ...]
    rows: tuple[str, ...]


class Disclosure:
    """Shows a model what it may see of one database."""

    def __init__(self, instances: Instances, may_see: MaySee) -> None:
        """Read from ``instances``, main among them."""
        self._instances, self._may_see = instances, may_see

    def show(self) -> Shown:
        """What goes into every prompt besides the schema and the notes."""
        if self._may_see == "schema":
            return Shown((), ())
        tables = read_tables(self._instances.connections[MAIN])
        values = tuple(line for table in tables for line in self._values(table))
        rows = tuple(line for table in tables for line in self._rows(table))
        return Shown(values, rows if self._may_see == "rows" else ())

    def explain(self, rejection: Rejection) -> str:
        """Why a question was refused, in words that tell no more of the data than may be seen.

        That it gave no row, or too many, is told in any case; which they were is not.
        """
        words = REASONS[rejection.reason]
        if self._may_see == "rows" or rejection.reason in OWN_WORDS:
            detail = rejection.detail
        elif rejection.reason == "does_not_run":
            detail = self._analysis(rejection.candidate.reference_sql)
        else:
            detail = ""
        return f"{words}: {detail}" if detail else words

    def explain_fault(self, fault: str) -> str:
        """What ails a reply as a whole."""
        return FAULTS[fault]

    def _analysis(self, sql: str) -> str:
        """PostgreSQL's complaint where it has one before it looks at any row; such a one quotes none."""
        try:
            self._instances.ask(MAIN, f"EXPLAIN {sql}")
        except QueryError as error:
            return str(error)
        return ""

    def _values(self, table: Table) -> Iterator[str]:
        for column in table.columns:
            query = SQL(
                "SELECT v FROM (SELECT {column}::text AS v FROM {table}) t WHERE v IS NOT NULL"
                " GROUP BY v ORDER BY count(*) DESC, v LIMIT {limit}"
            )
            found = self._column(query, table, column)
            if found:
                words = ", ".join(shorten(value, LONGEST_VALUE) for value in found)
                yield f"{table.name}.{column.name}: {words}{self._range(table, column)}"

    def _range(self, table: Table, column: Column) -> str:
        if not RANGED.match(column.type):
            return ""
        query = SQL(
            "SELECT unnest(ARRAY[min({column})::text, max({column})::text]) FROM {table} LIMIT {limit}"
        )
        least, greatest = self._column(query, table, column) or ("", "")
        return f" (from {least} to {greatest})" if least else ""

    def _column(self, query: SQL, table: Table, column: Column) -> list[str]:
        """The texts that a query of one column gives; none where it takes too long."""
        filled = query.format(
            column=Identifier(column.name), table=Identifier(table.name), limit=SQL(str(VALUES_A_COLUMN))
        )
        return [str(row[0]) for row in self._ask(filled) if row[0] is not None]

    def _rows(self, table: Table) -> Iterator[str]:
        keys = [SQL("t.{}").format(Identifier(one.name)) for one in table.columns if one.key]
        query = SQL("SELECT row_to_json(t)::text FROM {table} t ORDER BY {order} LIMIT {limit}").format(
            table=Identifier(table.name),
            order=SQL(", ").join(keys) if keys else SQL("t::text"),
            limit=SQL(str(ROWS_A_TABLE)),
        )
        for row in self._ask(query):
            yield f"{table.name}: {shorten(str(row[0]), LONGEST_ROW)}"

    def _ask(self, query: Composable) -> list[tuple[object, ...]]:
        try:
            return self._instances.ask(MAIN, query.as_string(self._instances.connections[MAIN]))
        except QueryError:
            return []


def shorten(text: str, length: int) -> str:
    """A text in one line, cut where it is too long."""
    line = " ".join(text.split())
    return line if len(line) <= length else f"{line[:length]}..."
