"""Every reply of a checkpoint on the holdout as a row that other tools read: the whileai SDK's row, version 1."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlrl.authoring.task import Task
from sqlrl.database.files import MAIN
from sqlrl.errors import UserError
from sqlrl.files import atomic_file
from sqlrl.publish.sources import read_results
from sqlrl.records import read_jsonl
from sqlrl.report.counted import check_complete, check_counted, read_document, read_passes
from sqlrl.report.evidence import HOLDOUT, read_tasks
from sqlrl.report.files import BASE, ResultFile
from sqlrl.report.passes import DOES_NOT_RUN, NO_SQL, RIGHT, ScoringPass, kind_of
from sqlrl.sampling.sampler import Reply
from sqlrl.verifier.reward import Databases, Outcome, Verdict, worst_of

SCHEMA_VERSION = "1"
SCORER = "sqlrl verifier"
SAMPLING = ("temperature", "top_p", "max_tokens")

Row = dict[str, Any]


@dataclass(frozen=True)
class RowFiles:
    """The files of one checkpoint. report: its run's delta_report.json; tasks: the run's holdout, a file a
    database; rollouts, scores: the checkpoint's on that holdout.
    """

    report: Path
    tasks: Sequence[Path]
    rollouts: Sequence[Path]
    scores: Sequence[Path]


@dataclass(frozen=True)
class RowSources:
    """What the files hold. replies: by scoring pass, task and sample; document: the report's."""

    checkpoint: str
    document: Mapping[str, Any]
    tasks: Mapping[str, Task]
    passes: Mapping[int, ScoringPass]
    replies: Mapping[tuple[int, str, int], Reply]

    @property
    def databases(self) -> Databases:
        """Where a reply must be right to count in the report."""
        found: Databases = self.document["statistics"]["headline_databases"]
        return found


def read_row_sources(files: RowFiles, checkpoint: str) -> RowSources:
    """Read everything and check that it is what the report's numbers were counted from.

    Args:
        files: see RowFiles.
        checkpoint: ``base``, a stage, or stage@step.

    Raises:
        UserError: a file is missing or none of its kind, of another checkpoint, or not the one that the report
            counted; a score has no reply or no task.
    """
    document = read_document(files.report)
    rollouts = read_results(files.rollouts, "rollouts", checkpoint)
    scores = read_results(files.scores, "scores", checkpoint)
    counted = {one.label: one.path for one in [*rollouts, *scores]}
    counted |= {f"tasks/{path.name}": path for path in files.tasks}
    check_counted(document, counted, files.report)
    check_complete(document, counted, checkpoint)
    passes = read_passes(scores, rollouts, document["statistics"]["headline_databases"])
    tasks = read_tasks(files.tasks, HOLDOUT)
    strange = sorted({task for one in passes.values() for task in one.tasks} - tasks.keys())
    if strange:
        raise UserError(f"{checkpoint} has replies to task {strange[0]}, which is not in --tasks.")
    return RowSources(checkpoint, document, tasks, passes, dict(_replies(rollouts)))


def rows_of(sources: RowSources) -> Iterator[Row]:
    """One row a reply, by pass, task and sample; docs/results.md says what each key holds.

    A key that has nothing to say is left out: the schema takes no null. ``reward`` is 1 or 0, as the report counts.
    """
    for number, one in sorted(sources.passes.items()):
        for task_id in one.tasks:
            for sample, verdict in enumerate(one.verdicts[task_id]):
                yield _row(sources, number, sources.replies[number, task_id, sample], verdict, one.k)


