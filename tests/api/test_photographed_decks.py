"""Simulated photographs over the API: decks of a player and of an organiser."""

from __future__ import annotations

import io
import secrets
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from PIL import Image

from cardgen.pages.raster import page_images
from cardgen.payload import join_link
from devtools.photo_simulator import photograph
from devtools.photo_simulator.cards import PrintedFace, printed_faces, printed_label
from devtools.photo_simulator.profiles import SCENES
from scanner import read_codes
from server.db.models import Photo
from server.games.lifecycle.repository import load_game, printed_game_of
from server.games.lifecycle.states import State
from server.games.photos.readings import card_named
from tests.context import as_organiser, new_game
from tests.pictures import form
from tests.players import DECKS, dealt, problem
from tests.waiting import LIMIT, until

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flask import Flask
    from flask.testing import FlaskClient

    from cardgen.cards import PrintedGame
    from server.games.context import AppContext

HOST = "https://haggle.example.org"
SCENE = replace(SCENES["nominal"], width=1600, height=1200)
DPI = 200

pytestmark = pytest.mark.usefixtures("scanning")


def _printed(context: AppContext, game: str) -> PrintedGame:
    with context.database.reading() as session:
        return printed_game_of(load_game(session, game))


def _taken(printed: PrintedGame, cards: Sequence[str], *labels: PrintedFace) -> bytes:
    faces = printed_faces(printed, [card_named(card) for card in cards], DPI)
    return photograph(faces, SCENE, f"{len(cards)} cards", labels).jpeg


def _call(client: FlaskClient, method: str, url: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - as the client takes it
    """Call the API with a new idempotency key; return the response's JSON."""
    reply = client.open(url, method=method, headers={"Idempotency-Key": secrets.token_hex(8)}, **more)
    assert reply.status_code < 300, reply.text
    return dict(reply.json)


def _wait(context: AppContext, photos: Sequence[str]) -> None:
    """Wait until photographs are scanned."""

    def read() -> bool:
        with context.database.reading() as session:
            return all(session.get_one(Photo, photo).state == "done" for photo in photos)

    until(read, 2 * LIMIT)


def test_a_players_game_from_the_label_to_the_hand_in(app: Flask, context: AppContext) -> None:
    """Two photos make one list; one with another player's label and card has to be deleted."""
    game = new_game(context, mode="known")
    printed, hand = _printed(context, game), dealt(context, game, 1)
    label = printed_label(printed, 1, join_link(HOST, printed.game, printed.key, 1), DPI)
    (link,) = [code.text for code in read_codes(label.pixels) if code.text.startswith(HOST)]
    client = app.test_client()
    client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {link.partition('#')[2]}"
    assert _call(client, "GET", "/api/v1/me")["envelope"]["number"] == 1

    deck = f"{DECKS}/{_call(client, 'POST', DECKS)['id']}"
    strange = new_game(context)
    pictures = [
        _taken(printed, hand[:8], label),
        _taken(printed, hand[6:]),
        _taken(_printed(context, strange), dealt(context, strange, 1)[:2], printed_label(printed, 2, None, DPI)),
    ]
    sent = [_call(client, "POST", f"{deck}/photos", **form(jpeg))["id"] for jpeg in pictures]
    assert _call(client, "POST", f"{deck}/photos", **form(pictures[0]))["id"] == sent[0]
    _wait(context, sent)
    seen = _call(client, "GET", deck)
    assert (seen["cards"], seen["own_label"], seen["other_label"]) == (hand, True, True)
    assert [len(photo["cards"]) for photo in seen["photos"]] == [8, 7, 0]
    assert len(seen["photos"][2]["strangers"]) == 4
    body = {"digest": seen["digest"]}
    assert problem(client.post(f"{deck}/confirm", json=body)) == "422 other-label"
    assert client.delete(f"{deck}/photos/{sent[2]}").status_code == 204

    image = client.get(f"{deck}/photos/{sent[0]}/image")
    with Image.open(io.BytesIO(image.data)) as stored:
        assert (image.mimetype, stored.size) == ("image/jpeg", (1600, 1200))
        assert (seen["photos"][0]["width"], seen["photos"][0]["height"]) == stored.size
        assert not stored.getexif()
    small = client.get(f"{deck}/photos/{sent[0]}/image?width=300")
    webp = client.get(f"{deck}/photos/{sent[0]}/image?width=300", headers={"Accept": "image/webp"})
    assert len(webp.data) < len(small.data) < len(image.data) / 10

    assert _call(client, "POST", f"{deck}/confirm", json=body)["state"] == "confirmed"
    answer = _call(client, "POST", f"{deck}/check")
    held = {card.split("-")[1] for card in hand if card.startswith("rule")}
    assert set(answer["rules"]) == held
    assert {line["rule"] for line in answer["lines"] if line["rule"]} <= held
    receipt = _call(client, "POST", f"{deck}/hand-in")
    assert (receipt["cards"], receipt["late"], receipt["digest"]) == (13, False, seen["digest"])
    assert _call(client, "GET", "/api/v1/me")["receipt"] == receipt


def test_an_envelope_with_its_printed_label_has_no_issues(app: Flask, context: AppContext) -> None:
    """Either the label from labels.pdf, or one of which only the join link is readable.

    The link may have any host and may have been replaced, but needs a valid signature.
    """
    game = new_game(context, State.CLOSED)
    client, printed, hand = as_organiser(app), _printed(context, game), dealt(context, game, 1)
    url = f"/api/v1/games/{game}"
    (page, *_) = page_images(client.get(f"{url}/runs/1/labels.pdf").data, DPI)
    codes = {code.text: code.quad for code in read_codes(np.asarray(page.convert("L")))}
    width, height = (round(side / 25.4 * DPI) for side in (90, 62))
    left, top = codes[join_link(HOST, printed.game, printed.key, 1)].min(axis=0) - (0.05 * width, 0.55 * height)
    crop = page.crop((int(left), int(top), int(left) + width, int(top) + height))
    label = PrintedFace("label-001", np.ascontiguousarray(np.asarray(crop)[..., ::-1]), size=(90.0, 62.0))
    links = [
        join_link("http://192.168.1.20:8000", printed.game, printed.key, 2, version=1),
        join_link(HOST, printed.game, b"another key", 3),
    ]
    others = [dealt(context, game, number)[:3] for number in (2, 3)]
    covered = [_covered(printed_label(printed, number, link, DPI)) for number, link in zip((2, 3), links, strict=True)]
    photos = []
    for cards, beside in ((hand, label), *zip(others, covered, strict=True)):
        photos.append(_call(client, "POST", f"{url}/photos?batch=b", **form(_taken(printed, cards, beside)))["id"])
    _wait(context, photos)
    seen = [_call(client, "GET", f"{url}/photos/{photo}") for photo in photos]
    assert [(one["envelopes"], one["cards"]) for one in seen] == [([1], len(hand)), ([2], 3), ([], 3)]
    items = [one for one in _call(client, "GET", f"{url}/queue?standing=all")["items"] if one["kind"] != "missing"]
    assert [(one["kind"], one["places"][0]["photo"]) for one in items] == [("no-label", photos[2])]
    with context.database.reading() as session:
        texts = [code["text"] for photo in photos for code in session.get_one(Photo, photo).scan_result["codes"]]
    assert f"{HOST}/j" in texts
    assert not any("#" in text for text in texts)


def _covered(label: PrintedFace) -> PrintedFace:
    """Return a label whose scanner code is covered."""
    pixels = label.pixels.copy()
    pixels[:, round(0.63 * pixels.shape[1]) :] = 255
    return replace(label, pixels=pixels, codes=label.codes[1:])
