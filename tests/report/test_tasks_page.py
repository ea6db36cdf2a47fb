"""The page of the tasks: one file, every part there, what a person wrote in it shown as it is."""

import pytest

from sqlrl.report.tasks_page import render_tasks
from sqlrl.report.tasks_report import build_tasks_report
from tests.report.made_tasks import BOOTSTRAP, make_files
from tests.report.test_page import Checker


def page_of(**changes) -> str:
    document = build_tasks_report(make_files(**changes), BOOTSTRAP)
    return render_tasks(document | {"provenance": {"files": {"tasks.jsonl": "d" * 64}}})


@pytest.fixture(scope="module")
def page() -> str:
    return page_of()


def test_it_is_one_file_whose_links_lead_somewhere_and_that_loads_nothing(page):
    checker = Checker()
    checker.feed(page)
    assert checker.open == []
    assert not {"script", "link", "img", "iframe"} & set(checker.tags)
    assert {link.removeprefix("#") for link in checker.links} <= set(checker.ids)
    assert len(checker.links) == 10
    assert checker.tags.count("h1") == 1


def test_it_says_what_was_kept_and_what_the_solver_found(page):
    assert "240 questions with reference SQL, in all 120 kinds of question, kept of 246 candidates." in page
    assert "A perfect model could score between" in page
    assert "Suspects to read" in page
    assert "The other answer" in page
    assert "Ambiguous, or hard" in page


def test_texts_are_shown_as_they_are(page):
    assert "<things>" not in page
    assert "&lt;things&gt;" in page
    assert "SELECT 1 &lt; 2" in page
    assert "NOW &amp; then" in page
    assert "Main and all twins give the same rows" in page


def test_without_a_solver_it_says_so_and_names_no_figure_that_nobody_knows():
    page = page_of(solved=False)
    assert "Nobody has answered them" in page
    assert "no solver was asked" in page
    assert "A perfect model could score</dt>" not in page
    assert "Ambiguous, or hard" not in page
