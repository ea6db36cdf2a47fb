"""Pages about formulas: what two numbers of a row give together, shares, rates."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

from sqlrl.authoring.catalog.names import word_set
from sqlrl.authoring.catalog.pages import Page, pages
from sqlrl.authoring.catalog.roles import CATEGORY, MEASURE, Meaning
from sqlrl.authoring.catalog.structure import NUMBER
from sqlrl.authoring.catalog.views import View
from sqlrl.authoring.grammar.keys import Key
from sqlrl.authoring.grammar.measures import Measure, formula
from sqlrl.authoring.grammar.metrics import Formulas, Rate, Ratios, RowFormulas
from sqlrl.authoring.grammar.schema import Domain

# Last words of how many of something there are, and of what one of it is worth.
HOW_MANY = word_set("quantity count units hours days nights stock amount seats pieces minutes duration")
EACH = word_set("price cost rate fee value wage salary charge")
# Two numbers of one kind: one is at most so many times the other at the middle of their values.
ALIKE = 20
MOST_FORMULAS = 6


@dataclass(frozen=True)
class Formula:
    """A formula over one row: its SQL, what it is called, how analysts write it, whose columns it has."""

    sql: str
    label: str
    exact: str
    families: tuple[str, ...]
    added: bool


def formulas(view: View, above: View | None) -> Iterator[Page]:
    """What the numbers of a table give together.

    Args:
        view: a table by itself; above: with its parents.
    """
    found = _formulas(view)
    for each in (view, above):
        if each is None:
            continue
        keys = _keys(each)
        yield from _of_rows(each, found, keys)
        yield from _of_shares(each, keys, rates_are_hard=bool(found))


def _of_rows(view: View, found: Sequence[Formula], keys: tuple[Key, ...]) -> Iterator[Page]:
    base, schema = view.base, view.domain.schema
    avoid = tuple(family for one in found for family in one.families)
    free = view.families - set(avoid)
    if not found or not free:
        return
    sums = tuple(_sum(base, one) for one in found if one.added) or tuple(_average(base, one) for one in found)
    rows = RowFormulas(base, tuple((one.sql, one.label, one.families) for one in found), ([base],))
    made = Formulas(base, sums, ([base],), keys, sums, ([base],), avoid=avoid)
    ratios = Ratios(base, keys, tuple(_ratio(base, one) for one in _pairs(view)), ([base], []), (), (), ())
    joined = bool(view.links())
    yield from pages(
        "derived metric",
        view.domain,
        easy=() if joined else (*((rows.per_row,) if schema.columns[base] else ()), made.one_sum),
        medium=(made.by_group,) if keys else (),
        hard=(ratios.ratio,) if keys and ratios.ratios else (),
    )


def _of_shares(view: View, keys: tuple[Key, ...], rates_are_hard: bool) -> Iterator[Page]:
    """Each group's share of all, and the share of a group's rows that have a value.

    Args:
        rates_are_hard: where a table has no other formula, a rate is a medium question too.
    """
    base, schema = view.base, view.domain.schema
    # Of these groups every row has one.
    whole = tuple(key for key in keys if key.table == base or view.edges[key.table].required)
    counts = tuple(one for one in schema.measures[base] if one.kind == "amount" or one.sql == "COUNT(*)")
    if whole and len(view.families) > 1:
        shares = Ratios(base, (), (), (), counts, whole, ([base], []))
        yield from pages("derived metric", view.domain, hard=(shares.share_of_total,))
    for one in view.own.table.of(CATEGORY):
        values = tuple(value for value, rows in one.facts.values if rows * 20 >= one.facts.rows)
        rated = tuple(key for key in keys if key.sql != view.own.column(one))
        if one.full and values and rated and one.kind != NUMBER:
            rate = Rate(
                base, view.own.column(one), one.label, _always(values), rated, (view.own.family(one),)
            )
            medium = () if rates_are_hard else (rate.rate,)
            yield from pages("derived metric", view.domain, medium=medium, hard=(rate.rate,))


def _keys(view: View) -> tuple[Key, ...]:
    own, joined = view.domain.schema.own_keys[view.base], view.domain.schema.joined_keys[view.base]
    return tuple(key for key in (joined if view.links() else own) if not key.flag)


def _formulas(view: View) -> tuple[Formula, ...]:
    """Sums of money of several things, and differences of like numbers."""
    numbers = [one for one in view.own.table.of(MEASURE) if one.full]
    found = [_product(view, one, two) for one, two in permutations(numbers, 2) if _multiplies(one, two)]
    found += [
        _difference(view, one, two)
        for one, two in permutations(numbers, 2)
        if one.whole == two.whole and _middle(one) >= _middle(two) and _alike(one, two)
        if _middle(one) > _middle(two) or one.name < two.name
    ]
    return tuple(found[:MOST_FORMULAS])


def _multiplies(one: Meaning, two: Meaning) -> bool:
    return one.label.split()[-1] in HOW_MANY and two.label.split()[-1] in EACH and one.whole


def _alike(one: Meaning, two: Meaning) -> bool:
    return one.positive and two.positive and _middle(one) <= ALIKE * _middle(two)


def _middle(one: Meaning) -> float:
    return float(one.facts.spread[len(one.facts.spread) // 2]) if one.facts.spread else 0.0


def _product(view: View, one: Meaning, two: Meaning) -> Formula:
    return Formula(
        f"{view.own.column(one)} * {view.own.column(two)}",
        f"{one.label} times {two.label}",
        f"{one.sql} * {two.sql}",
        (view.own.family(one), view.own.family(two)),
        True,
    )


def _difference(view: View, one: Meaning, two: Meaning) -> Formula:
    return Formula(
        f"{view.own.column(one)} - {view.own.column(two)}",
        f"{one.label} minus {two.label}",
        f"{one.sql} - {two.sql}",
        (view.own.family(one), view.own.family(two)),
        one.added and two.added,
    )


def _pairs(view: View) -> tuple[Formula, ...]:
    """Sums divided by sums."""
    numbers = [one for one in view.own.table.of(MEASURE) if one.full and one.added]
    return tuple(
        Formula(
            f"SUM({view.own.column(one)}) * 1.0 / SUM({view.own.column(two)})",
            f"total {one.label} divided by the total {two.label}",
            f"SUM({one.sql}) / SUM({two.sql})",
            (view.own.family(one), view.own.family(two)),
            False,
        )
        for one, two in permutations(numbers, 2)
        if two.positive
    )[:MOST_FORMULAS]


def _sum(base: str, one: Formula) -> Measure:
    label = one.label
    return formula(
        base,
        f"SUM({one.sql})",
        "total",
        f"the total of {label} across {{rows}}",
        f"total of {label}",
        f"the sum of {one.exact} over {{rows}}",
        "amount",
    )


def _average(base: str, one: Formula) -> Measure:
    return formula(
        base,
        f"AVG({one.sql})",
        "average",
        f"the average of {one.label} over {{rows}}",
        f"average of {one.label}",
        f"the average of {one.exact} over {{rows}}",
        "average",
    )


def _ratio(base: str, one: Formula) -> Measure:
    of = f"the {one.label} over {{rows}}"
    return formula(base, one.sql, "ratio", of, one.label, f"{one.exact} over {{rows}}", "average")


def _always(values: tuple[str, ...]) -> Callable[[Domain], Sequence[str]]:
    return lambda domain: values
