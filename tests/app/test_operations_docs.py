"""The page for operators tells the figures that the code has."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from server.api.house import uploads
from server.app.house import HouseConfig
from server.jobs import queue
from server.play import intake, retention
from server.play.games import Draft
from server.store import photos, stripping
from tests.app import test_kills

PAGE = (Path(__file__).parents[2] / "docs" / "operations.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "said",
    [
        f"{HouseConfig(Path()).max_photo_bytes // 1_000_000} MB |",
        f"{stripping.MAX_PIXELS // 1_000_000} million, {stripping.MAX_SIDE:,} a side",
        f"{intake.MOST_IN_DECK} a deck, {intake.MOST_OF_PLAYER} in all",
        f"{intake.MOST_IN_GAME:,} a game",
        f"{uploads.PLACES} a process, and {uploads.MEMORY // 1_000_000} MB of them",
        f"a lease of {queue.LEASE:.0f} seconds",
        f"`--keep-hours` ({Draft('', '', 1).keep_hours})",
        f"`--keep-days` ({Draft('', '', 1).keep_days})",
        f"Pictures leave {photos.RESERVE // 1_000_000} MB free",
    ],
)
def test_the_page_tells_the_figure(said: str) -> None:
    """Each bound stands on the page as it stands in the code."""
    assert said in PAGE


def test_the_page_tells_the_words() -> None:
    """What the page says in words instead of figures."""
    assert queue.TRIES == 3
    assert retention.ANSWERS.days == 2
    assert retention.ORPHANS.total_seconds() == 3600
    assert '"25"' in inspect.getsource(test_kills)
    assert "25 times" in PAGE
