"""config.yaml checked against its schema, with the defaults filled in and every error named."""

import copy
import difflib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from sqlrl.errors import UserError

SCHEMA_FILE = "config.schema.yaml"
# Sources of models that answer behind an API; each is also the name of the sampler that asks them.
SERVED = ("openai", "anthropic")
# What may hold a secret by mistake: a fault in it is told without the value.
UNQUOTED = {
    "key_variable": "must be the name of an environment variable, such as OPENAI_API_KEY; the key stands in no file",
    "base_url": "must be http:// or https:// and a host, without a user, a password or a query",
}


def load_settings(root: Path, config: Mapping[str, Any], source: str) -> dict[str, Any]:
    """A checked copy of a configuration, every default of the schema filled in.

    Args:
        root: the project's folder, which has the schema.
        config: parsed YAML.
        source: the configuration's file name, for error messages.

    Raises:
        UserError: names each key, its value, what is allowed and the nearest right word.
    """
    schema = yaml.safe_load((root / SCHEMA_FILE).read_text(encoding="utf-8"))
    settings = copy.deepcopy(dict(config))
    faults = [_explain(error) for error in _validator(schema).iter_errors(settings)]
    faults = faults or list(_cross_check(settings))
    if faults:
        raise UserError("\n".join(f"{source}: {fault}" for fault in dict.fromkeys(faults)))
    return settings


def nearest(word: str, words: Iterable[str]) -> str:
    """A sentence that suggests the most similar word, or nothing."""
    matches = difflib.get_close_matches(str(word), list(words), n=1, cutoff=0.5)
    return f' Did you mean "{matches[0]}"?' if matches else ""


def _validator(schema: Mapping[str, Any]) -> Any:
    """A draft 2020-12 validator that also writes defaults into what it checks."""
    base = jsonschema.Draft202012Validator
    check_properties = base.VALIDATORS["properties"]

    def fill_defaults(
        validator: Any, properties: Mapping[str, Any], instance: Any, part: Any
    ) -> Iterator[Any]:
        if isinstance(instance, dict):
            for name, rule in properties.items():
                if "default" in rule:
                    instance.setdefault(name, copy.deepcopy(rule["default"]))
        yield from check_properties(validator, properties, instance, part)

    extend: Any = jsonschema.validators.extend
    return extend(base, {"properties": fill_defaults})(schema)


def _explain(error: Any) -> str:
    """One jsonschema error in a user's words."""
    place = ".".join(map(str, error.absolute_path)) or "the file"
    value = error.instance
    if error.validator == "pattern" and error.absolute_path[-1] in UNQUOTED:
        return f"{place} {UNQUOTED[error.absolute_path[-1]]}."
    if error.validator == "additionalProperties":
        allowed = sorted(error.schema.get("properties", {}))
        unknown = sorted(set(value) - set(allowed))
        hint = nearest(unknown[0], allowed)
        return f'{place} has an unknown key "{unknown[0]}". Allowed: {", ".join(allowed)}.{hint}'
    if error.validator == "required":
        missing = [name for name in error.validator_value if name not in value]
        return f'{place} needs the key "{missing[0]}".'
    if error.validator == "enum":
        allowed = [str(one) for one in error.validator_value]
        return f'{place} is "{value}". Allowed: {", ".join(allowed)}.{nearest(str(value), allowed)}'
    if error.validator == "type":
        return f"{place} is {value!r}; expected {error.validator_value}.{_number_hint(value)}"
    if error.validator == "propertyNames" or (
        error.parent is not None and error.parent.validator == "propertyNames"
    ):
        return f'{place} has the name "{value}": {error.message}.'
    return f"{place} is {value!r}: {error.message}."


def _number_hint(value: Any) -> str:
    try:
        float(value)
    except (TypeError, ValueError):
        return ""
    return (
        f' YAML reads "{value}" as text: write it with a point, such as 1.0e-5.'
        if isinstance(value, str)
        else ""
    )


def _cross_check(settings: Mapping[str, Any]) -> Iterator[str]:
    """What a schema cannot say: names that must exist elsewhere in the configuration."""
    yield from _unknown_name("run", settings["run"], settings["runs"], "runs")
    yield from _check_published(settings)
    kinds: dict[str, tuple[str, str]] = {}
    for name, run in settings["runs"].items():
        yield from _unknown_name(f"runs.{name}.model", run["model"], settings["models"], "models")
        for database in run["databases"]:
            yield from _unknown_name(f"runs.{name}.databases", database, settings["databases"], "databases")
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


def _unknown_name(place: str, name: str, known: Mapping[str, Any], what: str) -> Iterator[str]:
    if name not in known:
        yield f'{place} is "{name}", which {what} does not have. {what}: {", ".join(known)}.{nearest(name, known)}'


def _check_sampler(run_name: str, run: Mapping[str, Any], model: Mapping[str, Any]) -> Iterator[str]:
    """A model behind an API is asked by the sampler of its name, and cannot be trained."""
    place, named = f"runs.{run_name}", f"models.{run['model']} has source {model['source']}"
    sampler, served = run["sampler"], model["source"] in SERVED
    if served and sampler != model["source"]:
        yield f'{place}.sampler is "{sampler}", but {named}: set sampler: {model["source"]}.'
    elif sampler in SERVED and not served:
        yield f'{place}.sampler is "{sampler}", but {named}: its weights are here, set sampler: transformers.'
    if served and run["stages"]:
        yield (
            f"{place}.stages is set, but {named}: such a model cannot be trained. Leave stages out; "
            f"snakemake base_benchmark --config run={run_name} scores it."
        )
    told = model["source"] == "openai" and model["base_url"] is not None
    if served and run["prompt"]["thinking"] is not None and not told:
        yield (
            f"{place}.prompt.thinking is {str(run['prompt']['thinking']).lower()}, but {named} and no base_url of a "
            "server that renders a chat template: set it to null."
        )


def _check_published(settings: Mapping[str, Any]) -> Iterator[str]:
    published, name = settings["publish"], settings["run"]
    if published is None or name not in settings["runs"]:
        return
    run = settings["runs"][name]
    if published == "base":
        yield f'publish is "base", which has no adapter. Stages of "{name}": {", ".join(run["stages"])}.'
    else:
        yield from _check_start(name, run, "publish", published)


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
