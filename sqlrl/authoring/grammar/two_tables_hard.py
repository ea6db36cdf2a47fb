"""Archetype two-table join, hard: outer joins that keep zeros, and rows against their own group."""

from dataclasses import dataclass

from sqlrl.authoring.draw import Draw
from sqlrl.authoring.grammar.columns import Number
from sqlrl.authoring.grammar.compose import maybe, narrow
from sqlrl.authoring.grammar.frames import choose, fill, naming, the
from sqlrl.authoring.grammar.schema import Domain
from sqlrl.authoring.phrasing import article
from sqlrl.authoring.query import Select
from sqlrl.authoring.teacher import Draft

ZEROS = {
    "casual": (
        "For all {rows}, give me the name and how many {what} {relation}, with 0 if there are none.",
        "List all {rows} by name with the number of {what} {relation}. Include the ones with zero.",
    ),
    "formal": (
        (
            "Please list all {rows} with their name and the number of {what} {relation}, including those"
            " with zero."
        ),
        (
            "For all {rows}, please report the name and the number of {what} {relation}, showing 0 where"
            " there are none."
        ),
    ),
    "terse": ("{rows}: name and number of {what}, zero included",),
    "analyst": (
        "For every row of {rows}, return the name and the count of its {what}, 0 where there are none.",
        "From {rows}, return the name and the number of related {what}, zeros included.",
    ),
}
OWN_AVERAGE = {
    "casual": (
        "Which of the {rows} have {a} {word} {side} {average}? Give me {labels}.",
        "Of the {rows}, show me {labels} of those with {a} {word} {side} {average}.",
    ),
    "formal": (
        "Among {rows}, please list those with {a} {word} {side} {average}, showing {labels}.",
        "Among {rows}, please report {labels} of those whose {word} is {side} {average}.",
    ),
    "terse": ("{rows}, {word} {side} average of all {many} of same {one}; {bare}",),
    "analyst": (
        (
            "From {rows}, return {labels} of those with {column} {side} the average {column} over"
            " all {base} with the"
            " same {owner}."
        ),
    ),
}
EXTREME = {
    "casual": (
        (
            "What was the {when} {event} {tie} each of the {rows}? Give me {labels}, all of them if"
            " several share that"
            " day; skip those without any."
        ),
        (
            "For each of the {rows}, find the {when} {event}: {labels}. Skip those without any; show"
            " all that share the"
            " day."
        ),
    ),
    "formal": (
        (
            "For each of the {rows} with at least one {event}, please report the name and the date"
            " and {label} of the"
            " {when} {event}, all where several share that date."
        ),
    ),
    "terse": ("{when} {event} of each of: {rows}; {bare}; all if same date, skip those without any",),
    "analyst": (
        (
            "For each of {rows}, return the name with {day} and {further} of the {child} with the"
            " {when} {day}; all that"
            " tie, none for those without any."
        ),
    ),
}


@dataclass(frozen=True)
class Outer:
    """A parent whose rows may be without children, and how its relation to them is said.

    Attributes:
        label: the column that names the parent; counted: the child's column that is counted.
        narrowed: whether the parents are narrowed.
        avoid: families of filters that say nothing of the children.
        named: what the label is called, where it is not "name".
    """

    parent: str
    child: str
    label: str
    counted: str
    on: str
    relation: str
    narrowed: bool = True
    avoid: tuple[str, ...] = ()
    named: str = "name"


@dataclass(frozen=True)
class OwnAverage:
    """A number of a row beside the average of its group.

    Attributes:
        owner: the foreign key that makes the groups, to ``parent``.
        label_sql, label: what names the group; group: what it is; among: how rows lie in it.
    """

    base: str
    number: Number
    owner: str
    parent: str
    label_sql: str
    label: str
    group: str
    among: str = "of"


@dataclass(frozen=True)
class Extreme:
    """The latest or earliest child of every parent.

    Attributes:
        owner: the child's foreign key; day: its date.
        tie: between the event and the parent: the latest order *placed by*.
        further, label: a further column of the child.
        noun: what the parents are called here.
        key: the primary key column of the parent.
        name: the column that names the parent; named: what it is called.
        day_label: what the date is called, where that is not the event's date.
    """

    child: str
    parent: str
    owner: str
    day: str
    tie: str
    event: str
    further: str
    label: str
    noun: str = ""
    avoid: tuple[str, ...] = ()
    key: str = "id"
    name: str = "name"
    named: str = "name"
    day_label: str = ""


