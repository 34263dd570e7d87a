"""Tries and pauses: each new question costs one, and phones that ask at the same time get no more of them."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from server.store.tables import Check
from tests.engines.festival import on_postgresql
from tests.house import as_player, new_game
from tests.players import DECKS, Player, audited, problem, set_game, some_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from flask import Flask

    from server.play.house import House
    from tests.house import Clock

PAUSE = 600


@pytest.fixture
def game(house: House) -> str:
    """Return a game whose players get totals: three tries, ten minutes apart."""
    return new_game(house, mode="total", tries=3, pause=PAUSE)


@pytest.fixture
def ada(app: Flask, house: House, game: str) -> Player:
    """Return the player of envelope 1."""
    return Player(app, house, game, 1)


def asked(player: Player, cards: Sequence[str] | None = None) -> str:
    """Lay out cards and ask for the total; return the score, or the problem."""
    reply = player.check(player.lay(cards))
    return str((reply.json or {})["score"]) if reply.status_code == 200 else problem(reply)


def spent(house: House, game: str) -> int:
    """Return how many tries were spent in a game."""
    with house.database.reading() as session:
        return len(session.scalars(select(Check).where(Check.game == game, Check.spent)).all())


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """Make calls in threads that start together; return their results."""
    results: list[Any] = [None] * len(calls)
    start = threading.Barrier(len(calls))

    def run(place: int) -> None:
        start.wait()
        results[place] = calls[place]()

    threads = [threading.Thread(target=run, args=(place,)) for place in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def test_no_try_is_spent_by_a_phone_that_believes_in_another_mode(ada: Player, house: House, game: str) -> None:
    """Who asks in a mode that costs nothing is told of the change, and nothing is spent; the right mode is answered."""
    address = f"{DECKS}/{ada.lay()}/check"
    assert problem(ada.client.post(address, query_string={"mode": "known"})) == "409 conflict"
    assert spent(house, game) == 0
    assert ada.client.post(address, query_string={"mode": "total"}).status_code == 200
    assert spent(house, game) == 1


def test_a_try_is_spent_when_the_answer_is_new(ada: Player, house: House, game: str, clock: Clock) -> None:
    """Three different decks are three tries; the fourth is refused, and /me has told so all along."""
    assert ada.me()["provisional"] == {"mode": "total", "left": 3, "wait": 0}
    for number in range(3):
        asked(ada, ada.hand[number:])
        assert ada.me()["provisional"] == {"mode": "total", "left": 2 - number, "wait": PAUSE}
        clock.forward(seconds=PAUSE)
    assert asked(ada, ada.hand[3:]) == "429 no-tries"
    assert spent(house, game) == 3


@pytest.mark.parametrize(("waited", "told"), [(-0.001, "429 too-soon"), (0, None), (0.001, None)])
def test_the_pause_ends_to_the_moment(ada: Player, clock: Clock, waited: float, told: str | None) -> None:
    """Just before its end a new deck must wait, at its end it need not; whoever waits as told is never too early."""
    asked(ada)
    clock.forward(seconds=PAUSE + waited)
    deck = ada.lay(ada.hand[1:])
    reply = ada.check(deck)
    assert reply.status_code == (429 if told else 200)
    if told:
        assert problem(reply) == told
        assert reply.headers["Retry-After"] == "1"
        clock.forward(seconds=1)
        assert ada.check(deck).status_code == 200


def test_confirming_costs_nothing(ada: Player, house: House, game: str) -> None:
    """A try is spent by asking, not by looking, photographing or confirming; an unconfirmed list is not answered."""
    deck = ada.begin()
    ada.photograph(deck, ada.hand)
    assert problem(ada.check(deck)) == "409 not-confirmed"
    ada.confirm(deck)
    ada.look(deck)
    assert spent(house, game) == 0


def test_the_same_list_gets_the_old_answer_and_costs_nothing(ada: Player, house: House, game: str) -> None:
    """The same deck again, the same cards in another deck, and other copies of the same kinds, even in the pause."""
    one, two = some_of(house, game, {"red": 2})
    decks = [ada.lay([one]), ada.lay([one]), ada.lay([two])]
    replies = [ada.check(deck).json or {} for deck in (decks[0], *decks)]
    assert [reply["spent"] for reply in replies] == [True, False, False, False]
    assert len({reply["score"] for reply in replies}) == 1
    assert replies[-1]["tries"] == {"mode": "total", "left": 2, "wait": PAUSE}
    assert spent(house, game) == 1


def test_no_more_tries_still_leave_old_answers(ada: Player, house: House, game: str) -> None:
    """Whoever has used all tries can still look at what was told."""
    score = asked(ada)
    set_game(house, game, tries=1)
    assert asked(ada, ada.hand[1:]) == "429 no-tries"
    assert asked(ada) == score


def test_new_values_of_the_organiser_give_a_new_answer_for_nothing(ada: Player, house: House, game: str) -> None:
    """An answer is never stale, and nobody pays for the organiser's correction."""
    blue = some_of(house, game, {"blue": 2})
    first = asked(ada, blue)
    set_game(house, game, settings={"blue_base": 50})
    second = asked(ada, blue)
    assert float(second) - float(first) == 49 * len(blue)
    assert spent(house, game) == 1


