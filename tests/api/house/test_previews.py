"""Pages of print runs as pictures, before and after the deal."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from PIL import Image

from cardgen.payload import parse
from server.play.house import game_row, printed_game
from server.play.refusals import Refusal
from server.play.states import State
from server.play.tokens import seat_of
from tests.house import as_organiser, new_game
from tests.printed_pages import codes_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask
    from werkzeug.test import TestResponse

    from server.play.house import House

URL = "https://haggle.example.org"


@pytest.fixture(autouse=True)
def _drawn_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw in this process, which saves a second a picture."""

    def here(work: Callable[..., Any], *arguments: Any) -> Any:  # noqa: ANN401 - as what it stands for
        return work(*arguments)

    monkeypatch.setattr("server.play.previews.run_apart", here)


def picture(answer: TestResponse) -> Image.Image:
    """Return an answer's picture."""
    assert (answer.status_code, answer.mimetype) == (200, "image/png"), answer.get_json()
    return Image.open(io.BytesIO(answer.data))


def codes(image: Image.Image, dpi: float) -> list[str]:
    """Return the texts of all codes in a picture."""
    return [code.text for code in codes_of(np.asarray(image.convert("RGB")), dpi)]


def test_a_page_of_a_run_is_what_the_printer_gets(app: Flask, house: House) -> None:
    """The second page bears the codes of the second page's cards, each twice."""
    client = as_organiser(app)
    game = new_game(house, State.PRINTED)
    image = picture(client.get(f"/api/v1/games/{game}/runs/1/sheets/2.png?width=1600"))
    assert image.width == 1600
    assert abs(image.height - 1600 * 297 / 210) < 2
    with house.database.reading() as session:
        printed = printed_game(game_row(session, game))
    seen = codes(image, 1600 / 8.27)
    assert len(seen) == 18
    rows = client.get(f"/api/v1/games/{game}/runs/1/cards.csv").get_data(as_text=True).splitlines()
    second = {row.split(",")[3] for row in rows if row.split(",")[6] == "2"}
    assert set(seen) == second
    assert all(parse(text) for text in seen)
    assert printed.game == game


def test_labels_are_shown_by_page_and_one_by_one(app: Flask, house: House) -> None:
    """With links that open their envelopes now."""
    client = as_organiser(app)
    game = new_game(house, State.PRINTED)
    page = client.get(f"/api/v1/games/{game}/runs/1/labels/1.png?width=1600")
    assert len(codes(picture(page), 1600 / 8.27)) == 12
    one = client.get(f"/api/v1/games/{game}/runs/1/envelopes/3/label.png?width=900")
    (link,) = [text for text in codes(picture(one), 900 / 3.7) if parse(text) is None]
    with house.database.reading() as session:
        assert seat_of(session, link.removeprefix(f"{URL}/j#")).envelope == 3
    assert (page.headers["Cache-Control"], one.headers["Cache-Control"]) == ("no-store", "no-store")


def test_before_the_deal_there_is_a_sample_that_is_no_card_of_the_game(app: Flask, house: House) -> None:
    """Its codes are of no game's key, its link opens nothing, and the game is still a draft."""
    client = as_organiser(app)
    game = new_game(house, State.DRAFT)
    sheet = picture(client.get(f"/api/v1/games/{game}/sample/sheet.png?width=1600&paper=letter"))
    assert abs(sheet.height - 1600 * 279.4 / 215.9) < 2
    assert len(codes(sheet, 1600 / 8.5)) == 18
    label = picture(client.get(f"/api/v1/games/{game}/sample/label.png?width=900&join={URL}"))
    (link,) = [text for text in codes(label, 900 / 3.7) if parse(text) is None]
    with house.database.reading() as session, pytest.raises(Refusal):
        seat_of(session, link.removeprefix(f"{URL}/j#"))
    assert client.get(f"/api/v1/games/{game}").get_json()["state"] == "draft"


def test_a_picture_that_the_browser_has_is_not_drawn_again(
    app: Flask, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Asked with its tag, it is the same; at another width it is another."""
    client = as_organiser(app)
    game = new_game(house, State.PRINTED)
    address = f"/api/v1/games/{game}/runs/1/sheets/1.png"
    first = client.get(f"{address}?width=200")
    assert first.headers["Cache-Control"] == "private, no-cache"
    tag = {"If-None-Match": first.headers["ETag"]}
    assert client.get(f"{address}?width=300", headers=tag).status_code == 200

    def never(*_arguments: object) -> bytes:
        raise AssertionError("drawn again")

    monkeypatch.setattr("server.play.previews.run_apart", never)
    assert client.get(f"{address}?width=200", headers=tag).status_code == 304


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("runs/1/sheets/9.png", 200),
        ("runs/1/sheets/10.png", 404),
        ("runs/1/sheets/0.png", 404),
        ("runs/2/sheets/1.png", 404),
        ("runs/1/labels/2.png", 404),
        ("runs/1/labels/0.png", 404),
        ("runs/1/envelopes/7/label.png", 404),
        ("runs/1/sheets/1.png?width=1601", 422),
        ("runs/1/sheets/1.png?width=99", 422),
        ("sample/label.png?join=nowhere", 422),
    ],
)
def test_there_are_bounds(app: Flask, house: House, address: str, status: int) -> None:
    """Of the pages that a run has, and of a picture's width."""
    game = new_game(house, State.PRINTED)
    assert as_organiser(app).get(f"/api/v1/games/{game}/{address}").status_code == status


def test_an_edition_without_faces_has_labels_alone(app: Flask, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its sheets cannot be shown, and it says so."""
    monkeypatch.setattr("server.jobs.faces.MOTIFS", ())
    client = as_organiser(app)
    game = new_game(house, State.DRAFT, edition="tarot-fr", players=35)
    refused = client.get(f"/api/v1/games/{game}/sample/sheet.png")
    assert (refused.status_code, refused.get_json()["type"]) == (422, "/problems/cannot-print")
    assert client.get(f"/api/v1/games/{game}/sample/label.png").status_code == 200
