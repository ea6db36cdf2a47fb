"""The settings of a run in a terminal."""

from scripts.arguments import run_script
from scripts.settings import main, make_arguments


def printed(capsys, *words: str) -> dict[str, str]:
    """Setting to its value and its place."""
    assert run_script(main, make_arguments(), words, by_run=False) == 0
    lines = [line.split("  # ") for line in capsys.readouterr().out.splitlines()]
    return {text.partition(": ")[0]: f"{text.partition(': ')[2].strip()} of {place}" for text, place in lines}


def test_each_setting_of_a_run_says_where_it_is_from(capsys):
    found = printed(capsys, "--run", "laptop")
    assert found["runs.laptop.stages.sft.steps"] == "110 of config.yaml"
    assert found["runs.laptop.stages.sft.kind"] == '"sft" of config.yaml, defaults.stages.imitation'
    assert found["runs.laptop.stages.sft.max_grad_norm"] == "1.0 of default"
    assert found["models.smollm2-135m.source"] == '"package" of config.yaml'
    assert found["databases.shop.seed"] == "1 of config.yaml"
    assert not any(key.startswith(("databases.clinic", "runs.qwen")) for key in found)


def test_a_stage_of_an_ablation_says_where_arm_control_and_seeds_are_written(capsys):
    found = printed(capsys, "--run", "ablation-laptop")
    mask = "runs.ablation-laptop.stages.mask-2"
    assert found[f"{mask}.truncated"] == '"mask" of config.yaml'
    assert found[f"{mask}.steps"] == "8 of config.yaml"
    assert found[f"{mask}.beta"] == "0.0 of config.yaml, defaults.stages.control"
    assert found[f"{mask}.seed"] == "2 of default"


def test_an_unknown_run_is_named_with_the_nearest(capsys):
    assert run_script(main, make_arguments(), ["--run", "labtop"], by_run=False) == 2
    assert 'there is no run "labtop".' in capsys.readouterr().err
