"""When to come back after too many calls: not when the first one is free again, for which many may wait."""

from __future__ import annotations

import math

ROOM = 10
"""One in so many calls of a limit has to be free again before anybody is asked to come back."""


def seconds_until_room(amount: int, period: float, window: tuple[int, float, int, float]) -> int:
    """Return whole seconds, one at least, after which a tenth of a limit's calls, or one, will be taken again.

    `amount` calls are allowed in a `period` of seconds. `window` is what a sliding window counter keeps: calls in the
    period before, the seconds for which they still weigh, calls in the current one, and its own seconds.
    """
    before, _, now, left = window
    left = left % period or period
    # In the current period the calls before weigh less by the second; after it, those of now do.
    wanted = amount - max(1, amount // ROOM)
    if now <= wanted:
        seconds = left - period * (wanted - now) / before if before else 0.0
    else:
        seconds = left + period * (1 - wanted / now)
    return max(1, math.ceil(seconds))
