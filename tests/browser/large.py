"""Evidence as large as the page must carry, with texts that differ about as much as real replies do."""

import random

import numpy as np

from sqlrl.authoring.task import Task, task_id
from sqlrl.report.evidence import Evidence
from sqlrl.report.passes import KINDS, ReplyText, ScoringPass
from sqlrl.verifier.reward import Outcome, Verdict

TABLES = ("orders", "customers", "products", "payments", "reviews", "employees", "shipments", "categories")
COLUMNS = (
    "name", "price", "status", "country", "order_date", "quantity", "rating", "shipped_at", "sales_rep_id", "cost",
    "category_id", "paid_at", "amount", "email", "title", "hired_at",
)  # fmt: skip
WORDS = (
    "which", "how many", "of the", "with more than", "in the year", "before", "after", "total", "average", "each",
    "customer", "order", "product", "paid", "shipped", "rated", "never", "always", "highest", "lowest", "between",
)  # fmt: skip
NAMES = ("Ada", "Bruno", "Chen", "Dana", "Emil", "Fay", "Goro", "Hana", "Ivo", "Jun", "Kim", "Lena")
CHECKPOINTS = ("base", "sft", "grpo@20", "grpo@40", "grpo@60", "grpo")
ARCHETYPES = ("aggregation", "top-n", "two-table join", "group having", "null semantics", "anti-join")


def large_evidence(tasks: int = 2000, k: int = 4, seed: int = 1) -> tuple[Evidence, dict[str, tuple]]:
    """Evidence of six checkpoints, one scoring pass each, and the reference's rows by task id."""
    rng = random.Random(seed)
    made = {task.id: task for task in (_task(rng, number) for number in range(tasks))}
    rows = {name: _rows(rng, task.columns) for name, task in made.items()}
    wrong: dict[str, list[Verdict]] = {name: [] for name in made}
    passes = {
        name: {1: _pass(rng, made, rows, wrong, k, 0.1 + 0.1 * place)}
        for place, name in enumerate(CHECKPOINTS)
    }
    parents = {"sft": "base", "grpo": "sft"}
    return Evidence(made, {}, list(CHECKPOINTS), parents, passes, {}), rows


def _task(rng: random.Random, number: int) -> Task:
    question = f"{' '.join(rng.choices(WORDS, k=16))} {number}?"
    tables = rng.sample(TABLES, 2)
    return Task(
        id=task_id(question), database="shop", question=question, reference_sql=_query(rng, tables),
        archetype=rng.choice(ARCHETYPES), difficulty=rng.choice(("easy", "medium", "hard")), style="casual",
        template=f"{number % 700}", features=(), tables=tuple(sorted(tables)), rows=10, columns=3,
        database_digest="d", part="holdout", template_in_training=number % 3 > 0,
    )  # fmt: skip


def _query(rng: random.Random, tables: list[str]) -> str:
    one, other = tables
    first, second, third, fourth = rng.sample(COLUMNS, 4)
    return (
        f"SELECT a.{first}, COUNT(*) AS n, SUM(b.{second}) AS total\nFROM {one} a\nJOIN {other} b ON b.{one[:-1]}_id = "
        f"a.id\nWHERE a.{third} > {rng.randrange(1000)} AND b.{fourth} IS NOT NULL\nGROUP BY a.{first}\n"
        f"HAVING COUNT(*) >= {rng.randrange(1, 9)}\nORDER BY total DESC\nLIMIT {rng.randrange(3, 20)}"
    )


def _rows(rng: random.Random, columns: int) -> tuple[tuple[str, ...], ...]:
    return tuple(
        (
            rng.choice(NAMES) + f" {rng.randrange(300)}",
            *(str(rng.randrange(5000)) for _ in range(columns - 1)),
        )
        for _ in range(10)
    )


def _pass(rng: random.Random, tasks: dict, rows: dict, wrong: dict, k: int, rate: float) -> ScoringPass:
    names = tuple(sorted(tasks))
    verdicts = {
        name: [_verdict(rng, tasks[name], rows[name], wrong[name], rate) for _ in range(k)] for name in names
    }
    replies = {
        name: [
            ReplyText(name, sample, _reply(rng, one.sql), "stop") for sample, one in enumerate(verdicts[name])
        ]
        for name in names
    }
    right = np.array([[one.reward == 1.0 for one in verdicts[name]] for name in names])
    kinds = np.where(right, 0, 1).astype(np.int8)
    assert KINDS[0] == "right"
    return ScoringPass(names, kinds, right, right, np.zeros_like(right), replies, verdicts)


def _verdict(rng: random.Random, task: Task, rows: tuple, wrong: list[Verdict], rate: float) -> Verdict:
    """Right, or wrong as an earlier reply was as often as not, or wrong in a new way."""
    if rng.random() < rate:
        return Verdict(task.reference_sql, {"main": Outcome("match", "match", None, rows)}, 1.0)
    if not wrong or rng.random() < 0.5:
        wrong.append(_new_wrong(rng, task, rows))
    return rng.choice(wrong)


def _new_wrong(rng: random.Random, task: Task, rows: tuple) -> Verdict:
    words = task.reference_sql.split(" ")
    for _ in range(rng.randrange(1, 4)):
        words[rng.randrange(len(words))] = rng.choice((*COLUMNS, *TABLES, str(rng.randrange(1000))))
    sql, draw = " ".join(words), rng.random()
    if draw < 0.6:
        given = tuple(tuple(rng.choice((cell, str(rng.randrange(5000)))) for cell in row) for row in rows)
        return Verdict(sql, {"main": Outcome("wrong", "rows_differ", None, given)}, 0.1)
    if draw < 0.95:
        message = f"column a.{rng.choice(COLUMNS)} does not exist\nLINE {rng.randrange(1, 9)}"
        return Verdict(sql, {"main": Outcome("error", "sql_error", message)}, 0.0)
    return Verdict(None, {"main": Outcome("error", "no_sql")}, 0.0)


def _reply(rng: random.Random, sql: str | None) -> str:
    if sql is None:
        return " ".join(rng.choices(WORDS, k=60))
    return f"```sql\n{sql}\n```"
