"""Bring a base model into one plain folder, with a model.json that says what it is."""

import argparse
import sys
from pathlib import Path

from scripts.arguments import make_parser, run_script
from sqlrl.models.sources import fetch_model, parse_source


def make_arguments() -> argparse.ArgumentParser:
    """The arguments of this script."""
    parser = make_parser(__doc__)
    parser.add_argument("--name", required=True, help="the model's name in config.yaml")
    parser.add_argument(
        "--settings",
        required=True,
        help='where it comes from, in JSON: {"source": "hub", "id": ..., "revision": ...}, '
        '{"source": "path", "path": ...}, {"source": "gguf", "path": ..., "sha256": ...}, '
        '{"source": "package", "requirement": "name==version", "file": ..., "sha256": ...} or '
        '{"source": "openai" or "anthropic", "id": ..., "base_url": ...}',
    )
    parser.add_argument(
        "--output", type=Path, required=True, help="the model.json to write; the model goes beside it"
    )
    return parser


def main(arguments: argparse.Namespace) -> None:
    """Fetch, check and write."""
    source = parse_source(arguments.settings, "--settings")
    fetch_model(source, arguments.name, arguments.output)


if __name__ == "__main__":
    sys.exit(run_script(main, make_arguments()))
