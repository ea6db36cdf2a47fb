"""A schema's words as grammars of every schema have them, and what their writers draw from."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlrl.authoring.draw import Draw
from sqlrl.authoring.grammar.columns import Column, Number, Ranked
from sqlrl.authoring.grammar.filters import Filter, Maker
from sqlrl.authoring.grammar.keys import Key
from sqlrl.authoring.grammar.measures import Measure
from sqlrl.authoring.grammar.scope import Scope
from sqlrl.authoring.grammar.tables import Tables
from sqlrl.authoring.teacher import Ask, Draft


@dataclass(frozen=True)
class Schema:
    """The words of one schema.

    Attributes:
        filters: by table, the kinds of conditions on its rows.
        families: by kind of filter, the column family that it is of, where that is not the first word
            of the kind's name. Two filters of one family in a question would be odd.
        key_families: by name of a key, the families that a grouping by it makes pointless.
        idle: by table, the families that narrow nothing where its rows are reached from another table.
        measures: by table, what is computed over its rows.
        own_keys: by table, what its rows are grouped by without a join; joined_keys: with one.
        columns: by table, what lists show; the first names the row.
        names: by table, the column that names a row beside its child's.
        ranked: by table, the columns by which its rows are ranked.
        numbers: by table, the columns that are averaged and compared.
    """

    tables: Tables
    filters: Mapping[str, Mapping[str, Maker]]
    families: Mapping[str, str]
    key_families: Mapping[str, tuple[str, ...]]
    measures: Mapping[str, tuple[Measure, ...]]
    own_keys: Mapping[str, tuple[Key, ...]]
    joined_keys: Mapping[str, tuple[Key, ...]]
    columns: Mapping[str, tuple[Column, ...]]
    names: Mapping[str, Column]
    ranked: Mapping[str, tuple[Ranked, ...]]
    numbers: Mapping[str, tuple[Number, ...]]
    idle: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def family(self, kind: str) -> str:
        """The column family of a kind of filter."""
        return self.families.get(kind, kind.split("_")[0])

    def families_of(self, key: Key) -> tuple[str, ...]:
        """The filter families that a grouping by this key makes pointless."""
        return (*self.key_families.get(key.name, ()), key.name)


@dataclass(frozen=True)
class Domain:
    """What writers draw from: a schema's words, the values of main and the function that asks it."""

    schema: Schema
    values: Any
    ask: Ask

    def scope(self, base: str, filters: tuple[Filter, ...] = (), noun: str | None = None) -> Scope:
        """Rows of a base table, narrowed by filters."""
        return Scope(self.schema.tables, base, filters, noun)

    def one(self, table: str) -> str:
        """The noun of one row."""
        return self.schema.tables.nouns[table][0]

    def many(self, table: str) -> str:
        """The noun of rows."""
        return self.schema.tables.nouns[table][1]

    def alias(self, table: str) -> str:
        """The house alias of a table."""
        return self.schema.tables.aliases[table]


Writer = Callable[[Domain, Draw, str], Draft | None]


@dataclass(frozen=True)
class Chapter:
    """The writers of one archetype by difficulty; one that stands there twice is drawn twice as often."""

    easy: tuple[Writer, ...]
    medium: tuple[Writer, ...]
    hard: tuple[Writer, ...]
