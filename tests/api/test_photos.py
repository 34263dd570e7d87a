"""Photos: uploads and lists of organisers, and images in requested sizes."""

from __future__ import annotations

import io
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from cardgen.payload import join_link
from server.api import file_responses
from server.db.models import Deck, Photo
from server.games.lifecycle.repository import load_game
from server.games.lifecycle.states import State
from server.games.photos.readings import HintReading
from server.games.photos.upload import PhotoTarget, accept
from tests.context import ORGANISER, as_organiser, as_player, new_game
from tests.players import dealt, problem, set_game
from tests.readings import add_photo, reading

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

    from server.games.context import AppContext


@pytest.fixture
def game(context: AppContext) -> str:
    """Return a closed game of six envelopes."""
    return new_game(context, State.CLOSED)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """Return a client that is signed in as an organiser."""
    return as_organiser(app)


def _jpeg(colour: str) -> bytes:
    """Return a JPEG of one colour with a red square in a corner."""
    image = Image.new("RGB", (1500, 750), colour)
    image.paste("red", (100, 50, 200, 150))
    out = io.BytesIO()
    image.save(out, "JPEG", quality=95)
    return out.getvalue()


def _shown(data: bytes, at: tuple[int, int]) -> tuple[str | None, tuple[int, int], bool]:
    """Return an image's format and size, and whether it is red at a position."""
    with Image.open(io.BytesIO(data)) as image:
        red, green, _ = image.convert("RGB").getpixel(at)
        return image.format, image.size, red > 200 and green < 60


def _send(client: FlaskClient, game: str, key: str, **query: object) -> TestResponse:
    return client.post(
        f"/api/v1/games/{game}/photos",
        query_string=query,
        data={"photo": (io.BytesIO(_jpeg("white")), "deck.jpg")},
        headers={"Idempotency-Key": key},
    )


def _finish(context: AppContext, photo: str) -> str:
    """Mark a photo as scanned; return its id."""
    with context.database.writing() as session:
        row = session.get_one(Photo, photo)
        row.state, row.scan_result, row.scanned = "done", reading().as_json(), context.clock()
    return photo


def test_photos_are_listed_with_their_state(context: AppContext, client: FlaskClient, game: str) -> None:
    """Counts by state include all photos; filters and pages select some.

    Players' photos are private: waiting ones are counted, but none is listed or shown.
    """
    cards = dealt(context, game, 1)
    first = add_photo(context, game, reading(cards, [1]), batch="a", place=1)
    second = add_photo(context, game, reading(), batch="a", place=2)
    third = add_photo(context, game, batch="b", place=1)
    own = add_photo(context, game, reading(cards, [1]), envelope=1)
    add_photo(context, game, envelope=1)
    add_photo(context, game, envelope=2, state="scanning")
    add_photo(context, game, envelope=1, state="failed", reason="crashed")
    add_photo(context, new_game(context), envelope=1)
    photos = f"/api/v1/games/{game}/photos"

    def ids(**query: object) -> tuple[list[str], int]:
        body = client.get(photos, query_string=query).json
        assert body["states"] == {"waiting": 1, "scanning": 0, "done": 2, "failed": 0}
        assert (body["of_players"], body["readers"]) == (2, 0)
        return [photo["id"] for photo in body["photos"]], body["total"]

    assert ids() == ([first, second, third], 3)
    assert ids(state="waiting") == ([third], 1)
    assert ids(batch="a", limit=1, offset=1) == ([second], 2)
    assert ids(envelope=1) == ([first], 1)
    assert ids(doubtful="true") == ([second], 1)
    assert (ids(limit=0), ids(limit=0, state="waiting"), ids(limit=0, envelope=1)) == (([], 3), ([], 1), ([], 1))
    assert client.get(f"{photos}?limit=-1").status_code == 422
    detail = client.get(f"{photos}/{first}").json
    assert (detail["envelopes"], len(detail["seen"]), detail["open"]) == ([1], len(cards), 0)
    assert [client.get(f"{photos}/{url}").status_code for url in (own, f"{own}/image")] == [404, 404]


