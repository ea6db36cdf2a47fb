"""Values of a database's columns, read from its dump: shown in prompts, and matched with questions."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from sqlrl.database.catalog import Catalog, Column
from sqlrl.database.snapshot import read_blocks
from sqlrl.errors import UserError

LONGEST = 30
"""Characters of a value at most; longer ones are left out."""

TEXTS = re.compile(r"(text|character|character varying|citext)(\(\d+\))?")
# Types of PostgreSQL's own, and arrays; whatever else a column has is an enumeration or a domain.
BUILT_IN = re.compile(
    r"(text|character|bit|boolean|bytea|date|double|integer|bigint|smallint|numeric|real|jsonb?|time|timestamp|uuid"
    r"|interval|money|oid|inet|cidr|macaddr8?|xml|tsvector|tsquery|\w+(multi)?range)\b|.*\[\]$"
)
NAME = re.compile(r'"(?:[^"]|"")*"|[^,\s()]+')

Values = Mapping[str, Mapping[str, tuple[str, ...]]]
"""By table and column, the most frequent value first."""


def read_values(dump: Path, catalog: Catalog, most: int) -> Values:
    """The most frequent short texts of each column that holds texts or words of an enumeration.

    Keys and references are passed over. Of equally frequent values the first by the alphabet counts, so
    that the same dump gives the same values.

    Args:
        dump: of main.
        catalog: of the same instance.
        most: values a column.

    Raises:
        UserError: no such file, or not a dump.
    """
    if not dump.is_file():
        raise UserError(f"{dump}: no such file; sample values are read from it.")
    columns = {table.name: {one.name for one in table.columns if _is_shown(one)} for table in catalog.tables}
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    with dump.open(encoding="utf-8", newline="\n") as stream:
        for statement, rows in read_blocks(stream, str(dump)):
            if statement.startswith("COPY "):
                table, *names = _names(statement)
                found[table] = dict(_most_frequent(names, columns.get(table, set()), rows, most))
    return {table.name: found.get(table.name, {}) for table in catalog.tables}


def _is_shown(column: Column) -> bool:
    texts = TEXTS.fullmatch(column.type) or not BUILT_IN.match(column.type)
    return bool(texts) and not column.key and column.references is None


def _names(statement: str) -> list[str]:
    """Table and columns of a COPY statement."""
    named = statement.removeprefix("COPY ").removesuffix(" FROM stdin")
    return [name[1:-1].replace('""', '"') if name.startswith('"') else name for name in NAME.findall(named)]


def _most_frequent(
    names: list[str], shown: set[str], rows: list[str], most: int
) -> Iterator[tuple[str, tuple[str, ...]]]:
    cells = [row.rstrip("\n").split("\t") for row in rows]
    for number, name in enumerate(names):
        if name not in shown:
            continue
        # A backslash is NULL, or a character that would break a line of the prompt.
        counts = Counter(
            row[number] for row in cells if 0 < len(row[number]) <= LONGEST and "\\" not in row[number]
        )
        chosen = sorted(counts, key=lambda value: (-counts[value], value))[:most]
        if chosen:
            yield name, tuple(chosen)
