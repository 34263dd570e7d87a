"""A player's whole game with a real phone's pictures: the label's code, a deck, a score, the hand-in."""

from __future__ import annotations

import io
import secrets
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

from cardgen.payload import join_link, parse
from devtools.photo_simulator.cards import printed_faces, printed_label
from devtools.photo_simulator.photograph import photograph
from devtools.photo_simulator.profiles import SCENES
from scanner import read_codes
from server.jobs.readings import card_named
from server.play.house import game_row, printed_game
from tests.house import new_game
from tests.players import DECKS, dealt, problem, set_game

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flask import Flask
    from flask.testing import FlaskClient

    from server.play.house import House

ADDRESS = "https://haggle.example.org"
LIMIT = 120.0
SCENE = replace(SCENES["nominal"], width=2400, height=1800)
DPI = 200


class Phone:
    """A phone: it reads the label's code, takes pictures, and waits for what the server finds."""

    def __init__(self, app: Flask, house: House, game: str, envelope: int) -> None:
        self.house, self.game, self.envelope = house, game, envelope
        with house.database.reading() as session:
            row = game_row(session, game)
            self.printed = printed_game(row)
            self.label = self.printed_label(envelope, join_link(ADDRESS, row.id, row.key, envelope))
        links = [code.text for code in read_codes(self.label.pixels) if code.text.startswith(ADDRESS)]
        self.client: FlaskClient = app.test_client()
        self.client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {links[0].partition('#')[2]}"

    def printed_label(self, envelope: int, link: str | None = None) -> Any:  # noqa: ANN401 - a face
        """Return an envelope's label as it is printed."""
        return printed_label(self.printed, envelope, link, DPI)

    def picture(self, cards: Sequence[str], label: int | None = None) -> bytes:
        """Take a picture of cards, with an envelope's label beside them or without."""
        faces = printed_faces(self.printed, [card_named(card) for card in cards], DPI)
        labels = [] if label is None else [self.printed_label(label)]
        return photograph(faces, SCENE, f"life/{label}/{len(cards)}", labels).jpeg

    def begin(self) -> str:
        """Begin a deck."""
        return str(self.call("post", DECKS)["id"])

    def send(self, deck: str, jpeg: bytes, key: str | None = None) -> dict[str, Any]:
        """Send a picture, as often as a bad network makes a phone do it."""
        found = {}
        for _ in range(2):
            found = self.call("post", f"{DECKS}/{deck}/photos", key=key or f"key {len(jpeg)}", **form(jpeg))
        return found

    def wait(self, deck: str) -> dict[str, Any]:
        """Return the deck once all its pictures are read."""
        until = time.monotonic() + LIMIT
        while (seen := self.call("get", f"{DECKS}/{deck}"))["pending"]:
            assert time.monotonic() < until
            time.sleep(0.25)
        return seen

    def call(self, method: str, url: str, *, key: str | None = None, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - as the client takes it
        """Call the API; return its answer."""
        headers = {"Idempotency-Key": key or secrets.token_hex(8)}
        reply = getattr(self.client, method)(url, headers=headers, **more)
        assert reply.status_code < 300, reply.text
        return dict(reply.json)


def form(content: bytes, *, file: bool = True) -> dict[str, Any]:
    """Return a form with a picture. The test client's own forms lie in files that it leaves open."""
    name = b'; filename="deck.jpg"' if file else b""
    head = b'--x\r\nContent-Disposition: form-data; name="photo"' + name + b"\r\n\r\n"
    return {"data": head + content + b"\r\n--x--\r\n", "content_type": "multipart/form-data; boundary=x"}


@pytest.mark.usefixtures("scanning")
def test_a_players_game_from_the_label_to_the_hand_in(app: Flask, house: House) -> None:
    """Two pictures make one list; a stranger's card and a second sending change nothing."""
    game = new_game(house, mode="known")
    phone, hand = Phone(app, house, game, 1), dealt(house, game, 1)
    strange = Phone(app, house, new_game(house), 1)
    assert phone.call("get", "/api/v1/me")["envelope"]["number"] == 1
    assert phone.call("patch", "/api/v1/me", json={"name": "Ada"})["envelope"]["name"] == "Ada"

    deck = phone.begin()
    first = phone.send(deck, phone.picture(hand[:8], 1))
    phone.send(deck, phone.picture(hand[6:]))
    phone.send(deck, strange.picture(dealt(house, strange.game, 1)[:2]))
    seen = phone.wait(deck)
    assert (seen["cards"], seen["own_label"], seen["other_label"]) == (hand, True, False)
    assert [len(photo["cards"]) for photo in seen["photos"]] == [8, 7, 0]
    assert len(seen["photos"][2]["strangers"]) == 4

    image = phone.client.get(f"{DECKS}/{deck}/photos/{first['id']}/image")
    assert image.mimetype == "image/jpeg"
    with Image.open(io.BytesIO(image.data)) as kept:
        assert kept.size == (seen["photos"][0]["width"], seen["photos"][0]["height"]) == (2400, 1800)
        assert not kept.getexif()
    small = phone.client.get(f"{DECKS}/{deck}/photos/{first['id']}/image?width=300")
    with Image.open(io.BytesIO(small.data)) as shown:
        assert (small.mimetype, shown.size) == ("image/jpeg", (300, 225))
    assert len(small.data) < len(image.data) / 10
    address = f"{DECKS}/{deck}/photos/{first['id']}/image?width=300"
    smaller = phone.client.get(address, headers={"Accept": "image/webp, */*"})
    with Image.open(io.BytesIO(smaller.data)) as shown:
        assert (smaller.mimetype, shown.format, shown.size) == ("image/webp", "WEBP", (300, 225))
    assert "Accept" in smaller.vary
    assert "Accept" in small.vary
    assert len(smaller.data) < len(small.data)
    assert phone.client.get(address, headers={"Accept": "image/webp;q=0, */*"}).mimetype == "image/jpeg"

    confirmed = phone.call("post", f"{DECKS}/{deck}/confirm", json={"digest": seen["digest"]})
    assert confirmed["state"] == "confirmed"
    answer = phone.call("post", f"{DECKS}/{deck}/check")
    held = {card.split("-")[1] for card in hand if card.startswith("rule")}
    assert set(answer["rules"]) == held
    assert {line["rule"] for line in answer["lines"] if line["rule"]} <= held

    receipt = phone.call("post", f"{DECKS}/{deck}/hand-in")
    assert (receipt["cards"], receipt["late"], receipt["digest"]) == (13, False, seen["digest"])
    assert phone.call("get", "/api/v1/me")["receipt"] == receipt


@pytest.mark.usefixtures("scanning")
def test_a_picture_of_another_players_label_opens_nothing(app: Flask, house: House) -> None:
    """It is no link and no deck: the list is not confirmed, and what its code says is no token."""
    game = new_game(house, mode="total")
    phone = Phone(app, house, game, 1)
    deck = phone.begin()
    phone.send(deck, phone.picture(dealt(house, game, 1)[:4], 2))
    seen = phone.wait(deck)
    assert (seen["own_label"], seen["other_label"]) == (False, True)
    reply = phone.client.post(f"{DECKS}/{deck}/confirm", json={"digest": seen["digest"]})
    assert problem(reply) == "422 other-label"
    (said,) = (code.text for code in read_codes(phone.printed_label(2).pixels) if parse(code.text))
    thief = app.test_client()
    assert thief.get("/api/v1/me", headers={"Authorization": f"Bearer {said}"}).status_code == 401


@pytest.mark.usefixtures("scanning")
def test_an_identical_picture_costs_no_second_try(app: Flask, house: House) -> None:
    """The same picture in another deck is the same list of cards, and so the same question."""
    game = new_game(house, mode="total", tries=1)
    phone = Phone(app, house, game, 1)
    jpeg = phone.picture(dealt(house, game, 1)[:5], 1)
    answers = []
    for _ in range(2):
        deck = phone.begin()
        phone.send(deck, jpeg, key=secrets.token_hex(8))
        digest = phone.wait(deck)["digest"]
        phone.call("post", f"{DECKS}/{deck}/confirm", json={"digest": digest})
        answers.append(phone.call("post", f"{DECKS}/{deck}/check"))
    assert [answer["spent"] for answer in answers] == [True, False]
    assert answers[0]["score"] == answers[1]["score"]


def test_what_is_no_picture_is_refused_and_not_kept(app: Flask, house: House) -> None:
    """A text, an empty file and a form without a file leave nothing behind; neither does a picture in `off`."""
    game = new_game(house)
    phone = Phone(app, house, game, 1)
    deck = phone.begin()
    bodies = [form(b"hello"), form(b""), form(b"text", file=False)]
    for number, body in enumerate(bodies):
        headers = {"Idempotency-Key": str(number)}
        assert phone.client.post(f"{DECKS}/{deck}/photos", headers=headers, **body).status_code in {415, 422}
    jpeg = phone.picture(dealt(house, game, 1)[:1])
    set_game(house, game, mode="off")
    refused = phone.client.post(f"{DECKS}/{deck}/photos", headers={"Idempotency-Key": "off"}, **form(jpeg))
    assert problem(refused) == "409 off"
    assert list(house.photos.names()) == []
