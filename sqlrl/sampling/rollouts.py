"""Sample many tasks so that a killed job goes on where it stopped and ends in the same bytes."""

import json
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlrl.errors import UserError
from sqlrl.files import canonical_json, digest_text, write_json
from sqlrl.landing import append_records, end_after, whole_lines
from sqlrl.progress import ProgressReport
from sqlrl.records import from_json, read_text
from sqlrl.sampling.sampler import LandingSampler, Prompt, Reply, Request, Sampler, SamplingSettings

REPLIES, SPENT = "replies.jsonl", "spent.json"
# Batches that make one piece of work: many enough that ended sequences give way to waiting ones.
BATCHES_A_PIECE = 4
# Replies may land faster than that: the time spent is then not written with each.
SECONDS_BETWEEN_TIMES = 1.0


@dataclass(frozen=True)
class RolloutSettings:
    """k samples a task, the sampling settings (see SamplingSettings), and the seed of all streams."""

    k: int
    temperature: float
    top_p: float
    max_tokens: int
    batch_size: int
    seed: int

    @property
    def sampling(self) -> SamplingSettings:
        """How each reply is drawn."""
        return SamplingSettings(self.temperature, self.top_p, self.max_tokens, self.batch_size)


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

    A piece is some batches of whole prompts, or one reply where the sampler hands over each as it lands.

    Args:
        sampler: see Sampler; so are k (its n), settings, adapter and seed.
        prompts: in the order of the replies; batches are a pure function of it, k and batch_size.
        work: a folder for this job alone (see work_folder); what lies there is gone on from.

    Returns:
        len(prompts) * k replies, prompt by prompt.

    Raises:
        UserError: the prompts' keys are not unique, or what lies in ``work`` belongs to another job.
    """
    if len({prompt.key for prompt in prompts}) < len(prompts):
        raise UserError("a task occurs twice among those to sample.")
    if isinstance(sampler, LandingSampler):
        wanted = [Request(prompt, number) for prompt in prompts for number in range(k)]
        return _sample_each(sampler, wanted, settings, adapter, seed, work)
    return _sample_pieces(sampler, prompts, k, settings, adapter, seed, work)


def _sample_pieces(
    sampler: Sampler,
    prompts: Sequence[Prompt],
    k: int,
    settings: SamplingSettings,
    adapter: Path | None,
    seed: int,
    work: Path,
) -> list[Reply]:
    """Piece by piece: the same batches whether or not the job was killed, so the same bytes."""
    pieces = _split(prompts, max(1, BATCHES_A_PIECE * settings.batch_size // k))
    replies, done = _resume(work / REPLIES, pieces, k)
    spent = read_spent(work)
    with ProgressReport(len(prompts) * k, "replies") as progress:
        progress.advance(len(replies))
        for piece in pieces[done:]:
            start = time.monotonic()
            landed = sampler.sample(piece, k, settings, adapter, seed)
            append_records(work / REPLIES, landed)
            spent += time.monotonic() - start
            write_json(work / SPENT, {"seconds": spent})
            replies.extend(landed)
            progress.advance(len(landed))
    return replies


def _sample_each(
    sampler: LandingSampler,
    wanted: Sequence[Request],
    settings: SamplingSettings,
    adapter: Path | None,
    seed: int,
    work: Path,
) -> list[Reply]:
    """Reply by reply, in whatever order they land: what was drawn once is never asked for again."""
    landed = _resume_each(work / REPLIES, wanted)
    missing = [one for one in wanted if (one.prompt.key, one.sample) not in landed]
    before, start = read_spent(work), time.monotonic()
    said = 0.0
    # Closed whatever happens here, or the requests that wait would still be made.
    with (
        closing(sampler.land(missing, settings, adapter, seed)) as replies,
        ProgressReport(len(wanted), "replies") as progress,
    ):
        progress.advance(len(landed))
        for reply in replies:
            append_records(work / REPLIES, [reply])
            if time.monotonic() - said >= SECONDS_BETWEEN_TIMES or len(landed) + 1 == len(wanted):
                said = time.monotonic()
                write_json(work / SPENT, {"seconds": before + said - start})
            landed[reply.task_id, reply.sample] = reply
            progress.advance()
    return [landed[one.prompt.key, one.sample] for one in wanted]


def read_spent(work: Path) -> float:
    """Seconds of sampling behind what lies in a work folder, earlier runs of the job included."""
    file = work / SPENT
    return float(json.loads(read_text(file))["seconds"]) if file.exists() else 0.0


def _split(prompts: Sequence[Prompt], size: int) -> list[Sequence[Prompt]]:
    return [prompts[start : start + size] for start in range(0, len(prompts), size)]


def _resume(file: Path, pieces: Sequence[Sequence[Prompt]], k: int) -> tuple[list[Reply], int]:
    """The replies of finished pieces and how many pieces they are; a piece cut off by a kill goes."""
    lines = whole_lines(file)
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
    end_after(file, lines[:kept])
    return replies, done


def _resume_each(file: Path, wanted: Sequence[Request]) -> dict[tuple[str, int], Reply]:
    """The replies that landed, by task and sample."""
    lines = whole_lines(file)
    replies = [from_json(Reply, line.decode(), str(file)) for line in lines]
    landed = {(reply.task_id, reply.sample): reply for reply in replies}
    if landed.keys() - {(one.prompt.key, one.sample) for one in wanted}:
        raise UserError(f"{file}: holds replies of another job. Remove {file.parent} and start again.")
    end_after(file, lines)
    return landed
