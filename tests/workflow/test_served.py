"""A run of a model behind an API: planned, built to its benchmark and its page, and stale for the right reasons."""

import json
from collections.abc import Iterator

import pytest

from tests.answering_server import KEY, PROMPT_TOKENS, REPLY_TOKENS, AnsweringServer, answering
from tests.workflow.conftest import Workspace

pytestmark = pytest.mark.slow

TARGET = ("base_benchmark", "--config", "run=far")
TASKS, K, PASSES = 12, 2, 2
SAMPLES = TASKS * K * PASSES


@pytest.fixture(scope="module")
def server() -> Iterator[AnsweringServer]:
    with answering() as server:
        server.state.text = lambda question: "```sql\nSELECT count(*) FROM orders\n```"
        yield server


@pytest.fixture
def far(copy: Workspace, server: AnsweringServer) -> Workspace:
    """The micro run's workspace with a run of a model behind an API."""

    def add(config: dict) -> None:
        price = {"input": 2.0, "output": 10.0}
        config["models"]["far"] = {
            "source": "openai",
            "id": "big",
            "base_url": server.address("openai"),
            "key_variable": "FAR_KEY",
            "price": price,
        }
        scoring = {"k": K, "passes": PASSES, "max_tokens": 32}
        micro = config["runs"]["micro"]
        config["runs"]["far"] = {
            "model": "far",
            "sampler": "openai",
            "tasks": micro["tasks"],
            "scoring": scoring,
        }

    copy.configure(add)
    return copy


def build(workspace: Workspace, *targets: str) -> str:
    return workspace.snakemake(*targets, environment={"FAR_KEY": KEY}).stdout


def test_the_benchmark_is_planned_without_a_key_and_without_training(far):
    assert far.stale(*TARGET) == {
        "base_benchmark": 1,
        "fetch_model": 1,
        "sample_rollouts": PASSES,
        "score_rollouts": PASSES,
        "select_tasks": 1,
        "write_base_benchmark": 1,
    }


def test_the_benchmark_is_built_and_says_what_it_cost(far, server):
    asked = len(server.state.asked)
    output = build(far, *TARGET)
    assert len(server.state.asked) - asked == SAMPLES
    money = SAMPLES * (PROMPT_TOKENS * 2 + REPLY_TOKENS * 10) / 1e6
    assert f"It cost {money:.4f} USD: {SAMPLES * PROMPT_TOKENS:,} tokens of prompts" in output
    benchmark = json.loads((far.folder / "results/far/base_benchmark.json").read_text())
    assert benchmark["costs"]["total"]["money"] == pytest.approx(money)
    assert benchmark["base"]["all"]["executes"]["value"] == 1.0
    texts = [path.read_text() for path in far.folder.glob("results/**/*") if path.suffix in (".json", ".log")]
    assert not any(KEY in text for text in [*texts, output])

    change(far, concurrency=2, retries=1, tokens_per_second=5.0, key_variable="OTHER", price=None)
    assert set(far.stale(*TARGET)) <= {"base_benchmark"}
    change(far, id="small")
    assert {"fetch_model", "sample_rollouts", "score_rollouts"} <= set(far.stale(*TARGET))


def change(workspace: Workspace, **values: object) -> None:
    workspace.configure(lambda config: config["models"]["far"].update(values))


def test_the_page_of_such_a_run_shows_the_model_alone_with_its_price(far):
    build(far, "delta_report", "--config", "run=far")
    text = (far.folder / "results/far/delta_report.md").read_text()
    assert "Only the base model was scored" in text
    assert " USD |" in text
    page = (far.folder / "results/far/delta_report.html").read_text()
    assert '<th scope="col">money</th>' in page
    assert not list(far.folder.glob("results/far/base/rollouts/*dev*"))


def test_stages_of_such_a_model_are_refused_before_anything_runs(far):
    def train(config: dict) -> None:
        config["runs"]["far"]["stages"] = config["runs"]["micro"]["stages"]

    far.configure(train)
    done = far.snakemake("-n", *TARGET, check=False)
    assert done.returncode != 0
    assert "such a model cannot be trained" in done.stdout


def test_the_micro_run_stays_fresh_beside_it(far):
    assert far.stale() == {}
