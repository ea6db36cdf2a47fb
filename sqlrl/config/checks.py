"""What a schema cannot say: whether the parts of a configuration fit each other."""

from collections.abc import Iterator, Mapping
from typing import Any

from sqlrl.config import ablation
from sqlrl.config.names import nearest, unknown_name
from sqlrl.config.reviewing import solver_of
from sqlrl.config.shared import SERVED
from sqlrl.config.sources import source_faults
from sqlrl.config.teachers import LLM, limit_faults, spending_faults, teacher_of


def cross_check(settings: Mapping[str, Any]) -> Iterator[str]:
    """What a schema cannot say: names that must exist elsewhere in the configuration."""
    yield from unknown_name("run", settings["run"], settings["runs"], "runs")
    yield from _check_published(settings)
    yield from _check_compared(settings)
    yield from _check_teacher(settings)
    yield from _check_solver(settings)
    yield from source_faults(settings)
    kinds: dict[str, tuple[str, str]] = {}
    for name, run in settings["runs"].items():
        yield from unknown_name(f"runs.{name}.model", run["model"], settings["models"], "models")
        yield from _check_databases(name, run, settings["databases"])
        if run["model"] in settings["models"]:
            yield from _check_sampler(name, run, settings["models"][run["model"]])
        for stage, values in run["stages"].items():
            yield from _check_stage(name, run, stage, values)
            other = kinds.setdefault(stage, (values["kind"], name))
            if other[0] != values["kind"]:
                yield (
                    f"runs.{name}.stages.{stage} is of kind {values['kind']}, but the stage of that name in "
                    f"runs.{other[1]} is of kind {other[0]}: one name, one kind. Rename one of them."
                )


def _check_databases(run_name: str, run: Mapping[str, Any], known: Mapping[str, Any]) -> Iterator[str]:
    """What is trained on must be scored too: nothing else says whether the model learned what it was taught."""
    for key in ("databases", "evaluate_on"):
        for database in run[key] or []:
            yield from unknown_name(f"runs.{run_name}.{key}", database, known, "databases")
    left_out = [one for one in run["databases"] if run["evaluate_on"] and one not in run["evaluate_on"]]
    if left_out:
        yield (
            f"runs.{run_name}.evaluate_on lacks {left_out[0]}, which the run trains on: add it, so that the "
            "report says what was learned of it."
        )


def _check_sampler(run_name: str, run: Mapping[str, Any], model: Mapping[str, Any]) -> Iterator[str]:
    """A model behind an API is asked by the sampler of its name, and cannot be trained."""
    place, named = f"runs.{run_name}", f"models.{run['model']} has source {model['source']}"
    sampler, served = run["sampler"], model["source"] in SERVED
    if served and sampler != model["source"]:
        yield f'{place}.sampler is "{sampler}", but {named}: set sampler: {model["source"]}.'
    elif sampler in SERVED and not served:
        yield f'{place}.sampler is "{sampler}", but {named}: its weights are here, set sampler: transformers or vllm.'
    if served and run["stages"]:
        yield (
            f"{place}.stages is set, but {named}: such a model cannot be trained. Leave stages out; "
            f"snakemake base_benchmark --config run={run_name} scores it."
        )
    if served:
        yield from _check_thinking(place, run["prompt"], named, model)


def _check_thinking(
    place: str, prompt: Mapping[str, Any], named: str, model: Mapping[str, Any]
) -> Iterator[str]:
    """Only a server that renders a chat template can be told to think."""
    if prompt["thinking"] is not None and not (model["source"] == "openai" and model["base_url"]):
        yield (
            f"{place}.prompt.thinking is {str(prompt['thinking']).lower()}, but {named} and no base_url of a "
            "server that renders a chat template: set it to null."
        )


def _check_teacher(settings: Mapping[str, Any]) -> Iterator[str]:
    """Where a model writes questions, it is one behind an API, and what it may cost can be counted."""
    taught = [name for name in settings["databases"] if teacher_of(settings, name) == LLM]
    if not taught:
        return
    models = {name: model for name, model in settings["models"].items() if model["source"] in SERVED}
    model = settings["authoring"]["model"]
    if model in models:
        yield from spending_faults(settings)
        return
    place = f"the teacher of databases.{taught[0]} is {LLM}"
    known = f"models with source {' or '.join(SERVED)}: {', '.join(models) or 'none'}"
    if model is None:
        yield f"{place}: name the model that is asked in authoring.model. {known}."
    elif model in settings["models"]:
        source = settings["models"][model]["source"]
        yield f'authoring.model is "{model}", which has source {source}: a teacher answers behind an API. {known}.'
    else:
        yield from unknown_name("authoring.model", model, settings["models"], "models")


