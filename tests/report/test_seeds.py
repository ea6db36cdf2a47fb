"""Several seeds of one stage: one verdict of all of them, in the document, the headline and the words."""

import numpy as np
import pytest

from sqlrl.errors import UserError
from sqlrl.records import from_dict
from sqlrl.report.markdown import render_markdown
from sqlrl.report.page import facts, render_page
from sqlrl.report.seeds import describe_seeds, name_of
from sqlrl.report.settings import ReportSettings
from tests.report.small import make_evidence, make_tasks
from tests.report.synthetic import SyntheticSeeds
from tests.report.test_document import counted, document_of


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> SyntheticSeeds:
    return SyntheticSeeds(tmp_path_factory.mktemp("seeds"), tasks=60, templates=40, passes=2).write()


@pytest.fixture(scope="module")
def document(run):
    return document_of(run)


def rates(run, stage) -> dict[str, float]:
    passes = [counted(run, stage, scoring) for scoring in (1, 2)]
    return {task: float(np.mean([one[task] for one in passes])) for task in passes[0]}


def test_the_difference_is_the_mean_over_seeds_counted_from_the_score_files(run, document):
    (group,) = document["seeds"]
    assert (group["name"], group["stages"], group["seeds"]) == (
        "grpo",
        ["grpo-1", "grpo-2", "grpo-3"],
        [1, 2, 3],
    )
    assert [one["before"] for one in group["against"]] == ["sft", "base"]
    for against in group["against"]:
        before = rates(run, against["before"])
        by_seed = [
            np.mean([rates(run, stage)[task] - before[task] for task in before]) for stage in group["stages"]
        ]
        assert against["difference_by_seed"] == pytest.approx(by_seed, abs=1e-6)
        assert against["difference"] == pytest.approx(np.mean(by_seed), abs=1e-6)
        assert against["interval"] in (against["crossed"], against["over_seeds"])


def test_the_headline_is_of_all_seeds_with_the_last_one_beside(document):
    headline, group = document["headline"], document["seeds"][0]
    assert headline["sentence"].startswith("Over 3 seeds of grpo the model answers ")
    assert headline["verdict"] == group["against"][1]["verdict"]
    assert headline["interval"] == group["against"][1]["interval"]
    assert headline["seeds"] == "grpo"
    assert headline["beside"][0]["sentence"].startswith("The last seed alone, grpo-3 against base: ")


def test_page_and_markdown_show_the_verdict_of_all_seeds(document):
    for text in (render_page(document), render_markdown(document)):
        assert document["headline"]["sentence"].split(" (")[0] in text
        assert "3 seeds of grpo against sft" in text
    assert [one["name"] for one in facts(document)][:2] == [
        "base answers right",
        "3 seeds of grpo answer right",
    ]


def test_seeds_that_disagree_prove_nothing_though_one_of_them_does():
    names = [f"t{number}" for number in range(60)]
    before = dict.fromkeys(names, "RWWW")
    lucky, unlucky = (
        dict.fromkeys(names, "RRRW") | {"t0": "RRRR"},
        dict.fromkeys(names, "WWWW") | {"t0": "RWWW"},
    )
    evidence = make_evidence(
        make_tasks(*names),
        {"base": [before], "r-1": [lucky], "r-2": [unlucky]},
        **{"r-1": "base", "r-2": "base"},
    )
    (group,) = describe_seeds(evidence, [["r-1", "r-2"]], {"r-1": 1, "r-2": 2}, SETTINGS)
    assert group["against"][0]["verdict"] == "undecided"
    assert len(group["against"]) == 1


def test_seeds_that_share_no_task_are_refused():
    evidence = make_evidence(
        make_tasks("a", "b"), {"base": [{"a": "R"}], "r-1": [{"b": "R"}], "r-2": [{"b": "R"}]}
    )
    with pytest.raises(UserError, match="base and the seeds r-1, r-2 share no held-out task"):
        describe_seeds(evidence, [["r-1", "r-2"]], {}, SETTINGS)


@pytest.mark.parametrize(
    ("stages", "name"),
    [
        (["grpo-1", "grpo-2"], "grpo"),
        (["r1-seed1", "r1-seed2"], "r1"),
        (["one", "two"], "one"),
        (["g1", "g10"], "g"),
    ],
)
def test_stages_are_called_by_what_their_names_share(stages, name):
    assert name_of(stages) == name


SETTINGS = from_dict(
    ReportSettings,
    {
        "run": "r", "headline_databases": "main", "resamples": 200, "confidence": 0.95, "seed": 1,
        "equivalence_margin": 0.05, "failures": 0, "gpu_hour_price": None,
    },
    "settings",
)  # fmt: skip
