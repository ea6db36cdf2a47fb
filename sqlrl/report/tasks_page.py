"""The tasks of a database as one self-contained HTML page, made of the parts of the delta report's page."""

from collections.abc import Mapping
from itertools import groupby
from typing import Any

from sqlrl.authoring.cells import DIFFICULTIES, DIFFICULTY_MEANS, STYLE_MEANS, STYLES
from sqlrl.report import words
from sqlrl.report.ceiling import ceiling_sentence
from sqlrl.report.page import render_template

Document = Mapping[str, Any]


def render_tasks(document: Document) -> str:
    """The page of a tasks report's document, as HTML text."""
    return render_template("tasks/page.html.j2", context(document), {"sentence": sentence})


def context(document: Document) -> dict[str, Any]:
    """The document with what only a page needs: a headline, figures at the top, tables by archetype."""
    ceiling = document["ceiling"]
    return {
        **document,
        "headline": headline(document),
        "facts": _facts(document),
        "styles": STYLES,
        "style_means": STYLE_MEANS,
        "cell_rows": _cell_rows(document),
        "empty_cells": [one for one in document["cells"] if not one["kept"]],
        "example_groups": _example_groups(document),
        "ceiling_words": ceiling_sentence(ceiling) if ceiling else None,
        "confidence": words.percent(document["statistics"]["confidence"]),
        "largest": max((number for row in document["shapes"]["rows"] for number in row["tasks"]), default=1),
        "longest_bin": max((one["tasks"] for one in document["question_words"]["bins"]), default=1) or 1,
    }


def headline(document: Document) -> str:
    """The tasks in one sentence."""
    counts, cells = document["counts"], document["cells"]
    filled = sum(bool(one["kept"]) for one in cells)
    where = f"all {len(cells)}" if filled == len(cells) else f"{filled} of {len(cells)}"
    return (
        f"{words.count(counts['reviewed'], 'question')} with reference SQL, in {where} kinds of question, kept of "
        f"{words.count(counts['authored'], 'candidate')}."
    )


def sentence(text: str) -> str:
    """A text with a capital first letter."""
    return text[:1].upper() + text[1:]


def _facts(document: Document) -> list[dict[str, str]]:
    """The figures at the top of the page."""
    counts, templates, exposed = document["counts"], document["templates"], document["exposure"]["all"]
    refused = counts["screened"] - counts["probed"]
    holdout = next(one for one in templates["parts"] if one["part"] == "holdout")
    found = [
        {
            "name": "Held out",
            "value": f"{counts['holdout']:,}",
            "note": f"questions; {counts['train']:,} train, {counts['dev']:,} choose settings",
        },
        {
            "name": "Query shapes",
            "value": f"{templates['templates']:,}",
            "note": f"{holdout['unseen_tasks']:,} held-out questions have one that training never sees",
        },
        {
            "name": "Wrong queries refused",
            "value": words.percent(exposed["score_on_twins"], 1),
            "note": f"of {exposed['changed']:,} small changes; the rest cost {refused:,} tasks",
        },
    ]
    return found + _ceiling_facts(document["ceiling"])


def _ceiling_facts(ceiling: Mapping[str, Any] | None) -> list[dict[str, str]]:
    """What a perfect model could score; where nobody was asked, only what is refuted, since all else is unknown."""
    if ceiling is None:
        return []
    if ceiling["lowest"] is None:
        note = f"of {words.count(ceiling['tasks'], 'held-out reference')}; no solver was asked"
        return [{"name": "Refuted", "value": f"{ceiling['refuted']:,}", "note": note}]
    ends = " to ".join(words.percent(ceiling[end]["value"]) for end in ("lowest", "highest"))
    return [{"name": "A perfect model could score", "value": ends, "note": "as far as a solver can say"}]


def _cell_rows(document: Document) -> list[dict[str, Any]]:
    """The cells, a row an archetype and difficulty."""
    cells = {(one["archetype"], one["difficulty"], one["style"]): one for one in document["cells"]}
    rows = dict.fromkeys((archetype, difficulty) for archetype, difficulty, _ in cells)
    return [
        {
            "archetype": archetype,
            "difficulty": difficulty,
            "means": DIFFICULTY_MEANS[archetype][difficulty],
            "first": difficulty == DIFFICULTIES[0],
            "cells": [cells[archetype, difficulty, style] for style in STYLES],
        }
        for archetype, difficulty in rows
    ]


def _example_groups(document: Document) -> list[dict[str, Any]]:
    return [
        {"archetype": archetype, "examples": list(those)}
        for archetype, those in groupby(document["examples"], key=lambda one: one["archetype"])
    ]
