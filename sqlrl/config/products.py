"""What targets ask for: every product of a run, so that a failed stage can't hide behind an old report."""

from sqlrl.config.run import Run


def task_products(run: Run) -> list[str]:
    """The run's tasks, who wrote them, what became of them, and the page about them, of each of its databases."""
    kinds = ("authoring.json", "screening.json", "exposure.json", "review.json")
    pages = ("tasks_report.html", "tasks_report.json")
    found = [f"results/tasks/{name}/{file}" for name in run.evaluated for file in (*kinds, *pages)]
    return [*found, *run.tasks("train"), *run.tasks("dev"), *run.evaluated_tasks()]


def task_records(database: str) -> list[str]:
    """All that is known of a database's tasks."""
    summaries = ("authoring", "screening", "exposure", "review")
    records = ("rejected", "exposed", "tasks", "review", "train", "dev", "holdout")
    names = [f"{name}.json" for name in summaries] + [f"{name}.jsonl" for name in records]
    return [f"results/tasks/{database}/{name}" for name in names]


def run_products(run: Run) -> list[str]:
    """All files that a run makes, from its databases to its report."""
    sampled = [
        file
        for kind in ("rollouts", "scores")
        for file in (
            *run.evaluated_samples(kind),
            *run.samples(kind, run.dev_checkpoints(), "dev"),
        )
    ]
    adapters = [file for stage in run.stages for file in run.adapter_files(stage)]
    page = [f"{run.folder}/base_benchmark.{kind}" for kind in ("html", "json")]
    page += [f"{run.folder}/delta_report.{kind}" for kind in ("html", "md", "json")]
    page.append(f"{run.folder}/README.md")
    return [
        *run.evaluated_databases(),
        *task_products(run),
        run.model(),
        *adapters,
        *sampled,
        *page,
        *run.prompt_files(),
    ]


def row_products(run: Run) -> list[str]:
    """What export_rows asks for: a file of rows for each checkpoint that is scored on the holdout."""
    return [f"{run.folder}/rows/{checkpoint}.jsonl" for checkpoint in run.holdout_checkpoints()]
