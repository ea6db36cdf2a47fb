"""Where classes disagree on names, the adapter lies there for each, with the same effect in its loader."""

import json

import pytest
import torch
from peft import PeftModel
from safetensors.torch import load_file
from transformers import AutoModelForCausalLM

from sqlrl.errors import UserError
from sqlrl.models.architecture import class_name, linear_names
from sqlrl.publish.forms import write_causal_form
from sqlrl.sampling.adapter import CONFIG, WEIGHTS
from sqlrl.sampling.lint import find_faults
from sqlrl.training.probe import Probe, see
from tests.tiny_models import make_adapter, make_model

PROBES = [Probe(1, see(str(n), range(5, 25 + n), 3, range(30 + n, 60 + n)), (-1.0,) * 30) for n in range(6)]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("forms")
    model = make_model("qwen3.5-whole", folder / "model")
    adapter = make_adapter(model, folder / "adapter")
    slope = write_causal_form(model, adapter, PROBES, folder / "causal-lm")
    return model, adapter, folder / "causal-lm", slope


def test_the_form_has_the_same_effect_in_its_loader(whole):
    assert whole[3].value == pytest.approx(1.0, abs=0.01)


def test_each_form_fits_its_loader_and_no_other(whole):
    model, adapter, form, _ = whole
    own, causal = linear_names(model), linear_names(model, causal=True)
    assert (find_faults(adapter, own), find_faults(form, causal)) == ([], [])
    assert "wrong prefix" in find_faults(adapter, causal)[0]
    assert "wrong prefix" in find_faults(form, own)[0]
    assert class_name(model) == "Qwen3_5ForConditionalGeneration"


def test_peft_loads_the_form_whole(whole):
    model, _, form, _ = whole
    base = AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32)
    loaded = PeftModel.from_pretrained(base, form).state_dict()
    for name, value in load_file(form / WEIGHTS).items():
        assert torch.equal(loaded[name.replace(".weight", ".default.weight")], value)
    assert json.loads((form / CONFIG).read_text())["peft_type"] == "LORA"


def test_a_model_whose_classes_agree_needs_no_second_form(tmp_path):
    model = make_model("llama", tmp_path / "model")
    adapter = make_adapter(model, tmp_path / "adapter")
    with pytest.raises(UserError, match=r"it needs no second form. Leave models.<name>.causal_form out"):
        write_causal_form(model, adapter, PROBES, tmp_path / "form")
    assert class_name(model) == "AutoModelForCausalLM"
