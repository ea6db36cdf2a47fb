"""Arms against their control: figures counted again from the files, verdicts, and a page that stays readable."""

import json
import re

import numpy as np
import pytest

from sqlrl.errors import UserError
from sqlrl.files import write_json
from sqlrl.parity.findings import Check, Parity
from sqlrl.records import from_dict, read_json, to_dict
from sqlrl.report.ablation import headline, read_figures
from sqlrl.report.markdown import render_markdown
from sqlrl.report.page import facts, render_page
from sqlrl.report.settings import Ablation
from tests.report.synthetic import SyntheticAblation
from tests.report.test_document import counted, document_of
from tests.report.test_page import Checker

STAGES = [f"{arm}-{seed}" for arm in ("control", "band", "mask") for seed in (1, 2, 3)]


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> SyntheticAblation:
    return SyntheticAblation(tmp_path_factory.mktemp("ablation")).write()


@pytest.fixture(scope="module")
def document(run):
    return document_of(run)


def rates(run: SyntheticAblation, stage: str) -> dict[str, float]:
    return {task: float(np.mean(samples)) for task, samples in counted(run, stage, 1).items()}


def arm_of(document: dict, name: str) -> dict:
    return next(one for one in document["ablation"]["arms"] if one["name"] == name)


def test_an_arms_figures_are_those_counted_from_the_score_files(run, document):
    expected = [np.mean(list(rates(run, f"band-{seed}").values())) for seed in (1, 2, 3)]
    arm = arm_of(document, "band")
    assert arm["pass@1_by_seed"] == pytest.approx(expected, abs=1e-6)
    assert arm["pass@1"] == pytest.approx(np.mean(expected), abs=1e-6)
    assert arm["spread"] == pytest.approx(np.ptp(expected), abs=1e-6)


def test_an_arm_is_paired_with_the_control_of_its_seed(run, document):
    by_seed = []
    for seed in (1, 2, 3):
        arm, control = rates(run, f"band-{seed}"), rates(run, f"control-{seed}")
        by_seed.append(np.mean([arm[task] - control[task] for task in arm]))
    arm = arm_of(document, "band")
    assert arm["difference_by_seed"] == pytest.approx(by_seed, abs=1e-6)
    assert arm["difference"] == pytest.approx(np.mean(by_seed), abs=1e-6)
    assert arm["interval"][0] <= arm["difference"] <= arm["interval"][1]
    widths = [high - low for low, high in (arm["crossed"], arm["over_seeds"])]
    assert arm["interval"][1] - arm["interval"][0] == pytest.approx(max(widths), abs=2e-6)


def test_a_planted_effect_is_proven_and_an_arm_like_the_control_is_not(document):
    assert arm_of(document, "band")["verdict"] == "proven better"
    assert "proven" not in arm_of(document, "mask")["verdict"]


def test_the_headline_is_the_ablations_with_its_start_beside(document):
    told = document["headline"]
    assert re.fullmatch(
        r"Of 2 arms, band is proven better than the control: \+[\d.]+ points \(\+.* to \+.*\)\.",
        told["sentence"],
    )
    assert told["comparison"] is None
    assert told["beside"][0]["sentence"].startswith("After sft the model answers")


@pytest.mark.parametrize(
    ("verdicts", "sentence"),
    [
        (
            ("undecided", "no difference larger than 0.05", "undecided"),
            (
                "Of 3 arms, none is proven better or worse than the control: b is shown to be about as good; "
                "a and c are undecided."
            ),
        ),
        (
            ("proven worse", "undecided", "proven better"),
            (
                "Of 3 arms, a is proven worse than the control: −3.0 points (−4.0 to −1.0); "
                "c is proven better than the control: −3.0 points (−4.0 to −1.0)."
            ),
        ),
        (("undecided",), "Of 1 arm, none is proven better or worse than the control: a is undecided."),
    ],
)
def test_a_headline_can_be_positive_negative_or_undecided(verdicts, sentence):
    arms = [
        {
            "name": name,
            "verdict": one,
            "verdict_sentence": one,
            "difference": -0.03,
            "interval": [-0.04, -0.01],
        }
        for name, one in zip("abc", verdicts, strict=False)
    ]
    assert headline({"arms": arms}, {"verdict": None})["sentence"] == sentence


def test_stages_of_an_ablation_are_compared_with_nothing_else(document):
    assert list(document["comparisons"]) == ["sft-vs-base"]
    assert [one["checkpoint"] for one in document["checkpoints"]] == ["base", "sft"]
    assert [one["stage"] for one in document["curves"]] == ["sft"]
    assert set(document["breakdowns"]["difficulty"][0]["pass@1"]) == {"base", "sft"}


def test_costs_are_added_up_by_arm(document):
    assert [one["checkpoint"] for one in document["costs"]["steps"] if one["step"] == "train"] == [
        "sft",
        "control, 3 seeds",
        "band, 3 seeds",
        "mask, 3 seeds",
    ]


def test_samples_and_groups_that_teach_nothing_are_those_of_the_training_logs(document):
    assert arm_of(document, "mask")["samples"] == [24 * 64] * 3
    assert arm_of(document, "mask")["zero_variance"] == 0.25


