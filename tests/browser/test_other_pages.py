"""The other pages in a browser: a comparison of runs, a base benchmark and tasks, accessible and fit for a phone."""

import pytest

from sqlrl.report.comparison_page import render_comparison
from sqlrl.report.run_comparison import build_comparison
from tests.browser.test_page import axe_faults, pdf_text
from tests.report.named import NamedRun, read, settings_of, write_runs
from tests.report.test_benchmark_page import mixed, page_of
from tests.report.test_tasks_page import page_of as page_of_tasks

pytestmark = pytest.mark.slow

PAGES = ("comparison", "benchmark", "tasks", "tasks-alone")


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("other")
    size = {"tasks": 24, "templates": 12, "passes": 2}
    old = NamedRun(folder / "old", name="old", model="early", **size)
    new = NamedRun(folder / "new", name="new", model="late", rates={"base": (1.2, 1.2)}, **size)
    write_runs(old, new)
    with_solver, alone = page_of_tasks(), page_of_tasks(solved=False)
    texts = {
        "comparison": render_comparison(build_comparison(read(old, new), settings_of(old))),
        "benchmark": page_of([mixed(1), mixed(2)], 8),
        "tasks": with_solver,
        "tasks-alone": alone,
    }
    for name, text in texts.items():
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_no_serious_fault(visit, pages, axe, name, scheme):
    page = visit(pages / f"{name}.html", ready=False, color_scheme=scheme, bypass_csp=True)
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert axe_faults(page, axe) == []


@pytest.mark.parametrize("name", PAGES)
def test_a_phone_needs_no_sideways_scrolling(visit, pages, name):
    page = visit(pages / f"{name}.html", ready=False, viewport={"width": 390, "height": 800})
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_paper_has_what_the_reader_did_not_open(visit, pages):
    printed = pdf_text(visit(pages / "tasks.html", ready=False))
    assert "The other answer" in printed
    assert "SELECT now() < 1" in printed
