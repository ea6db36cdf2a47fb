"""Prompts of one database that show other tables: what they share is computed once, and nothing else is."""

import pytest
import torch
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM

from sqlrl.models.prompts import PromptSettings, PromptWriter
from sqlrl.models.question_prompt import Linking
from sqlrl.sampling.sampler import SamplingSettings
from sqlrl.sampling.transformers import TransformersSampler
from sqlrl.training.exchange import Exchange
from sqlrl.training.likelihood import Likelihood, plain_logprobs
from tests.models.large import write_large
from tests.tiny_models import make_model

QUESTIONS = ("flight line 01", "patients of region 0", "zzz", "invoice header 00")
SETTINGS = SamplingSettings(temperature=1.0, top_p=1.0, max_tokens=6, batch_size=4)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return make_model("qwen3", tmp_path_factory.mktemp("model"))


@pytest.fixture(scope="module")
def prompts(model, tmp_path_factory):
    catalog = write_large(tmp_path_factory.mktemp("databases"), regions=2)
    settings = PromptSettings("compact", "", None, linking=Linking(260))
    writer = PromptWriter(model, settings, [catalog], [catalog.with_name("notes.md")])
    found = [writer.write(str(number), "large", question) for number, question in enumerate(QUESTIONS)]
    assert (
        len({prompt.token_ids for prompt in found})
        == len({writer.shown("large", one) for one in QUESTIONS})
        == 4
    )
    return found


def test_replies_sampled_together_are_those_sampled_alone(model, prompts):
    sampler = TransformersSampler(model, dtype=torch.float32)
    together = sampler.sample(prompts, 2, SETTINGS, None, seed=3)
    alone = [reply for prompt in prompts for reply in sampler.sample([prompt], 2, SETTINGS, None, seed=3)]
    assert [one.token_ids for one in together] == [one.token_ids for one in alone]


def test_training_finds_them_as_likely_as_without_anything_shared(model, prompts):
    policy = get_peft_model(
        AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32),
        LoraConfig(r=4, lora_alpha=8, target_modules="all-linear"),
    )
    given = [
        Exchange(prompt.token_ids, (5 + number, 9, 11), prompt.prefix_length)
        for prompt in prompts
        for number in range(2)
    ]
    likelihood = Likelihood(policy, given[:2])
    assert likelihood.reason is None
    found = likelihood.logprobs(given)
    torch.testing.assert_close(found.detach(), plain_logprobs(policy, given).detach(), atol=2e-5, rtol=1e-5)
