"""Small evidence in memory, written as words: R right, L right by luck, W wrong rows, X does not run, N no SQL."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from sqlrl.authoring.task import Task
from sqlrl.report.evidence import Evidence
from sqlrl.report.passes import KINDS, ReplyText, ScoringPass
from sqlrl.verifier.reward import Outcome, Verdict

KIND_OF = {"R": "right", "L": "right", "W": "wrong rows", "X": "does not run", "N": "no SQL"}
VERDICT_OF = {"R": "match", "L": "match", "W": "wrong", "X": "error", "N": "error"}
REASON_OF = {"R": "match", "L": "match", "W": "rows_differ", "X": "sql_error", "N": "no_sql"}

TASK = Task(
    id="a", database="shop", question="How many orders?", reference_sql="SELECT count(*) FROM orders",
    archetype="aggregation", difficulty="easy", style="terse", template="t", features=(), tables=("orders",),
    rows=1, columns=1, database_digest="d", part="holdout", template_in_training=True,
)  # fmt: skip


def make_tasks(*names: str, unseen: str = "", **changes) -> dict[str, Task]:
    return {
        name: replace(TASK, id=name, template=f"t-{name}", template_in_training=name not in unseen, **changes)
        for name in names
    }


def make_verdict(letter: str) -> Verdict:
    main = Outcome(VERDICT_OF[letter], REASON_OF[letter], None, (("1",),))
    twin = Outcome("wrong", "rows_differ", None, None) if letter == "L" else main
    return Verdict(None if letter == "N" else "SELECT 1", {"main": main, "twin-1": twin}, 0.0)


def make_pass(samples: Mapping[str, str], truncated: str = "") -> ScoringPass:
    tasks = tuple(sorted(samples))
    return ScoringPass(
        tasks=tasks,
        kinds=np.array(
            [[KINDS.index(KIND_OF[letter]) for letter in samples[task]] for task in tasks], np.int8
        ),
        on_main=np.array([[letter in "RL" for letter in samples[task]] for task in tasks]),
        everywhere=np.array([[letter == "R" for letter in samples[task]] for task in tasks]),
        truncated=np.array([[letter in truncated for letter in samples[task]] for task in tasks]),
        replies={
            task: [
                ReplyText(task, number, f"reply {letter}", "stop")
                for number, letter in enumerate(samples[task])
            ]
            for task in tasks
        },
        verdicts={task: [make_verdict(letter) for letter in samples[task]] for task in tasks},
    )


def make_evidence(
    tasks: Mapping[str, Task], passes: Mapping[str, list[Mapping[str, str]]], **parents
) -> Evidence:
    made = {
        name: {number: make_pass(one) for number, one in enumerate(found, 1)}
        for name, found in passes.items()
    }
    return Evidence(tasks, {}, list(passes), parents, made, {})
