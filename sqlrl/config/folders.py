"""Which files of the project's own folders a step reads: those of a schema, of a model, of a page."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlrl.config.sources import own_scripts
from sqlrl.errors import UserError

DATABASES = Path("databases")
TEMPLATES = Path("sqlrl", "report", "templates")


def generator_files(database: str) -> list[str]:
    """generate.py of a schema, then the modules and tables of words beside it."""
    folder = DATABASES / database
    main = folder / "generate.py"
    others = [*folder.glob("*.py"), *folder.glob("*.toml")]
    return [str(main), *sorted(str(file) for file in others if file != main)]


def own_files(database: str) -> list[str]:
    """The SQL files of a schema that somebody brings, in the order in which they run; see own_scripts."""
    return own_scripts(DATABASES / database)


def grammar_files(database: str) -> list[str]:
    """A schema's grammar for the offline teacher."""
    return sorted(map(str, (DATABASES / database / "grammar").glob("*.py")))


def frozen_files(database: str) -> list[str]:
    """A schema's frozen tasks, and who wrote them where that is known. Raises UserError where there are none."""
    folder = DATABASES / database
    if not (folder / "tasks.jsonl").exists():
        raise UserError(
            f"The teacher of databases.{database} is frozen, but there is no {folder}/tasks.jsonl. "
            "`snakemake freeze_tasks` writes it from the tasks of another teacher."
        )
    return [str(file) for file in (folder / "tasks.jsonl", folder / "tasks.origin.json") if file.exists()]


def teacher_templates() -> list[str]:
    """What prompts to a model that writes questions are made of."""
    return [f"sqlrl/authoring/teacher_{part}.md.j2" for part in ("rules", "cells")]


def model_files(settings: Mapping[str, Any], model: str) -> list[str]:
    """The local files of a model that config names by path; none for one that is fetched."""
    source = settings["models"][model]
    path = Path(source.get("path", ""))
    if source["source"] not in ("path", "gguf"):
        return []
    return [str(path)] if source["source"] == "gguf" else sorted(str(file) for file in path.glob("*.*"))


def report_templates() -> list[str]:
    """The page of a report in parts."""
    return sorted(str(file) for file in TEMPLATES.iterdir() if file.suffix in (".j2", ".css", ".js"))


def run_template() -> str:
    """The README.md of a run's folder."""
    return str(TEMPLATES / "run" / "README.md.j2")


def other_templates(page: str) -> list[str]:
    """Another page in parts, with what it shares with that of a report."""
    own = sorted(str(file) for file in (TEMPLATES / page).iterdir())
    return [*own, str(TEMPLATES / "macros.html.j2"), str(TEMPLATES / "style.css")]
