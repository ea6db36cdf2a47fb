"""Make the micro run's base model: Qwen3's architecture, random weights, a small tokenizer of its own.

Usage: python -m tests.micro_model --output results/micro-model
"""

import argparse
import re
from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM

ROOT = Path(__file__).parents[1]
SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
KEYWORDS = """select from where group by having order by limit join left on and or not exists in is null count
sum avg min max distinct round coalesce case when then else end as with extract year month date desc asc between
interval union intersect except over partition how many what which list give show return total average number
each every least most first only their name names please report customers orders products"""


def make_tokenizer() -> PreTrainedTokenizerFast:
    """A byte-level BPE of 768 tokens, trained on the shop's own words."""
    shop = ROOT / "databases" / "shop"
    texts = [(shop / "schema.sql").read_text(), (shop / "notes.md").read_text(), KEYWORDS, KEYWORDS.upper()]
    lines = [line for text in texts for line in re.split(r"(?<=[\n.;])", text) if line.strip()]
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=768, special_tokens=list(SPECIAL), initial_alphabet=sorted(alphabet), show_progress=False
    )
    tokenizer.train_from_iterator(lines * 3, trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        padding_side="left",
        chat_template=TEMPLATE,
    )


def make_model(tokenizer: PreTrainedTokenizerFast) -> Qwen3ForCausalLM:
    """About 400,000 random parameters."""
    torch.manual_seed(0)
    config = Qwen3Config(
        vocab_size=len(tokenizer),
        hidden_size=96,
        intermediate_size=192,
        num_hidden_layers=4,
        num_attention_heads=4,
        num_key_value_heads=2,
        head_dim=32,
        max_position_embeddings=4096,
        tie_word_embeddings=True,
        initializer_range=0.08,
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    model = Qwen3ForCausalLM(config)
    with torch.no_grad():
        # An adapter leaves the tied embeddings as they are: shorter ones could not tell tokens apart.
        model.model.embed_tokens.weight.mul_(3.0)
    return model


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, required=True, help="folder to write the model into")
    output = parser.parse_args().output
    tokenizer = make_tokenizer()
    tokenizer.save_pretrained(output)
    make_model(tokenizer).save_pretrained(output)


if __name__ == "__main__":
    main()