def test_groups_that_teach_nothing_are_counted_by_group(tmp_path):
    path = tmp_path / "run/a/training_log.jsonl"
    path.parent.mkdir(parents=True)
    lines = [{"step": 1, "reward": 0.1, "samples": 8, "groups": 1, "zero_variance": 1.0}]
    lines += [{"step": 2, "reward": 0.1, "samples": 24, "groups": 3, "zero_variance": 0.0}]
    path.write_text("\n".join(map(json.dumps, lines)))
    assert read_figures([path]) == {"a": {"samples": 32, "zero_variance": 0.25}}


def test_the_page_and_the_markdown_tell_each_arm_once_with_its_verdict(document):
    page, markdown = Checker(), render_markdown(document)
    page.feed(render_page(document))
    assert page.open == []
    assert len(page.ids) == len(set(page.ids))
    assert {link.removeprefix("#") for link in page.links} <= set(page.ids)
    for text in (page.text, markdown):
        assert "One factor at a time" in text
        assert "band.enabled false → true" in text
        assert "Of 2 arms that change nothing, one or more" in text
        assert "up to 10%" in text
    assert not re.search(r"(control|band|mask)-\d against", page.text + markdown)


def test_a_page_of_fifteen_stages_stays_readable(document):
    page = render_page(document)
    assert page.count('<figure class="curve">') == 1
    table = page[page.index("The stages of the ablation") : page.index('<section id="costs">')]
    assert [table.count(f">{stage}<") for stage in STAGES] == [1] * len(STAGES)
    assert page.count("<dt>Stage ") == 2
    assert "Arms proven different" in [fact["name"] for fact in facts(document)]


def test_other_runs_have_no_ablation(whole_run):
    document = document_of(whole_run)
    assert document["ablation"] is None
    assert "One factor at a time" not in render_page(document) + render_markdown(document)


def test_where_nothing_is_proven_the_report_says_how_far_its_intervals_reach(tmp_path):
    arms = {"control": (1.0, 1.4), "band": (1.0, 1.4)}
    document = document_of(SyntheticAblation(tmp_path, arms=arms, tasks=40, templates=20).write())
    assert arm_of(document, "band")["verdict"] == "undecided"
    assert re.search(
        r"Nothing is proven here\. With 40 questions and 3 seeds the intervals reach",
        document["ablation"]["notes"][0],
    )
    assert "Of 1 arm, none is proven better or worse" in render_page(document)


def test_an_ablation_from_the_base_in_two_passes_has_a_report_too(tmp_path):
    run = SyntheticAblation(tmp_path, start="base", passes=2, tasks=30, templates=15).write()
    document = document_of(run)
    assert (document["comparisons"], document["curves"], document["headline"]["beside"]) == ({}, [], [])
    assert document["ablation"]["start"]["checkpoint"] == "base"
    both = [np.mean([np.mean(one) for one in counted(run, "mask-1", number).values()]) for number in (1, 2)]
    assert arm_of(document, "mask")["pass@1_by_seed"][0] == pytest.approx(np.mean(both), abs=1e-6)
    for text in (render_page(document), render_markdown(document)):
        assert "starts from base" in text


def test_arms_with_other_samples_and_lost_tasks_are_warned_of(tmp_path):
    run = SyntheticAblation(tmp_path, tasks=40, templates=20).write()
    log = run.folder / "run/band-2/training_log.jsonl"
    log.write_text("\n".join(log.read_text().splitlines()[:-1]) + "\n")
    for kind in ("scores", "rollouts"):
        file = run.folder / f"run/mask-1/{kind}/shop-holdout-1.jsonl"
        file.write_text("\n".join(file.read_text().splitlines()[run.k :]) + "\n")
    run.write_origins()
    document = document_of(run)
    assert document["ablation"]["tasks"] == 39
    assert any("1 task lack scores of some stage" in one for one in document["warnings"])
    assert any("trained on 1,472 to 1,536 samples" in one for one in document["warnings"])


def test_checks_that_could_not_be_decided_are_one_warning(tmp_path):
    run = SyntheticAblation(tmp_path, tasks=20, templates=10).write()
    for stage in ("band-1", "band-2"):
        file = run.folder / f"run/{stage}/parity.json"
        slope = Check("effect slope", "undecided", "0.9 (0.1 to 1.7)")
        write_json(file, to_dict(read_json(file, Parity)) | {"checks": [to_dict(slope)]})
    document = document_of(run)
    assert "effect slope could not be shown of band-1 and band-2." in document["warnings"]
    assert "0 of 1 passed, 1 undecided" in render_page(document)


def test_a_stage_without_scores_is_refused(tmp_path):
    run = SyntheticAblation(tmp_path, tasks=20, templates=10).write()
    (run.folder / "run/mask-3/scores/shop-holdout-1.jsonl").unlink()
    with pytest.raises(UserError, match="mask-3"):
        document_of(run)


def test_what_config_says_of_an_ablation_is_what_the_report_reads(run):
    found = from_dict(Ablation, run.claims()["ablation"], "here")
    assert found.all_stages == set(STAGES)
    assert found.groups["band-2"] == "band, 3 seeds"


def test_two_builds_of_an_ablation_are_the_same(run, document):
    assert json.dumps(document_of(run)) == json.dumps(document)
