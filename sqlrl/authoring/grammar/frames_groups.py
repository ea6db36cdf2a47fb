"""Questions in the four styles about groups: each of them, the first of them, those that pass a condition."""

from collections.abc import Sequence
from decimal import Decimal

from sqlrl.authoring.draw import Draw
from sqlrl.authoring.grammar.frames import choose, every, fill, is_row_count, measured, the
from sqlrl.authoring.grammar.keys import Key
from sqlrl.authoring.grammar.measures import Measure
from sqlrl.authoring.grammar.scope import Scope
from sqlrl.authoring.phrasing import number_text

# The key comes first, lest "of reviews by customer" be read as one thing.
GROUPED = {
    "casual": (
        "For each {one}, what's {what}? Give me {columns}.",
        "By {one}, can you break down {what}? I want {columns}.",
        "For each {one}, I'd like to see {what}. Show {columns}.",
        "Per {one}, give me {label} and {what}.",
        "Can you list {label} and {what}, one row per {one}?",
    ),
    "formal": (
        "For each {one}, please provide {label} and {what}.",
        "Please report, for each {one}, {label} and {what}.",
        "Please prepare a breakdown by {one} of {what}, showing {columns}.",
        "By {one}, please state {what}. Show {columns}.",
    ),
    "analyst": (
        "For each {column}, return {label} and {what}.",
        "Group by {column} and return {label} and {what}.",
        "By {column}, compute {what}; output {columns}.",
    ),
}
HOW_MANY_PER_GROUP = (
    "For each {one}, how many {rows} are there? I need {columns}.",
    "Per {one}, how many {rows} do we have? Give me {columns}.",
)
GROUPED_TWO = {
    "casual": (
        "Taking {rows}, give me {columns} for each {one}.",
        "For {rows}, can you show {columns} per {one}?",
    ),
    "formal": (
        "For {rows}, please report {columns} for each {one}.",
        "Please provide {columns} for each {one}, based on {rows}.",
    ),
    "analyst": (
        "Over {rows}, group by {column} and return {columns}.",
        "For each {column} over {rows}, return {columns}.",
    ),
}
HAVING_COUNT = (
    "Which {many} have {counted} {value} {rows}? {end}",
    "I'm looking for the {many} with {counted} {value} {rows}. {end}",
)
HAVING = {
    "casual": (
        "For which {many} is {what} {sized} {value}? {end}",
        "Can you find the {many} where {what} is {sized} {value}? {end}",
    ),
    "formal": (
        "Please list every {one} for which {what} is {sized} {value}, showing {columns}.",
        "Please provide {columns} of each {one} where {what} is {sized} {value}.",
    ),
    "analyst": (
        "Return {columns} for each {column} where {what} is {sized} {value}.",
        "Group by {column}, keep groups where {what} is {sized} {value}, and return {columns}.",
    ),
}
TOP = {
    "casual": (
        "Which {n} {many} have {most}? Give me {columns}, {order}.",
        "What are the {n} {many} with {most}? I need {columns}, {order}.",
        "Show me the {n} {many} with {most}: {columns}, {order}.",
    ),
    "formal": (
        "Please list the {n} {many} with {most}, showing {columns}, {order}.",
        "Please report {columns} of the {n} {many} with {most}, {order}.",
    ),
    "analyst": (
        "Return {columns} for the {n} {many} with {most}, {order}.",
        "For the {n} {many} with {most}, list {columns}, {order}.",
    ),
}
SKIP = {
    "casual": (" Skip {many} without {things}.", " Leave out {many} without {things}."),
    "formal": (" Omit {many} without {things}.", " {many} without {things} are to be left out."),
    "terse": ("; skip {many} without any", "; only {many} with {things}"),
    "analyst": (" Omit {many} without {things}.", " Leave out {many} without {things}."),
}
COUNTED = {">": "more than", ">=": "at least"}
SIZED = {">": "above", ">=": "at least", "<": "below"}


def ask_grouped(draw: Draw, style: str, scope: Scope, key: Key, measures: Sequence[Measure]) -> str:
    """Ask for measures of every group; the order of groups doesn't matter."""
    columns = [key.label, *(one.word for one in measures)]
    note = skip_note(draw, style, key, scope)
    if style == "terse":
        words = " and ".join(draw.detail.pick(one.terse) for one in measures)
        head = ", ".join([f"{words} {draw.detail.pick(('per', 'by'))} {key.one}", *scope.keywords()])
        return f"{head}; {draw.detail.pick(('show', 'columns', 'return'))} {', '.join(columns)}{note}"
    if len(measures) > 1:
        frame = fill(choose(draw, style, GROUPED_TWO), rows=every(scope, style))
        return about_groups(frame, key, columns) + note
    what = measured(measures[0], scope, style, draw)
    frame = choose(draw, style, GROUPED)
    if style == "casual" and is_row_count(measures[0]) and draw.detail.chance(0.5):
        frame = draw.detail.pick(HOW_MANY_PER_GROUP)
    return about_groups(fill(frame, what=what, rows=scope.rows(style)), key, columns) + note


