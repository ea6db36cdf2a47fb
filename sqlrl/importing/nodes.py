"""Reading the nodes of PostgreSQL's parse tree."""

from typing import Any

from sqlrl.authoring.statement import Statement


def nodes_of(statement: Statement, kind: str) -> list[Any]:
    """All nodes of a kind, such as ``SelectStmt``."""
    return [node for node in statement.nodes if node.DESCRIPTOR.name == kind]


def enum_name(node: Any, field: str) -> str:
    """The name of an enumerated value, such as ``AEXPR_LIKE``."""
    values = node.DESCRIPTOR.fields_by_name[field].enum_type.values_by_number
    return str(values[getattr(node, field)].name)
