"""The front matter of a model card, as the Hub reads it."""

import re
from collections.abc import Mapping
from typing import Any

from huggingface_hub import EvalResult, ModelCardData

from sqlrl.publish.base import Base
from sqlrl.publish.data import CONFIGURATIONS
from sqlrl.publish.figures import entry
from sqlrl.report.words import listed, percent, rate_span

# Of the identifiers that the Hub knows (huggingface.co/docs/hub/repositories-licenses) those that language
# models come under. It refuses a card with any other: such a licence is "other" with a name.
HUB_LICENCES = frozenset(
    (
        "apache-2.0", "mit", "bsd-2-clause", "bsd-3-clause", "cc0-1.0", "cc-by-4.0", "cc-by-sa-4.0",
        "cc-by-nc-4.0", "cc-by-nc-sa-4.0", "gpl-3.0", "agpl-3.0", "mpl-2.0", "openrail", "bigscience-openrail-m",
        "bigscience-bloom-rail-1.0", "bigcode-openrail-m", "llama2", "llama3", "llama3.1", "llama3.2", "llama3.3",
        "gemma",
    )
)  # fmt: skip


def front_matter(
    document: Mapping[str, Any], checkpoint: str, kinds: list[str], base: Base, licence: str | None
) -> str:
    """The YAML between the two lines of dashes, without them.

    Args:
        document: of the delta report.
        checkpoint: which is published.
        kinds: kinds of the stages that led to it, for the tags.
        base: see describe_base; the Hub is told of it only where it is there.
        licence: of the base model; None where it is not known.
    """
    data = ModelCardData(
        base_model=base.repository,
        base_model_relation="adapter" if base.repository else None,
        library_name="peft",
        pipeline_tag="text-generation",
        language="en",
        tags=["lora", "text-to-sql", "sql", "postgresql", *kinds],
        model_name=f"{document['run']}-{checkpoint}",
        eval_results=[_result(document, checkpoint)],
        configs=[
            {"config_name": name, "data_files": [{"split": split, "path": path}]}
            for name, (path, split) in CONFIGURATIONS.items()
        ],
        **_licence(licence),
    )
    return data.to_yaml()


def _licence(licence: str | None) -> dict[str, Any]:
    if licence is None:
        return {}
    known = licence.strip().lower()
    if known in HUB_LICENCES:
        return {"license": known}
    return {"license": "other", "license_name": re.sub(r"[^a-z0-9.]+", "-", known)}


def _span(rate: Mapping[str, Any]) -> str:
    return rate_span(rate).removesuffix(" †")  # the card explains the mark, the front matter can't


def _result(document: Mapping[str, Any], checkpoint: str) -> EvalResult:
    """pass@1 with its interval in the name: the Hub's schema has no place for one."""
    asked, rate = document["asked"], entry(document, checkpoint)["all"]["pass@1"]
    names = listed([one["database"] for one in asked["databases"]])
    return EvalResult(
        task_type="text-generation",
        task_name="Text to SQL",
        dataset_type="text-to-sql",
        dataset_name=f"held-out questions about {names}",
        dataset_split="holdout",
        metric_type="pass@1",
        metric_name=f"pass@1 ({percent(document['statistics']['confidence'])} interval {_span(rate)})",
        metric_value=rate["value"],
    )
