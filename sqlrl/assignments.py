"""Settings on a command line as ``NAME=VALUE,NAME=VALUE``: what a job's resource can hold and a person type."""

from collections.abc import Callable, Mapping
from typing import Any

from sqlrl.errors import UserError


def parse_assignments(text: str, types: Mapping[str, Callable[[str], Any]], where: str) -> dict[str, Any]:
    """Read the words of one argument.

    Args:
        text: such as ``memory=0.85,positions=8192``; empty for none.
        types: name to what reads its value.
        where: the argument, for the message.

    Raises:
        UserError: an unknown name, or a value that cannot be read.
    """
    values = {}
    for part in filter(None, text.split(",")):
        name, _, value = part.partition("=")
        try:
            values[name] = types[name](value)
        except (KeyError, ValueError) as error:
            raise UserError(
                f'{where}: "{part}" is no setting; expected NAME=VALUE, NAME one of {", ".join(types)}.'
            ) from error
    return values
