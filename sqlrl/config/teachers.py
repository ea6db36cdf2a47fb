"""Who writes the tasks of a database, and what each teacher is handed."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from sqlrl.config.folders import DATABASES, frozen_files, grammar_files, teacher_templates
from sqlrl.config.shared import notes_file, server_words
from sqlrl.files import canonical_json

OFFLINE, LLM, FROZEN = "offline", "llm", "frozen"
# Of teacher offline: by a grammar written for the schema, or by one made from its catalog.
GRAMMAR, CATALOG = "grammar", "catalog"
# What decides the tasks of each teacher. What a model may cost decides none.
OFFLINE_KEYS = ("seed", "candidates_per_cell", "structures")
LLM_KEYS = (
    "seed",
    "may_see",
    "batch",
    "quota",
    "tries",
    "temperature",
    "max_tokens",
    "duplicates_limit",
)
# What a model's questions are checked by at once, so that it can be told what was wrong with them.
CHECKED_BY = (
    "tasks_per_template",
    "maximum_rows",
    "maximum_question_words",
    "question_similarity",
    "template_similarity",
    "statement_timeout_seconds",
)

Settings = Mapping[str, Any]


def teacher_of(settings: Settings, database: str) -> str:
    """Who writes the questions of a database."""
    teacher: str = settings["databases"][database]["teacher"] or settings["authoring"]["teacher"]
    return teacher


def authoring_settings(settings: Settings, database: str) -> str:
    """What the teacher of a database is told: only what it uses."""
    teacher, own, screening = teacher_of(settings, database), settings["authoring"], settings["screening"]
    if teacher == OFFLINE:
        return canonical_json({"teacher": teacher, **{key: own[key] for key in OFFLINE_KEYS}})
    if teacher == LLM:
        checks = {key: screening[key] for key in CHECKED_BY}
        return canonical_json({**{key: own[key] for key in LLM_KEYS}, "checks": checks})
    return canonical_json({"statement_timeout_seconds": screening["statement_timeout_seconds"]})


def teaching_model(settings: Settings, database: str) -> str | None:
    """The name of the model that writes the questions of a database; None where none does."""
    model: str | None = settings["authoring"]["model"]
    return model if teacher_of(settings, database) == LLM else None


def teaching_kind(settings: Settings, database: str, databases: Path = DATABASES) -> str:
    """What kind of its sort the teacher of a database is; the code of other kinds does not count.

    Args:
        databases: the folder of all schemas; one with a folder ``grammar`` has a grammar of its own.

    Returns:
        The source of the model that writes, ``grammar`` or ``catalog`` of teacher offline, else ``none``.
    """
    model = teaching_model(settings, database)
    if model is not None:
        source: str = settings["models"][model]["source"]
        return source
    if teacher_of(settings, database) != OFFLINE:
        return "none"
    return GRAMMAR if (databases / database / "grammar").is_dir() else CATALOG


def screening_settings(settings: Settings, database: str, databases: Path = DATABASES) -> str:
    """What screening is told: a schema that nobody wrote a grammar for may have nothing for some cells."""
    by_catalog = teaching_kind(settings, database, databases) == CATALOG
    return canonical_json({**settings["screening"], **({"every_cell": False} if by_catalog else {})})


def teacher_input(settings: Settings, database: str, name: str) -> list[str]:
    """What the teacher of a database reads; none of what only another teacher would.

    Args:
        name: ``grammar`` of teacher offline, ``frozen`` of teacher frozen, ``model``, ``prompt`` and ``notes`` of
            teacher llm.

    Raises:
        UserError: the teacher is frozen, and there are no frozen tasks.
    """
    teacher = teacher_of(settings, database)
    if teacher == OFFLINE:
        return grammar_files(database) if name == "grammar" else []
    if teacher == FROZEN:
        return frozen_files(database) if name == "frozen" else []
    asked = {
        "model": [f"results/models/{teaching_model(settings, database)}/model.json"],
        "prompt": teacher_templates(),
        "notes": [notes_file(settings, database)],
    }
    return asked.get(name, [])


def teacher_server(settings: Settings, database: str) -> str:
    """How the model that writes a database's questions is asked; see server_words."""
    return server_words(settings, teaching_model(settings, database))


def spending_limit(settings: Settings, section: str = "authoring") -> str:
    """What a model may cost, as ``money=5.0,tokens=2000000``; a limit that is not set is left out."""
    limits = settings[section]["spending_limit"]
    return ",".join(f"{name}={value}" for name, value in limits.items() if value is not None)


def spending_faults(settings: Settings) -> Iterator[str]:
    """What makes the limit of authoring no limit; see limit_faults."""
    name = settings["authoring"]["model"]
    yield from limit_faults(
        "authoring", settings["authoring"]["spending_limit"], name, settings["models"][name]
    )


def limit_faults(section: str, limits: Settings, name: str, model: Settings) -> Iterator[str]:
    """What makes a section's limit no limit: none is named, or money whose price nobody knows."""
    if all(limit is None for limit in limits.values()):
        yield f"{section}.spending_limit names no limit: set its key money (US dollars) or tokens, or both."
    if limits["money"] and model["price"] is None:
        yield (
            f"{section}.spending_limit.money is {limits['money']}, but models.{name} has no price to count it by: set "
            f"models.{name}.price, or spending_limit.tokens in place of money."
        )