@dataclass(frozen=True)
class AgainstOthers:
    """Writers that keep parents without children, or set rows against others of their group."""

    outers: tuple[Outer, ...]
    own_averages: tuple[OwnAverage, ...]
    extremes: tuple[Extreme, ...]

    def with_zeros(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """A count for every parent, those without children included."""
        outer = draw.structure.pick(self.outers)
        children = narrow(domain, draw, outer.child, maybe(draw, 0.7, outer.child), outer.avoid)
        parents = narrow(domain, draw, outer.parent, [outer.parent] if outer.narrowed else [])
        conditions = " AND ".join([outer.on, *children.where()])
        sql = Select(
            (outer.label, f"COUNT({outer.counted})"),
            f"{outer.parent} {domain.alias(outer.parent)} LEFT JOIN {outer.child} {domain.alias(outer.child)} ON"
            f" {conditions}",
            parents.where(),
            (outer.label,),
        )
        what = children.plain(domain.many(outer.child))
        if style == "terse":
            what = f"{domain.many(outer.child)}{''.join(f' ({word})' for word in children.keywords())}"
        elif style == "analyst":
            what = f"{outer.child}{children.clauses()}"
        rows = parents.rows(style).removeprefix("all ")
        frame = naming(choose(draw, style, ZEROS), outer.named)
        return Draft(fill(frame, rows=rows, what=what, relation=outer.relation), sql)

    def against_own_average(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """Rows above or below the average of their own group."""
        one = draw.structure.pick(self.own_averages)
        base, column, word = one.base, one.number.name, one.number.noun
        scope = narrow(domain, draw, base, [base], (one.number.family,))
        side, sign = draw.structure.pick((("above", ">"), ("below", "<")))
        alias, first = domain.alias(base), domain.schema.columns[base][0]
        average = f"(SELECT AVG(x.{column}) FROM {base} x WHERE x.{one.owner} = {alias}.{one.owner})"
        sql = Select(
            (first.sql, one.label_sql),
            scope.source(one.parent),
            (*scope.where(), f"{alias}.{column} {sign} {average}"),
        )
        many = domain.many(base)
        labels = [f"{domain.one(base)} name" if first.label == "name" else first.label, one.label]
        question = fill(
            choose(draw, style, OWN_AVERAGE),
            rows=scope.rows(style),
            a=article(word),
            average=f"the average {word} of all {many} {one.among} the same {one.group}",
            word=word,
            side=side,
            many=many,
            one=one.group,
            labels=the(labels),
            bare=", ".join(labels),
            column=column,
            base=base,
            owner=one.owner,
        )
        return Draft(question, sql)

    def extreme_child(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """Each parent's latest or earliest child, by a correlated subquery."""
        one = draw.structure.pick(self.extremes)
        child, day, event = one.child, one.day, one.event
        function, when = draw.structure.pick((("MAX", "latest"), ("MIN", "earliest")))
        scope = narrow(domain, draw, one.parent, [one.parent], one.avoid, noun=one.noun or None)
        alias, above = domain.alias(child), domain.alias(one.parent)
        inner = f"(SELECT {function}(x.{day}) FROM {child} x WHERE x.{one.owner} = {above}.{one.key})"
        sql = Select(
            (f"{above}.{one.name}", f"{alias}.{day}", f"{alias}.{one.further}"),
            f"{child} {alias} JOIN {one.parent} {above} ON {alias}.{one.owner} = {above}.{one.key}",
            (*scope.where(), f"{alias}.{day} = {inner}"),
        )
        labels = [one.named, one.day_label or f"{event} date", f"{event} {one.label}"]
        question = fill(
            naming(choose(draw, style, EXTREME), one.named),
            rows=scope.rows(style),
            when=when,
            event=event,
            tie=one.tie,
            labels=the(labels),
            bare=", ".join(labels),
            day=day,
            further=one.further,
            label=one.label,
            child=child,
        )
        return Draft(question, sql)
