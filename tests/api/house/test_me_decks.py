"""Decks: pictures make one list, what does not count is shown, and the confirmed list stays as it is."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest

from server.jobs.readings import HintReading
from server.play import decks
from server.play.states import State
from server.store.tables import Card, Photo
from tests.house import new_game
from tests.jobs.scan_jobs import png
from tests.players import DECKS, Player, audited, problem, seal, set_game
from tests.readings import reading

if TYPE_CHECKING:
    from flask import Flask
    from werkzeug.test import TestResponse

    from server.play.house import House
    from tests.house import Clock


@pytest.fixture
def game(house: House) -> str:
    """Return a game that is being played."""
    return new_game(house)


@pytest.fixture
def ada(app: Flask, house: House, game: str) -> Player:
    """Return the player of envelope 1."""
    return Player(app, house, game, 1)


def test_pictures_make_one_list_of_cards_each_once(ada: Player) -> None:
    """A card that lies in three pictures counts once."""
    deck = ada.begin()
    ada.photograph(deck, ada.hand[:7], [1])
    ada.photograph(deck, ada.hand[5:])
    ada.photograph(deck, ada.hand[:1])
    seen = ada.look(deck)
    assert (seen["cards"], seen["total"], len(seen["photos"])) == (ada.hand, 13, 3)
    assert (seen["own_label"], seen["other_label"], seen["pending"]) == (True, False, 0)
    assert sum(kind["count"] for kind in seen["kinds"]) == 13


@pytest.mark.parametrize(("language", "red"), [("de", "Rot"), ("fr", "Rouge"), ("xx", "Red"), (None, "Red")])
def test_cards_are_named_in_the_language_asked_for(ada: Player, language: str | None, red: str) -> None:
    """A deck, its pictures and the answer to a yes name cards in the player's language, else in the game's."""
    said = {} if language is None else {"language": language}
    deck = ada.begin()
    ada.photograph(deck, ["red-001"])
    seen = ada.client.get(f"{DECKS}/{deck}", query_string=said).json
    assert seen is not None
    assert [kind["name"] for kind in seen["kinds"]] == [red]
    assert [card["name"] for card in seen["photos"][0]["cards"]] == [red]
    agreed = ada.client.post(f"{DECKS}/{deck}/confirm", query_string=said, json={"digest": seen["digest"]}).json
    assert agreed is not None
    assert [kind["name"] for kind in agreed["kinds"]] == [red]


def test_a_deck_can_be_watched_while_it_is_read(ada: Player) -> None:
    """Pictures that wait are counted, and no list is confirmed before they are read."""
    deck = ada.begin()
    ada.photograph(deck, ada.hand[:3])
    ada.add(deck, None)
    seen = ada.look(deck)
    assert (sorted(photo["state"] for photo in seen["photos"]), seen["pending"]) == (["done", "waiting"], 1)
    reply = ada.confirm(deck)
    assert problem(reply) == "409 still-reading"
    assert reply.headers["Retry-After"]


def test_each_picture_tells_what_is_wrong_with_it(ada: Player) -> None:
    """Doubts, hints, strangers and cards stand at their places in the picture."""
    deck = ada.begin()
    found = reading(ada.hand[:2], [1, 4], doubts=["glare"], strangers=[("forged", "HX"), ("foreign", "http://x")])
    photo = ada.add(deck, found)
    seen = ada.client.get(f"{DECKS}/{deck}/photos/{photo}").json
    assert seen
    assert seen == ada.look(deck)["photos"][0]
    assert [card["card"] for card in seen["cards"]] == ada.hand[:2]
    assert (seen["own_label"], seen["other_label"]) == (True, True)
    assert [doubt["reason"] for doubt in seen["doubts"]] == ["glare"]
    assert len(seen["strangers"]) == 2


@pytest.mark.parametrize("status", ["forged", "foreign", "other-game"])
def test_a_stranger_never_counts_and_never_says_why(ada: Player, status: str) -> None:
    """Whatever is wrong with a code, the reply is the same."""
    deck = ada.begin()
    ada.photograph(deck, ada.hand[:1], strangers=[(status, "H0000AABBCCCCCCCCCCC")])
    seen = ada.look(deck)
    assert seen["cards"] == ada.hand[:1]
    assert len(seen["photos"][0]["strangers"]) == 1
    assert status not in ada.client.get(f"{DECKS}/{deck}").text
    assert "H0000" not in ada.client.get(f"{DECKS}/{deck}").text


@pytest.mark.parametrize("slugs", [["forged"], ["foreign"], ["other-game"], ["other-game", "forged", "foreign"]])
def test_hints_tell_of_strangers_in_one_way(ada: Player, slugs: list[str]) -> None:
    """The scanner's hint says which kind of code it was; a player is told that it does not count, and no more."""
    deck = ada.begin()
    found = reading(ada.hand[:1])
    told = [HintReading(slug=slug, text=f"1 code is {slug}.") for slug in ("steady", *slugs)]
    ada.add(deck, found.model_copy(update={"hints": tuple(told)}))
    assert ada.look(deck)["photos"][0]["hints"] == [
        {"slug": "steady", "text": "1 code is steady."},
        {"slug": "stranger", "text": "Codes in the picture are no cards of this game: not counted."},
    ]


