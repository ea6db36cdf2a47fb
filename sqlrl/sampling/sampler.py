"""What every sampler takes and gives back, whichever engine runs behind it."""

from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol, runtime_checkable

from sqlrl.models.prompt import Prompt as Prompt


@dataclass(frozen=True)
class SamplingSettings:
    """How replies are drawn: temperature (0 is greedy), top_p in (0, 1], tokens a reply at most,
    and sequences that run side by side in one batch.
    """

    temperature: float
    top_p: float
    max_tokens: int
    batch_size: int


@dataclass(frozen=True)
class Reply:
    """One sampled reply.

    Fields: the task's id; the sample's number from 0; the text without special tokens; the sampled
    token ids, with the end token when it was sampled; their natural-log probabilities under the
    distribution at the settings' temperature, before top_p (vLLM's: after), rounded to 6 decimals; whether the
    model stopped or ran out of tokens; how many tokens the prompt had; how many tokens were sampled.
    A model behind an API gives no token ids and no probabilities, and its server counts the tokens.
    """

    task_id: str
    sample: int
    text: str
    token_ids: tuple[int, ...]
    logprobs: tuple[float, ...]
    finish_reason: Literal["stop", "length"]
    prompt_tokens: int
    reply_tokens: int


@dataclass(frozen=True)
class Request:
    """One reply that is wanted: the prompt and the number of the sample."""

    prompt: Prompt
    sample: int


class Sampler(Protocol):
    """Draws replies from one base model, with or without an adapter."""

    def sample(
        self,
        prompts: Sequence[Prompt],
        n: int,
        settings: SamplingSettings,
        adapter: Path | None,
        seed: int,
    ) -> list[Reply]:
        """Draw n replies for each prompt.

        Args:
            prompts: any number; a key may occur once only.
            n: samples a prompt.
            settings: see SamplingSettings.
            adapter: the folder of a PEFT LoRA adapter, or None for the base model.
            seed: a sequence's random stream is a function of (seed, prompt key, sample) alone.

        Returns:
            len(prompts) * n replies, prompt by prompt, samples 0 to n - 1 in order.
        """
        ...

    def close(self) -> None:
        """Let go of the model and its memory."""
        ...


@runtime_checkable
class LandingSampler(Sampler, Protocol):
    """A sampler that asks for each reply on its own, and hands it over as it lands."""

    def land(
        self, wanted: Sequence[Request], settings: SamplingSettings, adapter: Path | None, seed: int
    ) -> Generator[Reply, None, None]:
        """Draw the wanted replies.

        Args:
            wanted: any number, each once.
            settings: see SamplingSettings.
            adapter, seed: see Sampler.sample.

        Yields:
            A reply for each request, in the order in which they land; closed early, it asks no more.

        Raises:
            UserError: a request cannot be answered; those under way are handed over first.
        """
        ...


def draw_all(
    sampler: LandingSampler,
    prompts: Sequence[Prompt],
    n: int,
    settings: SamplingSettings,
    adapter: Path | None,
    seed: int,
) -> list[Reply]:
    """What Sampler.sample gives, of a sampler whose replies land in any order."""
    wanted = [Request(prompt, number) for prompt in prompts for number in range(n)]
    with closing(sampler.land(wanted, settings, adapter, seed)) as replies:
        landed = {(one.task_id, one.sample): one for one in replies}
    return [landed[one.prompt.key, one.sample] for one in wanted]
