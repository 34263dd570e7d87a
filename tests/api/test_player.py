"""Endpoints of players: /me, decks and their photos, and confirmed lists."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING

import pytest

from server.db.models import Card, Envelope, Photo
from server.editions import load_edition
from server.games.lifecycle.states import State
from server.games.photos.readings import HintReading
from server.games.players import decks
from tests.context import new_game
from tests.players import DECKS, Player, audited, problem, seal, set_game
from tests.readings import add_photo, reading
from tests.scan_jobs import png

if TYPE_CHECKING:
    from flask import Flask
    from werkzeug.test import TestResponse

    from server.games.context import AppContext
    from tests.context import Clock


ME = "/api/v1/me"


@pytest.fixture
def game(context: AppContext) -> str:
    """Return an open game."""
    return new_game(context)


@pytest.fixture
def ada(app: Flask, context: AppContext, game: str) -> Player:
    """Return the player of envelope 1."""
    return Player(app, context, game, 1)


def test_me_contains_only_public_facts_in_every_state(app: Flask, context: AppContext) -> None:
    """It contains no settings, active rules, seeds or keys, and no other names."""
    game = new_game(context, mode="total", tries=2, active_rules=["5", "7"], settings={"blue_base": 917})
    Player(app, context, game, 2).client.patch(ME, json={"name": "Grace"})
    player = Player(app, context, game, 3)
    for state in list(State)[1:]:
        set_game(context, game, state=state)
        me = player.me()
        assert (me["game"]["id"], me["game"]["state"], me["envelope"]["number"]) == (game, state.value, 3)
        assert me["provisional"] == {"mode": "total", "left": 2, "wait": 0}
        assert (me["receipt"], me["decks"]) == (None, [])
        del me["game"]["kinds"]
        result = json.dumps(me).lower()
        assert not [secret for secret in ("917", "grace", "seed", "key", "rule", "settings") if secret in result], state


@pytest.mark.parametrize("slug", ["eurocg-2026", "sackson-1969", "tarot-fr"])
def test_me_lists_kinds_without_secret_names(app: Flask, context: AppContext, slug: str) -> None:
    """Kinds are listed in the order of codes, without names of rules and specials, or which rules are used."""
    game = new_game(context, edition=slug, language="de", active_rules=["1", "2"])
    edition = load_edition(slug, "de")
    answer = Player(app, context, game, 1).client.get(ME)
    kinds = answer.json["game"]["kinds"]
    assert [(kind["slug"], kind["name"], kind["ink"], kind["symbol"], kind["number"]) for kind in kinds] == [
        (kind.slug, None if kind.text else kind.name, kind.ink, kind.symbol, kind.number) for kind in edition.kinds
    ]
    public = {kind.name for kind in edition.kinds if not kind.text}  # some rules are called as the card they are about
    secret = {named.name for named in (*edition.rules, *edition.kinds)} - public
    assert not [name for name in secret if json.dumps(name)[1:-1] in answer.text]


def test_a_player_chooses_a_name_and_joins(app: Flask, context: AppContext, clock: Clock) -> None:
    """Choosing a name joins the game. Names are recorded in the audit log, and fixed once the game is closed."""
    game = new_game(context)
    player, other = Player(app, context, game, 1), Player(app, context, game, 2)
    for wrong in ({"name": ""}, {"name": "\u202eada"}, {"name": 7}, {"hidden": "yes"}, {"state": "x"}, []):
        assert player.client.patch(ME, json=wrong).status_code == 422
    assert player.me()["envelope"]["joined"] is None
    first = player.client.patch(ME, json={"name": " Ada "}).json["envelope"]
    clock.forward(minutes=1)
    second = player.client.patch(ME, json={"hidden": True}).json["envelope"]
    assert (first | {"hidden": True}, second["name"]) == (second, "Ada")
    assert [(entry.subject, entry.after) for entry in audited(context, game, "join")] == [
        ("envelope 1", {"name": "Ada", "hidden": False})
    ]
    assert [entry.after for entry in audited(context, game, "rename")] == [{"name": "Ada", "hidden": True}]
    assert problem(other.client.patch(ME, json={"name": "ADA"})) == "409 name-taken"
    set_game(context, game, state=State.CLOSED)
    assert problem(player.client.patch(ME, json={"name": "Eve"})) == "409 wrong-state"
    assert player.client.patch(ME, json={"hidden": False}).status_code == 200


def test_names_are_chosen_before_the_game_opens(app: Flask, context: AppContext) -> None:
    """Only holders of spare envelopes wait until theirs is opened."""
    game = new_game(context, State.PRINTED)
    assert Player(app, context, game, 1).client.patch(ME, json={"name": "Ada"}).json["envelope"]["name"] == "Ada"
    with context.database.writing() as session:
        session.get_one(Envelope, (game, 2)).spare = True
    assert problem(Player(app, context, game, 2).client.patch(ME, json={"name": "Ben"})) == "409 sealed"


def test_a_sealed_envelope_is_read_only_for_its_player(app: Flask, context: AppContext) -> None:
    """The holder of its label cannot choose a name, and its cards are invalid."""
    game = new_game(context)
    seal(context, game, 1)
    player = Player(app, context, game, 1)
    assert problem(player.client.patch(ME, json={"name": "Ada"})) == "409 sealed"
    assert problem(player.client.post(DECKS, headers={"Idempotency-Key": "x"})) == "409 sealed"
    assert (player.me()["envelope"]["name"], player.me()["envelope"]["opened"]) == (None, False)


def test_photos_of_a_deck_make_one_list(ada: Player) -> None:
    """A card in three photos counts once. Only the list that was seen can be confirmed, once all photos are scanned."""
    deck = ada.begin()
    ada.photograph(deck, ada.hand[:7], [1])
    ada.photograph(deck, ada.hand[5:])
    ada.photograph(deck, ada.hand[:1])
    seen = ada.look(deck)
    assert (seen["cards"], seen["total"], len(seen["photos"])) == (ada.hand, 13, 3)
    assert (seen["own_label"], seen["other_label"], seen["pending"]) == (True, False, 0)
    assert sum(kind["count"] for kind in seen["kinds"]) == 13

    slow = ada.begin()
    ada.photograph(slow, ada.hand[:3])
    ada.add(slow, None)
    seen = ada.look(slow)
    assert (sorted(photo["state"] for photo in seen["photos"]), seen["pending"]) == (["done", "waiting"], 1)
    early = ada.confirm(slow)
    assert problem(early) == "409 still-reading"
    assert early.headers["Retry-After"]

    digest = ada.look(deck)["digest"]
    ada.photograph(deck, ["red-001", "red-002"])
    assert problem(ada.confirm(deck, digest)) == "409 list-changed"
    assert ada.confirm(deck).status_code == 200


@pytest.mark.parametrize(("language", "red"), [("de", "Rot"), ("fr", "Rouge"), ("xx", "Red"), (None, "Red")])
def test_cards_are_named_in_the_requested_language(ada: Player, language: str | None, red: str) -> None:
    query = {} if language is None else {"language": language}
    deck = ada.begin()
    ada.photograph(deck, ["red-001"])
    seen = ada.client.get(f"{DECKS}/{deck}", query_string=query).json
    body = {"digest": seen["digest"]}
    agreed = ada.client.post(f"{DECKS}/{deck}/confirm", query_string=query, json=body).json
    named = [*seen["kinds"], *seen["photos"][0]["cards"], *agreed["kinds"]]
    assert [one["name"] for one in named] == [red] * 3


def test_each_photo_has_its_problems(ada: Player) -> None:
    """It has doubts, strange codes and cards with positions. All kinds of strange codes look the same."""
    deck = ada.begin()
    statuses = ["forged", "foreign", "other-game"]
    strangers = [(status, "H0000AABBCCCCCCCCCCC") for status in statuses]
    found = reading(ada.hand[:2], [1, 4], doubts=["glare"], strangers=strangers)
    result = [HintReading(slug=slug, text=f"1 code is {slug}.") for slug in ("steady", *statuses)]
    photo = ada.add(deck, found.model_copy(update={"hints": tuple(result)}))
    seen = ada.client.get(f"{DECKS}/{deck}/photos/{photo}").json
    assert seen == ada.look(deck)["photos"][0]
    assert [card["card"] for card in seen["cards"]] == ada.look(deck)["cards"] == ada.hand[:2]
    assert (seen["own_label"], seen["other_label"], len(seen["strangers"])) == (True, True, 3)
    assert [doubt["reason"] for doubt in seen["doubts"]] == ["glare"]
    assert seen["hints"] == [
        {"slug": "steady", "text": "1 code is steady."},
        {"slug": "stranger", "text": "Codes in the picture are not cards of this game: not counted."},
    ]
    text = ada.client.get(f"{DECKS}/{deck}").text
    assert not [word for word in (*statuses, "H0000") if word in text]


def test_invalid_cards_do_not_count(app: Flask, ada: Player, context: AppContext, game: str) -> None:
    """Cards of sealed envelopes, undealt and lost cards have no name in the list, and are reported to organisers."""
    bob = Player(app, context, game, 2)
    seal(context, game, 2)
    with context.database.writing() as session:
        kind, copy = ada.hand[0].rsplit("-", 1)
        session.get_one(Card, (game, kind, int(copy))).lost = context.clock()
    deck = ada.begin()
    ada.photograph(deck, [*ada.hand[:3], bob.hand[0], "red-999"])
    seen = ada.look(deck)
    assert (seen["cards"], seen["dead"]) == (ada.hand[1:3], 3)
    assert [card["card"] for card in seen["photos"][0]["cards"]] == [None, *ada.hand[1:3], None, None]
    assert ada.confirm(deck).status_code == 200
    assert [entry.after for entry in audited(context, game, "dead-cards")] == [
        {"cards": sorted([ada.hand[0], bob.hand[0], "red-999"])}
    ]


def test_a_photo_with_another_players_label_must_be_deleted(ada: Player) -> None:
    """It may show another player's cards. A deck without cards has no list."""
    deck = ada.begin()
    ada.photograph(deck, ada.hand[:3], [1])
    photo = ada.photograph(deck, ada.hand[3:], [1, 2])
    assert problem(ada.confirm(deck)) == "422 other-label"
    assert ada.client.delete(f"{DECKS}/{deck}/photos/{photo}").status_code == 204
    assert ada.confirm(deck).json == ada.look(deck)
    assert ada.look(deck)["cards"] == ada.hand[:3]
    empty = ada.begin()
    ada.photograph(empty, strangers=[("foreign", "x")])
    assert problem(ada.confirm(empty)) == "422 no-cards"


