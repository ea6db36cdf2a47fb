"""Building after a kill: a lock without an owner goes, one with an owner stays."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SNAKEFILE = 'rule all:\n    output: "done.txt"\n    shell: "echo done > {output}"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "Snakefile").write_text(SNAKEFILE)
    return tmp_path


def build(folder: Path) -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "scripts.build", "-c1"]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def lock(folder: Path) -> None:
    locks = folder / ".snakemake" / "locks"
    locks.mkdir(parents=True)
    (locks / "0.output.lock").write_text(str(folder / "done.txt") + "\n")


def test_a_lock_whose_owner_is_dead_is_taken_away(folder):
    lock(folder)
    done = build(folder)
    assert done.returncode == 0, done.stderr
    assert (folder / "done.txt").exists()


def test_a_lock_whose_owner_lives_is_respected(folder):
    lock(folder)
    owner = subprocess.Popen(["bash", "-c", "exec -a snakemake sleep 60"], cwd=folder)
    try:
        done = build(folder)
    finally:
        owner.kill()
        owner.wait()
    assert done.returncode == 2
    assert f"process {owner.pid}" in done.stderr
    assert not (folder / "done.txt").exists()


def test_a_job_of_a_killed_run_is_ended_before_the_next_run_starts(folder):
    lock(folder)
    orphan = subprocess.Popen(["bash", "-c", "exec -a scripts.train_sft sleep 60"], cwd=folder)
    try:
        assert build(folder).returncode == 0
        assert orphan.wait(timeout=10) != 0
    finally:
        orphan.kill()
