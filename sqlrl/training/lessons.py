"""What an SFT stage imitates: reference SQL as the system prompt asks for it, or the policy's own replies."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlrl.authoring.task import Task
from sqlrl.errors import UserError
from sqlrl.models.prompts import PromptWriter
from sqlrl.training.exchange import Exchange, ideal_exchange
from sqlrl.training.replies import VerifiedReply


@dataclass(frozen=True)
class Lesson:
    """A task and a reply to imitate, as token ids; None stands for the ideal reply with its reference SQL."""

    id: str
    task: Task
    reply: tuple[int, ...] | None

    def exchange(self, prompts: PromptWriter) -> Exchange:
        """The lesson as token ids."""
        if self.reply is None:
            return ideal_exchange(self.task, prompts)
        prompt = prompts.write(self.task.id, self.task.database, self.task.question)
        return Exchange(prompt.token_ids, self.reply, prompt.prefix_length)


def lessons_from_references(tasks: Sequence[Task]) -> list[Lesson]:
    """One lesson a task."""
    return [Lesson(task.id, task, None) for task in tasks]


def lessons_from_replies(tasks: Sequence[Task], replies: Sequence[VerifiedReply]) -> list[Lesson]:
    """One lesson a reply.

    Raises:
        UserError: a reply is to a task that is not among these.
    """
    by_id = {task.id: task for task in tasks}
    unknown = sorted({reply.task_id for reply in replies} - by_id.keys())
    if unknown:
        raise UserError(f"there is a reply to task {unknown[0]!r}, which is not among the training tasks.")
    return [
        Lesson(f"{reply.task_id}-{reply.sample}", by_id[reply.task_id], reply.token_ids) for reply in replies
    ]
