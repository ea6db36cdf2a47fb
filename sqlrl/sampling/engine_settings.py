"""What vLLM's engine may take of a machine: none of it decides a reply."""

from dataclasses import dataclass, fields

from sqlrl.assignments import parse_assignments
from sqlrl.errors import UserError

# Ranks for which vLLM has kernels (vllm/config/lora.py).
RANKS = (1, 8, 16, 32, 64, 128, 256, 320, 512)


@dataclass(frozen=True)
class EngineSettings:
    """How large the engine is.

    Attributes:
        memory: share of a GPU's memory that it takes, in (0, 1]; without a GPU nothing.
        positions: tokens that a prompt and its reply may have together; the model's own limit counts too.
        tensor_parallel: GPUs that share the weights.
        stall_seconds: seconds without a sign of life after which the engine is given up.
    """

    memory: float = 0.85
    positions: int = 8192
    tensor_parallel: int = 1
    stall_seconds: int = 600


def parse_engine(text: str, where: str) -> EngineSettings:
    """Read ``memory=0.85,positions=8192,...``; what is not named keeps its default.

    Raises:
        UserError: an unknown name, or no number.
    """
    known = {field.name: float if field.name == "memory" else int for field in fields(EngineSettings)}
    values = parse_assignments(text, known, where)
    return EngineSettings(**values)


def fitting_rank(rank: int) -> int:
    """The smallest rank that vLLM has kernels for and that holds this one.

    Raises:
        UserError: there is none.
    """
    for allowed in RANKS:
        if rank <= allowed:
            return allowed
    raise UserError(f"lora.rank is {rank}; vLLM serves ranks up to {RANKS[-1]}.")
