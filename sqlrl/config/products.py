"""What targets ask for: every product of a run, so that a failed stage can't hide behind an old report."""

from sqlrl.config.run import Run


def task_products(run: Run) -> list[str]:
    """The run's tasks, and what screening and probing refused of each of its databases."""
    found = [
        f"results/tasks/{name}/{kind}.json" for name in run.databases for kind in ("screening", "exposure")
    ]
    return found + [file for part in ("train", "dev", "holdout") for file in run.tasks(part)]


def run_products(run: Run) -> list[str]:
    """All files that a run makes, from its databases to its report."""
    sampled = [
        file
        for kind in ("rollouts", "scores")
        for file in (
            *run.samples(kind, run.holdout_checkpoints(), "holdout"),
            *run.samples(kind, run.dev_checkpoints(), "dev"),
        )
    ]
    adapters = [file for stage in run.stages for file in run.adapter_files(stage)]
    page = [f"{run.folder}/delta_report.{kind}" for kind in ("html", "md", "json")]
    return [
        *run.all_database_files(),
        *task_products(run),
        run.model(),
        *adapters,
        *sampled,
        *page,
    ]
