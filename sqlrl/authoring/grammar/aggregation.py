"""Archetype aggregation: aggregates of one table."""

from dataclasses import dataclass, replace

from sqlrl.authoring.draw import Draw
from sqlrl.authoring.grammar.compose import grouped_select, maybe, narrow, pick_filters, pick_measure
from sqlrl.authoring.grammar.frames import ask_scalar, choose, every, fill, request
from sqlrl.authoring.grammar.frames_groups import ask_grouped
from sqlrl.authoring.grammar.measures import Measure, fitting
from sqlrl.authoring.grammar.schema import Chapter, Domain
from sqlrl.authoring.grammar.scope import Scope
from sqlrl.authoring.phrasing import article
from sqlrl.authoring.query import Select
from sqlrl.authoring.teacher import Draft

SHARE = {
    "casual": (
        "Out of {rows}, what percentage are {part}?",
        "What percentage of {rows} are {part}?",
        "Of {rows}, how many percent are {part}?",
    ),
    "formal": (
        "Please state what percentage of {rows} are {part}.",
        "Of {rows}, please report the percentage that are {part}.",
    ),
}
BEYOND = {
    "casual": (
        "How many {rows} have {a} {word} {side} the average {word} of all {many}?",
        "Of {every}, how many have {a} {word} {side} the average {word} of all {many}?",
    ),
    "formal": (
        "Please report how many {rows} have {a} {word} {side} the average {word} of all {many}.",
        "Among {every}, please count those with {a} {word} {side} the average {word} of all {many}.",
    ),
    "analyst": (
        "Count {base} whose {name} is {side} the average {name} over all {base}{also}.",
        "Return the number of {base} with {name} {side} the average {name} over all {base}{also}.",
    ),
}
SIDES = {
    "casual": (
        "For each {one}, give me the {label}, {a} and, next to it, {b}.",
        "Per {one}, can you put {a} beside {b}? The {label} comes first.",
    ),
    "formal": (
        "For each {one}, please report the {label}, {a} and, in a third column, {b}.",
        "Please show, by {one}, the {label}, {a}, and {b} in a column of its own.",
    ),
    "terse": ("per {one}: {label}, {a}, {b}",),
    "analyst": ("For each {column} in {base}, return the {label}, {a}, and {b}.",),
}


@dataclass(frozen=True)
class Owner:
    """What rows belong to: the foreign key, what it leads to in both numbers.

    Attributes:
        nullable: whether rows may be nobody's; those don't count.
        avoid: families of filters that this makes pointless.
    """

    base: str
    column: str
    one: str
    many: str
    nullable: bool = False
    avoid: tuple[str, ...] = ()


