"""The arguments of scripts that ask a model to write."""

import argparse
from pathlib import Path

from sqlrl.authoring.llm_job import Assignment
from sqlrl.authoring.spending import parse_limit
from sqlrl.errors import UserError
from sqlrl.models.folder import read_model
from sqlrl.models.server import parse_server


def read_assignment(arguments: argparse.Namespace) -> Assignment:
    """What a model is to write about, and with what. Raises UserError where an argument is missing."""
    server = parse_server(arguments.server, "--server")
    if server is None:
        raise UserError("--teacher llm needs --server.")
    return Assignment(
        model=read_model(_required(arguments, "model")),
        server=server,
        templates=arguments.prompt,
        dump=arguments.database,
        notes=_required(arguments, "notes"),
        work=_required(arguments, "work"),
        limit=parse_limit(arguments.spending, "--spending"),
    )


def _required(arguments: argparse.Namespace, name: str) -> Path:
    value = getattr(arguments, name)
    if value is None:
        raise UserError(f"--teacher llm needs --{name}.")
    path: Path = value
    return path
