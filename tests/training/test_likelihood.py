import pytest
import torch
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM

from sqlrl.training import shared_prefix, tree
from sqlrl.training.exchange import Exchange
from sqlrl.training.likelihood import Likelihood, plain_logprobs, why_not_shared
from tests.tiny_models import make_model

PREFIX = tuple(range(5, 45))


def open_model(kind, folder, dtype=torch.float32, dropout=0.0):
    """A tiny model with an adapter that has an effect."""
    base = AutoModelForCausalLM.from_pretrained(make_model(kind, folder), dtype=dtype)
    torch.manual_seed(3)
    model = get_peft_model(
        base, LoraConfig(r=4, lora_alpha=8, lora_dropout=dropout, target_modules="all-linear")
    )
    for name, weight in model.named_parameters():
        if "lora_B" in name:
            weight.data.normal_(0, 0.1)
    return model


def exchanges():
    """Two questions with three replies each, one with a single reply, replies of one token included."""
    generator = torch.Generator().manual_seed(0)

    def draw(count):
        return tuple(torch.randint(5, 600, (count,), generator=generator).tolist())

    first, second, third = draw(9), draw(4), draw(1)
    pairs = [(first, 7), (first, 1), (first, 12), (second, 5), (second, 3), (second, 1), (third, 6)]
    return [Exchange(PREFIX + question, draw(length), len(PREFIX)) for question, length in pairs]


def weigh(logprobs):
    """A loss in which every token counts differently, as advantages make it."""
    return (logprobs * torch.linspace(-1, 2, len(logprobs))).sum()


def gradients(model, loss, finish=lambda: None):
    model.zero_grad()
    loss.backward()
    finish()
    return {n: w.grad.clone() for n, w in model.named_parameters() if w.grad is not None}


def check_equal(model, parts, temperature=1.0):
    """Shared and plain agree in values and gradients, however the step is cut into micro-batches."""
    whole = [one for part in parts for one in part]
    plain = plain_logprobs(model, whole, temperature)
    expected = gradients(model, weigh(plain))
    likelihood = Likelihood(model, exchanges()[:4])
    assert likelihood.reason is None
    found = []
    model.zero_grad()
    weights = torch.linspace(-1, 2, len(plain)).split([sum(len(x.reply) for x in part) for part in parts])
    for part, weight in zip(parts, weights, strict=True):
        logprobs = likelihood.logprobs(part, temperature)
        (logprobs * weight).sum().backward()
        found.append(logprobs.detach())
    likelihood.finish()
    torch.testing.assert_close(torch.cat(found), plain.detach(), atol=2e-5, rtol=1e-5)
    own = {n: w.grad for n, w in model.named_parameters() if w.grad is not None}
    assert own.keys() == expected.keys()
    for name, gradient in expected.items():
        torch.testing.assert_close(
            own[name], gradient, atol=2e-5, rtol=1e-4, msg=lambda m, n=name: f"{n}: {m}"
        )


@pytest.mark.parametrize("kind", ["llama", "qwen2", "qwen3"])
def test_a_shared_prefix_changes_neither_log_probabilities_nor_gradients(kind, tmp_path):
    model = open_model(kind, tmp_path)
    given = exchanges()
    check_equal(model, [given])
    check_equal(model, [given[:2], given[2:5], given[5:]], temperature=0.7)


def test_replies_cut_into_blocks_still_see_their_question(tmp_path, monkeypatch):
    monkeypatch.setattr(tree, "BLOCK_TOKENS", 8)
    check_equal(open_model("llama", tmp_path), [exchanges()])


def test_prompts_without_a_common_prefix_and_with_several_are_computed_right(tmp_path):
    given = exchanges()
    mixed = [
        Exchange(one.prompt, one.reply, length)
        for one, length in zip(given, [0, 0, 0, 40, 40, 40, 7], strict=True)
    ]
    check_equal(open_model("qwen3", tmp_path), [mixed[:4], mixed[4:]])


def test_linear_attention_is_computed_plainly_and_says_so(tmp_path, caplog):
    model = open_model("qwen3.5", tmp_path)
    with caplog.at_level("INFO"):
        likelihood = Likelihood(model, exchanges()[:4])
    assert "linear_attention" in caplog.text
    given = exchanges()
    torch.testing.assert_close(likelihood.logprobs(given), plain_logprobs(model, given))


def test_an_attention_that_gives_other_values_is_found_out(tmp_path, monkeypatch):
    model = open_model("llama", tmp_path)
    base = model.get_base_model()
    real = shared_prefix.attend
    monkeypatch.setattr(shared_prefix, "attend", lambda q, k, v, bias, scale: real(q, k, v, bias, scale * 4))
    assert "other log-probabilities" in why_not_shared(model, exchanges()[:4])
    assert base.config._attn_implementation == "sdpa"


def test_dropout_does_not_look_like_another_attention(tmp_path):
    model = open_model("llama", tmp_path, dropout=0.5).train()
    assert Likelihood(model, exchanges()).reason is None
    assert model.training


def test_bfloat16_stays_near_float32(tmp_path):
    exact = plain_logprobs(open_model("llama", tmp_path / "a"), exchanges()).detach()
    model = open_model("llama", tmp_path / "a", torch.bfloat16)
    likelihood = Likelihood(model, exchanges()[:4])
    assert likelihood.reason is None
    found = likelihood.logprobs(exchanges()).detach()
    assert (found - exact).abs().mean() < 0.05
