"""Who comes when before a deadline."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.load.plan import CROWD, Haste, chance, schedule

_SEEDS = st.text("ab1", min_size=1, max_size=3)


@settings(deadline=None)
@given(st.integers(1, 60), st.integers(0, 60), st.floats(1, 600), _SEEDS)
def test_everybody_comes_once_before_the_deadline(players: int, streams: int, seconds: float, seed: str) -> None:
    """The same seed gives the same; each has one or two pictures; so many watch from the start."""
    plans = schedule(players, streams, Haste(seconds), seed)
    assert plans == schedule(players, streams, Haste(seconds), seed)
    assert [plan.envelope for plan in plans] == list(range(1, players + 1))
    assert all(0 <= plan.arrives <= seconds for plan in plans)
    assert {plan.photos for plan in plans} <= {1, 2}
    assert sum(plan.watches for plan in plans) == min(streams, players)


@settings(deadline=None)
@given(_SEEDS)
def test_most_come_last(seed: str) -> None:
    """Each part of the time before the deadline has its share of the crowd, to a player."""
    seconds, players = 300.0, 150
    times = [plan.arrives for plan in schedule(players, players, Haste(seconds), seed)]
    end = seconds
    for time, crowd in CROWD:
        start = end - seconds * time
        assert abs(sum(start < at <= end for at in times) - players * crowd) <= 1
        end = start


@settings(deadline=None)
@given(st.lists(st.integers(), max_size=4))
def test_chance_is_a_share(of: list[int]) -> None:
    """From 0 to 1, and decided by what it is made of."""
    assert 0 <= chance(*of) < 1
    assert chance(*of) == chance(*of)
