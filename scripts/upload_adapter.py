"""Upload a published folder to the Hub. Needs HF_TOKEN in the environment and an explicit target; no rule runs it."""

import argparse
import os
import sys
from pathlib import Path

from rich.console import Console

from scripts.arguments import make_parser, run_script
from sqlrl.publish.upload import check_repository, find_token, list_files, upload_folder


def make_arguments() -> argparse.ArgumentParser:
    """The arguments of this script."""
    parser = make_parser(__doc__)
    parser.add_argument("--folder", type=Path, required=True, help="results/<run>/published/<checkpoint>")
    parser.add_argument("--repository", required=True, help="where to: owner/name, a model repository")
    parser.add_argument("--private", action="store_true", help="make the repository private")
    return parser


def main(arguments: argparse.Namespace) -> None:
    """Say what goes where, then send it."""
    repository, files = check_repository(arguments.repository), list_files(arguments.folder)
    token = find_token(os.environ)
    console = Console(highlight=False, soft_wrap=True)
    console.print(f"To {repository}{' (private)' if arguments.private else ''}:", markup=False)
    for name, size in files.items():
        console.print(f"  {name}  {size:,} bytes", markup=False)
    console.print(upload_folder(arguments.folder, repository, token, arguments.private), markup=False)


if __name__ == "__main__":
    sys.exit(run_script(main, make_arguments()))
