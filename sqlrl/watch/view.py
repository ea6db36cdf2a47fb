"""A run at one moment as text for a terminal."""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from sqlrl.report.words import count, duration, percent
from sqlrl.training.live import ShownReply
from sqlrl.training.log import TrainingStep
from sqlrl.watch.record import RECENT, Job, RunRecord, Training

BARS = "▁▂▃▄▅▆▇█"
COLOURS = {"match": "green", "wrong": "yellow", "error": "red"}
QUIET = 3.0  # times the usual step, after which the last sign of life is worth a colour


def _decimals(value: float) -> str:
    return f"{value:.3f}"


# What a step's line has of it, its name on the screen, and how it is written.
FIGURES: tuple[tuple[str, str, Callable[[float], str]], ...] = (
    ("reward", "reward", _decimals),
    ("zero_variance", "no variance", percent),
    ("completion_length", "reply tokens", lambda value: f"{value:.0f}"),
    ("truncated", "truncated", percent),
    ("kl", "KL", lambda value: f"{value:.4f}"),
    ("loss", "loss", lambda value: f"{value:.4g}"),
    ("entropy", "entropy", _decimals),
)


def render_run(record: RunRecord, now: float, width: int) -> RenderableType:
    """The whole screen: the stage's progress, its figures, a few replies, other jobs.

    Args:
        record: what to show.
        now: seconds since 1970.
        width: columns of the terminal.
    """
    parts: list[RenderableType] = []
    if record.training:
        parts += [*_progress(record, record.training, now), *_figures(record.training, width)]
        parts += _replies(record, width)
    else:
        parts.append(Text(f"{record.run}: no stage trains at the moment", style="bold"))
    parts += [Text(job_line(job), style="dim") for job in record.jobs]
    return Group(*parts)


def progress_line(record: RunRecord, now: float) -> str:
    """The same in one line, for a log."""
    jobs = [job_line(job) for job in record.jobs]
    if record.training is None:
        return "; ".join([f"{record.run}: no stage trains", *jobs])
    training, words = record.training, [_where(record, record.training)]
    if training.steps:
        words += [
            f"{name} {write(value)}"
            for key, name, write in FIGURES[:3] + FIGURES[4:6]
            if (value := getattr(training.steps[-1], key)) is not None
        ]
    words += _pace(training, now)
    return "; ".join([", ".join(words), *jobs])


def job_line(job: Job) -> str:
    """A job that does not train, in one line."""
    progress = job.progress
    how_far = "" if progress is None else f": {progress.done} of {progress.total}"
    if progress and progress.total is None:
        how_far = f": {progress.done}"
    return f"{job.checkpoint}: {job.what}{how_far}"


def sparkline(values: Sequence[float], width: int) -> str:
    """Values as bars of eight heights, from the lowest to the highest; neighbours that do not fit are averaged."""
    if not values:
        return ""
    columns = min(width, len(values))
    edges = [round(column * len(values) / columns) for column in range(columns + 1)]
    means = [sum(values[start:end]) / (end - start) for start, end in pairwise(edges)]
    low, high = min(means), max(means)
    if high - low < 1e-12:
        return BARS[len(BARS) // 2] * columns
    return "".join(BARS[min(int((mean - low) / (high - low) * len(BARS)), len(BARS) - 1)] for mean in means)


def _where(record: RunRecord, training: Training) -> str:
    done = len(training.steps)
    if training.complete:
        return f"{record.run}/{training.stage} is complete: {count(done, 'step')}"
    if training.total is None:
        return f"{record.run}/{training.stage}: {count(done, 'step')} done"
    return f"{record.run}/{training.stage}: step {done} of {training.total}"


def _pace(training: Training, now: float) -> list[str]:
    """Seconds a step, samples a second, time left."""
    if training.seconds_a_step is None:
        return []
    words = [f"{training.seconds_a_step:.1f} s a step"]
    recent = training.times[-RECENT:]
    rate = sum(time.samples_per_second for time in recent) / len(recent)
    words.append(f"{rate:.{1 if rate >= 1 else 2}f} samples/s")
    if training.complete:
        return [*words, f"{duration(sum(time.seconds for time in training.times))} in all"]
    left = training.seconds_left(now)
    return words if left is None else [*words, f"about {duration(left)} left"]


def _progress(record: RunRecord, training: Training, now: float) -> Iterator[RenderableType]:
    yield Text(_where(record, training), style="bold")
    if training.total:
        # A bar alone does not end its line.
        yield Padding(ProgressBar(total=training.total, completed=len(training.steps)), 0)
    pace = Text(", ".join(_pace(training, now)))
    if not training.complete:
        silent = now - training.news
        late = silent > QUIET * (training.seconds_a_step or 60.0)
        pace.append(
            f"{', ' if pace else ''}wrote last {duration(silent)} ago", style="yellow" if late else "dim"
        )
    yield pace


def _figures(training: Training, width: int) -> Iterator[RenderableType]:
    if not training.steps:
        yield Text("\nThe first step is under way.")
        return
    table = Table(box=None, padding=(0, 1), pad_edge=False)
    table.add_column("", no_wrap=True)
    table.add_column(f"steps 1 to {training.steps[-1].step}", no_wrap=True)
    table.add_column("last", justify="right", no_wrap=True)
    table.add_column(f"mean of {min(RECENT, len(training.steps))}", justify="right", no_wrap=True)
    for key, name, write in FIGURES:
        values = _values(training.steps, key)
        if values:
            recent = values[-RECENT:]
            table.add_row(
                name,
                sparkline(values, max(8, width - 36)),
                write(values[-1]),
                write(sum(recent) / len(recent)),
            )
    yield Text()
    yield table


def _values(steps: Sequence[TrainingStep], key: str) -> list[float]:
    return [float(value) for step in steps if (value := getattr(step, key)) is not None]


def _replies(record: RunRecord, width: int) -> Iterator[RenderableType]:
    training = record.training
    if not training or not training.replies:
        return
    yield Text(f"\nReplies of step {training.replies[0].step}")
    for reply in training.replies:
        yield _reply(reply, record.questions.get(reply.task_id, reply.task_id), width)


def _reply(reply: ShownReply, question: str, width: int) -> Text:
    """Two lines: the verdict with the question, the reply. Both are cut, and hold nothing that moves the cursor."""
    verdict = reply.verdict if reply.reason == reply.verdict else f"{reply.verdict} ({reply.reason})"
    head = Text(verdict, style=COLOURS.get(reply.verdict, ""), no_wrap=True, overflow="ellipsis")
    head.append(f"  {plain(question)}", style="default")
    head.truncate(width, overflow="ellipsis")
    body = Text(f"  {plain(reply.text) or '(empty)'}", style="dim", no_wrap=True)
    body.truncate(width, overflow="ellipsis")
    return Text("\n").join([head, body])


def plain(text: str) -> str:
    """A text in one line, without characters that do something to a terminal."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
