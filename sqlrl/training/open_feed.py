"""Open the feed that a stage asks for by name."""

from collections.abc import Sequence

from sqlrl.authoring.task import Task
from sqlrl.training.band import BandTask
from sqlrl.training.feed import Feed, SweepFeed
from sqlrl.training.settings import GrpoSettings


def open_feed(settings: GrpoSettings, tasks: Sequence[Task], band: Sequence[BandTask]) -> Feed:
    """The feed of a GRPO stage.

    Args:
        settings: of the stage.
        tasks: what it trains on.
        band: what is known of their pass rates before the first step; tasks that were not measured
            may be missing or have k = 0.

    Raises:
        UserError: fewer tasks than one step takes.
    """
    feed, per_step = settings.feed, settings.prompts_per_step
    if feed == "adaptive":
        from sqlrl.training.adaptive import AdaptiveFeed

        measured = {one.task_id: (one.passed, one.k) for one in band if one.k}
        return AdaptiveFeed(tasks, per_step, settings.group_size, settings.seed, settings.adaptive, measured)
    return SweepFeed(tasks, per_step, settings.seed, "prompts_per_step")
