"""Two sides compared by hand: the report's own numbers, and honest ones where there is little to compare."""

import io
from pathlib import Path

import pytest
import yaml
from rich.console import Console

from scripts.delta import make_arguments
from sqlrl.authoring.task import Task
from sqlrl.errors import UserError
from sqlrl.records import read_jsonl
from sqlrl.report.by_hand import HandSettings, compare_sides
from sqlrl.report.by_hand_view import render_comparison
from sqlrl.report.comparisons import compare_passes
from sqlrl.report.files import parse_results
from sqlrl.report.passes import read_pass
from sqlrl.report.rates import rate_figures
from sqlrl.report.sides import find_groups, read_side
from tests.report.scores import write_scores

SETTINGS = HandSettings(resamples=500, confidence=0.95, seed=1, margin=0.05)


def compare(tmp_path, before, after, settings=SETTINGS, **groups):
    """Each side as words, a dict a pass, or one dict."""
    sides = []
    for name, passes in (("before", before), ("after", after)):
        passes = passes if isinstance(passes, list) else [passes]
        files = [write_scores(tmp_path / f"{name}-{n}.jsonl", **one) for n, one in enumerate(passes)]
        sides.append(read_side(files))
    return compare_sides(*sides, find_groups(sides, **groups), settings)


def lines_of(document, width):
    console = Console(record=True, width=width, file=io.StringIO())
    for part in render_comparison(document):
        console.print(part)
    return console.export_text().splitlines()


def rendered(document):
    return " ".join(" ".join(lines_of(document, 120)).split())


def close(found, expected):
    """Equal to the six decimals that the document has."""
    return found == pytest.approx(expected, abs=1e-6)


@pytest.fixture(scope="module")
def both(whole_run):
    """The same two checkpoints compared by hand and by the report's own functions."""
    folder = whole_run.folder / "run"
    files = {name: sorted((folder / name / "scores").glob("*holdout*.jsonl")) for name in ("base", "grpo")}
    sides = [read_side(files[name]) for name in ("base", "grpo")]
    groups = find_groups(sides, [folder / "tasks/shop-holdout.jsonl"])
    tasks = {task.id: task for task in read_jsonl(folder / "tasks/shop-holdout.jsonl", Task)}
    passes = [
        {file.scoring: read_pass([file], [], "main") for file in parse_results(files[name], "scores")}
        for name in ("base", "grpo")
    ]
    return compare_sides(*sides, groups, SETTINGS), passes, tasks


def test_the_difference_is_that_of_the_delta_report(both):
    document, passes, tasks = both
    expected = compare_passes(*passes, tasks, SETTINGS.bootstrap, SETTINGS.margin)
    found = document["difference"]
    assert found["verdict"] == expected["verdict"]
    assert found["moved"] == expected["moved"]
    assert close(found["value"], expected["difference"])
    assert close(found["interval"], expected["interval"])
    assert close(found["smallest_provable_gain"], expected["smallest_provable_gain"])
    for mine, by_task, by_template in zip(
        found["passes"], expected["by_task"], expected["by_template"], strict=True
    ):
        assert close(mine["by_task"], by_task)
        assert close(mine["by_template"], by_template)


@pytest.mark.parametrize("rate", ["pass@1", "pass@k", "pass^k", "executes"])
def test_rates_are_those_of_the_delta_report(both, rate):
    document, passes, tasks = both
    for side, one in zip(("before", "after"), passes, strict=True):
        expected = rate_figures(one, rate, tasks, SETTINGS.bootstrap)
        found = document["rates"][rate][side]
        for key in ("value", "interval", "by_template", "passes", "spread"):
            assert close(found[key], expected[key]), key
        assert found["bound"] == (expected["bound"] and pytest.approx(expected["bound"], abs=1e-6))


def test_tasks_that_one_side_lacks_are_left_out_and_counted(tmp_path):
    document = compare(tmp_path, {"a": "RR", "b": "WW", "c": "WW"}, {"a": "RR", "b": "RW", "d": "RR"})
    assert (document["tasks"], document["lost_tasks"]) == (2, 2)
    assert document["rates"]["pass@1"]["after"]["value"] == 0.75
    text = rendered(document)
    assert "1 of 3 tasks of before are left out" in text
    assert "1 of 3 tasks of after are left out" in text


def test_sides_without_a_common_task_are_refused(tmp_path):
    with pytest.raises(UserError, match="share no task: before has tasks such as a, after such as b"):
        compare(tmp_path, {"a": "R"}, {"b": "R"})


def test_another_number_of_passes_is_refused(tmp_path):
    with pytest.raises(UserError, match="before has 2 scoring passes and after 1"):
        compare(tmp_path, [{"a": "R"}, {"a": "W"}], {"a": "R"})


