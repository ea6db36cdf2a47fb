"""Archetype anti-join, hard: set operations, and rows that have something of every kind."""

from dataclasses import dataclass

from sqlrl.authoring.draw import Draw
from sqlrl.authoring.grammar.compose import narrow, pick_filters
from sqlrl.authoring.grammar.frames import choose, fill
from sqlrl.authoring.grammar.schema import Domain
from sqlrl.authoring.query import Select
from sqlrl.authoring.teacher import Draft

SET_FRAMES = {
    "casual": (
        "Which {names} are there {relation} {one}, {two}? List each {unit} once.",
        "I'm after the {names} {relation} {one}, {two}. Each {unit} once, please.",
    ),
    "formal": (
        "Please list, without repeats, {all} {relation} {one}, {two}.",
        "Please provide {all} {relation} {one}, {two}, each only once.",
    ),
}
EVERY_FRAMES = {
    "casual": (
        "Which {names} have {some} {every}? Just the {units}.",
        "I need {all} that have {some} {every}.",
    ),
    "formal": ("Please list {all} that have {some} {every}.",),
    "terse": ("{names} with {short}, {every}; {units}",),
    "analyst": ("Return {column} for which {rows} exist {every}.",),
}


@dataclass(frozen=True)
class Sets:
    """Values that occur with two sets of rows.

    Attributes:
        column: what is listed, of table ``parent``; names: what it names, in the plural.
        base: the rows in SQL; noun: the table that they are called by.
        relation: how the names relate to the rows: "with", "sold in".
        filtered: the tables by one of which the two sets differ.
        avoid: families of filters that say nothing here.
        label: what the column is called, where that is not its name.
    """

    column: str
    parent: str
    names: str
    base: str
    noun: str
    relation: str
    filtered: tuple[str, ...]
    avoid: tuple[str, ...] = ()
    label: str = ""


@dataclass(frozen=True)
class Every:
    """Rows that have something with every value of a set.

    Attributes:
        values: the SQL of the set; said: "in every order status that occurs at all".
        avoid: families of filters that would fix the value.
        label: what the column is called, where that is not its name.
    """

    base: str
    column: str
    parent: str
    names: str
    values: str
    said: str
    avoid: tuple[str, ...]
    label: str = ""


@dataclass(frozen=True)
class AbsenceSets:
    """Writers about sets of rows."""

    sets: tuple[Sets, ...]
    every: tuple[Every, ...]

    def set_operation(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """Values that are in one set of rows and not in, or also in, another."""
        one = draw.structure.pick(self.sets)
        column, parent, names, noun, relation = one.column, one.parent, one.names, one.noun, one.relation
        word = draw.structure.pick(("EXCEPT", "INTERSECT"))
        table = draw.structure.pick(one.filtered)
        halves = [
            domain.scope(one.base, (each,)) for each in pick_filters(domain, draw, [table, table], one.avoid)
        ]
        sql = f" {word} ".join(Select((column,), half.source(parent), half.where()).text() for half in halves)
        sold = "sold in" in relation
        if style == "terse":
            keys = [domain.scope(noun, half.filters).keywords()[0] for half in halves]
            but = "but none" if word == "EXCEPT" else "and also some"
            return Draft(
                f"{names} {relation} {noun} ({keys[0]}) {but} ({keys[1]}); {_units(domain, one)}, each once",
                sql,
            )
        if style == "analyst":
            texts = [domain.scope(noun, half.filters).clauses("") for half in halves]
            how = "never" if word == "EXCEPT" else "also"
            exact = f"{parent}.{column.split('.')[1]}"
            return Draft(
                f"Return the distinct {exact} that occur with {noun} where {texts[0]} and {how} with"
                f" {noun} where {texts[1]}.",
                sql,
            )
        some, other = (domain.scope(noun, half.filters).plain(domain.many(noun)) for half in halves)
        if word == "EXCEPT":
            second = f"but not in any {other}" if sold else f"but without any {other}"
        else:
            second = f"and also in {other}" if sold else f"and also with {other}"
        question = fill(
            choose(draw, style, SET_FRAMES),
            names=names,
            unit=one.label or column.split(".")[1],
            all=_all(domain, one),
            relation=relation,
            one=some,
            two=second,
        )
        return Draft(question, sql)

    def all_of_a_set(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """Rows that have something with every value of a set."""
        one = draw.structure.pick(self.every)
        base, column, names, values = one.base, one.column, one.names, one.values
        scope = narrow(domain, draw, base, [base] if draw.structure.chance(0.7) else [], one.avoid)
        total = f"(SELECT COUNT(DISTINCT {values}) FROM {base} {domain.alias(base)})"
        having = f"COUNT(DISTINCT {values}) = {total}"
        sql = Select((column,), scope.source(one.parent), scope.where(), (column,), (having,))
        question = fill(
            choose(draw, style, EVERY_FRAMES),
            names=names,
            units=_units(domain, one),
            all=_all(domain, one),
            some=scope.plain(domain.many(base)),
            short=", ".join([domain.many(base), *scope.keywords()]),
            rows=scope.rows(style).removeprefix("all "),
            column=f"{one.parent}.{column.split('.')[1]}",
            every=one.said,
        )
        return Draft(question, sql)


def _all(domain: Domain, one: Sets | Every) -> str:
    if one.label:
        return f"the {_units(domain, one)} of all {one.names}"
    return f"the names of all {one.names}" if one.column.endswith(".name") else f"all {one.names}"


def _units(domain: Domain, one: Sets | Every) -> str:
    """What is listed, in the plural."""
    return domain.schema.tables.plurals[one.label or one.column.split(".")[1]]
