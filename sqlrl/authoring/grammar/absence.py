"""Archetype anti-join: absence and presence of rows elsewhere."""

from dataclasses import dataclass

from sqlrl.authoring.draw import Draw
from sqlrl.authoring.grammar.absence_sets import AbsenceSets
from sqlrl.authoring.grammar.compose import maybe, narrow
from sqlrl.authoring.grammar.frames import choose, fill
from sqlrl.authoring.grammar.schema import Chapter, Domain
from sqlrl.authoring.grammar.scope import Scope, describe
from sqlrl.authoring.query import Select
from sqlrl.authoring.teacher import Draft

LIST = {
    "casual": (
        "Which {rows} {tail}? Just the {label}, please.",
        "Which {rows} {tail}? Give me the {label}.",
        "Are there {rows} {who} {tail}? List their {label}.",
    ),
    "formal": (
        "Among {rows}, please list the {label} of those {that} {tail}.",
        "Please list the {label} of all {rows} {who} {tail}.",
        "Please identify the {rows} {who} {tail}, by their {label}.",
    ),
    "terse": ("{label}: {rows}, {short}", "{rows}, {short}; {label}"),
    "analyst": ("Return the {label} of {rows}{comma} {exact}.", "List the {label} of {rows}{comma} {exact}."),
}
COUNT = {
    "casual": (
        "How many {rows} {tail}?",
        "How many of the {rows} {tail}?",
        "What's the number of {rows} {who} {tail}?",
    ),
    "formal": (
        "Please report how many {rows} {tail}.",
        "Among {rows}, please state how many {tail}.",
        "Please provide the number of {rows} {who} {tail}.",
    ),
    "terse": ("count: {rows}, {short}", "number of {rows}, {short}"),
    "analyst": ("Count {rows}{comma} {exact}.", "Return the number of {rows}{comma} {exact}."),
}


@dataclass(frozen=True)
class Absence:
    """A table and what its rows may lack.

    Attributes:
        source: the FROM clause of the subquery, with its own joins.
        on: how it meets the outer row.
        lacking: the table by whose conditions what is lacked may be narrowed, empty for none.
        without: verb phrase for the absence; ``{rows}`` is what is lacked in the plural.
        having: the same for the presence; ``{one}`` is one of it.
        never: verb phrase for the absence of any at all.
        thing: what is lacked, in the singular, for analysts and the terse.
        column, label: what is listed of the rows.
        bare: the source where nothing is asked of what is lacked, if it is another.
        hidden: whether it is a longer way to say another absence, and no easy one.
        narrowed: whether the rows themselves may be narrowed.
        avoid: families of filters that say nothing of what is lacked.
        person: whether the rows are people.
    """

    table: str
    source: str
    on: str
    lacking: str
    without: str
    having: str
    never: str
    thing: str
    column: str
    label: str = "names"
    bare: str = ""
    hidden: bool = False
    narrowed: bool = True
    avoid: tuple[str, ...] = ()
    person: bool = False


@dataclass(frozen=True)
class Said:
    """A condition in words: a verb phrase, keywords, and for analysts."""

    tail: str
    short: str
    exact: str


