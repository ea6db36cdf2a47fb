"""The review in the workflow: nobody is asked unless a solver is named, and then only what is stale is asked for."""

import json
from collections.abc import Iterator

import pytest

from tests.answering_server import KEY, AnsweringServer, answering
from tests.workflow.conftest import Workspace

pytestmark = pytest.mark.slow

REVIEW = "results/tasks/shop/review.json"
PAGE = "results/tasks/shop/tasks_report.html"
K = 2


@pytest.fixture(scope="module")
def server() -> Iterator[AnsweringServer]:
    with answering() as server:
        server.state.text = lambda question: "```sql\nSELECT count(*) FROM orders\n```"
        yield server


@pytest.fixture
def solved(copy: Workspace, server: AnsweringServer) -> Workspace:
    """The micro run's workspace with a model behind an API as solver."""
    source = {
        "source": "openai",
        "id": "big",
        "base_url": server.address("openai"),
        "key_variable": "FAR_KEY",
    }

    def add(config: dict) -> None:
        config["models"]["far"] = source
        config["review"] = {"solver": "far", "k": K, "max_tokens": 32}

    copy.configure(add)
    return copy


def build(workspace: Workspace, *targets: str) -> str:
    return workspace.snakemake(*targets, environment={"FAR_KEY": KEY}).stdout


def test_without_a_solver_the_split_is_that_of_the_tasks_and_nobody_is_asked(built):
    results = built.results("tasks/shop/*.jsonl")
    assert results["results/tasks/shop/reviewed.jsonl"] == results["results/tasks/shop/tasks.jsonl"]
    summary = json.loads((built.folder / REVIEW).read_text())
    assert (summary["solver"], summary["agreement"], summary["dropped"]) == (None, None, {})
    assert "results/tasks/shop/solutions.jsonl" not in results


def test_a_solver_is_planned_without_a_key(solved):
    jobs = {"fetch_model": 1, "solve_tasks": 1, "review_tasks": 1}
    assert solved.stale(REVIEW) == jobs


def test_a_solver_is_asked_once_and_what_decides_no_reply_makes_none_stale(solved, server):
    build(solved, REVIEW)
    holdout = len((solved.folder / "results/tasks/shop/holdout.jsonl").read_text().splitlines())
    assert len(server.state.asked) == K * holdout
    summary = json.loads((solved.folder / REVIEW).read_text())
    assert summary["solver"]["tasks"] == sum(summary["agreement"].values()) == holdout
    texts = [path.read_bytes() for path in solved.folder.glob("results/tasks/**/*") if path.is_file()]
    assert not any(KEY.encode() in text for text in texts)

    solved.configure(lambda c: c["models"]["far"].update(concurrency=2, retries=1, tokens_per_second=9.0))
    assert solved.stale(REVIEW) == {}
    solved.configure(lambda c: c["review"].update(spending_limit={"tokens": 7}, gpus=1))
    assert solved.stale(REVIEW) == {}
    solved.configure(lambda c: c["review"].update(drop=["tie_cut"]))
    assert solved.stale(REVIEW) == {"review_tasks": 1}
    solved.configure(lambda c: c["review"].update(spending_limit={"tokens": 10**6}))
    build(solved, PAGE, "--forcerun", "solve_tasks")
    assert len(server.state.asked) == K * holdout
    assert "What a solver answers" in (solved.folder / PAGE).read_text()
