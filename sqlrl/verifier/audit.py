"""Runs a case file through the real verifier and says where they disagree.

    python -m sqlrl.verifier.audit CASES.jsonl [--database-url URL] [--json OUT] [--markdown]

Each case gets a database of its own. The table has one line a kind: cases, false accepts, false
rejects, wrong errors (wrong instead of error or the other way), invariants broken, limits passed, others.
The exit code is 0 only when all cases agree.
"""

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal, get_args

from sqlrl.database.connect import connect
from sqlrl.database.external import URL_VARIABLE
from sqlrl.database.files import MAIN
from sqlrl.database.server import open_server
from sqlrl.errors import UserError
from sqlrl.files import write_json
from sqlrl.records import read_jsonl
from sqlrl.verifier.cases import ANY_SQL, Case, Judgement
from sqlrl.verifier.limits import MEGABYTE, MEMORY_MEGABYTES, SERVER_BASE_MEGABYTES
from sqlrl.verifier.reward import Submission, VerifierSettings
from sqlrl.verifier.verifier import Verifier

# A database takes some 8 MB of disk; so many are open at a time.
CASES_AT_A_TIME = 40

SETTINGS = VerifierSettings(
    match_reward=1.0,
    wrong_reward=0.1,
    error_reward=0.0,
    reward_databases="all",
    statement_timeout_seconds=2.0,
    workers=1,
)

What = Literal["false accept", "false reject", "wrong error", "invariant broken", "over the limit", "other"]
COLUMNS: tuple[What, ...] = get_args(What)

State = dict[str, object]


@dataclass(frozen=True)
class Disagreement:
    """One way in which the verifier and a case disagree, and its particulars."""

    what: What
    words: str


@dataclass(frozen=True)
class Finding:
    """One case and every way in which the verifier disagreed with it.

    Attributes:
        verdict: what the verifier said: match, wrong, error, or raised.
        reason: its reason code, or the message of what was raised.
    """

    id: str
    kind: str
    verdict: str
    reason: str
    disagreements: tuple[Disagreement, ...]


def audit(cases: Sequence[Case]) -> Iterator[Finding]:
    """Judge each case, one after the other, on the server of this job."""
    memory = (MEMORY_MEGABYTES + SERVER_BASE_MEGABYTES) * MEGABYTE
    with open_server(memory_limit=memory) as server, tempfile.TemporaryDirectory() as folder:
        runnable = [case for case in cases if case.min_pg is None or case.min_pg <= server.major]
        for start in range(0, len(runnable), CASES_AT_A_TIME):
            some = runnable[start : start + CASES_AT_A_TIME]
            databases = {case.id: _write_dumps(case, Path(folder)) for case in some}
            with Verifier(databases, SETTINGS, server) as verifier:
                for case in some:
                    yield _audit_case(case, verifier)


def _write_dumps(case: Case, folder: Path) -> dict[str, Path]:
    dumps = {MAIN: case.setup_sql}
    if case.alt_setup_sql is not None:
        dumps["twin-1"] = case.alt_setup_sql
    paths = {}
    for instance, setup in dumps.items():
        paths[instance] = folder / f"{case.id}-{instance}.sql"
        paths[instance].write_text(setup, encoding="utf-8")
    return paths


def _audit_case(case: Case, verifier: Verifier) -> Finding:
    before = _state(case, verifier)
    began = time.monotonic()
    try:
        verdict = verifier.judge([Submission(case.id, case.full_reply, case.reference_sql)])[0]
    except UserError as error:
        expected = case.kind == "reference" and case.expected.verdict == "error"
        refused = () if expected else (Disagreement("other", "the reference was refused"),)
        return Finding(case.id, case.kind, "raised", str(error), refused)
    seconds = time.monotonic() - began
    outcome = min(verdict.outcomes.values(), key=lambda one: ("error", "wrong", "match").index(one.verdict))
    disagreements = (
        *_about_verdict(case, outcome.verdict, verdict.reward),
        *_about_extraction(case, verdict.sql),
        *_about_limits(case, seconds, verifier.peak_memory_megabytes()),
        *_about_changes(before, _state(case, verifier)),
        *_about_what_follows(case, verifier),
    )
    return Finding(case.id, case.kind, outcome.verdict, outcome.reason, disagreements)


def _about_verdict(case: Case, verdict: Judgement, score: float) -> Iterator[Disagreement]:
    expected = case.expected.verdict
    if case.kind == "reference" and expected == "error":
        yield Disagreement("other", "the reference should have been refused, and was judged against")
    elif not case.expected.accepts(verdict, score):
        words = f"{verdict} where {expected} is right"
        if verdict == "match":
            yield Disagreement("false accept", words)
        elif expected == "match":
            yield Disagreement("false reject", words)
        else:
            yield Disagreement("wrong error", words)


