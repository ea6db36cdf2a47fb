"""The sampler that needs nothing but torch and transformers, fast on a CPU."""

import logging
from collections.abc import Sequence as Sequences
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from transformers import AutoConfig

from sqlrl.errors import UserError
from sqlrl.sampling.adapter import digest_adapter, read_adapter
from sqlrl.sampling.decoder import Decoder, is_known
from sqlrl.sampling.engine import Engine
from sqlrl.sampling.layers import best_dtype
from sqlrl.sampling.memory import keep_freed_memory
from sqlrl.sampling.sampler import Prompt, Reply, SamplingSettings
from sqlrl.sampling.sequence import Chooser, Sequence
from sqlrl.sampling.streams import stream_of
from sqlrl.sampling.tokens import ReplyTokens
from sqlrl.sampling.weights import Weights, load_tensors

if TYPE_CHECKING:
    from sqlrl.sampling.plain import PlainEngine

logger = logging.getLogger(__name__)


class TransformersSampler:
    """Draws replies on the CPU from a plain model folder; see Sampler.

    Models of the Llama family run through Decoder, with the adapter merged in float32 into a copy of
    the weights; others through transformers' own forward. Products are in the faster of
    bfloat16 and float32; the same CPU, threads and libraries give the same bytes.
    """

    def __init__(self, model: Path, threads: int | None = None, dtype: torch.dtype | None = None) -> None:
        """Open a model folder.

        Args:
            model: config.json, safetensors and tokenizer files.
            threads: CPU threads to compute with; None keeps torch's own choice.
            dtype: of the products; None takes best_dtype.

        Raises:
            UserError: the folder holds no model.
        """
        keep_freed_memory()
        if threads:
            torch.set_num_threads(threads)
        if not (model / "config.json").is_file():
            raise UserError(f"{model}: no model here, config.json is missing.")
        self._folder, self._dtype = model, dtype or best_dtype()
        self._config = AutoConfig.from_pretrained(model)
        self._tokens = ReplyTokens(model)
        self._known = is_known(self._config)
        self._tensors = load_tensors(model) if self._known else {}
        self._engine: tuple[str, Engine | PlainEngine] | None = None
        if not self._known:
            logger.info(
                "%s: no fast path for this architecture, sampling through transformers' own forward",
                self._config.model_type,
            )

    @torch.inference_mode()
    def sample(
        self,
        prompts: Sequences[Prompt],
        n: int,
        settings: SamplingSettings,
        adapter: Path | None,
        seed: int,
    ) -> list[Reply]:
        """See Sampler.sample."""
        self._check_lengths(prompts, settings.max_tokens)
        engine = self._get_engine(adapter)
        chooser = Chooser(settings, self._tokens.ends)
        sequences = [
            Sequence(number, sample, stream_of(seed, prompt.key, sample))
            for number, prompt in enumerate(prompts)
            for sample in range(n)
        ]
        for prefix, numbers in _by_prefix(prompts).items():
            texts = [prompt.token_ids[len(prefix) :] for prompt in prompts]
            chosen = [one for one in sequences if one.prompt in numbers]
            engine.run(prefix, texts, chosen, chooser, settings.max_tokens, settings.batch_size)
        return [self._reply(prompts[one.prompt], one, chooser) for one in sequences]

    def close(self) -> None:
        """See Sampler.close."""
        self._engine = None
        self._tensors = {}

    def _check_lengths(self, prompts: Sequences[Prompt], max_tokens: int) -> None:
        room = int(self._config.get_text_config().max_position_embeddings)
        for prompt in prompts:
            if len(prompt.token_ids) + max_tokens > room:
                raise UserError(
                    f"task {prompt.key}: its prompt of {len(prompt.token_ids)} tokens and a reply of "
                    f"{max_tokens} go beyond the model's {room} positions."
                )

    def _get_engine(self, adapter: Path | None) -> "Engine | PlainEngine":
        """The engine for an adapter; the last one is kept, by what its files hold."""
        key = digest_adapter(adapter) if adapter else "base"
        if self._engine is None or self._engine[0] != key:
            self._engine = None
            self._engine = (key, self._make_engine(adapter))
        return self._engine[1]

    def _make_engine(self, adapter: Path | None) -> "Engine | PlainEngine":
        if not self._known:
            # Imported here: PEFT takes seconds to import, and few models need this path.
            from sqlrl.sampling.plain import PlainEngine

            return PlainEngine(self._folder, adapter, self._dtype)
        weights = Weights(self._tensors, read_adapter(adapter) if adapter else {})
        return Engine(Decoder(self._config, weights, self._dtype), self._dtype)

    def _reply(self, prompt: Prompt, sequence: Sequence, chooser: Chooser) -> Reply:
        return Reply(
            task_id=prompt.key,
            sample=sequence.sample,
            text=self._tokens.text(sequence.tokens),
            token_ids=tuple(sequence.tokens),
            logprobs=tuple(round(logprob, 6) for logprob in sequence.logprobs),
            finish_reason="stop" if chooser.has_stopped(sequence) else "length",
            prompt_tokens=len(prompt.token_ids),
            reply_tokens=len(sequence.tokens),
        )


def _by_prefix(prompts: Sequences[Prompt]) -> dict[tuple[int, ...], set[int]]:
    """Numbers of the prompts by the prefix that they share; at least one token stays their own."""
    groups: dict[tuple[int, ...], set[int]] = {}
    for number, prompt in enumerate(prompts):
        shared = min(prompt.prefix_length, len(prompt.token_ids) - 1)
        groups.setdefault(prompt.token_ids[:shared], set()).add(number)
    return groups
