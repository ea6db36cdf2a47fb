"""The pieces of a decoder layer, laid out for few operations a step."""

import torch
from torch import Tensor


def has_fast_bfloat16() -> bool:
    """Whether this CPU multiplies tiles of bfloat16 in hardware and torch makes use of it.

    AVX-512 has bfloat16 too, but there the sampler and training are slower with it than with float32.
    """
    return hasattr(torch.ops.mkldnn, "_linear_pointwise") and bool(
        torch.cpu.get_capabilities().get("amx_bf16", False)
    )


def best_dtype() -> torch.dtype:
    """bfloat16 where the CPU multiplies it faster than float32, else float32."""
    return torch.bfloat16 if has_fast_bfloat16() else torch.float32


class Linear:
    """A linear map whose weight is laid out once for the CPU's matrix kernels."""

    def __init__(self, weight: Tensor, bias: Tensor | None, dtype: torch.dtype) -> None:
        """Take a weight of shape (out, in) and a bias of shape (out,), of any floating type."""
        self._weight = weight.to(dtype)
        self._bias = None if bias is None else bias.to(dtype)
        # Products in bfloat16 go to oneDNN anyway; a weight in its own layout saves a copy a call.
        self._packed = dtype == torch.bfloat16 and has_fast_bfloat16()
        if self._packed:
            self._weight = torch.ops.mkldnn._reorder_linear_weight(self._weight, 64)

    def __call__(self, inputs: Tensor, shift: Tensor | None = None) -> Tensor:
        """Map (rows, in) to (rows, out); ``shift`` takes the place of a missing bias for this call."""
        bias = self._bias if shift is None else shift
        if self._packed:
            output: Tensor = torch.ops.mkldnn._linear_pointwise(inputs, self._weight, bias, "none", [], "")
            return output
        return torch.nn.functional.linear(inputs, self._weight, bias)


class Norm:
    """Root-mean-square norm over the last dimension, in float32."""

    def __init__(self, weight: Tensor, epsilon: float) -> None:
        self._weight, self._epsilon = weight.float(), epsilon

    def __call__(self, inputs: Tensor) -> Tensor:
        """Normalise float32 inputs of shape (..., size)."""
        return torch.nn.functional.rms_norm(inputs, self._weight.shape, self._weight, self._epsilon)


class Rotary:
    """Rotary positions, for queries and keys in one go."""

    def __init__(self, frequencies: Tensor, factor: float, heads: int, query_heads: int) -> None:
        """Take inverse frequencies, shape (size / 2,), the attention factor of scaled variants, and
        how many heads a row has: queries first, then keys. Queries also get 1 / sqrt(size).
        """
        size = 2 * len(frequencies)
        self._frequencies = torch.cat([frequencies, frequencies]).float()
        self._sign = torch.cat([-torch.ones(size // 2), torch.ones(size // 2)])
        self._scale = torch.full((heads, 1), factor)
        self._scale[:query_heads] *= size**-0.5
        self._half = size // 2

    def angles(self, positions: Tensor) -> tuple[Tensor, Tensor]:
        """What a step's rows are turned by; positions of shape (rows,) from 0."""
        turns = positions[:, None, None].float() * self._frequencies
        return turns.cos() * self._scale, turns.sin() * self._sign * self._scale

    def __call__(self, rows: Tensor, angles: tuple[Tensor, Tensor]) -> Tensor:
        """Turn float32 rows of shape (rows, heads, size)."""
        swapped = torch.cat([rows[..., self._half :], rows[..., : self._half]], dim=-1)
        return torch.addcmul(rows * angles[0], swapped, angles[1])
