"""Archetype top-n, hard: the first of every group, and places below the first, by window functions.

RANK and DENSE_RANK give all that share a place, so that no tie is cut.
"""

from dataclasses import dataclass

from sqlrl.authoring.draw import Draw
from sqlrl.authoring.grammar.compose import maybe, narrow, pick_measure
from sqlrl.authoring.grammar.frames import choose, fill, the
from sqlrl.authoring.grammar.frames_groups import superlative
from sqlrl.authoring.grammar.keys import Key
from sqlrl.authoring.grammar.schema import Domain
from sqlrl.authoring.query import Select
from sqlrl.authoring.teacher import Draft

FIRST_ROW = {
    "casual": (
        (
            "For each {key}, which of the {rows} is the one {side}? Give me {labels}; if several tie,"
            " show them all."
        ),
        "In every {key}, find the one {side} among {rows}. I want {labels}, all of them if tied.",
    ),
    "formal": (
        (
            "For each {key}, please report the one among {rows} {side}, with {labels}. Include every one"
            " that ties."
        ),
        (
            "Please provide, per {key}, {labels} of the one among {rows} {side}, or all of them in case"
            " of a tie."
        ),
    ),
    "analyst": (
        "Per {column}, over {rows}, return {labels} of the rows with the {way} {name}, ties included.",
        "Partition {rows} by {column}; return {labels} of all rows with the {way} {name} in their partition.",
    ),
}
FIRST_GROUP = {
    "casual": (
        "In each {outer}, which {one} has {most}? Give me {labels}, and all of them if there's a tie.",
        "Who leads each {outer}: the {one} with {most}? I need {labels}, ties included.",
    ),
    "formal": (
        "For each {outer}, please report the {one} with {most}, showing {labels}. Include all that tie.",
        "Please list, per {outer}, {labels} of the {one} with {most}, including ties.",
    ),
    "analyst": (
        "Per {column}, find each {one} with {most}; return {labels}, ties included.",
        "For each {column}, return {labels} of the {one} with {most} (all of them if tied).",
    ),
}
PLACE = {
    "casual": (
        "Which {one} has {nth}? I need {labels}, all that share the value; equal values count as one place.",
        "Who or what comes {word}: I need every {one} with {nth}, as {labels}. Equal values count as one place.",
    ),
    "formal": ("Please report {labels} of every {one} with {nth}, where equal values count as one place.",),
    "analyst": ("Return {labels} of each {column} with {nth} (dense ranking, all that share the value).",),
}


