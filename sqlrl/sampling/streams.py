"""One stream of random numbers a sequence, a pure function of what the sequence is."""

import hashlib

import numpy as np
from numpy.typing import NDArray

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


def stream_of(seed: int, key: str, sample: int) -> int:
    """The stream of one sequence: 64 bits of a hash of (seed, prompt key, sample)."""
    name = f"{seed}\0{key}\0{sample}".encode()
    return int.from_bytes(hashlib.sha256(name).digest()[:8], "little")


def uniforms(streams: NDArray[np.uint64], positions: NDArray[np.uint64]) -> NDArray[np.float64]:
    """The numbers of some streams at some positions.

    SplitMix64 (Steele, Lea and Flood 2014) used as a counter: no state is kept, so a sequence draws
    the same numbers whichever others run beside it.

    Args:
        streams: shape (sequences,).
        positions: shape (sequences,), each from 0.

    Returns:
        Shape (sequences,), each in [0, 1), 53 bits fine.
    """
    bits = streams + (positions + np.uint64(1)) * GOLDEN
    bits = (bits ^ (bits >> np.uint64(30))) * FIRST
    bits = (bits ^ (bits >> np.uint64(27))) * SECOND
    bits = bits ^ (bits >> np.uint64(31))
    drawn: NDArray[np.float64] = (bits >> np.uint64(11)).astype(np.float64) * 2.0**-53
    return drawn
