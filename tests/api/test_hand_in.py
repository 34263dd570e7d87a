"""Hand-ins by players: time, receipt, lateness."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from server.db.models import Envelope
from tests.context import as_organiser, new_game
from tests.players import DECKS, Player, audited, problem, seal, set_game
from tests.readings import reading

if TYPE_CHECKING:
    from flask import Flask
    from werkzeug.test import TestResponse

    from server.games.context import AppContext
    from tests.context import Clock


@pytest.fixture
def game(context: AppContext, clock: Clock) -> str:
    """Return an open game that closes in an hour."""
    game = new_game(context)
    set_game(context, game, deadline=clock.time + timedelta(hours=1))
    return game


@pytest.fixture
def ada(app: Flask, context: AppContext, game: str) -> Player:
    """Return the player of envelope 1."""
    return Player(app, context, game, 1)


def receipt_of(reply: TestResponse) -> dict[str, Any]:
    """Return the receipt of a hand-in."""
    assert reply.status_code == 200, reply.text
    return reply.json


def test_a_hand_in_has_the_confirmed_list_and_the_servers_time(
    app: Flask, ada: Player, context: AppContext, game: str, clock: Clock
) -> None:
    """The receipt shows list and time; /me and the audit log have them too."""
    deck = ada.begin()
    ada.photograph(deck, ada.hand, [1])
    assert problem(ada.hand_in(deck)) == "409 not-confirmed"
    ada.confirm(deck)
    clock.forward(minutes=7)
    receipt = receipt_of(ada.hand_in(deck))
    assert receipt["at"] == "2026-03-25T09:07:00Z"
    assert (receipt["late"], receipt["cards"], receipt["digest"]) == (False, 13, ada.look(deck)["digest"])
    assert ada.me()["receipt"] == receipt
    with context.database.reading() as session:
        row = session.get_one(Envelope, (game, 1))
    assert (row.submitted_cards, row.submitted_at) == (ada.hand, clock.time)
    assert [(entry.who, entry.subject, (entry.after or {})["code"]) for entry in audited(context, game, "hand-in")] == [
        ("envelope 1", "envelope 1", receipt["code"])
    ]
    bob = Player(app, context, game, 2)
    assert receipt_of(bob.hand_in(bob.lay(ada.hand)))["code"] != receipt["code"]


@pytest.mark.parametrize(("past", "state", "late"), [(-1, "open", False), (0, "closed", True)])
def test_hand_ins_after_the_deadline_are_late(ada: Player, clock: Clock, past: int, state: str, *, late: bool) -> None:
    deck = ada.lay()
    clock.forward(hours=1, microseconds=past)
    receipt = receipt_of(ada.hand_in(deck))
    assert (receipt["late"], ada.me()["game"]["state"]) == (late, state)
    clock.forward(days=1)
    assert ada.me()["receipt"] == receipt


def test_the_time_of_a_hand_in_is_that_of_its_request(ada: Player, context: AppContext, clock: Clock) -> None:
    """A request that arrived in time but had to wait is in time, although the game has closed."""
    deck = ada.lay()
    clock.forward(minutes=59, seconds=59)
    came = clock.time
    times = iter([came])

    def late_clock() -> object:
        return next(times, came + timedelta(seconds=2))

    context.database.clock = late_clock
    object.__setattr__(context, "clock", late_clock)
    assert receipt_of(ada.hand_in(deck))["late"] is False
    assert ada.me()["game"]["state"] == "closed"


def test_a_hand_in_has_no_list_if_decks_are_hidden(app: Flask, ada: Player, context: AppContext, game: str) -> None:
    """Its time counts, and an issue for organisers says that there is no list."""
    set_game(context, game, mode="off")
    receipt = receipt_of(ada.hand_in(ada.begin()))
    assert (receipt["cards"], receipt["digest"], receipt["late"]) == (None, None, False)
    set_game(context, game, state="closed", closed=context.clock() + timedelta(hours=1))
    item = as_organiser(app).get(f"/api/v1/games/{game}/queue/missing:1").json
    assert item["text"] == "Nobody has photographed envelope 1, but its player handed in by phone, without a list."


def test_hand_ins_need_an_open_envelope_and_an_unscored_game(ada: Player, context: AppContext, game: str) -> None:
    """The envelope may have been sealed after the list was confirmed."""
    deck = ada.lay()
    set_game(context, game, state="frozen")
    assert problem(ada.hand_in(deck)) == "409 wrong-state"
    set_game(context, game, state="open")
    seal(context, game, 1)
    assert problem(ada.hand_in(deck)) == "409 sealed"


def test_a_player_cannot_withdraw_a_hand_in(ada: Player) -> None:
    other, deck, empty = ada.lay(ada.hand[1:]), ada.lay(), ada.begin()
    ada.photograph(empty, ada.hand)
    first = ada.hand_in(deck)
    form = {"content_type": "multipart/form-data", "headers": {"Idempotency-Key": "k"}}
    refused = [
        ada.client.post(DECKS, headers={"Idempotency-Key": "k"}),
        ada.client.post(f"{DECKS}/{empty}/photos", **form),
        ada.confirm(empty),
        ada.check(deck),
        ada.check(other),
        ada.hand_in(other),
        ada.client.delete(f"{DECKS}/{deck}"),
    ]
    assert {problem(reply) for reply in refused} == {"409 handed-in"}
    assert ada.hand_in(deck).json == first.json


def test_an_organiser_can_withdraw_a_hand_in(app: Flask, ada: Player, context: AppContext, game: str) -> None:
    """It needs a reason and is possible until the count. The list stays confirmed, and the player can continue."""
    deck = ada.lay()
    ada.hand_in(deck)
    olga = as_organiser(app)

    def back(reason: str) -> TestResponse:
        return olga.patch(f"/api/v1/games/{game}/envelopes/1", json={"take_back": True, "reason": reason})

    assert problem(back(" ")) == "422 no-reason"
    set_game(context, game, state="frozen")
    assert problem(back("why")) == "409 wrong-state"
    assert ada.me()["receipt"]
    set_game(context, game, state="open")
    assert back("tapped by mistake").json["claimed"] is None
    assert ada.me()["receipt"] is None
    assert [(entry.reason, (entry.before or {})["cards"]) for entry in audited(context, game, "take-back")] == [
        ("tapped by mistake", ada.hand)
    ]
    assert ada.check(deck).status_code == 200
    assert ada.hand_in(deck).status_code == 200
    assert back("again").status_code == 200
    assert problem(back("twice")) == "409 conflict"


LATE = {
    "all in time, the last read late": ((-1, -3600, 60), "pictured"),
    "the last not in time": ((0, -3600, 60), ""),
    "all read before the end": ((-300, -60, -1), ""),
    "the last read at the end": ((-300, -60, 0), "pictured"),
    "the first read late": ((-300, 1, -1), "pictured"),
}
"""Seconds from the deadline to the last upload and to the first and last scan, for each case."""


@pytest.mark.parametrize(("seconds", "case"), LATE.values(), ids=LATE)
def test_a_late_hand_in_shows_whether_its_photos_were_in_time(
    app: Flask, ada: Player, game: str, clock: Clock, seconds: tuple[int, int, int], case: str
) -> None:
    """A player who did not wait for a scan could have handed in. Photos of other decks do not count."""
    end = clock.time + timedelta(hours=1)
    came, first_read, last_read = (end + timedelta(seconds=number) for number in seconds)
    ada.add(ada.begin(), reading(ada.hand, [1]), scanned=end + timedelta(minutes=1))
    deck = ada.begin()
    ada.add(deck, reading(ada.hand[:3], [1]), scanned=first_read)
    clock.time = came
    ada.add(deck, reading(ada.hand, [1]), scanned=last_read)
    clock.forward(minutes=10)
    assert ada.confirm(deck).status_code == 200
    assert receipt_of(ada.hand_in(deck))["late"] is True
    item = as_organiser(app).get(f"/api/v1/games/{game}/queue/late:1").json
    assert (item["kind"], item["standing"], item["case"]) == ("late", "open", case)
    assert ("All its pictures had arrived before then" in item["text"]) == bool(case)
