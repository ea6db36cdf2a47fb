"""The delta report says what a perfect model could score on its holdout, where the references were reviewed."""

from dataclasses import replace

import pytest

from sqlrl.authoring.review import Tally, TaskReview
from sqlrl.authoring.task import Task
from sqlrl.errors import UserError
from sqlrl.records import from_dict, read_jsonl, write_jsonl
from sqlrl.report.assemble import assemble
from sqlrl.report.page import render_page
from sqlrl.report.settings import Claims, ReportSettings
from tests.report.synthetic import SyntheticRun
from tests.report.test_document import files_of
from tests.report.test_schema import faults


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> SyntheticRun:
    return SyntheticRun(tmp_path_factory.mktemp("run"), tasks=12, templates=6, passes=1).write()


def document_of(run: SyntheticRun, reviews: list[TaskReview]) -> dict:
    path = run.folder / "review.jsonl"
    write_jsonl(path, reviews)
    settings = from_dict(ReportSettings, run.settings(), "settings")
    claims = from_dict(Claims, run.claims(), "claims")
    return assemble(replace(files_of(run), reviews=[path]), settings, claims).document


def reviewed(run: SyntheticRun) -> list[TaskReview]:
    """Every third reference is refuted, the others are confirmed; and a task that the run did not select."""
    tasks = read_jsonl(run.folder / "run/tasks/shop-holdout.jsonl", Task)
    found = [
        TaskReview(task.id, None, (), Tally(4, 4, 0, 4), "other_answer")
        if number % 3 == 0
        else TaskReview(task.id, None, (), Tally(4, 4, 4, 0), "agrees")
        for number, task in enumerate(tasks)
    ]
    return [*found, TaskReview("elsewhere", None, ())]


def test_the_ceiling_is_of_the_runs_own_holdout_and_stands_on_the_page(run):
    document = document_of(run, reviewed(run))
    ceiling = document["ceiling"]
    assert (ceiling["tasks"], ceiling["refuted"], ceiling["confirmed"]) == (12, 4, 8)
    assert ceiling["highest"]["value"] == ceiling["lowest"]["value"] == pytest.approx(2 / 3, abs=1e-6)
    assert faults("delta_report", document) == []
    assert "A perfect model could score between 67%" in render_page(document)


def test_without_a_review_nothing_is_said(run):
    document = {**document_of(run, reviewed(run)), "ceiling": None}
    assert faults("delta_report", document) == []
    assert "perfect model" not in render_page(document)


def test_reviews_of_other_tasks_are_refused(run):
    with pytest.raises(UserError, match="is in no review"):
        document_of(run, reviewed(run)[1:])
