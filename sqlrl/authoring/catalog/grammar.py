"""The grammar of any schema, made from its catalog and its data."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sqlrl.authoring.catalog.absences import absences, sets
from sqlrl.authoring.catalog.calendar import dates, events
from sqlrl.authoring.catalog.facts import read_facts
from sqlrl.authoring.catalog.formulas import formulas
from sqlrl.authoring.catalog.gaps import nulls, nulls_beside
from sqlrl.authoring.catalog.hierarchies import hierarchies
from sqlrl.authoring.catalog.joins import many_tables, two_tables, with_children
from sqlrl.authoring.catalog.one_table import aggregation, having, top_n
from sqlrl.authoring.catalog.pages import Page
from sqlrl.authoring.catalog.roles import TableMeaning, give_meaning
from sqlrl.authoring.catalog.structure import Structure, read_structure
from sqlrl.authoring.catalog.views import Schemas
from sqlrl.authoring.cells import Cell
from sqlrl.authoring.draw import Draw
from sqlrl.authoring.grammar.book import LONGEST, MAXIMUM
from sqlrl.authoring.teacher import Ask, Draft
from sqlrl.errors import UserError
from sqlrl.progress import ProgressReport

# A table with fewer rows has too little to ask for; one with fewer than the other is not worth a join.
LEAST_ROWS = 5
LEAST_PARENTS = 2

Cells = Mapping[tuple[str, str], Mapping[str, tuple[Page, ...]]]


@dataclass(frozen=True)
class CatalogGrammar:
    """Writes questions about a schema that nobody wrote a grammar for.

    Attributes:
        cells: by archetype and difficulty the pages of each table, those without any left out.
    """

    cells: Cells

    def write(self, cell: Cell, draw: Draw) -> Draft | None:
        """One draft for the cell; None where the drawn structure does not fit the data."""
        tables = self.cells.get((cell.archetype, cell.difficulty), {})
        page = draw.structure.pick(tables[draw.structure.pick(tuple(tables))])
        draft = page.writer(page.domain, draw, cell.style)
        too_long = draft is not None and len(draft.sql()) > LONGEST.get(cell.difficulty, MAXIMUM)
        return None if too_long else draft


def open_catalog_grammar(ask: Ask, database: str) -> CatalogGrammar:
    """Read a schema and its data, and find out what can be asked.

    Raises:
        UserError: nothing can be asked.
    """
    structure = read_structure(ask)
    if not structure.relations:
        raise UserError(f"{database}: the schema has no tables, so that there is nothing to ask about.")
    tables = _read(ask, structure)
    if not tables:
        raise UserError(
            f"{database}: none of its {len(structure.relations)} tables has {LEAST_ROWS} rows and a column that"
            " questions can be about (numbers, texts, dates, true or false): load rows first."
        )
    schemas = Schemas.of(tables, structure.keywords, ask)
    found: dict[tuple[str, str], dict[str, tuple[Page, ...]]] = {}
    for name in tables:
        for page in _pages(schemas, name) if tables[name].rows >= LEAST_ROWS else ():
            by_table = found.setdefault((page.archetype, page.difficulty), {})
            by_table[name] = (*by_table.get(name, ()), page)
    if not found:
        raise UserError(
            f"{database}: no column of its tables has values that questions could tell rows apart by."
        )
    return CatalogGrammar(found)


def _read(ask: Ask, structure: Structure) -> dict[str, TableMeaning]:
    tables = {}
    with ProgressReport(len(structure.relations), "reading tables") as progress:
        for name, relation in structure.relations.items():
            table = give_meaning(relation, read_facts(ask, relation))
            progress.advance()
            if table.rows >= LEAST_PARENTS and table.meanings:
                tables[name] = table
    return tables


def _pages(schemas: Schemas, name: str) -> Iterator[Page]:
    """All that can be asked about one table."""
    alone, below = schemas.alone(name), schemas.below(name)
    yield from aggregation(schemas, alone)
    yield from dates(alone)
    yield from hierarchies(schemas, alone)
    yield from with_children(schemas, below)
    yield from nulls_beside(schemas, below)
    yield from absences(schemas, below)
    variants = range(schemas.variants(name))
    if not variants:
        yield from top_n(alone, None)
        yield from having(alone, None)
        yield from formulas(alone, None)
        yield from nulls(alone)
    for variant in variants:
        above = schemas.above(name, variant)
        far = schemas.above(name, variant, depth=2)
        yield from top_n(alone, far)
        yield from having(alone, far)
        yield from formulas(alone, above)
        yield from nulls(above)
        yield from two_tables(above)
        yield from many_tables(far)
        yield from events(above)
        yield from sets(above)
