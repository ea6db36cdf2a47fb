"""Questions in the four styles about single values and lists, around the parts that were drawn."""

import re
from collections.abc import Mapping, Sequence

from sqlrl.authoring.draw import Draw
from sqlrl.authoring.grammar.measures import Measure
from sqlrl.authoring.grammar.scope import Scope
from sqlrl.authoring.phrasing import listing

ASK = {
    "casual": (
        "Can you get me {what}?",
        "Could you pull {what}?",
        "I need {what}.",
        "I'd like to see {what}.",
        "Show me {what}, please.",
        "Can you look up {what}?",
        "Give me {what}.",
    ),
    "formal": (
        "Please provide {what}.",
        "Please report {what}.",
        "Kindly provide {what}.",
        "Please supply {what}.",
        "We require {what}.",
    ),
    "terse": ("{what}",),
    "analyst": ("Return {what}.", "List {what}.", "Retrieve {what}.", "Output {what}.", "Give {what}."),
}
SCALAR = {
    "casual": (
        "What's {what}?",
        "What is {what}?",
        "Can you tell me {what}?",
        "I'd like to know {what}.",
        "Do me a favour and look up {what}.",
        "Quick one: what's {what}?",
    ),
    "formal": (
        "Please report {what}.",
        "What is {what}?",
        "Please state {what}.",
        "Kindly provide {what}.",
        "Please determine {what}.",
    ),
    "analyst": (
        "Compute {what}.",
        "What is {what}?",
        "Return {what}.",
        "Calculate {what}.",
        "Determine {what}.",
    ),
}
HOW_MANY = (
    "How many {rows} are there?",
    "How many {rows} do we have?",
    "Can you tell me how many {rows} there are?",
    "Quick question: how many {rows} are there?",
    "Any idea how many {rows} we have?",
)
TWO = {
    "casual": (
        "For {rows}, what are {words}?",
        "Looking at {rows}, can you tell me {words}?",
        "I need two numbers for {rows}: {words}.",
        "Take {rows}. What are {words}?",
    ),
    "formal": (
        "Please report {words} for {rows}.",
        "For {rows}, please provide {words}.",
        "Kindly state {words} for {rows}.",
    ),
    "analyst": (
        "For {rows}, compute {words}.",
        "Over {rows}, return {words}.",
        "Calculate {words} over {rows}.",
    ),
}
LIST = {
    "casual": (
        "Show me {columns} of {every}.",
        "Can you list {columns} of {every}?",
        "I need {columns} of {every}.",
        "Could you pull up {every}? I want {columns}.",
        "Which {rows} do we have? Give me {columns}.",
        "Can I get a list of {every}, with {columns}?",
    ),
    "formal": (
        "Please list {columns} of {every}.",
        "Please provide {columns} of {every}.",
        "For {every}, please report {columns}.",
        "Kindly supply a list of {every}, showing {columns}.",
    ),
    "terse": ("{rows}: {bare}", "list {bare} of {rows}", "{rows}, show {bare}"),
    "analyst": (
        "Return {columns} for {every}.",
        "For {every}, list {columns}.",
        "Select {columns} from {every}.",
    ),
}


def choose(draw: Draw, style: str, frames: Mapping[str, Sequence[str]]) -> str:
    """One of the frames of a style."""
    return draw.detail.pick(frames[style])


def fill(frame: str, **parts: str) -> str:
    """The frame with ``{name}`` replaced by each part; braces inside parts are left alone."""
    for name, text in parts.items():
        frame = frame.replace(f"{{{name}}}", text)
    return frame


def naming(frame: str, label: str, labels: str = "") -> str:
    """A frame that speaks of names, for rows that another column names.

    Args:
        label: of that column, "title"; labels: its plural.
    """

    def other(match: re.Match[str]) -> str:
        word = (labels or f"{label}s") if match[2] else label
        return word.capitalize() if match[1] == "N" else word

    return frame if label == "name" else re.sub(r"(?<!{)\b([Nn])ame(s?)\b(?!})", other, frame)


def request(draw: Draw, style: str, what: str) -> str:
    """A request for ``what``, a noun phrase."""
    return fill(choose(draw, style, ASK), what=what)


def the(labels: Sequence[str]) -> str:
    """The labels of columns as a person names them: "the name and the price"."""
    return listing([f"the {label}" for label in labels])


def many(labels: Sequence[str], plurals: Mapping[str, str]) -> str:
    """The labels in the plural where all have one: "the names and list prices"."""
    if any(label not in plurals for label in labels):
        return the(labels)
    return f"the {listing([plurals[label] for label in labels])}"


def every(scope: Scope, style: str) -> str:
    """All rows of the scope, said so where nothing narrows them."""
    rows = scope.rows(style)
    return rows if scope.filters or rows.startswith("all ") else f"all {rows}"


def measured(measure: Measure, scope: Scope, style: str, draw: Draw) -> str:
    """The measure of the scope's rows as a noun phrase."""
    if style == "analyst":
        return fill(draw.detail.pick(measure.analyst), rows=scope.rows(style))
    rows = scope.rows(style) if measure.kind == "count" else every(scope, style)
    return fill(draw.detail.pick(measure.of), rows=rows)


def is_row_count(measure: Measure) -> bool:
    """Whether it just counts the rows, such that "how many" asks for it."""
    return measure.sql == "COUNT(*)"


def ask_scalar(draw: Draw, style: str, scope: Scope, measures: Sequence[Measure]) -> str:
    """Ask for one row: one measure or two of the same rows."""
    if style == "terse":
        words = " and ".join(draw.detail.pick(one.terse) for one in measures)
        return ", ".join([words, *scope.keywords()])
    if len(measures) > 1:
        words = the([one.word for one in measures])
        return fill(choose(draw, style, TWO), rows=every(scope, style), words=words)
    if style == "casual" and is_row_count(measures[0]):
        return fill(draw.detail.pick(HOW_MANY), rows=scope.rows(style))
    return fill(choose(draw, style, SCALAR), what=measured(measures[0], scope, style, draw))


def ask_list(draw: Draw, style: str, scope: Scope, labels: Sequence[str]) -> str:
    """Ask for columns of every row; the order of rows doesn't matter."""
    rows = scope.rows(style)
    return fill(
        choose(draw, style, LIST),
        columns=many(labels, scope.words.plurals) if style != "analyst" else the(labels),
        bare=", ".join(labels),
        every=rows if rows.startswith("all ") else f"all {rows}",
        rows=rows,
    )
