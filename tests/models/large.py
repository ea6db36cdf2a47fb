"""A schema of 500 tables with data, as a catalog, a dump and notes; no server is needed to make it."""

from pathlib import Path

from sqlrl.database.catalog import Catalog, Column, Table
from sqlrl.files import write_json
from sqlrl.records import to_dict

SUBJECTS = (
    "invoice",
    "shipment",
    "patient",
    "vehicle",
    "lecture",
    "recipe",
    "flight",
    "contract",
    "sensor",
    "ticket",
)
PARTS = ("header", "line", "note", "status", "audit")
COLUMN_COMMENT = "Where the thing came from"


def write_large(folder: Path, regions: int = 10) -> Path:
    """Files of main and notes.md in ``folder/large``: a header a region and subject, and four tables that refer to it.

    Returns:
        The catalog.
    """
    tables = [
        _table(f"{subject}_{part}_{region:02}", subject, part, region)
        for region in range(regions)
        for subject in SUBJECTS
        for part in PARTS
    ]
    folder = folder / "large"
    folder.mkdir(parents=True)
    write_json(folder / "main.json", to_dict(Catalog("large", "main", "0" * 64, 18, tuple(tables))))
    statements = [_statement(table) for table in tables]
    blocks = [_block(table) for table in tables]
    (folder / "main.sql").write_text("\n".join([*statements, "", *blocks]), encoding="utf-8")
    (folder / "notes.md").write_text("# Notes\n\n- Total: quantity * price.\n", encoding="utf-8")
    return folder / "main.json"


def _table(name: str, subject: str, part: str, region: int) -> Table:
    key = Column("id", "integer", False, True, None, None)
    if part == "header":
        origin = Column("origin", "text", False, False, None, COLUMN_COMMENT)
        return Table(name, f"Every {subject} of region {region}", 2, (key, origin))
    reference = Column(f"{subject}_id", "integer", False, False, f"{subject}_header_{region:02}.id", None)
    return Table(name, None, 2, (key, reference, Column(f"{part}_text", "text", True, False, None, None)))


def _statement(table: Table) -> str:
    columns = [f"    {column.name} {column.type}" for column in table.columns]
    comment = f"COMMENT ON TABLE {table.name} IS '{table.comment}';\n" if table.comment else ""
    return f"-- {table.name}\nCREATE TABLE {table.name} (\n" + ",\n".join(columns) + f"\n);\n{comment}"


def _block(table: Table) -> str:
    names = ", ".join(column.name for column in table.columns)
    last = f"value of {table.name}"[:30]
    rows = "".join(
        f"{number}\t" + ("1\t" if len(table.columns) > 2 else "") + f"{last}\n" for number in (1, 2)
    )
    return f"COPY {table.name} ({names}) FROM stdin;\n{rows}\\.\n"
