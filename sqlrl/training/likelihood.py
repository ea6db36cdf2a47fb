"""How likely the policy finds replies: with the prompts' prefix shared where the model can, else plainly."""

import logging
from collections.abc import Sequence

import torch
from peft import PeftModel
from torch.nn.utils.rnn import pad_sequence

from sqlrl.training.exchange import Exchange
from sqlrl.training.logprobs import Score, token_logprobs, token_moments
from sqlrl.training.shared_prefix import Prefix, prepare_model, reply_logprobs, run_backbone
from sqlrl.training.tree import gather_branches

PROBE_TOLERANCE = {torch.float32: 1e-3, torch.bfloat16: 0.15}
"""Mean difference of log-probabilities that rounding explains; a wrong attention is off by much more."""

logger = logging.getLogger(__name__)


class Likelihood:
    """Log-probabilities of replies under a policy that changes between optimizer steps.

    With dropout on the adapter, samples that share tokens share the draw for them too.

    Call ``logprobs`` for every micro-batch of a step and ``finish`` after the last one's backward.
    """

    def __init__(
        self, model: PeftModel, probe: Sequence[Exchange], gradient_checkpointing: bool = False
    ) -> None:
        """
        Args:
            model: the policy.
            probe: a few exchanges, to see that both paths agree on this model.
            gradient_checkpointing: whether layers run again in the backward pass.
        """
        self._model = model
        self._prefixes: dict[tuple[int, ...], Prefix] = {}
        self.reason = (
            "gradient_checkpointing runs layers again, which keep what they share"
            if gradient_checkpointing
            else why_not_shared(model, probe)
        )
        if self.reason:
            logger.info("the prompts' common prefix is computed for every sample: %s", self.reason)

    def logprobs(self, sequences: Sequence[Exchange], temperature: float = 1.0) -> torch.Tensor:
        """Log-probabilities of all reply tokens.

        Args:
            sequences: at least one; neighbours with the same prompt share its computation.
            temperature: above 0.

        Returns:
            Shape (reply tokens,), float32, in the order of the sequences.
        """
        return self._score(sequences, temperature, token_logprobs)

    @torch.no_grad()
    def measure(self, sequences: Sequence[Exchange], temperature: float = 1.0) -> torch.Tensor:
        """What is known of all reply tokens, without gradients and without dropout.

        Args:
            sequences, temperature: see logprobs.

        Returns:
            Shape (reply tokens, 3), float32; see token_moments.
        """
        training = self._model.training
        self._model.eval()
        found = self._score(sequences, temperature, token_moments)
        self._model.train(training)
        self.finish()
        return found

    def _score(self, sequences: Sequence[Exchange], temperature: float, score: Score) -> torch.Tensor:
        if self.reason:
            return plain_logprobs(self._model, sequences, temperature, score)
        parts: list[list[Exchange]] = []
        for sequence in sequences:
            if not parts or parts[-1][0].shared != sequence.shared:
                parts.append([])
            parts[-1].append(sequence)
        return torch.cat([self._score_shared(part, temperature, score) for part in parts])

    def finish(self) -> None:
        """Complete the gradients of a step, or only forget the prefixes where there are none."""
        for prefix in self._prefixes.values():
            prefix.backward()
        self._prefixes.clear()

    def _score_shared(self, sequences: Sequence[Exchange], temperature: float, score: Score) -> torch.Tensor:
        prefix = sequences[0].shared
        if prefix not in self._prefixes:
            self._prefixes[prefix] = Prefix(self._model, prefix)
        prompts, replies = [one.prompt for one in sequences], [one.reply for one in sequences]
        branches = gather_branches(prompts, replies, len(prefix))
        return reply_logprobs(self._model, self._prefixes[prefix], branches, temperature, score)


def plain_logprobs(
    model: PeftModel, sequences: Sequence[Exchange], temperature: float = 1.0, score: Score = token_logprobs
) -> torch.Tensor:
    """What Likelihood.logprobs gives, with every sequence computed from its first token on."""
    rows = [torch.tensor(one.prompt + one.reply[:-1], device=model.device) for one in sequences]
    mask = pad_sequence([torch.ones_like(row) for row in rows], batch_first=True)
    states = run_backbone(model, pad_sequence(rows, batch_first=True), None, attention_mask=mask)
    chosen = [
        states[number, len(one.prompt) - 1 : len(one.prompt) + len(one.reply) - 1]
        for number, one in enumerate(sequences)
    ]
    targets = torch.tensor([token for one in sequences for token in one.reply], device=model.device)
    head = model.get_base_model().get_output_embeddings().weight
    return score(torch.cat(chosen), head, targets, temperature)


def why_not_shared(model: PeftModel, probe: Sequence[Exchange]) -> str | None:
    """Let the model share prefixes where it can; else the reason why it can't, in words."""
    base = model.get_base_model()
    config = base.config.get_text_config()
    kinds = set(getattr(config, "layer_types", None) or ()) - {"full_attention"}
    if kinds:
        return f"{config.model_type} has layers of {', '.join(sorted(kinds))}"
    if getattr(config, "sliding_window", None) and getattr(config, "use_sliding_window", True):
        return f"{config.model_type} attends to a sliding window"
    if not getattr(base, "_supports_attention_backend", False):
        return f"{config.model_type} has an attention of its own"
    before = base.config._attn_implementation
    prepare_model(model)
    difference = _difference(model, probe)
    if difference <= PROBE_TOLERANCE.get(base.dtype, 1e-3):
        return None
    base.set_attn_implementation(before)
    return f"{config.model_type} gives other log-probabilities that way (by {difference:.3f})"


@torch.no_grad()
def _difference(model: PeftModel, probe: Sequence[Exchange]) -> float:
    """Mean difference between the shared and the plain path, without dropout, whose draws differ."""
    training = model.training
    model.eval()
    shared = probe[0].shared
    same = [one for one in probe if one.shared == shared]
    branches = gather_branches([one.prompt for one in same], [one.reply for one in same], len(shared))
    found = reply_logprobs(model, Prefix(model, shared), branches, 1.0)
    plain = plain_logprobs(model, same)
    model.train(training)
    return float((found - plain).abs().mean())
