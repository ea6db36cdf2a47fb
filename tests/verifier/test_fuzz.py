"""Replies of any bytes: no crash, no reward without a query that ran, and never for long."""

import random
import time
import unicodedata

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sqlrl.records import to_line
from sqlrl.verifier.reward import Score, Submission
from sqlrl.verifier.verifier import Verifier
from tests.verifier.conftest import fenced

COUNT = "SELECT count(*) FROM orders WHERE status = 'shipped'"
WORDS = st.sampled_from(
    ["SELECT", "FROM", "orders", "(", ")", "'", '"', "--", "/*", "*/", ";", "$$", "$1", "::", "%", "\\", "```",
     "```sql", "~~~", "<think>", "</think>", "\n", "NULL", "count(*)", "1", "1e400", "UNION", "VALUES",
     "WITH a AS", "\x00", "é"]
)  # fmt: skip
FUZZ = settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def check(verifier: Verifier, replies: list[str]) -> None:
    for reply, verdict in zip(
        replies, verifier.judge([Submission("shop", reply, COUNT) for reply in replies]), strict=True
    ):
        main = verdict.outcomes["main"]
        assert main.reason, reply
        assert verdict.reward == {"match": 1.0, "wrong": 0.1, "error": 0.0}[main.verdict]
        assert verdict.sql is not None or verdict.reward == 0.0
        to_line(Score("t", 0, verdict)).encode()


@FUZZ
@given(st.lists(st.text(), min_size=1, max_size=20))
def test_any_text(verifier: Verifier, texts: list[str]) -> None:
    check(verifier, [*texts, *map(fenced, texts)])


@FUZZ
@given(st.lists(st.lists(WORDS, max_size=12).map(" ".join), min_size=1, max_size=20))
def test_any_words_of_sql_and_markdown(verifier: Verifier, texts: list[str]) -> None:
    check(verifier, [*texts, *map(fenced, texts), *(f"```sql\nSELECT {text}\n```" for text in texts)])


def test_any_bytes(verifier: Verifier) -> None:
    generator = random.Random(1)
    noise = [generator.randbytes(generator.randrange(300)) for _ in range(100)]
    texts = [piece.decode("latin-1") for piece in noise]
    texts += [piece.decode("utf-8", "surrogateescape") for piece in noise]
    texts += [piece.decode("utf-16", "replace") for piece in noise]
    check(verifier, [*texts, *map(fenced, texts)])


def test_every_class_of_character_in_names_and_strings(verifier: Verifier) -> None:
    classes: dict[str, str] = {}
    for code in range(1, 0x110000):
        classes.setdefault(unicodedata.category(chr(code)), chr(code))
    texts = [f'SELECT {one}1, \'x{one}\', "y{one}" FROM (SELECT 1 AS "y{one}") t' for one in classes.values()]
    texts += [f"SELECT 'x{one}' AS \"y{one}\"" for one in classes.values()]
    assert len(classes) > 28
    check(verifier, [fenced(text) for text in texts])


def test_huge_and_deep_replies_end_soon(verifier: Verifier) -> None:
    deep = [
        "(",
        "f(",
        "CASE WHEN a THEN ",
        "SELECT 1 FROM (",
        "ARRAY[",
        "- ",
        "NOT ",
        "1+",
        "x IN (",
        "{",
        "'",
    ]
    texts = [f"SELECT {one * times}1" for one in deep for times in (1_000, 9_000, 200_000)]
    texts += ["x" * 10_000_000, "```sql\n" * 500_000, "SELECT " + "1," * 400_000 + "1", "'" * 1_000_001]
    texts += [
        fenced("SELECT '" + "[" * 9_000 + "]" * 9_000 + "'::" + kind) for kind in ("json", "jsonb", "text")
    ]
    texts += [
        fenced("SELECT " + ", ".join(str(n) for n in range(1_700))),
        fenced("SELECT '" + "é" * 19_000 + "'"),
    ]
    began = time.monotonic()
    check(verifier, [*texts, *map(fenced, texts)])
    assert time.monotonic() - began < 60
