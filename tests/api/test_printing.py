"""Files of print runs, previews of pages, and print jobs."""

from __future__ import annotations

import io
import zipfile
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np
import pypdfium2
import pytest
from PIL import Image

from cardgen.payload import parse
from cardgen.print_run import PARTS
from cardgen.strings import wordings
from server.api.auth import player_of
from server.editions import load_edition
from server.games.errors import DomainError
from server.games.lifecycle.states import State
from server.games.printing.files import FILES_WITHOUT_CARDS
from server.printing.job_runner import MAX_WAITING
from tests.context import ORIGIN, as_organiser, new_game
from tests.printed_pages import codes_of
from tests.waiting import until

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable

    from flask import Flask
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

    from server.games.context import AppContext

URL = "https://haggle.example.org"
FROM_US = {"Origin": ORIGIN}
draw_in_process = pytest.mark.usefixtures("draw_in_process")


@draw_in_process
def test_all_files_can_be_fetched_with_options(app: Flask, context: AppContext) -> None:
    """Files are reproducible. Those without cards are available before the deal. Page counts are known in advance."""
    client = as_organiser(app)
    game, draft = new_game(context, State.PRINTED), new_game(context, State.DRAFT)
    wanted = "backs=long&marks=lines&skip=2&paper=letter&labels=5164&labels_skip=1&second=de&stick=owned&stickers=5160"
    body = client.get(f"/api/v1/games/{game}/runs/1/pages?{wanted}").get_json()["parts"]
    assert [part["name"] for part in body] == list(PARTS)
    for part in body:
        base = f"{draft}/" if part["name"] in FILES_WITHOUT_CARDS else f"{game}/runs/1/"
        answer, again = (client.get(f"/api/v1/games/{base}{part['name']}?{wanted}") for _ in range(2))
        assert (answer.status_code, part["problem"]) == (200, None), answer.get_json()
        assert answer.data == again.data, part["name"]
        assert answer.headers["Cache-Control"] == "no-store"
        if answer.mimetype == "application/pdf":
            pdf = pypdfium2.PdfDocument(answer.data)
            assert len(pdf) == part["pages"]
            assert pdf[0].get_width() / 72 * 25.4 == pytest.approx(part["width"], abs=0.1)
            pdf.close()
    assert {part["name"]: part["pages"] for part in body}["labels.pdf"] == 2


CAUSES: list[tuple[str, str, dict[str, Any]]] = [
    ("sheets", "skip=9", {"why": "used-places", "most": 8}),
    ("sheets", "scale_x=110&shift_x=10", {"why": "off-paper"}),
    ("labels", "labels_skip=8", {"why": "used-labels", "most": 7}),
    ("labels", "labels=5164", {"why": "label-paper"}),
    ("labels", "labels=9x9/99x99", {"why": "label-room"}),
    ("labels", "labels=l7651", {"why": "small-labels"}),
    ("labels", "labels=l1", {"why": "format"}),
    ("stickers", "stickers=l7160", {"why": "no-stickers"}),
    ("stickers", "stick=owned&stickers=9x9/9x9", {"why": "small-labels"}),
]


