"""Files that grow as work lands: JSON lines that are on disk before the next is asked for."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from sqlrl.records import to_line


def whole_lines(file: Path) -> list[bytes]:
    """The lines of a file that may not be there yet. A kill can cut off only the last, which lacks its end."""
    file.parent.mkdir(parents=True, exist_ok=True)
    return file.read_bytes().split(b"\n")[:-1] if file.exists() else []


def end_after(file: Path, lines: Sequence[bytes]) -> None:
    """Let a file end after its first lines."""
    if file.exists():
        with file.open("r+b") as stream:
            stream.truncate(sum(len(line) + 1 for line in lines))


def append_records(file: Path, records: Iterable[Any]) -> None:
    """Add records at the end of a file, and wait until they are on the disk."""
    with file.open("ab") as stream:
        stream.write("".join(map(to_line, records)).encode())
        stream.flush()
        os.fsync(stream.fileno())
