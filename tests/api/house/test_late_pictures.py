"""Pictures that come just before the end, and are read after it: the organiser hears that the player was in time."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from tests.house import as_organiser, new_game
from tests.players import Player, set_game
from tests.readings import reading

if TYPE_CHECKING:
    from flask import Flask

    from server.play.house import House
    from tests.house import Clock


def _item(app: Flask, game: str, envelope: int) -> dict[str, Any]:
    reply = as_organiser(app).get(f"/api/v1/games/{game}/queue/late:{envelope}")
    assert reply.status_code == 200, reply.text
    return dict(reply.json or {})


@pytest.mark.parametrize(("seconds", "case"), [(-1, "pictured"), (0, ""), (1, "")])
def test_a_late_hand_in_tells_whether_its_pictures_came_in_time(
    app: Flask, house: House, clock: Clock, seconds: int, case: str
) -> None:
    """The last picture of the deck decides; one at the end itself is not in time.

    What is confirmed and handed in after the end is late in any case.
    """
    game = new_game(house)
    end = clock.time + timedelta(minutes=10)
    set_game(house, game, deadline=end)
    player = Player(app, house, game, 1)
    deck = player.begin()
    player.photograph(deck, player.hand[:3], [1])
    clock.forward(minutes=10, seconds=seconds)
    player.add(deck, reading(player.hand, [1]), scanned=end + timedelta(minutes=1))
    clock.forward(minutes=2)
    assert player.confirm(deck).status_code == 200
    assert (player.hand_in(deck).json or {})["late"] is True
    item = _item(app, game, 1)
    assert (item["kind"], item["standing"], item["case"]) == ("late", "open", case)
    assert ("All its pictures had come before it" in item["text"]) == bool(case)


@pytest.mark.parametrize(("first", "last", "case"), [(-60, -1, ""), (-60, 0, "pictured"), (1, -1, "pictured")])
def test_who_waited_for_no_reading_is_not_said_to_have(
    app: Flask, house: House, clock: Clock, first: int, last: int, case: str
) -> None:
    """What came and was read before the end could have been handed in by then. Any picture that was not counts.

    `first` and `last` are when the two pictures were read, in seconds from the end; both had come in time.
    """
    game = new_game(house)
    end = clock.time + timedelta(minutes=10)
    set_game(house, game, deadline=end)
    player = Player(app, house, game, 1)
    deck = player.begin()
    player.add(deck, reading(player.hand[:3], [1]), scanned=end + timedelta(seconds=first))
    clock.forward(minutes=5)
    player.add(deck, reading(player.hand, [1]), scanned=end + timedelta(seconds=last))
    clock.forward(minutes=7)
    assert player.confirm(deck).status_code == 200
    assert (player.hand_in(deck).json or {})["late"] is True
    assert _item(app, game, 1)["case"] == case


def test_pictures_of_another_deck_do_not_count(app: Flask, house: House, clock: Clock) -> None:
    """Only those of the deck that was handed in."""
    game = new_game(house)
    set_game(house, game, deadline=clock.time + timedelta(minutes=10))
    player = Player(app, house, game, 1)
    player.photograph(player.begin(), player.hand, [1])
    clock.forward(minutes=11)
    assert player.hand_in(player.lay()).status_code == 200
    assert _item(app, game, 1)["case"] == ""
