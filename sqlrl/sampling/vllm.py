"""The sampler for GPUs: vLLM's offline engine. It applies the adapter itself; the base stays as it is.

The engine keeps an adapter by its number and its cache of prompts by the adapter's name and path, so each
adapter that it is given gets a name and a number that no other had.
"""

import itertools
import json
import logging
import os
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any

import psutil
import torch
from transformers import AutoConfig

from sqlrl import ranks
from sqlrl.errors import UserError
from sqlrl.models.architecture import has_pictures, linear_names
from sqlrl.models.prompt import Prompt
from sqlrl.records import read_text
from sqlrl.sampling.adapter import CONFIG, digest_adapter
from sqlrl.sampling.engine_settings import EngineSettings, fitting_rank
from sqlrl.sampling.layers import best_dtype
from sqlrl.sampling.lint import find_faults
from sqlrl.sampling.patience import Patient, StalledError
from sqlrl.sampling.sampler import Reply, Request, SamplingSettings, draw_all
from sqlrl.sampling.streams import stream_of
from sqlrl.sampling.tokens import ReplyTokens
from sqlrl.sampling.warden import Warden

# Settings of vLLM that only its environment takes. A job started its judging workers before, and may have
# used the GPU: the engine's process begins afresh.
ENVIRONMENT = {
    "VLLM_WORKER_MULTIPROC_METHOD": "spawn",
    "VLLM_ENABLE_V1_MULTIPROCESSING": "1",
    "VLLM_LOGGING_LEVEL": "WARNING",
    "VLLM_NO_USAGE_STATS": "1",
    "VLLM_CPU_OMP_THREADS_BIND": "nobind",
    "VLLM_CPU_KVCACHE_SPACE": "2",
}

logger = logging.getLogger(__name__)


