"""All modules that schemas' grammars share, in one place.

A grammar is loaded from files while a script runs. Who loads grammars imports this module, so that the
digest of the script's code covers what the grammar draws on.
"""

# ruff: noqa: F401

from sqlrl.authoring.grammar import (
    absence,
    absence_sets,
    aggregation,
    book,
    classes,
    columns,
    compose,
    dates,
    dates_after_start,
    dates_windows,
    filters,
    frames,
    frames_groups,
    having,
    hierarchy,
    hierarchy_deep,
    keys,
    makers,
    many_tables,
    measures,
    metrics,
    nulls,
    nulls_hard,
    schema,
    scope,
    tables,
    top_n,
    top_n_hard,
    trees,
    two_tables,
    two_tables_hard,
    values,
)
