"""Tokens per second of the CPU sampler against transformers' plain batched generate, in one run.

Both draw from the same model with the same adapter at the same prompts: generate with the PEFT adapter as
it is loaded, the sampler as a run uses it. Nothing else should run on the machine.
"""

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from scripts.arguments import make_parser, run_script
from sqlrl.authoring.task import Task
from sqlrl.models.folder import read_model
from sqlrl.models.prompt import Prompt
from sqlrl.models.prompts import PromptSettings, PromptWriter
from sqlrl.records import from_json, read_jsonl
from sqlrl.sampling.sampler import SamplingSettings


def make_arguments() -> argparse.ArgumentParser:
    """The arguments of this benchmark."""
    parser = make_parser(__doc__)
    parser.add_argument("--model", type=Path, required=True, help="model.json of the base model")
    parser.add_argument("--adapter", type=Path, help="an adapter's folder; without it a small random one")
    parser.add_argument("--tasks", type=Path, required=True, help="tasks whose questions are asked, JSONL")
    parser.add_argument("--databases", type=Path, nargs="+", required=True, help="the databases' catalogs")
    parser.add_argument("--notes", type=Path, nargs="+", required=True, help="each database's notes.md")
    parser.add_argument("--prompt", default='{"schema": "compact", "system_prefix": "", "thinking": null}')
    parser.add_argument("--sequences", type=int, default=64, help="replies in all")
    parser.add_argument("--k", type=int, default=4, help="replies a task")
    parser.add_argument("--max-tokens", type=int, default=128)
    parser.add_argument("--temperature", type=float, default=0.7)
    parser.add_argument("--repeats", type=int, default=2, help="runs of each, in turn; the median counts")
    return parser


def main(arguments: argparse.Namespace) -> None:
    """Measure both in turn, print tokens per second and the ratio."""
    read_model(arguments.model)
    folder = arguments.model.parent
    settings = from_json(PromptSettings, arguments.prompt, "--prompt")
    writer = PromptWriter(folder, settings, arguments.databases, arguments.notes)
    tasks = read_jsonl(arguments.tasks, Task)[: arguments.sequences // arguments.k]
    prompts = [writer.write(task.id, task.database, task.question) for task in tasks]
    length = statistics.mean(len(prompt.token_ids) for prompt in prompts)
    print(f"{len(prompts)} prompts of {length:.0f} tokens, {arguments.k} replies each")
    with tempfile.TemporaryDirectory() as scratch:
        adapter = arguments.adapter or make_random_adapter(folder, Path(scratch))
        ours = make_sampler(folder, adapter, prompts, arguments)
        plain = make_plain(folder, adapter, prompts, arguments)
        rates: dict[str, list[float]] = {"sampler": [], "generate": []}
        for _ in range(arguments.repeats):
            for name, draw in (("sampler", ours), ("generate", plain)):
                start = time.perf_counter()
                tokens = draw()
                seconds = time.perf_counter() - start
                rates[name].append(tokens / seconds)
                print(f"{name}: {tokens} tokens in {seconds:.1f} s, {tokens / seconds:.0f} tokens/s")
    sampler, generate = (statistics.median(rates[name]) for name in ("sampler", "generate"))
    print(f"sampler {sampler:.0f}, generate {generate:.0f} tokens/s: {sampler / generate:.1f} times as fast")


def make_sampler(
    folder: Path, adapter: Path, prompts: list[Prompt], arguments: argparse.Namespace
) -> Callable[[], int]:
    """Our sampler as a run uses it; the adapter is merged anew each time, as in training."""
    from sqlrl.sampling.engine_settings import EngineSettings
    from sqlrl.sampling.open import open_sampler

    sampler = open_sampler("transformers", folder, EngineSettings())
    settings = SamplingSettings(arguments.temperature, 1.0, arguments.max_tokens, arguments.sequences)

    def draw() -> int:
        replies = sampler.sample(prompts, arguments.k, settings, adapter, seed=1)
        return sum(reply.reply_tokens for reply in replies)

    return draw


def make_plain(
    folder: Path, adapter: Path, prompts: list[Prompt], arguments: argparse.Namespace
) -> Callable[[], int]:
    """One left-padded batch through generate, with the adapter that PEFT loaded."""
    import torch
    from peft import PeftModel
    from transformers import AutoModelForCausalLM, AutoTokenizer

    from sqlrl.sampling.layers import best_dtype

    tokenizer = AutoTokenizer.from_pretrained(folder, padding_side="left")
    base = AutoModelForCausalLM.from_pretrained(folder, dtype=best_dtype())
    model = PeftModel.from_pretrained(base, adapter).eval()
    rows = [{"input_ids": list(prompt.token_ids)} for prompt in prompts for _ in range(arguments.k)]
    batch = tokenizer.pad(rows, return_tensors="pt")

    @torch.inference_mode()
    def draw() -> int:
        output = model.generate(
            **batch,
            do_sample=True,
            temperature=arguments.temperature,
            top_p=1.0,
            top_k=0,
            max_new_tokens=arguments.max_tokens,
        )
        replies = output[:, batch["input_ids"].shape[1] :]
        ended = (replies == tokenizer.eos_token_id).cumsum(1)
        return int((ended - (replies == tokenizer.eos_token_id).long() == 0).sum())

    return draw


def make_random_adapter(folder: Path, scratch: Path) -> Path:
    """A LoRA of rank 16 on all linear maps, with an effect too small to change the replies' form."""
    import torch
    from peft import LoraConfig, get_peft_model
    from transformers import AutoModelForCausalLM

    torch.manual_seed(1)
    settings = LoraConfig(r=16, lora_alpha=32, target_modules="all-linear", task_type="CAUSAL_LM")
    model = get_peft_model(AutoModelForCausalLM.from_pretrained(folder), settings)
    for name, weight in model.named_parameters():
        if "lora_B" in name:
            weight.data.normal_(0, 1e-3)
    model.save_pretrained(scratch)
    return scratch


if __name__ == "__main__":
    sys.exit(run_script(main, make_arguments()))
