"""What players without a name are called, and what is said of hands that do not count."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from server.editions import load_edition
from server.play.house import game_row
from server.play.inputs import game_inputs
from server.play.states import State
from server.store.tables import Envelope
from tests.house import new_game
from tests.readings import add_photo, reading

if TYPE_CHECKING:
    from server.play.house import House


def _players(house: House, game: str) -> list[str]:
    with house.database.reading() as session:
        return [hand["player"] for hand in game_inputs(session, game_row(session, game)).game["hands"]]


@pytest.mark.parametrize(
    ("language", "names"),
    [("en", ["Envelope 1", "Ada"]), ("de", ["Umschlag 1", "Ada"]), ("fr", ["Enveloppe 1", "Ada"])],
)
def test_a_player_without_a_name_is_called_by_the_envelope(house: House, language: str, names: list[str]) -> None:
    """The word is one of the game's language."""
    game = new_game(house, State.CLOSED, language=language)
    with house.database.writing() as session:
        session.get_one(Envelope, (game, 2)).name = "Ada"
    for envelope in (1, 2):
        add_photo(house, game, reading([], [envelope]))
    assert _players(house, game) == names


def test_no_two_hands_have_one_name(house: House) -> None:
    """A name that looks like the one of a nameless player is told apart by its envelope."""
    game = new_game(house, State.CLOSED)
    with house.database.writing() as session:
        session.get_one(Envelope, (game, 1)).name = "Envelope 2"
    for envelope in (1, 2):
        add_photo(house, game, reading([], [envelope]))
    assert _players(house, game) == ["Envelope 2", "Envelope 2 (2)"]


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_each_reason_not_to_count_has_words(language: str) -> None:
    """Every reason that a hand can be left out for is said in the edition's language."""
    phrases = load_edition("eurocg-2026", language).phrases
    for reason in ("not_seen", "absent", "late_refused", "sealed"):
        said = phrases["left_out"].format(envelope=7, reason=phrases[f"left_out_{reason}"])
        assert "7" in said
        assert said.endswith(".")
