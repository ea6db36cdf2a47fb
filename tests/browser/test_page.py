"""The page as a person meets it: accessible, on a phone, on paper, without JavaScript, and large."""

import io
import re
import time
import unicodedata

import pytest

from sqlrl.report.explorer import make_explorer
from sqlrl.report.page import render_page
from tests.browser.large import large_evidence
from tests.browser.opening import open_hit

pytestmark = pytest.mark.slow

SECONDS = 2.0


def axe_faults(page, axe) -> list[str]:
    page.evaluate(axe)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{one['id']}: {one['nodes'][0]['html'][:120]}"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_no_serious_fault(visit, file, axe, scheme, width):
    page = visit(file, color_scheme=scheme, viewport={"width": width, "height": 900}, bypass_csp=True)
    for place in range(3):
        open_hit(page, place)
    page.locator("#failures-hits .pair").nth(5).wait_for()
    assert axe_faults(page, axe) == []


def test_axe_finds_no_serious_fault_without_the_explorer(visit, report, axe, tmp_path):
    path = tmp_path / "plain.html"
    path.write_text(render_page(report.document), encoding="utf-8")
    assert axe_faults(visit(path, ready=False, bypass_csp=True), axe) == []


def test_axe_would_find_a_fault(visit, file, axe):
    page = visit(file, bypass_csp=True)
    page.evaluate(
        "document.querySelector('#failures-filter select').parentElement.firstElementChild.remove()"
    )
    assert any(fault.startswith("select-name") for fault in axe_faults(page, axe))


def test_a_phone_needs_no_sideways_scrolling(visit, file):
    page = visit(file, viewport={"width": 390, "height": 800})
    for place in range(4):
        open_hit(page, place)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_explorer_fits_the_smallest_phone(visit, file):
    page = visit(file, viewport={"width": 320, "height": 800})
    page.click("#failures-all")
    page.locator("#failures-hits .shown").nth(24).wait_for()
    assert page.evaluate(
        "[...document.querySelectorAll('#failures *')].filter((one) => !one.closest('.scroll'))"
        ".every((one) => one.getBoundingClientRect().right <= 320)"
    )


def test_the_pages_own_policy_lets_no_other_script_run(visit, file, tmp_path):
    changed = tmp_path / "changed.html"
    text = file.read_text(encoding="utf-8")
    changed.write_text(
        text.replace("</body>", "<script>window.stranger = 1</script></body>"), encoding="utf-8"
    )
    page = visit(changed)
    assert page.evaluate("window.stranger") is None
    refused = visit.faults.pop()
    assert "Content Security Policy" in refused


def pdf_text(page) -> str:
    from pypdf import PdfReader

    pages = PdfReader(io.BytesIO(page.pdf(format="A4"))).pages
    text = " ".join(one.extract_text() for one in pages)
    return " ".join(unicodedata.normalize("NFKC", text).split())  # a printed ffi is one letter


def test_paper_has_what_the_reader_filtered_and_opened(visit, file):
    page = visit(file)
    page.select_option("[name=difficulty]", label="easy")
    open_hit(page)
    printed = pdf_text(page)
    assert "All replies to this question" in printed
    assert "Difficulty: easy" in printed
    assert page.locator("#failures-hits .question").nth(24).inner_text() in printed
    assert "in an order that nobody chose" not in printed


def test_paper_has_the_fair_choice_where_the_reader_did_nothing(visit, file, report):
    printed = pdf_text(visit(file))
    assert "in an order that nobody chose" in printed
    assert report.document["failures"][-1]["question"] in printed
    assert "Perhaps you meant to reference" in printed
    assert "All replies to this question" not in printed


def test_without_javascript_the_fair_choice_is_there_to_read(visit, file, report):
    page = visit(file, ready=False, java_script_enabled=False)
    assert page.locator("#failures-explorer").is_hidden()
    assert "Without it, here is a fair choice" in page.locator("#failures-chosen").inner_text()
    summaries = page.locator("#failures-chosen summary")
    assert summaries.count() == len(report.document["failures"]) == 20
    summaries.first.click()
    assert page.locator("#failures-chosen pre").first.is_visible()


