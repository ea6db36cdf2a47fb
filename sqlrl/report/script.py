"""The page's script, with the digest by which the page's own policy allows it."""

import hashlib
from base64 import b64encode
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup


@dataclass(frozen=True)
class Script:
    """text: ready to stand in a <script>. digest: as a source of a Content-Security-Policy."""

    text: Markup
    digest: str


def read_script(templates: Path) -> Script:
    """Join the folder's scripts, the one that starts it all, failures.js, last.

    Raises:
        ValueError: a script holds what would end it inside HTML.
    """
    parts = sorted(templates.glob("failures-*.js"))
    text = "\n".join(path.read_text(encoding="utf-8") for path in [*parts, templates / "failures.js"])
    if "</script" in text.lower() or "<!--" in text:
        raise ValueError("a script of the page holds </script or <!--, which would end it inside HTML")
    digest = b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return Script(Markup(text), f"sha256-{digest}")