def test_a_photo_with_a_label_can_be_assigned_to_another_envelope(
    context: AppContext, client: FlaskClient, game: str
) -> None:
    photo = add_photo(context, game, reading(dealt(context, game, 1), [1]))
    address = f"/api/v1/games/{game}/photos/{photo}"
    revision = client.get(address).json["revision"]
    body = {"envelope": 2, "reason": "The label lay in the wrong heap."}
    assert client.patch(address, json=body, headers={"If-Match": "0"}).status_code == 412
    assert client.patch(address, json=body, headers={"If-Match": revision}).status_code == 200
    assert client.get(address).json["envelopes"] == [2]


def test_a_scan_result_of_an_earlier_version_does_not_leak_its_token(
    context: AppContext, client: FlaskClient, game: str
) -> None:
    """It contains the join link as a foreign code, which is not sent, but still identifies the envelope."""
    host = "https://haggle.example.org"
    elsewhere = new_game(context)
    with context.database.reading() as session:
        row, other = load_game(session, game), load_game(session, elsewhere)
        links = [
            join_link(host, row.id, row.key, 1),
            join_link(host, row.id, b"forged", 2),
            join_link(host, other.id, other.key, 3),
        ]
    stored = reading(dealt(context, game, 1), strangers=[("foreign", link) for link in links])
    stored = stored.model_copy(update={"hints": (HintReading(slug="foreign", text="3 codes not of this game"),)})
    photo = add_photo(context, game, stored)
    paths = (f"/photos/{photo}", "/queue?standing=all", "/photos", "/audit")
    seen, queue, *rest = (client.get(f"/api/v1/games/{game}{path}") for path in paths)
    assert (seen.json["labels"], seen.json["envelopes"], seen.json["hints"]) == ([1], [1], [])
    (item,) = [item for item in queue.json["items"] if item["kind"] != "missing"]
    assert (item["kind"], item["standing"], item["says"]) == ("other-game", "settled", f"{host}/j")
    result = "".join(answer.text for answer in (seen, queue, *rest))
    assert not [link for link in links if link.partition("#")[2] in result]


def test_a_photo_is_uploaded_and_its_crops_are_sent(context: AppContext, client: FlaskClient, game: str) -> None:
    """The response to an upload is the entry of the list; crops are JPEGs of the requested area and size."""
    add_photo(context, game, reading(dealt(context, game, 1), [1]))
    query = {"batch": "t", "place": 7, "name": "IMG_1.jpg"}
    reply = _send(client, game, "a", **query)
    assert (reply.status_code, reply.json["state"], reply.json["batch"], reply.json["place"]) == (
        201,
        "waiting",
        "t",
        7,
    )
    assert _send(client, game, "a", **query).json == reply.json
    assert _send(client, game, "b", **query).json["id"] == reply.json["id"]
    twice = _send(client, game, "c", batch="u").json
    assert twice["same_as"] is not None
    for sent in (reply.json, twice):
        listed = client.get(f"/api/v1/games/{game}/photos", query_string={"batch": sent["batch"]}).json["photos"]
        assert listed == [sent]

    address = f"/api/v1/games/{game}/photos/{reply.json['id']}/image"
    assert client.get(address).mimetype == "image/jpeg"
    assert client.get(address, query_string={"width": 100}).status_code == 409
    _finish(context, reply.json["id"])
    piece = client.get(address, query_string={"crop": "100,50,200,150", "width": 50})
    assert _shown(piece.data, (25, 25)) == ("JPEG", (50, 50), True)
    for crop in ("1600,800,1700,900", "1,2,3"):
        assert client.get(address, query_string={"crop": crop}).status_code == 422


def test_uploads_are_accepted_while_the_game_is_open_or_closed(
    context: AppContext, client: FlaskClient, game: str
) -> None:
    """A repeated upload after the count gets the first response."""
    first = _send(client, game, "a")
    for state in (State.PRINTED, State.FROZEN):
        set_game(context, game, state=state)
        again = _send(client, game, "a")
        assert (again.status_code, again.json) == (201, first.json)
        assert problem(_send(client, game, "b")) == "409 wrong-state"