@draw_in_process
def test_the_reason_is_given_if_a_file_cannot_be_printed(app: Flask, context: AppContext) -> None:
    """For each file, before and when it is requested, as text and as a slug."""
    client = as_organiser(app)
    run = f"/api/v1/games/{new_game(context, State.PRINTED, players=2)}/runs/1"
    for file, query, cause in CAUSES:
        body, pages = (client.get(f"{run}/{address}?{query}").get_json() for address in (f"{file}.pdf", "pages"))
        assert body["type"] == "/problems/cannot-print"
        parts = {part["name"]: part for part in pages.get("parts", [])}
        known = parts[f"{file}.pdf"]["cause"] if parts else body
        assert body.items() >= cause.items(), query
        assert known.items() >= cause.items(), query
        assert file != "labels" or not parts or parts["sheets.pdf"]["problem"] is None, query
    for wrong in ("second=xx", "labels=l1", "skip=201", "scale_x=89", "shift_x=nan", "marks=dots", "stick=gems"):
        refused = client.get(f"{run}/pages?{wrong}")
        assert refused.status_code == 422, wrong
        assert refused.get_json()["detail"]
    run = f"/api/v1/games/{new_game(context, State.PRINTED, players=2, size='mini')}/runs/1"
    for query, fits in (("", True), ("?second=de", False)):
        parts = {part["name"]: part for part in client.get(f"{run}/pages{query}").get_json()["parts"]}
        assert (parts["sheets.pdf"]["problem"] is None) is fits
        assert (parts["sheets.pdf"]["pages"] > 0) is fits
        assert parts["labels.pdf"]["problem"] is None
        assert (client.get(f"{run}/sheets.pdf{query}").status_code == 200) is fits
    assert "choose cards of another size: poker" in parts["sheets.pdf"]["problem"]
    assert parts["sheets.pdf"]["cause"] == {"why": "card-size", "width": 44.0, "height": 67.0}


@draw_in_process
def test_print_options_are_limited(app: Flask, context: AppContext) -> None:
    """Pages, runs, envelopes and sizes have limits; unknown options are refused, and no print job is created."""
    client = as_organiser(app)
    game = new_game(context, State.PRINTED)
    game_url = f"/api/v1/games/{game}"
    for address, status in {
        "runs/1/sheets/9.png": 200,
        "runs/1/sheets/10.png": 404,
        "runs/1/sheets/0.png": 404,
        "runs/2/sheets/1.png": 404,
        "runs/2/sheets.pdf": 404,
        "runs/99999999999999999999/cards.csv": 404,
        "runs/1/labels/2.png": 404,
        "runs/1/labels/0.png": 404,
        "runs/1/labels.pdf?envelope=7": 404,
        "runs/1/envelopes/7/label.png": 404,
        "runs/1/sheets/1.png?width=1601": 422,
        "runs/1/sheets/1.png?width=99": 422,
        "runs/1/labels.pdf?paper=a3": 422,
        "runs/1/labels.pdf?join=x": 422,
        "sample/label.png?join=nowhere": 422,
        "handout.pdf?language=la": 422,
    }.items():
        assert client.get(f"{game_url}/{address}").status_code == status, address
    for file in ("runs/1/labels.pdf", "runs/1/pages", "handout.pdf", "sample/sheet.png"):
        refused = client.get(f"{game_url}/{file}?shift_y=1&shitf_x=1")
        assert (refused.status_code, "shitf_x" in refused.get_json()["detail"]) == (422, True), file
    refused = client.get(f"{game_url}/runs/1/labels.pdf?scale_x=111").get_json()
    assert "equal to 110." in refused["detail"]
    for name, more, status in [
        ("posters.pdf", {}, 404),
        ("handout.pdf", {}, 404),
        ("sheets.pdf", {"second": "xx"}, 422),
        ("sheets.pdf", {"gutter": -1}, 422),
        ("sheets.pdf", {"width": 300}, 422),
        ("cards.zip", {"dpi": 299}, 422),
        ("cards.zip", {"edge": 6}, 422),
        ("cards.zip", {"form": "gif"}, 422),
    ]:
        ask(client, game, name, status, **more)
    refused = client.post(f"{game_url}/runs/1/prints", json=[]).get_json()
    assert refused["detail"].startswith("The request: Input should be a valid dictionary")
    assert context.print_runner.of_game(game) == []


@draw_in_process
def test_public_pages_have_the_requested_language(app: Flask, context: AppContext) -> None:
    """The hand-out is translated and has the deadline; the calibration page shows the game's colours."""
    client = as_organiser(app)
    deadline = datetime(2029, 7, 27, 10, tzinfo=UTC)
    game = new_game(context, State.DRAFT, deadline=deadline, timezone="Europe/Berlin")
    for language, time in (("en", "2029-07-27, 12:00"), ("de", "27.07.2029, 12:00"), ("fr", "27/07/2029, 12:00")):
        with pypdfium2.PdfDocument(client.get(f"/api/v1/games/{game}/handout.pdf?language={language}").data) as pdf:
            text = pdf[0].get_textpage().get_text_bounded()
        assert time in text
        assert wordings(language).handout.deadline in text
    inks = {kind.ink.lower() for kind in load_edition("eurocg-2026").kinds if kind.category == "colour"}
    assert len(inks) == 6
    with pypdfium2.PdfDocument(client.get(f"/api/v1/games/{game}/calibration.pdf").data) as pdf:
        seen = pdf[0].render(scale=1).to_pil().convert("RGB").getcolors(1 << 20)
    assert inks <= {"#{:02x}{:02x}{:02x}".format(*colour) for _, colour in seen}


