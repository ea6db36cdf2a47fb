"""Every setting there is, as Markdown made from config.schema.yaml: docs/settings.md."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

HEAD = """# Settings

Every key of `config.yaml`, with its default and what is allowed. Made from `config.schema.yaml` by
`python -m scripts.settings --reference > docs/settings.md`; do not edit. `python -m scripts.settings --run NAME` prints
what one run comes to, and where each value is from.
"""
# What is allowed, by the keyword of the schema that says so.
LIMITS = (
    ("minimum", "at least {}"),
    ("exclusiveMinimum", "above {}"),
    ("maximum", "at most {}"),
    ("exclusiveMaximum", "below {}"),
    ("minItems", "{} or more"),
)

Schema = Mapping[str, Any]


def render_reference(schema: Schema) -> str:
    """The page: a table a block, in the order of the schema.

    Args:
        schema: config.schema.yaml, parsed.
    """
    defs = schema["$defs"]
    tables = ["\n".join([HEAD, *_table("config.yaml", schema, defs)])]
    for name, block in defs.items():
        if "properties" in block and any(_described(one, defs) for one in block["properties"].values()):
            tables.append("\n".join(_table(name, block, defs)))
    return "\n\n".join(tables) + "\n"


def _table(name: str, block: Schema, defs: Mapping[str, Schema]) -> Iterator[str]:
    yield f"## {name}"
    yield ""
    if block.get("description"):
        yield f"{_one_line(block['description'])}"
        yield ""
    required = [*block.get("required", ()), *block.get("then", {}).get("required", ())]
    yield "| key | default | allowed | what it is |"
    yield "| --- | --- | --- | --- |"
    for key, rule in block["properties"].items():
        merged = _merged(rule, defs)
        default = "required" if key in required else _value(merged["default"]) if "default" in merged else ""
        yield f"| `{key}` | {default} | {_allowed(rule, defs)} | {_one_line(merged.get('description', ''))} |"


def _merged(rule: Schema, defs: Mapping[str, Schema]) -> dict[str, Any]:
    """A rule with what it refers to; its own words win."""
    reference = rule.get("$ref")
    around = _merged(defs[reference.rpartition("/")[2]], defs) if reference else {}
    return {**around, **{key: value for key, value in rule.items() if key != "$ref"}}


def _allowed(rule: Schema, defs: Mapping[str, Schema]) -> str:
    """What values there may be, in words."""
    merged = _merged(rule, defs)
    if "properties" in merged:
        return _link(rule)
    if "anyOf" in merged:
        return "; or ".join(_allowed(one, defs) for one in merged["anyOf"])
    if "const" in merged:
        return _value(merged["const"])
    if "enum" in merged:
        return ", ".join(map(_value, merged["enum"]))
    if merged.get("items"):
        return f"list of {_allowed(merged['items'], defs)}{_limits(merged)}"
    if isinstance(merged.get("additionalProperties"), Mapping):
        return f"by name: {_allowed(merged['additionalProperties'], defs)}"
    kinds = merged.get("type", "any")
    return " or ".join([kinds] if isinstance(kinds, str) else kinds) + _limits(merged)


def _limits(rule: Schema) -> str:
    found = [words.format(rule[key]) for key, words in LIMITS if key in rule]
    return f", {', '.join(found)}" if found else ""


def _link(rule: Schema) -> str:
    name = rule["$ref"].rpartition("/")[2] if "$ref" in rule else ""
    return f"[{name}](#{name})" if name else "block"


def _described(rule: Schema, defs: Mapping[str, Schema]) -> bool:
    return bool(_merged(rule, defs).get("description"))


def _value(value: Any) -> str:
    return f"`{json.dumps(value, ensure_ascii=False)}`"


def _one_line(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
