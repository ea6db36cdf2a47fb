"""Why a request to a server came to nothing: what another try may mend, and what a person must."""

import email.utils
import json
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from sqlrl.errors import UserError
from sqlrl.models.folder import ModelManifest

# What a server without keys is told; the packages insist on one.
NO_KEY = "no-key-needed"
LONGEST_QUOTE = 300
# Limits that last until somebody pays, though they come with the status of those that pass.
LASTING_CODES = ("insufficient_quota", "billing_hard_limit_reached")


class Unanswered(Exception):
    """A request that came to nothing this time. ``wait``: seconds that the server asked for, or None."""

    def __init__(self, what: str, wait: float | None = None) -> None:
        super().__init__(what)
        self.wait = wait


class Withheld(Exception):
    """A filter refused the prompt itself: asking again would not help, and the job is as well as before."""


class Refused(UserError):
    """A request that no other try would mend. ``status``: what the server answered."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True)
class Endpoint:
    """Where a model is asked.

    Fields: its name in config.yaml; its id at the server; the server's address; the environment
    variable that names the key; the key, which no text of ours may hold.
    """

    name: str
    id: str
    url: str
    variable: str
    key: str = field(repr=False)

    def __str__(self) -> str:
        return f"models.{self.name} ({self.id} at {self.url})"

    def clean(self, said: str) -> str:
        """A text of the server without the key that it may have echoed, and such that UTF-8 can hold it."""
        whole = said.encode("utf-8", "replace").decode()
        return whole if self.key == NO_KEY else whole.replace(self.key, "***")

    def quote(self, said: str) -> str:
        """What a server said, in one line, without the key that it may have echoed."""
        text = " ".join(self.clean(said).split())
        return text if len(text) <= LONGEST_QUOTE else f"{text[:LONGEST_QUOTE]}..."


def find_endpoint(model: ModelManifest, variable: str, own_address: str) -> Endpoint:
    """Where a model is asked, with the key from the environment.

    Args:
        model: its manifest, which has the id and, where it is not the vendor's, the address.
        variable: the environment variable that holds the key.
        own_address: the vendor's.

    Raises:
        UserError: the vendor's own server needs a key and the variable has none.
    """
    url = model.origin.get("base_url")
    key = os.environ.get(variable, "").strip()
    if not key and url is None:
        raise UserError(
            f"models.{model.name}: {own_address} asks for a key, and the environment variable {variable} is not "
            f"set. Set it, or name another in models.{model.name}.key_variable."
        )
    return Endpoint(model.name, model.origin["id"], url or own_address, variable, key or NO_KEY)


@dataclass(frozen=True)
class Errors:
    """A package's exceptions: a status that is an error, no answer in time, no connection, any other."""

    status: type[Exception]
    timeout: type[Exception]
    connection: type[Exception]
    other: type[Exception]


@contextmanager
def explained(errors: Errors, endpoint: Endpoint, timeout: float) -> Iterator[None]:
    """Turn a package's exceptions into ours; the chain is cut, since requests carry the key.

    Raises:
        Unanswered: another try may mend it.
        Withheld: a filter refused the prompt.
        UserError: no try will mend it.
    """
    try:
        yield
    except errors.status as error:
        raise explain_status(endpoint, error) from None
    except errors.timeout:
        raise Unanswered(f"no answer within {timeout:.0f} s") from None
    except errors.connection as error:
        raise Unanswered(endpoint.quote(f"the connection broke: {error.__cause__ or error}")) from None
    except (errors.other, json.JSONDecodeError, UnicodeDecodeError) as error:
        raise Unanswered(endpoint.quote(f"an answer that can't be read: {error}")) from None


@contextmanager
def readable(endpoint: Endpoint) -> Iterator[None]:
    """Around the reading of an answer: the packages check no fields. Raises Unanswered where one is missing."""
    try:
        yield
    except (AttributeError, LookupError, TypeError) as error:
        raise Unanswered(endpoint.quote(f"an answer without what a reply has: {error}")) from None


def explain_status(endpoint: Endpoint, error: Any) -> Exception:
    """What an answer with a status of 400 or more means; ``error`` is a package's, with its response."""
    status, headers = int(error.status_code), error.response.headers
    said = endpoint.quote(_words(error.body, str(error)))
    passing = status in (408, 409, 429) or status >= 500
    if _code(error.body) == "content_filter":
        return Withheld(said)
    lasting = _code(error.body) in LASTING_CODES or headers.get("x-should-retry") == "false"
    if passing and not lasting:
        return Unanswered(f"status {status}: {said}", asked_wait(headers))
    return Refused(
        f"{endpoint}: the server answers {status}: {said}\n{_advice(status, endpoint)} "
        "Replies that landed are kept: the same command goes on from there.",
        status,
    )


def asked_wait(headers: Mapping[str, str]) -> float | None:
    """Seconds that a server asks to wait (Retry-After, as seconds or as a date; some say milliseconds), or None."""
    for name, unit in (("retry-after-ms", 1000), ("retry-after", 1)):
        with suppress(ValueError):
            if name in headers:
                return max(0.0, float(headers[name])) / unit
    date = email.utils.parsedate_tz(headers.get("retry-after", ""))
    return max(0.0, email.utils.mktime_tz(date) - time.time()) if date else None


def _advice(status: int, endpoint: Endpoint) -> str:
    if status in (401, 403):
        return f"The key is the one in the environment variable {endpoint.variable}: see that this server takes it."
    if status == 404:
        return (
            f"See that models.{endpoint.name}.id and base_url are right; the key is in {endpoint.variable}."
        )
    return (
        f"Asked with the key in {endpoint.variable}; see that what it is asked with (temperature, max_tokens, the "
        "prompt's length and settings) is such as this model takes."
    )


def _error_of(body: object) -> object:
    """The error in an answer's body, which one package hands over whole and the other unwrapped."""
    return body.get("error", body) if isinstance(body, Mapping) else body


def _words(body: object, otherwise: str) -> str:
    error = _error_of(body)
    message = error.get("message") if isinstance(error, Mapping) else error
    return message if isinstance(message, str) and message.strip() else otherwise


def _code(body: object) -> object:
    error = _error_of(body)
    return error.get("code") if isinstance(error, Mapping) else None
