"""A workspace of its own for tests that run Snakemake: a copy of the project with the micro run."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml
from filelock import FileLock

ROOT = Path(__file__).parents[2]
PROJECT = ("Snakefile", "config.yaml", "config.schema.yaml", "pyproject.toml", "rules", "scripts", "sqlrl")
BUILD_LOG = "build.log"
TARGETS = ("total", "delta_report", "publish_adapter", "export_rows", "compare_runs")
DATA = (
    "databases",
    "profiles",
    "envs",
    "report",
    "tests/config.yaml",
    "tests/micro_model.py",
    "tests/__init__.py",
)


@dataclass(frozen=True)
class Workspace:
    """A folder with the project in it, and what tests ask of it."""

    folder: Path

    def snakemake(
        self, *arguments: str, check: bool = True, environment: Mapping[str, str] | None = None
    ) -> "subprocess.CompletedProcess[str]":
        """Run Snakemake on the micro run. Its output is one text, stderr included."""
        done = subprocess.run(
            [*self.command(), *arguments],
            cwd=self.folder,
            env={**os.environ, **(environment or {})},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert not check or done.returncode == 0, done.stdout[-6000:]
        return done

    def command(self) -> list[str]:
        """The command line that builds the micro run here."""
        configuration = ["--configfile", "tests/config.yaml", "--replace-workflow-config"]
        return [sys.executable, "-m", "snakemake", "--nocolor", "--cores", "1", *configuration]

    def stale(self, *targets: str) -> dict[str, int]:
        """Rule to number of jobs that a dry run lists."""
        output = self.snakemake("-n", *targets).stdout
        if "Nothing to be done" in output:
            return {}
        table = output[output.index("Job stats:") :].split("\n\n")[0]
        jobs = {name: int(count) for name, count in re.findall(r"^(\w+)\s+(\d+)$", table, re.MULTILINE)}
        return {name: count for name, count in jobs.items() if name not in TARGETS}

    def edit(self, file: str, old: str, new: str) -> None:
        """Replace the one place in a file of the project where a text stands."""
        path = self.folder / file
        text = path.read_text()
        assert text.count(old) == 1, f"{file} has {text.count(old)} times {old!r}"
        path.write_text(text.replace(old, new))

    def configure(self, change: Callable[[dict], None]) -> None:
        """Change the micro run's configuration."""
        path = self.folder / "tests" / "config.yaml"
        config = yaml.safe_load(path.read_text())
        change(config)
        path.write_text(yaml.safe_dump(config, sort_keys=False))

    def results(self, pattern: str) -> dict[str, bytes]:
        """Contents of the results whose path matches, by path."""
        found = sorted((self.folder / "results").glob(pattern))
        return {str(one.relative_to(self.folder)): one.read_bytes() for one in found if one.is_file()}


def make_workspace(folder: Path) -> Workspace:
    """Copy the project's sources into a folder and make the micro model there."""
    for name in (*PROJECT, *DATA):
        source, target = ROOT / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        elif source.exists():
            shutil.copy2(source, target)
    model = ["-m", "tests.micro_model", "--output", "results/micro-model"]
    subprocess.run([sys.executable, *model], cwd=folder, check=True)
    return Workspace(folder)


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Workspace:
    """A workspace with the micro run built in it. Read it; to change anything take a copy.

    Test processes that run side by side share one: the first builds it and the others wait.
    """
    alone = worker_id == "master"
    folder = tmp_path_factory.getbasetemp() if alone else tmp_path_factory.getbasetemp().parent
    workspace = Workspace(folder / "built")
    with FileLock(folder / "built.lock"):
        if not (workspace.folder / BUILD_LOG).exists():
            build(workspace.folder)
    return workspace


def build(folder: Path) -> None:
    """Build the micro run; every job names the modules that it imports, for the test of the code digests."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    done = make_workspace(folder).snakemake(
        "delta_report", "publish_adapter", "export_rows", environment={"PYTHONPROFILEIMPORTTIME": "1"}
    )
    (folder / BUILD_LOG).write_text(done.stdout)


@pytest.fixture
def copy(built: Workspace, tmp_path: Path) -> Workspace:
    """A copy of the built workspace, times of files kept, to change at will."""
    folder = tmp_path / "copy"
    shutil.copytree(built.folder, folder, copy_function=shutil.copy2)
    return Workspace(folder)
