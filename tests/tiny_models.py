"""Tiny random models of the architectures that people train, with a small tokenizer of their own."""

from pathlib import Path
from typing import Any

import torch
from peft import LoraConfig, get_peft_model
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import (
    AutoModelForCausalLM,
    LlamaConfig,
    PreTrainedTokenizerFast,
    Qwen2Config,
    Qwen3_5Config,
    Qwen3_5ForConditionalGeneration,
    Qwen3_5TextConfig,
    Qwen3Config,
)

from sqlrl.models.architecture import VISUAL, has_pictures, load_base

# qwen3.5-whole is the class of Qwen3.5's own checkpoints, which also read pictures; qwen3.5 its text part alone.
KINDS = ("llama", "qwen2", "qwen3", "qwen3.5", "qwen3.5-whole")
FAST_KINDS = ("llama", "qwen2", "qwen3")
# More rows than the tokenizer has tokens, as in real models.
VOCABULARY = 640
TEXT = """
CREATE TABLE customers (id integer PRIMARY KEY, name text NOT NULL, country text, city text);
CREATE TABLE orders (id integer PRIMARY KEY, customer_id integer REFERENCES customers (id), status text);
SELECT name, country FROM customers WHERE country = 'Spain' ORDER BY name LIMIT 10;
SELECT c.name, COUNT(*) FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY c.name;
SELECT COUNT(*) FROM orders WHERE status = 'shipped' AND order_date >= '2025-01-01';
SELECT SUM(quantity * unit_price) FROM order_items; How many orders were shipped in 2025?
Which customers have never placed an order? List the names, please. ```sql
You write PostgreSQL queries. Notes: shipped_at is NULL while the order has not been shipped.
"""
CHAT_TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n"
    "{% if enable_thinking is defined and not enable_thinking %}<think>\n\n</think>\n\n{% endif %}{% endif %}"
)


def make_model(kind: str, folder: Path, seed: int = 0, hidden: int = 64, layers: int = 2) -> Path:
    """Write a plain model folder of one architecture, random weights in float32, a tokenizer beside it.

    Args:
        kind: one of KINDS.
        folder: made where it is missing.
        seed: of the weights.
        hidden: hidden size, a multiple of 64.
        layers: at least 2 for qwen3.5, whose first is linear and last is full attention.

    Returns:
        The folder.
    """
    tokenizer = make_tokenizer()
    config = _config(kind, hidden, layers)
    for one in {id(part): part for part in (config, config.get_text_config())}.values():
        one.eos_token_id = one.pad_token_id = tokenizer.eos_token_id
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        model = _build(config)
        for name, weight in model.named_parameters():
            # Wider than the usual 0.02, so that the next token depends on what came before.
            if weight.dim() == 2:
                weight.data.normal_(0, 0.2 if "embed" in name else 0.1)
            elif name.endswith(("q_norm.weight", "k_norm.weight", "bias")):
                weight.data.add_(torch.randn_like(weight) * 0.1)
    model.generation_config.eos_token_id = [tokenizer.eos_token_id]
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def make_adapter(model: Path, folder: Path, seed: int = 1, rank: int = 4) -> Path:
    """Write a LoRA adapter on all linear maps of a model folder, with an effect: B is not zero."""
    base = load_base(model, torch.float32)
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        settings = LoraConfig(
            r=rank,
            lora_alpha=2 * rank,
            target_modules="all-linear",
            exclude_modules=VISUAL if has_pictures(base.config) else None,
            task_type="CAUSAL_LM",
        )
        wrapped = get_peft_model(base, settings)
        for name, weight in wrapped.named_parameters():
            if "lora_B" in name:
                weight.data.normal_(0, 0.1)
    wrapped.save_pretrained(folder)
    return folder


def make_tokenizer() -> PreTrainedTokenizerFast:
    """A byte-level tokenizer of VOCABULARY tokens, with a chat template that knows enable_thinking."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY,
        special_tokens=["<|endoftext|>", "<|im_start|>", "<|im_end|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(TEXT.splitlines() * 3, trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        padding_side="left",
        chat_template=CHAT_TEMPLATE,
    )


def _build(config: Any) -> Any:
    if isinstance(config, Qwen3_5Config):
        return Qwen3_5ForConditionalGeneration(config)
    return AutoModelForCausalLM.from_config(config, dtype=torch.float32)


def _config(kind: str, hidden: int, layers: int) -> Any:
    common = {
        "vocab_size": VOCABULARY,
        "hidden_size": hidden,
        "intermediate_size": 2 * hidden,
        "num_hidden_layers": layers,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "max_position_embeddings": 4096,
        "tie_word_embeddings": True,
    }
    if kind == "llama":
        return LlamaConfig(**common, head_dim=64)
    if kind == "qwen2":
        return Qwen2Config(**common | {"tie_word_embeddings": False})
    if kind == "qwen3":
        return Qwen3Config(**common, head_dim=32)
    if kind == "qwen3.5-whole":
        text = _config("qwen3.5", hidden, layers)
        vision = {
            "depth": 1,
            "hidden_size": 32,
            "intermediate_size": 64,
            "num_heads": 2,
            "num_position_embeddings": 16,
        }
        tokens = dict.fromkeys(("image_token_id", "video_token_id"), VOCABULARY - 1)
        tokens |= dict.fromkeys(("vision_start_token_id", "vision_end_token_id"), VOCABULARY - 2)
        return Qwen3_5Config(
            text_config=text.to_dict(),
            vision_config={**vision, "out_hidden_size": hidden},
            tie_word_embeddings=True,
            **tokens,
        )
    if kind == "qwen3.5":
        linear = {
            "linear_num_key_heads": 2,
            "linear_num_value_heads": 4,
            "linear_key_head_dim": 64,
            "linear_value_head_dim": 64,
        }
        kinds = ["linear_attention"] * (layers - 1) + ["full_attention"]
        return Qwen3_5TextConfig(**common, **linear, head_dim=64, layer_types=kinds)
    raise ValueError(f"no tiny model of kind {kind!r}; there are {', '.join(KINDS)}")