def test_a_confirmed_list_does_not_change(ada: Player, context: AppContext) -> None:
    """Its photos cannot change, confirming again has no effect, and the list remains without its photos.

    A repeated upload gets the first response; the same key with another file is an error.
    """
    deck = ada.begin()

    def send(key: str, number: int) -> TestResponse:
        return ada.client.post(
            f"{DECKS}/{deck}/photos",
            data={"photo": (io.BytesIO(png(number)), "a.png")},
            headers={"Idempotency-Key": key},
        )

    sent = send("k", 1)
    assert sent.status_code == 201
    photo = sent.json["id"]
    with context.database.writing() as session:
        row = session.get_one(Photo, photo)
        row.state, row.scan_result = "done", reading(ada.hand, [1]).as_json()
    first = ada.confirm(deck)
    again = ada.confirm(deck, first.json["digest"])
    assert (first.status_code, first.json) == (again.status_code, again.json) == (200, ada.look(deck))
    assert problem(ada.confirm(deck, "0" * 64)) == "409 list-confirmed"
    assert problem(ada.client.delete(f"{DECKS}/{deck}/photos/{photo}")) == "409 list-confirmed"
    assert problem(send("l", 1)) == "409 list-confirmed"
    assert problem(send("k", 2)) == "422 other-request"
    repeated = send("k", 1)
    assert (repeated.status_code, repeated.json) == (201, sent.json)
    with context.database.writing() as session:
        session.delete(session.get_one(Photo, photo))
    assert ada.look(deck)["cards"] == ada.hand