@dataclass(frozen=True)
class AntiJoin:
    """Writers about absence.

    Attributes:
        both_of: the tables of whose rows presence and absence are asked at once.
    """

    absences: tuple[Absence, ...]
    both_of: tuple[str, ...]
    sets: AbsenceSets

    def chapter(self) -> Chapter:
        """All writers."""
        return Chapter(
            easy=(self.never,),
            medium=(self.never_such,),
            hard=(self.both, self.both, self.sets.set_operation, self.sets.all_of_a_set),
        )

    def never(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """Rows without any row elsewhere."""
        one = draw.structure.pick([one for one in self.absences if not one.hidden])
        tables = maybe(draw, 0.8, one.table) if one.narrowed else []
        outer = narrow(domain, draw, one.table, tables)
        count = draw.structure.chance(0.4)
        columns = ("COUNT(*)",) if count else (one.column,)
        sql = Select(columns, outer.source(), (*outer.where(), _exists(one, ())))
        return Draft(_ask(draw, style, one, outer, _said(one, None, False), count), sql)

    def never_such(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """Rows without, or with, any row of a kind elsewhere."""
        one = draw.structure.pick([one for one in self.absences if one.lacking])
        tables = maybe(draw, 0.5, one.table) if one.narrowed else []
        outer = narrow(domain, draw, one.table, tables)
        inner = narrow(domain, draw, one.lacking, [one.lacking], one.avoid)
        present, count = draw.structure.chance(0.25), draw.structure.chance(0.35)
        columns = ("COUNT(*)",) if count else (one.column,)
        sql = Select(columns, outer.source(), (*outer.where(), _exists(one, inner.where(), present)))
        return Draft(_ask(draw, style, one, outer, _said(one, inner, present), count), sql)

    def both(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """Rows with one kind of row elsewhere but without another kind."""
        table = draw.structure.pick(self.both_of)
        choices = [one for one in self.absences if one.lacking and one.table == table]
        first, second = draw.structure.pick(choices), draw.structure.pick(choices)
        some = narrow(domain, draw, first.lacking, [first.lacking], first.avoid)
        taken = (some.filters[0].family,) if first is second else ()
        none = narrow(domain, draw, second.lacking, [second.lacking], (*second.avoid, *taken))
        outer = narrow(domain, draw, table, maybe(draw, 0.2, table))
        tests = (_exists(first, some.where(), present=True), _exists(second, none.where()))
        sql = Select((first.column,), outer.source(), (*outer.where(), *tests))
        one, two = _said(first, some, True), _said(second, none, False)
        said = Said(f"{one.tail} but {two.tail}", f"{one.short}, {two.short}", f"{one.exact} but {two.exact}")
        return Draft(_ask(draw, style, first, outer, said, False), sql)


def _exists(one: Absence, where: tuple[str, ...], present: bool = False) -> str:
    source = one.source if where or not one.bare else one.bare
    tests = " AND ".join([one.on, *where])
    return f"{'EXISTS' if present else 'NOT EXISTS'} (SELECT 1 FROM {source} WHERE {tests})"


def _ask(draw: Draw, style: str, one: Absence, outer: Scope, said: "Said", count: bool) -> str:
    """Ask for the outer rows of which something is true."""
    that = "who" if one.person else "that"
    return fill(
        choose(draw, style, COUNT if count else LIST),
        rows=outer.rows(style).removeprefix("all "),
        tail=said.tail,
        short=said.short,
        exact=said.exact,
        comma="," if outer.filters else "",
        label=one.label,
        that=that,
        who=f"and {that}" if any(each.rank == 4 for each in outer.filters) else that,
    )


def _said(one: Absence, inner: Scope | None, present: bool) -> Said:
    if inner is None:
        return Said(one.never, f"no {one.thing}", f"without any {one.thing}")
    noun = inner.words.nouns[inner.base]
    keywords = f"({', '.join(inner.keywords())})"
    if present:
        some = f"at least one {singular(describe(inner.words, inner.base, noun[0], inner.filters))}"
        exact = f"with at least one {one.thing}{inner.clauses()}"
        return Said(fill(one.having, one=some), f"with some {one.thing} {keywords}", exact)
    tail = fill(one.without, rows=describe(inner.words, inner.base, noun[1], inner.filters))
    return Said(tail, f"without any {one.thing} {keywords}", f"without any {one.thing}{inner.clauses()}")


def singular(words: str) -> str:
    """The verbs of relative clauses after a singular noun."""
    for many, one in (
        (" that have ", " that has "),
        (" that were ", " that was "),
        (" that are ", " that is "),
    ):
        words = words.replace(many, one)
    return words
