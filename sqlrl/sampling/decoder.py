"""A decoder of the Llama family (Llama, Qwen2, Qwen3) for sampling on a CPU."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence
from transformers import PretrainedConfig
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

from sqlrl.sampling.attention import attend_in_texts, attend_to_both, attend_to_own, attend_to_prefix, join
from sqlrl.sampling.cache import Prefix, Slots
from sqlrl.sampling.layers import Linear, Norm, Rotary
from sqlrl.sampling.weights import Weights

FAMILY = ("llama", "qwen2", "qwen3")
STATIC_ROTARIES = ("default", "linear", "llama3", "yarn")

Store = Callable[[int, Tensor, Tensor], None]


def is_known(config: PretrainedConfig) -> bool:
    """Whether Decoder computes this model: dense weights, full attention, rotary positions, SwiGLU."""
    kinds = set(getattr(config, "layer_types", None) or ["full_attention"])
    rotary = getattr(config, "rope_parameters", None) or {}
    return (
        config.model_type in FAMILY
        and getattr(config, "quantization_config", None) is None
        and kinds == {"full_attention"}
        and config.hidden_act == "silu"
        and rotary.get("rope_type", "default") in STATIC_ROTARIES
        and rotary.get("partial_rotary_factor", 1.0) == 1.0
    )


@dataclass(frozen=True)
class Layer:
    """One layer: projections of the same input are one product."""

    attention_norm: Norm
    query_key_value: Linear
    query_norm: Norm | None
    key_norm: Norm | None
    output: Linear
    mlp_norm: Norm
    gate_up: Linear
    down: Linear


class Decoder:
    """Runs texts through the model, with the keys and values of what came before."""

    def __init__(self, config: PretrainedConfig, weights: Weights, dtype: torch.dtype) -> None:
        """Lay out the weights for products in ``dtype``; the residual stream stays in float32."""
        self._dtype = dtype
        self.heads: int = config.num_key_value_heads
        self.group: int = config.num_attention_heads // config.num_key_value_heads
        self.size: int = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
        self._layers = [
            _read_layer(weights, f"model.layers.{number}.", config.rms_norm_eps, dtype)
            for number in range(config.num_hidden_layers)
        ]
        self.layers = len(self._layers)
        self._embedding = weights["model.embed_tokens.weight"]
        self._norm = Norm(weights["model.norm.weight"], config.rms_norm_eps)
        tied = config.tie_word_embeddings or "lm_head.weight" not in weights
        self._head = Linear(self._embedding if tied else weights["lm_head.weight"], None, dtype)
        self._rotary = _read_rotary(config, self.size)
        self._shift: Tensor | None = None

    def prefill_prefix(self, tokens: Sequence[int]) -> Prefix:
        """Run the text that all sequences start with."""
        keys: list[Tensor] = []
        values: list[Tensor] = []

        def store(_: int, key: Tensor, value: Tensor) -> None:
            keys.append(key[0].transpose(1, 2).contiguous())
            values.append(value[0].contiguous())

        self._centre_logits(self._prefill([tokens], None, store))
        return Prefix(len(tokens), keys, values)

    def prefill(self, texts: Sequence[Sequence[int]], prefix: Prefix | None, store: Store) -> Tensor:
        """Run texts that go on from the prefix.

        Args:
            texts: token ids, at least one a text.
            prefix: what stands before each of them, or None.
            store: gets each layer's number, keys and values, (texts, heads, longest, size).

        Returns:
            Logits after each text's last token, shape (texts, vocabulary).
        """
        last = torch.tensor([len(text) for text in texts]).cumsum(0) - 1
        return self.logits(self._prefill(texts, prefix, store)[last])

    def step(self, tokens: Tensor, lengths: Tensor, prefix: Prefix | None, slots: Slots) -> Tensor:
        """Run one more token of each sequence.

        Args:
            tokens: shape (sequences,), for slots 0, 1, ...
            lengths: shape (sequences,), how many tokens each slot holds already.
            prefix: what stands before all of them, or None.
            slots: the sequences' own keys and values; the new ones are added.

        Returns:
            Logits, shape (sequences, vocabulary).
        """
        mask = slots.mask(lengths + 1, self._dtype)
        used, longest = len(tokens), mask.shape[-1]

        def attention(number: int, query: Tensor, key: Tensor, value: Tensor) -> Tensor:
            slots.append(number, lengths, key, value)
            own = (
                query.reshape(used, self.heads, self.group, self.size),
                slots.keys[number, :used, :, :, :longest],
                slots.values[number, :used, :, :longest],
                mask,
            )
            if prefix is None:
                return attend_to_own(*own)
            return attend_to_both(*own, prefix.keys[number], prefix.values[number])

        before = prefix.length if prefix else 0
        return self.logits(self._run(tokens, lengths + before, attention))

    def logits(self, hidden: Tensor) -> Tensor:
        """Logits up to a constant: (rows, hidden) to (rows, vocabulary), in ``dtype``."""
        return self._head(self._norm(hidden).to(self._dtype), self._shift)

    def _centre_logits(self, hidden: Tensor) -> None:
        """Shift all logits by one constant from now on, so that those that are drawn lie near zero.

        A softmax does not mind, and bfloat16 is finer near zero: the error of log-probabilities fell
        from 0.030 to 0.019. The constant is the mean logit of a drawn token along the prefix.
        """
        if self._dtype == torch.float32:
            return
        self._shift = None
        logits = self.logits(hidden[::8]).float()
        drawn = (torch.softmax(logits, dim=-1) * logits).sum(dim=-1).mean()
        self._shift = (-drawn.round()).expand(logits.shape[-1]).to(self._dtype)

    def _prefill(self, texts: Sequence[Sequence[int]], prefix: Prefix | None, store: Store) -> Tensor:
        lengths = [len(text) for text in texts]
        tokens = torch.tensor([token for text in texts for token in text])
        own_positions = torch.cat([torch.arange(length) for length in lengths])
        # Row of each (text, column) in the packed rows; columns behind a text's end repeat row 0.
        starts = torch.tensor([0, *lengths[:-1]]).cumsum(0)
        rows = pad_sequence(
            [torch.arange(length) + start for length, start in zip(lengths, starts, strict=True)],
            batch_first=True,
        )
        texts_of_rows = torch.repeat_interleave(torch.arange(len(texts)), torch.tensor(lengths))

        def attention(number: int, query: Tensor, key: Tensor, value: Tensor) -> Tensor:
            padded = [part[rows].transpose(1, 2) for part in (query, key, value)]
            store(number, padded[1], padded[2])
            output, normaliser = attend_in_texts(*padded)
            own = output[texts_of_rows, :, own_positions], normaliser[texts_of_rows, :, own_positions]
            if prefix is None:
                return own[0]
            return join(attend_to_prefix(query, prefix.keys[number], prefix.values[number]), own)

        before = prefix.length if prefix else 0
        return self._run(tokens, own_positions + before, attention)

    def _run(
        self,
        tokens: Tensor,
        positions: Tensor,
        attention: Callable[[int, Tensor, Tensor, Tensor], Tensor],
    ) -> Tensor:
        """All layers over packed rows: hidden states before the last norm, (rows, hidden), float32."""
        hidden = self._embedding[tokens].float()
        angles = self._rotary.angles(positions)
        for number, layer in enumerate(self._layers):
            query, key, value = self._project(layer, hidden, angles)
            attended = attention(number, query, key, value).reshape(len(tokens), -1)
            hidden.add_(layer.output(attended.to(self._dtype)))
            gate, up = layer.gate_up(layer.mlp_norm(hidden).to(self._dtype)).chunk(2, dim=-1)
            hidden.add_(layer.down(torch.nn.functional.silu(gate).mul_(up)))
        return hidden

    def _project(
        self, layer: Layer, hidden: Tensor, angles: tuple[Tensor, Tensor]
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Queries (rows, heads * group, size), keys and values (rows, heads, size), in ``dtype``."""
        query_heads = self.heads * self.group
        rows = layer.query_key_value(layer.attention_norm(hidden).to(self._dtype))
        rows = rows.view(len(hidden), query_heads + 2 * self.heads, self.size)
        turning = rows[:, : query_heads + self.heads].float()
        if layer.query_norm and layer.key_norm:
            parts = layer.query_norm(turning[:, :query_heads]), layer.key_norm(turning[:, query_heads:])
            turning = torch.cat(parts, dim=1)
        turned = self._rotary(turning, angles).to(self._dtype)
        return turned[:, :query_heads], turned[:, query_heads:], rows[:, query_heads + self.heads :]


