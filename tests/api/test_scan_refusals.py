"""POST /api/v1/scans: what cannot be scanned is refused in words, and nothing breaks the server."""

from __future__ import annotations

import io
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from cardgen.payload import label_text
from cardgen.symbols import matrix
from server.api.service import service
from server.app import AppConfig, create_app, factory
from server.jobs.printing import PrintedGame, print_game
from server.jobs.scanning import ScanPool
from tests.api.conftest import FORM, send_photo
from tests.conftest import PrintedFolder
from tests.jobs.scan_jobs import obey
from tests.pictures import deck_photo

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

    Upload = Callable[..., TestResponse]


def picture() -> bytes:
    """Make a picture without any code."""
    out = io.BytesIO()
    Image.new("RGB", (640, 480), "white").save(out, "PNG")
    return out.getvalue()


def assert_problem(answer: TestResponse, status: int, slug: str) -> dict[str, Any]:
    """Check that an answer tells of a problem after RFC 9457, in words that say what to do."""
    body: dict[str, Any] = answer.get_json()
    assert answer.status_code == status, body
    assert answer.mimetype == "application/problem+json"
    assert body["type"] == f"/problems/{slug}"
    assert body["status"] == status
    assert body["title"]
    assert body["detail"].endswith((".", "!"))
    assert "Traceback" not in body["detail"]
    return body


def test_no_code_is_a_problem_with_advice(upload: Upload) -> None:
    """A picture without any card says what to do, and has the scanner's hints."""
    body = assert_problem(upload(picture()), 422, "no-codes")
    assert isinstance(body["hints"], list)


def test_a_label_alone_is_no_deck(upload: Upload, printed: PrintedFolder) -> None:
    """A picture with an envelope's label and no card says that only the label was found."""
    modules = np.array(matrix(label_text(printed.game, 7)))
    code = np.kron(np.pad(~modules, 4, constant_values=True), np.ones((8, 8), dtype=bool))
    out = io.BytesIO()
    Image.fromarray(code).save(out, "PNG")
    assert "label" in assert_problem(upload(out.getvalue()), 422, "no-codes")["detail"]


def test_cards_of_another_game_are_told(upload: Upload, tmp_path: Path) -> None:
    """A picture with only cards of another game says so."""
    folder = tmp_path / "other"
    other = PrintedFolder(folder, print_game("eurocg-2026", 24, folder, seed="other"))
    assert_problem(upload(deck_photo(other, {"red": 2})), 422, "other-game")


def test_forged_cards_alone_are_no_deck(printed: PrintedFolder, upload: Upload) -> None:
    """Cards with this game's id but another key count for nothing."""
    forged = PrintedGame(replace(printed.game, key=bytes(32)), printed.done.edition, printed.done.printed, ())
    jpeg = deck_photo(PrintedFolder(printed.folder, forged), {"red": 2})
    assert_problem(upload(jpeg), 422, "no-codes")


@pytest.mark.parametrize(
    ("data", "slug"),
    [
        (b"just some text", "not-a-picture"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "not-a-picture"),
        (b"", "empty"),
        (b"%PDF-1.7 broken", "not-a-picture"),
    ],
)
def test_what_is_no_picture_is_refused(upload: Upload, data: bytes, slug: str) -> None:
    """A file that is no picture says so."""
    assert_problem(upload(data), 422, slug)


