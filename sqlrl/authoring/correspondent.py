"""Asks a model for replies, in a form or in its own words; each is paid for once."""

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Protocol

from sqlrl.authoring.ledger import Ledger, PaidReply
from sqlrl.authoring.spending import Cost, Purse, most
from sqlrl.files import canonical_json, digest_text
from sqlrl.models.folder import ModelManifest
from sqlrl.sampling.asking import LARGEST_SEED, Asking
from sqlrl.sampling.client import Answer, Client, Form
from sqlrl.sampling.sampler import Prompt, SamplingSettings
from sqlrl.sampling.streams import stream_of


class LimitReached(Exception):
    """What is still to be asked might cost more than it may; says what was spent."""


class Drawing(Protocol):
    """How replies are drawn: a seed, told to servers that take one, a temperature, tokens of a reply at most."""

    @property
    def seed(self) -> int: ...
    @property
    def temperature(self) -> float: ...
    @property
    def max_tokens(self) -> int: ...


@dataclass
class Counts:
    """Requests whose replies were used, how many of them were made by this process, and cached tokens."""

    requests: int = 0
    made_now: int = 0
    cached_tokens: int = 0


class Correspondent:
    """Asks one model; see Client, Asking, Ledger and Purse for how."""

    def __init__(
        self,
        client: Client,
        asking: Asking,
        model: ModelManifest,
        settings: Drawing,
        ledger: Ledger,
        purse: Purse,
        form: Form | None = None,
        thinking: bool | None = None,
    ) -> None:
        """Replies are kept in ``ledger`` and paid for from ``purse``; ``form`` is what they must look like.

        ``thinking`` is the switch that the client sends along: with it off, another model answers.
        """
        self._client, self._asking, self._model = client, asking, model
        self._settings, self._ledger, self.purse = settings, ledger, purse
        self._form, self._thinking = form, thinking
        self._sampling = SamplingSettings(settings.temperature, 1.0, settings.max_tokens, 1)
        self.counts = Counts()

    def ask(self, wanted: Sequence[Sequence[Mapping[str, str]]], number: int) -> list[PaidReply]:
        """The reply to each of some prompts, from the ledger where it was paid for before.

        Args:
            wanted: the messages of each.
            number: another one asks anew for what was asked before.

        Raises:
            LimitReached: the rest may cost too much; what landed is kept.
            UserError: the server does not answer, or refuses; likewise.
        """
        prompts = [Prompt(self._key(messages, number), (), 0, tuple(messages)) for messages in wanted]
        missing = []
        for prompt in prompts:
            reply = self._ledger.find(prompt.key)
            if reply:
                self._count(prompt, reply)
            else:
                missing.append(prompt)
        while missing:
            # The first goes ahead alone: it shows whether the server answers, and fills its cache.
            wave = self.purse.affordable(missing if self.counts.made_now else missing[:1], self._most)
            if not wave:
                raise LimitReached(self.purse.explain(self._most(missing[0])))
            self._ledger.require_room()
            self._land(wave)
            missing = missing[len(wave) :]
        return [reply for prompt in prompts if (reply := self._ledger.find(prompt.key))]

    def _land(self, wave: Sequence[Prompt]) -> None:
        timeout = self._asking.seconds(self._settings.max_tokens)

        def ask(prompt: Prompt) -> Answer:
            seed = stream_of(self._settings.seed, prompt.key, 0) & LARGEST_SEED
            return self._client.ask(prompt, self._sampling, seed, timeout, self._form)

        with closing(self._asking.land(wave, ask, lambda prompt: f"request {prompt.key[:16]}")) as landed:
            for prompt, answer in landed:
                self.counts.made_now += 1
                self._count(prompt, self._ledger.keep(prompt.key, answer))

    def _count(self, prompt: Prompt, reply: PaidReply) -> None:
        # A server that counts no tokens is taken to have used the most.
        uncounted = bool(reply.text) and not reply.prompt_tokens
        self.purse.pay(self._most(prompt) if uncounted else reply.cost)
        self.counts.requests += 1
        self.counts.cached_tokens += reply.cached_tokens

    def _most(self, prompt: Prompt) -> Cost:
        text = "".join(message["content"] for message in prompt.messages)
        return most(text, self._settings.max_tokens)

    def _key(self, messages: Sequence[Mapping[str, str]], number: int) -> str:
        """What makes a request the same: the model, every word, how it is drawn, and its number."""
        drawn = [self._settings.seed, self._settings.temperature, self._settings.max_tokens]
        made_from = {
            "model": self._model.digest,
            "messages": list(messages),
            "drawn": drawn,
            "number": number,
            **({} if self._thinking is None else {"thinking": self._thinking}),
        }
        return digest_text(canonical_json(made_from))
