"""Connect to a model behind an API, for those that ask it something else than a sampler does."""

from sqlrl.errors import UserError
from sqlrl.models.folder import ModelManifest
from sqlrl.models.server import ServerSettings
from sqlrl.sampling.client import Client
from sqlrl.sampling.faults import Endpoint


def open_client(
    kind: str, model: ModelManifest, server: ServerSettings, thinking: bool | None = None
) -> tuple[Client, Endpoint]:
    """What asks a model, and where.

    Args:
        kind: the source of the model, ``openai`` or ``anthropic``.
        model: its manifest.
        server: how it is asked.
        thinking: the chat template's switch, where a server can be told; else None.

    Raises:
        UserError: no such kind, no key, or a switch that this server does not take.
    """
    if kind == "openai":
        from sqlrl.sampling.openai import connect_openai

        client = connect_openai(model, server, thinking)
        return client, client.endpoint
    if kind == "anthropic":
        from sqlrl.sampling.anthropic import connect_anthropic

        caller = connect_anthropic(model, server, thinking)
        return caller, caller.endpoint
    raise UserError(
        f"models.{model.name}: source is {kind!r}; a model behind an API is one of openai, anthropic."
    )
