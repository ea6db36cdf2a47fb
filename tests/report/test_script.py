"""The page's script: its parts in order, and nothing that would end it early."""

import pytest

from sqlrl.report.page import TEMPLATES
from sqlrl.report.script import read_script


def test_the_part_that_starts_the_explorer_comes_last():
    text = str(read_script(TEMPLATES).text)
    assert text.startswith('"use strict";')
    assert text.rstrip().endswith("startExplorer();")
    for path in TEMPLATES.glob("*.js"):
        assert path.read_text() in text


@pytest.mark.parametrize("end", ["</script>", "</SCRIPT >", "<!--"])
def test_a_script_that_would_end_inside_html_is_refused(tmp_path, end):
    (tmp_path / "failures.js").write_text(f'const text = "{end}";')
    with pytest.raises(ValueError, match="would end it"):
        read_script(tmp_path)
