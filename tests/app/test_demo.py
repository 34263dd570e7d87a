"""What a demo offers, and that a real game offers nothing of it."""

from __future__ import annotations

import io
import shutil
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from server.app import AppConfig, create_app
from server.app.assets import AssetError
from tests.pictures import HEIGHT, WIDTH

if TYPE_CHECKING:
    from pathlib import Path

    from flask.testing import FlaskClient

    from tests.conftest import PrintedFolder

OFFERED = ("/demo/sheets.pdf", "/demo/labels.pdf", "/demo/small.jpg", "/demo/small.jpg/thumbnail")
NEVER = (
    "/demo/game.json",
    "/demo/cards.csv",
    "/demo/hidden.jpg",
    "/demo/hidden.jpg/thumbnail",
    "/demo/photos.json",
    "/demo/photos/photos.json",
    "/demo/../game.json",
    "/demo/%2e%2e/game.json",
    "/demo/sheets.pdf/thumbnail",
    "/game.json",
    "/cards.csv",
)


def test_samples_are_offered_in_order(demo_client: FlaskClient) -> None:
    """The game's description lists the photographs with title, note, size and addresses that work."""
    samples = demo_client.get("/api/v1/game").get_json()["samples"]
    assert [(sample["title"], sample["note"]) for sample in samples] == [
        ("Small deck", "Two cards"),
        ("Large deck", "Five cards"),
    ]
    assert [(sample["width"], sample["height"]) for sample in samples] == [(WIDTH, HEIGHT)] * 2
    assert all(
        demo_client.get(sample[key], buffered=True).status_code == 200
        for sample in samples
        for key in ("url", "thumbnail")
    )


def test_sheets_and_labels_can_be_downloaded(demo_client: FlaskClient, demo_folder: Path) -> None:
    """The PDFs come as downloads, byte for byte."""
    downloads = demo_client.get("/api/v1/game").get_json()["downloads"]
    assert [download["title"] for download in downloads] == ["Card sheets", "Envelope labels"]
    for download in downloads:
        answer = demo_client.get(download["url"], buffered=True)
        assert answer.mimetype == "application/pdf"
        assert answer.headers["Content-Disposition"].startswith("attachment")
        assert len(answer.data) == download["bytes"]
        assert answer.data == (demo_folder / download["url"].split("/")[-1]).read_bytes()


def test_thumbnails_are_small(demo_client: FlaskClient) -> None:
    """A thumbnail is a small JPEG of the photograph, and is not sent twice."""
    answer = demo_client.get("/demo/small.jpg/thumbnail")
    with Image.open(io.BytesIO(answer.data)) as image:
        assert (image.format, max(image.size)) == ("JPEG", 360)
    assert len(answer.data) < 60_000
    again = demo_client.get("/demo/small.jpg/thumbnail", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304


@pytest.mark.parametrize("path", OFFERED)
def test_a_real_game_offers_no_file(demo_client: FlaskClient, client: FlaskClient, path: str) -> None:
    """What the demo offers cannot be fetched from a real game: players must not print cards."""
    assert demo_client.get(path, buffered=True).status_code == 200
    assert client.get(path).status_code == 404


@pytest.mark.parametrize("path", NEVER)
def test_secrets_are_never_served(demo_client: FlaskClient, client: FlaskClient, path: str) -> None:
    """The game file, the card list and whatever is not listed cannot be fetched, in the demo neither."""
    assert demo_client.get(path).status_code == 404
    assert client.get(path).status_code == 404


@pytest.mark.parametrize("listed", ["", "{", "[1]", '[{"title": "x"}]', '[{"file": "gone.jpg", "title": "x"}]', "null"])
def test_a_damaged_list_of_photographs_is_told(printed: PrintedFolder, tmp_path: Path, listed: str) -> None:
    """A list of photographs that makes no sense is an error that says what to do."""
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "photos.json").write_text(listed, encoding="utf-8")
    with pytest.raises(AssetError, match="delete"):
        create_app(AppConfig(printed.game, tmp_path, demo=True))


def test_a_demo_without_photographs_works(printed: PrintedFolder, tmp_path: Path) -> None:
    """A demo's folder without photographs and sheets offers none."""
    client = create_app(AppConfig(printed.game, tmp_path, demo=True)).test_client()
    game = client.get("/api/v1/game").get_json()
    assert (game["samples"], game["downloads"]) == ([], [])


def test_a_folder_that_goes_away_takes_only_its_files_along(
    printed: PrintedFolder, demo_folder: Path, tmp_path: Path
) -> None:
    """With a damaged photograph, and then the folder, removed under a running demo, the game goes on without them."""
    folder = tmp_path / "demo"
    shutil.copytree(demo_folder, folder)
    client = create_app(AppConfig(printed.game, folder, demo=True)).test_client()
    (folder / "photos" / "large.jpg").write_bytes(b"damaged")
    assert client.get("/demo/small.jpg/thumbnail").status_code == 200
    assert client.get("/demo/large.jpg/thumbnail").status_code == 404
    shutil.rmtree(folder)
    for path in OFFERED:
        assert client.get(path).status_code == 404
    answer = client.get("/api/v1/game")
    assert answer.status_code == 200
    assert (answer.get_json()["samples"], answer.get_json()["downloads"]) == ([], [])
