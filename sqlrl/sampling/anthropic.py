"""Anthropic's messages, at its own address or at a server that speaks them."""

from typing import Any

import anthropic

from sqlrl.errors import UserError
from sqlrl.models.folder import ModelManifest
from sqlrl.models.server import ServerSettings
from sqlrl.sampling.faults import Endpoint, Errors, explained, find_endpoint, readable
from sqlrl.sampling.sampler import Prompt, SamplingSettings
from sqlrl.sampling.served import Answer, ServedSampler

OWN_ADDRESS = "https://api.anthropic.com"
ERRORS = Errors(
    anthropic.APIStatusError, anthropic.APITimeoutError, anthropic.APIConnectionError, anthropic.APIError
)
EARLIER_VERSION = "2023-06-01"
OUT_OF_TOKENS = ("max_tokens", "model_context_window_exceeded")


def open_anthropic(model: ModelManifest, server: ServerSettings, thinking: bool | None) -> ServedSampler:
    """A sampler on a model behind Anthropic's messages.

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
    return ServedSampler(AnthropicClient(endpoint), endpoint, server)


class AnthropicClient:
    """Asks through the anthropic package; see Client."""

    def __init__(self, endpoint: Endpoint) -> None:
        # The package's own retries know no garbled answer. Given a key, it takes none from the environment.
        self._client = anthropic.Anthropic(api_key=endpoint.key, base_url=endpoint.url, max_retries=0)
        self._endpoint = endpoint

    def ask(self, prompt: Prompt, settings: SamplingSettings, seed: int, timeout: float) -> Answer:
        """See Client.ask; there is no seed to give."""
        create: Any = self._client.messages.create
        spoken = [message for message in prompt.messages if message["role"] != "system"]
        system = "\n\n".join(message["content"] for message in prompt.messages if message["role"] == "system")
        with explained(ERRORS, self._endpoint, timeout):
            message = create(
                model=self._endpoint.id,
                system=system,
                messages=spoken,
                max_tokens=settings.max_tokens,
                timeout=timeout,
                **_unusual(settings),
            )
        with readable(self._endpoint):
            return _read(message)

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


def _read(message: Any) -> Answer:
    texts = [block.text for block in message.content if block.type == "text"]
    return Answer(
        text="" if message.stop_reason == "refusal" else "".join(texts),
        finish_reason="length" if message.stop_reason in OUT_OF_TOKENS else "stop",
        prompt_tokens=message.usage.input_tokens,
        reply_tokens=message.usage.output_tokens,
    )