def _read_layer(weights: Weights, name: str, epsilon: float, dtype: torch.dtype) -> Layer:
    def linear(*parts: str) -> Linear:
        names = [f"{name}{part}" for part in parts]
        weight = torch.cat([weights[f"{one}.weight"].float() for one in names])
        biased = f"{names[0]}.bias" in weights
        bias = torch.cat([weights[f"{one}.bias"].float() for one in names]) if biased else None
        return Linear(weight, bias, dtype)

    def norm(part: str) -> Norm:
        return Norm(weights[f"{name}{part}.weight"], epsilon)

    normed = f"{name}self_attn.q_norm.weight" in weights
    return Layer(
        attention_norm=norm("input_layernorm"),
        query_key_value=linear("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"),
        query_norm=norm("self_attn.q_norm") if normed else None,
        key_norm=norm("self_attn.k_norm") if normed else None,
        output=linear("self_attn.o_proj"),
        mlp_norm=norm("post_attention_layernorm"),
        gate_up=linear("mlp.gate_proj", "mlp.up_proj"),
        down=linear("mlp.down_proj"),
    )


def _read_rotary(config: PretrainedConfig, size: int) -> Rotary:
    parameters = config.rope_parameters
    if parameters.get("rope_type", "default") == "default":
        frequencies = parameters["rope_theta"] ** (-torch.arange(0, size, 2).float() / size)
        factor = 1.0
    else:
        frequencies, factor = ROPE_INIT_FUNCTIONS[parameters["rope_type"]](config, None)
    query_heads = config.num_attention_heads
    return Rotary(frequencies, factor, query_heads + config.num_key_value_heads, query_heads)
