"""The page and the Markdown of a comparison: one file, every checkpoint, every verdict."""

import re
from itertools import pairwise

import pytest

from sqlrl.report.comparison_markdown import render_comparison_markdown
from sqlrl.report.comparison_page import render_comparison
from sqlrl.report.run_comparison import build_comparison
from tests.report.named import NamedRun, read, settings_of, write_runs
from tests.report.test_page import Checker


@pytest.fixture(scope="module")
def document(tmp_path_factory) -> dict:
    folder = tmp_path_factory.mktemp("page")
    size = {"tasks": 24, "templates": 12, "passes": 2}
    old = NamedRun(folder / "old", name="old", model="early", **size)
    rates = {"base": (1.2, 1.2), "r1": (1.6, 1.2)}
    new = NamedRun(folder / "new", name="new", model="late", rates=rates, max_tokens=512, **size)
    write_runs(old, new)
    return build_comparison(read(old, new), settings_of(old))


@pytest.fixture(scope="module")
def page(document) -> Checker:
    checker = Checker()
    checker.feed(render_comparison(document))
    assert checker.open == []
    return checker


def test_the_page_is_one_file_that_fetches_nothing(document, page):
    assert not {"script", "link", "img", "iframe"} & set(page.tags)
    assert all(link.startswith("#") for link in page.links)
    assert "url(" not in render_comparison(document)


def test_ids_are_unique_and_every_link_leads_somewhere(page):
    assert len(page.ids) == len(set(page.ids))
    assert {link.removeprefix("#") for link in page.links} <= set(page.ids)


def test_headings_descend_one_level_at_a_time(page):
    levels = [int(tag[1]) for tag in page.tags if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(deeper - level <= 1 for level, deeper in pairwise(levels))


@pytest.mark.parametrize("render", [render_comparison, render_comparison_markdown])
def test_each_form_has_every_checkpoint_verdict_and_warning(document, render):
    text = render(document)
    for run in document["runs"]:
        for one in run["checkpoints"]:
            assert f"{100 * one['pass@1']['value']:.1f}%" in text
    for one in document["comparisons"]:
        assert one["verdict"] in text
        assert f"{100 * one['difference']:+.1f}".replace("-", "−") in text
    assert "max_tokens is 128 for old and 512 for new" in text
    assert "snakemake compare_runs --config" in text


def test_the_markdown_has_the_headline_and_tables_of_even_width(document):
    markdown = render_comparison_markdown(document)
    assert document["headline"]["sentence"] in markdown
    for block in re.findall(r"(?:^\|.*\n)+", markdown, re.MULTILINE):
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in block.strip().splitlines()}) == 1


def test_a_name_is_text_and_never_markup(document):
    odd = {**document, "warnings": ["Beware of <b>this</b>."]}
    assert "Beware of &lt;b&gt;this&lt;/b&gt;." in render_comparison(odd)


def test_gpu_hours_and_money_are_columns_only_where_there_are_any(document):
    bare = render_comparison(document)
    first = document["runs"][0]
    paid = {**first, "costs": {**first["costs"], "gpu_hours": 1.5, "money": 12.5}}
    found = render_comparison({**document, "runs": [paid, *document["runs"][1:]]})
    for column, value in (("GPU-hours", "1.50"), ("money", "12.50 USD")):
        assert f'<th scope="col">{column}</th>' not in bare
        assert f'<th scope="col">{column}</th>' in found
        assert value in found


def test_the_markdown_says_what_its_mark_means_only_where_one_stands(document):
    assert "†" not in render_comparison_markdown(document)
    first = document["runs"][0]
    base = first["checkpoints"][0]
    flat = {**base, "pass@1": {**base["pass@1"], "bound": [0.0, 0.1]}}
    marked = {**first, "checkpoints": [flat, *first["checkpoints"][1:]]}
    text = render_comparison_markdown({**document, "runs": [marked, *document["runs"][1:]]})
    assert "0 to 10% †" in text
    assert "† Every question gave the same result" in text
