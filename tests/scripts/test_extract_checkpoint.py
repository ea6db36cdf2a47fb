import pytest

from scripts.arguments import run_script
from scripts.extract_checkpoint import main, make_arguments
from sqlrl.sampling.sampler import SamplingSettings
from sqlrl.sampling.transformers import TransformersSampler
from tests.training_bench import SFT, Bench


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    return Bench(tmp_path_factory.mktemp("bench"))


def run(products, step, output):
    words = [
        "--checkpoints",
        products.checkpoints,
        "--adapter",
        products.adapter,
        "--step",
        step,
        "--output",
        output,
    ]
    return run_script(main, make_arguments(), list(map(str, words)))


def test_an_extracted_step_can_be_sampled_from_and_trained_on(bench, tmp_path, capsys):
    products = bench.run("stage", SFT)
    assert run(products, 3, tmp_path / "stage@3" / "adapter") == 0
    folder = tmp_path / "stage@3" / "adapter"
    task = bench.tasks[0]
    prompt = bench.prompts.write(task.id, task.database, task.question)
    sampler = TransformersSampler(bench.model)
    settings = SamplingSettings(1.0, 1.0, 8, 4)
    replies = [
        sampler.sample([prompt], 4, settings, adapter, 1) for adapter in (folder, products.adapter, None)
    ]
    assert len({tuple(reply.logprobs[0] for reply in found) for found in replies}) == 3
    child = bench.run("child", {**SFT, "steps": 1, "checkpoints": []}, parent=folder)
    assert '"name": "stage@3"' in (child.adapter / "adapter.json").read_text()
    assert run(products, 5, tmp_path / "none") == 2
    assert "no step 5; it has: 3" in capsys.readouterr().err
