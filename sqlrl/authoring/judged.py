"""Queries compared by the verifier where some of them may be no reference at all."""

from collections.abc import Sequence

from sqlrl.errors import UserError
from sqlrl.verifier.reward import Outcome, Submission
from sqlrl.verifier.verifier import Verifier

Found = tuple[str | None, dict[str, Outcome]]


def judge_each(verifier: Verifier, submissions: Sequence[Submission]) -> list[Found | None]:
    """What each reply gives on every instance (see Verifier.find_outcomes); None where its reference is unfit.

    One unfit reference stops a whole batch, so a stopped batch is halved until the reference is alone.
    """
    if not submissions:
        return []
    try:
        return list(verifier.find_outcomes(submissions))
    except UserError:
        if len(submissions) == 1:
            return [None]
    middle = len(submissions) // 2
    return judge_each(verifier, submissions[:middle]) + judge_each(verifier, submissions[middle:])


def as_reply(sql: str) -> str:
    """A query as a model would write it."""
    return f"```sql\n{sql}\n```"


def matches(found: Found | None) -> bool:
    """Whether a reply has the reference's rows on every instance."""
    return found is not None and all(outcome.verdict == "match" for outcome in found[1].values())
