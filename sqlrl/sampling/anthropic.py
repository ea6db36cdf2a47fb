"""Anthropic's messages, at its own address or at a server that speaks them."""

import json
from typing import Any

import anthropic

from sqlrl.errors import UserError
from sqlrl.models.folder import ModelManifest
from sqlrl.models.server import ServerSettings
from sqlrl.sampling.client import Answer, Form, FormKeeper
from sqlrl.sampling.faults import Endpoint, Errors, explained, find_endpoint, readable
from sqlrl.sampling.sampler import Prompt, SamplingSettings
from sqlrl.sampling.served import ServedSampler

OWN_ADDRESS = "https://api.anthropic.com"
ERRORS = Errors(
    anthropic.APIStatusError, anthropic.APITimeoutError, anthropic.APIConnectionError, anthropic.APIError
)
EARLIER_VERSION = "2023-06-01"
OUT_OF_TOKENS = ("max_tokens", "model_context_window_exceeded")


def open_anthropic(model: ModelManifest, server: ServerSettings, thinking: bool | None) -> ServedSampler:
    """A sampler on a model behind Anthropic's messages; see connect_anthropic."""
    client = connect_anthropic(model, server, thinking)
    return ServedSampler(client, client.endpoint, server)


def connect_anthropic(
    model: ModelManifest, server: ServerSettings, thinking: bool | None
) -> "AnthropicClient":
    """What asks a model behind Anthropic's messages.

    Args:
        model: its manifest.
        server: how it is asked.
        thinking: must be None: there is no chat template whose switch this could be.

    Raises:
        UserError: no key, or thinking is set.
    """
    endpoint = find_endpoint(model, server.key_variable, OWN_ADDRESS)
    if thinking is not None:
        raise UserError(
            f"{endpoint}: prompt.thinking is {thinking}, but this server takes no chat template's switch. "
            "Leave it at null."
        )
    return AnthropicClient(endpoint)


class AnthropicClient:
    """Asks through the anthropic package; see Client."""

    def __init__(self, endpoint: Endpoint) -> None:
        # The package's own retries know no garbled answer. Given a key, it takes none from the environment.
        self._client = anthropic.Anthropic(api_key=endpoint.key, base_url=endpoint.url, max_retries=0)
        self.endpoint = endpoint
        self._forms = FormKeeper(endpoint)

    def ask(
        self,
        prompt: Prompt,
        settings: SamplingSettings,
        seed: int,
        timeout: float,
        form: Form | None = None,
    ) -> Answer:
        """See Client.ask; there is no seed to give. A form is a tool that the model must use."""
        spoken = [dict(message) for message in prompt.messages if message["role"] != "system"]
        system = "\n\n".join(message["content"] for message in prompt.messages if message["role"] == "system")
        request = {"messages": spoken, "system": system, "max_tokens": settings.max_tokens}
        request |= _unusual(settings)
        return self._forms.ask(form, lambda kept: self._create(timeout, request | _in_form(kept, system)))

    def _create(self, timeout: float, request: dict[str, Any]) -> Answer:
        create: Any = self._client.messages.create
        with explained(ERRORS, self.endpoint, timeout):
            message = create(model=self.endpoint.id, timeout=timeout, **request)
        with readable(self.endpoint):
            return _read(message, self.endpoint)

    def close(self) -> None:
        """See Client.close."""
        self._client.close()


def _unusual(settings: SamplingSettings) -> dict[str, Any]:
    """What asks for another distribution than the model's own: only the earlier version of the API takes it,
    and of the models only older ones. Others refuse these words even where they say what is the default.
    """
    values = {"temperature": settings.temperature, "top_p": settings.top_p}
    unusual = {name: value for name, value in values.items() if value != 1.0}
    if not unusual:
        return {}
    return {"extra_body": unusual, "extra_headers": {"anthropic-version": EARLIER_VERSION}}


def _in_form(form: Form | None, system: str) -> dict[str, Any]:
    """A tool that must be used; requests in a form share their system prompt, so that is to be cached."""
    if form is None:
        return {}
    tool = {"name": form.name, "description": form.description, "input_schema": dict(form.schema)}
    cached = {"type": "text", "text": system, "cache_control": {"type": "ephemeral"}}
    return {"system": [cached], "tools": [tool], "tool_choice": {"type": "tool", "name": form.name}}


def _read(message: Any, endpoint: Endpoint) -> Answer:
    usage = message.usage
    written, cached = usage.cache_creation_input_tokens or 0, usage.cache_read_input_tokens or 0
    return Answer(
        text="" if message.stop_reason == "refusal" else endpoint.clean(_text(message.content)),
        finish_reason="length" if message.stop_reason in OUT_OF_TOKENS else "stop",
        prompt_tokens=usage.input_tokens + written + cached,
        reply_tokens=usage.output_tokens,
        cached_tokens=cached,
    )


def _text(content: Any) -> str:
    """What was said; where a tool was used, what it was given."""
    for block in content:
        if block.type == "tool_use":
            return json.dumps(block.input, ensure_ascii=False)
    return "".join(block.text for block in content if block.type == "text")
