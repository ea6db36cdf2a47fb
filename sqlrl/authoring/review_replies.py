"""What a solver's replies say of the references: each is judged by the verifier, and compared with the others."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations

from sqlrl.authoring.judged import Found, as_reply, judge_each, matches
from sqlrl.authoring.review import OTHER_ANSWER, OtherAnswer, Tally
from sqlrl.authoring.task import Task
from sqlrl.sampling.sampler import Reply
from sqlrl.verifier.reward import Outcome, Submission
from sqlrl.verifier.verifier import Verifier

BATCH = 64


@dataclass
class _Answers:
    """The replies to one task: how many ran and matched, and the other queries with how often each came."""

    task: Task
    replies: int = 0
    ran: int = 0
    matching: int = 0
    others: Counter[str] = field(default_factory=Counter)
    outcomes: dict[str, dict[str, Outcome]] = field(default_factory=dict)

    def add(self, found: Found) -> None:
        sql, outcomes = found
        self.replies += 1
        if sql is None or any(outcome.verdict == "error" for outcome in outcomes.values()):
            return
        self.ran += 1
        if matches(found):
            self.matching += 1
        else:
            self.others[sql] += 1
            self.outcomes[sql] = outcomes


def tally_replies(
    verifier: Verifier,
    tasks: Sequence[Task],
    replies: Mapping[str, Sequence[Reply]],
    advance: Callable[[int], None],
) -> dict[str, tuple[Tally, OtherAnswer | None]]:
    """By task: what became of its replies, and the other answer where it has more than half of them.

    A reply runs, matches, or equals another only where it does so on main and on every twin. Two replies are
    equal where the verifier takes either for the other's reference.

    Args:
        verifier: on main and all twins.
        tasks: whose references run.
        replies: by task, any number each; tasks without any are left out.
        advance: called with the number of tasks that were judged since the last call.
    """
    asked = [task for task in tasks if replies.get(task.id)]
    found: dict[str, tuple[Tally, OtherAnswer | None]] = {}
    for start in range(0, len(asked), BATCH):
        batch = _judge(verifier, asked[start : start + BATCH], replies)
        groups = _group(verifier, batch)
        for one, alike in zip(batch, groups, strict=True):
            tally = Tally(one.replies, one.ran, one.matching, sum(one.others[sql] for sql in alike))
            other = _describe(verifier, one, alike) if tally.agreement == OTHER_ANSWER else None
            found[one.task.id] = (tally, other)
        advance(len(batch))
    return found


def largest_group(counts: Mapping[str, int], equal: Callable[[str, str], bool]) -> list[str]:
    """The queries of the most frequent answer: those that equal the first of their kind; the first wins a tie."""
    groups: list[list[str]] = []
    for sql in counts:
        home = next((group for group in groups if equal(group[0], sql)), None)
        if home is None:
            groups.append([sql])
        else:
            home.append(sql)
    return max(groups, key=lambda group: sum(counts[sql] for sql in group), default=[])


def _judge(
    verifier: Verifier, tasks: Sequence[Task], replies: Mapping[str, Sequence[Reply]]
) -> list[_Answers]:
    pairs = [(task, reply) for task in tasks for reply in replies[task.id]]
    answers = {task.id: _Answers(task) for task in tasks}
    submissions = [Submission(task.database, reply.text, task.reference_sql) for task, reply in pairs]
    for (task, _), found in zip(pairs, judge_each(verifier, submissions), strict=True):
        if found is not None:
            answers[task.id].add(found)
    return [answer for answer in answers.values() if answer.replies]


def _group(verifier: Verifier, batch: Sequence[_Answers]) -> list[list[str]]:
    """Of each task the queries of its most frequent other answer."""
    pairs = [(place, *pair) for place, one in enumerate(batch) for pair in permutations(one.others, 2)]
    submissions = [
        Submission(batch[place].task.database, as_reply(sql), reference) for place, sql, reference in pairs
    ]
    judged = judge_each(verifier, submissions)
    equal = {pair for pair, found in zip(pairs, judged, strict=True) if matches(found)}

    def equal_in(place: int) -> Callable[[str, str], bool]:
        return lambda one, other: (place, one, other) in equal or (place, other, one) in equal

    return [largest_group(one.others, equal_in(place)) for place, one in enumerate(batch)]


def _describe(verifier: Verifier, one: _Answers, alike: Sequence[str]) -> OtherAnswer:
    sql = max(alike, key=lambda query: one.others[query])
    outcomes = one.outcomes[sql]
    instance = next(name for name, outcome in outcomes.items() if outcome.verdict != "match")
    itself = Submission(one.task.database, as_reply(one.task.reference_sql), one.task.reference_sql)
    [(_, reference)] = verifier.find_outcomes([itself], [instance])
    replies = sum(one.others[query] for query in alike)
    return OtherAnswer(sql, replies, instance, outcomes[instance].rows, reference[instance].rows)
