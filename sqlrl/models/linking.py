"""Which tables of a large schema a question is about: by its words, and closed over foreign keys."""

import math
import re
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence

from sqlrl.database.catalog import Catalog, Table
from sqlrl.models.values import Values

# Okapi BM25 (Robertson and Zaragoza 2009); a name of a table counts as so many other words.
K1, B = 1.2, 0.75
TABLE_WEIGHT, COLUMN_WEIGHT = 4, 2

WORD = re.compile(r"[^\W_]+")
CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
VOID = frozenset(
    {
        *(
            "a",
            "an",
            "and",
            "are",
            "as",
            "at",
            "by",
            "did",
            "do",
            "does",
            "each",
            "for",
            "from",
            "have",
            "how",
            "in",
        ),
        *(
            "is",
            "it",
            "its",
            "many",
            "of",
            "on",
            "or",
            "that",
            "the",
            "to",
            "was",
            "were",
            "what",
            "when",
            "which",
        ),
        *("who", "whose", "with"),
    }
)


class Linker:
    """Ranks the tables of one schema for questions."""

    def __init__(self, catalog: Catalog, values: Values) -> None:
        """
        Args:
            catalog: with names, comments and references.
            values: of its columns, of which a question may name some.
        """
        self._order = [table.name for table in catalog.tables]
        self._counts = {
            table.name: Counter(_words_of(table, values.get(table.name, {}))) for table in catalog.tables
        }
        self._neighbours = _neighbours(catalog)
        sizes = {name: sum(counts.values()) for name, counts in self._counts.items()}
        mean = sum(sizes.values()) / max(len(sizes), 1)
        self._length = {name: K1 * (1 - B + B * size / mean) for name, size in sizes.items()}
        holding = Counter(word for counts in self._counts.values() for word in counts)
        self._rarity = {
            word: math.log(1 + (len(sizes) - number + 0.5) / (number + 0.5))
            for word, number in holding.items()
        }

    def rank(self, question: str) -> list[str]:
        """The tables that share a word with the question, the likeliest first."""
        words = set(words_of(question))
        scores = {name: self._score(name, words) for name in self._order}
        places = {name: place for place, name in enumerate(self._order)}
        return sorted(
            (name for name in self._order if scores[name] > 0), key=lambda name: (-scores[name], places[name])
        )

    def choose(self, question: str, costs: Mapping[str, int], room: int) -> frozenset[str]:
        """The tables that a prompt shows.

        The likeliest come first, each with the tables on the shortest path of foreign keys to those that
        are chosen; what room is left goes to neighbours of the chosen. One table is chosen in any case.

        Args:
            question: in words.
            costs: tokens of each table's text.
            room: tokens for all of them.
        """
        ranked = self.rank(question) or self._order[:1]
        chosen: set[str] = set()
        for name in ranked:
            self._add(chosen, {name, *self._path(name, chosen)}, costs, room)
        for name in [one for table in ranked if table in chosen for one in self._neighbours[table]]:
            self._add(chosen, {name}, costs, room)
        return frozenset(chosen)

    def _add(self, chosen: set[str], more: set[str], costs: Mapping[str, int], room: int) -> None:
        if not chosen or sum(costs[name] for name in chosen | more) <= room:
            chosen |= more

    def _score(self, table: str, words: set[str]) -> float:
        counts = self._counts[table]
        # Summed exactly: the words are a set, whose order differs between processes.
        return math.fsum(
            self._rarity[word] * counts[word] * (K1 + 1) / (counts[word] + self._length[table])
            for word in words
            if word in counts
        )

    def _path(self, start: str, goals: set[str]) -> list[str]:
        """Tables between one and the nearest of some others, or none where no foreign keys lead there."""
        before: dict[str, str] = {start: start}
        waiting = deque([start])
        while waiting and goals:
            name = waiting.popleft()
            if name in goals:
                return list(_back(before, name))
            for other in self._neighbours[name]:
                if other not in before:
                    before[other] = name
                    waiting.append(other)
        return []


def words_of(text: str) -> list[str]:
    """The words of a question, a name or a comment, in lower case and in the singular."""
    parts = (part for word in WORD.findall(text) for part in CAMEL.split(word))
    return [_singular(part.casefold()) for part in parts if part.casefold() not in VOID]


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if len(word) > 4 and word.endswith(("ses", "xes", "ches", "shes")):
        return word[:-2]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _words_of(table: Table, values: Mapping[str, Sequence[str]]) -> Iterator[str]:
    yield from words_of(table.name) * TABLE_WEIGHT
    yield from words_of(table.comment or "")
    for column in table.columns:
        # A reference has the name of another table: of that one it speaks.
        yield from words_of(column.name) * (1 if column.references or column.key else COLUMN_WEIGHT)
        yield from words_of(column.comment or "")
        for value in values.get(column.name, ()):
            yield from words_of(value)


def _neighbours(catalog: Catalog) -> dict[str, list[str]]:
    """Tables that a foreign key leads to or from, in the order of the schema."""
    found: dict[str, dict[str, None]] = {table.name: {} for table in catalog.tables}
    for table in catalog.tables:
        for column in table.columns:
            other = (column.references or "").rpartition(".")[0]
            if other in found and other != table.name:
                found[table.name][other] = None
                found[other][table.name] = None
    return {name: list(others) for name, others in found.items()}


def _back(before: Mapping[str, str], name: str) -> Iterator[str]:
    while before[name] != name:
        yield name
        name = before[name]
