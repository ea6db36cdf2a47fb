"""Reading a run: what is refused, and in which words."""

import hashlib
import json
import re
from pathlib import Path

import pytest

from sqlrl.errors import UserError
from sqlrl.report.evidence import read_evidence, read_tasks
from tests.report.synthetic import SyntheticRun
from tests.report.test_document import document_of

WRONG = {"verdict": "wrong", "reason": "rows_differ", "message": None, "rows": None}


def read(run: SyntheticRun, databases="main"):
    folder = run.folder / "run"
    return read_evidence(
        read_tasks([folder / "tasks/shop-holdout.jsonl"], "holdout"),
        read_tasks([folder / "tasks/shop-dev.jsonl"], "dev"),
        [Path(path) for path in run.paths("*/scores/*.jsonl")],
        [Path(path) for path in run.paths("*/rollouts/*.jsonl")],
        run.parents(),
        databases,
    )


def change(run: SyntheticRun, name: str, edit) -> None:
    """Rewrite the lines of a score file and of its rollouts."""
    for kind in ("scores", "rollouts"):
        path = run.folder / "run" / name.replace("KIND", kind)
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        path.write_text("".join(json.dumps(line) + "\n" for line in edit(lines)))


def test_a_whole_run_is_read_in_the_order_of_its_stages(small_run):
    evidence = read(small_run)
    assert evidence.checkpoints == ["base", "sft", "grpo"]
    assert (evidence.k, evidence.scoring, len(evidence.tasks)) == (4, [1, 2], 12)
    assert sorted(evidence.dev) == ["base", "grpo", "grpo@12", "sft"]


def test_samples_are_read_as_they_were_judged(small_run):
    one = read(small_run).passes["sft"][2]
    path = small_run.folder / "run/sft/scores/shop-holdout-2.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    right = sum(line["verdict"]["outcomes"]["main"]["verdict"] == "match" for line in lines)
    empty = sum(line["verdict"]["sql"] is None for line in lines)
    assert int(one.right.sum()) == right
    assert int((one.kinds == 3).sum()) == empty


def test_a_headline_over_all_databases_counts_what_a_twin_refutes_as_wrong(small_run):
    def refute(lines):
        for line in lines:
            if "verdict" in line and line["verdict"]["sql"] is not None:
                line["verdict"]["outcomes"]["twin-1"] = WRONG
        return lines

    change(small_run, "grpo/KIND/shop-holdout-1.jsonl", refute)
    by_main, by_all = (read(small_run, databases).passes["grpo"] for databases in ("main", "all"))
    assert by_main[1].right.any()
    assert not by_all[1].right.any()
    assert (by_all[1].kinds == 1).sum() >= by_main[1].right.sum()
    assert (by_all[1].on_main == by_main[1].right).all()
    assert (by_all[1].everywhere == by_all[1].right).all()


def test_a_missing_pass_is_named(small_run):
    (small_run.folder / "run/grpo/scores/shop-holdout-2.jsonl").unlink()
    with pytest.raises(UserError, match=r"grpo has the scoring passes \[1\], base has \[1, 2\]"):
        read(small_run)


def test_scores_without_rollouts_are_refused(small_run):
    (small_run.folder / "run/grpo/rollouts/shop-holdout-2.jsonl").unlink()
    with pytest.raises(UserError, match="grpo: pass 2 over the holdout has scores without rollouts"):
        read(small_run)


def test_no_base_is_refused(small_run):
    for path in small_run.paths("base/*/shop-holdout-*.jsonl"):
        Path(path).unlink()
    with pytest.raises(UserError, match="no scores of the base"):
        read(small_run)


def test_a_sample_that_occurs_twice_is_named(small_run):
    change(small_run, "sft/KIND/shop-holdout-1.jsonl", lambda lines: [*lines, lines[5]])
    with pytest.raises(UserError, match=r"sample 1 of task [0-9a-f]{16} occurs twice"):
        read(small_run)


def test_a_gap_in_the_samples_is_named(small_run):
    change(small_run, "sft/KIND/shop-holdout-1.jsonl", lambda lines: [*lines[:1], *lines[2:]])
    with pytest.raises(UserError, match=r"has the samples \[0, 2, 3\]"):
        read(small_run)