class VllmSampler:
    """Draws replies through vLLM from a plain model folder, each handed over as it ends; see LandingSampler.

    A sequence's seed is a function of (seed, prompt key, sample), but the engine's products depend on what
    runs side by side: the same requests give nearly, not always, the same replies.
    """

    def __init__(self, model: Path, settings: EngineSettings, rank: int | None = None) -> None:
        """
        Args:
            model: config.json, safetensors and tokenizer files.
            settings: see EngineSettings.
            rank: the highest rank of the adapters that will be given; None for the base model alone.

        Raises:
            UserError: the folder holds no model, or no engine can serve that rank.
        """
        if not (model / "config.json").is_file():
            raise UserError(f"{model}: no model here, config.json is missing.")
        for name, value in ENVIRONMENT.items():
            os.environ.setdefault(name, value)
        self._folder, self._settings = model, settings
        self._rank = None if rank is None else fitting_rank(rank)
        self._config = AutoConfig.from_pretrained(model)
        self._tokens = ReplyTokens(model)
        self._modules = linear_names(model) if rank is not None else set()
        self._adapters: dict[str, Any] = {}
        self._numbers, self._requests = itertools.count(1), itertools.count()
        self._engine: Any = None
        self._warden: Warden | None = None
        self._patient = Patient()

    def sample(
        self,
        prompts: Sequence[Prompt],
        n: int,
        settings: SamplingSettings,
        adapter: Path | None,
        seed: int,
    ) -> list[Reply]:
        """See Sampler.sample."""
        return draw_all(self, prompts, n, settings, adapter, seed)

    def land(
        self, wanted: Sequence[Request], settings: SamplingSettings, adapter: Path | None, seed: int
    ) -> Generator[Reply, None, None]:
        """See LandingSampler.land.

        Raises:
            UserError: a prompt is too long, the adapter would not be applied whole, or the engine died.
        """
        from vllm.inputs import tokens_input

        self._check_lengths(wanted, settings.max_tokens)
        request = self.register(adapter) if adapter else None
        engine = self.engine(settings.batch_size).llm_engine
        waiting = {str(next(self._requests)): one for one in wanted}
        for name, one in waiting.items():
            tokens = tokens_input(list(one.prompt.token_ids))
            engine.add_request(name, tokens, self.parameters(one, settings, seed), lora_request=request)
        try:
            while waiting:
                for output in self._step():
                    if output.finished:
                        yield self._reply(waiting.pop(output.request_id), output.outputs[0])
        finally:
            if waiting and self._engine is not None:
                engine.abort_request(list(waiting))

    def close(self) -> None:
        """See Sampler.close."""
        if self._engine is not None:
            self._engine.llm_engine.engine_core.shutdown()
            self._engine = None
        self._end_processes()
        self._patient.close()

    def _check_lengths(self, wanted: Sequence[Request], max_tokens: int) -> None:
        room = self._room()
        for one in wanted:
            if len(one.prompt.token_ids) + max_tokens > room:
                raise UserError(
                    f"task {one.prompt.key}: its prompt of {len(one.prompt.token_ids)} tokens and a reply of "
                    f"{max_tokens} go beyond {room} positions: lower max_tokens or raise engine.positions, which "
                    f"the model limits to {self._config.get_text_config().max_position_embeddings}."
                )

    def _room(self) -> int:
        return min(self._settings.positions, int(self._config.get_text_config().max_position_embeddings))

    def register(self, adapter: Path) -> Any:
        """The engine's name for an adapter: a new one for new weights, wherever they lie.

        Raises:
            UserError: the adapter would not be applied whole.
        """
        from vllm.lora.request import LoRARequest

        digest = digest_adapter(adapter)
        if digest not in self._adapters:
            if faults := find_faults(adapter, self._modules):
                raise UserError(f"{adapter}: " + "\n".join(faults))
            rank = json.loads(read_text(adapter / CONFIG))["r"]
            if self._rank is None or rank > self._rank:
                raise UserError(
                    f"{adapter}: rank {rank}, but the engine was started for {self._rank or 'no adapter'}."
                )
            number = next(self._numbers)
            self._adapters = {digest: LoRARequest(f"{number}-{digest[:16]}", number, str(adapter))}
        return self._adapters[digest]

    def engine(self, sequences: int) -> Any:
        """vLLM's LLM, started when it is first asked for, with room for so many sequences side by side."""
        if self._engine is None:
            from vllm import LLM

            self._warden = Warden()
            with ranks.alone(), self._warden.watching():
                self._engine = LLM(**self._arguments(sequences))
        return self._engine

    def _arguments(self, sequences: int) -> dict[str, Any]:
        on_gpu = torch.cuda.is_available()
        found: dict[str, Any] = {
            "model": str(self._folder),
            "dtype": self._dtype(),
            "generation_config": "vllm",
            "seed": 0,
            "max_model_len": self._room(),
            "max_num_seqs": sequences,
            "enable_prefix_caching": True,
            "logprobs_mode": "processed_logprobs",
        }
        if self._rank is not None:
            found |= {
                "enable_lora": True,
                "max_lora_rank": self._rank,
                "max_loras": 1,
                "max_cpu_loras": 2,
            }
        if has_pictures(self._config):
            found["language_model_only"] = True
        if ranks.world() > 1 and self._settings.tensor_parallel > 1:
            raise UserError(
                f"engine.tensor_parallel is {self._settings.tensor_parallel}, but the stage trains on "
                f"{ranks.world()} GPUs, each with an engine of its own: set one of them to 1."
            )
        if on_gpu:
            found |= {
                "gpu_memory_utilization": self._settings.memory,
                "tensor_parallel_size": self._settings.tensor_parallel,
            }
        else:
            # A CPU's generator can't be set back, as the engine does where a prompt is read in parts. Linear
            # attention keeps no prefix but in parts.
            found |= {
                "enable_chunked_prefill": False,
                "max_num_batched_tokens": max(8192, self._room()),
                "enable_prefix_caching": not self._is_hybrid(),
            }
        return found

    def _dtype(self) -> str:
        """Linear attention has no other on a CPU."""
        if torch.cuda.is_available() or self._is_hybrid():
            return "bfloat16"
        return str(best_dtype()).removeprefix("torch.")

    def _is_hybrid(self) -> bool:
        kinds = getattr(self._config.get_text_config(), "layer_types", None) or ()
        return "linear_attention" in kinds

    def parameters(self, request: Request, settings: SamplingSettings, seed: int) -> Any:
        """A request's settings. Each is said: what is left out, vLLM may take from the model's own defaults."""
        from vllm import SamplingParams
        from vllm.sampling_params import RequestOutputKind

        return SamplingParams(
            n=1,
            temperature=settings.temperature,
            top_p=settings.top_p,
            top_k=0,
            min_p=0.0,
            presence_penalty=0.0,
            frequency_penalty=0.0,
            repetition_penalty=1.0,
            seed=stream_of(seed, request.prompt.key, request.sample) & 0x7FFFFFFF,
            max_tokens=settings.max_tokens,
            stop_token_ids=sorted(self._tokens.ends),
            logprobs=0,
            detokenize=False,
            output_kind=RequestOutputKind.FINAL_ONLY,
        )

    def _step(self) -> list[Any]:
        """One step of the engine; where it hangs or dies, it is ended."""
        step = self._engine.llm_engine.step
        try:
            outputs: list[Any] = self._patient.call(step, self._settings.stall_seconds, self._lives)
        except Exception as error:
            what = (
                str(error) if isinstance(error, StalledError) else f"died ({type(error).__name__}: {error})"
            )
            self._give_up()
            raise UserError(
                f"vLLM's engine {what} and was ended; its last words are above. Replies that landed are kept: "
                "the same command goes on from there."
            ) from error
        return outputs

    def _lives(self) -> bool:
        processes = self._warden.processes if self._warden else []
        return all(one.is_running() and one.status() != psutil.STATUS_ZOMBIE for one in processes)

    def _give_up(self) -> None:
        self._engine = None
        self._end_processes()

    def _end_processes(self) -> None:
        if self._warden is not None:
            self._warden.end()
        self._warden = None

    def _reply(self, request: Request, output: Any) -> Reply:
        token_ids = tuple(output.token_ids)
        chosen = zip(token_ids, output.logprobs, strict=True)
        return Reply(
            task_id=request.prompt.key,
            sample=request.sample,
            text=self._tokens.text(token_ids),
            token_ids=token_ids,
            logprobs=tuple(round(found[token].logprob, 6) for token, found in chosen),
            finish_reason="stop" if self._tokens.has_stopped(token_ids) else "length",
            prompt_tokens=len(request.prompt.token_ids),
            reply_tokens=len(token_ids),
        )
