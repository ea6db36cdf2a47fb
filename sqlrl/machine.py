"""What a machine is, in words that let a reader compare speeds."""

import os
import platform
import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

CPUINFO = Path("/proc/cpuinfo")
# Instructions that decide how fast a CPU multiplies matrices, as Linux lists them, the fastest first.
MATRIX_INSTRUCTIONS = ("amx_bf16", "avx512_bf16", "avx512f", "avx2")


def describe_machine(gpus: int = 0) -> str:
    """GPUs of the job, cores, processor and system: ``2 cores of AMD EPYC (avx512_bf16), Linux x86_64``."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    text = CPUINFO.read_text() if CPUINFO.exists() else ""
    system = f"{platform.system()} {platform.machine()}"
    words = [*_graphics(gpus), f"{cores} {'core' if cores == 1 else 'cores'} of {describe_processor(text)}"]
    return ", ".join([*words, system])


def describe_processor(cpuinfo: str) -> str:
    """The processor's name and its fastest matrix instructions, from the text of /proc/cpuinfo."""
    name = re.search(r"^model name\s*:\s*(.+)$", cpuinfo, re.MULTILINE)
    flags = re.search(r"^(?:flags|Features)\s*:\s*(.+)$", cpuinfo, re.MULTILINE)
    known = set(flags[1].split()) if flags else set()
    fastest = next((one for one in MATRIX_INSTRUCTIONS if one in known), None)
    words = " ".join(name[1].split()) if name else platform.processor() or "an unnamed processor"
    return f"{words} ({fastest})" if fastest else words


def _graphics(gpus: int) -> list[str]:
    """``1 x NVIDIA H100``, none where the job has no GPU or the driver's tool is not there."""
    tool = shutil.which("nvidia-smi") if gpus else None
    if tool is None:
        return []
    command = [tool, "--query-gpu=name", "--format=csv,noheader"]
    listed = subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)
    names = Counter([line.strip() for line in listed.stdout.splitlines() if line.strip()][:gpus])
    return [f"{number} x {name}" for name, number in sorted(names.items())]
