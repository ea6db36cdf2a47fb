"""A folder that is ready for the Hub: adapter, model card, training tasks and rollouts.

The adapter has the names of the checkpoint's own class, which servers know too; see forms.py for the other one.
"""

import json
import os
import shutil
from pathlib import Path

from sqlrl.files import write_json, write_text
from sqlrl.models.prompts import PromptSettings
from sqlrl.publish.base import describe_base
from sqlrl.publish.card import Loading, render_card
from sqlrl.publish.data import ROLLOUTS_FILE, TRAIN_FILE, holdout_replies, training_tasks
from sqlrl.publish.schemas import Schema
from sqlrl.publish.sources import Sources
from sqlrl.records import read_text, write_jsonl
from sqlrl.training.manifest import CONFIG, MANIFEST, WEIGHTS

CARD = "README.md"
FILES = (CARD, MANIFEST, CONFIG, WEIGHTS, TRAIN_FILE, ROLLOUTS_FILE)
# Beside them where the model's config.yaml entry asks for it.
CAUSAL_FILES = (f"causal-lm/{CONFIG}", f"causal-lm/{WEIGHTS}")


def write_folder(
    sources: Sources,
    adapter: Path,
    schemas: list[Schema],
    prompt: PromptSettings,
    licence: str | None,
    output: Path,
    loading: Loading,
) -> None:
    """Write all FILES, the card last.

    Args:
        sources: see read_sources.
        adapter: the folder of the adapter that they were read from.
        schemas, prompt, licence, loading: what else the card says; see render_card.
        output: the folder to write into, made where it is missing.
    """
    card = render_card(sources, schemas, prompt, licence, loading)
    _write_adapter(sources, adapter, output)
    write_jsonl(output / TRAIN_FILE, training_tasks(sources))
    write_jsonl(output / ROLLOUTS_FILE, holdout_replies(sources))
    write_text(output / CARD, card)


def _write_adapter(sources: Sources, adapter: Path, output: Path) -> None:
    """The adapter's files; its config names the base as PEFT can fetch it, where it can."""
    output.mkdir(parents=True, exist_ok=True)
    for name in (MANIFEST, WEIGHTS):
        partial = output / f".{name}.{os.getpid()}.partial"
        shutil.copyfile(adapter / name, partial)
        partial.replace(output / name)
    config = json.loads(read_text(adapter / CONFIG))
    write_json(output / CONFIG, {**config, **describe_base(sources.model).config})
