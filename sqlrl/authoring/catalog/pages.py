"""Which writers fill which cell: a page is a writer with the view that it writes about."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlrl.authoring.grammar.schema import Domain, Writer


@dataclass(frozen=True)
class Page:
    """One writer of one cell's archetype and difficulty."""

    archetype: str
    difficulty: str
    domain: Domain
    writer: Writer


def pages(
    archetype: str,
    domain: Domain,
    easy: Sequence[Writer] = (),
    medium: Sequence[Writer] = (),
    hard: Sequence[Writer] = (),
) -> Iterator[Page]:
    """Pages of one archetype over one view."""
    for difficulty, writers in (("easy", easy), ("medium", medium), ("hard", hard)):
        for writer in writers:
            yield Page(archetype, difficulty, domain, writer)
