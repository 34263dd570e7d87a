"""Requests that come in at the same moment: the same twice is done once, and of two that exclude each other one is."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from server.store.tables import Answer, AuditEntry, Check, Deck, Game
from tests.engines.festival import on_postgresql
from tests.house import as_organiser, as_player, new_game
from tests.players import Player

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

    from server.play.house import House

TOGETHER = 5


def together(clients: list[FlaskClient], call: Callable[[FlaskClient], TestResponse]) -> list[TestResponse]:
    """Let clients call at the same moment; return what they got."""
    answers: list[TestResponse] = []
    start = threading.Barrier(len(clients))

    def one(client: FlaskClient) -> None:
        start.wait()
        answers.append(call(client))

    threads = [threading.Thread(target=one, args=(client,)) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == len(clients)
    return answers


def _number(house: House, what: Any) -> int:  # noqa: ANN401 - any condition, or a table
    with house.database.reading() as session:
        return session.scalar(what) or 0


@on_postgresql
def test_the_same_key_at_once_makes_one_game(app: Flask, house: House) -> None:
    """All get the answer of the first."""
    body = {"name": "Friday", "edition": "eurocg-2026", "players": 4}
    clients = [as_organiser(app) for _ in range(TOGETHER)]
    told = together(clients, lambda client: client.post("/api/v1/games", json=body, headers={"Idempotency-Key": "one"}))
    assert [answer.status_code for answer in told] == [201] * TOGETHER
    assert len({(answer.json or {})["id"] for answer in told}) == 1
    assert _number(house, select(func.count()).select_from(Game)) == 1
    assert _number(house, select(func.count()).select_from(Answer)) == 1


@on_postgresql
def test_a_player_begins_one_deck_with_a_key(app: Flask, house: House) -> None:
    """However often the phone has sent it."""
    game = new_game(house)
    clients = [as_player(app, house, game, 1) for _ in range(TOGETHER)]
    told = together(clients, lambda client: client.post("/api/v1/me/decks", headers={"Idempotency-Key": "one"}))
    assert [answer.status_code for answer in told] == [201] * TOGETHER
    assert _number(house, select(func.count()).select_from(Deck)) == 1


@on_postgresql
def test_a_name_goes_to_one_of_those_who_want_it(app: Flask, house: House) -> None:
    """The others are told that it is taken."""
    game = new_game(house)
    clients = [as_player(app, house, game, number) for number in range(1, TOGETHER + 1)]
    told = together(clients, lambda client: client.patch("/api/v1/me", json={"name": "Ada"}))
    assert sorted(answer.status_code for answer in told) == [200, *[409] * (TOGETHER - 1)]


@on_postgresql
def test_a_try_is_spent_once(app: Flask, house: House) -> None:
    """A player who asks five times at the same moment pays for one answer."""
    game = new_game(house, mode="total", tries=3, pause=0)
    player = Player(app, house, game, 1)
    deck = player.lay()
    clients = [as_player(app, house, game, 1) for _ in range(TOGETHER)]
    told = together(clients, lambda client: client.post(f"/api/v1/me/decks/{deck}/check"))
    assert [answer.status_code for answer in told] == [200] * TOGETHER
    assert _number(house, select(func.count()).where(Check.game == game, Check.spent)) == 1


@on_postgresql
def test_a_hand_in_is_there_once(app: Flask, house: House) -> None:
    """Each gets the same receipt."""
    game = new_game(house)
    deck = Player(app, house, game, 1).lay()
    clients = [as_player(app, house, game, 1) for _ in range(TOGETHER)]
    told = together(clients, lambda client: client.post(f"/api/v1/me/decks/{deck}/hand-in"))
    assert [answer.status_code for answer in told] == [200] * TOGETHER
    assert len({answer.text for answer in told}) == 1
    assert _number(house, select(func.count()).where(AuditEntry.action == "hand-in")) == 1


@on_postgresql
def test_a_count_asked_for_twice_with_a_key_is_one_version(app: Flask, house: House) -> None:
    """Who comes second gets the first one's answer, though the game is frozen by then."""
    game = new_game(house)
    boss = as_organiser(app)
    assert boss.post(f"/api/v1/games/{game}/acts", json={"act": "close"}).status_code == 200
    clients = [as_organiser(app) for _ in range(TOGETHER)]
    body = {"reason": "", "override": "nobody played"}
    told = together(
        clients,
        lambda client: client.post(f"/api/v1/games/{game}/results", json=body, headers={"Idempotency-Key": "one"}),
    )
    assert {(answer.status_code, answer.text) for answer in told} == {(201, told[0].text)}
