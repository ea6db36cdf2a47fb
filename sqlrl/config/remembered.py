"""Which modules a digest of code stood for, kept from build to build so that a plan can name what changed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from sqlrl.config.closure import code_digest, module_digests
from sqlrl.files import write_json
from sqlrl.records import from_dict, read_json, to_dict

# Beside Snakemake's own records, and lost with them.
CODE_FILE = Path(".snakemake/code.json")


@dataclass(frozen=True)
class Code:
    """What one digest stood for: the script, the branches that counted, and the digest of each module."""

    script: str
    branches: dict[str, str]
    modules: dict[str, str]


@dataclass(frozen=True)
class Remembered:
    """All digests of earlier builds."""

    code: dict[str, Code]


class CodeDigests:
    """Digests of scripts' code, and what each stands for."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._asked: dict[str, tuple[str, dict[str, str]]] = {}

    def digest(self, script: str, branches: Mapping[str, str] | None = None) -> str:
        """See code_digest."""
        found = code_digest(self._root, script, branches)
        self._asked[found] = (script, dict(branches or {}))
        return found

    def remember(self, file: Path = CODE_FILE) -> None:
        """Add what was asked for to the file."""
        kept = read_remembered(file).code
        new = {
            digest: Code(script, branches, module_digests(self._root, script, branches))
            for digest, (script, branches) in self._asked.items()
            if digest not in kept
        }
        if new:
            write_json(file, to_dict(Remembered({**kept, **new})))


def read_remembered(file: Path = CODE_FILE) -> Remembered:
    """What earlier builds left; nothing where there was none."""
    return read_json(file, Remembered) if file.is_file() else from_dict(Remembered, {"code": {}}, str(file))


def changed_modules(root: Path, before: Code) -> Iterator[str]:
    """Modules that are other, new or gone since a digest was taken, by name and how."""
    now = module_digests(root, before.script, before.branches)
    for module in sorted({*now, *before.modules}):
        if module not in before.modules:
            yield f"{module} (new)"
        elif module not in now:
            yield f"{module} (no longer used)"
        elif now[module] != before.modules[module]:
            yield module
