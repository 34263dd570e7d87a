"""How many pictures of others are read before a player's, as far as anybody can tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.house import new_game
from tests.players import Player
from tests.readings import add_photo, reading

if TYPE_CHECKING:
    from flask import Flask

    from server.play.house import House
    from tests.house import Clock


def test_pictures_of_others_that_came_before_and_wait_are_counted(app: Flask, house: House, clock: Clock) -> None:
    """Not the own ones, not those that were read or came later, and none of the organisers'."""
    game = new_game(house)
    ada, bob, eve = (Player(app, house, game, envelope) for envelope in (1, 2, 3))
    first = bob.begin()
    bob.add(first, None)
    bob.add(first, None)
    bob.add(first, reading())
    add_photo(house, game)
    clock.forward(seconds=1)
    deck, other = ada.begin(), eve.begin()
    ada.add(deck, None)
    assert ada.look(deck)["ahead"] == 2
    clock.forward(seconds=1)
    eve.add(other, None)
    ada.add(deck, None)
    clock.forward(seconds=1)
    eve.add(other, None)
    assert [player.look(of)["ahead"] for player, of in ((bob, first), (ada, deck), (eve, other))] == [0, 2, 4]


def test_whoever_waits_for_nothing_is_told_of_nobody(app: Flask, house: House) -> None:
    """A deck whose pictures are read, or that has none."""
    game = new_game(house)
    ada, bob = Player(app, house, game, 1), Player(app, house, game, 2)
    bob.add(bob.begin(), None)
    deck = ada.begin()
    assert ada.look(deck)["ahead"] == 0
    ada.add(deck, reading(ada.hand))
    assert ada.look(deck)["ahead"] == 0
