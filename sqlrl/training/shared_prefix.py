"""Log-probabilities of replies where the common prefix of all prompts is computed once.

Plain training runs system prompt and schema again for every sample. Here they run once in an
optimizer step; their keys and values are leaves that gather the gradients of all micro-batches, and
one backward pass carries these through the prefix. Values and gradients are those of the plain path.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from peft import PeftModel
from peft.helpers import disable_input_dtype_casting
from transformers import AttentionInterface, AttentionMaskInterface
from transformers.integrations.sdpa_attention import sdpa_attention_forward
from transformers.masking_utils import sdpa_mask

from sqlrl.training.attention import attend
from sqlrl.training.logprobs import Score, token_logprobs
from sqlrl.training.tree import Branch, Tree, plant

ATTENTION = "sqlrl_shared_prefix"

States = list[tuple[torch.Tensor, torch.Tensor]]
"""Keys and values of every layer, each of shape (1, key heads, tokens, head size)."""


class Prefix:
    """The keys and values of one prefix under the model's present weights."""

    def __init__(self, model: PeftModel, token_ids: tuple[int, ...]) -> None:
        """Run the prefix.

        Args:
            model: see prepare_model.
            token_ids: of the prefix; may be empty.
        """
        self.length = len(token_ids)
        self._states: States = []
        if token_ids:
            row = torch.tensor([token_ids], device=model.device)
            run_backbone(model, row, None, prefix_states=self._states)
        self.leaves: States = [(_leaf(key), _leaf(value)) for key, value in self._states]

    def backward(self) -> None:
        """Carry the gradients that the leaves have gathered through the prefix."""
        outputs = [state for pair in self._states for state in pair]
        leaves = [leaf for pair in self.leaves for leaf in pair]
        reached = [
            (state, leaf.grad) for state, leaf in zip(outputs, leaves, strict=True) if leaf.grad is not None
        ]
        if reached:
            torch.autograd.backward([state for state, _ in reached], [gradient for _, gradient in reached])


def reply_logprobs(
    model: PeftModel,
    prefix: Prefix,
    branches: Sequence[Branch],
    temperature: float,
    score: Score = token_logprobs,
) -> torch.Tensor:
    """Natural-log probabilities of all reply tokens, or what else a score says of them.

    Args:
        model: see prepare_model.
        prefix: what all prompts begin with.
        branches: the rest of the prompts, with their replies.
        temperature: above 0; logits are divided by it.
        score: token_logprobs, or token_moments.

    Returns:
        Shape (reply tokens,), or (reply tokens, 3), float32, in the order of branches, replies and tokens.
    """
    base = model.get_base_model()
    tree = plant(branches, prefix.length, base.dtype, model.device)
    states = run_backbone(model, tree.token_ids, tree.positions, prefix_tree=(prefix.leaves, tree))
    head = base.get_output_embeddings().weight
    return score(states[0].index_select(0, tree.predictors), head, tree.targets, temperature)


def prepare_model(model: PeftModel) -> None:
    """Let a model attend to shared prefixes; all else that it does stays as it was."""
    AttentionInterface.register(ATTENTION, _attention)
    AttentionMaskInterface.register(ATTENTION, sdpa_mask)
    model.get_base_model().set_attn_implementation(ATTENTION)


def run_backbone(
    model: PeftModel, token_ids: torch.Tensor, positions: torch.Tensor | None, **attention: Any
) -> torch.Tensor:
    """Last hidden states of the model without its head, shape (rows, tokens, hidden size).

    Products are in the base model's precision; the adapter's own weights stay in float32.
    """
    if "attention_mask" not in attention:
        # Four dimensions say that the mask is made: the attention below needs none.
        attention["attention_mask"] = torch.zeros(1, 1, 1, 1, device=token_ids.device)
    with mixed_precision(model):
        output = model.get_base_model().base_model(
            input_ids=token_ids, position_ids=positions, use_cache=False, **attention
        )
    states: torch.Tensor = output.last_hidden_state
    return states


@contextmanager
def mixed_precision(model: PeftModel) -> Iterator[None]:
    """Products in bfloat16 where the base model is in it."""
    low = model.get_base_model().dtype == torch.bfloat16
    with (
        torch.autocast(model.device.type, torch.bfloat16, enabled=low),
        disable_input_dtype_casting(model, active=low),
    ):
        yield


def _leaf(state: torch.Tensor) -> torch.Tensor:
    return state.detach().requires_grad_(state.requires_grad)


def _attention(
    module: Any,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | None,
    scaling: float | None = None,
    prefix_states: States | None = None,
    prefix_tree: tuple[States, Tree] | None = None,
    **others: Any,
) -> tuple[torch.Tensor, torch.Tensor | None]:
    """Attention in the signature of transformers; query is (rows, heads, tokens, head size)."""
    scale = query.shape[-1] ** -0.5 if scaling is None else scaling
    if prefix_tree is not None:
        states, tree = prefix_tree
        prefix = states[module.layer_idx] if states else None
        output = _attend_tree(query[0], key[0], value[0], prefix, tree, scale)
    elif prefix_states is not None:
        prefix_states.append((key, value))
        output = attend(query[0], key[0], value[0], None, scale)
    else:
        plain: tuple[torch.Tensor, None] = sdpa_attention_forward(
            module, query, key, value, attention_mask, scaling=scaling, **others
        )
        return plain
    return output.transpose(0, 1)[None], None


def _attend_tree(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    prefix: tuple[torch.Tensor, torch.Tensor] | None,
    tree: Tree,
    scale: float,
) -> torch.Tensor:
    """Shapes (heads, tokens, head size); returns that of query."""
    lengths = [block.length for block in tree.blocks]
    queries, keys, values = (torch.split(states, lengths, dim=1) for states in (query, key, value))
    outputs = []
    for number, block in enumerate(tree.blocks):
        seen_keys, seen_values = [keys[number]], [values[number]]
        if block.trunk is not None:
            seen_keys.insert(0, keys[block.trunk][:, : block.question])
            seen_values.insert(0, values[block.trunk][:, : block.question])
        if prefix is not None:
            seen_keys.insert(0, prefix[0][0])
            seen_values.insert(0, prefix[1][0])
        joined = torch.cat(seen_keys, 1), torch.cat(seen_values, 1)
        outputs.append(attend(queries[number], *joined, block.bias, scale))
    return torch.cat(outputs, dim=1)
