"""Frozen dataclasses to JSON and back, strictly: a wrong key or type names its place."""

import dataclasses
import json
import types
import typing
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar, cast

from sqlrl.errors import UserError
from sqlrl.files import atomic_file

Record = TypeVar("Record")


def to_dict(record: Any) -> dict[str, Any]:
    """The fields of a dataclass as plain JSON values, nested records included."""
    return dataclasses.asdict(record)


def from_dict(kind: type[Record], value: Any, where: str) -> Record:
    """Build a record from parsed JSON.

    Args:
        kind: a dataclass; its fields may be scalars, tuples, dicts, unions with None, dataclasses.
        value: the parsed JSON object.
        where: the place to name in an error, such as ``tasks.jsonl:12``.

    Raises:
        UserError: a key is unknown or missing, or a value has another type.
    """
    if not isinstance(value, dict):
        raise UserError(f"{where}: expected an object with the fields of {kind.__name__}, found {value!r}.")
    hints = typing.get_type_hints(kind)
    fields = {field.name: field for field in dataclasses.fields(cast(Any, kind))}
    unknown = sorted(set(value) - set(fields))
    if unknown:
        raise UserError(f"{where}: unknown key {unknown[0]!r}. {kind.__name__} has: {', '.join(fields)}.")
    required = [name for name, field in fields.items() if _is_required(field) and name not in value]
    if required:
        raise UserError(f"{where}: {kind.__name__} needs {required[0]!r}, which is missing.")
    converted = {name: _convert(hints[name], item, f"{where}: {name}") for name, item in value.items()}
    return kind(**converted)


def from_json(kind: type[Record], text: str, where: str) -> Record:
    """Build a record from a JSON text; see from_dict.

    Raises:
        UserError: not JSON, or not a record of this kind.
    """
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise UserError(f"{where}: not JSON: {error}.") from error
    return from_dict(kind, value, where)


def read_json(path: Path, kind: type[Record]) -> Record:
    """Read one record from a JSON file. Raises UserError that names the file."""
    return from_json(kind, read_text(path), str(path))


def read_text(path: Path) -> str:
    """Read a text file. Raises UserError where it is missing or not UTF-8."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise UserError(f"{path}: no such file.") from error
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: not a UTF-8 text: {error}.") from error


def read_jsonl(path: Path, kind: type[Record]) -> list[Record]:
    """Read records, one JSON object a line; blank lines are skipped.

    Raises:
        UserError: names the file and the line that is not a record of this kind.
    """
    lines = read_text(path).split("\n")
    return [
        from_json(kind, line, f"{path}:{number}")
        for number, line in enumerate(lines, start=1)
        if line.strip()
    ]


def to_line(record: Any) -> str:
    """A record as its one JSONL line, keys in the order of the fields."""
    return json.dumps(to_dict(record), ensure_ascii=False, allow_nan=False) + "\n"


def write_jsonl(path: Path, records: Iterable[Any]) -> None:
    """Write records one JSON object a line; the file appears when it is complete."""
    with atomic_file(path) as stream:
        stream.writelines(to_line(record) for record in records)


def _is_required(field: "dataclasses.Field[Any]") -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def _convert(hint: Any, value: Any, where: str) -> Any:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if hint is Any:
        return value
    if origin in (typing.Union, types.UnionType):
        return _convert_union(arguments, value, where)
    if origin is typing.Literal:
        if value not in arguments:
            raise UserError(f"{where} is {value!r}; allowed: {', '.join(map(repr, arguments))}.")
        return value
    if origin in (tuple, list):
        return _convert_sequence(origin, arguments, value, where)
    if origin in (dict, Mapping) or (isinstance(origin, type) and issubclass(origin, Mapping)):
        if not isinstance(value, dict):
            raise UserError(f"{where} is {value!r}; expected an object.")
        return {key: _convert(arguments[1], item, f"{where}.{key}") for key, item in value.items()}
    if dataclasses.is_dataclass(hint):
        return from_dict(cast(Any, hint), value, where)
    return _convert_scalar(hint, value, where)


def _convert_union(arguments: tuple[Any, ...], value: Any, where: str) -> Any:
    if value is None and type(None) in arguments:
        return None
    faults = []
    for argument in (one for one in arguments if one is not type(None)):
        try:
            return _convert(argument, value, where)
        except UserError as error:
            faults.append(error)
    raise faults[0]


def _convert_sequence(origin: Any, arguments: tuple[Any, ...], value: Any, where: str) -> Any:
    if not isinstance(value, (list, tuple)):
        raise UserError(f"{where} is {value!r}; expected a list.")
    if origin is tuple and not (len(arguments) == 2 and arguments[1] is Ellipsis):
        if len(arguments) != len(value):
            raise UserError(f"{where} has {len(value)} entries; expected {len(arguments)}.")
        return tuple(_convert(hint, item, where) for hint, item in zip(arguments, value, strict=True))
    return origin(_convert(arguments[0], item, f"{where}[{index}]") for index, item in enumerate(value))


def _convert_scalar(hint: Any, value: Any, where: str) -> Any:
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if hint is Path and isinstance(value, str):
        return Path(value)
    if not isinstance(value, hint) or (hint is int and isinstance(value, bool)):
        raise UserError(f"{where} is {value!r}; expected {getattr(hint, '__name__', hint)}.")
    return value


def iterate_unique(records: Iterable[Record], key: str, where: str) -> Iterator[Record]:
    """Pass records on, refusing a second one with the same key. Raises UserError."""
    seen: set[Any] = set()
    for record in records:
        value = getattr(record, key)
        if value in seen:
            raise UserError(f"{where}: {key} {value!r} occurs twice.")
        seen.add(value)
        yield record
