"""A dry run in words: why each job runs, and what it took the last time."""

from pathlib import Path

import pytest

from sqlrl.config.dry_run import PlannedJob, changed_params, read_jobs
from sqlrl.config.plan import group_of, plan_lines, reasons
from sqlrl.config.remembered import CodeDigests, changed_modules, read_remembered

OLD, NEW = "a" * 64, "b" * 64
PRINTED = f"""Building DAG of jobs...
Job stats:
job             count
------------  -------
screen_tasks        1

[Tue Dec  1 05:37:03 2026]
rule screen_tasks:
    input: results/tasks/clinic/authored.jsonl, results/databases/clinic/main.sql
    output: results/tasks/clinic/screened.jsonl, results/tasks/clinic/screening.json
    log: results/tasks/clinic/logs/screen.log
    jobid: 1
    benchmark: results/tasks/clinic/benchmarks/screen.tsv
    reason: Params have changed since last execution: Union of exclusive params before and now across all output: \
before: '{OLD}','{{"kept":36,"limits":{{"rows":50}}}}' now: '{{"kept":30,"limits":{{"rows":40}}}}','{NEW}'
    wildcards: database=clinic
    resources: tmpdir=/tmp
[Tue Dec  1 05:37:03 2026]
localrule sample_rollouts:
    output: results/micro/grpo/rollouts/shop-dev-1.jsonl, results/micro/grpo/timings/rollouts-shop-dev-1.json
    benchmark: results/micro/grpo/benchmarks/rollouts-shop-dev-1.tsv
    reason: Missing output files: results/micro/grpo/rollouts/shop-dev-1.jsonl; Input files updated by another job: \
results/micro/grpo/adapter/adapter.json, results/micro/grpo/parity.json
    resources: tmpdir=/tmp, gpu=2, engine=memory=0.85
[Tue Dec  1 05:37:03 2026]
rule delta_report:
    input: results/micro/delta_report.html
    jobid: 0
    reason: Input files updated by another job: results/micro/delta_report.html
""".replace("\\\n", "")


def job(reason: str = "", output: str = "results/micro/grpo/parity.json", **more: object) -> PlannedJob:
    return PlannedJob("some_rule", (output,), None, 0, reason)


def params(before: str, now: str) -> str:
    words = "Union of exclusive params before and now across all output"
    return f"Params have changed since last execution: {words}: before: {before} now: {now}"


def why(reason: str, modules: list[str] | None = None) -> list[str]:
    return list(reasons(job(reason), lambda _: modules))


def test_jobs_are_read_and_targets_are_left_out():
    screen, sample = read_jobs(PRINTED)
    assert (screen.rule, screen.gpus) == ("screen_tasks", 0)
    assert screen.outputs == ("results/tasks/clinic/screened.jsonl", "results/tasks/clinic/screening.json")
    assert screen.benchmark == "results/tasks/clinic/benchmarks/screen.tsv"
    assert (sample.rule, sample.gpus) == ("sample_rollouts", 2)


def test_a_print_without_jobs_has_none():
    assert read_jobs("Building DAG of jobs...\nNothing to be done (all requested files are present).") == []


def test_a_changed_setting_is_told_with_both_values_and_a_changed_module_by_name():
    screen, _ = read_jobs(PRINTED)
    assert list(reasons(screen, {OLD: ["sqlrl.authoring.screen"]}.get)) == [
        "kept: 36 → 30",
        "limits.rows: 50 → 40",
        "code changed: sqlrl.authoring.screen",
    ]


def test_where_nothing_is_known_of_the_old_code_that_is_said():
    assert why(params(f"'{OLD}'", f"'{NEW}'")) == ["code changed (which module is not known)"]


def test_two_blocks_are_told_apart_by_their_keys():
    before, now = ("""'{"a":1,"b":2}','{"x":1}'""", """'{"x":2}','{"a":1,"b":3}'""")
    assert why(params(before, now)) == ["b: 2 → 3", "x: 1 → 2"]


def test_a_key_that_came_or_went_is_not_set_on_one_side():
    assert why(params("""'{"a":1}'""", """'{"b":null}'""")) == ["a: 1 → not set", "b: not set → null"]


