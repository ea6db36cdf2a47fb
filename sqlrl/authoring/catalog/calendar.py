"""Pages about dates."""

from collections.abc import Iterator
from dataclasses import replace

from sqlrl.authoring.catalog.conditions import family_of
from sqlrl.authoring.catalog.edges import Edge
from sqlrl.authoring.catalog.names import bare
from sqlrl.authoring.catalog.pages import Page, pages
from sqlrl.authoring.catalog.roles import DAY, Meaning
from sqlrl.authoring.catalog.structure import DATE
from sqlrl.authoring.catalog.views import View
from sqlrl.authoring.grammar.dates import DateColumn, Dates, Duration
from sqlrl.authoring.grammar.dates_after_start import AfterStart
from sqlrl.authoring.grammar.dates_windows import FirstEvent, Gap, Series, Windows
from sqlrl.authoring.grammar.keys import Key
from sqlrl.authoring.grammar.values import between

NO_START = AfterStart("", "", "", "", "", (), (), ())
# Shares of the days between two dates that questions set rows against.
FEW_DAYS, MANY_DAYS = 0.2, 0.8


def dates(view: View) -> Iterator[Page]:
    """A table's dates, one by one.

    Args:
        view: a table by itself.
    """
    for day in view.own.table.of(DAY):
        yield from _of_day(_with_day(view, day), day)
    yield from _durations(view)


def _of_day(view: View, day: Meaning) -> Iterator[Page]:
    base, schema = view.base, view.domain.schema
    family = view.own.family(day)
    periods = tuple((base, kind) for kind in schema.filters[base] if schema.family(kind) == family)
    periods = tuple(one for one in periods if not one[1].endswith((":missing", ":present")))
    years = [kind for _, kind in periods if kind.endswith(":year")]
    others = view.families - {family}
    keys = tuple(key for key in schema.own_keys[base] if key.name != view.own.year(day).name)
    made = Dates(
        periods=periods,
        dates={base: DateColumn(view.own.column(day), day.label.removesuffix(" date"), family)},
        durations=(),
        bounds=((base, keys),) if keys else (),
        windows=_windows(view, day, years, bool(others - _days_of(view))),
        after_start=NO_START,
    )
    if not periods or not others:
        return
    yield from pages(
        "date and time",
        view.domain,
        easy=(made.counted, *((made.listed,) if schema.columns[base] else ())),
        medium=(
            *((made.by_part, made.by_part) if day.full else ()),
            *((made.by_month,) if years else ()),
            *((made.first_and_last,) if keys and day.full else ()),
        ),
        hard=(made.windows.monthly, made.windows.monthly) if made.windows.series else (),
    )


def events(view: View) -> Iterator[Page]:
    """First events of what a table leads to, and gaps between them.

    Args:
        view: a table with its parents.
    """
    days = [one for one in view.own.table.of(DAY) if one.full]
    edges = [(parent, edge) for parent, edge in view.edges.items() if edge.child == view.base and edge.single]
    if len(view.own.table.of(DAY)) != 1 or not days or not edges:
        return
    day, base, _schema = days[0], view.base, view.domain.schema
    avoid = (view.own.family(day),)
    firsts = tuple(_first(view, edge, day) for _, edge in edges if edge.plain)
    gaps = tuple(one for parent, edge in edges for one in _gaps(view, parent, edge, day))
    made = Windows((), firsts, gaps, avoid, tuple(family_of(base, edge.names[0]) for _, edge in edges))
    if not view.families - set(avoid):
        return
    yield from pages(
        "date and time",
        view.domain,
        hard=(*((made.first_events,) if firsts else ()), *((made.gaps,) if gaps else ())),
    )


def _days_of(view: View) -> set[str]:
    return {view.own.family(one) for one in view.own.table.of(DAY)}


