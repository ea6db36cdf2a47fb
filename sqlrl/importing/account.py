"""tasks.import.json: what an import took, what it refused and why, and what it was made from."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlrl.authoring.authored import AuthoringSummary, count_cells
from sqlrl.authoring.cells import all_cells
from sqlrl.files import digest_file
from sqlrl.importing.dialect import KINDS
from sqlrl.importing.importer import DUPLICATE, Imported, ImportSettings, Taken
from sqlrl.importing.source import Source
from sqlrl.records import to_dict

REPORT = "tasks.import.json"
MEANINGS = {**KINDS, DUPLICATE: "an entry before it asks this question"}


@dataclass(frozen=True)
class Origin:
    """The file, its form, and where its queries were run: ``main``, ``schema`` or ``grammar`` with its dump."""

    file: Path
    form: str
    checked_on: str
    dump: Path | None


def summarise_authoring(imported: Imported, form: str) -> AuthoringSummary:
    """Who wrote the tasks, for tasks.origin.json."""
    candidates = imported.candidates
    return AuthoringSummary(f"import {form}", len(candidates), count_cells(candidates, all_cells()))


def write_account(
    imported: Imported, source: Source, origin: Origin, settings: ImportSettings
) -> dict[str, Any]:
    """The report as a JSON document."""
    problems = imported.problems()
    cells = Counter(str(one.cell) for one in imported.candidates)
    return {
        "file": origin.file.name,
        "digest": digest_file(origin.file),
        "format": origin.form,
        "database": source.database,
        "db_id": source.db_id,
        "other_databases": dict(source.others),
        "checked_on": origin.checked_on,
        "checked_digest": digest_file(origin.dump) if origin.dump else None,
        "settings": to_dict(settings),
        "entries": len(source.entries),
        "taken": len(imported.taken),
        "refused": len(imported.refused),
        "problems": {
            kind: {"refused": refused, "taken": taken, "meaning": MEANINGS[kind]}
            for kind, (refused, taken) in problems.items()
        },
        "cells": dict(sorted(cells.items())),
        "refused_entries": [to_dict(one) for one in imported.refused],
        "noted_entries": [_note(one) for one in imported.taken if _is_noted(one)],
    }


def _is_noted(one: Taken) -> bool:
    return bool(one.problems or one.rewritten or one.same_sql_as)


def _note(one: Taken) -> dict[str, Any]:
    return {
        "where": one.where,
        "id": one.id,
        "rewritten": one.rewritten,
        "same_sql_as": one.same_sql_as,
        "problems": [to_dict(problem) for problem in one.problems],
    }
