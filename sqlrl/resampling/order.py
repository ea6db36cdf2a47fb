"""The order in which tables are resampled: parents first, and what of a circle waits for the end."""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlrl.errors import UserError
from sqlrl.resampling.shape import ForeignKey, Shape


@dataclass(frozen=True)
class Order:
    """``tables`` in order; of each, the foreign keys that are filled in when all tables have their rows."""

    tables: tuple[str, ...]
    waiting: Mapping[str, tuple[ForeignKey, ...]]


def order_tables(shapes: Mapping[str, Shape], where: str) -> Order:
    """Parents before children, by name of the schema's order among equals.

    A key of a table to itself waits, and one key of each circle.

    Raises:
        UserError: every key of a circle is part of what must be unique, so none can wait.
    """
    waiting = {
        name: [key for key in shape.foreign_keys if key.parent == name] for name, shape in shapes.items()
    }
    done: list[str] = []
    left = list(shapes)
    while left:
        ready = next((name for name in left if not _open(shapes[name], waiting[name], done)), None)
        if ready is None:
            name, key = _key_that_can_wait(shapes, left, waiting, done, where)
            waiting[name].append(key)
        else:
            done.append(ready)
            left.remove(ready)
    return Order(tuple(done), {name: tuple(keys) for name, keys in waiting.items()})


def _open(shape: Shape, waiting: list[ForeignKey], done: list[str]) -> list[ForeignKey]:
    return [key for key in shape.foreign_keys if key not in waiting and key.parent not in done]


def _key_that_can_wait(
    shapes: Mapping[str, Shape],
    left: list[str],
    waiting: Mapping[str, list[ForeignKey]],
    done: list[str],
    where: str,
) -> tuple[str, ForeignKey]:
    """Of a circle: best one whose columns may be NULL, in no case one that makes rows unique."""
    found = []
    for name in left:
        shape = shapes[name]
        unique = {column for columns in shape.distinct for column in columns}
        nullable = {column.name for column in shape.columns if column.nullable}
        for key in _open(shape, waiting[name], done):
            if unique & set(key.columns) or key.parent not in left:
                continue
            if _reaches(shapes, waiting, key.parent, name):
                found.append((not set(key.columns) & nullable, name, key))
    if not found:
        raise UserError(
            f"{where}: the foreign keys of {', '.join(left[:5])} form a circle, and each is part of what must be "
            "unique: such rows can't be resampled. Leave one of these keys out of the schema."
        )
    _, name, key = min(found, key=lambda one: (one[0], left.index(one[1]), one[2].name))
    return name, key


def _reaches(
    shapes: Mapping[str, Shape], waiting: Mapping[str, list[ForeignKey]], start: str, goal: str
) -> bool:
    seen, ahead = set(), [start]
    while ahead:
        name = ahead.pop()
        if name == goal:
            return True
        if name not in seen:
            seen.add(name)
            ahead += [key.parent for key in shapes[name].foreign_keys if key not in waiting[name]]
    return False
