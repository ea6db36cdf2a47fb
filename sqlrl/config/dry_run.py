"""The jobs that ``snakemake -n`` lists, read from what it prints."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

JOB = re.compile(r"^(?:local)?rule (\w+):\n((?: {4}.*\n?)+)", re.MULTILINE)
FIELD = re.compile(r"^ {4}(\w+): (.*)$", re.MULTILINE)
NOTHING = "<nothing exclusive>"
PARAMS = re.compile(r"Params have changed since last execution: .*?before: (?P<before>.*?) now: (?P<now>.*)$")


@dataclass(frozen=True)
class PlannedJob:
    """One job of a dry run.

    Attributes:
        rule: its name.
        outputs: the files that it makes.
        benchmark: where its time is kept, None without one.
        gpus: that it takes.
        reason: Snakemake's words for why it runs.
    """

    rule: str
    outputs: tuple[str, ...]
    benchmark: str | None
    gpus: int
    reason: str


def read_jobs(printed: str) -> list[PlannedJob]:
    """The jobs in the order of the print; targets, which make nothing, are left out."""
    return [job for job in map(_read_job, JOB.finditer(printed)) if job.outputs]


def _read_job(found: "re.Match[str]") -> PlannedJob:
    fields = dict(FIELD.findall(found[2]))
    gpus = re.search(r"\bgpu=(\d+)", fields.get("resources", ""))
    outputs = tuple(fields["output"].split(", ")) if "output" in fields else ()
    return PlannedJob(
        rule=found[1],
        outputs=outputs,
        benchmark=fields.get("benchmark"),
        gpus=int(gpus[1]) if gpus else 0,
        reason=fields.get("reason", ""),
    )


def changed_params(reason: str) -> tuple[list[str], list[str]] | None:
    """The values of parameters that only the last build had, and only this one has; None where none changed."""
    found = PARAMS.search(reason)
    return (_values(found["before"]), _values(found["now"])) if found else None


def _values(printed: str) -> list[str]:
    """Values as Python prints them, with commas between; where that can't be read, the print itself."""
    text = printed.strip().rstrip(";")
    if text == NOTHING:
        return []
    try:
        return [str(value) for value in ast.literal_eval(f"({text},)")]
    except (SyntaxError, ValueError):
        return [text]


def files_of(reason: str, words: Sequence[str]) -> Iterator[str]:
    """The files that a reason names after one of these words."""
    for word in words:
        for found in re.finditer(rf"{re.escape(word)}: ([^;]*)", reason):
            yield from (name.strip() for name in found[1].split(", ") if name.strip())
