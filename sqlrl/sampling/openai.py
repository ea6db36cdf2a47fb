"""Any server that speaks OpenAI's chat completions: OpenAI's own, a running vLLM, another vendor's."""

from typing import Any

import openai

from sqlrl.errors import UserError
from sqlrl.models.folder import ModelManifest
from sqlrl.models.server import ServerSettings
from sqlrl.sampling.client import Answer, Form, FormKeeper
from sqlrl.sampling.faults import Endpoint, Errors, explained, find_endpoint, readable
from sqlrl.sampling.sampler import Prompt, SamplingSettings
from sqlrl.sampling.served import ServedSampler

OWN_ADDRESS = "https://api.openai.com/v1"
ERRORS = Errors(openai.APIStatusError, openai.APITimeoutError, openai.APIConnectionError, openai.APIError)


def open_openai(model: ModelManifest, server: ServerSettings, thinking: bool | None) -> ServedSampler:
    """A sampler on a model behind chat completions; see connect_openai."""
    client = connect_openai(model, server, thinking)
    return ServedSampler(client, client.endpoint, server)


def connect_openai(model: ModelManifest, server: ServerSettings, thinking: bool | None) -> "OpenAiClient":
    """What asks a model behind chat completions.

    Args:
        model: its manifest.
        server: how it is asked.
        thinking: the chat template's switch, for servers that render one; None leaves it out.

    Raises:
        UserError: no key, or OpenAI's own server is to be told a template's switch.
    """
    endpoint = find_endpoint(model, server.key_variable, OWN_ADDRESS)
    if thinking is not None and endpoint.url == OWN_ADDRESS:
        raise UserError(
            f"{endpoint}: prompt.thinking is {thinking}, but this server takes no chat template's switch. "
            "Leave it at null."
        )
    return OpenAiClient(endpoint, thinking)


class OpenAiClient:
    """Asks through the openai package; see Client."""

    def __init__(self, endpoint: Endpoint, thinking: bool | None) -> None:
        # The package's own retries know neither a garbled answer nor a quota that stays used up.
        self._client = openai.OpenAI(api_key=endpoint.key, base_url=endpoint.url, max_retries=0)
        self.endpoint, self._thinking = endpoint, thinking
        self._forms = FormKeeper(endpoint)

    def ask(
        self,
        prompt: Prompt,
        settings: SamplingSettings,
        seed: int,
        timeout: float,
        form: Form | None = None,
    ) -> Answer:
        """See Client.ask. Equal beginnings of prompts are cached there without being told to."""
        own = self.endpoint.url == OWN_ADDRESS
        request = _for_openai(settings) if own else _for_others(settings, seed, self._thinking)
        messages = [dict(message) for message in prompt.messages]
        return self._forms.ask(
            form, lambda kept: self._create(timeout, {**request, "messages": messages, **_in_form(kept)})
        )

    def _create(self, timeout: float, request: dict[str, Any]) -> Answer:
        create: Any = self._client.chat.completions.create
        with explained(ERRORS, self.endpoint, timeout):
            completion = create(model=self.endpoint.id, timeout=timeout, **request)
        with readable(self.endpoint):
            return _read(completion, self.endpoint)

    def close(self) -> None:
        """See Client.close."""
        self._client.close()


def _for_openai(settings: SamplingSettings) -> dict[str, Any]:
    """What OpenAI takes. Reasoning models refuse temperature and top_p, so what is the default stays unsaid;
    the seed is deprecated there.
    """
    request: dict[str, Any] = {"max_completion_tokens": settings.max_tokens}
    return request | _unusual(settings)


def _for_others(settings: SamplingSettings, seed: int, thinking: bool | None) -> dict[str, Any]:
    """What other servers take. All is said: where it is not, they have defaults of the model's own."""
    request: dict[str, Any] = {
        "max_tokens": settings.max_tokens,
        "temperature": settings.temperature,
        "top_p": settings.top_p,
        "seed": seed,
    }
    if thinking is not None:
        request["extra_body"] = {"chat_template_kwargs": {"enable_thinking": thinking}}
    return request


def _unusual(settings: SamplingSettings) -> dict[str, float]:
    values = {"temperature": settings.temperature, "top_p": settings.top_p}
    return {name: value for name, value in values.items() if value != 1.0}


def _in_form(form: Form | None) -> dict[str, Any]:
    if form is None:
        return {}
    schema = {"name": form.name, "description": form.description, "schema": dict(form.schema), "strict": True}
    return {"response_format": {"type": "json_schema", "json_schema": schema}}


def _read(completion: Any, endpoint: Endpoint) -> Answer:
    choice, usage = completion.choices[0], completion.usage
    withheld = choice.finish_reason == "content_filter"
    details = usage.prompt_tokens_details if usage else None
    return Answer(
        text="" if withheld else endpoint.clean(choice.message.content or ""),
        finish_reason="length" if choice.finish_reason == "length" else "stop",
        prompt_tokens=usage.prompt_tokens if usage else 0,
        reply_tokens=usage.completion_tokens if usage else 0,
        cached_tokens=(details.cached_tokens or 0) if details else 0,
    )
