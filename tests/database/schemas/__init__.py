"""Three small schemas of our own, with rows: films to lend, a trading house with composite keys, a museum that uses
much of what PostgreSQL has. dumps/ has two of them as pg_dump 15 wrote them."""

from pathlib import Path

FOLDER = Path(__file__).parent
NAMES = ("films", "trade", "museum")


def scripts_of(name: str) -> list[Path]:
    """The SQL files of one schema, in the order in which they run."""
    return [FOLDER / name / "schema.sql", FOLDER / name / "seed.sql"]
