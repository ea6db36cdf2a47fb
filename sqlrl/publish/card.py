"""The model card of a published adapter, as Markdown with the Hub's front matter."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from sqlrl.models.prompts import PromptSettings
from sqlrl.publish import figures
from sqlrl.publish.base import Base, describe_base
from sqlrl.publish.data import CONFIGURATIONS
from sqlrl.publish.metadata import front_matter
from sqlrl.publish.schemas import Schema
from sqlrl.publish.sources import Sources
from sqlrl.report.files import stage_of
from sqlrl.report.words import count, listed, other_rate, percent

TEMPLATE = Path(__file__).with_name("card.md.j2")


@dataclass(frozen=True)
class Loading:
    """How the base model is loaded: by which class of transformers, and whether the adapter also lies there under the
    names of AutoModelForCausalLM.
    """

    kind: str = "AutoModelForCausalLM"
    causal_form: bool = False


def render_card(
    sources: Sources,
    schemas: list[Schema],
    prompt: PromptSettings,
    licence: str | None,
    loading: Loading,
) -> str:
    """The card's text.

    Args:
        sources: see read_sources; all numbers are those of its document.
        schemas: of every database of the run.
        prompt: the settings that the prompts were made with.
        licence: of the base model; None where config.yaml does not say.
        loading: of the base model.
    """
    environment = Environment(
        loader=FileSystemLoader(TEMPLATE.parent),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"fenced": fenced, "percent": percent, "count": count}
    text = environment.get_template(TEMPLATE.name).render(
        **_context(sources, schemas, prompt, licence, loading)
    )
    return text.rstrip() + "\n"


def fenced(text: str, language: str = "") -> str:
    """A text as a code block whose fence is longer than any in it."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text.strip()}\n{fence}"


def _context(
    sources: Sources,
    schemas: list[Schema],
    prompt: PromptSettings,
    licence: str | None,
    loading: Loading,
) -> dict[str, Any]:
    document, checkpoint = sources.document, sources.checkpoint
    base = describe_base(sources.model)
    stages = _stages(document, checkpoint)
    kinds = sorted({str(made["kind"]) for made in stages.values()})
    return {
        "metadata": front_matter(document, checkpoint, kinds, base, licence),
        "run": document["run"],
        "checkpoint": checkpoint,
        "databases": listed([one["database"] for one in document["asked"]["databases"]]),
        "sentences": figures.sentences(document, checkpoint),
        "asked": document["asked"],
        "confidence": percent(document["statistics"]["confidence"]),
        "rates": figures.rates_table(document, checkpoint),
        "other": other_rate(document["statistics"]["headline_databases"]),
        "alike": figures.alike(document, checkpoint),
        "comparisons": figures.comparisons_table(document, checkpoint),
        "limits": figures.limits(document, checkpoint),
        "warnings": figures.warnings(document, checkpoint),
        "model": sources.model,
        "base": base,
        "licence": licence,
        "loading": _lines(base, loading.kind),
        "causal": _lines(base, "AutoModelForCausalLM", 'subfolder="causal-lm"')
        if loading.causal_form
        else None,
        "asking": _asking(prompt),
        "scoring": document["provenance"]["scoring"],
        "schemas": schemas,
        "budget": prompt.linking.budget if prompt.linking else None,
        "configurations": CONFIGURATIONS,
        "training": len(sources.training),
        "replies": f"{document['asked']['samples_per_checkpoint']:,} replies",
        "stage": stage_of(checkpoint)[0],
        "stages": yaml.safe_dump(stages, sort_keys=False, allow_unicode=True),
        "adapter": sources.adapter,
        "command": f"snakemake publish_adapter --config run={document['run']} publish={checkpoint}",
    }


def _stages(document: Mapping[str, Any], checkpoint: str) -> dict[str, Any]:
    """The settings of every stage that led to the checkpoint, by its name."""
    names = [stage_of(one)[0] for one in figures.chain(document, checkpoint)]
    made = document["provenance"]["stages"]
    return {name: {"from": made[name]["from"], **made[name]["settings"]} for name in names}


def _lines(base: Base, kind: str, place: str = "") -> str:
    where = f'"OWNER/NAME", {place}' if place else '"OWNER/NAME"'
    names = ", ".join(sorted(["AutoTokenizer", kind]))
    return (
        f"from peft import PeftModel\nfrom transformers import {names}\n\n"
        f"base = {kind}.from_pretrained({base.arguments})\n"
        f"tokenizer = AutoTokenizer.from_pretrained({base.arguments})\n"
        f"model = PeftModel.from_pretrained(base, {where})  # this repository, or a folder with its files"
    )


def _asking(prompt: PromptSettings) -> str:
    switch = "" if prompt.thinking is None else f", enable_thinking={prompt.thinking}"
    return (
        'messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": question.strip()}]\n'
        f"text = tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True{switch})\n"
        'tokens = tokenizer(text, return_tensors="pt", add_special_tokens=False)'
    )
