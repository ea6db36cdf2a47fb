"""Score files written as words: R right, W wrong rows, X does not run, a letter a sample."""

import json
from pathlib import Path

WORDS = {"R": "match", "W": "wrong", "X": "error"}


def write_scores(path: Path, template: str | None = None, **samples: str) -> Path:
    """Write a score file in the minimal format: task id to the letters of its samples."""
    named = {"template": template} if template else {}
    lines = [
        {"task_id": task, "sample": number, "verdict": WORDS[letter], **named}
        for task, letters in samples.items()
        for number, letter in enumerate(letters)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path
