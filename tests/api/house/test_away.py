"""The place for photographs does not answer: whoever asks is told to try again, and may."""

from __future__ import annotations

import errno
import io
from typing import TYPE_CHECKING

import pytest

from server.play.intake import AWAY, Where, accept
from server.store.files import PlaceError
from tests.house import ORGANISER, ORIGIN, as_organiser, new_game
from tests.jobs.scan_jobs import png

if TYPE_CHECKING:
    from flask import Flask
    from werkzeug.test import TestResponse

    from server.play.house import House

REASON = "s3://bucket/x: it cannot be reached"


def _send(app: Flask, game: str) -> TestResponse:
    return as_organiser(app).post(
        f"/api/v1/games/{game}/photos",
        data={"photo": (io.BytesIO(png(1)), "a.png")},
        content_type="multipart/form-data",
        headers={"Origin": ORIGIN, "Idempotency-Key": "same"},
    )


@pytest.mark.parametrize(
    ("code", "status", "slug"),
    [(errno.EIO, 503, "busy"), (errno.ENOSPC, 507, "disk-full"), (errno.EDQUOT, 507, "disk-full")],
)
def test_an_upload_is_refused_for_now(
    app: Flask, house: House, monkeypatch: pytest.MonkeyPatch, code: int, status: int, slug: str
) -> None:
    """Nothing of it is kept, not even its key: the phone sends it again by itself."""
    game = new_game(house)

    def away(*_: object) -> None:
        raise PlaceError(code, REASON)

    with monkeypatch.context() as patch:
        patch.setattr(house.photos, "put", away)
        refused = _send(app, game)
    assert refused.status_code == status
    assert refused.get_json()["type"] == f"/problems/{slug}"
    assert refused.headers.get("Retry-After") == (str(AWAY) if status == 503 else None)
    assert REASON not in refused.text
    taken = _send(app, game)
    assert taken.status_code == 201, taken.get_json()
    assert _send(app, game).get_json() == taken.get_json()
    assert [photo for _, photo, _ in house.photos.names()] == [taken.get_json()["id"]]


@pytest.mark.parametrize("what", ["photos/{photo}/image", "export"])
def test_what_cannot_be_fetched_is_refused_for_now(
    app: Flask, house: House, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """It is not said to be deleted, and no export lacks it in silence."""
    game = new_game(house)
    photo = accept(house, Where(game), png(1), ORGANISER).id

    def away(*_: object) -> None:
        raise PlaceError(errno.EIO, REASON)

    monkeypatch.setattr(house.photos, "get", away)
    answer = as_organiser(app).get(f"/api/v1/games/{game}/{what.format(photo=photo)}")
    assert (answer.status_code, answer.headers.get("Retry-After")) == (503, str(AWAY))
    assert REASON not in answer.text
