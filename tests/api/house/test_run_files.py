"""The files of runs and games, as they are wanted on paper."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pypdfium2
import pytest

from cardgen.printing import PARTS
from server.editions import load_edition
from server.play.run_files import OF_GAME
from server.play.states import State
from tests.house import as_organiser, new_game

if TYPE_CHECKING:
    from flask import Flask

    from server.play.house import House


def test_every_file_can_be_had_as_it_is_wanted(app: Flask, house: House) -> None:
    """Of a run, and before the deal what needs no cards; how many pages each has is known before."""
    client = as_organiser(app)
    game, draft = new_game(house, State.PRINTED), new_game(house, State.DRAFT)
    wanted = "backs=long&marks=lines&skip=2&paper=letter&labels=5164&labels_skip=1&second=de&stick=owned&stickers=5160"
    told = client.get(f"/api/v1/games/{game}/runs/1/pages?{wanted}").get_json()["parts"]
    assert [part["name"] for part in told] == list(PARTS)
    for part in told:
        base = f"{draft}/" if part["name"] in OF_GAME else f"{game}/runs/1/"
        answer = client.get(f"/api/v1/games/{base}{part['name']}?{wanted}")
        assert (answer.status_code, part["problem"]) == (200, None), answer.get_json()
        assert answer.headers["Cache-Control"] == "no-store"
        if answer.mimetype == "application/pdf":
            pdf = pypdfium2.PdfDocument(answer.data)
            assert len(pdf) == part["pages"]
            assert pdf[0].get_width() / 72 * 25.4 == pytest.approx(part["width"], abs=0.1)
            pdf.close()
    assert {part["name"]: part["pages"] for part in told}["labels.pdf"] == 2


def test_what_cannot_be_printed_says_why_before(app: Flask, house: House) -> None:
    """Each file by itself: labels that come on other paper keep no sheet from being printed."""
    client = as_organiser(app)
    game = new_game(house, State.PRINTED)
    pages = f"/api/v1/games/{game}/runs/1/pages"
    parts = {part["name"]: part for part in client.get(f"{pages}?labels=5164").get_json()["parts"]}
    assert "letter paper" in parts["labels.pdf"]["problem"]
    assert (parts["sheets.pdf"]["pages"], parts["sheets.pdf"]["problem"]) == (9, None)
    for wrong in ("second=xx", "labels=l1", "skip=201", "scale_x=89", "shift_x=nan", "marks=dots", "stick=gems"):
        refused = client.get(f"{pages}?{wrong}")
        assert refused.status_code == 422, wrong
        assert refused.get_json()["detail"]


def test_words_that_do_not_fit_their_cards_are_told_before(app: Flask, house: House) -> None:
    """Two languages have no room on mini cards: the sheets say so, as they do when they are asked for."""
    client = as_organiser(app)
    game = new_game(house, State.PRINTED, players=2, size="mini")
    run = f"/api/v1/games/{game}/runs/1"
    for query, fits in (("", True), ("?second=de", False)):
        parts = {part["name"]: part for part in client.get(f"{run}/pages{query}").get_json()["parts"]}
        assert (parts["sheets.pdf"]["problem"] is None) is fits
        assert (parts["sheets.pdf"]["pages"] > 0) is fits
        assert parts["labels.pdf"]["problem"] is None
        assert (client.get(f"{run}/sheets.pdf{query}").status_code == 200) is fits
    assert "choose cards of another size: poker" in parts["sheets.pdf"]["problem"]
    assert parts["sheets.pdf"]["cause"] == {"why": "card-size", "width": 44.0, "height": 67.0}
    assert parts["labels.pdf"]["cause"] is None


@pytest.mark.parametrize(
    ("file", "query", "cause"),
    [
        ("sheets", "skip=9", {"why": "used-places", "most": 8}),
        ("sheets", "scale_x=110&shift_x=10", {"why": "off-paper"}),
        ("labels", "labels_skip=8", {"why": "used-labels", "most": 7}),
        ("labels", "labels=5164", {"why": "label-paper"}),
        ("labels", "labels=9x9/99x99", {"why": "label-room"}),
        ("labels", "labels=l7651", {"why": "small-labels"}),
        ("labels", "labels=l1", {"why": "format"}),
        ("stickers", "stickers=l7160", {"why": "no-stickers"}),
        ("stickers", "stick=owned&stickers=9x9/9x9", {"why": "small-labels"}),
    ],
)
def test_each_cause_is_told_to_programs(app: Flask, house: House, file: str, query: str, cause: dict[str, Any]) -> None:
    """So that they can say it in their own words: by the file itself, and by what tells how many pages it has."""
    client = as_organiser(app)
    run = f"/api/v1/games/{new_game(house, State.PRINTED, players=2)}/runs/1"
    told, pages = (client.get(f"{run}/{address}?{query}").get_json() for address in (f"{file}.pdf", "pages"))
    assert told["type"] == "/problems/cannot-print"
    known = told if "parts" not in pages else next(p for p in pages["parts"] if p["name"] == f"{file}.pdf")["cause"]
    for name, value in cause.items():
        assert told[name] == value
        assert known[name] == value


def test_the_calibration_page_shows_the_game_s_colours(app: Flask, house: House) -> None:
    """Before the deal and after it, as the command's does: whether dark colours run together is seen there."""
    client = as_organiser(app)
    draft, game = new_game(house, State.DRAFT), new_game(house, State.PRINTED)
    inks = {kind.ink for kind in load_edition("eurocg-2026").kinds if kind.category == "colour"}
    assert len(inks) == 6
    for address in (draft, game):
        pdf = pypdfium2.PdfDocument(client.get(f"/api/v1/games/{address}/calibration.pdf").data)
        seen = pdf[0].render(scale=1).to_pil().convert("RGB").getcolors(1 << 20)
        pdf.close()
        shown = {"#{:02x}{:02x}{:02x}".format(*colour) for _, colour in seen}
        assert {ink.lower() for ink in inks} <= shown


def test_misspelt_wishes_are_refused_by_name(app: Flask, house: House) -> None:
    """Instead of a file that is not as it was meant; limits are told in round numbers."""
    client = as_organiser(app)
    game = new_game(house, State.PRINTED, players=2)
    for file in ("runs/1/labels.pdf", "runs/1/pages", "handout.pdf", "sample/sheet.png"):
        refused = client.get(f"/api/v1/games/{game}/{file}?shift_y=1&shitf_x=1")
        assert (refused.status_code, "shitf_x" in refused.get_json()["detail"]) == (422, True), file
    refused = client.get(f"/api/v1/games/{game}/runs/1/labels.pdf?scale_x=111").get_json()
    assert "equal to 110." in refused["detail"]
    refused = client.post(f"/api/v1/games/{game}/runs/1/prints", json=[]).get_json()
    assert refused["detail"].startswith("What was sent: Input should be a valid dictionary")


def test_the_hand_out_comes_in_each_language_of_the_edition(app: Flask, house: House) -> None:
    """And in no other."""
    client = as_organiser(app)
    game = new_game(house, State.DRAFT)
    found = {}
    for language in ("en", "de", "fr"):
        pdf = pypdfium2.PdfDocument(client.get(f"/api/v1/games/{game}/handout.pdf?language={language}").data)
        found[language] = pdf[0].get_textpage().get_text_bounded()
        pdf.close()
    assert len(set(found.values())) == 3
    assert client.get(f"/api/v1/games/{game}/handout.pdf?language=la").status_code == 422
