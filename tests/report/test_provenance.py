"""A report is refused where its files and the configuration disagree."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from sqlrl.database.files import by_database
from sqlrl.errors import UserError
from sqlrl.records import from_dict
from sqlrl.report.provenance import check, describe, read_origins
from sqlrl.report.settings import Claims
from tests.report.small import make_evidence, make_tasks
from tests.report.synthetic import dump_digest

SAMPLES = [{"a": "RWWW"}] * 2


@pytest.fixture
def origins(small_run):
    folder = small_run.folder
    adapters = [folder / f"run/{stage}/adapter/adapter.json" for stage in small_run.parents()]
    dumps = by_database([folder / "databases/shop/main.sql"])
    return read_origins(folder / "models/tiny/model.json", adapters, dumps, [], [])


@pytest.fixture
def claims(small_run) -> Claims:
    return from_dict(Claims, small_run.claims(), "claims")


def evidence_of(digest: str = dump_digest(), **passes):
    scored = {"base": SAMPLES, "sft": SAMPLES, "grpo": SAMPLES} | passes
    return make_evidence(make_tasks("a", database_digest=digest), scored, sft="base", grpo="sft")


def test_results_of_this_configuration_are_accepted(origins, claims):
    check(origins, evidence_of(), claims)


def test_another_model_is_refused(origins, claims):
    with pytest.raises(UserError, match=r"names the model 'large', model.json 'tiny'"):
        check(origins, evidence_of(), replace(claims, model="large"))
    model = replace(origins.model, digest="other")
    with pytest.raises(UserError, match="sft: its adapter is of another base model"):
        check(replace(origins, model=model), evidence_of(), claims)


def test_other_stage_settings_are_refused(origins, claims):
    stages = claims.stages | {"grpo": {"from": "sft", "settings": "0" * 64}}
    with pytest.raises(UserError, match="grpo: its adapter was trained with other settings"):
        check(origins, evidence_of(), replace(claims, stages=stages))


@pytest.mark.parametrize(("stage", "start"), [("grpo", "base"), ("sft", "grpo"), ("sft", "grpo@12")])
def test_another_start_of_a_stage_is_refused(origins, claims, stage, start):
    stages = claims.stages | {stage: claims.stages[stage] | {"from": start}}
    with pytest.raises(UserError, match=f"{stage}: config.yaml starts it from {start}"):
        check(origins, evidence_of(), replace(claims, stages=stages))


def test_a_parent_that_was_trained_again_is_refused(origins, claims):
    adapters = {**origins.adapters, "sft": replace(origins.adapters["sft"], weights="1" * 64)}
    with pytest.raises(UserError, match=r"grpo: config.yaml starts it from sft"):
        check(replace(origins, adapters=adapters), evidence_of(), claims)


def test_a_reward_of_another_verifier_and_data_of_another_build_are_refused(origins, claims):
    with pytest.raises(UserError, match="sft: its reward came from other verifier settings"):
        check(origins, evidence_of(), replace(claims, verifier=replace(claims.verifier, wrong_reward=0.0)))
    sft = replace(origins.adapters["sft"], inputs={"shop/main.sql": "0" * 64})
    with pytest.raises(UserError, match=r"sft: its adapter was trained on another shop/main.sql"):
        check(replace(origins, adapters={**origins.adapters, "sft": sft}), evidence_of(), claims)


def test_a_stage_without_adapter_or_scores_and_scores_without_stage_are_refused(origins, claims):
    adapters = {"sft": origins.adapters["sft"]}
    with pytest.raises(UserError, match=r"no adapter.json of the stage grpo"):
        check(replace(origins, adapters=adapters), evidence_of(), claims)
    with pytest.raises(UserError, match="scores of old, but config"):
        check(origins, evidence_of(old=SAMPLES), claims)
    evidence = make_evidence(make_tasks("a"), {"base": SAMPLES, "sft": SAMPLES}, sft="base")
    with pytest.raises(UserError, match="no scores of the stage grpo"):
        check(origins, evidence, claims)


def test_other_scoring_is_refused(origins, claims):
    with pytest.raises(UserError, match="k = 8 in 2 scoring passes; the scores given have k = 4 in 2"):
        check(origins, evidence_of(), replace(claims, scoring={"k": 8, "passes": 2}))


def test_tasks_of_another_dump_are_refused(origins, claims):
    with pytest.raises(UserError, match="was written on shop/main with the digest 000"):
        check(origins, evidence_of("0" * 64), claims)


def test_provenance_holds_no_path_of_this_machine(origins, claims, small_run):
    described = json.dumps(describe(origins, claims, "make"))
    assert str(small_run.folder) not in described
    assert json.loads(described)["files"] == {"databases/shop/main.sql": dump_digest()}


def test_a_manifest_that_is_none_is_named(small_run):
    path = Path(small_run.folder / "run/sft/adapter/adapter.json")
    path.write_text("[]")
    with pytest.raises(UserError, match=r"adapter.json: expected an object"):
        read_origins(small_run.folder / "models/tiny/model.json", [path], {}, [], [])
