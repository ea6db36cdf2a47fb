"""The explorer: filters, search, links to tasks, the keyboard, and what an opened task shows."""

import re

import pytest

from sqlrl.report.files import parse_results
from sqlrl.report.page import render_page
from sqlrl.report.passes import read_pass
from tests.browser.opening import open_hit
from tests.report.synthetic import SyntheticRun
from tests.report.test_document import report_of

pytestmark = pytest.mark.slow


def hits(page) -> int:
    """The number that the live region says."""
    text = page.locator("#failures-count").inner_text()
    return 0 if text.startswith("None") else int(text.split(" of ")[0].replace(",", ""))


def says(page, pattern: str) -> None:
    """Wait until the live region says what starts with this."""
    page.locator("#failures-count", has_text=re.compile(f"^{pattern}")).wait_for()


def everything(page):
    """Take away the filter that the page opens with."""
    page.select_option("[name=kind]", "")
    return page


def first_pass(run, checkpoint):
    scores, replies = (
        parse_results([run.folder / f"run/{checkpoint}/{kind}/shop-holdout-1.jsonl"], kind)
        for kind in ("scores", "rollouts")
    )
    return read_pass(scores, replies, "main")


@pytest.fixture(scope="module")
def passes(run):
    return {checkpoint: first_pass(run, checkpoint) for checkpoint in ("base", "sft", "grpo")}


def test_it_opens_with_what_the_last_checkpoint_gets_wrong(visit, file, passes):
    page = visit(file)
    assert page.locator("[name=checkpoint] option:checked").inner_text() == "grpo"
    assert hits(page) == (~passes["grpo"].right).any(axis=1).sum()
    assert page.locator("#failures-hits > li").count() == 25


def test_every_held_out_task_is_there(visit, file, run):
    page = everything(visit(file))
    assert hits(page) == len(run.holdout) == 140
    while page.locator("#failures-more").is_visible():
        page.click("#failures-more")
    found = page.locator("#failures-hits details").evaluate_all("all => all.map((one) => one.id)")
    assert found == [f"task-{task.id}" for task in sorted(run.holdout, key=lambda task: task.id)]


@pytest.mark.parametrize(
    ("name", "label", "passes_filter"),
    [
        ("difficulty", "easy", lambda task: task.difficulty == "easy"),
        ("archetype", "top-n", lambda task: task.archetype == "top-n"),
        ("table", "customers", lambda task: "customers" in task.tables),
        ("seen", "never seen", lambda task: not task.template_in_training),
    ],
)
def test_a_filter_leaves_the_tasks_that_it_names(visit, file, run, name, label, passes_filter):
    page = everything(visit(file))
    page.select_option(f"[name={name}]", label=label)
    expected = sum(map(passes_filter, run.holdout))
    assert 0 < hits(page) == expected < 140
    page.click("button[type=reset]")
    says(page, "101 of 140 questions")


@pytest.mark.parametrize("checkpoint", ["base", "sft"])
@pytest.mark.parametrize(("label", "kind"), [("wrong rows", 1), ("does not run", 2), ("no SQL", 3)])
def test_kinds_of_error_are_of_the_chosen_checkpoint(visit, file, passes, checkpoint, label, kind):
    page = visit(file)
    page.select_option("[name=checkpoint]", label=checkpoint)
    page.select_option("[name=kind]", label=label)
    assert hits(page) == (passes[checkpoint].kinds == kind).any(axis=1).sum()


def test_reason_codes_are_filters_too_and_the_reply_shown_has_that_reason(visit, file, passes):
    page = visit(file)
    page.select_option("[name=kind]", label="undefined_column")
    assert hits(page) == (passes["grpo"].kinds == 2).any(axis=1).sum()
    open_hit(page)
    assert page.locator("#failures-hits code").first.inner_text() == "undefined_column"
    assert "Perhaps you meant to reference" in page.locator("#failures-hits .message").first.inner_text()


@pytest.mark.parametrize(
    ("change", "was", "now"),
    [
        ("fixed", False, True),
        ("broken", True, False),
        ("still wrong", False, False),
        ("still right", True, True),
    ],
)
def test_changed_by_training_compares_halves_of_the_replies(visit, file, passes, change, was, now):
    page = everything(visit(file))
    page.select_option("[name=before]", label="sft")
    page.select_option("[name=change]", label=change)
    old, new = (passes[name].right.mean(axis=1) >= 0.5 for name in ("sft", "grpo"))
    assert 0 < hits(page) == ((old == was) & (new == now)).sum()
    assert page.locator("#failures-hits .chip").first.inner_text() == change