def test_tries_are_the_envelopes_not_the_phones(app: Flask, ada: Player, house: House, game: str) -> None:
    """A second phone with the same link shares them; another player's envelope has its own."""
    asked(ada)
    phone = Player(app, house, game, 1)
    assert phone.me()["provisional"]["left"] == 2
    assert Player(app, house, game, 2).me()["provisional"]["left"] == 3


def test_dropping_a_deck_brings_no_try_back(ada: Player, clock: Clock) -> None:
    """What was told stays told."""
    deck = ada.lay()
    ada.check(deck)
    ada.client.delete(f"{DECKS}/{deck}")
    clock.forward(seconds=PAUSE)
    assert ada.me()["provisional"]["left"] == 2


@on_postgresql
@pytest.mark.parametrize("pause", [0, PAUSE])
def test_parallel_questions_never_get_more_tries_than_there_are(
    app: Flask, ada: Player, house: House, game: str, pause: int
) -> None:
    """Six decks asked about at the same time by six phones: three answers, or one where there is a pause."""
    set_game(house, game, pause=pause)
    decks = [ada.lay(ada.hand[number:]) for number in range(6)]
    phones = [as_player(app, house, game, 1) for _ in decks]
    replies = at_once(
        *(
            lambda phone=phone, deck=deck: phone.post(f"{DECKS}/{deck}/check").status_code
            for phone, deck in zip(phones, decks, strict=True)
        )
    )
    assert sorted(replies) == ([200, 200, 200, 429, 429, 429] if not pause else [200, 429, 429, 429, 429, 429])
    assert spent(house, game) == (1 if pause else 3)


def test_a_double_tap_costs_one_try(app: Flask, ada: Player, house: House, game: str) -> None:
    """The same deck asked about six times at once is answered six times, and paid once."""
    deck = ada.lay()
    phones = [as_player(app, house, game, 1) for _ in range(6)]
    replies = at_once(*(lambda phone=phone: phone.post(f"{DECKS}/{deck}/check").json for phone in phones))
    assert len({reply["score"] for reply in replies}) == 1
    assert [reply["spent"] for reply in replies].count(True) == 1
    assert spent(house, game) == 1
    assert len(audited(house, game, "check")) == 1


def test_borrowed_cards_are_told_to_the_organisers_only(
    app: Flask, ada: Player, house: House, game: str, clock: Clock
) -> None:
    """Cards that another player has just checked are answered as any; half an hour later nobody says so any more."""
    ada.check(ada.lay())
    set_game(house, game, pause=0)
    bob = Player(app, house, game, 2)
    clock.forward(minutes=29)
    borrowed = bob.check(bob.lay(ada.hand))
    assert borrowed.status_code == 200
    assert "borrowed" not in borrowed.text
    told = [(entry.subject, entry.after) for entry in audited(house, game, "borrowed-cards")]
    assert told == [("envelope 2", {"envelope 1": ada.hand})]
    clock.forward(minutes=31)
    cy = Player(app, house, game, 3)
    cy.check(cy.lay(ada.hand[1:]))
    assert len(audited(house, game, "borrowed-cards")) == 1


def test_no_score_after_the_deadline(ada: Player, house: House, game: str, clock: Clock) -> None:
    """Just before it a deck is answered, at the deadline itself no longer, and nothing is spent."""
    set_game(house, game, deadline=clock.time + timedelta(hours=1), pause=0)
    first, second = ada.lay(), ada.lay(ada.hand[1:])
    clock.forward(hours=1, microseconds=-1)
    assert ada.check(first).status_code == 200
    clock.forward(microseconds=1)
    assert problem(ada.check(second)) == "409 wrong-state"
    assert problem(ada.check(first)) == "409 wrong-state"
    assert spent(house, game) == 1
