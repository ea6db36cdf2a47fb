"""Sample many tasks so that a killed job goes on where it stopped and ends in the same bytes."""

import json
import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlrl.errors import UserError
from sqlrl.files import canonical_json, digest_text, write_json
from sqlrl.progress import ProgressReport
from sqlrl.records import from_json, read_text, to_line
from sqlrl.sampling.sampler import Prompt, Reply, Sampler, SamplingSettings

REPLIES, SPENT = "replies.jsonl", "spent.json"
# Batches that make one piece of work: many enough that ended sequences give way to waiting ones.
BATCHES_A_PIECE = 4


def work_folder(work: Path, made_from: Mapping[str, Any]) -> Path:
    """The folder of a job's unfinished work: other settings, code or inputs get another folder.

    Args:
        work: where unfinished work lies.
        made_from: all that decides the result, as JSON values: settings, code, digests of inputs.
    """
    return work / digest_text(canonical_json(made_from))[:16]


def sample_tasks(
    sampler: Sampler,
    prompts: Sequence[Prompt],
    k: int,
    settings: SamplingSettings,
    adapter: Path | None,
    seed: int,
    work: Path,
) -> list[Reply]:
    """Draw k replies a prompt, a piece of work at a time, each on disk before the next begins.

    Args:
        sampler: see Sampler; so are k (its n), settings, adapter and seed.
        prompts: in the order of the replies; the pieces are a pure function of it, k and batch_size.
        work: a folder for this job alone (see work_folder); what lies there is gone on from.

    Returns:
        len(prompts) * k replies, prompt by prompt.

    Raises:
        UserError: the prompts' keys are not unique, or what lies in ``work`` belongs to another job.
    """
    if len({prompt.key for prompt in prompts}) < len(prompts):
        raise UserError("a task occurs twice among those to sample.")
    pieces = _split(prompts, max(1, BATCHES_A_PIECE * settings.batch_size // k))
    replies, done = _resume(work / REPLIES, pieces, k)
    spent = read_spent(work)
    with ProgressReport(len(prompts) * k, "replies") as progress:
        progress.advance(len(replies))
        for piece in pieces[done:]:
            start = time.monotonic()
            landed = sampler.sample(piece, k, settings, adapter, seed)
            _append(work / REPLIES, landed)
            spent += time.monotonic() - start
            write_json(work / SPENT, {"seconds": spent})
            replies.extend(landed)
            progress.advance(len(landed))
    return replies


def read_spent(work: Path) -> float:
    """Seconds of sampling behind what lies in a work folder, earlier runs of the job included."""
    file = work / SPENT
    return float(json.loads(read_text(file))["seconds"]) if file.exists() else 0.0


def _split(prompts: Sequence[Prompt], size: int) -> list[Sequence[Prompt]]:
    return [prompts[start : start + size] for start in range(0, len(prompts), size)]


def _resume(file: Path, pieces: Sequence[Sequence[Prompt]], k: int) -> tuple[list[Reply], int]:
    """The replies of finished pieces and how many pieces they are; a piece cut off by a kill goes."""
    file.parent.mkdir(parents=True, exist_ok=True)
    if not file.exists():
        return [], 0
    # A kill can cut off only the last line, and that one lacks its end.
    lines = file.read_bytes().split(b"\n")[:-1]
    kept, done = 0, 0
    for piece in pieces:
        if kept + len(piece) * k > len(lines):
            break
        kept += len(piece) * k
        done += 1
    replies = [from_json(Reply, line.decode(), str(file)) for line in lines[:kept]]
    expected = [(prompt.key, sample) for piece in pieces[:done] for prompt in piece for sample in range(k)]
    if [(reply.task_id, reply.sample) for reply in replies] != expected:
        raise UserError(f"{file}: holds replies of another job. Remove {file.parent} and start again.")
    with file.open("r+b") as stream:
        stream.truncate(sum(len(line) + 1 for line in lines[:kept]))
    return replies, done


def _append(file: Path, replies: Sequence[Reply]) -> None:
    with file.open("ab") as stream:
        stream.write("".join(map(to_line, replies)).encode())
        stream.flush()
        os.fsync(stream.fileno())
