"""What prompts.json says of a run's prompts, for the report."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlrl.authoring.prompt_figures import PromptFigures
from sqlrl.errors import UserError
from sqlrl.records import read_json, to_dict
from sqlrl.report.words import count, percent
from sqlrl.training.manifest import AdapterManifest

PARTS = ("train", "dev")


def read_prompts(files: Sequence[Path], adapters: Mapping[str, AdapterManifest]) -> list[dict[str, Any]]:
    """The prompts of each database of a run; none where no prompts.json is given.

    Raises:
        UserError: an adapter was trained with other prompts.
    """
    found = []
    for file in files:
        figures = read_json(file, PromptFigures)
        for stage, adapter in adapters.items():
            trained = adapter.sections.get("prompt", figures.settings)
            if trained != figures.settings:
                raise UserError(
                    f"{stage}: its adapter was trained with the prompt settings {trained}, and {file} has "
                    f"{dict(figures.settings)}. The files are of another build: run the workflow again."
                )
        for one in figures.databases:
            values = {key: value for key, value in to_dict(one).items() if key != "missed"}
            found.append({**values, "sentence": prompt_sentence(values, figures.settings)})
    return found


def prompt_sentence(one: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """How much of a schema its prompts show, and how often that is enough."""
    whole = f"The prompt of {one['database']} with all tables has {count(one['whole_tokens'], 'token')}"
    if not one["is_linked"]:
        return f"{whole} and is shown whole."
    shares = [
        f"{part}: {percent(recall['complete'] / recall['tasks'], 1)} of {count(recall['tasks'], 'task')} have every "
        f"table of their reference, among {recall['tables']:g} tables and {recall['tokens']:.0f} tokens on average"
        for part in PARTS
        if (recall := one["parts"][part])["tasks"]
    ]
    budget = f"{settings['linking']['budget']:,}"
    return f"{whole}, over the budget of {budget}; questions are shown some. {'; '.join(shares)}."
