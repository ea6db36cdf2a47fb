"""The report's page in headless Chromium, watched: an error on its console or a request fails the test."""

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NoReturn

import pytest

from sqlrl.records import from_dict
from sqlrl.report.assemble import Report, assemble
from sqlrl.report.page import render_page
from sqlrl.report.settings import Claims, ReportSettings
from tests.report.synthetic import ROWS, SyntheticRun
from tests.report.test_document import files_of

AXE = Path(__file__).with_name("node_modules") / "axe-core" / "axe.min.js"


def lacks(what: str) -> NoReturn:
    """Skip where a developer has no browser; CI must have it, and fails."""
    if os.environ.get("CI"):
        pytest.fail(f"{what}; .ci/run installs it")
    pytest.skip(f"{what}; .ci/run says how to install it")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        lacks("the package playwright is not installed")
    program = shutil.which("chromium")
    if program is None:
        lacks("no program chromium on PATH")
    with sync_playwright() as playwright:
        # Chromium's own sandbox needs rights that a container's root does not have.
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def axe() -> str:
    if not AXE.exists():
        lacks("axe-core is not in tests/browser/node_modules")
    return AXE.read_text(encoding="utf-8")


@dataclass
class Visits:
    """Opens files in a context each, lets through that file alone, and notes what went wrong."""

    browser: Any
    pages: list[Any] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def __call__(
        self, path: Path, fragment: str = "", before: str = "", ready: bool = True, **options: Any
    ) -> Any:
        """The page of a file. before: a script to run first; ready: wait until the explorer stands."""
        context = self.browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
        page = context.new_page()
        self.pages.append(page)
        context.route("**/*", lambda route: self._route(route, path))
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda line: line.type in ("error", "warning") and self.faults.append(line.text))
        if before:
            page.add_init_script(before)
        page.goto(path.as_uri() + fragment)
        if ready:
            page.wait_for_selector("#failures[data-ready]")
        return page

    def _route(self, route: Any, path: Path) -> None:
        if route.request.url.partition("#")[0] == path.as_uri():
            route.continue_()
        else:
            self.requests.append(route.request.url)
            route.abort()


@pytest.fixture
def visit(chromium) -> Iterator[Visits]:
    """Opens pages; afterwards nothing may have been fetched, and nothing may stand on a console."""
    visits = Visits(chromium)
    yield visits
    for page in visits.pages:
        page.context.close()
    assert visits.faults == []
    assert visits.requests == []


@pytest.fixture(scope="session")
def run(tmp_path_factory) -> SyntheticRun:
    return SyntheticRun(tmp_path_factory.mktemp("made")).write()


@pytest.fixture(scope="session")
def report(run) -> Report:
    """A made-up run's report; its references are taken to have ROWS, as its right replies do."""
    files = replace(files_of(run), databases=[run.folder / "databases/shop/main.sql"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "sqlrl.report.assemble.reference_rows",
            lambda tasks, *_: dict.fromkeys((task.id for task in tasks), ROWS),
        )
        settings = from_dict(ReportSettings, run.settings(), "settings")
        return assemble(files, settings, from_dict(Claims, run.claims(), "claims"))


@pytest.fixture(scope="session")
def file(report, tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("page") / "delta_report.html"
    path.write_text(render_page(report.document, report.explorer), encoding="utf-8")
    return path
