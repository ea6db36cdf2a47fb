from pathlib import Path

import pytest

from sqlrl.database.files import by_database, catalog_of
from sqlrl.errors import UserError


def touch(folder: Path, *names: str) -> list[Path]:
    paths = [folder / name for name in names]
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    return paths


def test_dumps_are_grouped_by_folder_with_main_first(tmp_path):
    paths = touch(tmp_path, "shop/twin-2.sql", "shop/twin-1.sql", "clinic/main.sql", "shop/main.sql")
    found = by_database(paths)
    assert {name: list(instances) for name, instances in found.items()} == {
        "clinic": ["main"],
        "shop": ["main", "twin-1", "twin-2"],
    }
    assert found["shop"]["twin-1"] == tmp_path / "shop/twin-1.sql"
    assert catalog_of(found["shop"]["main"]) == tmp_path / "shop/main.json"


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["shop/twin-1.sql"], "without main.sql"),
        (["shop/main.txt"], "named <database>/<instance>.sql"),
        (["shop/main.sql", "other/shop/main.sql"], "both shop/main"),
    ],
)
def test_what_is_no_set_of_dumps_is_refused(tmp_path, names, message):
    with pytest.raises(UserError, match=message):
        by_database(touch(tmp_path, *names))


def test_a_missing_dump_is_named(tmp_path):
    with pytest.raises(UserError, match=r"shop/main\.sql: no such file"):
        by_database([tmp_path / "shop" / "main.sql"])