def test_search_finds_words_of_question_reference_replies_and_messages(visit, file):
    page = everything(visit(file))
    for text, expected in (("week 58 ", 1), ("JOIN orders DATE", 140), ("nothing like this", 0)):
        page.fill("[name=search]", text)
        says(page, f"{expected} of 140 questions" if expected else "None of 140 questions")
    assert "take a filter away" in page.locator("#failures-count").inner_text()
    page.fill("[name=search]", "perhaps you meant")
    says(page, r"\d+ of 140")
    page.select_option("[name=checkpoint]", label="base")
    page.fill("[name=search]", "the orders table <b>has</b>")
    says(page, r"\d+ of 140")
    assert 0 < hits(page) < 140


def test_filters_work_together_and_say_so_in_a_live_region(visit, file, run):
    page = everything(visit(file))
    page.select_option("[name=difficulty]", label="easy")
    page.select_option("[name=table]", label="customers")
    both = sum(task.difficulty == "easy" and "customers" in task.tables for task in run.holdout)
    assert hits(page) == both > 0
    region = page.locator("#failures-count")
    assert (region.get_attribute("role"), region.get_attribute("aria-live")) == ("status", "polite")


def test_a_link_opens_its_task_whatever_the_filter_says(visit, file, passes, run):
    right = passes["grpo"].right.all(axis=1)
    task = passes["grpo"].tasks[right.nonzero()[0][-1]]
    page = visit(file, f"#task-{task}")
    opened = page.locator(f"#task-{task}")
    assert opened.get_attribute("open") is not None
    assert "the filters would leave it out" in opened.locator("xpath=..").inner_text()
    assert opened.evaluate("one => one.getBoundingClientRect().top") < 900
    assert page.evaluate("document.activeElement.parentElement.id") == f"task-{task}"
    question = next(one.question for one in run.holdout if one.id == task)
    assert question in opened.inner_text()


def test_a_question_that_training_changed_leads_to_its_replies(visit, file):
    page = visit(file)
    page.evaluate("document.querySelectorAll('#learned details').forEach(one => { one.open = true; })")
    link = page.locator('#learned a[href^="#task-"]').first
    link.click()
    page.wait_for_selector(f"{link.get_attribute('href')}[open]")


def test_the_link_of_a_task_can_be_shared_and_followed_again(visit, file):
    page = visit(file)
    open_hit(page, 3)
    details = page.locator("#failures-hits details").nth(3)
    name = details.get_attribute("id")
    details.get_by_role("link", name="Link to this question").click()
    assert page.url.endswith(f"#{name}")
    assert page.locator(f"#{name}").get_attribute("open") is not None
    page.select_option("[name=kind]", label="right")
    page.evaluate(f"location.hash = ''; location.hash = '#{name}'")
    page.locator(f"#{name}[open]").wait_for()
    assert page.locator(f"#{name}").count() == 1


def test_a_link_to_no_task_says_so(visit, file):
    page = visit(file, "#task-0000")
    assert page.locator("#failures-count").inner_text() == "This report has no question 0000."


def test_a_filter_that_changes_takes_the_linked_task_away(visit, file, passes):
    task = passes["grpo"].tasks[passes["grpo"].right.all(axis=1).nonzero()[0][-1]]
    page = visit(file, f"#task-{task}")
    page.select_option("[name=difficulty]", label="medium")
    assert page.locator(f"#task-{task}").count() == 0


def test_all_can_be_done_by_keyboard(visit, file):
    page = visit(file)
    page.focus("[name=search]")
    for _ in range(8):
        page.keyboard.press("Tab")
    focused = "document.activeElement.name || document.activeElement.type || document.activeElement.tagName"
    assert page.evaluate(focused) == "seen"
    page.keyboard.press("Tab")
    assert page.evaluate(focused) == "reset"
    page.keyboard.press("Tab")
    assert page.evaluate(focused) == "SUMMARY"
    page.keyboard.press("Enter")
    assert page.locator("#failures-hits details[open]").count() == 1
    title = page.locator("#failures-hits .shown h3").nth(1)
    title.wait_for()  # a task is drawn after it has opened; before, the next stop is the next task
    before = title.inner_text()
    page.keyboard.press("Tab")
    assert page.evaluate(focused) == page.locator("#failures-hits [type=radio]").first.get_attribute("name")
    page.keyboard.press("ArrowLeft")
    assert title.inner_text() != before
    assert (
        page.evaluate("getComputedStyle(document.activeElement.nextElementSibling).outlineStyle") == "solid"
    )


