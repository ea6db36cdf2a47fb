"""The clinic as a schema to train on, and the shop as one that the run never saw."""

import json

import pytest

pytestmark = pytest.mark.slow


def test_a_run_on_the_clinic_is_scored_on_the_shop_too(copy):
    def turn(config):
        config["databases"]["clinic"] = {"twin_seeds": [2], "witness_seeds": [11]}
        run = config["runs"]["micro"]
        run["databases"], run["evaluate_on"] = ["clinic"], ["shop", "clinic"]
        run["scoring"]["passes"] = 1
        run["stages"]["sft"].update(steps=20, checkpoints=[])
        del run["stages"]["grpo"]

    copy.configure(turn)
    copy.snakemake("--cores", "2")
    document = json.loads((copy.folder / "results/micro/delta_report.json").read_text())
    (unseen,) = document["unseen_schemas"]
    assert list(document["asked"]["kinds"]["database"]) == ["clinic"]
    assert unseen["database"] == "shop"
    assert {one["checkpoint"] for one in unseen["checkpoints"]} == {"base", "sft"}
    assert list(unseen["comparisons"]) == list(document["comparisons"])
    assert copy.stale() == {}
