"""One verifier for the tests that need a server, on the databases of the case file and the shop's twins."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from sqlrl.records import read_jsonl
from sqlrl.verifier.cases import Case
from sqlrl.verifier.reward import Submission, Verdict, VerifierSettings
from sqlrl.verifier.verifier import Verifier

CASES = Path(__file__).with_name("cases.jsonl")

SHOP = """
CREATE TABLE orders (id int PRIMARY KEY, status text, amount numeric);
INSERT INTO orders VALUES {rows};
"""

SETTINGS = VerifierSettings(
    match_reward=1.0,
    wrong_reward=0.1,
    error_reward=0.0,
    reward_databases="main",
    statement_timeout_seconds=1.0,
    workers=2,
)


def fenced(sql: str) -> str:
    return f"```sql\n{sql}\n```"


def setups(cases: Sequence[Case]) -> dict[str, str]:
    """A name for each distinct set-up of the cases."""
    return {
        text: f"cases-{number}" for number, text in enumerate(dict.fromkeys(case.setup_sql for case in cases))
    }


@pytest.fixture(scope="session")
def cases() -> list[Case]:
    return read_jsonl(CASES, Case)


@pytest.fixture(scope="session")
def databases(tmp_path_factory: pytest.TempPathFactory, cases: list[Case]) -> dict[str, dict[str, Path]]:
    """``shop`` with a twin, and a database for each set-up of the cases that need no fresh one."""
    folder = tmp_path_factory.mktemp("dumps")

    def write(name: str, text: str) -> Path:
        path = folder / f"{name}.sql"
        path.write_text(text, encoding="utf-8")
        return path

    shop = {
        "main": write(
            "main", SHOP.format(rows="(1, 'shipped', 20), (2, 'shipped', 35.5), (3, 'open', NULL)")
        ),
        "twin-1": write("twin-1", SHOP.format(rows="(1, 'open', 10), (2, 'shipped', 7)")),
    }
    harmless = [case for case in cases if not case.invariants_sql and case.alt_setup_sql is None]
    return {"shop": shop} | {name: {"main": write(name, text)} for text, name in setups(harmless).items()}


@pytest.fixture(scope="session")
def verifier(databases: dict[str, dict[str, Path]]) -> Iterator[Verifier]:
    with Verifier(databases, SETTINGS) as opened:
        yield opened


@pytest.fixture
def judge(verifier: Verifier):
    """Judges one query against a reference on the shop."""

    def run(sql: str, reference: str = "SELECT count(*) FROM orders WHERE status = 'shipped'") -> Verdict:
        return verifier.judge([Submission("shop", fenced(sql), reference)])[0]

    return run