def test_tasks_with_different_numbers_of_samples_are_refused(small_run):
    change(small_run, "sft/KIND/shop-holdout-1.jsonl", lambda lines: lines[:-1])
    with pytest.raises(UserError, match=r"different numbers of samples: \[3, 4\]"):
        read(small_run)


def test_checkpoints_with_different_k_are_refused(small_run):
    for scoring in (1, 2):
        change(
            small_run,
            f"sft/KIND/shop-holdout-{scoring}.jsonl",
            lambda lines: [line for line in lines if line["sample"] < 2],
        )
    with pytest.raises(UserError, match=r"different k \(base: \[4\]; grpo: \[4\]; sft: \[2\]\)"):
        read(small_run)


def test_scores_of_other_replies_are_refused(small_run):
    path = small_run.folder / "run/sft/rollouts/shop-holdout-1.jsonl"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[4:]))
    with pytest.raises(UserError, match="scores and rollouts are not of the same samples"):
        read(small_run)


def test_scores_of_another_holdout_are_refused(small_run):
    path = small_run.folder / "run/tasks/shop-holdout.jsonl"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[1:]))
    with pytest.raises(UserError, match="1 tasks that are not in the holdout given") as caught:
        read(small_run)
    given = [json.loads(line)["id"] for line in path.read_text().splitlines()]
    scored = [task.id for task in small_run.holdout]
    for ids in (given, scored):
        assert hashlib.sha256("\n".join(sorted(ids)).encode()).hexdigest()[:12] in str(caught.value)


def test_an_empty_score_file_and_an_empty_holdout_are_refused(small_run):
    change(small_run, "sft/KIND/shop-holdout-1.jsonl", lambda lines: [])
    with pytest.raises(UserError, match="at least one task"):
        read(small_run)
    (small_run.folder / "run/tasks/shop-holdout.jsonl").write_text("")
    with pytest.raises(UserError, match="zero tasks"):
        read(small_run)


def test_tasks_of_another_part_and_tasks_that_no_run_selected_are_refused(small_run):
    path = small_run.folder / "run/tasks/shop-dev.jsonl"
    with pytest.raises(UserError, match="is of part dev; expected holdout"):
        read_tasks([path], "holdout")
    text = path.read_text().replace('"part": "dev"', '"part": "holdout"')
    path.write_text(text.replace('"template_in_training": true', '"template_in_training": null'))
    with pytest.raises(UserError, match="whether its template is in training"):
        read_tasks([path], "holdout")


def test_a_task_that_was_not_judged_on_main_is_refused(small_run):
    path = small_run.folder / "run/sft/scores/shop-holdout-1.jsonl"
    path.write_text(path.read_text().replace('"main"', '"twin-9"', 1))
    with pytest.raises(UserError, match="was not judged on main"):
        read(small_run)


def test_a_task_in_two_files_of_one_pass_is_refused(small_run):
    for kind in ("scores", "rollouts"):
        path = small_run.folder / f"run/sft/{kind}/shop-holdout-1.jsonl"
        (path.parent / "store-holdout-1.jsonl").write_text(path.read_text())
    with pytest.raises(UserError, match=r"store-holdout-1.jsonl: task [0-9a-f]{16} occurs in another file"):
        read(small_run)


@pytest.mark.parametrize("value", ["NaN", "Infinity"])
def test_a_reward_that_is_no_number_is_refused(small_run, value):
    path = small_run.folder / "run/sft/scores/shop-holdout-1.jsonl"
    path.write_text(re.sub(r'"reward": [0-9.]+', f'"reward": {value}', path.read_text(), count=1))
    with pytest.raises(
        UserError, match=r"shop-holdout-1.jsonl: sample 0 of task [0-9a-f]{16} has the reward (nan|inf)"
    ):
        read(small_run)


def test_a_task_that_one_side_lacks_is_left_out_on_both_and_reported(small_run):
    def drop(lines):
        return [line for line in lines if line["task_id"] != small_run.holdout[0].id]

    for scoring in (1, 2):
        change(small_run, f"grpo/KIND/shop-holdout-{scoring}.jsonl", drop)
    small_run.write_origins()
    document = document_of(small_run)
    assert document["comparisons"]["grpo-vs-base"]["holdout_tasks"] == 11
    assert any("left out: 1 task with scores on one side only" in one for one in document["warnings"])
