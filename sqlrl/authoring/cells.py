"""The cells that tasks are authored for: archetype x difficulty x style."""

from dataclasses import dataclass

ARCHETYPES = (
    "aggregation",
    "top-n",
    "two-table join",
    "multi-table join",
    "group having",
    "null semantics",
    "hierarchy",
    "date and time",
    "anti-join",
    "derived metric",
)
DIFFICULTIES = ("easy", "medium", "hard")
STYLES = ("casual", "formal", "terse", "analyst")

STYLE_MEANS = {
    "casual": "a business user in conversation",
    "formal": "a reporting request, polite and complete",
    "terse": "a power user who types keywords",
    "analyst": "a precise analyst who may name tables and columns",
}

# What each difficulty asks of each archetype: a teacher is told this, a reader of the report too.
DIFFICULTY_MEANS: dict[str, dict[str, str]] = {
    "aggregation": {
        "easy": "one aggregate of one table, at most one condition",
        "medium": "a grouping, two aggregates or two conditions on one table",
        "hard": "an aggregate of aggregates, a share, a conditional aggregate or a subquery, on one table",
    },
    "top-n": {
        "easy": "the first rows of one table by one of its columns",
        "medium": "the first groups by an aggregate, with a join, or with a rule for ties",
        "hard": "the first of every group by a window function, or the first groups within the first groups",
    },
    "two-table join": {
        "easy": "a list or one aggregate over one join, at most two conditions",
        "medium": "a grouping over one join with conditions",
        "hard": "an outer join that keeps empty groups, or a comparison with the average of the row's own group",
    },
    "multi-table join": {
        "easy": "one aggregate or a short list over three tables",
        "medium": "a grouping over three to five tables",
        "hard": "a CTE over three or more tables that is aggregated or compared again",
    },
    "group having": {
        "easy": "groups of one table with a condition on their size",
        "medium": "groups over a join, or with a condition on an average or a sum",
        "hard": "two conditions on groups, or a condition against the average group",
    },
    "null semantics": {
        "easy": "rows where a value is missing or present",
        "medium": "missing values counted beside others, replaced, or combined with a join",
        "hard": "missing values in comparisons, in averages, or against the absence of rows",
    },
    "hierarchy": {
        "easy": "rows beside their parent",
        "medium": "groups of children, or a condition on both levels",
        "hard": "a recursion, two levels at once, or values rolled up to the top level",
    },
    "date and time": {
        "easy": "a count or a list within one period",
        "medium": "a grouping by part of a date, or differences of dates",
        "hard": "a window over periods, first events, or gaps between events",
    },
    "anti-join": {
        "easy": "rows of one table without any row in another",
        "medium": "the same with conditions on either side",
        "hard": "presence and absence at once, set operations, or all of a set",
    },
    "derived metric": {
        "easy": "a formula of the notes over rows or as one sum",
        "medium": "a formula grouped over a join",
        "hard": "ratios and shares of formulas, or formulas of several tables",
    },
}


@dataclass(frozen=True, order=True)
class Cell:
    """One combination that every schema's tasks must cover."""

    archetype: str
    difficulty: str
    style: str

    def __str__(self) -> str:
        return f"{self.archetype}, {self.difficulty}, {self.style}"


def all_cells() -> tuple[Cell, ...]:
    """The 120 cells, in the order of the names above."""
    return tuple(
        Cell(archetype, difficulty, style)
        for archetype in ARCHETYPES
        for difficulty in DIFFICULTIES
        for style in STYLES
    )