@dataclass(frozen=True)
class TopOfGroups:
    """Writers about the first of every group.

    Attributes:
        rows: (base, key): the first row of every group of the key.
        groups: (outer key, inner key, bases): the first inner group of every outer one.
        places: the tables of whose groups a place is asked for; placed: names of the keys of these.
    """

    rows: tuple[tuple[str, Key], ...]
    groups: tuple[tuple[Key, Key, tuple[str, ...]], ...]
    places: tuple[str, ...]
    placed: tuple[str, ...]

    def first_of_each(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """The first row of every group, all of them where several share the place."""
        base, key = draw.structure.pick(self.rows)
        ranked = draw.structure.pick(domain.schema.ranked[base])
        descending = draw.structure.chance(0.6)
        avoid = (ranked.family, *domain.schema.families_of(key))
        scope = narrow(domain, draw, base, maybe(draw, 0.5, base), avoid)
        first, column = domain.schema.columns[base][0], ranked.column
        order = f"{column.sql} DESC" if descending else column.sql
        inner = Select(
            (
                f"{key.sql} AS {key.name}",
                first.sql,
                f"{column.sql} AS value",
                f"RANK() OVER (PARTITION BY {key.sql} ORDER BY {order}) AS place",
            ),
            scope.source(key.table),
            scope.where(),
        )
        sql = f"SELECT {key.name}, {first.name}, value FROM ({inner.text()}) t WHERE place = 1"
        named = f"{domain.one(base)} name" if first.label == "name" else first.label
        labels = [key.label, named, column.label]
        is_date = "date" in column.label
        high, low = ("latest", "earliest") if is_date else ("highest", "lowest")
        if style == "terse":
            head = f"{domain.one(base)} with {high if descending else low} {column.label} per {key.one}"
            return Draft(f"{', '.join([head, *scope.keywords()])}; {', '.join(labels)}; all if tied", sql)
        question = fill(
            choose(draw, style, FIRST_ROW),
            rows=scope.rows(style),
            key=key.one,
            column=key.column,
            side=ranked.highest if descending else ranked.lowest,
            labels=the(labels),
            way=high if descending else low,
            name=column.name,
        )
        return Draft(question, sql)

    def first_groups_of_each(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """The leading inner group of every outer group, by an aggregate."""
        outer, key, bases = draw.structure.pick(self.groups)
        base = draw.structure.pick(bases)
        scope = narrow(domain, draw, base, maybe(draw, 0.5, base), domain.schema.families_of(key))
        measure = pick_measure(domain, draw, scope, key, ("count", "amount"))
        inner = Select(
            (
                f"{outer.sql} AS {outer.name}",
                f"{key.sql} AS name",
                f"{measure.sql} AS {measure.alias}",
                f"RANK() OVER (PARTITION BY {outer.sql} ORDER BY {measure.sql} DESC) AS place",
            ),
            scope.source(outer.table, key.table, *measure.needs),
            scope.where(),
            (outer.sql, key.sql),
        )
        sql = f"SELECT {outer.name}, name, {measure.alias} FROM ({inner.text()}) t WHERE place = 1"
        labels = [outer.label, key.label, measure.word]
        if style == "terse":
            head = f"top {key.one} per {outer.one} by {draw.detail.pick(measure.terse)}"
            return Draft(f"{', '.join([head, *scope.keywords()])}; {', '.join(labels)}; all if tied", sql)
        question = fill(
            choose(draw, style, FIRST_GROUP),
            most=superlative(draw, style, scope, measure),
            outer=outer.one,
            one=key.one,
            column=outer.column,
            labels=the(labels),
        )
        return Draft(question.replace("Who leads", "What leads") if not key.person else question, sql)

    def nth_place(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """The groups at a given place, all of them where several share it."""
        base = draw.structure.pick(self.places)
        key = draw.structure.pick([key for key in domain.schema.joined_keys[base] if key.name in self.placed])
        scope = narrow(domain, draw, base, maybe(draw, 0.5, base), domain.schema.families_of(key))
        measure = pick_measure(domain, draw, scope, key, ("count", "amount"))
        word, number = draw.detail.pick((("second", 2), ("third", 3), ("fourth", 4)))
        inner = Select(
            (
                f"{key.sql} AS name",
                f"{measure.sql} AS {measure.alias}",
                f"DENSE_RANK() OVER (ORDER BY {measure.sql} DESC) AS place",
            ),
            scope.source(key.table, *measure.needs),
            scope.where(),
            (key.sql,),
        )
        sql = f"SELECT name, {measure.alias} FROM ({inner.text()}) t WHERE place = {number}"
        labels = [key.label, measure.word]
        if style == "terse":
            head = f"{key.many} with the {word} highest {draw.detail.pick(measure.terse)}"
            return Draft(
                f"{', '.join([head, *scope.keywords()])}; equal values count as one place; {', '.join(labels)}",
                sql,
            )
        nth = superlative(draw, style, scope, measure)
        nth = nth.replace("the most ", f"the {word} highest number of ").replace(
            "the highest ", f"the {word} highest "
        )
        question = fill(
            choose(draw, style, PLACE), nth=nth, word=word, one=key.one, column=key.column, labels=the(labels)
        )
        return Draft(question.replace("Who or what comes", "Who comes" if key.person else "What comes"), sql)
