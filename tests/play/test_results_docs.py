"""`docs/results.md` says what the code does."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.api.house import events as streams
from server.api.house import exports as files
from server.cli.results import command
from server.play import events, exports, game_archive
from server.play.events import Audience
from server.store.tables import Change
from tests.house import START

TEXT = (Path(__file__).parents[2] / "docs" / "results.md").read_text(encoding="utf-8")
PLAIN = " ".join(TEXT.split())


@pytest.mark.parametrize("option", [name for option in command.params for name in option.opts if name.startswith("--")])
def test_every_option_of_the_command_is_told(option: str) -> None:
    """Whoever reads the page knows all of `haggle results`."""
    assert option in TEXT


@pytest.mark.parametrize("name", [exports.RANKING, exports.MATRIX, exports.REPLAY, exports.PDF])
def test_every_file_is_told(name: str) -> None:
    """Each has a row that says what it is for."""
    assert f"| `{name}` |" in TEXT


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        (events.MOST, "A process serves {} streams"),
        (streams.HEARTBEAT, "every {:.0f} seconds"),
        (game_archive.MOST_BYTES / 1e9, "the command takes {:.0f} GB"),
        (files.MOST_BYTES / 1e9, "a file may have {:.0f} GB"),
    ],
)
def test_numbers_are_those_of_the_code(number: float, sentence: str) -> None:
    """A bound that changes changes the page."""
    assert sentence.format(number) in PLAIN


def test_bounds_in_words_are_those_of_the_code() -> None:
    """Two hours, five minutes, a seventh stream, three counts."""
    assert events.KEPT.total_seconds() == 2 * 3600
    assert "kept for two hours" in PLAIN
    assert streams.LIFE == 5 * 60
    assert "ends after five minutes" in PLAIN
    assert events.MOST_ALIKE == 6
    assert "A seventh stream of the same player" in PLAIN


@pytest.mark.parametrize("topic", ["game", "envelopes", "photos", "queue", "results"])
def test_every_topic_is_told_to_whom_the_page_says(topic: str) -> None:
    """The table has a row for each; players and the screen hear of what stands there."""
    change = Change(id=1, game="ABCD", topic=topic, envelope=1, at=START)
    row = next(line for line in TEXT.splitlines() if line.startswith("| `") and f"`{topic}`" in line)
    everybody = "everybody" in row
    assert (Audience("ABCD", "player", 1).sees(change) is not None) == (everybody or "players" in row)
    assert Audience("ABCD", "player", 2).sees(change) == (topic if everybody else None)
    assert (Audience("ABCD", "projector").sees(change) == "game") == everybody
    assert Audience("ABCD", "organiser").sees(change) == topic
