"""Attempts at provisional scores: each new list costs one."""

from __future__ import annotations

import dataclasses
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from server.db.models import ProvisionalScore
from server.editions import load_edition
from server.games.players.provisional_score import LEAVES_OUT, left_out
from server.scoring.edition import PlayerFact
from tests.context import new_game
from tests.players import DECKS, Player, audited, problem, set_game, some_of
from tests.readings import reading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flask import Flask

    from server.games.context import AppContext
    from server.games.photos.readings import Reading
    from tests.context import Clock

PAUSE = 600


@pytest.fixture
def game(context: AppContext) -> str:
    """Return a game in which players get totals: three attempts, ten minutes apart."""
    return new_game(context, mode="total", tries=3, pause=PAUSE)


@pytest.fixture
def ada(app: Flask, context: AppContext, game: str) -> Player:
    """Return the player of envelope 1."""
    return Player(app, context, game, 1)


def asked(player: Player, cards: Sequence[str] | None = None) -> str:
    """Photograph and confirm cards and ask for the total; return the score, or the problem."""
    reply = player.check(player.lay(cards))
    return str(reply.json["score"]) if reply.status_code == 200 else problem(reply)


def spent(context: AppContext, game: str) -> int:
    """Return the number of attempts in a game."""
    with context.database.reading() as session:
        return len(
            session.scalars(select(ProvisionalScore).where(ProvisionalScore.game == game, ProvisionalScore.spent)).all()
        )


def test_a_new_answer_costs_an_attempt(app: Flask, ada: Player, context: AppContext, game: str, clock: Clock) -> None:
    """Photographing and confirming cost nothing. The fourth deck is refused, and old answers remain available."""
    deck = ada.begin()
    ada.photograph(deck, ada.hand)
    assert problem(ada.check(deck)) == "409 not-confirmed"
    ada.confirm(deck)
    assert ada.me()["provisional"] == {"mode": "total", "left": 3, "wait": 0}
    scores = []
    for number in range(3):
        scores.append(asked(ada, ada.hand[number:]))
        assert ada.me()["provisional"] == {"mode": "total", "left": 2 - number, "wait": PAUSE}
        clock.forward(seconds=PAUSE)
    assert asked(ada, ada.hand[3:]) == "429 no-tries"
    assert [asked(ada, ada.hand[number:]) for number in range(3)] == scores
    for laid in ada.me()["decks"]:
        assert ada.client.delete(f"{DECKS}/{laid['id']}").status_code == 204
    for number, left in ((1, 0), (2, 3)):
        # A second phone with the same link shares the attempts of the envelope.
        assert Player(app, context, game, number).me()["provisional"]["left"] == left
    assert spent(context, game) == 3


def test_the_pause_ends_exactly_on_time(ada: Player, clock: Clock) -> None:
    ada.check(ada.lay())
    clock.forward(seconds=PAUSE - 0.001)
    deck = ada.lay(ada.hand[1:])
    early = ada.check(deck)
    assert (problem(early), early.headers["Retry-After"]) == ("429 too-soon", "1")
    clock.forward(seconds=0.001)
    assert ada.check(deck).status_code == 200


def test_a_request_for_an_outdated_mode_costs_nothing(ada: Player, context: AppContext, game: str) -> None:
    address = f"{DECKS}/{ada.lay()}/check"
    assert problem(ada.client.post(address, query_string={"mode": "known"})) == "409 conflict"
    assert spent(context, game) == 0
    assert ada.client.post(address, query_string={"mode": "total"}).status_code == 200
    assert spent(context, game) == 1


def test_the_same_list_costs_nothing(ada: Player, context: AppContext, game: str) -> None:
    one, two = some_of(context, game, {"red": 2})
    decks = [ada.lay([one]), ada.lay([one]), ada.lay([two])]
    replies = [ada.check(deck).json for deck in (decks[0], *decks)]
    assert [reply["spent"] for reply in replies] == [True, False, False, False]
    assert len({reply["score"] for reply in replies}) == 1
    assert replies[-1]["tries"] == {"mode": "total", "left": 2, "wait": PAUSE}
    assert spent(context, game) == 1


def test_changed_settings_give_a_new_answer_at_no_cost(ada: Player, context: AppContext, game: str) -> None:
    blue = some_of(context, game, {"blue": 2})
    first = asked(ada, blue)
    set_game(context, game, settings={"blue_base": 50})
    assert float(asked(ada, blue)) - float(first) == 49 * len(blue)
    assert spent(context, game) == 1


