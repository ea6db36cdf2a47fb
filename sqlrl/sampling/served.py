"""Replies of a model behind an API as a sampler: each is a request of its own."""

import logging
from collections.abc import Generator, Sequence
from contextlib import closing
from pathlib import Path

from sqlrl.errors import UserError
from sqlrl.models.server import ServerSettings
from sqlrl.sampling.asking import LARGEST_SEED, Asking
from sqlrl.sampling.client import Answer, Client
from sqlrl.sampling.faults import Endpoint
from sqlrl.sampling.sampler import Prompt, Reply, Request, SamplingSettings, draw_all
from sqlrl.sampling.streams import stream_of

logger = logging.getLogger(__name__)


class ServedSampler:
    """Draws each reply with a request of its own; see LandingSampler."""

    def __init__(self, client: Client, endpoint: Endpoint, server: ServerSettings) -> None:
        """Ask ``client`` at ``endpoint`` as ``server`` says."""
        self._client, self._endpoint = client, endpoint
        self._asking = Asking(endpoint, server)

    def sample(
        self,
        prompts: Sequence[Prompt],
        n: int,
        settings: SamplingSettings,
        adapter: Path | None,
        seed: int,
    ) -> list[Reply]:
        """See Sampler.sample."""
        return draw_all(self, prompts, n, settings, adapter, seed)

    def land(
        self, wanted: Sequence[Request], settings: SamplingSettings, adapter: Path | None, seed: int
    ) -> Generator[Reply, None, None]:
        """See LandingSampler.land and Asking.land; a model behind an API takes no adapter."""
        if adapter:
            raise UserError(f"{self._endpoint} takes no adapter of ours ({adapter}).")
        timeout = self._asking.seconds(settings.max_tokens)

        def ask(one: Request) -> Answer:
            own_seed = stream_of(seed, one.prompt.key, one.sample) & LARGEST_SEED
            return self._client.ask(one.prompt, settings, own_seed, timeout)

        empty = 0
        try:
            with closing(self._asking.land(wanted, ask, _name)) as landed:
                for one, answer in landed:
                    empty += not answer.text
                    yield _reply(one, answer)
        finally:
            if empty:
                logger.info(
                    "%d of %d replies are empty: withheld by a filter, or nothing said", empty, len(wanted)
                )

    def close(self) -> None:
        """See Sampler.close."""
        self._client.close()


def _name(wanted: Request) -> str:
    return f"task {wanted.prompt.key}, sample {wanted.sample}"


def _reply(wanted: Request, answer: Answer) -> Reply:
    return Reply(
        task_id=wanted.prompt.key,
        sample=wanted.sample,
        text=answer.text,
        token_ids=(),
        logprobs=(),
        finish_reason=answer.finish_reason,
        prompt_tokens=answer.prompt_tokens,
        reply_tokens=answer.reply_tokens,
    )
