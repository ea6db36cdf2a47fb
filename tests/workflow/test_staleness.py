"""A change reruns what was made from it, and nothing else."""

import pytest

pytestmark = pytest.mark.slow

REPORT = {"write_delta_report", "describe_run"}
SCORE = {"score_rollouts", *REPORT}
SAMPLE = {"sample_rollouts", *SCORE}
GRPO = {"train_grpo", "extract_checkpoint", "check_parity", *SAMPLE}
TRAIN = {"train_sft", "measure_band", *GRPO}
SELECT = {"select_tasks", *TRAIN}
PAGE_OF_TASKS = {"write_tasks_report"}
SPLIT = {"split_tasks", *PAGE_OF_TASKS, *SELECT}
REVIEW = {"review_tasks", *SPLIT}
PROBE = {"probe_tasks", *REVIEW}
TASKS = {"author_tasks", "screen_tasks", *PROBE}
# Of what the base's own replies go into.
BASE = {"write_base_benchmark"}


def test_nothing_is_stale_after_a_build(built):
    assert built.stale() == {}


def test_touching_every_source_makes_nothing_stale(copy):
    for file in (
        *copy.folder.rglob("*.py"),
        *copy.folder.glob("databases/**/*"),
        copy.folder / "config.yaml",
    ):
        if "results" not in file.parts and file.is_file():
            file.touch()
    assert copy.stale() == {}


@pytest.mark.parametrize(
    ("change", "rules"),
    [
        (lambda c: c["runs"]["micro"]["scoring"].update(temperature=0.8), SAMPLE | BASE),
        (lambda c: c.setdefault("report", {}).update(resamples=1000), REPORT | BASE | PAGE_OF_TASKS),
        (lambda c: c.update(split={"holdout": 0.25}), SPLIT | BASE),
        (lambda c: c.update(review={"drop": ["empty"]}), REVIEW | BASE),
        (lambda c: c.update(review={"k": 8, "gpus": 1, "parts": ["dev"]}), set()),  # nobody is asked
        (lambda c: c["runs"]["micro"]["stages"]["grpo"].update(learning_rate=1.0e-4), GRPO),
        (lambda c: c["runs"]["micro"]["stages"]["grpo"]["band"].update(k=5), {"measure_band", *GRPO}),
        (lambda c: c["databases"]["shop"].update(seed=9), {"seed_database", *TASKS, *BASE}),
        (lambda c: c["databases"]["shop"].update(witness_seeds=[12]), {"seed_database", *PROBE, *BASE}),
        (lambda c: c["authoring"].update(seed=9), TASKS | BASE),
        (lambda c: c.update(verifier={"wrong_reward": 0.2}), {"measure_band", *GRPO, *BASE}),
        (lambda c: c["runs"]["micro"].update(parity={"floor": 0.02}), {"check_parity", *SAMPLE} | REPORT),
        (lambda c: c["runs"]["micro"].update(engine={"memory": 0.5}, memory_gb=9), set()),
        (lambda c: c["runs"]["micro"]["stages"]["grpo"].update(gpus=1, wall_minutes=5), set()),
    ],
    ids=[
        "temperature",
        "bootstrap",
        "holdout",
        "review",
        "solver",
        "grpo",
        "band",
        "data",
        "witness",
        "grammar",
        "reward",
        "parity",
        "engine",
        "gpus",
    ],
)
def test_a_changed_setting_reruns_what_uses_it(copy, change, rules):
    copy.configure(change)
    assert set(copy.stale()) == rules


def test_a_changed_grpo_setting_leaves_the_base_and_its_parent_alone(copy):
    copy.configure(lambda c: c["runs"]["micro"]["stages"]["grpo"].update(learning_rate=1.0e-4))
    # One checkpoint on the way and the end: each is sampled on dev once, the end on the holdout thrice.
    assert copy.stale() == {
        "train_grpo": 1,
        "extract_checkpoint": 1,
        "check_parity": 2,
        "sample_rollouts": 5,
        "score_rollouts": 5,
        "write_delta_report": 1,
        "describe_run": 1,
    }


def test_another_schema_to_evaluate_on_trains_nothing_and_samples_no_old_question_again(copy):
    def add(config):
        config["databases"]["clinic"] = {"twin_seeds": [2], "witness_seeds": []}
        config["runs"]["micro"]["evaluate_on"] = ["shop", "clinic"]

    copy.configure(add)
    # Three checkpoints in three passes.
    assert copy.stale() == {
        **dict.fromkeys(("author_tasks", "screen_tasks", "probe_tasks", "review_tasks", "split_tasks"), 1),
        **dict.fromkeys(("select_tasks", "write_tasks_report"), 1),
        "seed_database": 2,
        "sample_rollouts": 9,
        "score_rollouts": 9,
        "write_delta_report": 1,
        "describe_run": 1,
    }


def test_the_order_of_keys_and_the_formatting_of_config_make_nothing_stale(copy):
    def turn(config):
        run = config["runs"]["micro"]
        run["scoring"] = dict(reversed(run["scoring"].items()))
        run["stages"]["sft"] = dict(reversed(run["stages"]["sft"].items()))

    copy.configure(turn)
    assert copy.stale() == {}


def test_two_swapped_values_are_seen(copy):
    copy.configure(lambda c: c["runs"]["micro"]["stages"]["sft"]["lora"].update(rank=64, alpha=32))
    assert set(copy.stale()) == TRAIN


def test_a_comment_in_the_comparison_makes_nothing_stale(copy):
    path = copy.folder / "sqlrl" / "verifier" / "compare.py"
    path.write_text(path.read_text() + "\n# Another comment.\n")
    assert copy.stale() == {}


def test_a_changed_line_of_the_comparison_reruns_all_that_trusted_it(copy):
    path = copy.folder / "sqlrl" / "verifier" / "compare.py"
    path.write_text(path.read_text() + "\nCHANGED = True\n")
    stale = set(copy.stale())
    assert stale == PROBE | BASE


def test_a_changed_page_template_reruns_only_the_pages(copy):
    path = copy.folder / "sqlrl" / "report" / "templates" / "page.html.j2"
    path.write_text(path.read_text().replace("</body>", "<p>More.</p></body>"))
    assert set(copy.stale()) == REPORT | BASE


def test_a_deleted_adapter_is_trained_again_although_the_report_is_there(copy):
    (copy.folder / "results/micro/sft/adapter/adapter_model.safetensors").unlink()
    assert "train_sft" in copy.stale()


def test_deleted_rollouts_are_sampled_again_although_their_scores_are_there(copy):
    (copy.folder / "results/micro/base/rollouts/shop-dev-1.jsonl").unlink()
    assert copy.stale() == {"sample_rollouts": 1, "score_rollouts": 1, "write_delta_report": 1}
