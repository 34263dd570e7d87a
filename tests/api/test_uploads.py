"""Uploads: limits by caller, multipart forms, and failures of the storage."""

from __future__ import annotations

import errno
import io
from typing import TYPE_CHECKING, Any

from werkzeug.test import EnvironBuilder

from server.api.auth import COOKIE
from server.api.organiser import archives
from server.api.uploads import ADMISSION, ANONYMOUS_BYTES, FORM_OVERHEAD, MAX_PARTS, Admission
from server.games.photos.upload import RETRY_SECONDS, PhotoTarget, accept
from server.scoring.request_schema import MAX_BYTES
from server.storage.base import StorageError
from server.web_app.factory import create_app
from server.web_app.settings import AppConfig
from tests.context import ORGANISER, as_organiser, as_player, new_game
from tests.players import problem
from tests.scan_jobs import png

if TYPE_CHECKING:
    from pathlib import Path

    import pytest
    from flask import Flask
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

    from server.games.context import AppContext

DECK = "/api/v1/me/decks/x/photos"
PHOTO = AppConfig.max_photo_bytes + FORM_OVERHEAD
REASON = "s3://bucket/x: it cannot be reached"


def admitted(app: Flask, client: FlaskClient, path: str, method: str = "POST", **environ: str) -> Admission:
    """Return the limits for a request of a client."""
    result = EnvironBuilder(path, method=method, environ_base=client.environ_base).get_environ()
    if cookie := client.get_cookie(COOKIE):
        result["HTTP_COOKIE"] = f"{COOKIE}={cookie.value}"
    admission = Admission()
    assert not list(app.wsgi_app({**result, **environ, ADMISSION: admission}, lambda *_: bytes.__len__))
    return admission


def test_only_authorized_callers_may_send_large_bodies(app: Flask, context: AppContext) -> None:
    """Others get the small default limit."""
    game = new_game(context)
    player, organiser, stranger = as_player(app, context, game, 1), as_organiser(app), app.test_client()
    photos, whole = f"/api/v1/games/{game}/photos", "/api/v1/games/import"
    for client, path, most in [
        (player, DECK, PHOTO),
        (organiser, photos, PHOTO),
        (organiser, whole, archives.MAX_BYTES),
        (organiser, "/api/v1/games", MAX_BYTES),
        (stranger, "/api/v1/session", ANONYMOUS_BYTES),
        (stranger, DECK, 0),
        (organiser, DECK, 0),
        (stranger, photos, 0),
        (player, photos, 0),
        (player, whole, 0),
        (stranger, "/nothing", 0),
        (player, "/nothing", 0),
    ]:
        assert admitted(app, client, path).max_bytes == most, path
    assert admitted(app, player, photos, "PUT").max_bytes == 0
    # Checking the limits does not count as a request.
    assert {admitted(app, player, DECK).max_bytes for _ in range(100)} == {PHOTO}
    assert player.post(DECK, headers={"Idempotency-Key": "one"}).status_code == 415


def test_callers_are_identified_by_valid_credentials(app: Flask, context: AppContext, tmp_path: Path) -> None:
    """With an invalid token the caller is the address; behind a proxy, the forwarded address."""
    game = new_game(context)
    for number in (1, 2):
        assert admitted(app, as_player(app, context, game, number), DECK).caller == f"player {game}/{number}"
    forged = admitted(app, app.test_client(), DECK, HTTP_AUTHORIZATION="Bearer forged", REMOTE_ADDR="192.0.2.1")
    assert forged == Admission(0, "address 192.0.2.1")
    # A cookie with an added character is the same organiser or invalid.
    olga, other = as_organiser(app), app.test_client()
    other.set_cookie(COOKIE, f"{olga.get_cookie(COOKIE).value}=")
    mine = admitted(app, olga, "/api/v1/games").caller
    assert mine.startswith("organiser Olga since ")
    assert admitted(app, other, "/api/v1/games").caller in {mine, "address None", "address 127.0.0.1"}
    behind = create_app(AppConfig(tmp_path / "data", proxies=1), context)
    asked = admitted(behind, behind.test_client(), "/api/v1/session", HTTP_X_FORWARDED_FOR="192.0.2.7")
    assert asked.caller == "address 192.0.2.7"


