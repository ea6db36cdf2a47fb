"""Classes of things on two levels or more, such as categories with subcategories."""

from collections.abc import Callable
from dataclasses import dataclass

from sqlrl.authoring.draw import Draw
from sqlrl.authoring.grammar.compose import narrow, pick_measure
from sqlrl.authoring.grammar.frames import choose, fill
from sqlrl.authoring.grammar.frames_groups import ask_grouped
from sqlrl.authoring.grammar.keys import Key
from sqlrl.authoring.grammar.schema import Domain
from sqlrl.authoring.query import Select
from sqlrl.authoring.teacher import Draft
from sqlrl.database.literals import quote

CLASSES = {
    "casual": (
        "Which {classes} sit directly under {name}? Just the names.",
        "What are the {lower} of {name}? Names only.",
    ),
    "formal": (
        "Please list the names of all {lower} of {name}.",
        "Please provide the name of every {one} whose parent is {name}.",
    ),
    "terse": ("{lower} of {name}, names", "{one} names under {name}"),
    "analyst": (
        "Return {table}.name where the parent {one} is '{name}'.",
        "List the names of {classes} whose {column} points to '{name}'.",
    ),
}
THINGS_COUNT = {
    "casual": (
        "How many {things} are in the {lower} of {name}?",
        "What's the number of {things} in the {lower} of {name}?",
    ),
    "formal": (
        (
            "Please report the number of {things} in the {lower} of {name}, leaving out those"
            " directly in {name}."
        ),
        "How many {things} are assigned to the {lower} of {name}?",
    ),
    "terse": ("count {things} in {lower} of {name}", "number of {things} in {lower} of {name}"),
    "analyst": ("Count {things} whose {one} has the parent '{name}'.",),
}
THINGS_LIST = {
    "casual": (
        "What {things} are in the {lower} of {name}? I want the {thing} name and the {sub} name.",
        "Can you list the {things} in the {lower} of {name}, each by name with its {sub}'s name?",
    ),
    "formal": (
        ("Please list the {things} in the {lower} of {name}, with the {thing} name and the {sub} name."),
    ),
    "terse": ("{things} in {lower} of {name}: {thing} name, {sub} name",),
    "analyst": (
        "Return {things_table}.name and the {one} name for {things} whose {one} has the parent '{name}'.",
    ),
}
ROLL_UP = {
    "casual": (
        " Count everything in a {sub} under its parent.",
        " {lower} count towards their parent.",
    ),
    "formal": (" {lower} are to be counted under their parent.",),
    "terse": ("; {lower} under parent",),
    "analyst": (" Use the {one}'s parent where it has one.",),
}


@dataclass(frozen=True)
class Classes:
    """A table of classes that refers to itself, and what belongs to them.

    Attributes:
        column: the foreign key to the parent.
        classes, lower: plurals of a class and of one below a parent; sub: the singular of the latter.
        things_table: what belongs to a class, by things_key; thing_name: the column that names it.
        parents: the names of the classes that have others below them.
        top: the key of the class at the top, or itself; its SQL calls the parent ``top``.
        rolled: (base, choices of tables to narrow) of what is summed up under the top.
    """

    table: str
    column: str
    lower: str
    sub: str
    things_table: str
    things_key: str
    parents: Callable[[Domain], tuple[str, ...]]
    top: Key
    rolled: tuple[tuple[str, tuple[list[str], ...]], ...]
    thing_name: str = "name"

    def listed(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """Classes below a parent."""
        name = draw.detail.pick(self.parents(domain))
        alias = domain.alias(self.table)
        below = f"{self.table} {alias} JOIN {self.table} top ON {alias}.{self.column} = top.id"
        sql = Select((f"{alias}.name",), below, (f"top.name = {quote(name)}",))
        return Draft(fill(choose(draw, style, CLASSES), name=name, **self._words(domain)), sql)

    def things_below(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """What belongs to the classes below a parent."""
        name = draw.detail.pick(self.parents(domain))
        count = draw.structure.chance(0.5)
        child, alias = domain.alias(self.things_table), domain.alias(self.table)
        source = (
            f"{self.things_table} {child} JOIN {self.table} {alias} ON {child}.{self.things_key} = {alias}.id"
            f" JOIN {self.table} top ON {alias}.{self.column} = top.id"
        )
        columns = ("COUNT(*)",) if count else (f"{child}.{self.thing_name}", f"{alias}.name")
        sql = Select(columns, source, (f"top.name = {quote(name)}",))
        words = self._words(domain)
        return Draft(
            fill(choose(draw, style, THINGS_COUNT if count else THINGS_LIST), name=name, **words), sql
        )

    def rolled_up(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """An aggregate per top-level category, subcategories counted under their parent."""
        base, choices = draw.structure.pick(self.rolled)
        tables = draw.structure.pick(choices)
        scope = narrow(domain, draw, base, tables)
        measure = pick_measure(domain, draw, scope, self.top)
        source = scope.source(self.table, *measure.needs)
        sql = Select(
            (self.top.sql, measure.sql),
            f"{source} LEFT JOIN {self.table} top ON {domain.alias(self.table)}.{self.column} = top.id",
            scope.where(),
            (self.top.sql,),
        )
        asked = ask_grouped(draw, style, scope, self.top, [measure])
        return Draft(f"{asked}{fill(choose(draw, style, ROLL_UP), **self._words(domain))}", sql)

    def _words(self, domain: Domain) -> dict[str, str]:
        return {
            "table": self.table,
            "column": self.column,
            "one": domain.one(self.table),
            "classes": domain.many(self.table),
            "lower": self.lower,
            "sub": self.sub,
            "things": domain.many(self.things_table),
            "thing": domain.one(self.things_table),
            "things_table": self.things_table,
        }
