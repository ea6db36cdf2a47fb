"""What only the page needs of where replies went: the picture, and the questions that came and went."""

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from sqlrl.report.flow import flow_alternative, flow_pictures, shares_after, shares_before
from sqlrl.report.learned import STATES

# Questions that changed, in the order that they are told in.
CHANGES = {
    "became_reliable": "Right sometimes before, always now",
    "reliable_from_never": "Never right before, always right now",
    "lost_reliability": "Always right before, no longer",
    "lost_ability": "Right sometimes or always before, never now",
}


def learned_context(document: Mapping[str, Any]) -> dict[str, Any]:
    """The section on what the model learned; ``learned`` is None where nothing was trained."""
    learned = document["learned"]
    if learned is None:
        return {"learned": None}
    drawn = {
        name: Markup(svg) for name, svg in flow_pictures(learned).items()
    }  # our own drawing, no reply in it
    return {
        "learned": {
            **learned,
            "pictures": drawn,
            "alternative": flow_alternative(learned),
            "shares_before": shares_before(learned["movement"]),
            "shares_after": shares_after(learned["movement"]),
            "changes": [
                {"title": title, "tasks": learned[key]} for key, title in CHANGES.items() if learned[key]
            ],
        },
        "task_states": STATES,
    }