def test_a_browser_that_cannot_unpack_says_so_and_shows_the_fair_choice(visit, file):
    page = visit(file, before="delete window.DecompressionStream", ready=False)
    assert "too old to unpack" in page.locator("#failures-message").inner_text()
    assert page.locator("#failures-chosen summary").first.is_visible()


def test_damaged_data_are_said_to_be_so(visit, file, tmp_path):
    path = tmp_path / "damaged.html"
    text = file.read_text(encoding="utf-8")
    start = text.index('id="failures-data">') + len('id="failures-data">')
    path.write_text(text[:start] + "AAAA" + text[start + 4 :], encoding="utf-8")
    page = visit(path, ready=False)
    page.wait_for_selector("#failures-message:not([hidden])")
    assert "cannot be read" in page.locator("#failures-message").inner_text()
    assert page.locator("#failures-chosen summary").first.is_visible()


@pytest.fixture(scope="module")
def large_file(report, tmp_path_factory):
    evidence, rows = large_evidence()
    explorer = make_explorer(evidence, "grpo", rows, "main")
    document = {**report.document, "explorer": explorer.figures}
    path = tmp_path_factory.mktemp("large") / "delta_report.html"
    path.write_text(render_page(document, explorer.packed), encoding="utf-8")
    return path


def test_2000_tasks_of_6_checkpoints_with_4_samples_load_in_under_2_seconds(visit, large_file):
    seconds = [SECONDS]
    while min(seconds) >= SECONDS and len(seconds) <= 5:  # other work on the machine may slow some of them
        started = time.perf_counter()
        visit(large_file)
        seconds.append(time.perf_counter() - started)
    listed = ", ".join(f"{one:.2f}" for one in seconds[1:])
    print(f"\nready in {listed} s, {large_file.stat().st_size:,} bytes")
    assert min(seconds) < SECONDS
    assert large_file.stat().st_size < 2_000_000


def test_2000_tasks_are_filtered_and_searched_without_lag(visit, large_file):
    page = visit(large_file)
    took = page.evaluate(
        """() => {
          const form = document.getElementById("failures-filter");
          const timed = (name, value, kind) => {
            const start = performance.now();
            form.elements[name].value = value;
            form.elements[name].dispatchEvent(new Event(kind, { bubbles: true }));
            document.body.offsetHeight;
            return performance.now() - start;
          };
          const chosen = [["change", "fixed"], ["kind", "fate:3"], ["checkpoint", "2"]];
          const best = (times) => Math.min(...times);
          return chosen.map(([name, value]) => best([1, 2, 3].map(() => timed(name, value, "change"))));
        }"""
    )
    started = time.perf_counter()
    page.fill("[name=search]", "shipped_at having")
    page.locator("#failures-count", has_text=re.compile(r"^\d{1,3} of 2,000")).wait_for()
    search = time.perf_counter() - started
    print(
        f"\nfilters in {', '.join(f'{one:.0f}' for one in took)} ms, first search in {1000 * search:.0f} ms"
    )
    assert max(took) < 300
    assert search < 2  # of which most is the wait after the last key and the way to the browser and back


@pytest.mark.parametrize(("share", "said"), [(0.0, "the texts of 240 replies"), (0.99, "the rows of ")])
def test_what_was_left_out_is_said_and_every_verdict_stays(visit, report, tmp_path, share, said):
    evidence, rows = large_evidence(tasks=10)
    whole = make_explorer(evidence, "grpo", rows, "main")
    assert whole.figures["kept"] == "all"
    explorer = make_explorer(evidence, "grpo", rows, "main", int(share * len(whole.packed)))
    path = tmp_path / "delta_report.html"
    path.write_text(render_page({**report.document, "explorer": explorer.figures}, explorer.packed), "utf-8")
    page = visit(path)
    assert said in page.locator("#failures-explorer").inner_text()
    page.click("#failures-all")
    listed = page.locator("#failures-hits > li").count()
    page.locator("#failures-hits .shown").nth(listed - 1).wait_for()
    assert page.locator("#failures-hits .sign").count() == 24 * listed > 0
    texts = page.locator("#failures-hits input").evaluate_all(
        "all => all.map((one) => (one.click(), one.closest('.body').querySelector('.shown').innerText))"
    )
    assert any("left out of the page" in text for text in texts)
