"""Concurrent requests: repeated ones take effect once, and of conflicting ones only one succeeds."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import func, select

from server.db.models import Deck, ProvisionalScore
from server.games.lifecycle.states import State
from server.games.server_config import new_setup_code
from tests.context import ORIGIN, as_organiser, as_player, new_game
from tests.engines.cluster import on_postgresql
from tests.players import DECKS, Player, audited, dealt, problem
from tests.readings import add_photo, reading

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from flask import Flask
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

    from server.games.context import AppContext

pytestmark = on_postgresql
TOGETHER = 5
KEY = {"Idempotency-Key": "one"}


def together(
    clients: Sequence[FlaskClient], call: Callable[[FlaskClient, int], TestResponse]
) -> tuple[list[int], list[TestResponse]]:
    """Let clients call concurrently, each with its number; return the sorted statuses, and the responses."""
    answers: list[TestResponse] = []
    start = threading.Barrier(len(clients))

    def one(client: FlaskClient, number: int) -> None:
        start.wait()
        answers.append(call(client, number))

    threads = [threading.Thread(target=one, args=(client, number)) for number, client in enumerate(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == len(clients)
    return sorted(answer.status_code for answer in answers), answers


def phones(app: Flask, context: AppContext, game: str, number: int = TOGETHER) -> list[FlaskClient]:
    """Return several phones of one envelope."""
    return [as_player(app, context, game, 1) for _ in range(number)]


def _number(context: AppContext, what: Any) -> int:  # noqa: ANN401 - any query
    with context.database.reading() as session:
        return session.scalar(what) or 0


def test_concurrent_counts_with_one_key_create_one_version(app: Flask, context: AppContext) -> None:
    """The second request gets the first one's response, although the game is frozen by then."""
    results = f"/api/v1/games/{new_game(context, State.CLOSED)}/results"
    clients = [as_organiser(app) for _ in range(TOGETHER)]
    body = {"reason": "", "override": "nobody played"}
    statuses, reply = together(clients, lambda client, _: client.post(results, json=body, headers=KEY))
    assert (statuses, len({answer.text for answer in reply})) == ([201] * TOGETHER, 1)


def test_a_double_tap_costs_one_attempt(app: Flask, context: AppContext) -> None:
    """Five taps at each step result in one deck, one list, one attempt and one hand-in."""
    game = new_game(context, mode="total", tries=3, pause=0)
    ada, mine = Player(app, context, game, 1), phones(app, context, game)
    statuses, bodies = together(mine, lambda phone, _: phone.post(DECKS, headers=KEY))
    assert statuses == [201] * TOGETHER
    assert _number(context, select(func.count()).select_from(Deck)) == 1
    deck = f"{DECKS}/{bodies[0].json['id']}"
    ada.photograph(deck.rpartition("/")[2], ada.hand)
    body = {"digest": ada.client.get(deck).json["digest"]}
    for step, sent in (("confirm", body), ("check", None), ("hand-in", None)):
        statuses, bodies = together(
            mine, lambda phone, _, step=step, sent=sent: phone.post(f"{deck}/{step}", json=sent)
        )
        assert statuses == [200] * TOGETHER, step
        if step == "check":
            assert sorted(answer.json["spent"] for answer in bodies) == [False] * (TOGETHER - 1) + [True]
            assert len({answer.json["score"] for answer in bodies}) == 1
        else:
            assert len({answer.data for answer in bodies}) == 1, step
    assert _number(context, select(func.count()).where(ProvisionalScore.game == game, ProvisionalScore.spent)) == 1
    assert [len(audited(context, game, action)) for action in ("check", "hand-in")] == [1, 1]


@pytest.mark.parametrize(("pause", "answered"), [(0, 3), (600, 1)])
def test_concurrent_requests_cannot_exceed_the_attempts(
    app: Flask, context: AppContext, pause: int, answered: int
) -> None:
    game = new_game(context, mode="total", tries=3, pause=pause)
    ada = Player(app, context, game, 1)
    decks = [ada.lay(ada.hand[number:]) for number in range(6)]
    mine = phones(app, context, game, 6)
    statuses, _ = together(mine, lambda phone, number: phone.post(f"{DECKS}/{decks[number]}/check"))
    assert statuses == [200] * answered + [429] * (6 - answered)
    assert (
        _number(context, select(func.count()).where(ProvisionalScore.game == game, ProvisionalScore.spent)) == answered
    )


def test_one_of_two_concurrent_hand_ins_succeeds(app: Flask, context: AppContext) -> None:
    game = new_game(context)
    ada = Player(app, context, game, 1)
    decks = [ada.lay(), ada.lay(ada.hand[1:])]
    mine = phones(app, context, game, 6)
    _, replies = together(mine, lambda phone, number: phone.post(f"{DECKS}/{decks[number % 2]}/hand-in"))
    assert len({reply.data for reply in replies if reply.status_code == 200}) == 1
    assert {problem(reply) for reply in replies if reply.status_code != 200} == {"409 handed-in"}
    assert len(audited(context, game, "hand-in")) == 1


def test_a_name_is_given_to_one_of_several_players(app: Flask, context: AppContext) -> None:
    game = new_game(context)
    clients = [as_player(app, context, game, number) for number in range(1, TOGETHER + 1)]
    statuses, _ = together(clients, lambda client, _: client.patch("/api/v1/me", json={"name": "Ada"}))
    assert statuses == [200, *[409] * (TOGETHER - 1)]


def test_the_first_password_is_chosen_once(app: Flask, context: AppContext) -> None:
    clients = [app.test_client() for _ in range(3)]
    sent = {"password": "three green bottles", "code": new_setup_code(context)}

    def use(client: FlaskClient, number: int) -> TestResponse:
        name = ("Ada", "Bob", "Cleo")[number]
        return client.post("/api/v1/session/setup", json=sent | {"name": name}, headers={"Origin": ORIGIN})

    assert together(clients, use)[0] == [201, 422, 422]


def test_organisers_do_not_overwrite_each_others_decisions(app: Flask, context: AppContext) -> None:
    game = new_game(context, State.CLOSED)
    add_photo(context, game, reading(dealt(context, game, 1)))
    clients = [as_organiser(app, name) for name in ("Olga", "Otto", "Odo")]
    queue = f"/api/v1/games/{game}/queue"
    (item,) = clients[0].get(f"{queue}?kind=no-label").json["items"]

    def decide(client: FlaskClient, number: int) -> TestResponse:
        body = {"do": "assign", "envelope": number + 1, "reason": "Looked at the table."}
        return client.put(f"{queue}/{item['key']}/ruling", json=body, headers={"If-Match": item["revision"]})

    assert together(clients, decide)[0] == [200, 412, 412]
