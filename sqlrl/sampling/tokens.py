"""Which tokens end a reply, and the text that a reply's tokens are."""

from collections.abc import Sequence
from pathlib import Path

from transformers import AutoTokenizer, GenerationConfig


class ReplyTokens:
    """The end tokens and the words of one model's replies."""

    def __init__(self, model: Path) -> None:
        """Read them from a model's folder."""
        self._tokenizer = AutoTokenizer.from_pretrained(model)
        self.ends = _end_tokens(model, self._tokenizer.eos_token_id)

    def has_stopped(self, token_ids: Sequence[int]) -> bool:
        """Whether the model itself ended the reply."""
        return bool(token_ids) and token_ids[-1] in self.ends

    def text(self, token_ids: Sequence[int]) -> str:
        """A reply's text, without special tokens and its end token."""
        spoken = token_ids[:-1] if self.has_stopped(token_ids) else token_ids
        # "Cleaning up" would take spaces out of string literals.
        text = self._tokenizer.decode(
            list(spoken), skip_special_tokens=True, clean_up_tokenization_spaces=False
        )
        return str(text)


def _end_tokens(model: Path, end_of_text: int | None) -> frozenset[int]:
    """All ids that end a reply: those of generation_config.json and the tokenizer's own."""
    ends: set[int] = set() if end_of_text is None else {end_of_text}
    if (model / "generation_config.json").is_file():
        named = GenerationConfig.from_pretrained(model).eos_token_id
        ends.update(named if isinstance(named, list) else [named] if named is not None else [])
    return frozenset(ends)
