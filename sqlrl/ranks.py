"""The processes that train one stage side by side, one a GPU; a single process is the common case.

Each process holds the whole policy, samples and judges its share of a step's prompts and learns from its share
of the groups. What decides anything (the groups, their rewards, the feed) is gathered first, so that all
processes decide alike.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

import torch
import torch.distributed as distributed
from accelerate import PartialState
from accelerate.utils import gather_object

Item = TypeVar("Item")

# What tells a process that it is one of several; a process that it starts is not.
COMPANIONS = (
    "RANK",
    "WORLD_SIZE",
    "LOCAL_RANK",
    "LOCAL_WORLD_SIZE",
    "GROUP_RANK",
    "MASTER_ADDR",
    "MASTER_PORT",
)


def rank() -> int:
    """The number of this process, from 0."""
    return int(PartialState(cpu=not torch.cuda.is_available()).process_index)


def world() -> int:
    """How many processes there are."""
    return int(PartialState(cpu=not torch.cuda.is_available()).num_processes)


def is_first() -> bool:
    """Whether this process writes what all would write alike."""
    return rank() == 0


def wait() -> None:
    """Go on when all processes are here."""
    PartialState().wait_for_everyone()


def share(items: Sequence[Item]) -> Sequence[Item]:
    """This process's part of some items: neighbours, in the order of the processes; nearly as many as any other's."""
    return items[len(items) * rank() // world() : len(items) * (rank() + 1) // world()]


def gather(items: Sequence[Item]) -> list[Item]:
    """The parts of all processes, one after another; every process must call it."""
    return list(gather_object(list(items))) if world() > 1 else list(items)


def any_says(said: bool) -> bool:
    """Whether any process says so; every process must call it."""
    return any(gather([said]))


def average_gradients(parameters: Iterable[torch.nn.Parameter]) -> None:
    """Give every process the mean of all processes' gradients.

    The loss passes by the wrapper that does this elsewhere, since a shared prefix completes its gradients only
    after the last micro-batch.
    """
    if world() == 1:
        return
    for parameter in parameters:
        if parameter.requires_grad:
            if parameter.grad is None:
                parameter.grad = torch.zeros_like(parameter)
            distributed.all_reduce(parameter.grad)
            parameter.grad /= world()


@contextmanager
def alone() -> Iterator[None]:
    """Let what is started here see one GPU, that of this process, and no other process."""
    if world() == 1:
        yield
        return
    before = {name: os.environ.pop(name, None) for name in (*COMPANIONS, "CUDA_VISIBLE_DEVICES")}
    seen = (before["CUDA_VISIBLE_DEVICES"] or "").split(",")
    local = int(before["LOCAL_RANK"] or 0)
    os.environ["CUDA_VISIBLE_DEVICES"] = seen[local] if local < len(seen) and seen[local] else str(local)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value
