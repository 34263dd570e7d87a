"""Sackson's game and the tarot edition agree with independent counts, on random games of 2 to 8 hands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.editions import load_edition
from server.scoring import score
from server.scoring.wire import read_request
from tests.editions import sackson_reference, tarot_reference
from tests.editions.games_strategy import games

if TYPE_CHECKING:
    from server.scoring import Hand

SACKSON = load_edition("sackson-1969")
TAROT = load_edition("tarot-fr")
RULES = range(1, 16)
GAMES = Path(__file__).parent / "games"


@settings(max_examples=1500, deadline=None)
@given(games("sackson-1969", least=2), st.text(max_size=5), st.sets(st.sampled_from(RULES)), st.booleans())
def test_sackson_agrees_with_the_reference(hands: list[Hand], seed: str, left_out: set[int], whole: bool) -> None:  # noqa: FBT001 - drawn
    """Every score and every elimination is that of the second count, with all rules and with some left out."""
    active = [rule for rule in RULES if whole or rule not in left_out]
    result = score(SACKSON, hands, {"seed": seed}, active)
    found = {hand.hand.player: None if hand.eliminated else hand.score for hand in result.hands}
    assert found == sackson_reference.reference({hand.player: hand.cards for hand in hands}, seed, active)


@settings(max_examples=1500, deadline=None)
@given(games("tarot-fr", least=2))
def test_tarot_agrees_with_the_reference(hands: list[Hand]) -> None:
    """Every score is that of the second count, halves included."""
    result = score(TAROT, hands)
    cancelled = {int(key) for hand in hands for key in hand.cancels}
    expected = tarot_reference.reference({hand.player: hand.cards for hand in hands}, cancelled)
    assert {hand.hand.player: hand.score for hand in result.hands} == expected


@pytest.mark.parametrize("name", ["sackson-1969", "tarot-fr"])
def test_the_recorded_games_agree_with_the_references(name: str) -> None:
    """What is recorded as right has been counted twice."""
    edition = load_edition(name)
    request = read_request(edition, (GAMES / f"{name}.hands.json").read_bytes())
    cards = {hand.player: hand.cards for hand in request.hands}
    result = score(edition, request.hands, request.settings)
    found = {hand.hand.player: None if hand.eliminated else hand.score for hand in result.hands}
    if name == "tarot-fr":
        assert found == tarot_reference.reference(cards, {int(key) for hand in request.hands for key in hand.cancels})
    else:
        assert found == sackson_reference.reference(cards, str(request.settings["seed"]), RULES)
