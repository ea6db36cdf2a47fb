"""The documented schema of delta_report.json and base_benchmark.json against documents that the library makes."""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from sqlrl.records import from_dict
from sqlrl.report.benchmark import build_benchmark
from sqlrl.report.costs import summarise
from sqlrl.report.settings import ReportSettings
from tests.report.synthetic import SyntheticAblation, SyntheticRun, SyntheticSeeds
from tests.report.test_document import document_of
from tests.report.test_evidence import read

ROOT = Path(__file__).parents[2]
SCHEMAS = {
    name: json.loads((ROOT / f"report/{name}.schema.json").read_text())
    for name in ("delta_report", "base_benchmark")
}
REGISTRY = Registry().with_resources((one["$id"], Resource.from_contents(one)) for one in SCHEMAS.values())


def faults(name: str, document: dict) -> list[str]:
    as_written = json.loads(json.dumps(document))
    found = Draft202012Validator(SCHEMAS[name], registry=REGISTRY).iter_errors(as_written)
    return [f"{list(one.absolute_path)}: {one.message[:200]}" for one in found]


@pytest.mark.parametrize("kind", [SyntheticRun, SyntheticSeeds, SyntheticAblation])
def test_documents_of_every_kind_of_run_follow_it(tmp_path, kind):
    document = document_of(kind(tmp_path, tasks=24, templates=12).write())
    assert faults("delta_report", document) == []
    assert set(document) == set(SCHEMAS["delta_report"]["properties"])


@pytest.mark.parametrize("rates", [{"base": (0.3, 6.0)}, {"base": (1e-6, 50.0), "sft": (1e-6, 50.0)}])
def test_the_base_alone_and_a_run_that_never_passes_follow_it(tmp_path, rates):
    run = SyntheticRun(tmp_path, rates=rates, tasks=12, templates=6, passes=1).write()
    assert faults("delta_report", document_of(run)) == []


def test_a_base_benchmark_follows_its_own(small_run):
    settings = from_dict(ReportSettings, small_run.settings(), "settings")
    document = build_benchmark(read(small_run), settings, group_sizes=[8]) | {"costs": summarise([], [])}
    assert faults("base_benchmark", document) == []
    assert set(document) == set(SCHEMAS["base_benchmark"]["properties"])


@pytest.mark.parametrize(
    "place",
    [
        [],
        ["headline"],
        ["checkpoints", 0, "all", "pass@1"],
        ["comparisons", "grpo-vs-base"],
        ["fixed"],
        ["learned"],
    ],
)
def test_a_key_that_nobody_described_and_a_missing_one_are_faults(whole_run, place):
    document = copy.deepcopy(document_of(whole_run))
    block: Any = document
    for key in place:
        block = block[key]
    block["surprise"] = 1
    assert faults("delta_report", document)
    del block["surprise"]
    assert faults("delta_report", document) == []
    block.pop(next(iter(block)))
    assert faults("delta_report", document)


def blocks(value: Any) -> Iterator[dict[str, Any]]:
    """All objects within a schema."""
    if isinstance(value, dict):
        yield value
        for item in value.values():
            yield from blocks(item)
    elif isinstance(value, list):
        for item in value:
            yield from blocks(item)


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_key_is_described_and_every_object_with_fixed_keys_is_closed(name):
    Draft202012Validator.check_schema(SCHEMAS[name])
    shared = ("rate_open", "forecast_parts")  # parts of others, which close them
    definitions = SCHEMAS[name].get("$defs", {})
    for block in blocks(SCHEMAS[name]):
        if isinstance(block.get("properties"), dict) and "type" not in block["properties"].get("type", {}):
            assert all(one.get("description") for one in block["properties"].values()), list(
                block["properties"]
            )
            closed = False in (block.get("additionalProperties"), block.get("unevaluatedProperties"))
            assert closed or any(block is definitions.get(one) for one in shared)


def test_the_documentation_points_to_it():
    text = (ROOT / "docs/results.md").read_text()
    assert all(f"../report/{name}.schema.json" in text for name in SCHEMAS)