def test_a_truncated_picture_is_refused(upload: Upload, photo: bytes) -> None:
    """A JPEG that was cut short in transfer says so."""
    assert_problem(upload(photo[: len(photo) // 2]), 422, "truncated")


def test_too_many_pixels_are_refused(upload: Upload) -> None:
    """A small file that unpacks to a huge picture is refused before it is unpacked."""
    bomb = io.BytesIO()
    Image.new("1", (9000, 9000)).save(bomb, "PNG")
    assert len(bomb.getvalue()) < 100_000
    assert_problem(upload(bomb.getvalue()), 413, "too-many-pixels")


@pytest.mark.parametrize(
    ("size", "slug"),
    [(999, "not-a-picture"), (1000, "not-a-picture"), (1001, "too-many-bytes"), (99_999, "too-many-bytes")],
)
def test_bytes_are_bounded(printed: PrintedFolder, size: int, slug: str) -> None:
    """A file of the largest size is looked at; one of a byte more is not."""
    app = create_app(AppConfig(printed.game, printed.folder, scan_workers=1, max_photo_bytes=1000))
    with app.app_context():
        scans = service().scans
    try:
        assert send_photo(app.test_client(), bytes(size)).get_json()["type"] == f"/problems/{slug}"
    finally:
        scans.close()


def test_a_long_request_is_refused_before_it_is_read(client: FlaskClient) -> None:
    """A request that says it is too long gets its answer at once."""
    answer = client.post(
        "/api/v1/scans",
        content_type="multipart/form-data; boundary=x",
        environ_overrides={"CONTENT_LENGTH": str(10**12)},
    )
    assert_problem(answer, 413, "too-many-bytes")


@pytest.mark.parametrize("field", ["foto", "photos"])
def test_another_field_is_refused(upload: Upload, field: str) -> None:
    """A file in another field says which field it should be in."""
    assert "photo" in assert_problem(upload(b"x", field=field), 422, "no-photo")["detail"]


@pytest.mark.parametrize(("parts", "slug"), [(7, "not-a-picture"), (8, "wrong-form"), (10_000, "wrong-form")])
def test_a_form_of_many_parts_is_refused_as_such(client: FlaskClient, parts: int, slug: str) -> None:
    """Eight parts are looked at; more are no picture, and the answer does not blame its size."""
    other = b'--end\r\nContent-Disposition: form-data; name="x"\r\n\r\ny\r\n'
    photo = b'--end\r\nContent-Disposition: form-data; name="photo"; filename="p.jpg"\r\n\r\nz\r\n--end--\r\n'
    answer = client.post("/api/v1/scans", data=other * parts + photo, content_type=FORM)
    assert ("8 parts" in assert_problem(answer, 422, slug)["detail"]) == (slug == "wrong-form")


@pytest.mark.parametrize("size", [10, 2_000_000])
def test_a_picture_sent_as_text_is_refused_as_such(client: FlaskClient, size: int) -> None:
    """A form that holds the picture without a file name says that it must be a file."""
    body = b'--end\r\nContent-Disposition: form-data; name="photo"\r\n\r\n' + bytes(size) + b"\r\n--end--\r\n"
    answer = client.post("/api/v1/scans", data=body, content_type=FORM)
    assert "as a file" in assert_problem(answer, 422, "no-photo")["detail"]


def test_a_form_cut_short_is_refused_as_such(client: FlaskClient) -> None:
    """A form without its end says so: the picture in it may be half a picture."""
    body = b'--end\r\nContent-Disposition: form-data; name="photo"; filename="p.jpg"\r\n\r\nhalf'
    answer = client.post("/api/v1/scans", data=body, content_type=FORM)
    assert "incomplete" in assert_problem(answer, 422, "no-photo")["detail"]


@pytest.mark.parametrize("content_type", ["image/jpeg", "application/json", ""])
def test_another_content_type_is_refused(client: FlaskClient, content_type: str) -> None:
    """A photograph that is not sent as a form says how to send it."""
    answer = client.post("/api/v1/scans", data=b"123", content_type=content_type)
    body = assert_problem(answer, 415, "wrong-type")
    assert "multipart/form-data" in body["detail"]


@pytest.mark.parametrize(("photo_", "slug"), [(b"crash", "crashed"), (b"sleep 30", "too-slow")])
def test_a_broken_worker_is_told_and_replaced(
    printed: PrintedFolder, monkeypatch: pytest.MonkeyPatch, photo_: bytes, slug: str
) -> None:
    """When the picture reader dies or hangs, the answer says to try again, and the next request works."""
    monkeypatch.setattr(factory, "ScanPool", partial(ScanPool, job=obey))
    app = create_app(AppConfig(printed.game, printed.folder, scan_workers=1, scan_seconds=3))
    with app.app_context():
        scans = service().scans
    try:
        answer = send_photo(app.test_client(), photo_)
        assert_problem(answer, 503, slug)
        assert int(answer.headers["Retry-After"]) > 0
        # The obedient job sees no code, which is an answer of a worker that works.
        assert_problem(send_photo(app.test_client(), b"again"), 422, "no-codes")
    finally:
        scans.close()


def test_too_many_at_once_are_turned_away(printed: PrintedFolder) -> None:
    """With all places taken the answer is 503, with the time to try again."""
    app = create_app(AppConfig(printed.game, printed.folder, scan_workers=1, scan_places=1))
    with app.app_context():
        scans = service().scans
    with scans.place():
        answer = send_photo(app.test_client(), b"x")
    assert_problem(answer, 503, "busy")
    assert int(answer.headers["Retry-After"]) > 0


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damaged_pictures_never_break_the_server(small_photo: bytes, upload: Upload, data: st.DataObject) -> None:
    """Whatever bits are flipped in a photograph, the answer is a result or a problem in words."""
    damaged = bytearray(small_photo)
    for _ in range(data.draw(st.integers(1, 12))):
        place = data.draw(st.integers(0, len(damaged) - 1))
        damaged[place] ^= 1 << data.draw(st.integers(0, 7))
    answer = upload(bytes(damaged[: data.draw(st.integers(1, len(damaged)))]))
    assert answer.status_code in {200, 413, 422}
    if answer.status_code != 200:
        assert answer.get_json()["detail"]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=st.binary(max_size=300), boundary=st.text("ab-", max_size=5))
def test_damaged_forms_never_break_the_server(client: FlaskClient, body: bytes, boundary: str) -> None:
    """Whatever stands in a form, the answer is a problem in words."""
    answer = client.post("/api/v1/scans", data=body, content_type=f"multipart/form-data; boundary={boundary}")
    assert answer.status_code in {400, 413, 415, 422}
    assert answer.get_json()["detail"]


@pytest.fixture(scope="session")
def small_photo(photo: bytes) -> bytes:
    """Shrink the photograph, so that damaged ones are read quickly."""
    with Image.open(io.BytesIO(photo)) as image:
        out = io.BytesIO()
        image.resize((800, 600)).save(out, "JPEG", quality=85)
        return out.getvalue()
