"""A change reruns what was made from it, and nothing else."""

import pytest

pytestmark = pytest.mark.slow

REPORT = {"write_delta_report"}
SCORE = {"score_rollouts", *REPORT}
SAMPLE = {"sample_rollouts", *SCORE}
GRPO = {"train_grpo", "extract_checkpoint", *SAMPLE}
TRAIN = {"train_sft", "measure_band", *GRPO}
SELECT = {"select_tasks", *TRAIN}
SPLIT = {"split_tasks", *SELECT}
PROBE = {"probe_tasks", *SPLIT}
TASKS = {"author_tasks", "screen_tasks", *PROBE}


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
        (lambda c: c["runs"]["micro"]["scoring"].update(temperature=0.8), SAMPLE),
        (lambda c: c.setdefault("report", {}).update(resamples=1000), REPORT),
        (lambda c: c.update(split={"holdout": 0.25}), SPLIT),
        (lambda c: c["runs"]["micro"]["stages"]["grpo"].update(learning_rate=1.0e-4), GRPO),
        (lambda c: c["runs"]["micro"]["stages"]["grpo"]["band"].update(k=5), {"measure_band", *GRPO}),
        (lambda c: c["databases"]["shop"].update(seed=9), {"seed_database", *TASKS}),
        (lambda c: c["databases"]["shop"].update(witness_seeds=[12]), {"seed_database", *PROBE}),
        (lambda c: c["authoring"].update(seed=9), TASKS),
        (lambda c: c.update(verifier={"wrong_reward": 0.2}), {"measure_band", *GRPO}),
    ],
    ids=["temperature", "bootstrap", "holdout", "grpo", "band", "data", "witness", "grammar", "reward"],
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
        "sample_rollouts": 5,
        "score_rollouts": 5,
        "write_delta_report": 1,
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
    assert stale == PROBE


def test_a_changed_page_template_reruns_only_the_report(copy):
    path = copy.folder / "sqlrl" / "report" / "page.html.j2"
    path.write_text(path.read_text().replace("</body>", "<p>More.</p></body>"))
    assert set(copy.stale()) == REPORT


def test_a_deleted_adapter_is_trained_again_although_the_report_is_there(copy):
    (copy.folder / "results/micro/sft/adapter/adapter_model.safetensors").unlink()
    assert "train_sft" in copy.stale()


def test_deleted_rollouts_are_sampled_again_although_their_scores_are_there(copy):
    (copy.folder / "results/micro/base/rollouts/shop-dev-1.jsonl").unlink()
    assert copy.stale() == {"sample_rollouts": 1, "score_rollouts": 1, "write_delta_report": 1}
