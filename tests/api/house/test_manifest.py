"""What phones are told that install the players' page."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from PIL import ExifTags, Image

from server.editions import edition_names, editions_from, load_edition
from tests.played import EXAMPLES

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


def test_the_pictures_of_the_app_give_no_rule_away(app: Flask) -> None:
    """They show games of an example edition, which has no name and no wording of a rule in common with ours."""
    client = app.test_client()
    ours = {text for slug in edition_names() for text in _rules(slug)}
    for picture in client.get("/manifest.webmanifest").get_json()["screenshots"]:
        about = Image.open(io.BytesIO(client.get(picture["src"]).data)).getexif()[ExifTags.Base.ImageDescription]
        with editions_from(EXAMPLES):
            shown = _rules(about.removeprefix("A game of the example edition "))
        assert not shown & ours


def _rules(slug: str) -> set[str]:
    """Return the names and wordings of an edition's rules in all its languages."""
    editions = [load_edition(slug, language) for language in load_edition(slug).languages]
    return {text for edition in editions for rule in edition.rules for text in (rule.name, rule.text)}


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