def ask_having(
    draw: Draw, style: str, scope: Scope, key: Key, measure: Measure, sign: str, number: Decimal, shown: bool
) -> str:
    """Ask for the groups whose measure is above or below a number.

    Args:
        sign: ``>``, ``>=`` or ``<``.
        shown: whether the measure is returned beside the key.
    """
    columns = [key.label, measure.word] if shown else [key.label]
    value = number_text(number)
    if style == "terse":
        counted = draw.detail.pick(measure.terse)
        counted = f"({counted})" if " with " in counted else counted
        head = f"{key.many} with {counted} {sign} {value}"
        return f"{', '.join([head, *scope.keywords()])}; {draw.detail.pick(('show', 'return'))} {', '.join(columns)}"
    frame = choose(draw, style, HAVING)
    if style == "casual" and is_row_count(measure):
        frame = draw.detail.pick(HAVING_COUNT)
    only = draw.detail.pick(("Just {columns}.", "I only need {columns}.", "{columns} will do."))
    parts = {
        "end": "Give me {columns}." if shown else only,
        "what": measured(measure, scope, style, draw),
        "rows": scope.rows(style),
        "counted": COUNTED.get(sign, ""),
        "sized": SIZED[sign],
        "value": value,
    }
    return about_groups(fill(frame, **parts), key, columns)


def ask_top(
    draw: Draw, style: str, scope: Scope, key: Key, measure: Measure, count: int, descending: bool, tie: bool
) -> str:
    """Ask for the first groups by a measure, sorted, with the measure."""
    columns = [key.label, measure.word]
    order = sorting(draw, style, measure.word, descending, key.label if tie else None)
    if style == "terse":
        side = "top" if descending else "bottom"
        head = ", ".join(
            [f"{side} {count} {key.many} by {draw.detail.pick(measure.terse)}", *scope.keywords()]
        )
        return f"{head}; {', '.join(columns)}; {order}"
    most = superlative(draw, style, scope, measure, descending)
    frame = fill(choose(draw, style, TOP), most=most, n=str(count), order=order)
    return about_groups(frame, key, columns)


def superlative(draw: Draw, style: str, scope: Scope, measure: Measure, descending: bool = True) -> str:
    """What the first group has: "the most orders placed in 2025", "the highest revenue from ..."."""
    if is_row_count(measure) and style != "analyst":
        return f"the {'most' if descending else 'fewest'} {scope.rows(style)}"
    what = measured(measure, scope, style, draw).removeprefix("the ")
    return f"the {'highest' if descending else 'lowest'} {what}"


def sorting(draw: Draw, style: str, word: str, descending: bool, tie: str | None) -> str:
    """How rows are sorted, and what decides between equals."""
    if style == "terse":
        text = f"order by {word} {'desc' if descending else 'asc'}"
        return f"{text}, then {tie}" if tie else text
    first = "highest first" if descending else "lowest first"
    text = draw.detail.pick((first, f"sorted by {word}, {first}", f"ordered by {word}, {first}"))
    return text + (draw.detail.pick((f", ties by {tie}", f", and by {tie} where equal")) if tie else "")


def skip_note(draw: Draw, style: str, key: Key, scope: Scope) -> str:
    """Says which groups have no row, where a reader could expect them with zero, and which rows have no group."""
    many, lacking = key.skipped
    if many:
        left_out = fill(draw.detail.pick(SKIP["formal"][:1]), many=many, things=lacking)
        return f"; skip {many} without {lacking}" if style == "terse" else left_out
    joined = scope.base != key.table
    if not joined and not (key.entity and scope.filters):
        return ""
    noun = scope.words.things.get(scope.base, scope.plural())
    things = f"such {noun}" if scope.filters else noun
    return fill(
        choose(draw, style, SKIP), many=key.many, things=things if style == "terse" else f"any {things}"
    )


def about_groups(frame: str, key: Key, columns: Sequence[str]) -> str:
    """A frame with the words of its key filled in."""
    return fill(
        frame,
        columns=the(columns),
        label=f"the {key.label}",
        one=key.one,
        many=key.many,
        column=key.column,
    )
