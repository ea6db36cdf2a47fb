"""Archetype top-n, easy and medium: the first rows or groups in an order."""

from dataclasses import dataclass, replace

from sqlrl.authoring.draw import Draw
from sqlrl.authoring.grammar.compose import grouped_select, maybe, narrow, pick_measure, select_rows
from sqlrl.authoring.grammar.frames import choose, fill, request, the
from sqlrl.authoring.grammar.frames_groups import ask_top, sorting
from sqlrl.authoring.grammar.keys import Key
from sqlrl.authoring.grammar.measures import RANKABLE
from sqlrl.authoring.grammar.schema import Chapter, Domain
from sqlrl.authoring.grammar.top_n_hard import TopOfGroups
from sqlrl.authoring.teacher import Draft

COUNTS = (3, 5, 10)
FEW = (2, 3, 5)
AMONG = {
    "casual": (
        "Among {rows}, which are the {n} {side}? Give me {labels}, {order}.",
        "Looking only at {rows}, show me the {n} {side}: {labels}, {order}.",
        "Out of {rows}, I need the {n} {side}, with {labels}, {order}.",
    ),
    "formal": (
        "Among {rows}, please list the {n} {side}, showing {labels}, {order}.",
        "Considering only {rows}, please report {labels} of the {n} {side}, {order}.",
    ),
}
OF_ALL = {
    "casual": (
        "Which {n} {many} are the ones {side}? Give me {labels}, {order}.",
        "Show me the {n} {many} {side}: {labels}, {order}.",
        "What are the {n} {many} {side}? I want {labels}, {order}.",
    ),
    "formal": (
        "Please list the {n} {many} {side}, showing {labels}, {order}.",
        "Please report {labels} of the {n} {many} {side}, {order}.",
    ),
}


@dataclass(frozen=True)
class TopN:
    """Writers about the first rows and groups.

    Attributes:
        joined: the tables that are grouped over a join.
        own: the tables that are grouped by a column of their own.
    """

    joined: tuple[str, ...]
    own: tuple[str, ...]
    of_groups: TopOfGroups

    def chapter(self) -> Chapter:
        """All writers."""
        hard = self.of_groups
        return Chapter(
            easy=(self.top_rows,),
            medium=(self.top_groups, self.top_groups, self.top_own_groups),
            hard=(hard.first_of_each, hard.first_groups_of_each, hard.nth_place),
        )

    def top_rows(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """The first rows of a table by a column."""
        base = draw.structure.pick(tuple(domain.schema.ranked))
        ranked = draw.structure.pick(domain.schema.ranked[base])
        descending = not ranked.lowest or draw.structure.chance(0.65)
        scope = narrow(domain, draw, base, maybe(draw, 0.75, base), (ranked.family,))
        tie = draw.structure.chance(0.5)
        count = draw.detail.pick(FEW if scope.filters else COUNTS)
        first, column = domain.schema.columns[base][0], ranked.column
        order = (f"{column.sql} DESC" if descending else column.sql, *([first.sql] if tie else []))
        sql = replace(select_rows(scope, (first, column)), order=order, limit=count)
        labels = [first.label, column.label]
        sorts = _sorting(draw, style, column.label, descending, first.label if tie else None)
        if style == "terse":
            head = f"{_side(column.label, descending, 'top', 'bottom')} {count} {domain.many(base)} by {column.label}"
            return Draft("; ".join([", ".join([head, *scope.keywords()]), ", ".join(labels), sorts]), sql)
        if style == "analyst":
            way = _side(column.label, descending, "largest", "smallest")
            rows = f"the {count} {base}{scope.clauses()}"
            question = request(
                draw, style, f"{the(labels)} for {rows} with the {way} {column.sql.split('.')[1]}"
            )
            return Draft(f"{question.rstrip('.')}, {sorts}.", sql)
        question = fill(
            choose(draw, style, AMONG if scope.filters else OF_ALL),
            rows=scope.plain(domain.many(base)),
            many=domain.many(base),
            n=str(count),
            side=ranked.highest if descending else ranked.lowest,
            labels=the(labels),
            order=sorts,
        )
        return Draft(question, sql)

    def top_groups(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """The first groups by an aggregate over a join."""
        base = draw.structure.pick(self.joined)
        return self._top(
            domain,
            draw,
            style,
            base,
            draw.structure.pick([key for key in domain.schema.joined_keys[base] if not key.flag]),
        )

    def top_own_groups(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """The first groups of one table by an aggregate."""
        base = draw.structure.pick(self.own)
        keys = [key for key in domain.schema.own_keys[base] if not key.flag]
        return self._top(domain, draw, style, base, draw.structure.pick(keys))

    def _top(self, domain: Domain, draw: Draw, style: str, base: str, key: Key) -> Draft:
        scope = narrow(domain, draw, base, maybe(draw, 0.5, base), domain.schema.families_of(key))
        measure = pick_measure(domain, draw, scope, key, RANKABLE)
        # The lowest groups could be those without rows, unless the measure has none for them.
        descending = measure.kind != "average" or draw.structure.chance(0.7)
        tie = measure.kind == "count" or draw.structure.chance(0.3)
        order = (f"{measure.alias} DESC" if descending else measure.alias, *([key.sql] if tie else []))
        count = draw.detail.pick(COUNTS if key.numerous else FEW)
        sql = replace(grouped_select(scope, key, [measure], named=True), order=order, limit=count)
        return Draft(ask_top(draw, style, scope, key, measure, count, descending, tie), sql)


def _side(label: str, descending: bool, high: str, low: str) -> str:
    if "date" in label:
        return "latest" if descending else "earliest"
    return high if descending else low


def _sorting(draw: Draw, style: str, label: str, descending: bool, tie: str | None) -> str:
    if "date" not in label:
        return sorting(draw, style, label, descending, tie)
    if style == "terse":
        return f"{'newest' if descending else 'oldest'} first" + (f", then {tie}" if tie else "")
    first = "latest first" if descending else "earliest first"
    return first + (f", ties by {tie}" if tie else "")
