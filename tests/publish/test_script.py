"""Publishing from the command line."""

import pytest

from scripts.arguments import run_script
from scripts.publish_adapter import main, make_arguments


@pytest.mark.parametrize(("option", "value", "message"), [
    ("--report", "nowhere/delta_report.json", "nowhere/delta_report.json: no such file"),
    ("--checkpoint", "r1", "no figures of r1; to publish there are: sft, grpo."),
    ("--settings", '{"license": "MIT"}', "--settings: unknown key 'license'"),
    ("--schemas", "other/schema.sql", "database 'shop' comes without its schema.sql; given: other"),
])  # fmt: skip
def test_bad_input_is_one_message_and_leaves_no_folder(run, tmp_path, capsys, option, value, message):
    words = run.words("grpo", tmp_path / "out")
    words[words.index(option) + 1] = value
    assert run_script(main, make_arguments(), words) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_the_licence_reaches_the_card(run, tmp_path):
    words = run.words("sft", tmp_path / "out", licence="Apache-2.0")
    assert run_script(main, make_arguments(), words) == 0
    assert "license: apache-2.0" in (tmp_path / "out/README.md").read_text()