def _check_solver(settings: Mapping[str, Any]) -> Iterator[str]:
    """The model that answers questions for the review is known, can be told what it is told, and can be paid."""
    name, own = solver_of(settings), settings["review"]
    if name is None:
        return
    if name not in settings["models"]:
        yield from unknown_name("review.solver", name, settings["models"], "models")
        return
    model = settings["models"][name]
    if model["source"] not in SERVED:
        return
    yield from limit_faults("review", own["spending_limit"], name, model)
    yield from _check_thinking("review", own["prompt"], f"models.{name} has source {model['source']}", model)


def _check_published(settings: Mapping[str, Any]) -> Iterator[str]:
    published, name = settings["publish"], settings["run"]
    if published is None or name not in settings["runs"]:
        return
    run = settings["runs"][name]
    if published == "base":
        yield f'publish is "base", which has no adapter. Stages of "{name}": {", ".join(run["stages"])}.'
    elif published.partition("@")[0] in ablation.ablation_stages(run):
        own = [stage for stage in run["stages"] if stage not in ablation.ablation_stages(run)]
        yield (
            f'publish is "{published}", a stage of the ablation, whose report compares arms and no checkpoints. '
            f'Stages of "{name}" besides: {", ".join(own) or "none"}.'
        )
    else:
        yield from _check_start(name, run, "publish", published)


def _check_compared(settings: Mapping[str, Any]) -> Iterator[str]:
    """The names alone; whether the runs can be compared is asked when they are (sqlrl/config/comparison.py)."""
    compared = settings["compare"]
    for name in dict.fromkeys(compared):
        yield from unknown_name("compare", name, settings["runs"], "runs")
        if compared.count(name) > 1:
            yield f'compare names the run "{name}" {compared.count(name)} times; name each once.'
    if len(compared) == 1:
        yield f'compare names "{compared[0]}" alone; name the runs to compare it with, or none.'


def _check_stage(
    run_name: str, run: Mapping[str, Any], stage: str, values: Mapping[str, Any]
) -> Iterator[str]:
    place = f"runs.{run_name}.stages.{stage}"
    starts = _starts(values)
    faults = [
        fault
        for key, start in starts.items()
        for fault in _check_start(run_name, run, f"{place}.{key}", start)
    ]
    yield from faults
    for key, start in starts.items():
        if not faults and _leads_to(run, start, stage):
            yield f'{place}.{key} is "{start}", which starts from {stage} itself. A chain of stages begins at base.'
    late = [step for step in values["checkpoints"] if step > values["steps"]]
    if late:
        yield f"{place}.checkpoints has {late[0]}, but the stage ends at step {values['steps']}."


def _starts(values: Mapping[str, Any]) -> dict[str, str]:
    """What a stage needs first, by the key that says so."""
    measured_on = str(values.get("band", {}).get("measured_on", "start"))
    starts = {"from": str(values["from"])}
    return starts if measured_on == "start" else {**starts, "band.measured_on": measured_on}


def _check_start(run_name: str, run: Mapping[str, Any], place: str, start: str) -> Iterator[str]:
    parent, _, step = start.partition("@")
    if parent == "base":
        return
    if parent not in run["stages"]:
        stages = ", ".join(run["stages"])
        yield (
            f'{place} is "{start}", but this run has no stage of that name.\n'
            f'Stages of "{run_name}": {stages}.{nearest(parent, run["stages"])}'
        )
    elif step and int(step) not in run["stages"][parent]["checkpoints"]:
        asked = ", ".join(map(str, run["stages"][parent]["checkpoints"])) or "none"
        yield f'{place} is "{start}", but {parent} keeps no checkpoint at step {step} (checkpoints: {asked}).'


def _leads_to(run: Mapping[str, Any], start: str, stage: str) -> bool:
    """Whether a checkpoint is of a stage or needs it first, directly or not."""
    seen, waiting = set(), [start.partition("@")[0]]
    while waiting:
        current = waiting.pop()
        if current == stage:
            return True
        if current in run["stages"] and current not in seen:
            seen.add(current)
            waiting += [one.partition("@")[0] for one in _starts(run["stages"][current]).values()]
    return False
