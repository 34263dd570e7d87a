"""Organisers photograph envelopes with their printed labels, whose second code is the player's join link."""

from __future__ import annotations

import secrets
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from sqlalchemy import select

from cardgen.cards import CardId
from cardgen.payload import join_link
from cardgen.raster import page_images
from devtools.photo_simulator import Face, photograph, printed_faces, printed_label
from devtools.photo_simulator.profiles import SCENES, SENSORS
from scanner import read_codes
from server.jobs.readings import HintReading, card_named
from server.play.house import game_row, printed_game
from server.play.states import State
from server.store.tables import Card, Photo
from tests.api.house.test_player_life import form
from tests.house import as_organiser, new_game
from tests.readings import add_photo, reading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flask import Flask
    from flask.testing import FlaskClient

    from cardgen.cards import Game
    from server.play.house import House

HOST = "https://haggle.example.org"
LIMIT = 120.0
DPI = 250


@pytest.fixture
def game(house: House) -> str:
    """Return a closed game of six envelopes."""
    return new_game(house, State.CLOSED)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """Return a client that is signed in as an organiser."""
    return as_organiser(app)


def _printed(house: House, game: str) -> tuple[Game, list[str]]:
    """Return a game as the printer knows it, and the names of the cards in its first envelope."""
    with house.database.reading() as session:
        rows = session.scalars(select(Card).where(Card.game == game, Card.envelope == 1)).all()
        return printed_game(game_row(session, game)), sorted(CardId(row.kind, row.copy).name for row in rows)


def _taken(printed: Game, cards: Sequence[str], label: Face, megapixels: int = 5) -> bytes:
    width, height = SENSORS[megapixels]
    faces = printed_faces(printed, [card_named(card) for card in cards], DPI)
    return photograph(faces, replace(SCENES["nominal"], width=width, height=height), "label", [label]).jpeg


def _covered(label: Face) -> Face:
    """Return a label whose code for the scanner is covered."""
    pixels = label.pixels.copy()
    pixels[:, round(0.63 * pixels.shape[1]) :] = 255
    return replace(label, pixels=pixels, codes=label.codes[1:])


def _send(client: FlaskClient, game: str, jpeg: bytes) -> str:
    """Upload a picture and wait until it is read; return its id."""
    headers = {"Idempotency-Key": secrets.token_hex(8)}
    reply = client.post(f"/api/v1/games/{game}/photos?batch=b&place=1", headers=headers, **form(jpeg))
    photo = str(reply.get_json()["id"])
    until = time.monotonic() + LIMIT
    while client.get(f"/api/v1/games/{game}/photos/{photo}").get_json()["state"] in {"waiting", "scanning"}:
        assert time.monotonic() < until
        time.sleep(0.25)
    return photo


def _items(client: FlaskClient, game: str) -> list[dict[str, Any]]:
    """Return all items about pictures."""
    items: list[dict[str, Any]] = client.get(f"/api/v1/games/{game}/queue?standing=all").get_json()["items"]
    return [item for item in items if item["kind"] != "missing"]


@pytest.mark.usefixtures("scanning")
def test_an_envelope_with_its_printed_label_makes_no_doubt(house: House, client: FlaskClient, game: str) -> None:
    """The label of labels.pdf, both codes legible, beside the envelope's cards at 12 megapixels."""
    printed, hand = _printed(house, game)
    (page, *_) = page_images(client.get(f"/api/v1/games/{game}/runs/1/labels.pdf").data, DPI)
    codes = {code.text: code.quad for code in read_codes(np.asarray(page.convert("L")))}
    link = join_link(HOST, printed.game, printed.key, 1)
    assert link in codes
    width, height = (round(side / 25.4 * DPI) for side in (90, 62))
    left, top = codes[link].min(axis=0) - (0.05 * width, 0.55 * height)
    crop = page.crop((int(left), int(top), int(left) + width, int(top) + height))
    label = Face("label-001", np.ascontiguousarray(np.asarray(crop)[..., ::-1]), size=(90.0, 62.0))
    jpeg = _taken(printed, hand, label, 12)
    photo = _send(client, game, jpeg)
    seen = client.get(f"/api/v1/games/{game}/photos/{photo}").get_json()
    assert (seen["labels"], seen["envelopes"], seen["cards"]) == ([1], [1], len(hand))
    assert _items(client, game) == []
    with house.database.reading() as session:
        texts = [code["text"] for code in session.get_one(Photo, photo).reading["codes"]]
    assert f"{HOST}/j" in texts
    assert not any("#" in text for text in texts)


@pytest.mark.usefixtures("scanning")
def test_the_join_link_names_the_envelope_where_the_other_code_is_hidden(
    house: House, client: FlaskClient, game: str
) -> None:
    """On whatever host it is, and of a label that has been replaced, but not with a wrong signature."""
    printed, hand = _printed(house, game)
    own = join_link("http://192.168.1.20:8000", printed.game, printed.key, 1, version=1)
    photo = _send(client, game, _taken(printed, hand[:3], _covered(printed_label(printed, 1, own, DPI))))
    assert client.get(f"/api/v1/games/{game}/photos/{photo}").get_json()["envelopes"] == [1]
    assert _items(client, game) == []
    forged = join_link(HOST, printed.game, b"another key", 2)
    photo = _send(client, game, _taken(printed, hand[3:6], _covered(printed_label(printed, 2, forged, DPI))))
    assert client.get(f"/api/v1/games/{game}/photos/{photo}").get_json()["envelopes"] == []
    assert [item["kind"] for item in _items(client, game)] == ["no-label"]


def test_a_reading_of_an_earlier_version_keeps_its_token_to_itself(app: Flask, house: House, game: str) -> None:
    """It holds the join link as a foreign code: shown to nobody, and the picture is its envelope's all the same."""
    printed, hand = _printed(house, game)
    other, _ = _printed(house, new_game(house))
    links = [
        join_link(HOST, printed.game, printed.key, 1),
        join_link(HOST, printed.game, b"forged", 2),
        join_link(HOST, other.game, other.key, 3),
    ]
    kept = reading(hand, strangers=[("foreign", link) for link in links])
    kept = kept.model_copy(update={"hints": (HintReading(slug="foreign", text="3 codes not of this game"),)})
    photo = add_photo(house, game, kept)
    client = as_organiser(app)
    seen = client.get(f"/api/v1/games/{game}/photos/{photo}").get_json()
    assert (seen["labels"], seen["envelopes"], seen["hints"]) == ([1], [1], [])
    (item,) = _items(client, game)
    assert (item["kind"], item["standing"], item["says"]) == ("other-game", "settled", f"{HOST}/j")
    told = [client.get(f"/api/v1/games/{game}{path}").text for path in ("/queue?standing=all", "/photos", "/audit")]
    told.append(client.get(f"/api/v1/games/{game}/photos/{photo}").text)
    assert not any(link.partition("#")[2] in text for link in links for text in told)
