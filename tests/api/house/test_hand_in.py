"""Handing in with the phone: the server's time, a receipt, and no way back."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from server.play.states import State
from server.store.tables import Envelope
from tests.api.house.test_tries import at_once
from tests.engines.festival import on_postgresql
from tests.house import as_organiser, as_player, new_game
from tests.players import DECKS, Player, audited, problem, seal, set_game

if TYPE_CHECKING:
    from flask import Flask
    from werkzeug.test import TestResponse

    from server.play.house import House
    from tests.house import Clock


@pytest.fixture
def game(house: House, clock: Clock) -> str:
    """Return an open game that closes in an hour."""
    game = new_game(house)
    set_game(house, game, deadline=clock.time + timedelta(hours=1))
    return game


@pytest.fixture
def ada(app: Flask, house: House, game: str) -> Player:
    """Return the player of envelope 1."""
    return Player(app, house, game, 1)


def test_a_hand_in_is_the_confirmed_list_at_the_servers_time(
    ada: Player, house: House, game: str, clock: Clock
) -> None:
    """The receipt says what was handed in and when; /me shows it from then on, and the audit has it."""
    deck = ada.lay()
    clock.forward(minutes=7)
    receipt = ada.hand_in(deck).json
    assert receipt
    assert receipt["at"] == "2026-03-25T09:07:00Z"
    assert (receipt["late"], receipt["cards"], receipt["digest"]) == (False, 13, ada.look(deck)["digest"])
    assert ada.me()["receipt"] == receipt
    with house.database.reading() as session:
        row = session.get_one(Envelope, (game, 1))
    assert (row.claim, row.claimed) == (ada.hand, clock.time)
    assert [(entry.who, entry.subject, (entry.after or {})["code"]) for entry in audited(house, game, "hand-in")] == [
        ("envelope 1", "envelope 1", receipt["code"])
    ]


def test_receipts_differ(app: Flask, ada: Player, house: House, game: str) -> None:
    """Nobody can show another player's code as the own one."""
    bob = Player(app, house, game, 2)
    codes = {(player.hand_in(player.lay(ada.hand)).json or {})["code"] for player in (ada, bob)}
    assert len(codes) == 2


@pytest.mark.parametrize(("past", "state", "late"), [(-1, "open", False), (0, "closed", True), (1, "closed", True)])
def test_the_deadline_decides_what_is_late(ada: Player, clock: Clock, past: int, state: str, *, late: bool) -> None:
    """A microsecond before the deadline is in time; at the deadline itself it is taken and marked as late."""
    deck = ada.lay()
    clock.forward(hours=1, microseconds=past)
    receipt = ada.hand_in(deck).json
    assert receipt
    assert receipt["late"] is late
    assert ada.me()["game"]["state"] == state
    clock.forward(days=1)
    assert ada.me()["receipt"] == receipt


def test_a_hand_in_counts_as_of_when_it_came(ada: Player, house: House, clock: Clock) -> None:
    """A request that came in time and had to wait for others is in time, though the game has closed meanwhile."""
    deck = ada.lay()
    clock.forward(minutes=59, seconds=59)
    came = clock.time
    times = iter([came])

    def late_clock() -> object:
        return next(times, came + timedelta(seconds=2))

    house.database.info["clock"] = late_clock
    object.__setattr__(house, "clock", late_clock)
    receipt = ada.hand_in(deck).json
    assert receipt
    assert receipt["late"] is False
    assert ada.me()["game"]["state"] == "closed"


def test_a_late_player_can_photograph_and_hand_in_after_closing(app: Flask, house: House) -> None:
    """It is marked, and the organiser decides."""
    player = Player(app, house, new_game(house, State.CLOSED), 1)
    receipt = player.hand_in(player.lay()).json
    assert receipt
    assert receipt["late"] is True


def test_where_phones_tell_nothing_a_hand_in_has_no_list(app: Flask, ada: Player, house: House, game: str) -> None:
    """The time counts all the same, and the organisers' queue says that there is no list to trust."""
    set_game(house, game, mode="off")
    receipt = ada.hand_in(ada.begin()).json
    assert receipt
    assert (receipt["cards"], receipt["digest"], receipt["late"]) == (None, None, False)
    set_game(house, game, state="closed", closed=house.clock() + timedelta(hours=1))
    items = (as_organiser(app).get(f"/api/v1/games/{game}/queue").json or {})["items"]
    (item,) = [item for item in items if item["key"] == "missing:1"]
    assert item["text"] == "Nobody has photographed envelope 1, but its player handed in by phone, without a list."


