"""The page as a browser gets it: one file, nothing fetched, nothing of a reply taken for markup."""

import copy
import re
from html.parser import HTMLParser
from itertools import pairwise

import pytest

from sqlrl.report.markdown import render_markdown
from sqlrl.report.page import facts, place, render_page, scale
from tests.report.synthetic import SyntheticRun
from tests.report.test_document import document_of

VOID = {"meta", "br", "link", "img", "hr"}


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
def document(whole_run):
    return document_of(whole_run)


@pytest.fixture(scope="module")
def page(document) -> Checker:
    checker = Checker()
    checker.feed(render_page(document))
    assert checker.open == []
    return checker


def test_the_page_is_one_file_that_fetches_nothing(document, page):
    assert not {"script", "link", "img", "iframe"} & set(page.tags)
    assert all(link.startswith("#") for link in page.links)
    assert "url(http" not in render_page(document)
    assert len(render_page(document)) < 2_000_000


def test_ids_are_unique_and_every_link_leads_somewhere(page):
    assert len(page.ids) == len(set(page.ids))
    assert {link.removeprefix("#") for link in page.links} <= set(page.ids)


def test_a_reply_is_text_and_never_markup(document, page):
    failure = next(one for one in document["failures"] if "<b>" in one["reply"])
    assert failure["reply"].strip() in page.text
    assert "&lt;b&gt;has&lt;/b&gt;" in render_page(document)


def test_headings_descend_one_level_at_a_time(page):
    levels = [int(tag[1]) for tag in page.tags if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(deeper - level <= 1 for level, deeper in pairwise(levels))


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
