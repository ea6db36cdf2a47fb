"""The page of the base benchmark: one file, with the forecast in words."""

from sqlrl.records import from_dict
from sqlrl.report.benchmark import build_benchmark
from sqlrl.report.benchmark_page import render_benchmark
from sqlrl.report.costs import summarise
from sqlrl.report.settings import ReportSettings
from tests.report.small import make_evidence, make_tasks
from tests.report.test_page import Checker

SETTINGS = from_dict(
    ReportSettings,
    {
        "run": "r", "headline_databases": "main", "resamples": 200, "confidence": 0.95, "seed": 1,
        "equivalence_margin": 0.05, "failures": 0, "gpu_hour_price": None,
    },
    "settings",
)  # fmt: skip
NAMES = [f"t{number}" for number in range(20)]


def page_of(samples: list[dict[str, str]], *group_sizes: int) -> str:
    evidence = make_evidence(make_tasks(*NAMES, unseen="t1"), {"base": samples})
    document = build_benchmark(evidence, SETTINGS, group_sizes=group_sizes) | {"costs": summarise([], [])}
    return render_benchmark(document)


def mixed(number: int) -> dict[str, str]:
    return {name: ("RWWW", "RRWW", "WWWW", "RRRR")[(int(name[1:]) + number) % 4] for name in NAMES}


def test_it_is_one_file_whose_headings_descend_and_whose_links_lead_somewhere():
    page = page_of([mixed(0), mixed(1)])
    checker = Checker()
    checker.feed(page)
    assert checker.open == []
    assert not {"script", "link", "img", "iframe"} & set(checker.tags)
    assert {link.removeprefix("#") for link in checker.links} <= set(checker.ids)
    assert [tag for tag in checker.tags if tag in ("h1", "h2")].count("h1") == 1


def test_it_says_what_could_be_proven_and_whether_there_is_something_to_amplify():
    page = page_of([mixed(0), mixed(1)], 8, 64)
    assert "Smallest provable gain" in page
    assert "there is something to" in page
    assert "too few replies to foresee groups of 64" in page
    little = page_of([dict.fromkeys(NAMES, "WWWW")] * 2)
    assert "there is little for reinforcement learning to amplify" in little
    assert "little for reinforcement learning to amplify (headroom 0.00)" in little


def test_one_pass_of_a_base_that_is_always_wrong_has_a_page():
    page = page_of([dict.fromkeys(NAMES, "WWWW")])
    assert "The base model answers 0% of 20 held-out questions right" in page
    assert "a second scoring pass would show the smaller end" in page
