"""Say what a build would run and why, what changed, and what it took the last time; nothing is built."""

import argparse
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from scripts.arguments import make_parser, run_script
from sqlrl.config.dry_run import read_jobs
from sqlrl.config.plan import PlanLine, plan_lines
from sqlrl.config.remembered import changed_modules, read_remembered
from sqlrl.errors import UserError
from sqlrl.report.words import count, duration


def make_arguments() -> argparse.ArgumentParser:
    """The arguments of this script."""
    parser = make_parser(__doc__)
    parser.epilog = None
    parser.add_argument("--run", metavar="NAME", help="a run of the configuration; the one that it names")
    parser.add_argument("--target", default="delta_report", help="what would be built; %(default)s")
    parser.add_argument("--configfile", metavar="FILE", help="a configuration instead of config.yaml")
    return parser


def main(arguments: argparse.Namespace) -> None:
    """Ask Snakemake, say it in words."""
    words = [arguments.target]
    if arguments.configfile:
        words += ["--configfile", arguments.configfile, "--replace-workflow-config"]
    if arguments.run:
        words += ["--config", f"run={arguments.run}"]
    jobs = read_jobs(ask_snakemake(words))
    console = Console(highlight=False, soft_wrap=True)
    if not jobs:
        console.print(f"Nothing to do: {arguments.target} is up to date.")
        return
    lines = plan_lines(jobs, known_changes, Path())
    console.print(table_of(lines))
    console.print(total_of(lines))


def ask_snakemake(words: Sequence[str]) -> str:
    """The print of a dry run. Raises UserError with Snakemake's fault."""
    command = [sys.executable, "-m", "snakemake", "--nocolor", "-n", *words]
    done = subprocess.run(command, capture_output=True, text=True)
    printed = done.stdout + done.stderr
    if done.returncode:
        fault = re.search(r"^\w*(?:Error|Exception).*", printed, re.MULTILINE | re.DOTALL)
        raise UserError(f"snakemake -n fails:\n{(fault[0] if fault else printed[-1000:]).strip()}")
    return printed


def known_changes(digest: str) -> list[str] | None:
    """The modules that changed since a build had this digest of code; None where no build left word of it."""
    before = read_remembered().code.get(digest)
    return list(changed_modules(Path(), before)) if before else None


def table_of(lines: Sequence[PlanLine]) -> Table:
    """A line a rule and reason, under its stage."""
    table = Table(box=box.SIMPLE_HEAD)
    for name, side in (("", "left"), ("jobs", "right"), ("last time", "right"), ("why", "left")):
        table.add_column(name, justify=side, overflow="fold")  # type: ignore[arg-type]
    group = None
    for line in lines:
        if line.group != group:
            group = line.group
            table.add_row(f"[bold]{group}[/bold]")
        table.add_row(
            f"  {line.rule}",
            str(line.jobs),
            "?" if line.seconds is None else duration(line.seconds),
            escape(line.why),
        )
    return table


def total_of(lines: Sequence[PlanLine]) -> str:
    """All jobs in one line."""
    jobs, unknown = sum(line.jobs for line in lines), sum(line.unknown for line in lines)
    seconds, gpu_hours = sum(line.seconds or 0.0 for line in lines), sum(line.gpu_hours for line in lines)
    said = f"{count(jobs, 'job')}; {duration(seconds)} by the last run's times"
    said += f", {gpu_hours:.2f} GPU-hours" if gpu_hours else ""
    return said + (f", without the {unknown} that never ran here" if unknown else "") + "."


if __name__ == "__main__":
    sys.exit(run_script(main, make_arguments(), by_run=False))
