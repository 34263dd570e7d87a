"""POST /api/v1/scans: a photograph in, cards and score out, and every refusal in words."""

from __future__ import annotations

import io
import tempfile
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from cardgen.payload import label_text
from cardgen.symbols import matrix
from scanner import scan_photo
from server.api.service import service
from server.app import AppConfig, create_app
from server.editions import load_edition
from server.jobs.printing import PrintedGame, print_game
from server.scoring import Hand, decimal, score
from tests.api.conftest import DECK, send_photo
from tests.conftest import PrintedFolder
from tests.jobs.scan_jobs import obey
from tests.pictures import cards_of, deck_photo

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

    Upload = Callable[..., TestResponse]


def picture(width: int = 640, height: int = 480, form: str = "PNG") -> bytes:
    """Make a picture without any code."""
    out = io.BytesIO()
    Image.new("RGB", (width, height), "white").save(out, form)
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


def test_cards_are_seen_and_counted(upload: Upload, photo: bytes, printed: PrintedFolder) -> None:
    """Every card of the deck is counted by kind, and outlined once where the scanner sees it."""
    seen = upload(photo).get_json()
    truth = scan_photo(photo, printed.game)
    assert seen["cards"] == DECK
    assert (seen["width"], seen["height"]) == (truth.width, truth.height)
    assert {(one["kind"], one["copy"]) for one in seen["seen"]} == {
        (card.kind, card.copy) for card in cards_of(printed, DECK)
    }
    assert len(seen["seen"]) == sum(DECK.values())
    for one, true in zip(seen["seen"], truth.seen, strict=True):
        assert one["outline"] == [[pytest.approx(x, abs=0.06), pytest.approx(y, abs=0.06)] for x, y in true.outline]
        assert len(one["quads"]) == len(true.codes)


def test_codes_are_those_of_the_scan_command(upload: Upload, photo: bytes, printed: PrintedFolder) -> None:
    """Each code comes with text, quad and card as `haggle scan` prints it, and its status."""
    codes = upload(photo).get_json()["codes"]
    assert [(code["text"], code["status"]) for code in codes] == [
        (code.text, code.status) for code in scan_photo(photo, printed.game).codes
    ]
    assert all(code["card"]["kind"] in DECK for code in codes)


def test_the_deck_is_scored(upload: Upload, photo: bytes) -> None:
    """Score and lines are those that the engine gives to these cards alone."""
    result = upload(photo).get_json()["result"]
    edition = load_edition("eurocg-2026")
    (hand,) = score(edition, [Hand("x", DECK)]).hands
    assert result["score"] == decimal(hand.score)
    assert [(line["rule"], line["points"], line["text"], line["void"]) for line in result["lines"]] == [
        (line.rule, decimal(line.points), line.text, line.void) for line in hand.lines
    ]


def test_rules_are_told_for_the_lines_alone(upload: Upload, photo: bytes) -> None:
    """The answer holds the wording of every rule that a line names, and of no other."""
    result = upload(photo).get_json()["result"]
    named = {line[key] for line in result["lines"] for key in ("rule", "voided_by", "worth_rule")} - {None}
    edition = load_edition("eurocg-2026")
    assert set(result["rules"]) == named
    assert named < set(edition.rule_of)
    assert all(rule["text"] == edition.rule_of[key].text for key, rule in result["rules"].items())


def test_plain_worth_names_its_kind_and_the_organisers_value(upload: Upload, photo: bytes) -> None:
    """The line of each colour tells its kind, and only that of blue has the organiser's value in it."""
    lines = upload(photo).get_json()["result"]["lines"]
    assert [(line["kind"], line["worth_rule"]) for line in lines if line["rule"] is None] == [
        ("red", "5"),
        ("blue", "6"),
    ]
    assert {line["kind"] for line in lines if line["organiser"]} == {"blue"}


def test_the_organisers_value_counts(printed: PrintedFolder, photo: bytes, tmp_path: Path) -> None:
    """A game whose organiser has set another value for blue is scored with that value."""
    game = replace(printed.game, settings={"blue_base": 7})
    app = create_app(AppConfig(game, tmp_path, scan_workers=1))
    with app.app_context():
        try:
            answer = send_photo(app.test_client(), photo).get_json()
        finally:
            service().scans.close()
    blue = next(line for line in answer["result"]["lines"] if line["kind"] == "blue")
    assert blue["points"] == "14"
    assert answer["result"]["settings"][0]["value"] == 7


def test_the_picture_is_upright(upload: Upload, photo: bytes) -> None:
    """A picture that the camera stored sideways comes back with upright measures."""
    with Image.open(io.BytesIO(photo)) as image:
        exif = image.getexif()
        exif[0x0112] = 6
        out = io.BytesIO()
        image.save(out, "JPEG", exif=exif, quality=92)
        size = image.size
    seen = upload(out.getvalue()).get_json()
    assert (seen["height"], seen["width"]) == size
    assert seen["cards"] == DECK


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
    ("data", "status", "slug"),
    [
        (b"just some text", 422, "not-a-picture"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", 422, "not-a-picture"),
        (b"", 422, "empty"),
        (b"%PDF-1.7 broken", 422, "not-a-picture"),
    ],
)
def test_what_is_no_picture_is_refused(upload: Upload, data: bytes, status: int, slug: str) -> None:
    """A file that is no picture says so."""
    assert upload(data).status_code == status
    assert upload(data).get_json()["type"] in {f"/problems/{slug}", "/problems/truncated"}


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


@pytest.mark.parametrize("content_type", ["image/jpeg", "application/json", ""])
def test_another_content_type_is_refused(client: FlaskClient, content_type: str) -> None:
    """A photograph that is not sent as a form says how to send it."""
    answer = client.post("/api/v1/scans", data=b"123", content_type=content_type)
    body = assert_problem(answer, 415, "wrong-type")
    assert "multipart/form-data" in body["detail"]


def test_nothing_touches_the_disk(upload: Upload, photo: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """A photograph is never written to a file, not even for a moment."""

    def refuse(*_: object, **__: object) -> None:
        pytest.fail("a temporary file was made")

    monkeypatch.setattr("werkzeug.formparser.SpooledTemporaryFile", refuse)
    for name in ("SpooledTemporaryFile", "TemporaryFile", "NamedTemporaryFile", "mkstemp"):
        monkeypatch.setattr(tempfile, name, refuse)
    assert len(photo) > 500_000
    assert upload(photo).status_code == 200


@pytest.mark.parametrize(("photo_", "slug"), [(b"crash", "crashed"), (b"sleep 30", "too-slow")])
def test_a_broken_worker_is_told_and_replaced(
    printed: PrintedFolder, monkeypatch: pytest.MonkeyPatch, photo_: bytes, slug: str
) -> None:
    """When the picture reader dies or hangs, the answer says to try again, and the next request works."""
    app = create_app(AppConfig(printed.game, printed.folder, scan_workers=1, scan_seconds=3))
    with app.app_context():
        scans = service().scans
    for worker in scans._workers:
        monkeypatch.setattr(worker, "_job", obey)
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
    with scans.place(1):
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
