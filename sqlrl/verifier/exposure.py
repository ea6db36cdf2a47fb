"""Measures how well data tells wrong queries from right ones, task by task.

A query whose rows are the reference's on ``main`` earns the reward, whatever it means. Twins refute some
of these; witnesses, further databases of the same generator, say which queries mean something else at
all: one that gives the reference's rows on every instance is taken for the same question.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlrl.database.files import MAIN
from sqlrl.errors import UserError
from sqlrl.verifier.mutants import make_mutants
from sqlrl.verifier.reward import Outcome, Submission, worst_of
from sqlrl.verifier.verifier import Verifier

WITNESS = "witness"
"""Instances of this name, with a number, show a change of meaning; no reply is judged on them."""


@dataclass(frozen=True)
class Target:
    """A task as an attack sees it: its id, its database and its reference SQL."""

    id: str
    database: str
    reference_sql: str


@dataclass(frozen=True)
class Probe:
    """A query that was tried against a task.

    Attributes:
        target: id of the task.
        kind: what kind of query it is.
        sql: the query.
        changed: whether some instance shows that it means something else than the reference.
        on_main: whether it gives the reference's rows on main.
        on_twins: whether it does so on main and on every twin.
    """

    target: str
    kind: str
    sql: str
    changed: bool
    on_main: bool
    on_twins: bool


@dataclass(frozen=True)
class Exposure:
    """How many of some changed queries were accepted.

    Attributes:
        changed: queries that mean something else than the reference.
        on_main: how many of them main accepts.
        on_twins: how many of them main and all twins accept.
    """

    changed: int
    on_main: int
    on_twins: int

    @property
    def score_on_main(self) -> float:
        """Share of the changed queries that main refuses; 1 where there are none."""
        return 1.0 - self.on_main / self.changed if self.changed else 1.0

    @property
    def score_on_twins(self) -> float:
        """Share of the changed queries that main or a twin refuses; 1 where there are none."""
        return 1.0 - self.on_twins / self.changed if self.changed else 1.0


def fit_targets(verifier: Verifier, targets: Iterable[Target]) -> list[Target]:
    """The targets whose reference runs, and answers itself, on every instance."""
    fit = []
    for target in targets:
        try:
            [verdict] = verifier.judge([_submission(target, target.reference_sql)])
        except UserError:
            continue
        if all(outcome.verdict == "match" for outcome in verdict.outcomes.values()):
            fit.append(target)
    return fit


def probe_mutants(verifier: Verifier, targets: Sequence[Target]) -> list[Probe]:
    """Every mutant of every reference that runs."""
    tried = [
        (target, mutant.kind, mutant.sql)
        for target in targets
        for mutant in make_mutants(target.reference_sql)
    ]
    return _probe(verifier, tried)


def probe_others(verifier: Verifier, targets: Sequence[Target], others: Sequence[Target]) -> list[Probe]:
    """The references of other tasks, as answers to each task: queries that make sense, but elsewhere."""
    tried = [
        (target, "another task's reference", other.reference_sql)
        for target in targets
        for other in others
        if other.reference_sql != target.reference_sql and other.database == target.database
    ]
    return _probe(verifier, tried)


def count_exposure(probes: Iterable[Probe]) -> Exposure:
    """Count the changed queries among some probes, and those accepted."""
    changed = [probe for probe in probes if probe.changed]
    return Exposure(
        len(changed), sum(probe.on_main for probe in changed), sum(probe.on_twins for probe in changed)
    )


def by_kind(probes: Sequence[Probe]) -> dict[str, Exposure]:
    """The exposure of each kind of query, by name."""
    kinds = sorted({probe.kind for probe in probes})
    return {kind: count_exposure(probe for probe in probes if probe.kind == kind) for kind in kinds}


def average_rewards(
    verifier: Verifier, targets: Sequence[Target], replies: Mapping[str, str]
) -> dict[str, tuple[float, float]]:
    """What one reply earns a task on average if it is given to all: paid for main, paid for all twins.

    Args:
        replies: by the strategy's name.
    """
    rewards = {}
    for name, reply in replies.items():
        asked = [Submission(one.database, reply, one.reference_sql) for one in targets]
        judged = {
            name for one in targets for name in verifier.instances(one.database) if not _is_witness(name)
        }
        found = [outcomes for _, outcomes in verifier.find_outcomes(asked, judged)]
        paid_main = [_paid([outcomes[MAIN]]) for outcomes in found]
        paid_all = [_paid(outcomes.values()) for outcomes in found]
        rewards[name] = sum(paid_main) / len(targets), sum(paid_all) / len(targets)
    return rewards


def _probe(verifier: Verifier, tried: Sequence[tuple[Target, str, str]]) -> list[Probe]:
    """Try queries on main; those that pass there on the twins; those that pass there too on the witnesses."""
    on_main = _matches(verifier, tried, _is_main)
    passing = [one for one, found in zip(tried, on_main, strict=True) if found == "match"]
    on_twins = dict(zip(passing, _matches(verifier, passing, _is_twin), strict=True))
    passing = [one for one in passing if on_twins[one] == "match"]
    on_witnesses = dict(zip(passing, _matches(verifier, passing, _is_witness), strict=True))
    return [
        Probe(
            one[0].id,
            one[1],
            one[2],
            changed=on_witnesses.get(one) != "match",
            on_main=found == "match",
            on_twins=one in on_witnesses,
        )
        for one, found in zip(tried, on_main, strict=True)
        if found != "error"
    ]


def _matches(
    verifier: Verifier, tried: Sequence[tuple[Target, str, str]], asked: Callable[[str], bool]
) -> list[str]:
    """The worst verdict of each query on some of the instances; ``match`` where there are none."""
    submissions = [_submission(target, sql) for target, _, sql in tried]
    instances = {name for one in submissions for name in verifier.instances(one.database) if asked(name)}
    found = verifier.find_outcomes(submissions, instances)
    return [worst_of(outcome.verdict for outcome in outcomes.values()) for _, outcomes in found]


def _is_main(instance: str) -> bool:
    return instance == MAIN


def _is_witness(instance: str) -> bool:
    return instance.startswith(WITNESS)


def _is_twin(instance: str) -> bool:
    return not _is_main(instance) and not _is_witness(instance)


def _paid(outcomes: Iterable[Outcome]) -> float:
    """The recipe's reward, for the worst of some outcomes."""
    return {"match": 1.0, "wrong": 0.1, "error": 0.0}[worst_of(outcome.verdict for outcome in outcomes)]


def _submission(target: Target, sql: str) -> Submission:
    return Submission(target.database, f"```sql\n{sql}\n```", target.reference_sql)
