"""A player's own place: what /me tells, and what may be changed there."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from server.editions import load_edition
from server.play.states import State
from tests.house import new_game
from tests.players import Player, audited, problem, seal, set_game

if TYPE_CHECKING:
    from flask import Flask

    from server.play.house import House
    from tests.house import Clock


@pytest.mark.parametrize("state", [state for state in State if state is not State.DRAFT])
def test_me_tells_the_public_facts_in_every_state(app: Flask, house: House, state: State) -> None:
    """State, deadline and mode of the game, and the own envelope."""
    game = new_game(house, state, deadline=None, mode="total", tries=2)
    me = Player(app, house, game, 3).me()
    assert (me["game"]["id"], me["game"]["state"], me["envelope"]["number"]) == (game, state.value, 3)
    assert me["provisional"] == {"mode": "total", "left": 2, "wait": 0}
    assert me["receipt"] is None
    assert me["decks"] == []


def test_me_tells_nothing_of_rules_keys_or_others(app: Flask, house: House) -> None:
    """Neither settings, active rules, seed or key of the game nor anybody else's name."""
    game = new_game(house, active_rules=["5", "7"], settings={"blue_base": 917})
    other = Player(app, house, game, 2)
    other.client.patch("/api/v1/me", json={"name": "Grace"})
    me = Player(app, house, game, 1).me()
    me["game"].pop("kinds")
    for secret in ("917", "grace", "seed", "key", "rule", "settings"):
        assert secret not in json.dumps(me).lower()


@pytest.mark.parametrize("slug", ["eurocg-2026", "sackson-1969", "tarot-fr"])
def test_me_names_the_cards_that_have_no_wording(app: Flask, house: House, slug: str) -> None:
    """All kinds in the order of the codes; a rule's or special's name is not told, nor which rules are in the game."""
    game = new_game(house, edition=slug, language="de", active_rules=["1", "2"])
    edition = load_edition(slug, "de")
    answer = Player(app, house, game, 1).client.get("/api/v1/me")
    kinds = (answer.json or {})["game"]["kinds"]
    assert [kind["slug"] for kind in kinds] == [kind.slug for kind in edition.kinds]
    for told, kind in zip(kinds, edition.kinds, strict=True):
        assert told["name"] == (None if kind.text else kind.name)
        assert (told["ink"], told["symbol"], told["number"]) == (kind.ink, kind.symbol, kind.number)
    public = {kind.name for kind in edition.kinds if not kind.text}  # some rules are called as the card they are about
    secret = {named.name for named in (*edition.rules, *edition.kinds)} - public
    assert not [name for name in secret if json.dumps(name, ensure_ascii=False)[1:-1] in answer.text]


def test_the_deadline_closes_the_game_for_whoever_looks(app: Flask, house: House, clock: Clock) -> None:
    """Just before the deadline the game is open, at the deadline itself it is closed."""
    game = new_game(house)
    set_game(house, game, deadline=clock.time)
    player = Player(app, house, game, 1)
    clock.forward(microseconds=-1)
    assert player.me()["game"]["state"] == "open"
    clock.forward(microseconds=1)
    assert player.me()["game"]["state"] == "closed"


def test_a_player_chooses_a_name_and_joins(app: Flask, house: House, clock: Clock) -> None:
    """The first change is the joining, and all of it stands in the audit."""
    game = new_game(house)
    player = Player(app, house, game, 1)
    first = player.client.patch("/api/v1/me", json={"name": " Ada "}).json
    clock.forward(minutes=1)
    second = player.client.patch("/api/v1/me", json={"hidden": True}).json
    assert first
    assert second
    assert first["envelope"] | {"hidden": True} == second["envelope"]
    assert second["envelope"]["name"] == "Ada"
    assert [(entry.subject, entry.after) for entry in audited(house, game, "join")] == [
        ("envelope 1", {"name": "Ada", "hidden": False})
    ]
    assert [entry.after for entry in audited(house, game, "rename")] == [{"name": "Ada", "hidden": True}]


def test_a_sealed_envelope_takes_no_name(app: Flask, house: House) -> None:
    """Whoever reads the label of an envelope that nobody has yet cannot take a name from those who play."""
    game = new_game(house)
    seal(house, game, 1)
    player = Player(app, house, game, 1)
    assert problem(player.client.patch("/api/v1/me", json={"name": "Ada"})) == "409 sealed"
    assert player.me()["envelope"]["name"] is None


def test_another_players_name_is_taken(app: Flask, house: House) -> None:
    """Nobody can pass for another player."""
    game = new_game(house)
    Player(app, house, game, 1).client.patch("/api/v1/me", json={"name": "Ada"})
    reply = Player(app, house, game, 2).client.patch("/api/v1/me", json={"name": "ADA"})
    assert problem(reply) == "409 name-taken"


@pytest.mark.parametrize(
    "body", [{"name": ""}, {"name": "\u202eada"}, {"name": 7}, {"hidden": "yes"}, {"state": "x"}, []]
)
def test_a_wrong_change_is_refused(app: Flask, house: House, body: object) -> None:
    """What cannot be is a problem that says so, and changes nothing."""
    player = Player(app, house, new_game(house), 1)
    assert player.client.patch("/api/v1/me", json=body).status_code == 422
    assert player.me()["envelope"]["joined"] is None


def test_names_stand_still_once_the_game_is_closed(app: Flask, house: House) -> None:
    """The count names hands; whether a name is shown may change for ever."""
    player = Player(app, house, new_game(house, State.CLOSED), 1)
    assert problem(player.client.patch("/api/v1/me", json={"name": "Ada"})) == "409 wrong-state"
    assert player.client.patch("/api/v1/me", json={"hidden": True}).status_code == 200


def test_a_sealed_envelope_lets_its_player_look_and_no_more(app: Flask, house: House) -> None:
    """Cards of an envelope that was not given out are dead, so there is nothing to photograph."""
    game = new_game(house)
    player = Player(app, house, game, 1)
    seal(house, game, 1)
    assert player.me()["envelope"]["opened"] is False
    reply = player.client.post("/api/v1/me/decks", headers={"Idempotency-Key": "x"})
    assert problem(reply) == "409 sealed"
