"""How much each caller may send, and what forms with pictures may look like."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest
from werkzeug.test import EnvironBuilder

from server.api.house.exports import MOST_BYTES
from server.api.house.uploads import ADMISSION, ANONYMOUS, Admission
from server.api.uploads import FORM_OVERHEAD, MAX_PARTS
from server.app.house import HouseConfig, create_house_app
from server.scoring.strict_json import MAX_BYTES
from tests.house import as_organiser, as_player, new_game
from tests.jobs.scan_jobs import png

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask
    from flask.testing import FlaskClient

    from server.play.house import House

DECK = "/api/v1/me/decks/x/photos"
PHOTO = HouseConfig.max_photo_bytes + FORM_OVERHEAD


def admitted(app: Flask, client: FlaskClient, path: str, method: str = "POST", **environ: str) -> Admission:
    """Return how much a client may send."""
    told = EnvironBuilder(path, method=method, environ_base=client.environ_base).get_environ()
    for name in ("haggle_organiser",):
        if cookie := client.get_cookie(name):
            told["HTTP_COOKIE"] = f"{name}={cookie.value}"
    admission = Admission()
    assert not list(app.wsgi_app({**told, **environ, ADMISSION: admission}, lambda *_: bytes.__len__))
    return admission


def test_only_who_may_call_may_send_much(app: Flask, house: House) -> None:
    """The endpoint's limit holds for those who may call it, and nothing large is taken from others."""
    game = new_game(house)
    player, organiser, stranger = as_player(app, house, game, 1), as_organiser(app), app.test_client()
    photos, whole = f"/api/v1/games/{game}/photos", "/api/v1/games/import"
    assert admitted(app, player, DECK).most == PHOTO
    assert admitted(app, organiser, photos).most == PHOTO
    assert admitted(app, organiser, whole).most == MOST_BYTES
    assert admitted(app, organiser, "/api/v1/games").most == MAX_BYTES
    for client, path in [
        (stranger, DECK),
        (organiser, DECK),
        (stranger, photos),
        (player, photos),
        (player, whole),
        (stranger, "/nothing"),
        (player, "/nothing"),
    ]:
        assert admitted(app, client, path).most == 0
    assert admitted(app, player, photos, "PUT").most == 0
    assert admitted(app, stranger, "/api/v1/session").most == ANONYMOUS


def test_callers_are_told_apart_by_who_they_are_proved_to_be(app: Flask, house: House) -> None:
    """However a token is written, it is the same player; a wrong one is an address."""
    game = new_game(house)
    player, other = as_player(app, house, game, 1), as_player(app, house, game, 2)
    assert admitted(app, player, DECK).caller == f"player {game}/1"
    assert admitted(app, other, DECK).caller == f"player {game}/2"
    forged = admitted(app, app.test_client(), DECK, HTTP_AUTHORIZATION="Bearer forged", REMOTE_ADDR="192.0.2.1")
    assert forged == Admission(0, "address 192.0.2.1")


def test_a_proxy_says_whose_the_body_is(house: House, tmp_path: Path) -> None:
    """As for every other request."""
    app = create_house_app(HouseConfig(tmp_path / "data", proxies=1), house)
    asked = admitted(app, app.test_client(), "/api/v1/session", HTTP_X_FORWARDED_FOR="192.0.2.7")
    assert asked.caller == "address 192.0.2.7"


def test_how_much_may_be_sent_is_no_request(app: Flask, house: House) -> None:
    """It counts for no limit of calls and no view is called."""
    player = as_player(app, house, new_game(house), 1)
    for _ in range(100):
        assert admitted(app, player, DECK).most == PHOTO
    assert player.post(DECK, headers={"Idempotency-Key": "one"}).status_code != 429


@pytest.fixture
def send(app: Flask, house: House) -> Sender:
    """Give what sends a form as a player."""
    player = as_player(app, house, new_game(house), 1)
    deck = player.post("/api/v1/me/decks", headers={"Idempotency-Key": "deck"}).json["id"]

    def post(data: object, kind: str = "multipart/form-data") -> tuple[int, str]:
        answer = player.post(
            f"/api/v1/me/decks/{deck}/photos", data=data, content_type=kind, headers={"Idempotency-Key": "photo"}
        )
        return answer.status_code, str(answer.json.get("type"))

    return post


if TYPE_CHECKING:
    from collections.abc import Callable

    Sender = Callable[..., tuple[int, str]]


def test_the_picture_is_found_among_other_parts(send: Sender) -> None:
    """Whatever its name is."""
    form = {"place": "12", "other": (io.BytesIO(b"x"), "x.jpg"), "photo": (io.BytesIO(png(1)), "größe 😀.png")}
    assert send(form)[0] == 201


@pytest.mark.parametrize(
    ("data", "kind", "problem"),
    [
        ({"photo": "text"}, "multipart/form-data", "no-photo"),
        ({"other": (io.BytesIO(b"x"), "x.jpg")}, "multipart/form-data", "no-photo"),
        ({}, "multipart/form-data", "no-photo"),
        (b"", "multipart/form-data", "no-photo"),
        (b"not a form", "multipart/form-data; boundary=end", "no-photo"),
        (b'--end\r\nContent-Disposition: form-data; name="photo"; filename="a"\r\n\r\nabc', None, "no-photo"),
        ({f"field{number}": "x" for number in range(MAX_PARTS + 1)}, "multipart/form-data", "wrong-form"),
        (
            b'--end\r\nContent-Disposition: form-data; name="photo"\r\n\r\n' + bytes(1_000_000) + b"\r\n--end--\r\n",
            "multipart/form-data; boundary=end",
            "no-photo",
        ),
    ],
)
def test_a_form_that_is_not_as_expected_is_told(send: Sender, data: object, kind: str | None, problem: str) -> None:
    """Each with words on what to do."""
    assert send(data, kind or "multipart/form-data; boundary=end") == (422, f"/problems/{problem}")


def test_too_large_a_picture_is_told(send: Sender) -> None:
    """At the limit it is taken for a picture, beyond it is not looked at."""
    most = HouseConfig.max_photo_bytes
    head = b'--end\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n'
    kind, tail = "multipart/form-data; boundary=end", b"\r\n--end--\r\n"
    assert send(head + bytes(most) + tail, kind) == (422, "/problems/not-a-picture")
    assert send(head + bytes(most + 1) + tail, kind) == (413, "/problems/too-many-bytes")