def test_only_organisers_see_borrowed_cards(
    app: Flask, ada: Player, context: AppContext, game: str, clock: Clock
) -> None:
    """Responses do not show that another player checked the cards. Organisers see it for half an hour."""
    ada.check(ada.lay())
    set_game(context, game, pause=0)
    bob, cy = Player(app, context, game, 2), Player(app, context, game, 3)
    clock.forward(minutes=29)
    borrowed = bob.check(bob.lay(ada.hand))
    assert borrowed.status_code == 200
    assert "borrowed" not in borrowed.text
    clock.forward(minutes=31)
    cy.check(cy.lay(ada.hand[1:]))
    result = [(entry.subject, entry.after) for entry in audited(context, game, "borrowed-cards")]
    assert result == [("envelope 2", {"envelope 1": ada.hand})]


def test_no_score_after_the_deadline(ada: Player, context: AppContext, game: str, clock: Clock) -> None:
    set_game(context, game, deadline=clock.time + timedelta(hours=1), pause=0)
    decks = [ada.lay(), ada.lay(ada.hand[1:])]
    clock.forward(hours=1, microseconds=-1)
    assert ada.check(decks[0]).status_code == 200
    clock.forward(microseconds=1)
    assert [problem(ada.check(deck)) for deck in decks] == ["409 wrong-state"] * 2
    assert spent(context, game) == 1


def test_a_full_score_says_that_it_leaves_out_the_named_players() -> None:
    edition = load_edition("eurocg-2026")
    naming = dataclasses.replace(edition, player_facts=(PlayerFact("friend", "Friend?"),))
    assert set(left_out(naming, "full")) - set(left_out(edition, "full")) == {"facts"}


@pytest.mark.parametrize("mode", ["known", "full"])
def test_a_free_score_needs_no_confirmation(ada: Player, context: AppContext, game: str, mode: str) -> None:
    """The list of decks shows the score until the list changes. Confirming the list changes nothing."""
    set_game(context, game, mode=mode)
    red, blue = some_of(context, game, {"red": 1, "blue": 1})
    deck = ada.begin()
    ada.photograph(deck, [red], [1])
    first = ada.check(deck).json
    assert (first["total"], first["digest"]) == (1, ada.look(deck)["digest"])
    assert first["leaves_out"] == (["other-hands"] if mode == "full" else list(LEAVES_OUT["known"]))
    assert ada.me()["decks"][0]["state"] == "open"
    assert ada.decks()[0]["score"] == first["score"]
    ada.photograph(deck, [blue])
    assert ada.decks()[0]["score"] is None
    second = ada.check(deck).json
    assert second["total"] == 2
    ada.confirm(deck)
    assert ada.check(deck).json == second
    with context.database.reading() as session:
        assert len(session.scalars(select(ProvisionalScore).where(ProvisionalScore.game == game)).all()) == 2


@pytest.mark.parametrize(
    "found",
    [None, reading([]), reading(["red-001"], doubts=["glare"]), reading(["red-001"], [2])],
    ids=["not yet read", "no cards", "an unread place", "another label"],
)
def test_an_incomplete_list_gets_no_score_without_confirmation(
    ada: Player, context: AppContext, game: str, found: Reading | None
) -> None:
    set_game(context, game, mode="known")
    deck = ada.begin()
    ada.add(deck, found)
    assert problem(ada.check(deck)) == "409 not-confirmed"


def test_borrowed_cards_are_noticed_without_confirmation(
    app: Flask, ada: Player, context: AppContext, game: str
) -> None:
    """Cards of the same kinds are other cards."""
    set_game(context, game, mode="full")
    own, borrowed = some_of(context, game, {"red": 2})
    bob = Player(app, context, game, 2)
    for player, card in ((bob, borrowed), (ada, own)):
        deck = player.begin()
        photo = player.photograph(deck, [card])
        assert player.check(deck).status_code == 200
    ada.client.delete(f"{DECKS}/{deck}/photos/{photo}")
    ada.photograph(deck, [borrowed])
    assert ada.check(deck).status_code == 200
    result = [(entry.subject, entry.after) for entry in audited(context, game, "borrowed-cards")]
    assert result == [("envelope 1", {"envelope 2": [borrowed]})]
