"""Twins and witnesses of an own schema: other rows under the same constraints, resampled from main's."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import psycopg
from psycopg.sql import SQL, Identifier

from sqlrl.database.catalog import Catalog, read_tables
from sqlrl.database.connect import Connection, words_of
from sqlrl.database.dice import Dice
from sqlrl.database.server import Server, own_database
from sqlrl.database.snapshot import WHILE_RESTORING, copy_rows, read_blocks, snapshot
from sqlrl.errors import UserError
from sqlrl.files import digest_text
from sqlrl.records import read_text
from sqlrl.resampling.circles import fill_waiting
from sqlrl.resampling.draw import Seat, TableDraw
from sqlrl.resampling.order import order_tables
from sqlrl.resampling.shape import Row, Shape, read_shapes
from sqlrl.resampling.trial import Trial

# From the first of these rounds on, a row takes all its values from one row of main; after the last it is left out.
PLAIN_ROUND, ROUNDS = 6, 12
SMALLEST_SHARE = 0.5

Tables = Mapping[str, Sequence[Row]]


def resample_database(
    server: Server, main: Path, database: str, instance: str, seed: int
) -> tuple[str, Catalog]:
    """Make one instance and return the text of its content file and its catalog.

    Args:
        server: to work on.
        main: the content file of the main instance.
        database: its name.
        instance: such as twin-1.
        seed: another number gives other rows.

    Raises:
        UserError: rows that hold can't be drawn; names the table and the constraint.
    """
    early, late = _statements(main)
    dice = Dice("resample", seed, database, instance)
    with own_database(server, instance, main) as connection:
        shapes = read_shapes(connection, tuple(table.name for table in read_tables(connection)))
        new = _resample(connection, dice, shapes, read_rows(connection, shapes), str(main))
    with own_database(server, instance) as connection:
        _fill(connection, early, late, new, f"{main}: {instance}")
        tables = read_tables(connection)
        text = snapshot(connection, early, tables, late)
    if text == read_text(main):
        raise UserError(
            f"{main}: {instance} would have the same rows as main, so it could refute nothing. "
            "The schema needs a table with some rows whose values may differ."
        )
    return text, Catalog(database, instance, digest_text(text), server.major, tables)


def _statements(main: Path) -> tuple[str, str]:
    """The SQL of a content file before and after its rows."""
    with main.open(encoding="utf-8", newline="\n") as stream:
        blocks = [
            (statement, statement.startswith("COPY ")) for statement, _ in read_blocks(stream, str(main))
        ]
    place = next((number for number, (_, rows) in enumerate(blocks) if rows), len(blocks))
    parts = [
        "".join(statement for statement, rows in part if not rows)
        for part in (blocks[:place], blocks[place:])
    ]
    return parts[0], parts[1]


def read_rows(connection: Connection, shapes: Mapping[str, Shape]) -> dict[str, list[Row]]:
    """All rows by table, values as PostgreSQL writes them, in an order that the rows alone decide."""
    found = {}
    for table, shape in shapes.items():
        names = shape.names
        with connection.cursor() as cursor:
            query = SQL('COPY (SELECT {} FROM {} t ORDER BY t::text COLLATE "C") TO STDOUT').format(
                SQL(", ").join(SQL("t.{}").format(Identifier(name)) for name in names),
                Identifier(table),
            )
            with cursor.copy(query) as copy:
                found[table] = [dict(zip(names, row, strict=True)) for row in copy.rows()]
    return found


def _resample(
    connection: Connection, dice: Dice, shapes: Mapping[str, Shape], old: Tables, where: str
) -> dict[str, list[Row]]:
    """New rows of all tables, each tried against its table's constraints."""
    order = order_tables(shapes, where)
    new: dict[str, list[Row]] = {}
    models: dict[str, list[int]] = {}
    for name in order.tables:
        draw = TableDraw(dice.of(name), shapes[name], old, new, order.waiting[name])
        new[name], models[name] = _draw_table(connection, draw, where)
    for name in order.tables:
        for key in order.waiting[name]:
            fill_waiting(dice.of("waiting", name), shapes[name], key, old, new, models[name], where)
    return new


def _draw_table(connection: Connection, draw: TableDraw, where: str) -> tuple[list[Row], list[int]]:
    """Rows for all seats. A row that breaks a constraint is drawn again, in the end plainly, or left out."""
    seats = draw.seats()
    if not seats:
        return [], []
    trial = Trial(connection, draw.shape)
    kept: dict[int, Row] = {}
    for turn in range(ROUNDS):
        rows = _try_seats(draw, seats, kept, turn)
        try:
            good = trial.keep(rows)
        except psycopg.Error as error:
            raise UserError(
                f"{where}: rows of {draw.shape.table} can't be tried: {words_of(error)}."
            ) from error
        drawn = dict(rows)
        for number in good:
            kept[number] = drawn[number]
        if len(kept) == len(seats):
            break
    _check_share(draw.shape, trial, len(kept), len(seats), where)
    numbers = sorted(kept)
    return [kept[number] for number in numbers], [seats[number].model for number in numbers]


def _try_seats(
    draw: TableDraw, seats: Sequence[Seat], kept: Mapping[int, Row], turn: int
) -> list[tuple[int, Row]]:
    rows = []
    for number, seat in enumerate(seats):
        if number not in kept:
            row = draw.draw(seat, turn * len(seats) + number, plainly=turn >= PLAIN_ROUND)
            if row is not None:
                draw.take(row)
                rows.append((number, row))
    return rows


def _check_share(shape: Shape, trial: Trial, kept: int, asked: int, where: str) -> None:
    if kept >= SMALLEST_SHARE * asked:
        return
    check = trial.broken()
    reason = f"most break its check {check}" if check else "most are not unique"
    raise UserError(
        f"{where}: only {kept} of {asked} resampled rows of {shape.table} hold: {reason}. "
        "Give the table more rows, or leave that constraint out of the schema."
    )


def _fill(connection: Connection, early: str, late: str, rows: Tables, where: str) -> None:
    """Make the schema with the new rows; PostgreSQL checks every constraint once more."""
    with connection.transaction():
        connection.execute(WHILE_RESTORING)
        connection.execute(early.encode())
        try:
            for table in rows:
                copy_rows(connection, table, rows[table])
            if late.strip():
                connection.execute(late.encode())
            connection.execute("SET CONSTRAINTS ALL IMMEDIATE")
        except psycopg.Error as error:
            raise UserError(
                f"{where} can't be resampled: PostgreSQL refuses its rows: {words_of(error)}. Leave the constraint "
                "that it names out of the schema, or bring more rows."
            ) from error
