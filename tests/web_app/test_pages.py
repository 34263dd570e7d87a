"""HTML pages, preloads, the web manifest, and error pages."""

from __future__ import annotations

import io
import json
import re
from typing import TYPE_CHECKING

import pytest
from PIL import ExifTags, Image

from server.editions import edition_names, load_edition
from server.editions.registry import editions_from
from server.web_app.assets import WEB, Assets
from tests.played_game import EXAMPLES

if TYPE_CHECKING:
    from flask.testing import FlaskClient

BUILD = {"@messageformat/core", "@messageformat/parser", "subset-font", "vite", "vite-plugin-pwa"}
"""Packages that build the pages."""
DOCS = WEB.parent / "docs" / "install.md"


def test_the_security_policy_allows_no_inline_code(client: FlaskClient) -> None:
    """Pages have no inline scripts or styles, the policy forbids them and other origins, and pages are revalidated."""
    answer = client.get("/")
    policy = answer.headers["Content-Security-Policy"]
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert not re.search(r"<script(?![^>]*src=)| style=|<style", answer.text)
    assert answer.headers["Cache-Control"] == "no-cache"


def test_only_the_live_scan_worker_may_compile_wasm(client: FlaskClient) -> None:
    """The worker's script has its own policy, which allows wasm; others do not."""
    assets = Assets.load()
    assert "worker-src 'self';" in client.get("/").headers["Content-Security-Policy"]
    worker = client.get(assets.url("live/worker.js")).headers["Content-Security-Policy"]
    assert "script-src 'self' 'wasm-unsafe-eval';" in worker
    assert "default-src 'none'" in worker
    zxing = "node_modules/zxing-wasm/dist"
    for name in (
        "live/decoder.js",
        f"{zxing}/iife/reader/index.js",
        f"{zxing}/reader/zxing_reader.wasm",
        "player.html",
    ):
        assert "unsafe" not in client.get(assets.url(name)).headers["Content-Security-Policy"]


def test_all_files_of_pages_exist(client: FlaskClient) -> None:
    """All files that pages and scripts refer to have the right type and are cached forever."""
    named = re.findall(r'(?:href|src)="(/assets/[^"]+)"', client.get("/").text)
    for url in named:
        answer = client.get(url)
        assert answer.status_code == 200, url
        assert "immutable" in answer.headers["Cache-Control"]
        assert answer.mimetype != "application/octet-stream", url
        if url.endswith(".js"):
            imported = re.findall(r'[`"](?:\./|assets/)([\w.-]+\.\w+)[`"]', answer.text)
            named += [one for one in (f"/assets/{name}" for name in imported) if one not in named]
    assert len(named) > 50


def _early(client: FlaskClient, path: str) -> set[str]:
    found = re.findall(r'rel="modulepreload" crossorigin href="([^"]+)\.js"', client.get(path).text)
    return {re.sub(r"-[\w-]{8}$", "", name.removeprefix("/assets/")) for name in found}


def test_pages_preload_the_modules_of_their_url(client: FlaskClient) -> None:
    """Links of labels preload the welcome page, those of decks and results theirs, others the start page."""
    start = _early(client, "/")
    assert "welcome" in _early(client, "/j") - start
    assert "deck" in _early(client, "/p/deck/1") - start
    assert _early(client, "/p/result") - start >= {"text-en-deck", "result"}
    assert _early(client, "/p/elsewhere") == start