def test_no_hand_in_once_the_game_is_counted(app: Flask, house: House) -> None:
    """In a frozen game nothing comes in."""
    game = new_game(house, State.CLOSED)
    player = Player(app, house, game, 1)
    deck = player.lay()
    set_game(house, game, state="frozen")
    assert problem(player.hand_in(deck)) == "409 wrong-state"


def test_there_is_no_way_back(ada: Player, game: str) -> None:
    """After handing in there is no other deck, no picture, no score, no dropping, and no second hand-in."""
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
    assert game


def test_only_a_confirmed_list_is_handed_in(ada: Player) -> None:
    """The player has said yes to every card of it."""
    deck = ada.begin()
    ada.photograph(deck, ada.hand)
    assert problem(ada.hand_in(deck)) == "409 not-confirmed"


def test_a_sealed_envelope_is_not_handed_in(ada: Player, house: House, game: str) -> None:
    """An organiser may have sealed it again since the list was confirmed."""
    deck = ada.lay()
    seal(house, game, 1)
    assert problem(ada.hand_in(deck)) == "409 sealed"


def test_double_taps_give_one_hand_in(app: Flask, ada: Player, house: House, game: str) -> None:
    """Two phones and six taps: one hand-in, one receipt."""
    deck = ada.lay()
    phones = [as_player(app, house, game, 1) for _ in range(6)]
    receipts = at_once(*(lambda phone=phone: phone.post(f"{DECKS}/{deck}/hand-in").data for phone in phones))
    assert len(set(receipts)) == 1
    assert len(audited(house, game, "hand-in")) == 1


@on_postgresql
def test_of_two_decks_handed_in_at_once_one_counts(app: Flask, ada: Player, house: House, game: str) -> None:
    """Two phones of one envelope hand in different decks: one gets a receipt, the other is told."""
    decks = [ada.lay(), ada.lay(ada.hand[1:])] * 3
    phones = [as_player(app, house, game, 1) for _ in decks]
    replies = at_once(
        *(
            lambda phone=phone, deck=deck: phone.post(f"{DECKS}/{deck}/hand-in")
            for phone, deck in zip(phones, decks, strict=True)
        )
    )
    given = {reply.data for reply in replies if reply.status_code == 200}
    assert len(given) == 1
    assert {problem(reply) for reply in replies if reply.status_code != 200} == {"409 handed-in"}
    assert len(audited(house, game, "hand-in")) == 1


def test_two_phones_confirm_one_list(app: Flask, ada: Player, house: House, game: str) -> None:
    """Confirming twice at once is confirming once, and both phones see the same list."""
    deck = ada.begin()
    ada.photograph(deck, ada.hand)
    body = {"digest": ada.look(deck)["digest"]}
    phones = [as_player(app, house, game, 1) for _ in range(4)]
    replies = at_once(*(lambda phone=phone: phone.post(f"{DECKS}/{deck}/confirm", json=body).data for phone in phones))
    assert len(set(replies)) == 1


def test_an_organiser_can_take_a_hand_in_back(app: Flask, ada: Player, house: House, game: str) -> None:
    """With a reason; the list stays confirmed, and the player goes on."""
    deck = ada.lay()
    ada.hand_in(deck)
    olga = as_organiser(app)

    def back(reason: str) -> TestResponse:
        return olga.patch(f"/api/v1/games/{game}/envelopes/1", json={"take_back": True, "reason": reason})

    assert problem(back(" ")) == "422 no-reason"
    assert back("tapped by mistake").json["claimed"] is None  # type: ignore[index]  # there is JSON
    assert ada.me()["receipt"] is None
    assert [(entry.reason, (entry.before or {})["cards"]) for entry in audited(house, game, "take-back")] == [
        ("tapped by mistake", ada.hand)
    ]
    assert ada.check(deck).status_code == 200
    assert ada.hand_in(deck).status_code == 200
    assert back("again").status_code == 200
    assert problem(back("twice")) == "409 conflict"


def test_no_hand_in_is_taken_back_once_the_game_is_counted(app: Flask, ada: Player, house: House, game: str) -> None:
    """From then on the envelopes decide, and corrections are rulings."""
    ada.hand_in(ada.lay())
    set_game(house, game, state="frozen")
    reply = as_organiser(app).patch(f"/api/v1/games/{game}/envelopes/1", json={"take_back": True, "reason": "why"})
    assert problem(reply) == "409 wrong-state"
    assert ada.me()["receipt"]
