"""What a run is doing now, read from its files."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from sqlrl.training.live import LATEST, PLAN, Plan, ShownReply
from sqlrl.training.log import StepTime, TrainingStep
from sqlrl.watch.partial import Progress, changed, count_replies, last_said, newest, read_partial

# A job that wrote nothing for so long has ended, whatever it left: a piece of sampling takes minutes on a CPU.
SILENCE = 1800.0
RECENT = 10


@dataclass(frozen=True)
class Training:
    """A stage that trains, or one that is complete.

    Attributes:
        stage: its name.
        total: how many steps it takes, None where nothing says so.
        steps: those that are done.
        times: how long each took.
        replies: a few of the newest step.
        complete: whether its adapter is there.
        news: when it wrote last, in seconds since 1970.
    """

    stage: str
    total: int | None
    steps: tuple[TrainingStep, ...]
    times: tuple[StepTime, ...]
    replies: tuple[ShownReply, ...]
    complete: bool
    news: float

    @property
    def seconds_a_step(self) -> float | None:
        """Of the recent steps; None before the first."""
        recent = self.times[-RECENT:]
        return sum(time.seconds for time in recent) / len(recent) if recent else None

    def seconds_left(self, now: float) -> float | None:
        """Until the last step, as the recent ones went; None where it cannot be known."""
        if self.total is None or self.seconds_a_step is None:
            return None
        under_way = min(max(now - self.news, 0.0), self.seconds_a_step)
        return max((self.total - len(self.steps)) * self.seconds_a_step - under_way, 0.0)


@dataclass(frozen=True)
class Job:
    """A job that does not train: its checkpoint, what it does, how far it is, and when it wrote last."""

    checkpoint: str
    what: str
    progress: Progress | None
    news: float


@dataclass(frozen=True)
class RunRecord:
    """A run at one moment: the stage that trains, if any, the other jobs, and the questions by task id."""

    run: str
    training: Training | None
    jobs: tuple[Job, ...]
    questions: Mapping[str, str]


def read_run(folder: Path, stage: str | None, now: float) -> RunRecord:
    """Read what lies in a run's folder.

    Args:
        folder: ``results/<run>``.
        stage: the stage to show; None shows the one that trains.
        now: seconds since 1970; what wrote nothing for SILENCE seconds is not at work any more.
    """
    if stage is None:
        live = [one for one in stages(folder) if _work_of(folder / one)]
        found = [read_stage(folder / one) for one in live]
        recent = [one for one in found if now - one.news < SILENCE]
        training = max(recent, key=lambda one: one.news, default=None)
    else:
        training = read_stage(folder / stage)
    shown = {reply.task_id for reply in training.replies} if training else set()
    jobs = tuple(job for job in _jobs(folder) if now - job.news < SILENCE)
    return RunRecord(folder.absolute().name, training, jobs, read_questions(folder, shown))


def stages(folder: Path) -> list[str]:
    """The stages of a run that began: all that has an adapter, or work towards one."""
    return sorted(
        one.name
        for one in folder.iterdir()
        if "@" not in one.name and ((one / "training_log.jsonl").exists() or _work_of(one))
    )


def read_stage(folder: Path) -> Training:
    """Read a stage that trains from its work, or one that is complete from its products."""
    work = _work_of(folder)
    log = (work or folder) / "training_log.jsonl"
    times = work / "step_times.jsonl" if work else folder / "timings" / "train-steps.jsonl"
    steps = tuple(read_partial(log, TrainingStep))
    complete = _is_complete(folder)
    latest = work / LATEST if work else None
    written = [changed(path) for path in (log, times, latest, work and work / PLAN) if path]
    return Training(
        stage=folder.name,
        total=len(steps) if complete else _total(folder, work),
        steps=steps,
        times=tuple(read_partial(times, StepTime)),
        replies=tuple(read_partial(latest, ShownReply)) if latest else (),
        complete=complete,
        news=max((time for time in written if time is not None), default=0.0),
    )


def read_questions(folder: Path, wanted: set[str]) -> dict[str, str]:
    """The questions of some of the run's training tasks, by task id."""
    if not wanted:
        return {}
    found = {}
    for file in (folder / "tasks").glob("*-train.jsonl"):
        for line in file.read_text(encoding="utf-8", errors="replace").splitlines():
            if any(task in line for task in wanted):
                value = json.loads(line)
                found[value["id"]] = value["question"]
    return {task: found[task] for task in wanted if task in found}


def _work_of(folder: Path) -> Path | None:
    """The work folder of a stage that is being trained; the newest, where killed jobs of other settings left some."""
    if _is_complete(folder):
        return None
    log = newest(folder.glob("work/*/training_log.jsonl"))
    return log.parent if log else None


def _is_complete(folder: Path) -> bool:
    """adapter.json is the last that a stage writes, and the first that goes when it is trained again."""
    return (folder / "adapter" / "adapter.json").exists()


def _total(folder: Path, work: Path | None) -> int | None:
    try:
        return Plan(**json.loads((work / PLAN).read_text(encoding="utf-8"))).steps if work else None
    except (OSError, ValueError, TypeError):
        said = last_said(folder / "logs" / "train.log")
        return said.total if said else None


def _jobs(folder: Path) -> Iterator[Job]:
    """Jobs whose log is there and whose product is not; a stage that trains already is none of them."""
    for checkpoint in sorted(path for path in folder.iterdir() if path.is_dir()):
        logs = sorted(checkpoint.glob("logs/*.log"))
        open_jobs = [(log, what) for log in logs if (what := _at_work(checkpoint, log))]
        sampling = [log for log, _ in open_jobs if not log.stem.startswith(("scores", "train"))]
        for log, what in open_jobs:
            partial = newest(checkpoint.glob("work/*/replies.jsonl")) if sampling == [log] else None
            progress = last_said(log)
            if partial:
                progress = count_replies(partial, _tasks_of(folder, log)) or progress
            news = [changed(log), changed(partial) if partial else None]
            yield Job(checkpoint.name, what, progress, max(time for time in news if time is not None))


def _at_work(checkpoint: Path, log: Path) -> str | None:
    """What the job of a log does; None where its product is there, or it is no such job."""
    kind, _, rest = log.stem.partition("-")
    products = {
        "band": ("measuring the band", "band.jsonl"),
        "replies": ("collecting replies", "replies.jsonl"),
        "parity": ("checking parity", "parity.json"),
        "rollouts": (f"sampling {rest}", f"rollouts/{rest}.jsonl"),
        "scores": (f"judging {rest}", f"scores/{rest}.jsonl"),
        "train": ("starting to train", "adapter/adapter.json"),
    }
    if kind not in products or (kind == "train" and _work_of(checkpoint)):
        return None
    what, product = products[kind]
    return None if (checkpoint / product).exists() else what


def _tasks_of(folder: Path, log: Path) -> int | None:
    """How many tasks a job of rollouts samples: its log is named after database, part and pass."""
    kind, _, rest = log.stem.partition("-")
    tasks = folder / "tasks" / f"{rest.rpartition('-')[0]}.jsonl"
    if kind != "rollouts" or not tasks.exists():
        return None
    return tasks.read_bytes().count(b"\n")
