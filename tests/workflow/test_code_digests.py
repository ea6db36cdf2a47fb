"""A rule's code digest covers every module of the project that its job imports."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from sqlrl.config.closure import closure
from tests.workflow.conftest import BUILD_LOG
from tests.workflow.what_reruns import scripts_by_rule

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
NOT_IN_THE_MICRO_RUN = (
    "write_causal_form",
    "write_comparison",
    "describe_prompts",
    "collect_replies",
    "freeze_tasks",
    "solve_tasks",
    "load_database",
    "draft_notes",
    "resample_database",
    "snapshot_database",
)
# What the micro run chooses where a script has several ways.
CHOSEN = {"author_tasks": {"teacher": "offline", "kind": "grammar"}}
OURS = re.compile(r"import time:.*\| +((?:sqlrl|scripts)(?:\.\w+)*)$", re.MULTILINE)


def test_no_job_imports_a_module_of_ours_that_its_digest_leaves_out(built):
    jobs = re.split(r"^localrule (\w+):", (built.folder / BUILD_LOG).read_text(), flags=re.MULTILINE)[1:]
    checked = set()
    for rule, output in zip(jobs[::2], jobs[1::2], strict=True):
        imported = set(OURS.findall(output)) - {"sqlrl", "scripts"}
        script = SCRIPTS.get(rule)
        if script is None:
            continue
        known = set(closure(ROOT, script, CHOSEN.get(rule, {"kind": "transformers"})))
        packages = {name.rpartition(".")[0] for name in known}
        assert imported, f"{rule} imported nothing of ours"
        assert imported <= known | packages, f"{rule}: {sorted(imported - known - packages)}"
        checked.add(rule)
    assert checked == set(SCRIPTS)


@pytest.mark.parametrize("rule", NOT_IN_THE_MICRO_RUN)
def test_what_the_script_of_another_rule_imports_as_it_starts_is_in_its_digest(rule):
    script = SCRIPTS_BY_RULE[rule]
    module = script.removesuffix(".py").replace("/", ".")
    command = [sys.executable, "-X", "importtime", "-c", f"import {module}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    imported = set(OURS.findall(done.stderr)) - {"sqlrl", "scripts"}
    known = set(closure(ROOT, script))
    assert imported
    assert imported <= known | {name.rpartition(".")[0] for name in known}


SCRIPTS_BY_RULE = scripts_by_rule(ROOT)
SCRIPTS = {rule: script for rule, script in SCRIPTS_BY_RULE.items() if rule not in NOT_IN_THE_MICRO_RUN}