@pytest.mark.parametrize(
    ("language", "message", "noscript"),
    [
        ("en", "There is nothing at this address", "This page needs JavaScript"),
        ("de-AT, en;q=0.5", "Hier ist nichts", "Diese Seite braucht JavaScript"),
        ("fr", "Il n’y a rien ici", "Cette page a besoin de JavaScript"),
        ("pt", "There is nothing at this address", "This page needs JavaScript"),
    ],
)
def test_pages_without_scripts_are_translated(client: FlaskClient, language: str, message: str, noscript: str) -> None:
    """Both the error page, which does not repeat the URL, and pages in a browser without scripts."""
    asked = {"Accept-Language": language}
    answer = client.get("/<script>alert(1)</script>", headers=asked)
    assert (answer.status_code, answer.mimetype) == (404, "text/html")
    assert message in answer.text
    assert 'href="/"' in answer.text
    assert "alert(1)" not in answer.text
    assert f'<html lang="{language[:2] if language != "pt" else "en"}">' in answer.text
    assert "Accept-Language" in answer.headers["Vary"]
    assert noscript in client.get("/", headers=asked).text
    if message == "Hier ist nichts":
        assert "Das nimmt der Server nicht an" in client.post("/", headers=asked).text


def test_licences_of_dependencies_are_included(client: FlaskClient) -> None:
    """Every page links to the licences; every served package is in that file and in the documentation."""
    used = json.loads((WEB / "package.json").read_text("utf-8"))["dependencies"].keys() - BUILD
    source = (WEB / "licences.ts").read_text("utf-8")
    listed = re.findall(r'^  \["([^"]+)", "([^"]+)", (?:"([^"]+)/LICEN[^"]*"|APACHE)\]', source, re.MULTILINE)
    assert used == {package for *_, package in listed if package}
    [address] = re.findall(r'<link rel="license" href="([^"]+)"', client.get("/").text)
    answer = client.get(address)
    assert answer.mimetype == "text/plain"
    for words in ("SIL OPEN FONT LICENSE", "Apache License", "ISC License", "Jason Miller", "Pico", "Ze-Zheng Wu"):
        assert words in answer.text
    assert answer.text.count("TERMS AND CONDITIONS FOR USE") == 1
    rows = re.findall(r"^\| \[([^\]]+)\][^|]* \| ([^ ]+) \|", DOCS.read_text(encoding="utf-8"), re.MULTILINE)
    assert rows == [(re.split(r",| \(", name)[0], licence) for name, licence, _ in listed]


def test_the_manifest_refers_to_existing_files(client: FlaskClient) -> None:
    """Pages, and screenshots with their sizes for phones and desktops, described in each language."""
    manifest = client.get("/manifest.webmanifest").get_json()
    for address in [manifest["start_url"], *(one["url"] for one in manifest["shortcuts"])]:
        assert client.get(address).status_code == 200
    assert client.post(manifest["share_target"]["action"]).status_code == 303
    for picture in [*manifest["screenshots"], *manifest["icons"]]:
        answer = client.get(picture["src"])
        assert (answer.status_code, answer.mimetype) == (200, picture["type"])
        if picture["sizes"] != "any":
            assert "{}x{}".format(*Image.open(io.BytesIO(answer.data)).size) == picture["sizes"]
    assert {shot["form_factor"] for shot in manifest["screenshots"]} == {"narrow", "wide"}
    labels = set()
    for language in ("en", "de", "fr"):
        document = client.get("/manifest.webmanifest", headers={"Accept-Language": language}).get_json()
        labels |= {shot["label"] for shot in document["screenshots"]}
    assert len(labels) == 9
    austrian = client.get("/manifest.webmanifest", headers={"Accept-Language": "de-AT, en;q=0.5"})
    assert austrian.get_json()["lang"] == "de"


def test_screenshots_of_the_app_reveal_no_rules(client: FlaskClient) -> None:
    """They show an example edition, which has no rule name or text in common with the real ones."""
    ours = {text for slug in edition_names() for text in _rules(slug)}
    for picture in client.get("/manifest.webmanifest").get_json()["screenshots"]:
        about = Image.open(io.BytesIO(client.get(picture["src"]).data)).getexif()[ExifTags.Base.ImageDescription]
        with editions_from(EXAMPLES):
            shown = _rules(about.removeprefix("A game of the example edition "))
        assert not shown & ours


def _rules(slug: str) -> set[str]:
    editions = [load_edition(slug, language) for language in load_edition(slug).languages]
    return {text for edition in editions for rule in edition.rules for text in (rule.name, rule.text)}
