"""The README.md of a run's folder says what is in it, and how it is loaded and built again."""

import json
import re
from pathlib import Path

import pytest
import torch
import yaml
from jinja2 import UndefinedError

from scripts import describe_run
from scripts.arguments import run_script
from sqlrl.config.folders import run_template
from sqlrl.files import write_json
from tests.publish.publishable import PublishableRun
from tests.report.synthetic import SyntheticAblation
from tests.report.test_document import document_of

ROOT = Path(__file__).parents[2]
LORA = {"steps": 24, "lora": {"rank": 16}}
SETTINGS = {"model": "tiny", "stages": {"sft": LORA, "grpo": LORA}, "databases": ["shop"]}


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> PublishableRun:
    return PublishableRun.made(tmp_path_factory.mktemp("run"))


def words(run, output: Path, timings: list[str]) -> list[str]:
    return [
        "--template", str(ROOT / run_template()), "--report", str(run.folder / "run/delta_report.json"),
        "--model", str(run.folder / "models/tiny/model.json"), "--timings", *timings,
        "--settings", json.dumps(SETTINGS), "--output", str(output),
    ]  # fmt: skip


@pytest.fixture(scope="module")
def readme(run) -> str:
    output = run.folder / "run/README.md"
    given = words(run, output, run.paths("*/timings/*.json"))
    assert run_script(describe_run.main, describe_run.make_arguments(), given) == 0
    return output.read_text()


def test_it_says_the_headline_of_the_report_what_it_is_of_and_when_it_was_made(run, readme):
    document = json.loads((run.folder / "run/delta_report.json").read_text())
    assert f"**{document['headline']['sentence']}**" in readme
    assert document["fixed"]["holdout_digest"][:16] in readme
    assert "| stage `grpo` | grpo from sft, 24 steps; weights" in readme
    assert "2026-02-03T04:05:06+00:00 to 2026-02-03T04:05:06+00:00" in readme
    assert "snakemake delta_report --config run=laptop" in readme


def test_its_settings_are_yaml_that_says_the_same(readme):
    block = re.search(r"```yaml\n(.*?)```", readme, re.DOTALL)
    assert yaml.safe_load(block[1]) == SETTINGS


def test_its_three_lines_load_the_adapter(readme):
    lines = re.search(r"```python\n(.*?)```", readme, re.DOTALL)[1]
    assert len(lines.splitlines()) == 3
    names: dict = {}
    exec(lines, names)
    assert any("lora_" in name for name, _ in names["model"].named_parameters())
    assert names["model"](torch.tensor([[1, 2]])).logits.shape[1] == 2


def test_of_an_ablation_what_its_arms_start_from_can_be_loaded(tmp_path):
    run = SyntheticAblation(tmp_path, tasks=20, templates=10).write()
    write_json(run.folder / "run/delta_report.json", document_of(run))
    given = words(run, tmp_path / "README.md", run.paths("*/timings/*.json"))
    assert run_script(describe_run.main, describe_run.make_arguments(), given) == 0
    assert f"--lora-modules sft={run.folder}/run/sft/adapter" in (tmp_path / "README.md").read_text()


def test_a_report_that_is_none_is_one_message(run, tmp_path, capsys):
    given = words(run, tmp_path / "README.md", run.paths("*/timings/*.json"))
    given[given.index("--report") + 1] = str(run.folder / "models/tiny/model.json")
    assert run_script(describe_run.main, describe_run.make_arguments(), given) == 2
    assert "model.json" in capsys.readouterr().err
    assert not (tmp_path / "README.md").exists()


def test_a_template_that_asks_for_what_there_is_not_fails(run, tmp_path):
    template = tmp_path / "other.md.j2"
    template.write_text("{{ nothing }}")
    given = words(run, tmp_path / "README.md", run.paths("*/timings/*.json"))
    given[1] = str(template)
    with pytest.raises(UndefinedError):
        run_script(describe_run.main, describe_run.make_arguments(), given)
