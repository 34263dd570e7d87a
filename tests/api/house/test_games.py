"""Organisers make games, set them up, lead them from state to state, and delete them."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from server.api.house.once import HEADER
from server.play.states import State
from server.store.tables import AuditEntry, Game
from tests.house import START, as_organiser, as_player, new_game

if TYPE_CHECKING:
    from flask import Flask

    from server.play.house import House
    from tests.house import Clock

DRAFT = {"name": "At the conference", "edition": "eurocg-2026", "players": 24}
KEY = {HEADER: "one"}


def test_a_new_game_has_the_defaults_of_the_design(app: Flask, house: House) -> None:
    """Known rules, three tries, twenty minutes; what is to be confirmed is told; the key is told to nobody."""
    answer = as_organiser(app).post("/api/v1/games", json=DRAFT, headers=KEY)
    assert answer.status_code == 201
    game = answer.get_json()
    assert (game["state"], game["mode"], game["tries"], game["pause"]) == ("draft", "known", 3, 1200)
    assert game["settings"] == {"blue_base": 1}
    assert any("Not confirmed" in note for note in game["notes"])
    assert "open" not in game["allowed"]
    assert "print" in game["allowed"]
    with house.database.reading() as session:
        row = session.get_one(Game, game["id"])
    assert row.key.hex() not in answer.get_data(as_text=True)
    assert row.seed not in answer.get_data(as_text=True)


def test_a_game_is_made_once(app: Flask) -> None:
    """The same request again gives the same game; the same key for another game is refused."""
    client = as_organiser(app)
    first = client.post("/api/v1/games", json=DRAFT, headers=KEY).get_json()
    assert client.post("/api/v1/games", json=DRAFT, headers=KEY).get_json() == first
    assert client.post("/api/v1/games", json=DRAFT | {"name": "Other"}, headers=KEY).status_code == 422
    assert client.post("/api/v1/games", json=DRAFT).get_json()["type"] == "/problems/no-key"
    assert len(client.get("/api/v1/games").get_json()["games"]) == 1


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"players": 0}, "players"),
        ({"deadline": "2026-03-27T12:00:00"}, "deadline"),
        ({"deadline": 1_800_000_000}, "deadline"),
        ({"deadline": "2020-01-01T00:00:00Z"}, "lies ahead"),
        ({"settings": {"blue_base": True}}, "blue_base"),
        ({"settings": {"green": 1}}, "no such setting"),
        ({"mode": "all"}, "mode"),
        ({"surprise": 1}, "surprise"),
        ({"edition": "chess"}, "unknown edition"),
    ],
)
def test_mistakes_are_named(app: Flask, wrong: dict[str, Any], words: str) -> None:
    """The answer says which field, and no game is made."""
    client = as_organiser(app)
    answer = client.post("/api/v1/games", json=DRAFT | wrong, headers=KEY)
    assert answer.status_code == 422
    assert words in answer.get_json()["detail"]
    assert client.get("/api/v1/games").get_json() == {"games": []}


def test_settings_change_with_before_and_after_in_the_audit(app: Flask, house: House) -> None:
    """What is left out stays; null takes the deadline away."""
    game = new_game(house)
    client = as_organiser(app)
    deadline = (START + timedelta(hours=3)).isoformat()
    answer = client.patch(f"/api/v1/games/{game}", json={"deadline": deadline, "tries": 1, "name": None})
    assert answer.status_code == 200
    assert answer.get_json()["deadline"] == "2026-03-25T12:00:00Z"
    assert answer.get_json()["name"] == "A game"
    assert client.patch(f"/api/v1/games/{game}", json={"deadline": None}).get_json()["deadline"] is None
    with house.database.reading() as session:
        entries = session.scalars(
            select(AuditEntry).where(AuditEntry.game == game, AuditEntry.action == "change").order_by(AuditEntry.id)
        ).all()
    assert [entry.before for entry in entries] == [
        {"deadline": None, "tries": 3},
        {"deadline": "2026-03-25T12:00:00+00:00"},
    ]
    assert {entry.who for entry in entries} == {"Olga"}


def test_what_the_state_forbids_is_refused_with_the_states_that_allow_it(app: Flask, house: House) -> None:
    """The number of players stands once cards are printed."""
    game = new_game(house)
    answer = as_organiser(app).patch(f"/api/v1/games/{game}", json={"players": 7, "tries": 1})
    assert (answer.status_code, answer.get_json()["allowed_in"]) == (409, ["draft"])
    assert as_organiser(app).get(f"/api/v1/games/{game}").get_json()["tries"] == 3


def test_a_game_is_led_from_state_to_state(app: Flask, house: House, clock: Clock) -> None:
    """Opened, closed, opened again, closed; each step a second time is refused with the state that there is."""
    game = new_game(house, State.PRINTED)
    client = as_organiser(app)
    for act, state in (("open", "open"), ("close", "closed"), ("reopen", "open"), ("close", "closed")):
        clock.forward(minutes=1)
        answer = client.post(f"/api/v1/games/{game}/acts", json={"act": act, "reason": "because"})
        assert (answer.status_code, answer.get_json()["state"]) == (200, state)
        again = client.post(f"/api/v1/games/{game}/acts", json={"act": act})
        assert (again.status_code, again.get_json()["state"]) == (409, state)
    assert client.get(f"/api/v1/games/{game}").get_json()["closed"] == "2026-03-25T09:04:00Z"


def test_everybody_sees_the_deadline_pass(app: Flask, house: House, clock: Clock) -> None:
    """Without anybody's doing the list, the game and the player's own page say closed."""
    game = new_game(house, deadline=START + timedelta(hours=1))
    clock.forward(hours=1)
    client = as_organiser(app)
    assert client.get("/api/v1/games").get_json()["games"][0]["state"] == "closed"
    assert client.get(f"/api/v1/games/{game}").get_json()["state"] == "closed"
    assert as_player(app, house, game, 1).get("/api/v1/me").get_json()["game"]["state"] == "closed"


def test_a_deleted_game_is_gone_with_its_photographs(app: Flask, house: House) -> None:
    """A game in play is not deleted; the audit tells who deleted which."""
    assert as_organiser(app).delete(f"/api/v1/games/{new_game(house)}").status_code == 409
    game = new_game(house, State.PRINTED)
    client = as_organiser(app)
    assert client.delete(f"/api/v1/games/{game}").status_code == 204
    assert client.get(f"/api/v1/games/{game}").status_code == 404
    with house.database.reading() as session:
        (entry,) = session.scalars(select(AuditEntry).where(AuditEntry.action == "delete"))
    assert (entry.who, entry.subject) == ("Olga", f"game {game}")


@pytest.mark.parametrize("game", ["0000", "x", "%00%00%00%00", "ABCDE", "éééé", "A" * 5000])
def test_a_game_that_is_not_there_is_not_found(app: Flask, game: str) -> None:
    """Whatever is asked for in its place."""
    assert as_organiser(app).get(f"/api/v1/games/{game}").status_code == 404


def test_settings_that_others_changed_meanwhile_are_not_overwritten_unawares(app: Flask, house: House) -> None:
    """With the revision that was seen: refused once a setting is another; what is no setting changes nothing."""
    game = new_game(house, State.PRINTED)
    client, address = as_organiser(app), f"/api/v1/games/{game}"
    seen = {"If-Match": client.get(address).get_json()["revision"]}
    client.post(f"{address}/acts", json={"act": "open"})
    assert client.get(address).get_json()["revision"] == seen["If-Match"]
    first = client.patch(address, json={"tries": 5}, headers=seen)
    assert (first.status_code, first.get_json()["tries"]) == (200, 5)
    late = client.patch(address, json={"tries": 7}, headers=seen)
    assert (late.status_code, late.get_json()["type"]) == (412, "/problems/changed")
    assert client.get(address).get_json()["tries"] == 5
    again = client.patch(address, json={"tries": 7}, headers={"If-Match": first.get_json()["revision"]})
    assert again.get_json()["tries"] == 7


def test_the_list_says_how_far_each_game_is(app: Flask, house: House) -> None:
    """Envelopes in all, given out and so on; nothing for a draft."""
    drafted, opened = new_game(house, State.DRAFT), new_game(house, State.OPEN, players=4)
    told = {one["id"]: one["counts"] for one in as_organiser(app).get("/api/v1/games").get_json()["games"]}
    nothing = {"joined": 0, "claimed": 0, "received": 0}
    assert told == {drafted: {"envelopes": 0, "open": 0, **nothing}, opened: {"envelopes": 4, "open": 4, **nothing}}
