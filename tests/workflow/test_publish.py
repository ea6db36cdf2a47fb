"""publish_adapter in the workflow: what it builds, what makes it stale, and what it refuses."""

import json

import datasets
import pytest
from peft import PeftModel
from transformers import AutoModelForCausalLM

pytestmark = pytest.mark.slow

PUBLISH = {"write_publication"}


def test_the_last_stage_is_published_and_loads(built, tmp_path):
    folder = built.folder / "results/micro/published/grpo"
    report = json.loads((built.folder / "results/micro/delta_report.json").read_text())
    card = (folder / "README.md").read_text()
    assert report["headline"]["sentence"] in card
    assert str(built.folder) not in card
    assert "`micro-model`: it is on no Hub" in card
    for name, split in (("train", "train"), ("holdout_rollouts", "holdout")):
        assert len(datasets.load_dataset(str(folder), name, cache_dir=str(tmp_path))[split])
    base = AutoModelForCausalLM.from_pretrained(built.folder / "results/models/micro")
    PeftModel.from_pretrained(base, folder)


def test_nothing_is_stale_after_publishing(built):
    assert built.stale("publish_adapter") == {}


def test_a_changed_card_makes_only_the_publication_stale(copy):
    path = copy.folder / "sqlrl/publish/card.md.j2"
    path.write_text(path.read_text() + "\nMore.\n")
    assert set(copy.stale("publish_adapter")) == PUBLISH
    assert copy.stale() == {}


def test_a_licence_makes_only_the_publication_stale(copy):
    copy.configure(lambda c: c["models"]["micro"].update(licence="Apache-2.0"))
    assert set(copy.stale("publish_adapter")) == PUBLISH


def test_a_new_report_is_published_again(copy):
    copy.configure(lambda c: c.setdefault("report", {}).update(resamples=1000))
    assert set(copy.stale("publish_adapter")) == {"write_delta_report", *PUBLISH}


def test_another_stage_is_published_without_another_report(copy):
    assert copy.stale("publish_adapter", "--config", "publish=sft") == {"write_publication": 1}


def test_a_step_is_scored_on_the_holdout_before_it_is_published(copy):
    copy.snakemake("publish_adapter", "--config", "publish=grpo@2")
    report = json.loads((copy.folder / "results/micro/delta_report.json").read_text())
    assert [one["checkpoint"] for one in report["checkpoints"]] == ["base", "sft", "grpo@2", "grpo"]
    card = (copy.folder / "results/micro/published/grpo@2/README.md").read_text()
    assert "grpo@2 against base" in card


def test_an_unknown_stage_is_named_with_the_nearest_one(built):
    done = built.snakemake("-n", "publish_adapter", "--config", "publish=grppo", check=False)
    assert done.returncode != 0
    assert 'publish is "grppo", but this run has no stage of that name' in done.stdout
    assert 'Did you mean "grpo"?' in done.stdout
