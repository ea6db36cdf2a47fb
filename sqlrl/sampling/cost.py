"""What replies cost: seconds, tokens, and money where a price is known."""

from collections.abc import Sequence

from sqlrl.models.server import Price
from sqlrl.sampling.sampler import Reply
from sqlrl.timing import Stopwatch, Timing


def timing_of(
    replies: Sequence[Reply], seconds: float, watch: Stopwatch, price: Price | None = None
) -> Timing:
    """The timing of a job that drew these replies.

    Args:
        replies: all of them, those of earlier runs of a resumed job too.
        seconds: of sampling, earlier runs of the job included.
        watch: started with the job.
        price: what its server takes; None where nobody is paid, or where it is not known.
    """
    tokens, prompt_tokens = (
        sum(reply.reply_tokens for reply in replies),
        sum(reply.prompt_tokens for reply in replies),
    )
    # A server that counts no tokens leaves the money unknown; a refused prompt has none and costs nothing.
    counted = all(reply.prompt_tokens or not reply.text for reply in replies)
    money = price.of(prompt_tokens, tokens) if price and counted else None
    return watch.timing(tokens, len(replies), seconds, prompt_tokens, money)
