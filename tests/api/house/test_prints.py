"""Prints that take long: made beside the server, watched, fetched, cancelled, and gone with their game."""

from __future__ import annotations

import io
import time
import zipfile
from typing import TYPE_CHECKING, Any

import pypdfium2
import pytest

from server.jobs.press import MOST_WAITING
from server.play.prints import MADE
from server.play.states import State
from tests.house import ORIGIN, as_organiser, new_game

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable

    from flask import Flask
    from flask.testing import FlaskClient

    from server.play.house import House

FROM_US = {"Origin": ORIGIN}


@pytest.fixture
def _made_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make prints in a thread of this process, which saves a second each."""

    def here(work: Callable[..., Any], *arguments: object, tell: object, stop: threading.Event) -> object:
        assert not stop.is_set()
        return work(*arguments, tell=tell)

    monkeypatch.setattr("server.jobs.press.run_telling", here)


@pytest.fixture
def _stuck(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every print wait until it is cancelled."""

    def wait(*_arguments: object, tell: Callable[[int, int], None], stop: threading.Event) -> None:
        tell(1, 9)
        stop.wait(60)

    monkeypatch.setattr("server.jobs.press.run_telling", wait)


def ask(client: FlaskClient, game: str, name: str, status: int = 202, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - any choice
    """Ask for a print; return the answer."""
    answer = client.post(f"/api/v1/games/{game}/runs/1/prints", json={"name": name, **more}, headers=FROM_US)
    assert answer.status_code == status, answer.get_json()
    told: dict[str, Any] = answer.get_json()
    return told


def until(client: FlaskClient, game: str, job: str, *states: str) -> dict[str, Any]:
    """Ask how far a print is until it is in one of these states."""
    end = time.monotonic() + 60
    while True:
        told: dict[str, Any] = client.get(f"/api/v1/games/{game}/prints/{job}").get_json()
        if told["state"] in states:
            return told
        assert time.monotonic() < end, told
        time.sleep(0.02)


def test_a_print_is_made_beside_the_server_and_fetched(app: Flask, house: House) -> None:
    """It tells how far it is, and its file is what the run's own address gives."""
    client = as_organiser(app)
    game = new_game(house, State.PRINTED)
    job = ask(client, game, "sheets.pdf", backs="long", paper="letter")
    assert job["state"] in {"waiting", "working"}
    assert ask(client, game, "sheets.pdf", backs="long", paper="letter")["id"] == job["id"]
    told = until(client, game, job["id"], "done", "failed")
    assert (told["state"], told["name"], told["problem"]) == ("done", f"{game}-1-sheets.pdf", None)
    assert told["done"] == told["of"] > 0
    answer = client.get(f"/api/v1/games/{game}/prints/{job['id']}/file")
    assert (answer.status_code, answer.mimetype, len(answer.data)) == (200, "application/pdf", told["bytes"])
    assert answer.headers["Cache-Control"] == "no-store"
    assert f"{game}-1-sheets.pdf" in answer.headers["Content-Disposition"]
    pdf = pypdfium2.PdfDocument(answer.data)
    assert len(pdf) == told["of"]
    pdf.close()
    answer.close()
    listed = client.get(f"/api/v1/games/{game}/prints").get_json()["prints"]
    assert listed == [told]
    assert client.get(f"/api/v1/games/{new_game(house)}/prints/{job['id']}").status_code == 404


@pytest.mark.usefixtures("_made_here")
def test_cards_come_for_a_print_service(app: Flask, house: House) -> None:
    """As a ZIP with a file for each front, one for the back, and how many of each."""
    client = as_organiser(app)
    game = new_game(house, State.PRINTED, players=1)
    job = ask(client, game, "cards.zip", form="pdf", edge=2)
    told = until(client, game, job["id"], "done", "failed")
    assert (told["state"], told["done"], told["of"]) == ("done", 13, 13), told
    answer = client.get(f"/api/v1/games/{game}/prints/{job['id']}/file")
    with zipfile.ZipFile(io.BytesIO(answer.data)) as archive:
        names = archive.namelist()
    assert sum(name.startswith("fronts/") for name in names) == 13
    assert {"back.pdf", "manifest.csv"} <= set(names)
    answer.close()
    assert client.delete(f"/api/v1/games/{game}/prints/{job['id']}", headers=FROM_US).status_code == 204
    assert client.get(f"/api/v1/games/{game}/prints/{job['id']}").status_code == 404


@pytest.mark.usefixtures("_made_here")
def test_a_print_that_fails_says_why(app: Flask, house: House) -> None:
    """In the words of what is wrong; its file is refused."""
    client = as_organiser(app)
    game = new_game(house, State.PRINTED)
    job = ask(client, game, "labels.pdf", labels="5164")
    told = until(client, game, job["id"], "done", "failed")
    assert told["state"] == "failed"
    assert "letter" in told["problem"]
    refused = client.get(f"/api/v1/games/{game}/prints/{job['id']}/file")
    assert (refused.status_code, refused.get_json()["type"]) == (409, "/problems/not-done")
    assert "letter" in refused.get_json()["detail"]


@pytest.mark.usefixtures("_stuck")
def test_there_are_bounds_and_a_deleted_game_ends_its_prints(app: Flask, house: House) -> None:
    """So many at once; a game that is deleted takes its own with it, and a cancelled one makes room."""
    client = as_organiser(app)
    game, other = new_game(house, State.PRINTED), new_game(house, State.PRINTED)
    first = ask(client, game, "sheets.pdf")
    until(client, game, first["id"], "working")
    assert ask(client, game, "sheets.pdf", skip=1)["state"] == "waiting"
    for skip in range(MOST_WAITING - 2):
        last = ask(client, other, "sheets.pdf", skip=skip)
    refused = ask(client, other, "labels.pdf", status=503)
    assert refused["type"] == "/problems/busy"
    assert client.delete(f"/api/v1/games/{other}/prints/{last['id']}", headers=FROM_US).status_code == 204
    ask(client, other, "labels.pdf")
    assert client.delete(f"/api/v1/games/{game}", headers=FROM_US).status_code == 204
    assert house.press.of_game(game) == []
    assert client.get(f"/api/v1/games/{game}/prints").status_code == 404
    house.press.forget(other)


@pytest.mark.usefixtures("_made_here")
@pytest.mark.parametrize(
    ("more", "sheets"), [({}, ["sheets.pdf"]), ({"stick": "owned"}, ["sheets.pdf", "stickers.pdf"])]
)
def test_all_that_is_printed_comes_as_one_file(
    app: Flask, house: House, more: dict[str, Any], sheets: list[str]
) -> None:
    """Each file is what its own address gives, and all their pages are told on the way."""
    client = as_organiser(app)
    game = new_game(house, State.PRINTED)
    told = until(client, game, ask(client, game, "all.zip", **more)["id"], "done", "failed")
    assert told["state"] == "done", told
    answer = client.get(f"/api/v1/games/{game}/prints/{told['id']}/file")
    with zipfile.ZipFile(io.BytesIO(answer.data)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    answer.close()
    assert list(files) == [*sheets, "labels.pdf", "packing.pdf", "handout.pdf", "cards.csv"]
    pages = 1
    for name, data in files.items():
        if name.endswith(".pdf"):
            with pypdfium2.PdfDocument(data) as document:
                pages += len(document)
    assert told["done"] <= told["of"] == pages
    for name in ("labels.pdf", "cards.csv"):
        assert client.get(f"/api/v1/games/{game}/runs/1/{name}", query_string=more).data == files[name], name


@pytest.mark.parametrize(
    ("name", "more", "status"),
    [
        ("posters.pdf", {}, 404),
        ("handout.pdf", {}, 404),
        ("sheets.pdf", {"second": "xx"}, 422),
        ("sheets.pdf", {"gutter": -1}, 422),
        ("sheets.pdf", {"width": 300}, 422),
        ("cards.zip", {"dpi": 299}, 422),
        ("cards.zip", {"edge": 6}, 422),
        ("cards.zip", {"form": "gif"}, 422),
    ],
)
def test_what_cannot_be_made_is_refused_at_once(
    app: Flask, house: House, name: str, more: dict[str, Any], status: int
) -> None:
    """No print is begun for it."""
    game = new_game(house, State.PRINTED)
    ask(as_organiser(app), game, name, status, **more)
    assert house.press.of_game(game) == []


def test_every_file_of_a_run_can_be_made() -> None:
    """And all of them at once, and the cards for a print service."""
    single = {"sheets.pdf", "labels.pdf", "cards.csv", "packing.pdf", "stickers.pdf"}
    assert set(MADE) >= {*single, "all.zip", "cards.zip"}
