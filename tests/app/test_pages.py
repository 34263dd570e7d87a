"""The pages, and errors for people."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from server.app.assets import WORKER, Assets

if TYPE_CHECKING:
    from flask.testing import FlaskClient

SECURITY = {
    "Content-Security-Policy",
    "Cross-Origin-Opener-Policy",
    "Cross-Origin-Resource-Policy",
    "Permissions-Policy",
    "Referrer-Policy",
    "X-Content-Type-Options",
    "X-Frame-Options",
}


def test_the_page_is_asked_for_again(client: FlaskClient) -> None:
    """The browser keeps the page, but asks each time whether it is still the same."""
    first = client.get("/")
    assert first.headers["Cache-Control"] == "no-cache"
    assert client.get("/", headers={"If-None-Match": first.headers["ETag"]}).status_code == 304


@pytest.mark.parametrize(
    "path", ["/", "/nothing", "/api/v1/session", "/api/v1/nothing", "/healthz", "/j", "/assets/x.js"]
)
def test_every_answer_has_the_security_headers(client: FlaskClient, path: str) -> None:
    """Strict headers stand on pages, files, answers and errors alike, and no cookie is set."""
    headers = client.get(path).headers
    assert set(headers.keys()) >= SECURITY
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert "camera=(self)" in headers["Permissions-Policy"]
    assert "Set-Cookie" not in headers


def test_the_policy_allows_nothing_inline(client: FlaskClient) -> None:
    """A page has no inline script or style, and its policy allows none, nor another origin."""
    answer = client.get("/")
    page, policy = answer.get_data(as_text=True), answer.headers["Content-Security-Policy"]
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert not re.search(r"<script(?![^>]*src=)| style=|<style", page)


def test_wasm_is_allowed_in_the_live_readers_worker_alone(client: FlaskClient) -> None:
    """The worker's script comes with a policy of its own that lets it compile wasm; no other answer's policy does."""
    assets = Assets.load()
    page = client.get("/").headers["Content-Security-Policy"]
    assert "worker-src 'self';" in page
    worker = client.get(assets.url(WORKER)).headers["Content-Security-Policy"]
    assert "script-src 'self' 'wasm-unsafe-eval';" in worker
    assert "default-src 'none'" in worker
    for name in ("live/decoder.js", "vendor/zxing-reader.js", "vendor/zxing-reader.wasm", "app/player/main.js"):
        assert "unsafe" not in client.get(assets.url(name)).headers["Content-Security-Policy"]


def test_everything_the_page_names_is_there(client: FlaskClient) -> None:
    """Every file that the page and its scripts refer to can be fetched, with its type, and is kept for ever."""
    named = re.findall(r'(?:href|src)="(/assets/[^"]+)"', client.get("/").get_data(as_text=True))
    for url in named:
        if url.endswith(".js"):
            further = re.findall(r'"(/assets/[^"]+)"', client.get(url).get_data(as_text=True))
            named += [one for one in further if one not in named]
    assert len(named) > 10
    for url in named:
        answer = client.get(url)
        assert answer.status_code == 200, url
        assert "immutable" in answer.headers["Cache-Control"]
        assert answer.mimetype != "application/octet-stream", url


def test_errors_for_people_are_pages(client: FlaskClient) -> None:
    """An address that is not there gets a page that leads back, and nothing of the address is repeated in it."""
    answer = client.get("/<script>alert(1)</script>")
    page = answer.get_data(as_text=True)
    assert (answer.status_code, answer.mimetype) == (404, "text/html")
    assert 'href="/"' in page
    assert "alert(1)" not in page


@pytest.mark.parametrize(
    ("language", "said", "noscript"),
    [
        ("en", "There is nothing at this address", "This page needs JavaScript"),
        ("de-AT, en;q=0.5", "Hier ist nichts", "Diese Seite braucht JavaScript"),
        ("fr", "Il n’y a rien ici", "Cette page a besoin de JavaScript"),  # noqa: RUF001 - French
        ("pt", "There is nothing at this address", "This page needs JavaScript"),
    ],
)
def test_what_needs_no_script_is_in_the_readers_language(
    client: FlaskClient, language: str, said: str, noscript: str
) -> None:
    """An error's page, and what a browser without scripts shows."""
    answer = client.get("/nothing", headers={"Accept-Language": language})
    assert answer.status_code == 404
    assert said in answer.text
    assert f'<html lang="{language[:2] if language != "pt" else "en"}">' in answer.text
    assert "Accept-Language" in answer.headers["Vary"]
    assert noscript in client.get("/", headers={"Accept-Language": language}).text


def test_other_errors_are_told_in_german_too(client: FlaskClient) -> None:
    """By what one can do about them."""
    assert "Das nimmt der Server nicht an" in client.post("/", headers={"Accept-Language": "de"}).text
