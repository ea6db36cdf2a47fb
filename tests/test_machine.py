"""What a machine is, in words."""

import os
import stat

from sqlrl.machine import describe_machine, describe_processor
from sqlrl.timing import Stopwatch

SERVER = (
    "processor\t: 0\nmodel name\t: Some  CPU @ 2.0GHz\nflags\t\t: fpu avx2 avx512f amx_bf16 avx512_bf16\n"
)
LAPTOP = "processor\t: 0\nmodel name\t: Some CPU\nflags\t\t: fpu sse2\n"


def test_a_processor_is_named_with_its_fastest_matrix_instructions():
    assert describe_processor(SERVER) == "Some CPU @ 2.0GHz (amx_bf16)"
    assert describe_processor(SERVER.replace("amx_bf16 ", "")) == "Some CPU @ 2.0GHz (avx512_bf16)"
    assert describe_processor(LAPTOP) == "Some CPU"


def test_a_processor_that_says_nothing_is_described_all_the_same():
    assert describe_processor("")


def test_a_timing_says_the_machine_with_the_cores_that_the_job_may_use():
    machine = Stopwatch().timing(1, 1).machine
    assert machine == describe_machine()
    assert f"{len(os.sched_getaffinity(0))} core" in machine


def test_a_job_with_gpus_names_them_and_one_without_does_not(tmp_path, monkeypatch):
    tool = tmp_path / "nvidia-smi"
    tool.write_text("#!/bin/sh\necho Big GPU\necho Big GPU\necho Big GPU\n")
    tool.chmod(tool.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert describe_machine(2).startswith("2 x Big GPU, ")
    assert "GPU" not in describe_machine(0)
