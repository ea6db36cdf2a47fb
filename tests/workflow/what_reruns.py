"""docs/what-reruns.md: the changes that the staleness test makes, and which rules use which module.

Printed by ``python -m tests.workflow.what_reruns``.
"""

import re
import sys
from pathlib import Path

from sqlrl.config.closure import closure
from tests.workflow.changes import CHANGES

# The order in which the page names rules.
RECIPE = (
    "seed_database", "author_tasks", "screen_tasks", "probe_tasks", "review_tasks", "split_tasks", "select_tasks",
    "fetch_model", "train_sft", "measure_band", "train_grpo", "extract_checkpoint", "check_parity", "sample_rollouts",
    "score_rollouts", "write_base_benchmark", "write_delta_report", "describe_run", "write_tasks_report",
)  # fmt: skip
HEAD = """# What reruns

What Snakemake lists after a change to a finished run: here the micro run of `tests/config.yaml`, an SFT stage and a
GRPO stage after it. `tests/workflow/test_staleness.py` makes each change and asks; this page is printed by
`python -m tests.workflow.what_reruns`. A rule stands here when at least one of its jobs is stale;
`python scripts/plan.py` says which, why, and what they took.

With Snakemake's records lost nothing is listed that is only known from them; the report then refuses results of other
settings, code or files.
"""


def render_page(root: Path) -> str:
    """The page."""
    parts = [HEAD]
    for kind in dict.fromkeys(one.kind for one in CHANGES):
        rows = [f"| {one.name} | {_rules(one.rules)} |" for one in CHANGES if one.kind == kind]
        parts.append(
            "\n".join([f"## {kind.capitalize()}", "", "| change | stale |", "| --- | --- |", *rows]) + "\n"
        )
    rows = [f"| `{module}` | {_rules(rules)} |" for module, rules in sorted(rules_by_module(root).items())]
    head = [
        "## Modules",
        "",
        "A changed statement in a module makes these rules stale, and what comes after them.",
        "",
    ]
    parts.append("\n".join([*head, "| module | rules |", "| --- | --- |", *rows]) + "\n")
    return "\n".join(parts)


def rules_by_module(root: Path) -> dict[str, set[str]]:
    """Module of the library to the rules whose script imports it, directly or not, on any branch."""
    found: dict[str, set[str]] = {}
    for rule, script in scripts_by_rule(root).items():
        for module in closure(root, script):
            if module.startswith("sqlrl."):
                found.setdefault(module, set()).add(rule)
    return found


def scripts_by_rule(root: Path) -> dict[str, str]:
    """Rule to the script that its code digest is taken of."""
    found = {}
    for file in sorted((root / "rules").glob("*.smk")):
        for body in re.split(r"^rule ", file.read_text(), flags=re.MULTILINE)[1:]:
            digest = re.search(r'_(?:code|digest)\("(.*?)"\)', body)
            command = re.search(r"(?:-m|\{resources\.launcher\}) scripts\.(\w+)", body)
            assert digest, body
            assert command, body
            assert digest[1] == f"scripts/{command[1]}.py", body
            found[body.partition(":")[0]] = digest[1]
    return found


def _rules(rules: set[str]) -> str:
    ordered = sorted(rules, key=lambda rule: (RECIPE.index(rule) if rule in RECIPE else len(RECIPE), rule))
    return ", ".join(f"`{rule}`" for rule in ordered) or "nothing"


if __name__ == "__main__":
    sys.stdout.write(render_page(Path(__file__).parents[2]))
