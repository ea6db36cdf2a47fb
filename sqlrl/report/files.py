"""What the path of a result says: its checkpoint, its database, its part and its scoring pass."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from sqlrl.errors import UserError

NAME = re.compile(r"(?P<database>.+)-(?P<part>train|dev|holdout)-(?P<scoring>[0-9]+)")
STAGE_STEP = re.compile(r"(?P<stage>[^@]+)@(?P<step>[0-9]+)")
BASE = "base"


@dataclass(frozen=True)
class ResultFile:
    """A file of rollouts or scores: ``.../<checkpoint>/<kind>/<database>-<part>-<scoring>.jsonl``."""

    path: Path
    checkpoint: str
    kind: str
    database: str
    part: str
    scoring: int

    @property
    def label(self) -> str:
        """The path below the run's folder, the same on every machine."""
        return f"{self.checkpoint}/{self.kind}/{self.path.name}"


def parse_result(path: Path, kind: str) -> ResultFile:
    """Read a path.

    Args:
        path: of a rollouts or scores file.
        kind: the folder that it must lie in, ``rollouts`` or ``scores``.

    Raises:
        UserError: the path is of another form.
    """
    name = NAME.fullmatch(path.stem)
    folders = path.absolute().parts
    if not name or path.suffix != ".jsonl" or len(folders) < 4 or folders[-2] != kind:
        raise UserError(
            f"{path}: expected a path that ends in <checkpoint>/{kind}/<database>-<part>-<pass>.jsonl, "
            "such as base/" + kind + "/shop-holdout-1.jsonl."
        )
    return ResultFile(path, folders[-3], kind, name["database"], name["part"], scoring=int(name["scoring"]))


def parse_results(paths: Iterable[Path], kind: str) -> list[ResultFile]:
    """Read many paths, in a fixed order. Raises UserError where two say the same."""
    found: dict[str, ResultFile] = {}
    for file in (parse_result(path, kind) for path in paths):
        other = found.setdefault(file.label, file)
        if other.path != file.path:
            raise UserError(f"{file.path} and {other.path} are both {file.label}.")
    return [found[label] for label in sorted(found)]


def stage_of(checkpoint: str) -> tuple[str, int | None]:
    """The stage of a checkpoint, and its step: None for the base and for a stage's end."""
    found = STAGE_STEP.fullmatch(checkpoint)
    return (found["stage"], int(found["step"])) if found else (checkpoint, None)


def stage_folder(path: Path, depth: int) -> str:
    """The stage that a file lies in, ``depth`` folders up: 1 for its training log.

    Raises:
        UserError: the path has no such folder.
    """
    folders = path.absolute().parts
    if len(folders) < depth + 2:
        raise UserError(f"{path}: expected a path below results/<run>/<stage>/.")
    return folders[-1 - depth]
