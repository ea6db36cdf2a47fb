"""A server on loopback that speaks chat completions and messages, and fails when it is told to."""

import json
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "sk-very-secret-0123456789"
PROMPT_TOKENS, REPLY_TOKENS = 11, 7
# Of the prompts of requests that want a form, these come from a cache.
CACHED_TOKENS = 4

Fault = Callable[["Handler"], None]


@dataclass(frozen=True)
class Asked:
    """One request as it came in."""

    path: str
    body: dict[str, Any]
    headers: dict[str, str]

    @property
    def question(self) -> str:
        return self.body["messages"][-1]["content"]


@dataclass
class State:
    """What came in, and what comes next: a fault for each of the next requests, then answers."""

    asked: list[Asked] = field(default_factory=list)
    faults: deque[Fault] = field(default_factory=deque)
    delay: Callable[[str], float] = lambda question: 0.0
    text: Callable[[str], str | None] = lambda question: f"about {question}"
    ending: str | None = None
    busy: int = 0
    busiest: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)


class AnsweringServer(ThreadingHTTPServer):
    """The server with its state; ``address`` is what config.yaml would have as base_url."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.state = State()

    def handle_error(self, *_: object) -> None:
        """Clients that hang up are part of the play."""
        if not isinstance(sys.exception(), ConnectionError):
            traceback.print_exc()

    def address(self, kind: str) -> str:
        root = f"http://127.0.0.1:{self.server_address[1]}"
        return f"{root}/v1" if kind == "openai" else root


class Handler(BaseHTTPRequestHandler):
    server: AnsweringServer

    def do_POST(self) -> None:
        state = self.server.state
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        asked = Asked(self.path, body, {key.lower(): value for key, value in self.headers.items()})
        with state.lock:
            state.asked.append(asked)
            state.busy += 1
            state.busiest = max(state.busiest, state.busy)
            fault = state.faults.popleft() if state.faults else None
        time.sleep(state.delay(asked.question))
        with state.lock:
            state.busy -= 1
        if fault:
            fault(self)
        else:
            write = completion if self.path.endswith("/chat/completions") else message
            self.send(200, write(state.text(asked.question), state.ending, body))

    def send(self, code: int, value: object, headers: dict[str, str] | None = None) -> None:
        body = value.encode() if isinstance(value, str) else json.dumps(value).encode()
        self.send_response(code)
        for name, text in {"Content-Type": "application/json", **(headers or {})}.items():
            self.send_header(name, text)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None: ...


def completion(text: str | None, ending: str | None, body: dict[str, Any]) -> dict[str, Any]:
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": text},
        "finish_reason": ending or "stop",
    }
    usage: dict[str, Any] = {
        "prompt_tokens": PROMPT_TOKENS,
        "completion_tokens": REPLY_TOKENS,
        "total_tokens": PROMPT_TOKENS + REPLY_TOKENS,
    }
    if "response_format" in body:
        usage["prompt_tokens_details"] = {"cached_tokens": CACHED_TOKENS}
    kind = {"id": "c", "object": "chat.completion", "created": 1, "model": "big"}
    return {**kind, "choices": [choice], "usage": usage}


def message(text: str | None, ending: str | None, body: dict[str, Any]) -> dict[str, Any]:
    content = [] if text is None else [{"type": "text", "text": text}]
    usage = {"input_tokens": PROMPT_TOKENS, "output_tokens": REPLY_TOKENS}
    if "tools" in body:
        usage = {
            **usage,
            "input_tokens": PROMPT_TOKENS - CACHED_TOKENS,
            "cache_read_input_tokens": CACHED_TOKENS,
        }
        content = used_tool(body["tools"][0]["name"], text) or content
    kind = {"id": "m", "type": "message", "role": "assistant", "model": "big"}
    return {**kind, "content": content, "stop_reason": ending or "end_turn", "usage": usage}


def used_tool(name: str, text: str | None) -> list[dict[str, Any]]:
    """A text that is a JSON object as what a tool was given."""
    try:
        given = json.loads(text or "")
    except json.JSONDecodeError:
        return []
    return [{"type": "tool_use", "id": "t", "name": name, "input": given}]


def status(number: int, words: str = "no", headers: dict[str, str] | None = None, **error: str) -> Fault:
    """An answer with a status, its error in the body that both APIs have."""
    body = {"type": "error", "error": {"message": words, "type": "some_error", **error}}
    return lambda handler: handler.send(number, body, headers)


def silent(seconds: float) -> Fault:
    """No answer for a while, then one that nobody waits for."""

    def wait(handler: Handler) -> None:
        time.sleep(seconds)
        handler.close_connection = True

    return wait


def cut_off(handler: Handler) -> None:
    """A connection that ends in the middle of the answer."""
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"id": ')
    handler.close_connection = True


def garbled(handler: Handler) -> None:
    """An answer that is no JSON."""
    handler.send(200, '{"id": ')


def shapeless(handler: Handler) -> None:
    """An answer that is JSON, and no reply."""
    handler.send(200, {"id": "x"})


@contextmanager
def answering() -> Iterator[AnsweringServer]:
    """Run a server for a while."""
    server = AnsweringServer()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
