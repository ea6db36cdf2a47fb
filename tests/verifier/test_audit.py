"""The case file through the real verifier, and what the audit says when they disagree."""

import dataclasses
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from sqlrl.database.external import URL_VARIABLE
from sqlrl.errors import UserError
from sqlrl.records import read_jsonl
from sqlrl.verifier import audit as audit_module
from sqlrl.verifier.audit import audit, main, write_markdown, write_table
from sqlrl.verifier.cases import Case, Expected, Limits
from tests.verifier.conftest import CASES

SETUP = "CREATE TABLE t (a int); INSERT INTO t VALUES (1);"


def case(identity: str, sql: str, verdict: str, **fields: object) -> Case:
    expected = Expected(verdict, 1.0, "a test")  # type: ignore[arg-type]
    return dataclasses.replace(
        Case(identity, "test", SETUP, "SELECT a FROM t", expected, candidate_sql=sql), **fields
    )


def test_each_kind_of_disagreement_is_told_apart(tmp_path: Path) -> None:
    cases = [
        case("right", "SELECT 1", "match"),
        case("accept", "SELECT 1", "wrong"),
        case("reject", "SELECT 2", "match"),
        case("error", "SELECT x", "wrong"),
        case("slow", "SELECT 1", "match", limits=Limits(0.0)),
        case("big", "SELECT 1", "match", limits=Limits(60.0, 0.1)),
        case("changing", "SELECT 1", "match", invariants_sql=("SELECT clock_timestamp()",)),
        case("lucky", "SELECT 1", "match", alt_setup_sql=SETUP.replace("(1)", "(2)")),
        case("reference", "SELECT 1", "match", reference_sql="SELECT nothing"),
        case("later", "SELECT 1", "match", min_pg=99),
    ]
    findings = {finding.id: [one.what for one in finding.disagreements] for finding in audit(cases)}
    assert findings == {
        "right": [],
        "accept": ["false accept"],
        "reject": ["false reject"],
        "error": ["wrong error"],
        "slow": ["over the limit"],
        "big": ["over the limit"],
        "changing": ["invariant broken"],
        "lucky": ["false reject"],
        "reference": ["other"],
    }


def test_the_table_counts_by_kind_and_the_exit_code_says_whether_all_agree(
    tmp_path, capsys, monkeypatch
) -> None:
    def findings(disagreements):
        return lambda _: iter([audit_module.Finding("X1", "rows.order", "match", "match", disagreements)])

    monkeypatch.setattr(audit_module, "audit", findings(()))
    out = tmp_path / "out.json"
    assert main([str(CASES), "--json", str(out)]) == 0
    assert json.loads(out.read_text())[0]["id"] == "X1"
    wrong = audit_module.Disagreement("false accept", "match where wrong is right")
    monkeypatch.setattr(audit_module, "audit", findings((wrong,)))
    assert main([str(CASES)]) == 1
    printed = capsys.readouterr().out
    assert "X1: false accept: match where wrong is right" in printed
    assert main([str(tmp_path / "missing.jsonl")]) == 2


def test_a_case_file_of_another_format_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text('{"id": "A"}\n', encoding="utf-8")
    with pytest.raises(UserError, match="needs 'kind'"):
        read_jsonl(path, Case)


DEBIAN = Path("/usr/lib/postgresql/15/bin")


@pytest.fixture
def debian_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A PostgreSQL 15 as Debian packs it, reached by URL as a server that outlives the job would be."""
    folder = Path(tempfile.mkdtemp(prefix="pg15-", dir="/tmp"))
    user = "postgres" if os.geteuid() == 0 else None
    if user:
        shutil.chown(folder, user)

    def run(*words: str) -> None:
        subprocess.run(words, user=user, cwd="/", check=True, stdout=subprocess.DEVNULL)

    run(str(DEBIAN / "initdb"), "-D", str(folder / "data"), "-U", "owner", "--auth=trust", "--no-sync")
    options = f"-c listen_addresses= -k {folder} -c fsync=off"
    run(
        str(DEBIAN / "pg_ctl"),
        "start",
        "-w",
        "-D",
        str(folder / "data"),
        "-l",
        str(folder / "log"),
        "-o",
        options,
    )
    try:
        yield f"postgresql://owner@/postgres?host={folder}"
    finally:
        run(str(DEBIAN / "pg_ctl"), "stop", "-m", "immediate", "-D", str(folder / "data"))
        shutil.rmtree(folder)


@pytest.mark.slow
@pytest.mark.skipif(not DEBIAN.exists(), reason="needs Debian's postgresql-15")
def test_all_cases_agree_on_a_postgresql_15_given_by_url(debian_url: str, monkeypatch) -> None:
    monkeypatch.setenv(URL_VARIABLE, debian_url)
    findings = list(audit(read_jsonl(CASES, Case)))
    assert len(findings) == 210  # one case needs PostgreSQL 17
    assert not [finding for finding in findings if finding.disagreements], write_table(findings)


def test_the_published_table_is_what_the_audit_prints_when_all_agree() -> None:
    published = Path(__file__).parents[2] / "docs" / "verifier.md"
    assert write_markdown(read_jsonl(CASES, Case), []) in published.read_text(encoding="utf-8")


@pytest.mark.slow
def test_all_211_cases_agree_on_the_embedded_server() -> None:
    findings = list(audit(read_jsonl(CASES, Case)))
    assert len(findings) == 211
    assert not [finding for finding in findings if finding.disagreements], write_table(findings)