def write_rows(path: Path, rows: Iterator[Row]) -> int:
    """Write rows one JSON object a line, atomically; says how many."""
    written = 0
    with atomic_file(path) as stream:
        for row in rows:
            stream.write(json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n")
            written += 1
    return written


def _replies(rollouts: Sequence[ResultFile]) -> Iterator[tuple[tuple[int, str, int], Reply]]:
    for file in rollouts:
        for reply in read_jsonl(file.path, Reply):
            yield (file.scoring, reply.task_id, reply.sample), reply


def _row(sources: RowSources, number: int, reply: Reply, verdict: Verdict, k: int) -> Row:
    task = sources.tasks[reply.task_id]
    kind = kind_of(verdict, sources.databases)
    name = _policy_name(sources)
    return {
        "schema_version": SCHEMA_VERSION,
        "prompt": task.question,
        "steps": [{"text": reply.text}],
        "final_text": reply.text,
        "scenario_id": task.id,
        "rollout_index": (number - 1) * k + reply.sample,
        "model_version": name,
        "sampling": {**_sampling(sources.document), "model": name},
        "finish_reason": reply.finish_reason,
        **_probabilities(reply),
        "reward": int(kind == RIGHT),
        "reason": _reason(verdict, sources.databases),
        "label_source": SCORER,
        **({} if kind == RIGHT else {"failure_class": kind}),
        "markers": _markers(reply, verdict, kind),
        "lineage": {"eval_run": number, **_lineage(sources)},
        "category": task.archetype,
        "difficulty": task.difficulty,
        "style": task.style,
        "template": task.template,
        "template_in_training": bool(task.template_in_training),
        "database": task.database,
        "run": sources.document["run"],
        "checkpoint": sources.checkpoint,
        "scoring_pass": number,
        "sample": reply.sample,
        **({} if verdict.sql is None else {"sql": verdict.sql}),
        "verdicts": {instance: outcome.verdict for instance, outcome in verdict.outcomes.items()},
        "training_reward": verdict.reward,
    }


def _policy_name(sources: RowSources) -> str:
    """The base model's name, or the run with the checkpoint that was trained from it."""
    if sources.checkpoint == BASE:
        return str(sources.document["provenance"]["model"]["name"])
    return f"{sources.document['run']}/{sources.checkpoint}"


def _sampling(document: Mapping[str, Any]) -> Row:
    scoring = document["provenance"]["scoring"]
    return {key: scoring[key] for key in SAMPLING if key in scoring}


def _probabilities(reply: Reply) -> Row:
    """What the sampler thought of its own tokens; nothing of a model behind an API."""
    if not reply.logprobs:
        return {}
    return {
        "logprob": round(sum(reply.logprobs), 6),
        "n_tokens": len(reply.logprobs),
        "token_logprobs": list(reply.logprobs),
    }


def _reason(verdict: Verdict, databases: Databases) -> str:
    """The verifier's reason code where the reply came off worst, with PostgreSQL's message and the twin's name."""
    asked = verdict.outcomes if databases == "all" else {MAIN: verdict.outcomes[MAIN]}
    worst = worst_of(outcome.verdict for outcome in asked.values())
    instance, outcome = next(one for one in asked.items() if one[1].verdict == worst)
    words = _words(outcome)
    return words if instance == MAIN or worst == "match" else f"{words} (on {instance})"


def _words(outcome: Outcome) -> str:
    return f"{outcome.reason}: {outcome.message}" if outcome.message else outcome.reason


def _markers(reply: Reply, verdict: Verdict, kind: str) -> dict[str, float]:
    """What else a delta report compares, each 0 or 1."""
    return {
        "executes": float(kind not in (NO_SQL, DOES_NOT_RUN)),
        "right_on_main": float(kind_of(verdict, MAIN) == RIGHT),
        "right_everywhere": float(kind_of(verdict, "all") == RIGHT),
        "truncated": float(reply.finish_reason == "length"),
    }


def _lineage(sources: RowSources) -> Row:
    """What the reply was made from, by digest."""
    made_from = sources.document["provenance"]
    weights = made_from["stages"].get(sources.checkpoint, {}).get("weights")
    base = {"base_model": made_from["model"]["name"], "base_model_digest": made_from["model"]["digest"]}
    return base if weights is None else {**base, "adapter_digest": weights}