HEAD = b'--end\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n'
TAIL = b"\r\n--end--\r\n"
MOST = AppConfig.max_photo_bytes
FORMS: dict[str, tuple[Any, str]] = {
    "no file": ({"photo": "text"}, "422 no-photo"),
    "another field": ({"other": (io.BytesIO(b"x"), "x.jpg")}, "422 no-photo"),
    "nothing": (b"", "422 no-photo"),
    "no form": (b"not a form", "422 no-photo"),
    "cut": (HEAD + b"abc", "422 no-photo"),
    "many fields": ({f"field{number}": "x" for number in range(MAX_PARTS + 1)}, "422 wrong-form"),
    "a long text": (HEAD.replace(b'; filename="a.jpg"', b"") + bytes(1_000_000) + TAIL, "422 no-photo"),
    "no picture": (HEAD + b"hello" + TAIL, "422 not-a-picture"),
    "an empty file": (HEAD + TAIL, "422 empty"),
    "as large as may be": (HEAD + bytes(MOST) + TAIL, "422 not-a-picture"),
    "too large": (HEAD + bytes(MOST + 1) + TAIL, "413 too-many-bytes"),
}


def test_invalid_forms_are_refused(app: Flask, context: AppContext) -> None:
    """With a message that says what to do. Other parts of a form are ignored."""
    player = as_player(app, context, new_game(context), 1)
    deck = player.post("/api/v1/me/decks", headers={"Idempotency-Key": "deck"}).json["id"]

    def send(name: str, data: object) -> TestResponse:
        kind = "multipart/form-data" + ("; boundary=end" if isinstance(data, bytes) else "")
        address = f"/api/v1/me/decks/{deck}/photos"
        return player.post(address, data=data, content_type=kind, headers={"Idempotency-Key": name})

    for name, (data, expected) in FORMS.items():
        result = send(name, data)
        assert problem(result) == expected, name
        assert result.json["detail"]
    assert list(context.photos.names()) == []
    form = {"place": "12", "other": (io.BytesIO(b"x"), "x.jpg"), "photo": (io.BytesIO(png(1)), "größe 😀.png")}
    assert send("a picture", form).status_code == 201


def test_uploads_are_refused_while_the_storage_fails(
    app: Flask, context: AppContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is stored, not even the idempotency key, so that the client can retry."""
    game, client = new_game(context), as_organiser(app)

    def send() -> TestResponse:
        form = {"photo": (io.BytesIO(png(1)), "a.png")}
        return client.post(f"/api/v1/games/{game}/photos", data=form, headers={"Idempotency-Key": "same"})

    for code, result, retry in (
        (errno.EIO, "503 busy", str(RETRY_SECONDS)),
        (errno.ENOSPC, "507 disk-full", None),
        (errno.EDQUOT, "507 disk-full", None),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(context.photos, "put", _away(code))
            refused = send()
        assert (problem(refused), refused.headers.get("Retry-After")) == (result, retry)
        assert REASON not in refused.text
    taken = send()
    assert taken.status_code == 201, taken.text
    assert send().json == taken.json
    assert [photo for _, photo, _ in context.photos.names()] == [taken.json["id"]]


def test_downloads_are_refused_while_the_storage_fails(
    app: Flask, context: AppContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Photos are not reported as deleted, and exports fail instead of omitting them."""
    game = new_game(context)
    photo = accept(context, PhotoTarget(game), png(1), ORGANISER).id
    monkeypatch.setattr(context.photos, "get", _away(errno.EIO))
    for what in (f"photos/{photo}/image", "export"):
        answer = as_organiser(app).get(f"/api/v1/games/{game}/{what}")
        assert (answer.status_code, answer.headers.get("Retry-After")) == (503, str(RETRY_SECONDS))
        assert REASON not in answer.text


def _away(code: int) -> Any:  # noqa: ANN401 - stands for any method of the store
    def away(*_: object) -> None:
        raise StorageError(code, REASON)

    return away
