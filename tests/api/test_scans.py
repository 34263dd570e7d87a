"""POST /api/v1/scans: a photograph in, cards and score out."""

from __future__ import annotations

import io
import tempfile
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from scanner import scan_photo
from server.api.service import service
from server.app import AppConfig, create_app
from server.editions import load_edition
from server.scoring import Hand, decimal, score
from tests.api.conftest import DECK, send_photo
from tests.pictures import cards_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from werkzeug.test import TestResponse

    from tests.conftest import PrintedFolder

    Upload = Callable[..., TestResponse]


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


def test_nothing_touches_the_disk(upload: Upload, photo: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """A photograph is never written to a file, not even for a moment."""

    def refuse(*_: object, **__: object) -> None:
        pytest.fail("a temporary file was made")

    monkeypatch.setattr("werkzeug.formparser.SpooledTemporaryFile", refuse)
    for name in ("SpooledTemporaryFile", "TemporaryFile", "NamedTemporaryFile", "mkstemp"):
        monkeypatch.setattr(tempfile, name, refuse)
    out = io.BytesIO()
    with Image.open(io.BytesIO(photo)) as image:
        image.save(out, "JPEG", quality=97)
    # From this size on Werkzeug would use a file by itself.
    assert len(out.getvalue()) > 500_000
    assert upload(out.getvalue()).status_code == 200
