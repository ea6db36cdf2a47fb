"""docs/settings.md is what config.schema.yaml says."""

from pathlib import Path

from sqlrl.config.reference import render_reference
from sqlrl.config.settings import read_schema

ROOT = Path(__file__).parents[2]


def test_the_page_is_that_of_the_schema():
    page = (ROOT / "docs/settings.md").read_text(encoding="utf-8")
    assert page == render_reference(read_schema(ROOT)), (
        "python -m scripts.settings --reference > docs/settings.md"
    )


def test_every_key_has_a_description():
    page = render_reference(read_schema(ROOT))
    assert [line for line in page.splitlines() if line.startswith("| `") and line.endswith("|  |")] == []


def test_a_default_what_is_allowed_and_a_required_key_are_told():
    schema = {
        "properties": {"size": {"$ref": "#/$defs/size", "default": 3}, "one": {"$ref": "#/$defs/block"}},
        "required": ["one"],
        "$defs": {
            "size": {"description": "How large\n it is.", "type": "integer", "minimum": 1, "maximum": 9},
            "block": {
                "description": "A block.",
                "properties": {"kind": {"enum": ["a|b", None], "description": "K."}},
            },
        },
    }
    page = render_reference(schema)
    assert "| `size` | `3` | integer, at least 1, at most 9 | How large it is. |" in page
    assert "| `one` | required | [block](#block) | A block. |" in page
    assert "## block\n\nA block.\n" in page
