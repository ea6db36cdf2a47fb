"""Replies of a model behind an API: so many requests side by side, each tried until it is answered."""

import logging
import random
import threading
from collections.abc import Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Literal, Protocol

from tenacity import (
    RetryCallState,
    Retrying,
    retry_if_exception_type,
    sleep_using_event,
    stop_after_attempt,
    stop_when_event_set,
)

from sqlrl.errors import UserError
from sqlrl.models.server import ServerSettings
from sqlrl.sampling.faults import Endpoint, Unanswered, Withheld
from sqlrl.sampling.sampler import Prompt, Reply, Request, SamplingSettings
from sqlrl.sampling.streams import stream_of

logger = logging.getLogger(__name__)

# What a call may take besides its reply: a queue at the server, the prompt, the way there and back.
SPARE_SECONDS = 30.0
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
# A server may ask for more patience than we would have of ourselves, but not for hours without a word.
LONGEST_ASKED = 600.0
LARGEST_SEED = 0x7FFFFFFF


@dataclass(frozen=True)
class Answer:
    """What a server gave for one request: the text, why it ended, and the tokens that it counted."""

    text: str
    finish_reason: Literal["stop", "length"]
    prompt_tokens: int
    reply_tokens: int


class Client(Protocol):
    """One package's way to ask one model."""

    def ask(self, prompt: Prompt, settings: SamplingSettings, seed: int, timeout: float) -> Answer:
        """Ask once.

        Args:
            prompt: with its messages.
            settings: see SamplingSettings.
            seed: of this reply, for servers that take one; in 0..LARGEST_SEED.
            timeout: seconds that the server may be silent.

        Raises:
            Unanswered: another try may mend it.
            Withheld: a filter refused the prompt.
            UserError: no try will mend it.
        """
        ...

    def close(self) -> None:
        """Close the connections."""
        ...


class ServedSampler:
    """Draws each reply with a request of its own; see LandingSampler."""

    def __init__(self, client: Client, endpoint: Endpoint, server: ServerSettings) -> None:
        """Ask ``client`` at ``endpoint`` as ``server`` says."""
        self._client, self._endpoint, self._server = client, endpoint, server

    def sample(
        self,
        prompts: Sequence[Prompt],
        n: int,
        settings: SamplingSettings,
        adapter: Path | None,
        seed: int,
    ) -> list[Reply]:
        """See Sampler.sample. Raises UserError for an adapter, too."""
        if adapter:
            raise UserError(f"{self._endpoint} takes no adapter of ours ({adapter}).")
        wanted = [Request(prompt, number) for prompt in prompts for number in range(n)]
        landed = {(one.task_id, one.sample): one for one in self.land(wanted, settings, seed)}
        return [landed[one.prompt.key, one.sample] for one in wanted]

    def land(
        self, wanted: Sequence[Request], settings: SamplingSettings, seed: int
    ) -> Generator[Reply, None, None]:
        """See LandingSampler.land.

        As many requests are out as may be, those counted whose replies the caller has not taken yet: a
        kill loses no more.
        """
        ended = threading.Event()
        pool = ThreadPoolExecutor(self._server.concurrency, thread_name_prefix="ask")
        waiting = iter(wanted)
        out: set[Future[Reply]] = set()
        fault: BaseException | None = None
        empty = 0
        try:
            while True:
                free = 0 if fault else self._server.concurrency - len(out)
                out |= {pool.submit(self._draw, one, settings, seed, ended) for one in islice(waiting, free)}
                if not out:
                    break
                future = next(as_completed(out))
                out.remove(future)
                if error := future.exception():
                    ended.set()
                    fault = fault or error
                else:
                    empty += not future.result().text
                    yield future.result()
        finally:
            ended.set()
            pool.shutdown(wait=False)
        if empty:
            logger.info(
                "%d of %d replies are empty: withheld by a filter, or nothing said", empty, len(wanted)
            )
        if fault:
            raise fault

    def close(self) -> None:
        """See Sampler.close."""
        self._client.close()

    def _draw(self, wanted: Request, settings: SamplingSettings, seed: int, ended: threading.Event) -> Reply:
        prompt, sample = wanted.prompt, wanted.sample
        own_seed = stream_of(seed, prompt.key, sample) & LARGEST_SEED
        timeout = call_seconds(settings.max_tokens, self._server.tokens_per_second)

        def ask() -> Answer:
            if ended.is_set():
                raise Unanswered("the job has ended")
            try:
                return self._client.ask(prompt, settings, own_seed, timeout)
            except Withheld:
                return Answer("", "stop", 0, 0)

        try:
            answer: Answer = self._retrying(ended)(ask)
        except Unanswered as error:
            raise UserError(self._explain(wanted, error)) from None
        return Reply(
            task_id=prompt.key,
            sample=sample,
            text=answer.text,
            token_ids=(),
            logprobs=(),
            finish_reason=answer.finish_reason,
            prompt_tokens=answer.prompt_tokens,
            reply_tokens=answer.reply_tokens,
        )

    def _retrying(self, ended: threading.Event) -> Retrying:
        """Tries until an answer, the last try, or the end of the job, which also ends a pause."""
        return Retrying(
            retry=retry_if_exception_type(Unanswered),
            stop=stop_after_attempt(self._server.retries + 1) | stop_when_event_set(ended),
            wait=pause,
            sleep=sleep_using_event(ended),
            before_sleep=self._log_try,
            reraise=True,
        )

    def _log_try(self, state: RetryCallState) -> None:
        seconds = state.next_action.sleep if state.next_action else 0.0
        logger.info("%s: %s; once more in %.1f s", self._endpoint, _error_of(state), seconds)

    def _explain(self, wanted: Request, error: Unanswered) -> str:
        place = f"models.{self._endpoint.name}"
        return (
            f"{self._endpoint}: no answer to task {wanted.prompt.key}, sample {wanted.sample}, in "
            f"{self._server.retries + 1} tries; the last: {error}\n"
            f"See that the server is well; {place}.retries, tokens_per_second and concurrency say how hard it is "
            "tried. Replies that landed are kept: the same command goes on from there."
        )


def call_seconds(max_tokens: int, tokens_per_second: float) -> float:
    """Seconds that a call may take: its whole token budget at the slowest speed, and some to spare."""
    return SPARE_SECONDS + max_tokens / tokens_per_second


def pause(state: RetryCallState) -> float:
    """Seconds before the next try: what the server asked for, else twice as long each time, less a random part."""
    error = _error_of(state)
    if error is not None and error.wait is not None:
        return min(error.wait, LONGEST_ASKED) + random.uniform(0, FIRST_PAUSE)
    longest = min(FIRST_PAUSE * 2.0 ** (state.attempt_number - 1), LONGEST_PAUSE)
    return random.uniform(longest / 2, longest)


def _error_of(state: RetryCallState) -> Unanswered | None:
    error = state.outcome.exception() if state.outcome else None
    return error if isinstance(error, Unanswered) else None
