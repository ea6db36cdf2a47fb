"""What a job starts under the warden's watch ends with the job, a kill included."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from sqlrl.sampling.warden import Warden

ROOT = Path(__file__).parents[2]
JOB = """
import subprocess, sys, time
from sqlrl.sampling.warden import Warden
warden = Warden()
with warden.watching():
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    print(child.pid, flush=True)
    time.sleep(SECONDS)
time.sleep(600)
"""


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGTERM])
@pytest.mark.parametrize("seconds", [0, 600], ids=["started", "starting"])
def test_a_job_that_is_killed_takes_what_it_started_along(sent: signal.Signals, seconds: int):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    job = subprocess.Popen(
        [sys.executable, "-c", JOB.replace("SECONDS", str(seconds))],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    child = psutil.Process(int(job.stdout.readline()))
    assert child.is_running()
    time.sleep(1)
    job.send_signal(sent)
    job.wait()
    _, alive = psutil.wait_procs([child], timeout=20)
    assert not alive


def test_only_what_was_started_under_its_watch_ends():
    warden = Warden()
    sleep = [sys.executable, "-c", "import time; time.sleep(600)"]
    others = [subprocess.Popen(sleep)]
    with warden.watching():
        watched = subprocess.Popen(sleep)
    others.append(subprocess.Popen(sleep))
    assert [one.pid for one in warden.processes] == [watched.pid]
    warden.end()
    assert watched.wait(timeout=10) == -signal.SIGKILL
    assert [other.poll() for other in others] == [None, None]
    for other in others:
        other.kill()
        other.wait()