def test_opening_more_hits_leads_the_keyboard_on(visit, file):
    page = visit(file)
    page.click("#failures-more")
    assert page.locator("#failures-hits > li").count() == 50
    place = "[...document.querySelectorAll('#failures-hits summary')].indexOf(document.activeElement)"
    assert page.evaluate(place) == 25


def test_reference_and_reply_stand_side_by_side_with_what_differs_marked(visit, file):
    page = visit(file)
    page.select_option("[name=kind]", label="wrong rows")
    open_hit(page)
    shown = page.locator("#failures-hits .shown").first
    boxes = [shown.locator("pre").nth(place).bounding_box() for place in (0, 1)]
    assert boxes[0]["y"] == boxes[1]["y"]
    assert boxes[0]["x"] + boxes[0]["width"] < boxes[1]["x"]
    assert shown.locator("pre").nth(0).locator("mark").all_inner_texts() == [">"]
    assert shown.locator("pre").nth(1).locator("mark").all_inner_texts() == [">="]
    tables = shown.locator("table")
    assert tables.nth(0).locator("mark").all_inner_texts() == ["NULL", "7"]
    assert tables.nth(1).locator("mark").all_inner_texts() == ["Chen Wei", "4"]
    assert (
        "2 of 3 rows are as in the reference, 1 only in the reference, 1 only in the reply."
        in shown.inner_text()
    )


def test_every_reply_of_every_checkpoint_can_be_chosen(visit, file, passes):
    page = everything(visit(file))
    open_hit(page)
    task = page.locator("#failures-hits details").first.get_attribute("id").removeprefix("task-")
    radios = page.locator("#failures-hits input[type=radio]")
    assert radios.count() == 12
    for place, (checkpoint, sample) in enumerate((c, s) for c in passes for s in range(4)):
        radios.nth(place).check()
        verdict = passes[checkpoint].verdicts[task][sample]
        shown = page.locator("#failures-hits .shown")
        assert f"Reply {sample + 1} of {checkpoint}: " in shown.inner_text()
        assert shown.locator("code").first.inner_text() == verdict.outcomes["main"].reason


def test_luck_is_shown_with_the_twin_that_refutes_it(visit, file, passes):
    page = everything(visit(file))
    page.select_option("[name=kind]", label="right by luck")
    lucky = passes["grpo"].on_main & ~passes["grpo"].everywhere
    assert hits(page) == lucky.any(axis=1).sum() > 0
    open_hit(page)
    assert "(twin-2: rows_differ): luck" in page.locator("#failures-hits .shown").inner_text()


def test_a_reply_is_text_and_never_markup(visit, file):
    page = visit(file)
    page.select_option("[name=checkpoint]", label="base")
    page.select_option("[name=kind]", label="no SQL")
    open_hit(page)
    reply = page.locator("#failures-hits pre[aria-label=Reply]")
    assert "<b>has</b>" in reply.inner_text()
    assert reply.locator("b").count() == 0


def test_open_all_opens_what_is_listed(visit, file):
    page = visit(file)
    page.click("#failures-all")
    page.locator("#failures-hits .shown").nth(24).wait_for()
    assert page.locator("#failures-hits details[open] > .body .pair").count() == 2 * 25


def test_a_page_of_the_base_alone_has_an_explorer_without_before_and_after(visit, tmp_path):
    run = SyntheticRun(tmp_path / "made", rates={"base": (0.3, 6.0)}, tasks=12, templates=6).write()
    report = report_of(run)
    path = tmp_path / "delta_report.html"
    path.write_text(render_page(report.document, report.explorer), encoding="utf-8")
    page = visit(path)
    assert page.locator("[name=before]").is_hidden()
    assert page.locator("[name=change]").is_hidden()
    open_hit(page)
    assert "Rows of the reference were not read." in page.locator("#failures-hits .shown").inner_text()
    assert page.locator("#failures-hits .chip").count() == 0
