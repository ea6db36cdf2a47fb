"""Files that a finished delta report counted, for all that is made from a report and from its files."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlrl.errors import UserError
from sqlrl.files import digest_file
from sqlrl.records import read_text
from sqlrl.report.evidence import HOLDOUT
from sqlrl.report.files import ResultFile
from sqlrl.report.passes import ScoringPass, read_pass
from sqlrl.report.provenance import REBUILD
from sqlrl.verifier.reward import Databases


def last_checkpoint(document: Mapping[str, Any]) -> str:
    """The last checkpoint of a delta report."""
    return str(document["checkpoints"][-1]["checkpoint"])


def read_document(path: Path) -> dict[str, Any]:
    """The document of delta_report.json. Raises UserError where there is no such file, or it is no delta report."""
    try:
        document: dict[str, Any] = json.loads(read_text(path))
        required = [document[key] for key in ("run", "checkpoints", "statistics", "provenance")]
        required += [document["provenance"][key] for key in ("files", "model", "stages", "scoring")]
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise UserError(f"{path}: not a delta_report.json: {error!r}.") from error
    return document


def check_counted(document: Mapping[str, Any], files: Mapping[str, Path], report: Path) -> None:
    """Every file must have the bytes that the report's numbers were counted from, else UserError."""
    digests = document["provenance"]["files"]
    for label, path in files.items():
        if digests.get(label) != digest_file(path):
            raise UserError(f"{path} is not the file that {report} was made from. {REBUILD}")


def check_complete(
    document: Mapping[str, Any],
    files: Mapping[str, Path],
    checkpoint: str,
    kinds: Sequence[str] = ("rollouts", "scores"),
) -> None:
    """All that the report counted of the checkpoint on the holdout must be there, of these kinds, else UserError."""
    folders = (*(f"{checkpoint}/{kind}" for kind in kinds), "tasks")
    for label in document["provenance"]["files"]:
        folder, _, name = label.rpartition("/")
        if folder in folders and f"-{HOLDOUT}" in name and label not in files:
            raise UserError(f"{label} is missing: the report counted it.")


def read_passes(
    scores: Sequence[ResultFile], rollouts: Sequence[ResultFile], databases: Databases
) -> dict[int, ScoringPass]:
    """A checkpoint's scoring passes by number; see read_pass."""
    found = {}
    for number in sorted({one.scoring for one in scores}):
        judged, sampled = ([one for one in files if one.scoring == number] for files in (scores, rollouts))
        found[number] = read_pass(judged, sampled, databases)
    return found