def test_a_deck_is_deleted_with_its_photos(ada: Player, context: AppContext) -> None:
    """Except one that is being scanned: otherwise a player could avoid the limits on scans."""
    deck = ada.begin()
    photo = ada.photograph(deck, ada.hand)
    with context.database.writing() as session:
        session.get_one(Photo, photo).state = "scanning"
    for address in (f"{DECKS}/{deck}/photos/{photo}", f"{DECKS}/{deck}"):
        assert problem(ada.client.delete(address)) == "409 still-reading"
    with context.database.writing() as session:
        session.get_one(Photo, photo).state = "done"
    assert ada.client.delete(f"{DECKS}/{deck}").status_code == 204
    assert problem(ada.client.get(f"{DECKS}/{deck}")) == "404 not-found"
    assert ada.me()["decks"] == []
    with context.database.reading() as session:
        assert session.get(Photo, photo) is None


def test_the_oldest_deck_is_replaced(ada: Player, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of decks of a player is limited. A repeated request gets the same deck."""
    replies = [ada.client.post(DECKS, headers={"Idempotency-Key": "same"}) for _ in range(3)]
    assert len({reply.data for reply in replies}) == 1
    assert len(ada.me()["decks"]) == 1
    monkeypatch.setattr(decks, "MAX_DECKS", 3)
    begun = []
    for _ in range(4):
        clock.forward(seconds=1)
        begun.append(ada.begin())
    assert [deck["id"] for deck in ada.me()["decks"]] == begun[1:]


def test_uploads_are_accepted_while_hand_ins_are(ada: Player, context: AppContext, game: str) -> None:
    for state in list(State)[1:]:
        set_game(context, game, state=state)
        reply = ada.client.post(DECKS, headers={"Idempotency-Key": state})
        if state in {State.OPEN, State.CLOSED}:
            assert reply.status_code == 201
        else:
            assert problem(reply) == "409 wrong-state"


def test_photos_ahead_in_the_queue_are_counted(
    app: Flask, ada: Player, context: AppContext, game: str, clock: Clock
) -> None:
    """Only waiting photos of other players that were uploaded earlier count."""
    bob, eve = Player(app, context, game, 2), Player(app, context, game, 3)
    first, deck, other = bob.begin(), ada.begin(), eve.begin()
    for found in (None, None, reading()):
        bob.add(first, found)
    add_photo(context, game)
    assert ada.look(deck)["ahead"] == 0
    clock.forward(seconds=1)
    ada.add(deck, None)
    assert ada.look(deck)["ahead"] == 2
    clock.forward(seconds=1)
    eve.add(other, None)
    ada.add(deck, None)
    clock.forward(seconds=1)
    eve.add(other, None)
    assert [player.look(of)["ahead"] for player, of in ((bob, first), (ada, deck), (eve, other))] == [0, 2, 4]
