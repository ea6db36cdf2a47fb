"""A database of one table, its grammar, and settings that fit it."""

from dataclasses import replace
from pathlib import Path

from sqlrl.authoring.screen import ScreeningSettings
from sqlrl.authoring.task import Task, task_id
from sqlrl.authoring.teacher import Candidate

SCHEMA = """CREATE TABLE items (
    id integer PRIMARY KEY,
    name text NOT NULL,
    kind text NOT NULL,
    price numeric(10, 3) NOT NULL,
    stock integer
);
"""
KINDS = ("tool", "toy", "book")

SETTINGS = ScreeningSettings(
    kept_per_cell=10,
    tasks_per_template=10,
    minimum_tasks=1,
    minimum_templates=1,
    maximum_template_share=1.0,
    maximum_rows=50,
    maximum_question_words=40,
    question_similarity=0.9,
    template_similarity=0.8,
    statement_timeout_seconds=2.0,
)

# 60 items: prices on main 1.25, 2.25, ...; the two cheapest toys of every instance cost the same.
GRAMMAR = """
from sqlrl.authoring.query import Select
from sqlrl.authoring.teacher import Draft

class Grammar:
    def __init__(self, kinds):
        self.kinds = kinds

    def write(self, cell, draw):
        column = draw.structure.pick(("price", "stock", "price + i.stock"))
        kind = draw.detail.pick(self.kinds)
        number, other = draw.detail.below(40), draw.detail.below(100)
        top = f"MAX(i.{column})"
        sql = Select((top,), "items i", (f"i.kind = '{kind}'", f"i.id > {number}", f"i.id <> {other}"))
        asked = f"{kind} over {number}, not {other}, {column}"
        return Draft(f"{cell.archetype} {cell.difficulty} {cell.style}: {asked}", sql)

def open_grammar(ask):
    return Grammar([row[0] for row in ask("SELECT kind FROM items GROUP BY kind ORDER BY kind")])
"""


def write_dumps(folder: Path) -> dict[str, Path]:
    """Content files of main, twin-1 and twin-2 in ``folder/small``."""
    (folder / "small").mkdir(parents=True)
    dumps = {}
    for number, instance in enumerate(("main", "twin-1", "twin-2")):
        path = folder / "small" / f"{instance}.sql"
        rows = "".join("\t".join(row) + "\n" for row in _rows(number))
        copy = "COPY items (id, name, kind, price, stock) FROM stdin;\n"
        path.write_text(f"{SCHEMA}\n{copy}{rows}\\.\n", encoding="utf-8")
        dumps[instance] = path
    return dumps


def write_grammar(folder: Path, text: str = GRAMMAR) -> list[Path]:
    """The grammar's files."""
    folder.mkdir(parents=True)
    for name, content in (("__init__.py", ""), ("grammar.py", text)):
        (folder / name).write_text(content, encoding="utf-8")
    return sorted(folder.glob("*.py"))


def candidate(sql: str, question: str = "How much is the dearest toy?", style: str = "casual") -> Candidate:
    """A candidate of one cell."""
    return Candidate("aggregation", "easy", style, question, sql)


def task(question: str, **changes: object) -> Task:
    """A kept task that asks this."""
    plain = Task(
        id=task_id(question),
        database="small",
        question=question,
        reference_sql="SELECT 2",
        archetype="aggregation",
        difficulty="easy",
        style="casual",
        template="0" * 16,
        features=(),
        tables=("items",),
        rows=1,
        columns=1,
        database_digest="0" * 64,
    )
    return replace(plain, **changes)  # type: ignore[arg-type]


def _rows(instance: int) -> list[list[str]]:
    rows = []
    for number in range(1, 61):
        kind = KINDS[number % 3]
        price = f"{number + instance * 7}.250"
        if kind == "toy" and number < 6:
            price = "0.500"
        stock = "\\N" if number % 10 == 0 else str(number * 2 + instance)
        rows.append([str(number), f"{kind} {number}", kind, price, stock])
    return rows
