"""The page as a browser gets it: one file, nothing fetched, nothing of a reply taken for markup."""

import copy
import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from itertools import pairwise

import pytest

from sqlrl.report.markdown import render_markdown
from sqlrl.report.page import facts, render_page
from sqlrl.report.scales import place, scale
from tests.report.synthetic import SyntheticRun
from tests.report.test_document import document_of, report_of

VOID = {"meta", "br", "link", "img", "hr", "input"}


class Checker(HTMLParser):
    """Collects tags, ids and texts, and sees that every element closes."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.text = ""

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.tags.append(tag)
        self.ids += [given["id"]] if "id" in given else []
        self.links += [given[name] for name in ("href", "src", "xlink:href") if name in given]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


@pytest.fixture(scope="module")
def report(whole_run):
    return report_of(whole_run)


@pytest.fixture(scope="module")
def document(report):
    return report.document


@pytest.fixture(scope="module")
def text(report) -> str:
    return render_page(report.document, report.explorer)


@pytest.fixture(scope="module")
def page(text) -> Checker:
    checker = Checker()
    checker.feed(text)
    assert checker.open == []
    return checker


def test_the_page_is_one_file_that_fetches_nothing(text, page):
    assert not {"link", "img", "iframe"} & set(page.tags)
    assert all(link.startswith("#") for link in page.links)
    assert "url(http" not in text
    assert "fetch(" not in text
    assert len(text.encode()) < 2_000_000


def test_its_policy_allows_its_own_script_and_no_other(report, text):
    scripts = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    assert len(scripts) == 1
    digest = b64encode(sha256(scripts[0].encode()).digest()).decode()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1]
    assert f"script-src 'sha256-{digest}';" in policy
    assert policy.startswith("default-src 'none';")
    assert len(re.findall("<script", text)) == 2
    assert '<script type="application/octet-stream" id="failures-data">' in text
    bare = render_page(report.document)
    assert "<script" not in bare
    assert "script-src" not in bare


def test_ids_are_unique_and_every_link_leads_somewhere(document, page):
    assert len(page.ids) == len(set(page.ids))
    explored = {f"task-{task}" for task in document["learned"]["questions"]}
    assert explored
    assert {link.removeprefix("#") for link in page.links} <= set(page.ids) | explored


def test_a_page_without_script_links_only_to_what_stands_in_it(document):
    checker = Checker()
    checker.feed(render_page(document))
    assert {link.removeprefix("#") for link in checker.links} <= set(checker.ids)


def test_a_reply_is_text_and_never_markup(document, page):
    failure = next(one for one in document["failures"] if "<b>" in one["reply"])
    assert failure["reply"].strip() in page.text
    assert "&lt;b&gt;has&lt;/b&gt;" in render_page(document)


def test_headings_descend_one_level_at_a_time(page):
    levels = [int(tag[1]) for tag in page.tags if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(deeper - level <= 1 for level, deeper in pairwise(levels))


def test_sections_stand_in_the_order_of_a_reader(page):
    order = [
        "asked", "stages", "differences", "training", "breakdown", "learned", "failures", "errors", "parity",
        "costs", "fixed", "power", "provenance",
    ]  # fmt: skip
    assert [one for one in page.ids if one in order] == order


def test_every_picture_says_in_words_what_it_shows(document):
    images = re.findall(
        r'<div class="(?:wide|narrow)" role="img" aria-label="([^"]*)">', render_page(document)
    )
    assert len(images) == 2 * (len(document["curves"]) + 1)
    assert all(len(one) > 40 for one in images)


def test_groups_are_marked_by_what_holds_among_all_and_few_questions_are_said(document):
    document = copy.deepcopy(document)
    first, second, third = document["breakdowns"]["archetype"][:3]
    for group in document["breakdowns"].values():
        for one in group:
            one.update(holds=False, alone=False, small=False)
    assert not re.search(r'class="mark">[*‡]|>few<', render_page(document).split("<dl")[0])
    first.update(holds=True, alone=True)
    second.update(alone=True)
    third.update(small=True)
    page = render_page(document)
    assert page.count('<span class="mark">*</span>') == page.count('<span class="mark">‡</span>') == 1
    assert f'{third["tasks"]} <span class="quiet">few</span>' in page
    assert page.count('<span class="quiet">few</span>') == 1


def test_a_comparison_that_does_not_hold_among_all_says_so(document):
    lost = copy.deepcopy(document)
    words = "undecided (proven alone, not as one of 8 comparisons)"
    lost["comparisons"]["grpo-vs-sft"].update(verdict="undecided", verdict_sentence=words, lost_among=8)
    for render in (render_page, render_markdown):
        assert words in render(lost)
        assert words not in render(document)


def test_what_was_fixed_before_training_names_the_holdout_and_the_forecast(document):
    page = render_page(document)
    assert document["fixed"]["holdout_digest"] in page
    little = {**document, "fixed": {**document["fixed"], "headroom": 0.01, "little_to_amplify": True}}
    words = "there is little for reinforcement learning to amplify"
    assert words in render_page(little)
    assert words not in page


def test_a_short_interval_is_said_to_be_short(document):
    document = copy.deepcopy(document)
    for one in document["coverage"]["figures"]:
        one["short"] = False
    assert "short: read it" not in render_page(document)
    document["coverage"]["figures"][0].update(short=True, coverage=0.913)
    assert "short: read it as a little wider" in render_page(document)
    assert "91.3%" in render_page(document)


def test_intervals_over_schemas_are_shown_where_there_are_several(document):
    assert "Over schemas" not in render_page(document)
    several = copy.deepcopy(document)
    for one in several["comparisons"].values():
        for part in (one, one["seen"], one["unseen"]):
            part["by_schema"] = [[-0.123, 0.456]] * 3
    page = render_page(several)
    assert page.count("−12.3 to +45.6") == 27
    assert "widest of three" in page


def test_the_page_tells_the_headline_each_verdict_and_every_failure(document, page):
    assert document["headline"]["sentence"].split(" (")[0] in page.text
    assert page.text.count("proven better") >= 3
    for failure in document["failures"]:
        assert failure["question"] in page.text
        assert f"task-{failure['task']}" in page.ids


def test_the_same_document_gives_the_same_page(document):
    assert render_page(document) == render_page(document)


def test_the_markdown_has_the_same_headline_and_verdicts(document):
    markdown = render_markdown(document)
    assert document["headline"]["sentence"] in markdown
    assert markdown.count("proven better") >= 9
    widths = {
        len(re.findall(r"(?<!\\)\|", line))
        for line in re.findall(r"\| Comparison \| Questions.*?\n\n", markdown, re.DOTALL)[0]
        .strip()
        .splitlines()
    }
    assert len(widths) == 1


@pytest.mark.parametrize(("databases", "shown"), [("main", "right on twins"), ("all", "right on main")])
def test_beside_the_headlines_pass_at_1_stands_the_other_one(document, databases, shown):
    document = copy.deepcopy(document)
    document["statistics"]["headline_databases"] = databases
    rate = {"right on twins": "pass@1_everywhere", "right on main": "pass@1_main"}[shown]
    document["checkpoints"][-1]["all"][rate]["value"] = 0.98765
    other = {"right on twins": "right on main", "right on main": "right on twins"}[shown]
    for text in (render_page(document), render_markdown(document)):
        assert shown in text
        assert other not in text
        assert "98.8%" in text
    assert ("what only a twin refutes" in render_page(document)) == (databases == "all")


def test_warnings_stand_on_page_and_in_markdown(document):
    warned = {**document, "warnings": ["Beware of <this>."]}
    assert "Beware of &lt;this&gt;." in render_page(warned)
    assert "> Warning: Beware of <this>." in render_markdown(warned)


def test_the_base_alone_has_a_page_and_a_markdown(tmp_path):
    document = document_of(SyntheticRun(tmp_path, rates={"base": (0.3, 6.0)}, tasks=12, templates=6).write())
    assert "Only the base model was scored" in render_page(document)
    assert "Only the base model was scored" in render_markdown(document)


def test_zero_width_and_no_timing_have_a_page(tmp_path):
    rates = {"base": (1e-6, 50.0), "sft": (1e-6, 50.0)}
    document = document_of(SyntheticRun(tmp_path, rates=rates, tasks=12, templates=6).write())
    bare = {**document, "costs": {"steps": [], "total": {}, "machines": []}}
    assert "zero width" in render_page(bare)
    assert "No timing was given" in render_page(bare)


def test_the_facts_are_base_last_stage_difference_and_provable_gain(document):
    assert [fact["name"] for fact in facts(document)] == [
        "base answers right",
        "grpo answers right",
        "Paired difference",
        "Smallest provable gain",
    ]


def test_the_axis_holds_every_interval_and_zero():
    one = {"intervals": [[0.12, 0.31], [-0.02, 0.2]], "seen": None, "unseen": {"intervals": [[-0.24, 0.1]]}}
    assert scale({"x": one}) == (-0.3, 0.4)
    assert scale({}) == (-0.1, 0.1)
    assert [place(value, -0.5, 0.5) for value in (-9, 0, 0.25, 9)] == [0.0, 50.0, 75.0, 100.0]


def test_money_stands_on_page_and_in_markdown_only_where_it_is_known(document):
    costs = document["costs"]
    paid = {**document, "costs": {**costs, "total": {**costs["total"], "money": 12.5}}}
    for render, column in ((render_page, '<th scope="col">money</th>'), (render_markdown, "| money |")):
        assert column not in render(document)
        assert column in render(paid)
        assert "12.50 USD" in render(paid)
