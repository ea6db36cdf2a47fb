"""The prompts of a teacher that is a model: the same rules and database in each, then some cells."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateError

from sqlrl.authoring.cells import DIFFICULTY_MEANS, STYLE_MEANS, Cell
from sqlrl.authoring.disclosure import Shown
from sqlrl.authoring.llm_settings import Checks
from sqlrl.errors import UserError
from sqlrl.files import canonical_json, digest_text
from sqlrl.models.system_prompt import read_schema
from sqlrl.records import read_text

RULES, CELLS = "teacher_rules.md.j2", "teacher_cells.md.j2"


@dataclass(frozen=True)
class Refusal:
    """A question that was not good enough, and why, in words for the teacher."""

    question: str
    sql: str
    why: str


@dataclass(frozen=True)
class Need:
    """What one cell asks for.

    Attributes:
        count: questions.
        accepted: those that the cell has.
        refused: those of the last prompt that it could not take.
        fault: why the last reply had nothing for it, or nothing.
    """

    cell: Cell
    count: int
    accepted: tuple[str, ...] = ()
    refused: tuple[Refusal, ...] = ()
    fault: str = ""

    @property
    def difficulty(self) -> str:
        """What the cell's difficulty means for its archetype."""
        return DIFFICULTY_MEANS[self.cell.archetype][self.cell.difficulty]

    @property
    def style(self) -> str:
        """What the cell's style means."""
        return STYLE_MEANS[self.cell.style]


class TeacherPrompt:
    """Writes the messages of one database's prompts.

    Attributes:
        digest: of the templates, 64 hex digits.
    """

    def __init__(
        self, templates: Sequence[Path], dump: Path, notes: Path, shown: Shown, checks: Checks
    ) -> None:
        """Read what all prompts begin with.

        Args:
            templates: the files RULES and CELLS.
            dump: of main, whose schema is told.
            notes: what its data mean.
            shown: what of its data may be told.
            checks: what a question must pass.

        Raises:
            UserError: a file is missing, or a template has a fault.
        """
        files = {file.name: file for file in templates}
        if sorted(files) != sorted((RULES, CELLS)):
            raise UserError(
                f"--prompt: expected the files {RULES} and {CELLS}, found {', '.join(files) or 'none'}."
            )
        self.digest = digest_text(canonical_json({name: read_text(file) for name, file in files.items()}))
        self._file = files[CELLS]
        self._environment = Environment(
            loader=FileSystemLoader(self._file.parent),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        told = {"ddl": read_schema(dump), "notes": read_text(notes).strip(), "checks": checks}
        self._rules = self._render(RULES, **told, values=shown.values, rows=shown.rows)

    def write(self, needs: Sequence[Need]) -> tuple[dict[str, str], ...]:
        """The messages that ask for what some cells need."""
        asked = self._render(CELLS, needs=needs)
        return ({"role": "system", "content": self._rules}, {"role": "user", "content": asked})

    def _render(self, name: str, **values: object) -> str:
        try:
            return self._environment.get_template(name).render(**values).strip() + "\n"
        except TemplateError as error:
            raise UserError(f"{self._file.with_name(name)}: {error}") from error
