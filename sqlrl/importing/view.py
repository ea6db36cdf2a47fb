"""An import as tables for a terminal."""

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from sqlrl.report.words import count

CHECKED = {
    "main": "run on main",
    "schema": "run on the schema without rows: build main, and import again, to try them on rows",
    "grammar": "read by PostgreSQL's grammar alone: there is no schema to run them on",
}


def render_import(document: Mapping[str, Any]) -> Iterator[RenderableType]:
    """What write_account gives, as a person reads it."""
    yield Text(
        f"{document['file']}: {count(document['entries'], 'question')} of {document['db_id'] or document['database']}, "
        f"{document['taken']} taken, {document['refused']} refused. Queries were {CHECKED[document['checked_on']]}."
    )
    if document["other_databases"]:
        others = document["other_databases"]
        yield Text(
            f"Left out: {count(sum(others.values()), 'question')} of {count(len(others), 'other database')}."
        )
    if document["problems"]:
        yield _problems(document)
    yield _cells(document)


def _problems(document: Mapping[str, Any]) -> Table:
    table = Table(title="Problems, by kind", title_justify="left")
    for heading in ("kind", "refused", "taken", "what it is", "first at"):
        table.add_column(
            heading, overflow="fold", justify="right" if heading in ("refused", "taken") else "left"
        )
    for kind, one in document["problems"].items():
        table.add_row(kind, str(one["refused"]), str(one["taken"]), one["meaning"], _first(document, kind))
    return table


def _first(document: Mapping[str, Any], kind: str) -> str:
    entries = [*document["refused_entries"], *document["noted_entries"]]
    places = (
        entry["where"]
        for entry in entries
        if entry.get("reason") == kind or any(problem["kind"] == kind for problem in entry["problems"])
    )
    return str(next(places, "")).rsplit("/", 1)[-1]


def _cells(document: Mapping[str, Any]) -> Table:
    """Tasks by archetype and difficulty."""
    table = Table(title="Tasks, by archetype and difficulty", title_justify="left")
    for heading in ("", "easy", "medium", "hard"):
        table.add_column(heading, justify="right" if heading else "left")
    found: dict[str, dict[str, int]] = {}
    for cell, number in document["cells"].items():
        archetype, difficulty, _ = cell.split(", ")
        row = found.setdefault(archetype, {})
        row[difficulty] = row.get(difficulty, 0) + number
    for archetype, row in sorted(found.items(), key=lambda pair: -sum(pair[1].values())):
        table.add_row(archetype, *(str(row.get(one, 0)) for one in ("easy", "medium", "hard")))
    return table
