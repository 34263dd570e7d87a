"""Recorded games: decks in, breakdown out, compared line by line.

A change of wording or rules shows here as a difference to be read. To record again:
`haggle score EDITION tests/editions/games/EDITION.hands.json --json > tests/editions/games/EDITION.result.json`.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from server.editions import edition_names, load_edition
from server.scoring import score
from server.scoring.document import document_of
from server.scoring.wire import read_request

GAMES = Path(__file__).parent / "games"


@pytest.mark.parametrize("name", edition_names())
def test_a_recorded_game_scores_as_recorded(name: str) -> None:
    """Every edition has a recorded game, and it comes out the same to the letter."""
    edition = load_edition(name)
    request = read_request(edition, (GAMES / f"{name}.hands.json").read_bytes())
    result = document_of(score(edition, request.hands, request.settings, request.active_rules))
    recorded = json.loads((GAMES / f"{name}.result.json").read_text(encoding="utf-8"))
    assert result["edition"] == recorded["edition"] == name
    assert len(result["hands"]) == len(recorded["hands"])
    for hand, expected in zip(result["hands"], recorded["hands"], strict=True):
        lines = hand.pop("lines")
        assert lines == expected.pop("lines"), hand["player"]
        assert hand == expected
