"""config.yaml as tests change it."""

from pathlib import Path
from typing import Any

import yaml

from sqlrl.config.extends import DEFAULTS, write_out

ROOT = Path(__file__).parents[2]


def shipped_config() -> dict[str, Any]:
    """The shipped configuration with every block that is extended written out in its place."""
    config = write_out(yaml.safe_load((ROOT / "config.yaml").read_text())).config
    del config[DEFAULTS]
    return config
