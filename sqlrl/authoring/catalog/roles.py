"""What each column is good for in questions: learned from its type, its name and its data."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from sqlrl.authoring.catalog.facts import Facts
from sqlrl.authoring.catalog.names import (
    column_words,
    date_label,
    flag_label,
    plural_words,
    split_words,
    table_noun,
    word_set,
)
from sqlrl.authoring.catalog.structure import DATE, ENUM, FLAG, MOMENT, NUMBER, TEXT, WHOLE, Relation

KEY, CATEGORY, MEASURE, ORDINAL, SWITCH, DAY, SHOWN = (
    "key",
    "category",
    "measure",
    "ordinal",
    "switch",
    "day",
    "shown",
)
# Last words of numbers that are no quantities: nobody adds them up or averages them.
NO_QUANTITIES = word_set(
    "id no number code zip postal postcode phone fax year month day week lat latitude lon lng longitude version"
    " port sort position rank order seq sequence line uuid key hash level"
)
# Last words of numbers that are averaged but not added up.
NOT_ADDED = word_set(
    "price rate rating score percentage percent ratio age temperature height width length size weight average grade"
    " latitude discount tax stars margin speed limit threshold"
)
# What is said of numbers: the total total would be odd.
SAID_OF_NUMBERS = word_set("total average sum count number minimum maximum min max")
NAMING = ("name", "title", "label", "full name", "display name")
# Of a category, each value has so many rows on average; a text longer than this is never shown.
ROWS_PER_VALUE = 3
LONGEST_SHOWN = 60
MOST_ORDINALS = 12


@dataclass(frozen=True)
class Meaning:
    """A column with its words.

    Attributes:
        sql: its name; role: what it is good for.
        label: what it is called beside its table's noun; added: whether sums of it make sense.
    """

    name: str
    sql: str
    kind: str
    role: str
    label: str
    facts: Facts
    required: bool
    added: bool = False
    whole: bool = False

    @property
    def labels(self) -> str:
        """The plural of its label."""
        return plural_words(self.label)

    @property
    def full(self) -> bool:
        """Whether every row has a value."""
        return self.facts.full

    @property
    def nullable(self) -> bool:
        """Whether enough rows have a value and enough have none to ask for both."""
        return not self.required and min(self.facts.filled, self.facts.rows - self.facts.filled) >= 2

    @property
    def positive(self) -> bool:
        """Whether all numbers are above 0."""
        return bool(self.facts.spread) and self.facts.spread[0] > 0


@dataclass(frozen=True)
class TableMeaning:
    """A table with its words.

    Attributes:
        one, many: what one row and several are called.
        meanings: its columns that questions can be about, in their order.
        identity: the column that names a row to a reader and no other row; None where no column does.
    """

    relation: Relation
    one: str
    many: str
    rows: int
    meanings: tuple[Meaning, ...]
    identity: Meaning | None

    @property
    def sql(self) -> str:
        """Its name as SQL writes it."""
        return self.relation.sql

    def of(self, role: str) -> tuple[Meaning, ...]:
        """The columns of a role."""
        return tuple(one for one in self.meanings if one.role == role)

    def meaning(self, name: str) -> Meaning | None:
        """The column of a name, if questions can be about it."""
        return next((one for one in self.meanings if one.name == name), None)


def give_meaning(relation: Relation, facts: Mapping[str, Facts]) -> TableMeaning:
    """A table's columns with their roles and words."""
    one, many = table_noun(relation.name, relation.comment)
    meanings = tuple(_meaning(relation, name, found, one) for name, found in facts.items())
    kept = _apart([each for each in meanings if each is not None])
    rows = max((found.rows for found in facts.values()), default=0)
    return TableMeaning(relation, one, many, rows, kept, _identity(relation, kept))


def _meaning(relation: Relation, name: str, facts: Facts, one: str) -> Meaning | None:
    field = relation.field(name)
    keys = {*relation.primary, *(column for key in relation.foreign_keys for column in key.columns)}
    words = column_words(name, field.comment)
    role = KEY if name in keys else _role(field.kind, field.type in WHOLE, words, facts)
    if role is None:
        return None
    label = words
    if words == "id" or words in SAID_OF_NUMBERS:
        label = f"{one} {words}"
    elif role == DAY:
        label = date_label(words)
    elif role == SWITCH:
        label = flag_label(words)
    return Meaning(
        name=name,
        sql=field.sql,
        kind=field.kind,
        role=role,
        label=label,
        facts=facts,
        required=field.required,
        added=role == MEASURE and words.split()[-1] not in NOT_ADDED,
        whole=field.type in WHOLE,
    )


def _role(kind: str, whole: bool, words: str, facts: Facts) -> str | None:
    if not facts.filled:
        return None
    if kind == FLAG:
        return SWITCH if facts.distinct == 2 else None
    if kind in (DATE, MOMENT):
        return DAY
    if kind == NUMBER:
        return _role_of_number(whole, words, facts)
    if _is_category(facts):
        return CATEGORY
    return SHOWN if kind in (TEXT, ENUM) and facts.longest <= LONGEST_SHOWN else None


def _role_of_number(whole: bool, words: str, facts: Facts) -> str | None:
    if words.split()[-1] in NO_QUANTITIES or (whole and "year" in words.split()):
        is_small = whole and 2 <= facts.distinct <= MOST_ORDINALS and _is_category(facts)
        return ORDINAL if is_small else SHOWN
    if facts.distinct < 3:
        return ORDINAL if whole and _is_category(facts) else None
    return MEASURE


def _is_category(facts: Facts) -> bool:
    return len(facts.values) >= 2 and facts.filled >= ROWS_PER_VALUE * facts.distinct


def _apart(meanings: list[Meaning]) -> tuple[Meaning, ...]:
    """The columns whose words no other column of the table shares."""
    shared = Counter(one.label for one in meanings)
    return tuple(
        one if shared[one.label] == 1 or one.role == KEY else _by_name(one)
        for one in meanings
        if shared[one.label] == 1 or one.role == KEY or len(split_words(one.name)) > 0
    )


def _by_name(one: Meaning) -> Meaning:
    return replace(one, label=f"{one.label} ({one.name})")


def _identity(relation: Relation, meanings: tuple[Meaning, ...]) -> Meaning | None:
    """A name that no two rows share, else the key of one column."""
    declared = {names[0] for names in relation.unique if len(names) == 1}
    texts = [one for one in meanings if one.kind == TEXT and one.role == SHOWN and one.facts.unique]
    for naming in NAMING:
        for one in texts:
            if one.label == naming or one.label.endswith(f" {naming}"):
                return one
    keys = [one for one in meanings if one.name in declared and one.name in relation.primary]
    codes = [one for one in texts if one.name in declared]
    return next(iter(keys), None) or next(iter(codes), None)
