"""How fast replies are judged, against pgbench with a connection for each of the same queries.

    python -m benchmarks.verifier [--replies 10000] [--many 100000] [--tasks results/tasks/shop/tasks.jsonl]

All in one run and on one embedded server: verdicts a second on distinct queries and pgbench -C's transactions on the
same ones with as many clients; replies a second where equal replies repeat, as they do in sampling, and memory after
a thousand and after many of them; and batches of a training step with slow queries in them, the first one while no
spare worker runs yet. Needs pgbench on the PATH.
"""

import argparse
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from psycopg.conninfo import conninfo_to_dict

from benchmarks.attacks import ATTACKS, make_databases, read_targets
from sqlrl.database.files import MAIN
from sqlrl.verifier.exposure import Target, fit_targets
from sqlrl.verifier.mutants import make_mutants
from sqlrl.verifier.reward import Submission, VerifierSettings
from sqlrl.verifier.verifier import Verifier

CLIENTS = 2
BATCH = 512
SECONDS_OF_PGBENCH = 10
TIMEOUT = 3.0
SETTINGS = VerifierSettings(1.0, 0.1, 0.0, "main", statement_timeout_seconds=TIMEOUT, workers=CLIENTS)

# pgbench takes at most 128 scripts.
SCRIPTS = 100
SLOW = "SELECT {} FROM (SELECT generate_series(1, 1000000000) g) s WHERE g < 0"


def main(words: Sequence[str]) -> int:
    """The command; see the module's docstring."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.verifier", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--tasks", type=Path, default=ATTACKS / "tasks.jsonl", help="tasks, JSONL")
    parser.add_argument("--replies", type=int, default=10_000, help="distinct replies, for the rate")
    parser.add_argument("--many", type=int, default=100_000, help="replies as sampled, for the memory")
    arguments = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as folder:
        dumps = make_databases(Path(folder), witnesses=False)
        with Verifier({"shop": {MAIN: dumps[MAIN]}}, SETTINGS) as verifier:
            targets = fit_targets(verifier, read_targets(arguments.tasks))
            queries = draw_queries(verifier, targets)
            pgbench = measure_pgbench(verifier, queries, Path(folder))
            sys.stdout.write(f"pgbench -C, {CLIENTS} clients: {pgbench:.0f} queries/s\n")
            distinct = measure_distinct(verifier, queries, arguments.replies)
            sys.stdout.write(
                f"distinct queries: {distinct:.0f} verdicts/s, {distinct / pgbench:.1f} of pgbench -C\n"
            )
            for number in ("first", "second", "third"):
                sys.stdout.write(f"{number} {measure_step(verifier, queries, distinct, number)}")
            sys.stdout.write(measure_sampled(verifier, queries, arguments.many))
    return 0


def draw_queries(verifier: Verifier, targets: Sequence[Target]) -> list[tuple[str, str]]:
    """Queries as replies hold them, right and wrong, each with the reference it is judged against.

    All of them run: pgbench ends at the first that does not.
    """
    pairs = [(mutant.sql, one.reference_sql) for one in targets for mutant in make_mutants(one.reference_sql)]
    pairs += [(one.reference_sql, one.reference_sql) for one in targets]
    verdicts = verifier.judge(
        [Submission("shop", f"```sql\n{sql}\n```", reference) for sql, reference in pairs]
    )
    running = [
        pair for pair, one in zip(pairs, verdicts, strict=True) if one.outcomes[MAIN].verdict != "error"
    ]
    return random.Random(1).sample(running, min(SCRIPTS, len(running)))


def measure_pgbench(verifier: Verifier, queries: Sequence[tuple[str, str]], folder: Path) -> float:
    """Transactions a second, each with a connection of its own and one of the queries."""
    program = shutil.which("pgbench")
    if program is None:
        raise SystemExit("pgbench is not on the PATH; Debian has it in postgresql-client-common.")
    place = conninfo_to_dict(verifier.owner_conninfo("shop", MAIN))
    command = [program, "-n", "-C", "-c", str(CLIENTS), "-j", str(CLIENTS), "-T", str(SECONDS_OF_PGBENCH)]
    for number, (sql, _) in enumerate(queries):
        script = folder / f"{number}.sql"
        script.write_text(sql.replace("\n", " ") + ";\n")
        command += ["-f", str(script)]
    command += [
        "-h",
        str(place["host"]),
        "-p",
        str(place["port"]),
        "-U",
        str(place["user"]),
        str(place["dbname"]),
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    found = re.search(r"tps = ([\d.]+)", done.stdout)
    if done.returncode or not found:
        raise SystemExit(f"pgbench failed: {done.stderr[-2000:]}")
    return float(found[1])


def measure_distinct(verifier: Verifier, queries: Sequence[tuple[str, str]], count: int) -> float:
    """Verdicts a second where no two replies are equal: a comment makes each text its own."""
    submissions = [
        Submission(
            "shop", f"```sql\n{queries[n % len(queries)][0]} -- {n}\n```", queries[n % len(queries)][1]
        )
        for n in range(count)
    ]
    verifier.judge(submissions[: len(queries)])
    began = time.monotonic()
    for start in range(0, count, BATCH):
        verifier.judge(submissions[start : start + BATCH])
    return count / (time.monotonic() - began)


def measure_sampled(verifier: Verifier, queries: Sequence[tuple[str, str]], count: int) -> str:
    """Replies a second and memory where eight replies to a prompt are drawn from a few queries."""
    generator = random.Random(2)
    done, few = 0, (0, 0)
    began = time.monotonic()
    while done < count:
        verifier.judge(
            [reply for n in range(BATCH // 8) for reply in draw_group(generator, queries, done // 8 + n)]
        )
        done += BATCH
        few = memory(verifier) if done == 2 * BATCH else few
    rate = done / (time.monotonic() - began)
    return (
        f"replies as sampled, 8 a prompt: {rate:.0f} replies/s; peak memory of the largest worker and of this"
        f" process {few} MB after {2 * BATCH} of them, {memory(verifier)} MB after {done}\n"
    )


def draw_group(generator: random.Random, queries: Sequence[tuple[str, str]], prompt: int) -> list[Submission]:
    """Eight replies to a prompt, some of them equal."""
    sql, reference = queries[prompt % len(queries)]
    likely = [sql, sql, reference, reference, f"{sql} -- {prompt}"]
    return [Submission("shop", f"```sql\n{generator.choice(likely)}\n```", reference) for _ in range(8)]


def measure_step(verifier: Verifier, queries: Sequence[tuple[str, str]], rate: float, number: str) -> str:
    """A batch of 512 replies of which eight run into the time limit, and the bound on its time."""
    submissions = [
        Submission(
            "shop",
            f"```sql\n{queries[n % len(queries)][0]} -- {number} {n}\n```",
            queries[n % len(queries)][1],
        )
        for n in range(BATCH - 8)
    ]
    slow = [Submission("shop", f"```sql\n{SLOW.format(n)}\n```", queries[0][1]) for n in range(8)]
    mixed = random.Random(3).sample([*submissions, *slow], BATCH)
    began = time.monotonic()
    verifier.judge(mixed)
    seconds = time.monotonic() - began
    bound = 1.5 * TIMEOUT + BATCH / rate
    return f"batch of 512 replies, 8 of them over {TIMEOUT:g} s: {seconds:.1f} s (bound {bound:.1f} s)\n"


def memory(verifier: Verifier) -> tuple[int, int]:
    """Peak resident megabytes of the largest worker and of this process."""
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return round(verifier.peak_memory_megabytes()), own


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
