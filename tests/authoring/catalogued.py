"""Schemas of our own that no grammar was written for, with their data and twins."""

from pathlib import Path

SCHEMAS = Path(__file__).parent / "schemas"
INSTANCES = ("main", "twin-1", "twin-2")


def write_schema_dumps(folder: Path, schema: str) -> dict[str, Path]:
    """Content files of main and two twins in ``folder/<schema>``."""
    source = SCHEMAS / schema
    tables, rows, dice = (
        path.read_text(encoding="utf-8")
        for path in (source / "schema.sql", source / "seed.sql", SCHEMAS / "dice.sql")
    )
    (folder / schema).mkdir(parents=True)
    dumps = {}
    for number, instance in enumerate(INSTANCES, start=1):
        dumps[instance] = folder / schema / f"{instance}.sql"
        dumps[instance].write_text(
            f"{tables}\nSET seed.number = '{number}';\n{dice}\n{rows}", encoding="utf-8"
        )
    return dumps