def test_cards_of_a_sealed_envelope_are_dead(app: Flask, ada: Player, house: House, game: str) -> None:
    """They are shown as such and not named; they do not count, and the organisers learn of them."""
    bob = Player(app, house, game, 2)
    seal(house, game, 2)
    deck = ada.begin()
    ada.photograph(deck, [*ada.hand[:2], bob.hand[0], "red-999"])
    seen = ada.look(deck)
    assert (seen["cards"], seen["dead"]) == (ada.hand[:2], 2)
    assert [card["card"] for card in seen["photos"][0]["cards"]] == [*ada.hand[:2], None, None]
    assert ada.confirm(deck).status_code == 200
    assert [entry.after for entry in audited(house, game, "dead-cards")] == [
        {"cards": sorted([bob.hand[0], "red-999"])}
    ]


def test_a_lost_card_is_dead(ada: Player, house: House, game: str) -> None:
    """A card that was reported lost, and printed anew, does not count when it turns up."""
    with house.database.writing() as session:
        kind, copy = ada.hand[0].rsplit("-", 1)
        session.get_one(Card, (game, kind, int(copy))).lost = house.clock()
    deck = ada.begin()
    ada.photograph(deck, ada.hand)
    assert ada.look(deck)["cards"] == ada.hand[1:]


def test_a_list_that_changed_meanwhile_is_not_confirmed(ada: Player) -> None:
    """The confirmation names the list that the player has seen."""
    deck = ada.begin()
    ada.photograph(deck, ada.hand[:3])
    digest = ada.look(deck)["digest"]
    ada.photograph(deck, ada.hand[3:5])
    assert problem(ada.confirm(deck, digest)) == "409 list-changed"
    assert ada.confirm(deck).status_code == 200


def test_another_players_label_must_leave_the_picture(ada: Player) -> None:
    """Two players' cards may lie in it, so the picture is taken again; deleting it is enough."""
    deck = ada.begin()
    ada.photograph(deck, ada.hand[:3], [1])
    photo = ada.photograph(deck, ada.hand[3:], [1, 2])
    assert problem(ada.confirm(deck)) == "422 other-label"
    assert ada.client.delete(f"{DECKS}/{deck}/photos/{photo}").status_code == 204
    assert ada.confirm(deck).json == ada.look(deck)
    assert ada.look(deck)["cards"] == ada.hand[:3]


def test_an_empty_list_is_not_confirmed(ada: Player) -> None:
    """Without a card of this game there is nothing to confirm."""
    deck = ada.begin()
    ada.photograph(deck, strangers=[("foreign", "x")])
    assert problem(ada.confirm(deck)) == "422 no-cards"


def test_a_confirmed_list_stays(ada: Player, house: House) -> None:
    """No picture comes in or goes, another tap changes nothing, and the list outlives its pictures."""
    deck = ada.begin()
    photo = ada.photograph(deck, ada.hand, [1])
    first = ada.confirm(deck)
    again = ada.confirm(deck, (first.json or {})["digest"])
    assert (first.status_code, first.json) == (again.status_code, again.json)
    assert problem(ada.client.delete(f"{DECKS}/{deck}/photos/{photo}")) == "409 list-confirmed"
    form = {"content_type": "multipart/form-data", "headers": {"Idempotency-Key": "k"}}
    upload = ada.client.post(f"{DECKS}/{deck}/photos", **form)
    assert problem(upload) == "409 list-confirmed"
    assert problem(ada.confirm(deck, "0" * 64)) == "409 list-confirmed"
    with house.database.writing() as session:
        session.delete(session.get_one(Photo, photo))
    assert ada.look(deck)["cards"] == ada.hand


