"""Run Snakemake in this folder, after clearing what a killed run left: its lock and its orphaned jobs.

All arguments go to Snakemake: python -m scripts.build delta_report --config run=laptop
"""

import logging
import subprocess
import sys
from pathlib import Path

import psutil

from scripts.arguments import start_logging

logger = logging.getLogger(__name__)


def main() -> int:
    start_logging(None)
    if any(Path(".snakemake/locks").glob("*")):
        owners = processes_here("snakemake")
        if owners:
            numbers = ", ".join(str(one.pid) for one in owners)
            logger.error(
                "error: Snakemake is at work in this folder (process %s). Wait for it or stop it.", numbers
            )
            return 2
        end_orphans()
        logger.info("An earlier run was killed: its lock is taken away, finished files and checkpoints stay.")
        subprocess.run([sys.executable, "-m", "snakemake", "--unlock"], check=True, capture_output=True)
    return subprocess.run([sys.executable, "-m", "snakemake", *sys.argv[1:]]).returncode


def end_orphans() -> None:
    """End the jobs whose Snakemake is dead: they would write beside the new run's."""
    orphans = processes_here("scripts.")
    for job in orphans:
        logger.info("Ending a job of a killed run: process %d.", job.pid)
        job.terminate()
    for job in psutil.wait_procs(orphans, timeout=10)[1]:
        job.kill()


def processes_here(word: str) -> list[psutil.Process]:
    """Processes in this folder that run a program or module whose name starts with a word, not ourselves."""
    ours = {psutil.Process().pid, *(one.pid for one in psutil.Process().parents())}
    return [one for one in psutil.process_iter() if one.pid not in ours and _runs_here(one, word)]


def _runs_here(process: psutil.Process, word: str) -> bool:
    try:
        names = [Path(argument).name for argument in process.cmdline()[:4]]
        return Path(process.cwd()) == Path.cwd() and any(name.startswith(word) for name in names)
    except (psutil.AccessDenied, psutil.NoSuchProcess, psutil.ZombieProcess, FileNotFoundError):
        return False


if __name__ == "__main__":
    sys.exit(main())
