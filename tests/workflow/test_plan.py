"""scripts/plan.py on a built run: nothing to do, a changed setting, a changed module."""

import os
import subprocess
import sys

import pytest

from tests.workflow.conftest import Workspace

pytestmark = pytest.mark.slow


def plan(workspace: Workspace, *words: str) -> str:
    command = [sys.executable, "-m", "scripts.plan", "--configfile", "tests/config.yaml", *words]
    wide = {**os.environ, "COLUMNS": "400"}
    done = subprocess.run(command, cwd=workspace.folder, env=wide, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_with_nothing_to_do_it_says_so_in_one_line(built):
    assert plan(built, "--run", "micro") == "Nothing to do: delta_report is up to date.\n"


def test_it_names_the_setting_and_the_module_that_changed_and_what_jobs_took(copy):
    copy.configure(lambda c: c["runs"]["micro"]["scoring"].update(temperature=0.8))
    printed = plan(copy)
    assert "temperature: 0.7 → 0.8" in printed
    assert "by the last run's times" in printed
    copy.configure(lambda c: c["runs"]["micro"]["scoring"].pop("temperature"))
    path = copy.folder / "sqlrl" / "report" / "forecast.py"
    path.write_text(path.read_text() + "\nCHANGED = True\n")
    assert "code changed: sqlrl.report.forecast" in plan(copy)


def test_a_fault_of_the_configuration_is_one_message(copy):
    copy.configure(lambda c: c["runs"]["micro"].update(model="mikro"))
    command = [sys.executable, "-m", "scripts.plan", "--configfile", "tests/config.yaml"]
    done = subprocess.run(command, cwd=copy.folder, capture_output=True, text=True)
    assert done.returncode == 2
    assert 'runs.micro.model is "mikro"' in done.stderr
    assert "Traceback" not in done.stderr
