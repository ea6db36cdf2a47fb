"""Replies that were paid for: each is on disk as it lands, and none is paid for twice."""

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from sqlrl.authoring.spending import Cost
from sqlrl.errors import UserError
from sqlrl.landing import append_records, end_after, whole_lines
from sqlrl.records import from_json
from sqlrl.sampling.client import Answer

REPLIES = "replies.jsonl"
# Below this nothing is asked: a reply that finds no room is paid for and lost.
LEAST_FREE_BYTES = 32 * 1024 * 1024


@dataclass(frozen=True)
class PaidReply:
    """One reply as it came: the request's key, and an Answer's fields."""

    key: str
    text: str
    finish_reason: Literal["stop", "length"]
    prompt_tokens: int
    reply_tokens: int
    cached_tokens: int

    @property
    def cost(self) -> Cost:
        """What the server counted."""
        return Cost(self.prompt_tokens, self.reply_tokens)


class Ledger:
    """All replies of one database's teachers, whatever they were asked for: a request is its key."""

    def __init__(self, folder: Path) -> None:
        """Go on from what lies in ``folder``.

        Raises:
            UserError: names the line that is no reply.
        """
        self.file = folder / REPLIES
        lines = whole_lines(self.file)
        replies = [
            from_json(PaidReply, line.decode(), f"{self.file}:{number}")
            for number, line in enumerate(lines, start=1)
        ]
        end_after(self.file, lines)
        self._replies = {reply.key: reply for reply in replies}

    def find(self, key: str) -> PaidReply | None:
        """The reply to a request that was made before."""
        return self._replies.get(key)

    def keep(self, key: str, answer: Answer) -> PaidReply:
        """Write a reply down."""
        reply = PaidReply(
            key=key,
            text=answer.text,
            finish_reason=answer.finish_reason,
            prompt_tokens=answer.prompt_tokens,
            reply_tokens=answer.reply_tokens,
            cached_tokens=answer.cached_tokens,
        )
        append_records(self.file, [reply])
        self._replies[key] = reply
        return reply

    def require_room(self) -> None:
        """Raise UserError where replies that are paid for might find no room."""
        free = shutil.disk_usage(self.file.parent).free
        if free < LEAST_FREE_BYTES:
            raise UserError(
                f"{self.file}: only {free // 2**20} MB are free on this disk, and a reply that finds no room is paid "
                "for and lost. Nothing more is asked: free some room and run the same command again."
            )
