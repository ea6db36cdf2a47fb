"""Write an adapter a second time, under the names that AutoModelForCausalLM has for its model."""

import argparse
import sys
from pathlib import Path

from scripts.arguments import make_parser, run_script
from sqlrl.parity.trained import probes_of
from sqlrl.publish.forms import write_causal_form
from sqlrl.training.manifest import read_manifest


def make_arguments() -> argparse.ArgumentParser:
    """The arguments of this script."""
    parser = make_parser(__doc__)
    parser.add_argument("--model", type=Path, required=True, help="model.json of the base model")
    parser.add_argument("--adapter", type=Path, nargs="+", required=True, help="the adapter's files")
    parser.add_argument(
        "--probes", type=Path, required=True, help="what its stage wrote of its checkpoints, JSONL"
    )
    parser.add_argument("--output", type=Path, required=True, help="the folder to write")
    return parser


def main(arguments: argparse.Namespace) -> None:
    """Rename, compare, write."""
    adapter = arguments.adapter[0].parent
    probes = probes_of(arguments.probes, read_manifest(adapter).step)
    write_causal_form(arguments.model.parent, adapter, probes, arguments.output)


if __name__ == "__main__":
    sys.exit(run_script(main, make_arguments()))