@draw_in_process
def test_an_edition_without_card_faces_has_labels_and_a_list(
    app: Flask, context: AppContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is listed as not printable, and its sheets are refused with a reason; other editions can be printed."""
    monkeypatch.setattr("server.printing.card_faces.MOTIFS", ())
    client = as_organiser(app)
    body = client.get("/api/v1/editions").get_json()["editions"]
    assert {one["slug"] for one in body if not one["printable"]} == {"tarot-fr"}
    game_url = f"/api/v1/games/{new_game(context, State.PRINTED, edition='tarot-fr', players=35)}"
    for sheet in ("runs/1/sheets.pdf", "sample/sheet.png"):
        refused = client.get(f"{game_url}/{sheet}")
        assert (refused.status_code, refused.get_json()["type"]) == (422, "/problems/cannot-print")
        assert "cannot be printed" in refused.get_json()["detail"]
    assert client.get(f"{game_url}/sample/label.png").status_code == 200
    assert len(set(client.get(f"{game_url}/runs/1/cards.csv").text.splitlines()[1:])) == 35 * (11 + 9 + 4)


# Previews of pages.


def codes(answer: TestResponse, dpi: float, **size: int) -> list[str]:
    assert (answer.status_code, answer.mimetype) == (200, "image/png"), answer.get_json()
    image = Image.open(io.BytesIO(answer.data))
    for side, pixels in size.items():
        assert abs(getattr(image, side) - pixels) < 2
    return [code.text for code in codes_of(np.asarray(image.convert("RGB")), dpi)]


@draw_in_process
def test_the_preview_of_a_page_has_the_printed_codes(
    app: Flask, context: AppContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sheet has the code of each card twice, a label its join link; previews are cached."""
    client = as_organiser(app)
    run = f"/api/v1/games/{new_game(context, State.PRINTED)}/runs/1"
    second = client.get(f"{run}/sheets/2.png?width=1600")
    seen = codes(second, 1600 / 8.27, width=1600, height=round(1600 * 297 / 210))
    rows = [row.split(",") for row in client.get(f"{run}/cards.csv").text.splitlines()]
    assert len(seen) == 18
    assert set(seen) == {row[3] for row in rows if row[6] == "2"}
    page, one = client.get(f"{run}/labels/1.png?width=1600"), client.get(f"{run}/envelopes/3/label.png?width=900")
    assert len(codes(page, 1600 / 8.27)) == 12
    (link,) = [text for text in codes(one, 900 / 3.7) if parse(text) is None]
    with context.database.reading() as session:
        assert player_of(session, link.removeprefix(f"{URL}/j#")).envelope == 3
    assert (page.headers["Cache-Control"], one.headers["Cache-Control"]) == ("no-store", "no-store")
    assert second.headers["Cache-Control"] == "private, no-cache"
    tag = {"If-None-Match": second.headers["ETag"]}
    assert client.get(f"{run}/sheets/2.png?width=300", headers=tag).status_code == 200
    monkeypatch.delattr("server.games.printing.previews.run_in_process")
    assert client.get(f"{run}/sheets/2.png?width=1600", headers=tag).status_code == 304


@draw_in_process
def test_samples_before_the_deal_contain_no_real_cards(app: Flask, context: AppContext) -> None:
    """Their join link is invalid, and the game remains a draft."""
    client = as_organiser(app)
    game_url = f"/api/v1/games/{new_game(context, State.DRAFT)}"
    sheet = client.get(f"{game_url}/sample/sheet.png?width=1600&paper=letter")
    assert len(codes(sheet, 1600 / 8.5, height=round(1600 * 279.4 / 215.9))) == 18
    label = client.get(f"{game_url}/sample/label.png?width=900&join={URL}")
    (link,) = [text for text in codes(label, 900 / 3.7) if parse(text) is None]
    with context.database.reading() as session, pytest.raises(DomainError):
        player_of(session, link.removeprefix(f"{URL}/j#"))
    assert client.get(game_url).get_json()["state"] == "draft"


# Print jobs.


def ask(client: FlaskClient, game: str, name: str, status: int = 202, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - any choice
    answer = client.post(f"/api/v1/games/{game}/runs/1/prints", json={"name": name, **more}, headers=FROM_US)
    assert answer.status_code == status, (name, more, answer.get_json())
    body: dict[str, Any] = answer.get_json()
    return body


def ended(client: FlaskClient, game: str, job: str, *states: str) -> dict[str, Any]:
    """Return a print job once it is in one of these states, by default finished."""
    body: dict[str, Any] = {}

    def look() -> bool:
        body.update(client.get(f"/api/v1/games/{game}/prints/{job}").get_json())
        return body["state"] in (states or ("done", "failed"))

    until(look)
    return body


def made(client: FlaskClient, game: str, name: str, **more: Any) -> tuple[dict[str, Any], dict[str, bytes]]:  # noqa: ANN401 - any choice
    result = ended(client, game, ask(client, game, name, **more)["id"])
    assert result["state"] == "done", result
    with (
        client.get(f"/api/v1/games/{game}/prints/{result['id']}/file") as answer,
        zipfile.ZipFile(io.BytesIO(answer.data)) as archive,
    ):
        return result, {name: archive.read(name) for name in archive.namelist()}


def test_a_print_job_runs_in_a_worker_process(app: Flask, context: AppContext) -> None:
    """It reports its progress, and repeated requests get the same job."""
    client = as_organiser(app)
    game = new_game(context, State.PRINTED)
    job = ask(client, game, "sheets.pdf", backs="long", paper="letter")
    assert job["state"] in {"waiting", "working"}
    assert ask(client, game, "sheets.pdf", backs="long", paper="letter")["id"] == job["id"]
    result = ended(client, game, job["id"])
    assert (result["state"], result["name"], result["problem"]) == ("done", f"{game}-1-sheets.pdf", None)
    assert result["done"] == result["of"] > 0
    with client.get(f"/api/v1/games/{game}/prints/{job['id']}/file") as answer:
        assert (answer.status_code, answer.mimetype, len(answer.data)) == (200, "application/pdf", result["bytes"])
        assert answer.headers["Cache-Control"] == "no-store"
        assert f"{game}-1-sheets.pdf" in answer.headers["Content-Disposition"]
        with pypdfium2.PdfDocument(answer.data) as pdf:
            assert len(pdf) == result["of"]
    assert client.get(f"/api/v1/games/{game}/prints").get_json()["prints"] == [result]
    assert client.get(f"/api/v1/games/{new_game(context)}/prints/{job['id']}").status_code == 404


@draw_in_process
def test_all_files_can_be_printed_as_one_archive(app: Flask, context: AppContext) -> None:
    """The archive is for organisers, or has single cards for a print shop; a failed job has its reason."""
    client = as_organiser(app)
    game = new_game(context, State.PRINTED, players=1)
    game_url = f"/api/v1/games/{game}"
    result, files = made(client, game, "all.zip", stick="owned")
    assert list(files) == ["sheets.pdf", "stickers.pdf", "labels.pdf", "packing.pdf", "handout.pdf", "cards.csv"]
    pages = 1
    for name, data in files.items():
        if name.endswith(".pdf"):
            with pypdfium2.PdfDocument(data) as document:
                pages += len(document)
    assert result["done"] <= result["of"] == pages
    for name in ("labels.pdf", "cards.csv"):
        assert client.get(f"{game_url}/runs/1/{name}?stick=owned").data == files[name], name
    result, files = made(client, game, "cards.zip", form="pdf", edge=2)
    assert (result["done"], result["of"]) == (13, 13)
    assert sum(name.startswith("fronts/") for name in files) == 13
    assert {"back.pdf", "manifest.csv"} <= set(files)
    assert client.delete(f"{game_url}/prints/{result['id']}", headers=FROM_US).status_code == 204
    assert client.get(f"{game_url}/prints/{result['id']}").status_code == 404
    result = ended(client, game, ask(client, game, "labels.pdf", labels="5164")["id"])
    assert result["state"] == "failed"
    assert "letter" in result["problem"]
    refused = client.get(f"{game_url}/prints/{result['id']}/file")
    assert (refused.status_code, refused.get_json()["type"]) == (409, "/problems/not-done")
    assert "letter" in refused.get_json()["detail"]


@draw_in_process
@pytest.mark.parametrize(
    ("options", "files", "sides"),
    [
        ({}, ["sheets", "labels", "packing", "handout"], 1),
        ({"backs": "long", "labels": "l7165"}, ["sheets", "packing", "handout"], 2),
    ],
    ids=["plain", "backs, and labels on sheets of their own"],
)
def test_all_that_is_printed_on_one_paper_is_one_document(
    app: Flask, context: AppContext, options: dict[str, str], files: list[str], sides: int
) -> None:
    """The pages are in the order of the files, the same bytes each time; on duplex printers each page has a sheet."""
    client, game = as_organiser(app), new_game(context, State.PRINTED, players=1)
    url = f"/api/v1/games/{game}/runs/1/pages"
    pages = {part["name"]: part["pages"] for part in client.get(url, query_string=options).json["parts"]}
    job = ended(client, game, ask(client, game, "all.pdf", **options)["id"])
    assert job["state"] == "done", job
    with client.get(f"/api/v1/games/{game}/prints/{job['id']}/file") as answer:
        data = answer.data
    with pypdfium2.PdfDocument(data) as document:
        texts = [page.get_textpage().get_text_range() for page in document]
    counts = [pages[f"{name}.pdf"] * (1 if name == "sheets" else sides) for name in files]
    assert len(texts) == sum(counts)
    assert job["done"] <= job["of"] == sum(pages[f"{name}.pdf"] for name in files)
    after = texts[counts[0] :]
    assert all(after[::sides])
    assert sides == 1 or not any(after[1::2])
    client.delete(f"/api/v1/games/{game}/prints/{job['id']}", headers=FROM_US)
    again = ended(client, game, ask(client, game, "all.pdf", **options)["id"])
    with client.get(f"/api/v1/games/{game}/prints/{again['id']}/file") as answer:
        assert answer.data == data


def test_print_jobs_are_limited_and_end_with_their_game(
    app: Flask, context: AppContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The number of concurrent jobs is limited; cancelling one makes room for another."""

    def wait(*_arguments: object, progress: Callable[[int, int], None], stop: threading.Event) -> None:
        progress(1, 9)
        stop.wait(60)

    monkeypatch.setattr("server.printing.job_runner.run_with_progress", wait)
    client = as_organiser(app)
    game, other = new_game(context, State.PRINTED), new_game(context, State.PRINTED)
    ended(client, game, ask(client, game, "sheets.pdf")["id"], "working")
    assert ask(client, game, "sheets.pdf", skip=1)["state"] == "waiting"
    for skip in range(MAX_WAITING - 2):
        last = ask(client, other, "sheets.pdf", skip=skip)
    assert ask(client, other, "labels.pdf", status=503)["type"] == "/problems/busy"
    assert client.delete(f"/api/v1/games/{other}/prints/{last['id']}", headers=FROM_US).status_code == 204
    ask(client, other, "labels.pdf")
    assert client.delete(f"/api/v1/games/{game}", headers=FROM_US).status_code == 204
    assert context.print_runner.of_game(game) == []
    assert client.get(f"/api/v1/games/{game}/prints").status_code == 404
    context.print_runner.delete_of_game(other)
