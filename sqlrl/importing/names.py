"""The names that a database and its server know."""

from dataclasses import dataclass

from sqlrl.authoring.instances import Instances
from sqlrl.database.files import MAIN

COLUMNS = "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'"
FUNCTIONS = "SELECT DISTINCT proname::text FROM pg_proc"


@dataclass(frozen=True)
class Names:
    """Names of tables, of columns whatever their table, and of functions."""

    tables: frozenset[str]
    columns: frozenset[str]
    functions: frozenset[str]


def read_names(instances: Instances) -> Names:
    """The names of main."""
    columns = instances.ask(MAIN, COLUMNS)
    functions = instances.ask(MAIN, FUNCTIONS)
    return Names(
        frozenset(str(row[0]) for row in columns),
        frozenset(str(row[1]) for row in columns),
        frozenset(str(row[0]) for row in functions),
    )