def test_another_k_on_each_side_is_compared_at_the_smaller(tmp_path):
    document = compare(tmp_path, {"a": "RW", "b": "WW"}, {"a": "RRWW", "b": "RRRW"})
    assert document["k"] == 2
    # 1 - C(2, 2) / C(4, 2) for a, 1 - 0 for b
    assert document["rates"]["pass@k"]["after"]["value"] == pytest.approx((5 / 6 + 1) / 2, abs=1e-6)
    assert "pass@2 and pass^2 of the side with 4 are estimated from all of them" in rendered(document)


@pytest.mark.parametrize(("letters", "share"), [("RR", 1.0), ("WW", 0.0)])
def test_an_interval_of_zero_width_is_said_to_be_so(tmp_path, letters, share):
    document = compare(tmp_path, {"a": letters, "b": letters}, {"a": letters, "b": letters})
    rate = document["rates"]["pass@1"]["before"]
    assert (rate["value"], rate["interval"], rate["zero_width"]) == (share, [share, share], True)
    assert rate["bound"][1] - rate["bound"][0] > 0.5  # two tasks say little
    assert document["difference"]["verdict"] == "undecided"
    text = rendered(document)
    assert "the resampled interval has zero width" in text
    assert "What 2 tasks could prove is not known, since no task moved" in text


def test_one_sample_a_task_has_no_rows_for_several_tries(tmp_path):
    text = rendered(compare(tmp_path, {"a": "R", "b": "W"}, {"a": "R", "b": "R"}))
    assert "pass@1" in text
    assert "pass^1" not in text


def test_what_executes_is_not_said_where_verdicts_do_not_say_it(tmp_path):
    (tmp_path / "b.jsonl").write_text('{"task_id": "a", "sample": 0, "verdict": true}\n')
    sides = read_side([write_scores(tmp_path / "a.jsonl", a="R")]), read_side([tmp_path / "b.jsonl"])
    document = compare_sides(*sides, find_groups(sides), SETTINGS)
    assert "executes" not in document["rates"]


def test_the_widest_interval_is_the_headline(tmp_path):
    """Whole templates rise together, so intervals over tasks are too narrow; databases differ even more."""
    names = [f"t{number:02}" for number in range(40)]
    after = {name: "R" if number < 20 else "W" for number, name in enumerate(names)}
    lines = [
        f'{{"id": "{name}", "template": "{number // 5}", "database": "{number // 10}"}}\n'
        for number, name in enumerate(names)
    ]
    (tmp_path / "tasks.jsonl").write_text("".join(lines))
    document = compare(tmp_path, dict.fromkeys(names, "W"), after, task_files=[tmp_path / "tasks.jsonl"])
    one = document["difference"]["passes"][0]
    width = {key: one[key][1] - one[key][0] for key in ("by_task", "by_template", "by_database")}
    assert width["by_task"] < width["by_template"] < width["by_database"]
    assert one["interval"] == one["by_database"]
    assert (document["templates"], document["databases"]) == (8, 4)
    assert "by database" in rendered(document)


def test_intervals_without_templates_come_with_a_note(tmp_path):
    samples = {"a": "R", "b": "W"}
    assert "No templates are known" in rendered(compare(tmp_path, samples, samples))
    (tmp_path / "tasks.jsonl").write_text('{"id": "a", "template": "t"}\n')
    document = compare(tmp_path, samples, samples, task_files=[tmp_path / "tasks.jsonl"])
    assert document["difference"]["passes"][0]["by_template"] is None
    assert "1 of 2 tasks have no template" in rendered(document)


def test_a_clear_gain_reads_as_one(tmp_path):
    names = [f"t{number:02}" for number in range(30)]
    text = rendered(compare(tmp_path, dict.fromkeys(names, "WW"), dict.fromkeys(names, "RR")))
    assert "Verdict: proven better" in text
    assert "more often: 30, less often: 0, as often: 0. Sign test: p < 0.0001" in text


@pytest.mark.parametrize("width", [60, 120])
def test_the_tables_fit_the_terminal(both, width):
    lines = lines_of(both[0], width)
    assert max(map(len, lines)) <= width
    assert not any("…" in line for line in lines)


@pytest.mark.parametrize(
    "settings", [HandSettings(99, 0.95, 1, 0.05), HandSettings(500, 1.0, 1, 0.05), HandSettings(500, 0.95, 1, 0)]
)  # fmt: skip
def test_settings_that_make_no_interval_are_refused(tmp_path, settings):
    with pytest.raises(UserError, match="expected a confidence between 0\\.5 and 1"):
        compare(tmp_path, {"a": "R"}, {"a": "R"}, settings)


def test_the_numbers_by_default_are_those_of_the_report():
    schema = yaml.safe_load(Path("config.schema.yaml").read_text())
    report = schema["$defs"]["report"]["properties"]
    given = make_arguments().parse_args(["--before", "a", "--after", "b"])
    keys = {
        "resamples": "resamples",
        "confidence": "confidence",
        "seed": "seed",
        "margin": "equivalence_margin",
    }
    keys["databases"] = "headline_databases"
    assert {ours: getattr(given, ours) for ours in keys} == {
        ours: report[theirs]["default"] for ours, theirs in keys.items()
    }