def test_a_picture_that_was_taken_is_taken_after_the_list_was_confirmed(ada: Player, house: House) -> None:
    """Who got no answer and sends it again gets the first one; the same key with another picture is a mistake."""
    deck = ada.begin()

    def send(key: str, number: int) -> TestResponse:
        return ada.client.post(
            f"{DECKS}/{deck}/photos",
            data={"photo": (io.BytesIO(png(number)), "a.png")},
            headers={"Idempotency-Key": key},
        )

    first = send("k", 1)
    assert first.status_code == 201
    with house.database.writing() as session:
        row = session.get_one(Photo, (first.json or {})["id"])
        row.state, row.reading = "done", reading(ada.hand).as_json()
    assert ada.confirm(deck).status_code == 200
    again = send("k", 1)
    assert (again.status_code, again.json) == (201, first.json)
    assert problem(send("k", 2)) == "422 other-request"
    assert problem(send("l", 1)) == "409 list-confirmed"


def test_a_picture_that_is_being_read_is_not_deleted(ada: Player, house: House) -> None:
    """Else the time of its scan would count for nobody, and one player could keep the scanner busy."""
    deck = ada.begin()
    photo = ada.photograph(deck, ada.hand)
    for state, status in (("scanning", 409), ("done", 204)):
        with house.database.writing() as session:
            session.get_one(Photo, photo).state = state
        if status == 409:
            assert problem(ada.client.delete(f"{DECKS}/{deck}/photos/{photo}")) == "409 still-reading"
        assert ada.client.delete(f"{DECKS}/{deck}").status_code == status


def test_a_dropped_deck_is_gone(ada: Player, house: House) -> None:
    """So are its pictures."""
    deck = ada.begin()
    photo = ada.photograph(deck, ada.hand)
    assert ada.client.delete(f"{DECKS}/{deck}").status_code == 204
    assert problem(ada.client.get(f"{DECKS}/{deck}")) == "404 not-found"
    assert ada.me()["decks"] == []
    with house.database.reading() as session:
        assert session.get(Photo, photo) is None


def test_another_players_deck_looks_like_none(app: Flask, ada: Player, house: House, game: str) -> None:
    """Whatever is asked of it, the answer is that of a deck that does not exist."""
    bob = Player(app, house, game, 2)
    deck = ada.begin()
    photo = ada.photograph(deck, ada.hand)
    calls = [
        ("get", ""),
        ("delete", ""),
        ("post", "/photos"),
        ("get", f"/photos/{photo}"),
        ("get", f"/photos/{photo}/image"),
        ("delete", f"/photos/{photo}"),
        ("post", "/confirm"),
        ("post", "/check"),
        ("post", "/hand-in"),
    ]
    for method, path in calls:
        body = {"json": {"digest": "0" * 64}} if path == "/confirm" else {}
        headers = {"Idempotency-Key": "k"}
        content = {"content_type": "multipart/form-data"} if path == "/photos" else {}
        theirs, nobodys = (
            getattr(bob.client, method)(f"{DECKS}/{which}{path}", headers=headers, **body, **content)
            for which in (deck, "0" * 32)
        )
        assert (theirs.status_code, theirs.data) == (nobodys.status_code, nobodys.data), (method, path)
        assert theirs.status_code == 404


def test_an_open_deck_is_begun_once_however_often_it_is_sent(ada: Player) -> None:
    """A phone that sends a request again gets the same deck."""
    replies = [ada.client.post(DECKS, headers={"Idempotency-Key": "same"}) for _ in range(3)]
    assert len({reply.data for reply in replies}) == 1
    assert len(ada.me()["decks"]) == 1


def test_the_oldest_deck_makes_room(ada: Player, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """A player keeps a bounded number of decks."""
    monkeypatch.setattr(decks, "MOST", 3)
    begun = []
    for _ in range(5):
        clock.forward(seconds=1)
        begun.append(ada.begin())
    assert [deck["id"] for deck in ada.me()["decks"]] == begun[2:]


@pytest.mark.parametrize(
    ("state", "allowed"),
    [("printed", False), ("open", True), ("closed", True), ("frozen", False), ("published", False)],
)
def test_decks_are_photographed_while_they_can_be_handed_in(
    app: Flask, house: House, state: str, *, allowed: bool
) -> None:
    """After closing too, for a late hand-in; no longer once the game is counted."""
    game = new_game(house, State.PUBLISHED)
    player = Player(app, house, game, 1)
    set_game(house, game, state=state)
    reply = player.client.post(DECKS, headers={"Idempotency-Key": "k"})
    assert (reply.status_code == 201) is allowed
    if not allowed:
        assert problem(reply) == "409 wrong-state"
