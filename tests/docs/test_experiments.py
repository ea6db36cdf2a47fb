"""Every number that the texts tell of our own runs stands in the committed report of that run."""

import json
import re
from pathlib import Path

import pytest

from sqlrl.report.markdown import render_markdown

ROOT = Path(__file__).parents[2]
REPORTS = sorted((ROOT / "docs" / "experiments").glob("*/delta_report.json"))
TEXTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"<!-- numbers of (?P<run>\S+) -->\n(?P<text>.*?)<!-- end of numbers -->", re.DOTALL)
CODE = re.compile(r"```.*?```|`[^`]*`|\]\([^)]*\)", re.DOTALL)
NUMBER = re.compile(r"(?<![\w.])[+−-]?\d[\d,]*(?:\.\d+)?")
RESULT = re.compile(r"\d\s*%|\d points|pass[@^]\d+ (?:of )?\d")


def quotes() -> list[tuple[Path, str, str]]:
    return [
        (path, found["run"], found["text"]) for path in TEXTS for found in BLOCK.finditer(path.read_text())
    ]


def numbers(text: str) -> set[str]:
    return {
        found.lstrip("+").replace(",", "").replace("−", "-") for found in NUMBER.findall(CODE.sub(" ", text))
    }


def report(run: str) -> Path:
    return ROOT / "docs" / "experiments" / run / "delta_report.md"


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.parent.name)
def test_a_committed_report_is_the_markdown_of_the_json_beside_it(path):
    document = json.loads(path.read_text())
    assert document["run"] == path.parent.name
    assert path.with_suffix(".md").read_text() == render_markdown(document)


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.parent.name)
def test_a_committed_report_says_the_machine_that_it_ran_on(path):
    machines = json.loads(path.read_text())["costs"]["machines"]
    assert machines
    assert all(machine in path.with_suffix(".md").read_text() for machine in machines)


@pytest.mark.parametrize(("path", "run", "text"), quotes(), ids=lambda part: getattr(part, "name", "")[:40])
def test_every_number_of_a_quoted_block_stands_in_the_report_of_its_run(path, run, text):
    assert report(run).exists(), f"{path.name} quotes {run}, of which docs/experiments/ has no report"
    strange = numbers(text) - numbers(report(run).read_text())
    assert not strange, f"{path.name}: {sorted(strange)} are not in {report(run)}"


def test_a_number_that_the_report_does_not_have_is_seen():
    assert numbers("From 12.5% to 1,204 (`99`), +3.1 and −2") - numbers("12.5%, 1204, 3.1") == {"-2"}


def test_results_of_our_runs_are_told_in_quoted_blocks_only():
    runs = [path.parent.name for path in REPORTS]
    assert runs
    told = [
        f"{path.name}: {line.strip()}"
        for path in TEXTS
        for line in BLOCK.sub("", path.read_text()).splitlines()
        if any(f"`{run}`" in line for run in runs) and RESULT.search(CODE.sub(" ", line))
    ]
    assert not told
