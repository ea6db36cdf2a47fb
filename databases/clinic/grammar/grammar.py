"""The clinic's grammar: which chapter fills which archetype."""

from sqlrl.authoring.grammar.book import Book
from sqlrl.authoring.grammar.schema import Chapter, Domain
from sqlrl.authoring.teacher import Ask

from . import metrics, nulls
from .absence import ANTI_JOIN
from .dates import DATES_CHAPTER
from .groups import AGGREGATION, HAVING, TOP_N
from .hierarchy import HIERARCHY
from .joins import MANY_TABLES, TWO_TABLES
from .schema import SCHEMA
from .values import read_values

CHAPTERS: dict[str, Chapter] = {
    "aggregation": AGGREGATION.chapter(),
    "top-n": TOP_N.chapter(),
    "two-table join": TWO_TABLES.chapter(),
    "multi-table join": MANY_TABLES.chapter(),
    "group having": HAVING.chapter(),
    "null semantics": nulls.CHAPTER,
    "hierarchy": HIERARCHY.chapter(),
    "date and time": DATES_CHAPTER.chapter(),
    "anti-join": ANTI_JOIN.chapter(),
    "derived metric": metrics.CHAPTER,
}


def open_grammar(ask: Ask) -> Book:
    """The grammar over the data that ``ask`` reads."""
    return Book(Domain(SCHEMA, read_values(ask), ask), CHAPTERS)
