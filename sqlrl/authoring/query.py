"""Reference SQL in one house style: one line, the clauses in order, no semicolon."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Select:
    """A SELECT by its clauses; each entry is SQL text.

    Attributes:
        columns: what is selected, aliases included.
        source: the FROM clause without its keyword, joins included.
        where: conditions, all of which must hold.
        having: conditions on groups, all of which must hold.
        common: (name, SQL) of common table expressions, in order.
    """

    columns: tuple[str, ...]
    source: str
    where: tuple[str, ...] = ()
    group: tuple[str, ...] = ()
    having: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    limit: int | None = None
    distinct: bool = False
    common: tuple[tuple[str, str], ...] = ()

    def text(self) -> str:
        """The statement as one line."""
        commons = ", ".join(f"{name} AS ({sql})" for name, sql in self.common)
        parts = [
            f"WITH {commons}" if commons else "",
            f"SELECT {'DISTINCT ' if self.distinct else ''}{', '.join(self.columns)}",
            f"FROM {self.source}",
            _clause("WHERE", self.where, " AND "),
            _clause("GROUP BY", self.group, ", "),
            _clause("HAVING", self.having, " AND "),
            _clause("ORDER BY", self.order, ", "),
            f"LIMIT {self.limit}" if self.limit is not None else "",
        ]
        return " ".join(part for part in parts if part)


def _clause(keyword: str, entries: tuple[str, ...], between: str) -> str:
    return f"{keyword} {between.join(entries)}" if entries else ""
