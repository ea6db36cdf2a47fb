"""A table's part of a schema's words: measures, keys, columns of lists, made from its columns."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from sqlrl.authoring.catalog.conditions import conditions, family_of
from sqlrl.authoring.catalog.names import beside, identifier, plural_words
from sqlrl.authoring.catalog.roles import (
    CATEGORY,
    DAY,
    MEASURE,
    ORDINAL,
    SAID_OF_NUMBERS,
    SHOWN,
    SWITCH,
    Meaning,
    TableMeaning,
)
from sqlrl.authoring.grammar.columns import Column, Number, Ranked
from sqlrl.authoring.grammar.filters import Maker
from sqlrl.authoring.grammar.keys import Key
from sqlrl.authoring.grammar.measures import Measure, count_of, different, extreme_day, of_column, some

# Of a table's columns lists show at most so many, and groups are made by those with at most so many values.
SHOWN_COLUMNS = 8
MOST_GROUPS = 40
# From so many groups on the first ten can be asked for.
NUMEROUS = 20


@dataclass(frozen=True)
class Vocabulary:
    """The words of one table under an alias.

    Attributes:
        roles: by column of a foreign key, what it leads to; parents: by the same, the parent's table.
        one, many: what its rows are called here: of employees "sales rep", "sales reps".
    """

    table: TableMeaning
    alias: str
    one: str
    many: str
    roles: Mapping[str, str]
    parents: Mapping[str, str]

    def column(self, one: Meaning) -> str:
        """A column with its alias."""
        return f"{self.alias}.{one.sql}"

    def family(self, one: Meaning) -> str:
        """The family of conditions on a column."""
        return family_of(self.table.sql, one.name)

    def filters(self) -> dict[str, Maker]:
        """The kinds of conditions."""
        return conditions(self.table, self.alias, self.roles)

    def measures(self) -> tuple[Measure, ...]:
        """The number of rows, then aggregates of columns."""
        found = [self._count()]
        for one in self.table.of(MEASURE):
            found.extend(self._of_number(one))
        found.extend(self._different_values(one) for one in self.table.of(CATEGORY))
        found.extend(self._different_parents(name) for name in self.roles)
        day = self.main_day()
        if day:
            pair = (self.of_day(day, "MIN"), self.of_day(day, "MAX"))
            found.extend(pair if day.full else map(some, pair))
        return tuple(found)

    def main_day(self) -> Meaning | None:
        """The first of the fullest dates."""
        days = self.table.of(DAY)
        return max(days, key=lambda one: one.facts.filled) if days else None

    def of_day(self, day: Meaning, function: str) -> Measure:
        """The first or the last date."""
        return extreme_day(
            self.table.sql, function, self.column(day), day.label, self.family(day), self._terse(day.label)
        )

    def own_keys(self) -> tuple[Key, ...]:
        """What rows are grouped by without a join."""
        day = self.main_day()
        years = (self.year(day),) if day and day.full and len(day.facts.years) > 1 else ()
        return (*(self._key(one, entity=False) for one in self._groupable()), *years)

    def keys_from_afar(self) -> tuple[Key, ...]:
        """What rows of a table that leads here are grouped by: a row, or a category of it."""
        entity = self.entity()
        return (
            *((entity,) if entity else ()),
            *(self._key(one, entity=True) for one in self._groupable(texts=True)),
        )

    def entity(self) -> Key | None:
        """A row as a group."""
        name = self.table.identity
        if name is None:
            return None
        return Key(
            name=identifier(self.one, name.name),
            table=self.table.sql,
            sql=self.column(name),
            one=self.one,
            many=self.many,
            label=self.label(name),
            column=self._exact(name),
            entity=True,
            numerous=name.facts.distinct > NUMEROUS,
        )

    def year(self, day: Meaning) -> Key:
        """The year of a date as a group."""
        return Key(
            name=identifier("year of", self.one, day.name),
            table=self.table.sql,
            sql=f"EXTRACT(YEAR FROM {self.column(day)})",
            one=f"year of the {day.label}",
            many=f"years of the {day.label}",
            label="year",
            column=f"year of {day.sql}",
        )

    def label(self, one: Meaning) -> str:
        """What a column is called where other tables' columns stand beside it."""
        return beside(self.one, one.label)

    def columns(self) -> tuple[Column, ...]:
        """What lists show; the first names the row. Empty where nothing does."""
        first = self.first()
        if first is None:
            return ()
        shown = [*self.table.of(DAY), *self.table.of(MEASURE), *self.table.of(CATEGORY)]
        shown += [one for one in (*self.table.of(SHOWN), *self.table.of(ORDINAL)) if one != first]
        chosen = sorted(shown[:SHOWN_COLUMNS], key=self.table.meanings.index)
        return tuple(Column(self.table.sql, self.column(one), one.label) for one in (first, *chosen))

    def first(self) -> Meaning | None:
        """The column that names a row in lists: its identity, else the first of its key."""
        keys = [self.table.meaning(name) for name in self.table.relation.primary]
        return self.table.identity or next((one for one in keys if one), None)

    def name(self) -> Column | None:
        """The column that names a row beside its child's."""
        one = self.table.identity
        return Column(self.table.sql, self.column(one), self.label(one)) if one else None

    def ranked(self) -> tuple[Ranked, ...]:
        """The columns that rows are ranked by: those that every row has."""
        numbers = [one for one in self.table.of(MEASURE) if one.full and "date" not in one.label]
        days = [one for one in self.table.of(DAY) if one.full]
        return (
            *(self._ranked(one, "highest", "lowest") for one in numbers),
            *(self._ranked(one, "latest", "earliest") for one in days),
        )

    def numbers(self) -> tuple[Number, ...]:
        """The columns that are averaged and compared."""
        return tuple(
            Number(self.column(one), one.label, self.family(one))
            for one in self.table.of(MEASURE)
            if one.full
        )

    def key_families(self) -> dict[str, tuple[str, ...]]:
        """By name of a key, the families that a grouping by it makes pointless."""
        keyed: dict[str, tuple[str, ...]] = {
            self._key(one, entity=False).name: (self.family(one),) for one in self._groupable()
        }
        keyed |= {self.year(one).name: (self.family(one),) for one in self.table.of(DAY)}
        entity = self.entity()
        if entity and self.table.identity:
            keyed[entity.name] = (self.family(self.table.identity),)
        return keyed

    def plurals(self) -> dict[str, str]:
        """Of the labels, alone and beside other tables' columns."""
        labels = [label for one in self.table.meanings for label in (one.label, self.label(one))]
        return {label: plural_words(label) for label in labels}

    def _count(self) -> Measure:
        count = count_of(self.table.sql, self.many)
        return replace(count, alias="row_count", terse=(f"number of {self.many}", f"count of {self.many}"))

    def _of_number(self, one: Meaning) -> list[Measure]:
        functions = ("AVG", "SUM", "MIN", "MAX") if one.added else ("AVG", "MIN", "MAX")
        made = [
            of_column(
                self.table.sql,
                function,
                self.column(one),
                identifier(function, one.name),
                one.label,
                self.family(one),
                self._terse(one.label),
            )
            for function in functions
        ]
        if one.name.lower() in SAID_OF_NUMBERS:
            # SUM(total), since the total total would be odd.
            made = [replace(each, analyst=each.analyst[1:]) for each in made]
        return made if one.full else [some(each) for each in made]

    def _different_values(self, one: Meaning) -> Measure:
        made = different(
            self.table.sql,
            self.column(one),
            one.labels,
            "among {rows}",
            self._terse(one.labels),
            self.family(one),
            (self._key(one, entity=False).name,),
        )
        return replace(made, alias=identifier("different", one.name))

    def _different_parents(self, name: str) -> Measure:
        one, role = self.table.meaning(name), self.roles[name]
        assert one is not None
        many = plural_words(role)
        made = different(
            self.table.sql, self.column(one), many, "of {rows}", f"{many} of {self.many}", self.parents[name]
        )
        rivals = (identifier(role, name),)
        return replace(made, alias=identifier("different", name), rivals=rivals, family=self.family(one))

    def _terse(self, label: str) -> str:
        return beside(self.one, label)

    def _exact(self, one: Meaning) -> str:
        """A column as analysts name it; which row is meant, where the table's name does not say it."""
        said = "" if self.one == self.table.one else f" ({self.one})"
        return f"{self.table.sql}.{one.sql}{said}"

    def _groupable(self, texts: bool = False) -> list[Meaning]:
        roles = (CATEGORY,) if texts else (CATEGORY, ORDINAL, SWITCH)
        return [
            one
            for one in self.table.meanings
            if one.role in roles and one.full and 2 <= one.facts.distinct <= MOST_GROUPS
        ]

    def _key(self, one: Meaning, entity: bool) -> Key:
        label = self.label(one)
        return Key(
            name=identifier(self.one, one.name),
            table=self.table.sql,
            sql=self.column(one),
            one=label if entity else one.label,
            many=plural_words(label) if entity else one.labels,
            label=label if entity else one.label,
            column=self._exact(one),
            entity=entity,
            numerous=one.facts.distinct > NUMEROUS,
            flag=one.role == SWITCH,
        )

    def _ranked(self, one: Meaning, high: str, low: str) -> Ranked:
        column = Column(self.table.sql, self.column(one), one.label)
        return Ranked(column, f"with the {high} {one.label}", f"with the {low} {one.label}", self.family(one))
