"""A schema's whole grammar: which writers fill which cell."""

from collections.abc import Mapping

from sqlrl.authoring.cells import Cell
from sqlrl.authoring.draw import Draw
from sqlrl.authoring.grammar.schema import Chapter, Domain
from sqlrl.authoring.teacher import Draft

# In characters. What is not hard fits a reply of 128 tokens, a fence around it included.
LONGEST = {"easy": 240, "medium": 270}
MAXIMUM = 1000


class Book:
    """Writes questions about one schema, a chapter an archetype."""

    def __init__(self, domain: Domain, chapters: Mapping[str, Chapter]) -> None:
        self._domain = domain
        self._chapters = chapters

    def write(self, cell: Cell, draw: Draw) -> Draft | None:
        """One draft for the cell; None where the drawn structure does not fit the data."""
        chapter = self._chapters[cell.archetype]
        writers = {"easy": chapter.easy, "medium": chapter.medium, "hard": chapter.hard}[cell.difficulty]
        draft = draw.structure.pick(writers)(self._domain, draw, cell.style)
        too_long = draft is not None and len(draft.sql()) > LONGEST.get(cell.difficulty, MAXIMUM)
        return None if too_long else draft
