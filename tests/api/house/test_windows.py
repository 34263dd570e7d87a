"""When to come back after too many calls."""

from __future__ import annotations

from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st
from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import SlidingWindowCounterRateLimiter

from server.api.house.windows import ROOM, seconds_until_room

_MOMENTS = st.lists(st.floats(0, 130), max_size=80)


@settings(deadline=None)
@given(st.integers(1, 40), _MOMENTS, st.floats(0, 59.9))
def test_whoever_comes_back_then_is_taken_and_others_too(amount: int, moments: list[float], start: float) -> None:
    """After so many seconds a tenth of the limit's calls, or one, are taken; whatever came before, and whenever."""
    item, began = RateLimitItemPerMinute(amount), 1_000_000 * 60 + start
    with patch("limits.storage.memory.time.time") as clock:
        clock.return_value = began
        storage = MemoryStorage()
        limiter = SlidingWindowCounterRateLimiter(storage)
        for moment in sorted(moments):
            clock.return_value = began + moment
            if limiter.hit(item, "somebody"):
                continue
            window = storage.get_sliding_window(item.key_for("somebody"), item.get_expiry())
            wait = seconds_until_room(amount, item.get_expiry(), window)
            assert 1 <= wait <= 120
            clock.return_value = began + moment + wait
            kept = storage.get_sliding_window(item.key_for("somebody"), item.get_expiry())
            weight = kept[0] * kept[1] / item.get_expiry() + kept[2]
            assert amount - weight >= max(1, amount // ROOM) - 0.001
            clock.return_value = began + moment
        storage.timer.cancel() if storage.timer else None


def test_a_limit_that_was_used_up_at_once_takes_until_the_next_minute() -> None:
    """All 60 calls of a minute came in its first second: a tenth of them are free a tenth into the next minute."""
    assert seconds_until_room(60, 60, (0, 0.0, 60, 119.0)) == 59 + 6
    assert seconds_until_room(60, 60, (60, 30.0, 30, 90.0)) == 6
    assert seconds_until_room(1, 60, (0, 0.0, 1, 61.0)) == 1 + 60
