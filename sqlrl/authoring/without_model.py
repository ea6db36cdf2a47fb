"""Teacher offline: by the schema's own grammar, or by the one that its catalog gives."""

from collections.abc import Sequence
from pathlib import Path

from sqlrl.authoring.authored import Authored
from sqlrl.authoring.offline import AuthoringSettings
from sqlrl.errors import UserError


def author_without_model(
    kind: str, dump: Path, grammar: Sequence[Path], settings: AuthoringSettings
) -> Authored:
    """What the chosen grammar writes. Each is imported where it is chosen, so that only its code counts.

    Args:
        kind: ``grammar``, ``catalog``, or nothing where the files of a grammar decide.
        dump: of main.
        grammar: all Python files of the schema's grammar folder.

    Raises:
        UserError: the kind is neither, or see author_offline and author_from_catalog.
    """
    kind = kind or ("grammar" if grammar else "catalog")
    if kind == "grammar":
        from sqlrl.authoring.offline_job import author_offline

        return author_offline(dump, grammar, settings)
    if kind == "catalog":
        from sqlrl.authoring.catalog.job import author_from_catalog

        return author_from_catalog(dump, settings)
    raise UserError(f"--kind is {kind!r}; of teacher offline it is grammar or catalog.")
