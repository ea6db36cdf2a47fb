"""The published folder: loadable by datasets and by PEFT, and complete."""

import json
import re
import shutil
from dataclasses import replace

import datasets
import pytest
import torch
from peft import PeftModel
from transformers import AutoModelForCausalLM

from sqlrl.models.prompts import PromptSettings
from sqlrl.publish.card import Loading
from sqlrl.publish.folder import FILES, write_folder
from tests.publish.publishable import PROMPT


def load(folder, name, cache):
    return datasets.load_dataset(str(folder), name, cache_dir=str(cache))


def test_it_holds_the_named_files_and_nothing_else(published):
    found = {path.relative_to(published).as_posix() for path in published.rglob("*") if path.is_file()}
    assert found == set(FILES)


@pytest.mark.parametrize("name", ["grpo", "grpo@12"])
def test_the_training_set_loads(published, tmp_path, name):
    folder = shutil.copytree(published, tmp_path / name)
    found = load(folder, "train", tmp_path / "cache")["train"]
    assert len(found) == 20
    assert set(found.column_names) == {
        "id", "database", "question", "reference_sql", "archetype", "difficulty", "style", "template",
        "features", "tables",
    }  # fmt: skip
    assert found[0]["reference_sql"].startswith("SELECT")
    assert "orders" in found[0]["tables"]


def test_the_rollouts_load_and_give_the_reports_pass_at_1(published, sources, tmp_path):
    found = load(published, "holdout_rollouts", tmp_path / "cache")["holdout"]
    rates = sources.document["checkpoints"][-1]["all"]
    assert len(found) == sources.document["asked"]["samples_per_checkpoint"]
    right = [reply["verdict"] == "match" for reply in found]
    assert sum(right) / len(right) == pytest.approx(rates["pass@1_main"]["value"], abs=1e-6)
    everywhere = sum(found["right_everywhere"]) / len(found)
    assert everywhere == pytest.approx(rates["pass@1_everywhere"]["value"], abs=1e-6)
    assert {reply["scoring_pass"] for reply in found} == {1, 2}
    assert {reply["sample"] for reply in found} == {0, 1, 2, 3}


def test_no_holdout_reference_and_no_row_of_a_database_is_published(published, run):
    text = "".join((published / name).read_text() for name in FILES if "data/" in name)
    assert "Ada Lindgren" not in text
    replies = [
        json.loads(line) for line in (published / "data/holdout_rollouts.jsonl").read_text().splitlines()
    ]
    assert all("reference_sql" not in reply for reply in replies)


def test_the_adapter_loads_with_peft_and_answers_as_before(published, run):
    ids = torch.arange(1, 17).unsqueeze(0)

    def logits(folder):
        base = AutoModelForCausalLM.from_pretrained(run.model)
        return PeftModel.from_pretrained(base, folder).eval()(input_ids=ids).logits

    assert torch.equal(logits(published), logits(run.folder / "run/grpo/adapter"))


def test_the_lines_of_the_card_load_it_and_write_the_prompt(published, run):
    lines = re.findall(r"```python\n(.*?)\n```", (published / "README.md").read_text(), re.DOTALL)
    names = {"SYSTEM": "You write SQL.", "question": "How many orders?"}
    code = "\n".join(lines[:2])
    exec(
        code.replace('"tiny-model"', repr(str(run.model))).replace('"OWNER/NAME"', repr(str(published))),
        names,
    )
    assert type(names["model"]).__name__ == "PeftModelForCausalLM"
    assert "How many orders?" in names["tokenizer"].decode(names["tokens"]["input_ids"][0])


def test_a_base_on_the_hub_is_named_so_that_peft_fetches_it(sources, schemas, run, tmp_path):
    origin = {"id": "somebody/tiny", "revision": "main", "commit": "c" * 40}
    hub = replace(sources, model=replace(sources.model, source="hub", origin=origin))
    adapter = run.folder / "run/grpo/adapter"
    write_folder(hub, adapter, schemas, PromptSettings(**PROMPT), None, tmp_path, Loading())
    config = json.loads((tmp_path / "adapter_config.json").read_text())
    assert config["base_model_name_or_path"] == "somebody/tiny"
    assert config["revision"] == "c" * 40
    assert config["r"] == json.loads((adapter / "adapter_config.json").read_text())["r"]


def test_two_writings_are_the_same_bytes(sources, schemas, run, tmp_path):
    for name in ("one", "two"):
        adapter = run.folder / "run/grpo/adapter"
        write_folder(sources, adapter, schemas, PromptSettings(**PROMPT), "MIT", tmp_path / name, Loading())
    assert [(tmp_path / "one" / name).read_bytes() for name in FILES] == [
        (tmp_path / "two" / name).read_bytes() for name in FILES
    ]