@dataclass(frozen=True)
class Aggregation:
    """Writers about one table.

    Attributes:
        bases: the tables that are aggregated.
    """

    bases: tuple[str, ...]
    owners: tuple[Owner, ...]

    def chapter(self) -> Chapter:
        """All writers."""
        return Chapter(
            easy=(self.scalar,),
            medium=(self.scalar_two_filters, self.two_measures, self.grouped, self.grouped),
            hard=(self.average_per_owner, self.share, self.beyond_average, self.two_sides, self.spread),
        )

    def scalar(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """One aggregate, at most one condition."""
        base = draw.structure.pick(self.bases)
        scope = narrow(domain, draw, base, maybe(draw, 0.85, base))
        one = pick_measure(domain, draw, scope)
        return Draft(ask_scalar(draw, style, scope, [one]), _select(scope, one))

    def scalar_two_filters(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """One aggregate, two conditions."""
        base = draw.structure.pick(self.bases)
        scope = narrow(domain, draw, base, [base, base])
        one = pick_measure(domain, draw, scope)
        return Draft(ask_scalar(draw, style, scope, [one]), _select(scope, one))

    def two_measures(self, domain: Domain, draw: Draw, style: str) -> Draft | None:
        """Two aggregates of the same rows."""
        base = draw.structure.pick(self.bases)
        scope = narrow(domain, draw, base, [base])
        measures = draw.structure.sample(fitting(domain.schema.measures[base], scope), 2)
        if len(measures) < 2:
            return None
        return Draft(ask_scalar(draw, style, scope, measures), _select(scope, *measures))

    def grouped(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """One aggregate of every group."""
        base = draw.structure.pick(self.bases)
        key = draw.structure.pick(domain.schema.own_keys[base])
        scope = narrow(domain, draw, base, maybe(draw, 0.7, base), domain.schema.families_of(key))
        one = pick_measure(domain, draw, scope, key)
        return Draft(ask_grouped(draw, style, scope, key, [one]), grouped_select(scope, key, [one]))

    def average_per_owner(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """An average or an extreme of counts."""
        owner = draw.structure.pick(self.owners)
        base, one, many = owner.base, owner.one, owner.many
        scope = narrow(domain, draw, base, maybe(draw, 0.6, base), owner.avoid)
        function, word = draw.structure.pick((("AVG", "average"), ("MAX", "highest"), ("MIN", "lowest")))
        where = (*scope.where(), *((f"{owner.column} IS NOT NULL",) if owner.nullable else ()))
        inner = Select(("COUNT(*) AS n",), scope.source(), where, (owner.column,)).text()
        noun = domain.many(base)
        note = f"counting only {many} with at least one"
        if style == "terse":
            head = f"{word} number of {noun} per {one}"
            question = ", ".join([head, *scope.keywords(), f"only {many} with at least one"])
        elif style == "analyst":
            what = f"the {word} count of {base} per {one}{scope.clauses()}, over {many} with at least one such row"
            question = request(draw, style, what)
        else:
            question = request(draw, style, f"the {word} number of {scope.plain(noun)} per {one}, {note}")
        return Draft(question, f"SELECT {function}(n) FROM ({inner}) t")

    def share(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """A percentage of rows."""
        base = draw.structure.pick(self.bases)
        part, *others = pick_filters(domain, draw, [base, base])
        whole = domain.scope(base, tuple(others) if draw.structure.chance(0.7) else ())
        share_sql = f"100.0 * COUNT(*) FILTER (WHERE {part.sql}) / COUNT(*)"
        sql = Select((share_sql,), whole.source(), whole.where())
        noun, of_part = domain.many(base), domain.scope(base, (part,))
        if style == "terse":
            lead = f"among {whole.rows(style)}: percentage" if whole.filters else f"percentage of {noun}"
            return Draft(f"{lead} with {of_part.keywords()[0]}", sql)
        if style == "analyst":
            return Draft(f"Over {whole.rows(style)}, compute the percentage of rows{of_part.clauses()}.", sql)
        return Draft(
            fill(choose(draw, style, SHARE), rows=every(whole, style), part=of_part.plain(noun)), sql
        )

    def beyond_average(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """Rows counted against the average of all."""
        base = draw.structure.pick(tuple(domain.schema.numbers))
        number = draw.structure.pick(domain.schema.numbers[base])
        column, word, name = number.sql, number.noun, number.name
        scope = narrow(domain, draw, base, maybe(draw, 0.6, base), (number.family,))
        side, sign = draw.structure.pick((("above", ">"), ("below", "<")))
        many = domain.many(base)
        test = f"{column} {sign} (SELECT AVG({name}) FROM {base})"
        sql = Select(("COUNT(*)",), scope.source(), (*scope.where(), test))
        if style == "terse":
            head = f"count {many} with {word} {side} the average of all {many}"
            return Draft(", ".join([head, *scope.keywords()]), sql)
        question = fill(
            choose(draw, style, BEYOND),
            rows=scope.plain(many),
            every=every(scope, style),
            a=article(word),
            word=word,
            side=side,
            many=many,
            base=base,
            name=name,
            also=scope.clauses(" and where "),
        )
        return Draft(question, sql)

    def two_sides(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """Two conditional counts of every group."""
        base = draw.structure.pick(self.bases)
        key = draw.structure.pick(domain.schema.own_keys[base])
        halves = [
            domain.scope(base, (one,))
            for one in pick_filters(domain, draw, [base, base], domain.schema.families_of(key))
        ]
        counts = tuple(f"COUNT(*) FILTER (WHERE {half.where()[0]})" for half in halves)
        sql = Select((key.sql, *counts), f"{base} {domain.alias(base)}", group=(key.sql,))
        noun = domain.many(base)
        if style == "terse":
            words = [f"number of {noun} with {half.keywords()[0]}" for half in halves]
        elif style == "analyst":
            words = [f"the count of rows{half.clauses()}" for half in halves]
        else:
            words = [f"the number of {half.plain(noun)}" for half in halves]
        frame = choose(draw, style, SIDES)
        question = fill(
            frame, one=key.one, label=key.label, column=key.column, base=base, a=words[0], b=words[1]
        )
        return Draft(question, sql)

    def spread(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """The difference between the extremes, or the median, of every group."""
        base = draw.structure.pick(tuple(domain.schema.numbers))
        number = draw.structure.pick(domain.schema.numbers[base])
        column, noun, name = number.sql, number.noun, number.name
        key = draw.structure.pick(domain.schema.own_keys[base])
        scope = narrow(
            domain, draw, base, maybe(draw, 0.5, base), (*domain.schema.families_of(key), number.family)
        )
        kind = draw.structure.pick(("range", "median"))
        one = {
            "range": _value_of(
                domain.schema.measures[base][0],
                f"MAX({column}) - MIN({column})",
                f"difference between the highest and the lowest {noun}",
                f"max minus min {noun}",
                f"MAX({name}) - MIN({name})",
            ),
            "median": _value_of(
                domain.schema.measures[base][0],
                f"percentile_cont(0.5) WITHIN GROUP (ORDER BY {column})",
                f"median {noun}",
                f"median {noun}",
                f"the median of {name}",
            ),
        }[kind]
        return Draft(ask_grouped(draw, style, scope, key, [one]), grouped_select(scope, key, [one]))


def _value_of(plain: Measure, sql: str, word: str, terse: str, exact: str) -> Measure:
    return replace(
        plain,
        sql=sql,
        alias="value",
        of=(f"the {word} among {{rows}}",),
        word=word,
        terse=(terse,),
        analyst=(f"{exact} over {{rows}}",),
        kind="amount",
    )


def _select(scope: Scope, *measures: Measure) -> Select:
    return Select(tuple(one.sql for one in measures), scope.source(), scope.where())