def _about_extraction(case: Case, sql: str | None) -> Iterator[Disagreement]:
    if case.expected.extracted_sql not in (ANY_SQL, sql):
        yield Disagreement("other", f"extracted {sql!r} instead of {case.expected.extracted_sql!r}")


def _about_limits(case: Case, seconds: float, megabytes: float) -> Iterator[Disagreement]:
    if case.limits is None:
        return
    if seconds > case.limits.seconds:
        yield Disagreement("over the limit", f"took {seconds:.1f} s of {case.limits.seconds:g}")
    if case.limits.client_mb is not None and megabytes > case.limits.client_mb:
        yield Disagreement("over the limit", f"took {megabytes:.0f} MB of {case.limits.client_mb:g}")


def _about_changes(before: State, after: State) -> Iterator[Disagreement]:
    for query, rows in after.items():
        if before[query] != rows:
            yield Disagreement("invariant broken", f"{query}: {before[query]} became {rows}")


def _about_what_follows(case: Case, verifier: Verifier) -> Iterator[Disagreement]:
    if case.then is None:
        return
    verdict = verifier.judge([Submission(case.id, case.then.reply, case.then.reference_sql)])[0]
    outcome = verdict.outcomes[MAIN]
    if outcome.verdict != case.then.verdict:
        yield Disagreement("other", f"the next reply got {outcome.verdict} ({outcome.reason})")


def _state(case: Case, verifier: Verifier) -> State:
    """What must not change: the rows of the case's own queries, and which files exist."""
    state: State = {path: Path(path).exists() for path in case.files_must_not_exist}
    if case.invariants_sql:
        with connect(verifier.owner_conninfo(case.id, MAIN)) as connection:
            for query in case.invariants_sql:
                state[query] = connection.execute(query.encode()).fetchall()
    return state


def write_table(findings: Sequence[Finding]) -> str:
    """One line a kind, and below it every disagreement in words."""
    kinds = sorted({finding.kind for finding in findings})
    lines = [f"{'kind':<16}{'cases':>7}" + "".join(f"{column:>18}" for column in COLUMNS)]
    for kind in [*kinds, "all"]:
        some = [finding for finding in findings if kind in (finding.kind, "all")]
        counts = Counter(one.what for finding in some for one in finding.disagreements)
        lines.append(f"{kind:<16}{len(some):>7}" + "".join(f"{counts[column]:>18}" for column in COLUMNS))
    lines += [
        f"{finding.id}: {one.what}: {one.words} [{finding.reason}]"
        for finding in findings
        for one in finding.disagreements
    ]
    return "\n".join(lines) + "\n"


def write_markdown(cases: Sequence[Case], findings: Sequence[Finding]) -> str:
    """The published table: what this verifier does per kind, and how often usual comparators are fooled.

    Each comparison case names the comparators that get it wrong (``checked.naive_comparators_fooled``).
    """
    names = sorted({name for case in cases for name in _fooled(case) or ()})
    header = ["kind", "cases", "disagreements", *(f"`{name}`" for name in names)]
    lines = ["| " + " | ".join(header) + " |", "|---|" + "---:|" * (len(header) - 1)]
    for kind in sorted({case.kind for case in cases}):
        some = [case for case in cases if case.kind == kind]
        wrong = sum(bool(finding.disagreements) for finding in findings if finding.kind == kind)
        compared = [fooled for case in some if (fooled := _fooled(case)) is not None]
        counts = [str(sum(name in fooled for fooled in compared)) if compared else "" for name in names]
        lines.append(f"| {kind} | {len(some)} | {wrong} | " + " | ".join(counts) + " |")
    return "\n".join(lines) + "\n"


def _fooled(case: Case) -> list[str] | None:
    """The comparators that get a case wrong; None where they were not asked."""
    found = case.checked.get("naive_comparators_fooled") if isinstance(case.checked, dict) else None
    return found if isinstance(found, list) else None


def main(words: Sequence[str]) -> int:
    """The command; see the module's docstring."""
    parser = argparse.ArgumentParser(prog="python -m sqlrl.verifier.audit", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("cases", type=Path, help="case file, JSONL")
    parser.add_argument("--database-url", help="a PostgreSQL 15 or newer; without it an embedded one")
    parser.add_argument("--json", type=Path, help="write every finding to this file")
    parser.add_argument("--markdown", action="store_true", help="print the table of docs/verifier.md instead")
    arguments = parser.parse_args(words)
    if arguments.database_url:
        os.environ[URL_VARIABLE] = arguments.database_url
    try:
        cases = read_jsonl(arguments.cases, Case)
        findings = list(audit(cases))
    except UserError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    sys.stdout.write(write_markdown(cases, findings) if arguments.markdown else write_table(findings))
    if arguments.json:
        write_json(arguments.json, [asdict(finding) for finding in findings])
    return int(any(finding.disagreements for finding in findings))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