def test_a_word_that_is_no_block_is_told_as_it_is():
    assert why(params("'transformers'", "'vllm'")) == ["transformers is now vllm"]
    assert why(params("<nothing exclusive>", "'vllm'")) == ["nothing is now vllm"]


def test_values_with_quotes_are_read():
    printed = repr('{"prefix": "it\'s"}')
    assert changed_params(params(printed, "<nothing exclusive>")) == (['{"prefix": "it\'s"}'], [])


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("Missing output files: results/a/b.json", ["not there yet: results/a/b.json"]),
        ("Updated input files: databases/shop/notes.md", ["changed: databases/shop/notes.md"]),
        (
            "Input files updated by another job: results/m/a/scores/b-dev-1.jsonl, results/m/a/scores/b-dev-2.jsonl",
            ["after scores/b-dev.jsonl"],
        ),
        ("Set of input files has changed since last execution", ["it reads other files than before"]),
        ("Code has changed since last execution", ["its command is another"]),
        ("Forced execution", ["forced"]),
    ],
)
def test_each_reason_of_snakemake_has_words(reason, words):
    assert why(reason) == words


@pytest.mark.parametrize(
    ("output", "group"),
    [
        ("results/micro/grpo@2/parity.json", "grpo@2"),
        ("results/micro/base/rollouts/shop-dev-1.jsonl", "base"),
        ("results/micro/delta_report.html", "report of micro"),
        ("results/micro/tasks/shop-dev.jsonl", "tasks of micro"),
        ("results/tasks/shop/tasks.jsonl", "tasks of shop"),
        ("results/databases/shop/main.sql", "database shop"),
        ("results/models/micro/model.json", "model micro"),
    ],
)
def test_jobs_are_grouped_by_stage(output, group):
    assert group_of(job(output=output)) == group


def test_equal_jobs_are_one_line_with_what_they_took_the_last_time(tmp_path: Path):
    (tmp_path / "one.tsv").write_text("s\th:m:s\n7200.0\t2:00:00\n")
    files = ["results/m/grpo/scores/shop-dev-1.jsonl", "results/m/grpo/scores/shop-dev-2.jsonl"]
    jobs = [
        PlannedJob("score", (files[0],), "one.tsv", 2, "Forced execution"),
        PlannedJob("score", (files[1],), "never.tsv", 2, "Forced execution"),
    ]
    [line] = plan_lines(jobs, lambda _: None, tmp_path)
    assert (line.group, line.jobs, line.why) == ("grpo", 2, "forced")
    assert (line.seconds, line.unknown, line.gpu_hours) == (7200.0, 1, 4.0)


def test_jobs_of_a_stage_stand_together_though_others_are_planned_between(tmp_path: Path):
    outputs = ["results/m/base/a.json", "results/m/grpo/a.json", "results/m/base/b.json"]
    jobs = [PlannedJob(f"rule_{place}", (output,), None, 0, "") for place, output in enumerate(outputs)]
    lines = plan_lines(jobs, lambda _: None, tmp_path)
    assert [(line.group, line.rule) for line in lines] == [
        ("base", "rule_0"),
        ("base", "rule_2"),
        ("grpo", "rule_1"),
    ]


def test_a_digest_of_an_earlier_build_names_the_modules_that_are_other_now(tmp_path: Path):
    for name, text in {"scripts/one.py": "import sqlrl.used\n", "sqlrl/used.py": "A = 1\n"}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    digests, file = CodeDigests(tmp_path), tmp_path / "code.json"
    digest = digests.digest("scripts/one.py")
    digests.remember(file)
    code = read_remembered(file).code[digest]
    assert list(changed_modules(tmp_path, code)) == []
    assert read_remembered(tmp_path / "none.json").code == {}
    other = tmp_path / "other"
    for name, text in {"scripts/one.py": "import sqlrl.more\n", "sqlrl/more.py": "A = 1\n"}.items():
        (other / name).parent.mkdir(exist_ok=True, parents=True)
        (other / name).write_text(text)
    assert list(changed_modules(other, code)) == [
        "scripts.one",
        "sqlrl.more (new)",
        "sqlrl.used (no longer used)",
    ]
