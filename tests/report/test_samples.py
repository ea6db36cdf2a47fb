"""A report refuses replies and scores that were not made from what it speaks of."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sqlrl.errors import UserError
from sqlrl.files import digest_file, write_json
from sqlrl.records import from_dict, read_json, to_dict
from sqlrl.report.assemble import assemble
from sqlrl.report.files import parse_results
from sqlrl.report.provenance import REBUILD
from sqlrl.report.samples import Expected, check_samples, tasks_digests
from sqlrl.report.settings import Claims, CodeClaims, ReportSettings
from sqlrl.sampling.origin import ScoresOrigin, dump_digests, origin_file
from tests.report.synthetic import SyntheticRun
from tests.report.test_document import files_of

SCORES = "grpo/scores/shop-holdout-2.jsonl"
CODE = CodeClaims("rollouts", "scores", {})


@pytest.fixture
def claims(small_run: SyntheticRun) -> Claims:
    return replace(from_dict(Claims, small_run.claims(), "claims"), code=CODE)


def expected(run: SyntheticRun) -> Expected:
    rollouts = parse_results(map(Path, run.paths("*/rollouts/*.jsonl")), "rollouts")
    dumps = dump_digests({"shop": {"main": run.folder / "databases/shop/main.sql"}})
    return Expected(
        model=run.digest,
        weights={stage: run.adapter(stage).weights for stage in run.parents()},
        tasks=tasks_digests([run.folder / f"run/tasks/shop-{part}.jsonl" for part in ("holdout", "dev")]),
        files={file.label: digest_file(file.path) for file in rollouts}
        | {f"databases/{label}": digest for label, digest in dumps.items()},
    )


def check(run: SyntheticRun, claims: Claims, made_from: Expected | None = None) -> None:
    scores = parse_results(map(Path, run.paths("*/scores/*.jsonl")), "scores")
    check_samples(scores, made_from or expected(run), claims)


def change(run: SyntheticRun, edit: Callable[[dict[str, Any]], None]) -> None:
    """Let one file of scores say something else of what it was made from."""
    path = origin_file(run.folder / "run" / SCORES)
    origin = to_dict(read_json(path, ScoresOrigin))
    edit(origin)
    write_json(path, origin)


def test_samples_of_this_configuration_are_accepted(small_run, claims):
    check(small_run, claims)


@pytest.mark.parametrize(
    ("edit", "fault"),
    [
        (
            lambda o: o["replies"].update(weights="old"),
            "replies were sampled from other weights than grpo has now",
        ),
        (
            lambda o: o["replies"].update(weights=None),
            "replies were sampled from other weights than grpo has now",
        ),
        (lambda o: o["replies"].update(model="other"), "replies were sampled from another base model"),
        (lambda o: o["replies"].update(tasks="other"), "replies are to other tasks than those given"),
        (
            lambda o: o["replies"]["settings"].update(temperature=0.8),
            "replies were sampled with other sampling",
        ),
        (
            lambda o: o["replies"]["prompt"].update(schema="ddl"),
            "replies were sampled with another prompt than",
        ),
        (
            lambda o: o["replies"].update(sampler="vllm"),
            "replies were sampled with another sampler than config",
        ),
        (lambda o: o["replies"].update(code="old"), "replies were sampled by other code than there is now"),
        (
            lambda o: o["replies"].update(rollouts="old"),
            "these are the scores of other replies than those given",
        ),
        (
            lambda o: o.update(scores="old"),
            "this is not the file that shop-holdout-2.origin.json was written for",
        ),
        (
            lambda o: o["databases"].update({"shop/main.sql": "old"}),
            "replies were judged on another shop/main.sql",
        ),
        (
            lambda o: o["verifier"].update(wrong_reward=0.2),
            "replies were judged with other verifier settings than",
        ),
        (lambda o: o.update(code="old"), "replies were judged by other code than the verifier has now"),
    ],
)
def test_samples_that_were_made_otherwise_are_refused(small_run, claims, edit, fault):
    change(small_run, edit)
    with pytest.raises(UserError) as error:
        check(small_run, claims)
    assert str(error.value).startswith(f"{SCORES}: {fault}")
    assert str(error.value).endswith(REBUILD)


def test_a_stage_that_was_trained_again_makes_its_old_replies_refused(small_run, claims):
    now = expected(small_run)
    again = replace(now, weights={**now.weights, "sft": "trained again"})
    with pytest.raises(
        UserError, match=r"^sft/scores/shop-dev-1\.jsonl: replies were sampled from other weights"
    ):
        check(small_run, claims, again)


def test_where_nothing_is_known_of_the_code_none_is_asked_for(small_run, claims):
    change(small_run, lambda origin: origin.update(code="old"))
    check(small_run, replace(claims, code=None))


def test_scores_that_say_nothing_of_their_origin_are_refused(small_run, claims):
    origin_file(small_run.folder / "run" / SCORES).unlink()
    with pytest.raises(UserError, match=r"grpo/scores/shop-holdout-2\.origin\.json"):
        check(small_run, claims)


def test_the_report_checks_them(small_run):
    change(small_run, lambda origin: origin["replies"].update(weights="old"))
    settings = from_dict(ReportSettings, small_run.settings(), "settings")
    with pytest.raises(UserError, match="replies were sampled from other weights than grpo has now"):
        assemble(files_of(small_run), settings, from_dict(Claims, small_run.claims(), "claims"))
