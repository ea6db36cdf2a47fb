"""The databases of a run as a card shows them: prompts as the models read them, DDL, notes."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlrl.errors import UserError
from sqlrl.models.prompts import PromptSettings, PromptWriter
from sqlrl.models.system_prompt import pair_files
from sqlrl.records import read_text


@dataclass(frozen=True)
class Schema:
    """One database as a reader needs it to write a prompt: the system message with all tables, the DDL, the notes."""

    database: str
    system: str
    ddl: str
    notes: str


def read_schemas(
    model: Path,
    settings: PromptSettings,
    databases: Sequence[Path],
    notes: Sequence[Path],
    schemas: Sequence[Path],
) -> list[Schema]:
    """Read every database of a run.

    Args:
        model: the base model's folder; what writes its prompts writes these.
        settings: of the prompt.
        databases: catalogs, main at least.
        notes: each database's notes.md.
        schemas: each database's schema.sql.

    Raises:
        UserError: a file is missing, or a database comes without its notes or its schema.
    """
    writer = PromptWriter(model, settings, databases, notes)
    ddl = {path.absolute().parent.name: path for path in schemas}
    found = []
    for name, (_, text) in pair_files(databases, notes).items():
        if name not in ddl:
            raise UserError(f"database {name!r} comes without its schema.sql; given: {', '.join(ddl)}.")
        system = writer.whole(name)
        found.append(Schema(name, system, read_text(ddl[name]), read_text(text)))
    return found
