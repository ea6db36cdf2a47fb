"""Pieces of queries that several archetypes share."""

from collections.abc import Sequence

from sqlrl.authoring.query import Select

from .columns import Column
from .scope import Scope


def select_rows(scope: Scope, columns: Sequence[Column]) -> Select:
    """The columns of every row of the scope."""
    tables = [one.table for one in columns if one.table != scope.base]
    return Select(tuple(one.sql for one in columns), scope.source(*tables), scope.where())
