"""What code a script runs: its import closure in this project, and one digest of it.

Comments, docstrings and formatting are left out, so that they make nothing stale; a changed
statement in any module that the script imports, directly or not, changes the digest.
"""

import ast
import functools
import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path

PROJECT_PACKAGES = ("sqlrl", "scripts")

Branches = tuple[tuple[str, str], ...]


def code_digest(root: Path, script: str, branches: Mapping[str, str] | None = None) -> str:
    """SHA-256 over the syntax trees of a script and of every project module in its closure.

    Args:
        root: the project's folder.
        script: path of the script under root, such as ``scripts/score.py``.
        branches: the value of a name that chooses an implementation. Of a chain
            ``if kind == "a": ... elif kind == "b": ...`` only the branch of ``branches["kind"]`` counts,
            with the imports inside it.

    Returns:
        64 hex digits, the same on every Python from 3.11 on.
    """
    chosen = tuple(sorted((branches or {}).items()))
    digest = hashlib.sha256()
    for module in closure(root, script, branches):
        digest.update(f"{module}\n{_module(root, module, chosen)[0]}\n".encode())
    return digest.hexdigest()


def module_digests(root: Path, script: str, branches: Mapping[str, str] | None = None) -> dict[str, str]:
    """SHA-256 of each module of a script's closure by name, so that a changed one can be named."""
    chosen = tuple(sorted((branches or {}).items()))
    return {
        module: hashlib.sha256(_module(root, module, chosen)[0].encode()).hexdigest()
        for module in closure(root, script, branches)
    }


def closure(root: Path, script: str, branches: Mapping[str, str] | None = None) -> list[str]:
    """Names of the script's module and of all project modules that it imports, sorted."""
    chosen = tuple(sorted((branches or {}).items()))
    waiting, found = [script.removesuffix(".py").replace("/", ".")], set()
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            waiting.extend(_module(root, module, chosen)[1])
    return sorted(found)


@functools.cache
def _module(root: Path, module: str, branches: Branches) -> tuple[str, tuple[str, ...]]:
    """The dump of a module's tree without docstrings, and the project modules that it imports."""
    tree = _Pruner(dict(branches)).visit(ast.parse(_file(root, module).read_bytes()))
    return _dump(tree), tuple(sorted(set(_imports(root, tree))))


def _file(root: Path, module: str) -> Path:
    path = root.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def _imports(root: Path, tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if _is_ours(alias.name))
        elif isinstance(node, ast.ImportFrom) and node.module and _is_ours(node.module):
            yield node.module
            names = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from (name for name in names if _file(root, name).is_file())


def _is_ours(module: str) -> bool:
    return module.split(".")[0] in PROJECT_PACKAGES


class _Pruner(ast.NodeTransformer):
    """Removes docstrings, and the branches that this configuration never enters."""

    def __init__(self, branches: Mapping[str, str]) -> None:
        self._branches = branches

    def visit(self, node: ast.AST) -> ast.AST:
        body = getattr(node, "body", None)
        documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
        if isinstance(node, documented) and isinstance(body, list) and body and _is_text(body[0]):
            node.body = body[1:]
        return self.generic_visit(node)

    def generic_visit(self, node: ast.AST) -> ast.AST:
        for field, value in ast.iter_fields(node):
            if isinstance(value, list):
                kept = [one for item in value for one in self._reachable(item)]
                setattr(node, field, [self.visit(one) if isinstance(one, ast.AST) else one for one in kept])
            elif isinstance(value, ast.AST):
                setattr(node, field, self.visit(value))
        return node

    def _reachable(self, item: object) -> list[object]:
        """What stays of one statement of a body: itself, or the taken branch of a choice."""
        choice = _choice(item)
        if choice is None or choice[0] not in self._branches or not isinstance(item, ast.If):
            return [item]
        taken = item.body if self._branches[choice[0]] == choice[1] else item.orelse
        return [one for inner in taken for one in self._reachable(inner)]


def _is_text(node: object) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _choice(node: object) -> tuple[str, str] | None:
    """(name, value) of a statement ``if name == "value":``, else None."""
    if not (isinstance(node, ast.If) and isinstance(node.test, ast.Compare)):
        return None
    left, right = node.test.left, node.test.comparators[0]
    equal = len(node.test.ops) == 1 and isinstance(node.test.ops[0], ast.Eq)
    if not (equal and isinstance(left, ast.Name) and isinstance(right, ast.Constant)):
        return None
    return left.id, str(right.value)


def _dump(node: object) -> str:
    """Like ast.dump, but without None and empty lists, whose presence differs between Pythons."""
    if isinstance(node, ast.AST):
        fields = (
            (name, _dump(value)) for name, value in ast.iter_fields(node) if value is not None and value != []
        )
        return f"{type(node).__name__}({', '.join(f'{name}={text}' for name, text in fields)})"
    if isinstance(node, list):
        return f"[{', '.join(_dump(item) for item in node)}]"
    return repr(node)
