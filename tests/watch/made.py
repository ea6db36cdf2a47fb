"""A run's folder as it looks while a stage trains, written by hand."""

import json
import os
from dataclasses import replace
from pathlib import Path

from sqlrl.files import write_json, write_text
from sqlrl.records import to_line
from sqlrl.training.live import LATEST, Plan, ShownReply, write_plan
from sqlrl.training.log import StepTime, TrainingStep

NOW = 1_800_000_000.0
STEP = TrainingStep(
    step=1, loss=0.02, learning_rate=1e-4, gradient_norm=1.0, tokens=640, samples=16, reward=0.2, groups=2,
    zero_variance=0.5, gradient_samples=8, entropy=0.3, completion_length=40.0, truncated=0.0,
)  # fmt: skip
QUESTION = "Which customers from Spain have never had an order shipped?"
REPLIES = (
    ShownReply(4, "a", "```sql\nSELECT name FROM customers\n```", "match", "match", 1.0),
    ShownReply(4, "b", "\x1b[2J\x1b]0;mine\x07 I [red]can't[/red].", "error", "no_sql", 0.0),
)


class MadeRun:
    """``results/made`` below a folder; every method writes one part of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "results" / "made"
        task = {"id": "a", "question": QUESTION}
        for part in ("train", "holdout"):
            write_text(self.folder / f"tasks/shop-{part}.jsonl", f"{json.dumps(task)}\n" * 3)

    def train(self, steps: int, of: int = 20, stage: str = "grpo", key: str = "aaaa", **changes) -> Path:
        """Let a stage have done so many steps; its work folder."""
        work = self.folder / stage / "work" / key
        self.log(stage, "train")
        write_plan(work, Plan("grpo", of))
        lines = [replace(STEP, step=number, reward=number / 10, **changes) for number in range(1, steps + 1)]
        write_text(work / "training_log.jsonl", "".join(map(to_line, lines)))
        times = [StepTime(number, 8.0, 2.0) for number in range(1, steps + 1)]
        write_text(work / "step_times.jsonl", "".join(map(to_line, times)))
        write_text(work / LATEST, "".join(map(to_line, REPLIES)))
        return self.touch(work)

    def complete(self, steps: int, stage: str = "grpo") -> None:
        """Let a stage be complete."""
        self.log(stage, "train")
        folder = self.folder / stage
        lines = [replace(STEP, step=number) for number in range(1, steps + 1)]
        write_text(folder / "training_log.jsonl", "".join(map(to_line, lines)))
        times = [StepTime(number, 8.0, 2.0) for number in range(1, steps + 1)]
        write_text(folder / "timings/train-steps.jsonl", "".join(map(to_line, times)))
        write_json(folder / "adapter/adapter.json", {})
        for file in folder.glob("work/*/*"):
            file.unlink()
        self.touch(folder)

    def log(self, checkpoint: str, name: str, text: str = "", age: float = 0.0) -> Path:
        """Let a job have begun, and said something."""
        path = self.folder / checkpoint / "logs" / f"{name}.log"
        write_text(path, text)
        return self.touch(path, age)

    def replies(self, checkpoint: str, count: int, k: int) -> Path:
        """Let so many replies have landed."""
        lines = [json.dumps({"task_id": "a", "sample": n % k, "text": "x" * 99}) + "\n" for n in range(count)]
        path = self.folder / checkpoint / "work" / "bbbb" / "replies.jsonl"
        write_text(path, "".join(lines))
        return self.touch(path)

    @staticmethod
    def touch(path: Path, age: float = 0.0) -> Path:
        """Let a file, or all in a folder, be written so many seconds before NOW."""
        for file in [path, *path.rglob("*")]:
            os.utime(file, (NOW - age, NOW - age))
        return path
