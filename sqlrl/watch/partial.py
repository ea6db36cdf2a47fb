"""Files that a job still writes: a line that is cut off, or a file that goes meanwhile, is nothing special."""

import dataclasses
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar, cast

from sqlrl.errors import UserError
from sqlrl.records import from_dict

Record = TypeVar("Record")

SAID = re.compile(r"(?P<what>[\w ]+): (?P<done>\d+) of (?P<total>\d+),")
SAMPLE = re.compile(rb'"sample": ?(\d+)')
# Enough to hold the last lines of a log, and all samples of the first task of a file of replies.
TAIL, HEAD = 4096, 262144


@dataclasses.dataclass(frozen=True)
class Progress:
    """How far a job is: work that is done, and of how much, None where that is not known."""

    done: int
    total: int | None


def read_partial(path: Path, kind: type[Record]) -> list[Record]:
    """The whole lines of a file of records; none where it is not there.

    Keys that this version does not know are passed over, and lines that it cannot read: who watches wants
    what there is.
    """
    known = {field.name for field in dataclasses.fields(cast(Any, kind))}
    found = []
    for line in _whole_lines(path):
        try:
            value = json.loads(line)
            found.append(from_dict(kind, {key: value[key] for key in value if key in known}, str(path)))
        except (ValueError, TypeError, UserError):
            continue
    return found


def count_replies(path: Path, tasks: int | None) -> Progress | None:
    """How many replies of a job landed in its partial file; None where there is no such file.

    Args:
        path: of the file.
        tasks: that are sampled, where it is known: with the samples a task, how many replies there will be.
    """
    try:
        with path.open("rb") as stream:
            head = stream.read(HEAD)
            done = head.count(b"\n") + sum(
                chunk.count(b"\n") for chunk in iter(lambda: stream.read(1 << 20), b"")
            )
    except OSError:
        return None
    samples = [int(number) for number in SAMPLE.findall(head)]
    return Progress(done, tasks * (max(samples) + 1) if tasks and samples else None)


def last_said(log: Path) -> Progress | None:
    """The progress that a job's log said last, such as ``replies: 128 of 384, 60 s so far``."""
    try:
        with log.open("rb") as stream:
            stream.seek(max(0, log.stat().st_size - TAIL))
            text = stream.read().decode("utf-8", "replace")
    except OSError:
        return None
    said = [Progress(int(found["done"]), int(found["total"])) for found in SAID.finditer(text)]
    return said[-1] if said else None


def newest(paths: Iterable[Path]) -> Path | None:
    """The path that changed last; None where none is there."""
    times = [(time, path) for path in paths if (time := changed(path)) is not None]
    return max(times, key=lambda one: one[0])[1] if times else None


def changed(path: Path) -> float | None:
    """When a file or folder changed last, in seconds since 1970; None where it is not there."""
    try:
        return path.stat().st_mtime
    except OSError:
        return None


def _whole_lines(path: Path) -> list[str]:
    try:
        content = path.read_bytes()
    except OSError:
        return []
    return content[: content.rfind(b"\n") + 1].decode("utf-8", "replace").splitlines()
