"""What a change would rebuild, in words: why each job runs, and what it took the last time."""

import csv
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlrl.config.dry_run import PlannedJob, changed_params, files_of

DIGEST = re.compile(r"[0-9a-f]{64}")
# Of Snakemake's reasons, those that say what a file's maker was not.
MISSING, UPDATED, UPSTREAM = (
    "Missing output files",
    "Updated input files",
    "Input files updated by another job",
)
OTHER_FILES = "Set of input files has changed since last execution"
# A file that only says what the one beside it was made from.
BESIDE = ".origin.json"
SECONDS_AN_HOUR = 3600
MOST_NAMED = 3


@dataclass(frozen=True)
class PlanLine:
    """Jobs of one rule for one reason.

    Attributes:
        group: the checkpoint that they are of, or what all runs share: "tasks of shop".
        rule, jobs: which, and how many.
        why: in words.
        seconds: that they took the last time, of those that are known; None where none is.
        unknown: how many never ran here.
        gpu_hours: likewise.
    """

    group: str
    rule: str
    jobs: int
    why: str
    seconds: float | None
    unknown: int
    gpu_hours: float


def plan_lines(
    jobs: Sequence[PlannedJob], modules_of: Callable[[str], Sequence[str] | None], root: Path
) -> list[PlanLine]:
    """Lines in the order of the plan, those of one group together.

    Args:
        jobs: of a dry run.
        modules_of: the modules that changed since a digest of code was taken; None where nothing is known of it.
        root: the folder that paths of benchmarks start in.
    """
    found: dict[tuple[str, str, str], list[PlannedJob]] = {}
    for job in jobs:
        why = "; ".join(dict.fromkeys(reasons(job, modules_of)))
        found.setdefault((group_of(job), job.rule, why), []).append(job)
    groups = list(dict.fromkeys(group for group, _, _ in found))
    lines = [_line(group, rule, why, of_line, root) for (group, rule, why), of_line in found.items()]
    return sorted(lines, key=lambda line: groups.index(line.group))


def group_of(job: PlannedJob) -> str:
    """What a job belongs to, by the folder of its first product."""
    parts = Path(job.outputs[0]).parts[1:]
    if parts[0] in ("databases", "tasks", "models"):
        return f"{parts[0].removesuffix('s') if parts[0] != 'tasks' else 'tasks of'} {parts[1]}"
    if len(parts) > 2 and parts[1] not in ("tasks", "logs", "benchmarks"):
        return parts[1]
    return f"tasks of {parts[0]}" if len(parts) > 2 else f"report of {parts[0]}"


def reasons(job: PlannedJob, modules_of: Callable[[str], Sequence[str] | None]) -> Iterator[str]:
    """Why a job runs, most telling first."""
    if changed := changed_params(job.reason):
        yield from _changed_settings(*changed, modules_of)
    if missing := list(files_of(job.reason, [MISSING])):
        yield f"not there yet: {_named(missing)}"
    if updated := list(files_of(job.reason, [UPDATED])):
        yield f"changed: {_named(updated)}"
    if OTHER_FILES in job.reason:
        yield "it reads other files than before"
    if upstream := list(files_of(job.reason, [UPSTREAM])):
        yield f"after {_named(sorted({_short(name) for name in upstream if not name.endswith(BESIDE)}))}"
    for words, said in (("Code has changed", "its command is another"), ("Forced", "forced")):
        if words in job.reason:
            yield said


def _changed_settings(
    before: Sequence[str], now: Sequence[str], modules_of: Callable[[str], Sequence[str] | None]
) -> Iterator[str]:
    old, new = (sorted(values, key=_kind) for values in (before, now))
    for kind in dict.fromkeys(map(_kind, (*old, *new))):
        was, is_now = ([one for one in values if _kind(one) == kind] for values in (old, new))
        if kind == "code":
            yield from (_changed_code(digest, modules_of) for digest in was)
        elif kind == "block" and len(was) == len(is_now):
            for one, other in _paired(was, is_now):
                yield from _differences(one, other)
        else:
            yield f"{' and '.join(was) or 'nothing'} is now {' and '.join(is_now) or 'nothing'}"


def _kind(value: str) -> str:
    if DIGEST.fullmatch(value):
        return "code"
    return "block" if isinstance(_parsed(value), dict) else "word"


def _changed_code(digest: str, modules_of: Callable[[str], Sequence[str] | None]) -> str:
    modules = modules_of(digest)
    return f"code changed: {_named(modules)}" if modules else "code changed (which module is not known)"


def _paired(before: Sequence[str], now: Sequence[str]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Blocks of settings with their later form: the one with most keys in common."""
    left = [_parsed(value) for value in now]
    for block in map(_parsed, before):
        other = max(left, key=lambda one: len(one.keys() & block.keys()))
        left.remove(other)
        yield block, other


def _differences(before: dict[str, Any], now: dict[str, Any], place: str = "") -> Iterator[str]:
    for key in [*before, *(key for key in now if key not in before)]:
        old, new = before.get(key), now.get(key)
        if isinstance(old, dict) and isinstance(new, dict):
            yield from _differences(old, new, f"{place}{key}.")
        elif old != new or (key in before) != (key in now):
            yield f"{place}{key}: {_said(before, key)} → {_said(now, key)}"


def _said(block: dict[str, Any], key: str) -> str:
    return json.dumps(block[key], ensure_ascii=False) if key in block else "not set"


def _parsed(value: str) -> Any:
    try:
        return json.loads(value)
    except json.JSONDecodeError:
        return value


def _line(group: str, rule: str, why: str, jobs: Sequence[PlannedJob], root: Path) -> PlanLine:
    times = [(_last_seconds(root, job), job.gpus) for job in jobs]
    known = [(seconds, gpus) for seconds, gpus in times if seconds is not None]
    return PlanLine(
        group=group,
        rule=rule,
        jobs=len(jobs),
        why=why,
        seconds=sum(seconds for seconds, _ in known) if known else None,
        unknown=len(times) - len(known),
        gpu_hours=sum(seconds * gpus for seconds, gpus in known) / SECONDS_AN_HOUR,
    )


def _last_seconds(root: Path, job: PlannedJob) -> float | None:
    """Wall seconds of the job's last run, from Snakemake's benchmark file; None where it never ran."""
    file = root / job.benchmark if job.benchmark else None
    if file is None or not file.is_file():
        return None
    with file.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t"))
    return float(rows[-1]["s"]) if rows else None


def _named(names: Sequence[str]) -> str:
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _short(path: str) -> str:
    """A file as a reader knows it: its folder and name, without the number of its pass."""
    parts = Path(path).parts
    return re.sub(r"-\d+(?=\.)", "", "/".join(parts[-2:]))
