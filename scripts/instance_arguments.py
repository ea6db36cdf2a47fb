"""The arguments of scripts that make one instance of a database, and what they write of it."""

import argparse
from pathlib import Path

from sqlrl.database.catalog import Catalog
from sqlrl.files import write_json, write_text
from sqlrl.records import to_dict


def add_instance(parser: argparse.ArgumentParser) -> None:
    """Which instance is made, by which seed."""
    parser.add_argument("--instance", required=True, help="main, or the name of a twin such as twin-1")
    parser.add_argument("--settings", required=True, help='JSON: {"seed": 1}')


def add_dump(parser: argparse.ArgumentParser) -> None:
    """Where its dump and its catalog go."""
    parser.add_argument("--output", type=Path, required=True, help="the dump: <database>/<instance>.sql")
    parser.add_argument("--catalog", type=Path, required=True, help="its tables, rows and digest: .json")


def write_dump(arguments: argparse.Namespace, text: str, catalog: Catalog) -> None:
    """Write both."""
    write_text(arguments.output, text)
    write_json(arguments.catalog, to_dict(catalog))
