"""Train a stage of a bench that another process made: python -m tests.training.run_process FOLDER NAME SETTINGS."""

import json
import sys
from pathlib import Path

from tests.training_bench import Bench

if __name__ == "__main__":
    folder, name, given = sys.argv[1:]
    Bench(Path(folder)).run(name, json.loads(given))
