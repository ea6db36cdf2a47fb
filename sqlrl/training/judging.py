"""Judges replies while others are still being drawn, so that the trainer seldom waits for Postgres."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from types import TracebackType

from sqlrl.authoring.task import Task
from sqlrl.sampling.sampler import Reply
from sqlrl.verifier.reward import Submission, Verdict, VerifierSettings

Judge = Callable[[Sequence[Submission]], list[Verdict]]

# Replies that are judged together: many enough to keep all judging workers busy.
TOGETHER = 16


class Judging:
    """Judges the replies to some tasks in a thread of its own; a context manager."""

    def __init__(self, judge: Judge, tasks: Mapping[str, Task]) -> None:
        """Judge by ``judge``, one batch at a time; ``tasks`` by id."""
        self._judge, self._tasks = judge, tasks
        self._pool = ThreadPoolExecutor(1)
        self._waiting: list[Reply] = []
        self._judged: list[tuple[list[Reply], Future[list[Verdict]]]] = []

    def __enter__(self) -> "Judging":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.shutdown(cancel_futures=True)

    def hear(self, *replies: Reply) -> None:
        """Take replies; they are judged together, as soon as enough have come."""
        self._waiting.extend(replies)
        if len(self._waiting) >= TOGETHER:
            self._submit()

    def verdicts(self, replies: Sequence[Reply]) -> list[Verdict]:
        """The verdicts of all replies that were heard, in the order of ``replies``."""
        if self._waiting:
            self._submit()
        found = {
            (reply.task_id, reply.sample): verdict
            for batch, future in self._judged
            for reply, verdict in zip(batch, future.result(), strict=True)
        }
        return [found[reply.task_id, reply.sample] for reply in replies]

    def _submit(self) -> None:
        batch, self._waiting = self._waiting, []
        self._judged.append((batch, self._pool.submit(self._judge, [self._submission(one) for one in batch])))

    def _submission(self, reply: Reply) -> Submission:
        task = self._tasks[reply.task_id]
        return Submission(task.database, reply.text, task.reference_sql)


def pay(
    replies: Sequence[Reply], verdicts: Sequence[Verdict], truncated: str, payment: VerifierSettings
) -> list[Verdict]:
    """The verdicts as a stage pays them: see GrpoSettings.truncated."""
    if truncated != "zero":
        return list(verdicts)
    return [
        replace(verdict, reward=payment.error_reward) if reply.finish_reason == "length" else verdict
        for reply, verdict in zip(replies, verdicts, strict=True)
    ]
