"""What a teacher gives: candidates for tasks, one cell at a time."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from sqlrl.authoring.cells import Cell
from sqlrl.authoring.draw import Draw
from sqlrl.authoring.query import Select

# Runs a query on the main database and gives its rows.
Ask = Callable[[str], list[tuple[Any, ...]]]


@dataclass(frozen=True)
class Draft:
    """What a grammar writes: a question and its reference SQL, as clauses or, where those don't do, as text."""

    question: str
    query: Select | str

    def sql(self) -> str:
        """The reference SQL as one line."""
        return self.query if isinstance(self.query, str) else self.query.text()


class Grammar(Protocol):
    """A schema's grammar, made by ``open_grammar(ask)`` of the module grammar.py in its folder."""

    def write(self, cell: Cell, draw: Draw) -> Draft | None:
        """One draft for the cell, or None (or an EmptyDrawError) where the draw does not fit the data."""
        ...


@dataclass(frozen=True)
class Candidate:
    """A question and its reference SQL before screening, with the cell that it was written for."""

    archetype: str
    difficulty: str
    style: str
    question: str
    reference_sql: str

    @property
    def cell(self) -> Cell:
        """Where it belongs."""
        return Cell(self.archetype, self.difficulty, self.style)


class Teacher(Protocol):
    """Writes questions and their SQL together."""

    def author(self, cells: Sequence[Cell], candidates_per_cell: int) -> Iterator[Candidate]:
        """Candidates of the cells, different questions, up to the number asked for of each."""
        ...
