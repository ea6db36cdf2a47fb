"""What is computed over rows: the SQL of every measure beside its words."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from sqlrl.authoring.grammar.keys import Key
from sqlrl.authoring.grammar.scope import Scope


@dataclass(frozen=True)
class Measure:
    """One aggregate of a base table.

    Attributes:
        of: with ``{rows}``: "the number of {rows}".
        word: the same without rows, to name the column: "number of orders".
        terse: keywords for it, which say what rows it is over.
        analyst: with ``{rows}``; may name columns.
        kind: count, amount, average, extreme, date or days; decides superlatives and thresholds.
        needs: tables to join besides the base.
        family: the family of filters on the same column, pointless beside it.
        entity: the table whose different rows are counted, so that a filter on it would be odd.
        rivals: names of the keys beside which it makes no sense.
        lone: whether conditions on other tables would say its words twice.
        mass: whether its word takes no article: "revenue".
        within: the family of conditions, or the name of the key, without which it adds what can't be added.
    """

    base: str
    sql: str
    alias: str
    of: tuple[str, ...]
    word: str
    terse: tuple[str, ...]
    analyst: tuple[str, ...]
    kind: str
    needs: tuple[str, ...] = ()
    family: str = ""
    entity: str = ""
    rivals: tuple[str, ...] = ()
    lone: bool = False
    mass: bool = False
    within: str = ""


# Kinds whose groups may be empty-handed though they have rows: only for questions without groups.
UNGROUPED = ("days",)
RANKABLE = ("count", "amount", "average")
FUNCTIONS = {
    "AVG": ("average", "avg", "average", "of"),
    "SUM": ("total", "total", "amount", "across"),
    "MIN": ("lowest", "min", "extreme", "among"),
    "MAX": ("highest", "max", "extreme", "among"),
}


def count_of(base: str, noun: str = "") -> Measure:
    """The number of rows.

    Args:
        noun: plural of the rows where it is not the table's name.
    """
    many = noun or base
    return Measure(
        base=base,
        sql="COUNT(*)",
        alias=base,
        of=("the number of {rows}",),
        word=f"number of {many}",
        terse=(f"number of {many}", f"{many.removesuffix('s')} count"),
        analyst=("the number of {rows}", "the count of {rows}", "COUNT(*) of {rows}"),
        kind="count",
    )


def of_column(
    base: str, function: str, column: str, alias: str, noun: str, family: str, terse: str = ""
) -> Measure:
    """AVG, SUM, MIN or MAX of a column.

    Args:
        terse: the noun in keywords, where it needs the table's word to be understood.
    """
    word, short, kind, over = FUNCTIONS[function]
    name = column.split(".")[1]
    return Measure(
        base=base,
        sql=f"{function}({column})",
        alias=alias,
        of=(f"the {word} {noun} {over} {{rows}}",),
        word=f"{word} {noun}",
        terse=(f"{short} {terse or noun}", f"{word} {terse or noun}"),
        analyst=(f"the {word} {name} over {{rows}}", f"{function}({name}) over {{rows}}"),
        kind=kind,
        family=family,
    )


def different(
    base: str,
    column: str,
    noun: str,
    clause: str,
    terse: str,
    entity: str,
    rivals: tuple[str, ...] = (),
    lone: bool = False,
) -> Measure:
    """The number of different values of a column.

    Args:
        clause: how the values relate to the rows: "behind {rows}".
    """
    name = column.split(".")[1]
    return Measure(
        base=base,
        sql=f"COUNT(DISTINCT {column})",
        alias=noun.replace(" ", "_"),
        of=(f"the number of different {noun} {clause}",),
        word=f"number of different {noun}",
        terse=(f"number of distinct {terse}", f"count of distinct {terse}"),
        analyst=(f"the number of distinct {name} over {{rows}}", f"COUNT(DISTINCT {name}) over {{rows}}"),
        kind="count",
        entity=entity,
        rivals=rivals,
        lone=lone,
    )


def extreme_day(base: str, function: str, column: str, noun: str, family: str, terse: str = "") -> Measure:
    """The first (MIN) or last (MAX) date of a column; ``terse`` as in of_column."""
    order, short = {"MIN": ("earliest", "first"), "MAX": ("latest", "last")}[function]
    name = column.split(".")[1]
    return Measure(
        base=base,
        sql=f"{function}({column})",
        alias=f"{short}_day",
        of=(f"the {order} {noun} among {{rows}}",),
        word=f"{order} {noun}",
        terse=(f"{order} {terse or noun}", f"{short} {terse or noun}"),
        analyst=(f"the {order} {name} over {{rows}}", f"{function}({name}) over {{rows}}"),
        kind="date",
        family=family,
    )


def some(measure: Measure) -> Measure:
    """A measure of what may be missing: its groups may be empty-handed."""
    return replace(measure, kind=UNGROUPED[0])


def formula(
    base: str, sql: str, alias: str, of: str, word: str, exact: str, kind: str, needs: tuple[str, ...] = ()
) -> Measure:
    """A formula of the notes as a measure.

    Args:
        of: with ``{rows}``.
        exact: the same for analysts.
    """
    return Measure(base, sql, alias, (of,), word, (word,), (exact,), kind, needs)


def fitting(measures: Iterable[Measure], scope: Scope, key: Key | None = None) -> list[Measure]:
    """The measures that make sense over a scope: none of what the filters or the key already fix."""
    return [
        one for one in measures if _fits_filters(one, scope, key) and (key is None or _fits_key(one, key))
    ]


def _fits_filters(measure: Measure, scope: Scope, key: Key | None) -> bool:
    families = {one.family for one in scope.filters}
    if measure.family and measure.family in families:
        return False
    if measure.lone and scope.tables():
        return False
    if measure.within and measure.within not in (*families, key.name if key else ""):
        return False
    return measure.entity not in (*scope.tables(), *families)


def _fits_key(measure: Measure, key: Key) -> bool:
    if measure.kind in UNGROUPED or key.name in measure.rivals:
        return False
    return key.name not in (measure.entity, measure.entity.removesuffix("s"))
