"""``snakemake --report`` on a finished run: our page in it, with its caption, category and labels, and no network."""

import html
import json
import re
import zipfile
from pathlib import Path

import pytest

from tests.workflow.conftest import Workspace

pytestmark = pytest.mark.slow

# Whatever would be fetched is asked for here, where nobody answers.
NO_NETWORK = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9")
PAGE = "results/micro/delta_report.html"


@pytest.fixture(scope="module")
def report(built: Workspace, tmp_path_factory) -> zipfile.ZipFile:
    """The report of the micro run."""
    path = tmp_path_factory.mktemp("report") / "report.zip"
    built.snakemake("delta_report", "--report", str(path), environment=NO_NETWORK)
    return zipfile.ZipFile(path)


def variable(report: zipfile.ZipFile, name: str) -> dict:
    """An object that the report's page is drawn from."""
    text = report.read("report/report.html").decode()
    place = text.rindex(f"var {name} = ") + len(f"var {name} = ")
    return json.JSONDecoder().raw_decode(text[place:].lstrip())[0]


def test_the_report_has_the_same_page(report, built):
    uri = variable(report, "results")[PAGE]["data_uri"]
    assert report.read(f"report/{uri}") == (built.folder / PAGE).read_bytes()


def test_the_page_has_its_caption_category_and_labels(report):
    found = variable(report, "results")[PAGE]
    assert "What training changed in run micro" in found["caption"]
    assert found["labels"] == {"run": "micro"}
    assert found["mime_type"] == "text/html"
    assert variable(report, "categories")["Delta report"] == {"Other": [PAGE]}


def test_every_proof_of_parity_is_there_with_its_checkpoint(report, built):
    proofs = variable(report, "categories")["Served as trained"]["Other"]
    assert set(proofs) == set(built.results("micro/*/parity.json"))
    results = variable(report, "results")
    for path in proofs:
        checkpoint = Path(path).parent.name
        assert results[path]["labels"] == {"run": "micro", "checkpoint": checkpoint}
        caption = html.unescape(
            re.sub("<(?!a ).*?>", "", results[path]["caption"])
        )  # an @ makes no mail address
        assert f"Whether checkpoint {checkpoint} of run micro" in caption


def test_the_report_says_what_the_workflow_does(report):
    assert "Each run ends in a delta report" in " ".join(report.read("report/report.html").decode().split())
