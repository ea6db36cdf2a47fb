"""The three schemas, restored with their twins once a session, and the grammars that their catalogs give."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from sqlrl.authoring.catalog.grammar import CatalogGrammar, open_catalog_grammar
from sqlrl.authoring.instances import Instances, open_instances
from sqlrl.authoring.teacher import Ask
from tests.authoring.catalogued import write_schema_dumps

SCHEMAS = ("rentals", "trade", "campus")


@pytest.fixture(scope="session")
def opened(tmp_path_factory) -> Iterator[Callable[[str], Instances]]:
    """Opens main and two twins of a schema, each schema once."""
    found: dict[str, Instances] = {}
    contexts = []

    def instances_of(schema: str) -> Instances:
        if schema not in found:
            dumps = write_schema_dumps(tmp_path_factory.mktemp("schemas"), schema)
            contexts.append(open_instances(dumps, timeout_seconds=5.0))
            found[schema] = contexts[-1].__enter__()
        return found[schema]

    yield instances_of
    for context in reversed(contexts):
        context.__exit__(None, None, None)


@pytest.fixture(scope="session")
def ask_of(opened) -> Callable[[str], Ask]:
    """Runs queries on main of a schema."""

    def ask(schema: str) -> Ask:
        connection: Any = opened(schema).connections["main"]
        return lambda query: connection.execute(query.encode()).fetchall()

    return ask


@pytest.fixture(scope="session", params=SCHEMAS)
def schema(request) -> str:
    """Each of the schemas in turn."""
    name: str = request.param
    return name


@pytest.fixture(scope="session")
def instances(schema, opened) -> Instances:
    return opened(schema)


@pytest.fixture(scope="session")
def grammar(schema, ask_of) -> CatalogGrammar:
    return open_catalog_grammar(ask_of(schema), schema)
