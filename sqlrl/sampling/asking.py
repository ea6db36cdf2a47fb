"""Requests to one server: so many side by side, each tried until it is answered."""

import logging
import random
import threading
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from itertools import islice
from typing import TypeVar

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
from sqlrl.sampling.client import Answer
from sqlrl.sampling.faults import Endpoint, Unanswered, Withheld

logger = logging.getLogger(__name__)

# What a call may take besides its reply: a queue at the server, the prompt, the way there and back.
SPARE_SECONDS = 30.0
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
# A server may ask for more patience than we would have of ourselves, but not for hours without a word.
LONGEST_ASKED = 600.0
LARGEST_SEED = 0x7FFFFFFF
WITHHELD = Answer("", "stop", 0, 0)

Wanted = TypeVar("Wanted")


class Asking:
    """Asks one server as its settings say."""

    def __init__(self, endpoint: Endpoint, server: ServerSettings) -> None:
        """Ask at ``endpoint`` as ``server`` says."""
        self._endpoint, self._server = endpoint, server

    def land(
        self, wanted: Iterable[Wanted], ask: Callable[[Wanted], Answer], name: Callable[[Wanted], str]
    ) -> Generator[tuple[Wanted, Answer], None, None]:
        """Ask for all that is wanted.

        As many requests are out as may be, those counted whose answers the caller has not taken yet: a
        kill loses no more.

        Args:
            wanted: any number; the next is taken when a place is free.
            ask: asks for one, once, in a thread of its own; see Client.ask for what it raises.
            name: what one is called in a message, such as "task 12, sample 3".

        Yields:
            Each with its answer, in the order in which they land; what a filter refused has an empty one.
            Closed early, it asks no more.

        Raises:
            UserError: a request cannot be answered; those under way are handed over first.
        """
        ended = threading.Event()
        pool = ThreadPoolExecutor(self._server.concurrency, thread_name_prefix="ask")
        waiting = iter(wanted)
        out: dict[Future[Answer], Wanted] = {}
        fault: BaseException | None = None
        try:
            while True:
                free = 0 if fault else self._server.concurrency - len(out)
                out |= {pool.submit(self._try, one, ask, name, ended): one for one in islice(waiting, free)}
                if not out:
                    break
                future = next(as_completed(out))
                one = out.pop(future)
                if error := future.exception():
                    ended.set()
                    fault = fault or error
                else:
                    yield one, future.result()
        finally:
            ended.set()
            pool.shutdown(wait=False)
        if fault:
            raise fault

    def seconds(self, max_tokens: int) -> float:
        """Seconds that a call for so many tokens may take at this server."""
        return call_seconds(max_tokens, self._server.tokens_per_second)

    def _try(
        self,
        one: Wanted,
        ask: Callable[[Wanted], Answer],
        name: Callable[[Wanted], str],
        ended: threading.Event,
    ) -> Answer:
        def once() -> Answer:
            if ended.is_set():
                raise Unanswered("the job has ended")
            try:
                return ask(one)
            except Withheld:
                return WITHHELD

        try:
            answer: Answer = self._retrying(ended)(once)
        except Unanswered as error:
            raise UserError(self._explain(name(one), error)) from None
        return answer

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

    def _explain(self, what: str, error: Unanswered) -> str:
        place = f"models.{self._endpoint.name}"
        return (
            f"{self._endpoint}: no answer to {what}, in {self._server.retries + 1} tries; the last: {error}\n"
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