def test_a_failed_photo_can_be_scanned_again(context: AppContext, app: Flask, client: FlaskClient, game: str) -> None:
    """It waits again, unless it is being deleted."""
    photo, erased = (add_photo(context, game, state="failed", reason="crashed") for _ in range(2))
    queue = f"/api/v1/games/{game}/queue?kind=failed&standing="
    places = [item["places"][0]["photo"] for item in client.get(f"{queue}settled").json["items"]]
    assert sorted(places) == sorted([photo, erased])
    reply = client.post(f"/api/v1/games/{game}/photos/{photo}/scan")
    assert (reply.status_code, reply.json["state"]) == (200, "waiting")
    assert len(client.get(f"{queue}all").json["items"]) == 1

    with ThreadPoolExecutor(1) as thread:
        with context.database.writing() as session:
            session.get_one(Photo, erased, with_for_update=True).image_deleted_at = context.clock()
            session.flush()
            scan = f"/api/v1/games/{game}/photos/{erased}/scan"
            asking = thread.submit(lambda: as_organiser(app).post(scan).status_code)
            with pytest.raises(TimeoutError):
                asking.result(0.5)
        assert asking.result(60) == 409
    with context.database.reading() as session:
        assert session.get_one(Photo, erased).state == "failed"


@pytest.fixture
def photo(context: AppContext, game: str) -> str:
    """Return the id of a scanned photo in a player's deck `d`."""
    with context.database.writing() as session:
        session.add(Deck(id="d", game=game, envelope=1, state="open", cards=None, created=context.clock()))
    return _done(context, PhotoTarget(game, envelope=1, deck="d"))


def _done(context: AppContext, where: PhotoTarget, colour: str = "red") -> str:
    return _finish(context, accept(context, where, _jpeg(colour), ORGANISER).id)


def _image(app: Flask, context: AppContext, game: str, photo: str, width: int | None, **headers: str) -> TestResponse:
    """Request a player's photo."""
    query = {} if width is None else {"width": width}
    url = f"/api/v1/me/decks/d/photos/{photo}/image"
    return as_player(app, context, game, 1).get(url, query_string=query, headers=headers)


def test_all_sizes_are_made_from_one_cached_copy(app: Flask, context: AppContext, game: str, photo: str) -> None:
    """The original is decoded only once. Clients that accept WebP get it."""
    first = _image(app, context, game, photo, 300)
    assert _shown(first.data, (5, 5)) == ("JPEG", (300, 150), True)
    context.photos.put(game, photo, _jpeg("blue"))
    assert _shown(_image(app, context, game, photo, 800).data, (5, 5)) == ("JPEG", (800, 400), True)
    assert _shown(_image(app, context, game, photo, None).data, (5, 5)) == ("JPEG", (1500, 750), False)
    webp = _image(app, context, game, photo, 300, Accept="image/webp, */*")
    assert (webp.mimetype, *_shown(webp.data, (5, 5))) == ("image/webp", "WEBP", (300, 150), True)
    assert ("Accept" in webp.vary, "Accept" in first.vary) == (True, True)
    assert _image(app, context, game, photo, 300, Accept="image/webp;q=0, */*").mimetype == "image/jpeg"


def test_the_cached_copy_is_deleted_with_its_photo(context: AppContext, client: FlaskClient, game: str) -> None:
    photo = _done(context, PhotoTarget(game))
    address = f"/api/v1/games/{game}/photos/{photo}"
    assert client.get(f"{address}/image?width=300").status_code == 200
    assert context.photos.get_copy(game, photo)
    assert client.delete(address, query_string={"reason": "blurred"}).status_code == 204
    assert context.photos.get_copy(game, photo) is None
    assert not list(context.photos.names())


def test_too_many_image_requests_at_once_are_refused(
    app: Flask, context: AppContext, client: FlaskClient, game: str, photo: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of a thumbnail and of a crop, with Retry-After; a photo as it is stored takes no time."""
    crop = f"/api/v1/games/{game}/photos/{_done(context, PhotoTarget(game))}/image?crop=0,0,100,100"
    monkeypatch.setattr(file_responses, "_requests", threading.BoundedSemaphore(1))
    with file_responses._requests:
        for refused in (_image(app, context, game, photo, 300), client.get(crop)):
            assert (refused.status_code, refused.headers["Retry-After"]) == (503, "5")
        assert _image(app, context, game, photo, None).status_code == 200
    for _ in range(2):
        assert client.get(crop).status_code == 200
