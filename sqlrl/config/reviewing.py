"""The review of tasks: who solves their questions, and what its steps are handed."""

from collections.abc import Mapping
from typing import Any

from sqlrl.config.shared import SERVED, engine_words, notes_file, server_words
from sqlrl.files import canonical_json

Settings = Mapping[str, Any]

PARTS = ("train", "dev", "holdout")
SOLVING_KEYS = ("k", "temperature", "max_tokens", "batch_size", "seed")


def solver_of(settings: Settings) -> str | None:
    """The name of the model that answers the questions; None where nobody is asked."""
    solver: str | None = settings["review"]["solver"]
    return solver


def solver_input(settings: Settings, database: str, name: str) -> list[str]:
    """What the review reads of the solver and the solver of a database; none where nobody is asked.

    Args:
        name: ``model``, ``catalog``, ``notes`` or ``solutions``.
    """
    solver = solver_of(settings)
    if solver is None:
        return []
    files = {
        "model": f"results/models/{solver}/model.json",
        "catalog": f"results/databases/{database}/main.json",
        "notes": notes_file(settings, database),
        "solutions": f"results/tasks/{database}/solutions.jsonl",
    }
    return [files[name]]


def solver_server(settings: Settings) -> str:
    """How the solver is asked; see server_words."""
    return server_words(settings, solver_of(settings))


def solver_kind(settings: Settings) -> str:
    """What draws the solver's replies, by the name of its sampler; ``none`` without one."""
    solver = solver_of(settings)
    if solver is None:
        return "none"
    source: str = settings["models"][solver]["source"]
    return source if source in SERVED else str(settings["review"]["sampler"])


def solving_settings(settings: Settings) -> str:
    """Which questions are asked, and how their replies are drawn. Shares of the split only where they decide."""
    own = settings["review"]
    parts = [part for part in PARTS if part in own["parts"]]
    asked = {"parts": parts, "split": None if parts == list(PARTS) else settings["split"]}
    return canonical_json({**{key: own[key] for key in SOLVING_KEYS}, **asked})


def solving_prompt(settings: Settings) -> str:
    """What the solver's system prompt holds."""
    return canonical_json(settings["review"]["prompt"])


def solver_engine(settings: Settings) -> str:
    """What vLLM's engine may take; see engine_words."""
    return engine_words(settings["review"]["engine"], training=False)


def review_settings(settings: Settings) -> str:
    """What decides a review besides the replies."""
    own = settings["review"]
    return canonical_json(
        {
            "drop": sorted(own["drop"]),
            "question_similarity": own["question_similarity"],
            "statement_timeout_seconds": settings["verifier"]["statement_timeout_seconds"],
        }
    )


def bootstrap_settings(settings: Settings) -> str:
    """What the intervals on the page of the tasks are made with."""
    return canonical_json({key: settings["report"][key] for key in ("resamples", "confidence", "seed")})
