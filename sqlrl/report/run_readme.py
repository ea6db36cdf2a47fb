"""README.md of a run's folder: what it is, what it was made from and when, how to rebuild it and load its adapter."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from jinja2 import Environment, StrictUndefined

from sqlrl.errors import UserError
from sqlrl.records import read_json, read_text
from sqlrl.report.counted import last_checkpoint
from sqlrl.report.files import BASE, stage_of
from sqlrl.report.words import count, duration
from sqlrl.timing import Timing


def render_readme(
    template: Path,
    document: Mapping[str, Any],
    settings: Mapping[str, Any],
    timings: Sequence[Path],
    folders: Mapping[str, str],
) -> str:
    """The page, as Markdown.

    Args:
        template: README.md.j2.
        document: the run's delta report.
        settings: the run's block of the configuration, defaults filled in.
        timings: timing files of all that it sampled, trained and judged.
        folders: ``model``, where the base model lies, and ``run``, the run's own.

    Raises:
        UserError: a file is missing or none of its kind; no timing file is given.
    """
    if not timings:
        raise UserError("--timings: no timing file, so that nothing says when the run was made.")
    started = sorted(read_json(path, Timing).started for path in timings)
    last = last_checkpoint(document)
    adapter = f"{folders['run']}/{last}/adapter" if last != BASE else None
    total = document["costs"]["total"]
    environment = Environment(
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    environment.filters |= {"count": count}
    return environment.from_string(read_text(template)).render(
        run=document["run"],
        headline=document["headline"],
        warnings=document["warnings"],
        model=document["provenance"]["model"],
        model_folder=folders["model"],
        asked=document["asked"],
        holdout=document["fixed"]["holdout_digest"],
        stages=_in_order(document),
        first=started[0],
        until=started[-1],
        seconds=duration(total["seconds"]),
        gpu_hours=total["gpu_hours"],
        machines=document["costs"]["machines"],
        adapter=adapter,
        checkpoint=last,
        rank=settings["stages"][stage_of(last)[0]]["lora"]["rank"] if adapter else None,
        settings=yaml.safe_dump(dict(settings), sort_keys=True, allow_unicode=True),
    )


def _in_order(document: Mapping[str, Any]) -> dict[str, Any]:
    """The stages in the order of the run, those of an ablation last."""
    found = document["provenance"]["stages"]
    scored = [stage_of(one["checkpoint"])[0] for one in document["checkpoints"]]
    return {stage: found[stage] for stage in dict.fromkeys((*scored, *found)) if stage in found}
