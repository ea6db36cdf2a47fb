"""config.yaml checked against its schema, with the defaults filled in and every error named."""

import copy
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from sqlrl.config import ablation, extends
from sqlrl.config.checks import cross_check
from sqlrl.config.names import nearest
from sqlrl.errors import UserError

SCHEMA_FILE = "config.schema.yaml"
# Of a connection string that stands in a wrong place.
PASSWORD = re.compile(r"(?<=://)[^\s\"']*@")
# What may hold a secret by mistake: a fault in it is told without the value.
UNQUOTED = {
    "key_variable": "must be the name of an environment variable, such as OPENAI_API_KEY; the key stands in no file",
    "url_variable": "must be the name of an environment variable, such as FILMS_URL; the URL stands in no file",
    "base_url": "must be http:// or https:// and a host, without a user, a password or a query",
}


def load_settings(root: Path, config: Mapping[str, Any], source: str) -> dict[str, Any]:
    """A checked copy of a configuration, every default of the schema filled in, ablations written out as stages.

    Args:
        root: the project's folder, which has the schema.
        config: parsed YAML.
        source: the configuration's file name, for error messages.

    Raises:
        UserError: names each key, its value, what is allowed and the nearest right word.
    """
    return resolve(root, config, source)[0]


def resolve(
    root: Path, config: Mapping[str, Any], source: str
) -> tuple[dict[str, Any], Mapping[extends.Place, str]]:
    """As load_settings, and the place of each value that a block of ``defaults`` gave to the block's name."""
    validator = _validator(read_schema(root))
    written = extends.write_out(config)
    settings = copy.deepcopy(written.config)
    faults = written.faults or [_explain(error, written.origins) for error in validator.iter_errors(settings)]
    if not faults:
        del settings[extends.DEFAULTS]
        found = list(_write_out_ablations(settings, written, validator)) or [
            *cross_check(settings),
            *written.unused,
        ]
        faults = [ablation.in_words_of_arms(fault, settings["runs"]) for fault in found]
    if faults:
        told = (PASSWORD.sub("***@", fault) for fault in dict.fromkeys(faults))
        raise UserError("\n".join(f"{source}: {fault}" for fault in told))
    return settings, written.origins


def read_schema(root: Path) -> dict[str, Any]:
    """config.schema.yaml."""
    schema: dict[str, Any] = yaml.safe_load((root / SCHEMA_FILE).read_text(encoding="utf-8"))
    return schema


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


def _explain(error: Any, origins: Mapping[extends.Place, str]) -> str:
    """One jsonschema error in a user's words."""
    path = tuple(map(str, error.absolute_path))
    place = (".".join(path) or "the file") + _of_block(path, origins)
    value = error.instance
    if error.validator == "pattern" and error.absolute_path[-1] in UNQUOTED:
        return f"{place} {UNQUOTED[error.absolute_path[-1]]}."
    if error.validator == "additionalProperties":
        allowed = sorted(error.schema.get("properties", {}))
        unknown = sorted(set(value) - set(allowed))
        hint = nearest(unknown[0], allowed)
        place = (".".join(path) or "the file") + _of_block((*path, unknown[0]), origins)
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


def _of_block(path: extends.Place, origins: Mapping[extends.Place, str]) -> str:
    """The block that gave a value, or a value around it or in it."""
    given = next((name for place, name in origins.items() if path[: len(place)] == place), None)
    return f" (of {given})" if given else ""


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


def _write_out_ablations(
    settings: dict[str, Any], written: extends.WrittenOut, validator: Any
) -> Iterator[str]:
    """Add the stages that ablations stand for to their runs, and check them as all others are."""
    config = written.config
    runs = {name: run for name, run in settings["runs"].items() if run["ablation"]}
    faults = [
        fault for name, run in runs.items() for fault in ablation.name_faults(name, run, config["runs"][name])
    ]
    if runs and not faults:
        for run in runs.values():
            run["stages"] |= ablation.ablation_stages(run)
        faults = [_explain(error, written.origins) for error in validator.iter_errors(settings)]
        settings.pop(extends.DEFAULTS)  # the validator filled it in again
    if not faults:
        faults = [fault for name, run in runs.items() for fault in ablation.arm_faults(name, run)]
    yield from faults