def _with_day(view: View, day: Meaning) -> View:
    """The view with this date as the table's own: its first and its last, its year."""
    schema, base, own = view.domain.schema, view.base, view.own
    year = own.year(day)
    measures = tuple(one for one in schema.measures[base] if not one.alias.endswith("_day"))
    pair = (own.of_day(day, "MIN"), own.of_day(day, "MAX")) if day.full else ()
    others = [key for key in schema.own_keys[base] if key.name != year.name]
    keys = (*others, *((year,) if day.full and len(day.facts.years) > 1 else ()))
    changed = replace(schema, measures={base: (*measures, *pair)}, own_keys={base: keys})
    return replace(view, domain=replace(view.domain, schema=changed))


def _windows(view: View, day: Meaning, years: list[str], narrowed: bool) -> Windows:
    base = view.base
    aliases = tuple(
        one.alias
        for one in view.domain.schema.measures[base]
        if one.kind in ("count", "amount", "average") and not one.sql.startswith("COUNT(DISTINCT")
    )
    family = view.own.family(day)
    others = tuple(view.own.family(one) for one in view.own.table.of(DAY) if one != day)
    series = Series(
        base, view.own.column(day), base, years[0] if years else "", family, aliases, (base,), others
    )
    return Windows((series,) if years and narrowed else (), (), (), (family,))


def _first(view: View, edge: Edge, day: Meaning) -> FirstEvent:
    return FirstEvent(
        base=view.base,
        owner=edge.columns[0],
        date=view.own.column(day),
        many=edge.roles,
        event=f"{view.own.one} (by {day.label})",
        verb="had their first",
        people=False,
        nullable=not edge.required,
    )


def _gaps(view: View, parent: str, edge: Edge, day: Meaning) -> Iterator[Gap]:
    words = view.words[parent]
    name = words.table.identity
    if name is not None and view.domain.schema.filters[parent]:
        date = view.own.column(day)
        yield Gap(
            base=view.base,
            name=words.column(name),
            date=date if day.kind == DATE else f"{date}::date",
            one=edge.role,
            many=edge.roles,
            table=parent,
            named=bare(edge.role, name.label),
        )


def _durations(view: View) -> Iterator[Page]:
    """The days from one date of a row to a later one."""
    table = view.own.table
    days = table.of(DAY)
    for first in days:
        for last in days:
            numbers = _days(view, first, last) if first.full and first != last else ()
            if numbers:
                made = _duration(view, first, last, numbers)
                yield from pages(
                    "date and time",
                    view.domain,
                    medium=(
                        *((made.days_between,) if made.keys else ()),
                        *((made.slow_rows,) if view.domain.schema.columns[view.base] else ()),
                    ),
                )


def _days(view: View, first: Meaning, last: Meaning) -> tuple[int, ...]:
    """Numbers of days that some rows stay below and some pass; none where the second date may come first."""
    sql = _difference(view, first, last)
    rows = view.domain.ask(
        f"SELECT {sql} FROM {view.base} {view.own.alias} WHERE {view.own.column(last)} IS NOT NULL ORDER BY 1"
    )
    found = [int(row[0]) for row in rows]
    if not found or found[0] < 0 or found[0] == found[-1]:
        return ()
    return tuple(int(number) for number in between(found, FEW_DAYS, MANY_DAYS))


def _difference(view: View, first: Meaning, last: Meaning) -> str:
    one, other = (
        view.own.column(day) if day.kind == DATE else f"{view.own.column(day)}::date" for day in (last, first)
    )
    return f"({one} - {other})"


def _duration(view: View, first: Meaning, last: Meaning, numbers: tuple[int, ...]) -> Duration:
    said = f"days from {first.label} to {last.label}"
    family = view.own.family(last)
    keys: tuple[Key, ...] = view.domain.schema.own_keys[view.base]
    present = f"{family}:present"
    return Duration(
        base=view.base,
        sql=_difference(view, first, last),
        of=f"number of {said} for {{rows}}",
        noun=said,
        exact=f"{last.sql} - {first.sql} in days",
        did="have",
        to=f" from {first.label} to {last.label}",
        ended=present if present in view.domain.schema.filters[view.base] else "",
        avoid=(family, view.own.family(first)),
        keys=keys if last.full or present in view.domain.schema.filters[view.base] else (),
        filtered=([view.base],),
        days=numbers,
    )
