"""What a package offers to ask one model behind an API, whichever package it is."""

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from sqlrl.sampling.faults import Endpoint, Refused
from sqlrl.sampling.sampler import Prompt, SamplingSettings

logger = logging.getLogger(__name__)

# What servers answer to a request with something in it that they don't know.
NOT_UNDERSTOOD = (400, 422)


@dataclass(frozen=True)
class Answer:
    """What a server gave for one request.

    Fields: the text; why it ended; the tokens that the server counted, and how many of the
    prompt's it says that it read from a cache.
    """

    text: str
    finish_reason: Literal["stop", "length"]
    prompt_tokens: int
    reply_tokens: int
    cached_tokens: int = 0


@dataclass(frozen=True)
class Form:
    """What a reply must look like: a name, what it is for, and a JSON Schema of an object."""

    name: str
    description: str
    schema: Mapping[str, Any]


class Client(Protocol):
    """One package's way to ask one model."""

    def ask(
        self,
        prompt: Prompt,
        settings: SamplingSettings,
        seed: int,
        timeout: float,
        form: Form | None = None,
    ) -> Answer:
        """Ask once.

        Args:
            prompt: with its messages.
            settings: see SamplingSettings.
            seed: of this reply, for servers that take one; 31 bits.
            timeout: seconds that the server may be silent.
            form: what the reply must look like. A server that can't be held to it is asked without:
                the text is then what the model made of the prompt.

        Raises:
            Unanswered: another try may mend it.
            Withheld: a filter refused the prompt.
            UserError: no try will mend it.
        """
        ...

    def close(self) -> None:
        """Close the connections."""
        ...


class FormKeeper:
    """Holds replies to a form, until a server shows that it can't be told to."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._unknown = threading.Event()

    def ask(self, form: Form | None, ask: Callable[[Form | None], Answer]) -> Answer:
        """Ask with the form; where the server refuses just that, without it, now and from then on."""
        if form is None or self._unknown.is_set():
            return ask(None)
        try:
            return ask(form)
        except Refused as refused:
            if refused.status not in NOT_UNDERSTOOD:
                raise
            # What else is wrong with the request is so without the form too, and raises again.
            answer = ask(None)
            logger.info(
                "%s can't be held to a form (status %d): it is asked for it in words",
                self._endpoint,
                refused.status,
            )
            self._unknown.set()
            return answer
