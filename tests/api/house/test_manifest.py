"""What phones are told that install the players' page."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from PIL import Image

if TYPE_CHECKING:
    from flask import Flask


def test_the_pictures_of_the_app_are_what_the_manifest_says(app: Flask) -> None:
    """Each screenshot and icon is there, in its size; there is one for phones and one for wide screens."""
    client = app.test_client()
    manifest = client.get("/manifest.webmanifest").get_json()
    for picture in [*manifest["screenshots"], *manifest["icons"]]:
        answer = client.get(picture["src"])
        assert (answer.status_code, answer.mimetype) == (200, picture["type"])
        if picture["sizes"] != "any":
            size = Image.open(io.BytesIO(answer.data)).size
            assert "{}x{}".format(*size) == picture["sizes"]
    assert {shot["form_factor"] for shot in manifest["screenshots"]} == {"narrow", "wide"}


def test_the_pictures_of_the_app_are_described_in_the_readers_language(app: Flask) -> None:
    """For those who do not see them, and none as another."""
    client = app.test_client()
    labels = set()
    for language in ("en", "de", "fr"):
        manifest = client.get("/manifest.webmanifest", headers={"Accept-Language": language}).get_json()
        labels |= {shot["label"] for shot in manifest["screenshots"]}
    assert len(labels) == 9


def test_the_manifest_leads_to_pages_that_are_there(app: Flask) -> None:
    """The start, the shortcuts, and where shared pictures go."""
    client = app.test_client()
    manifest = client.get("/manifest.webmanifest").get_json()
    for address in [manifest["start_url"], *(one["url"] for one in manifest["shortcuts"])]:
        assert client.get(address).status_code == 200
    assert client.post(manifest["share_target"]["action"]).status_code == 303
