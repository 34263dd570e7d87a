"""What the pages cost: bytes of the players' first load."""

from __future__ import annotations

import time
import urllib.request
from typing import TYPE_CHECKING

import pytest

from server.app.assets import Assets

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page, Response

    from tests.web.house.conftest import Hall

FIRST_LOAD = 60_000
"""Bytes of script and style that the players' page may cost before it can be used."""


@pytest.fixture(scope="module")
def hall(packed_hall: Hall) -> Hall:
    """Serve games as people are served, with packed files."""
    return packed_hall


def await_packed(url: str) -> None:
    """Wait until the server has packed its files as well as it can, which it does after the start."""
    last = Assets.load().named("first/")[-1]
    for _ in range(300):
        request = urllib.request.Request(url + last, headers={"Accept-Encoding": "br"})  # noqa: S310 - our own
        with urllib.request.urlopen(request) as answer:  # noqa: S310 - as above
            if answer.headers["Content-Encoding"] == "br":
                return
        time.sleep(0.2)
    pytest.fail("the server does not pack its files")


@pytest.mark.parametrize(
    "locale", ["de-DE", *(pytest.param(other, marks=pytest.mark.thorough) for other in ("en-GB", "fr-FR"))]
)
def test_the_players_first_load_stays_small(opened: Callable[..., Page], hall: Hall, locale: str) -> None:
    """Script, style and import map of a player's own place are at most 60 KB on the way, in every language."""
    await_packed(hall.url)
    link = hall.link(hall.game(), 1).removeprefix(hall.url)
    page = opened("about:blank", locale=locale)
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))  # noqa: PLW0108 - Playwright takes no builtins
    page.goto(link)
    page.locator("h1").first.wait_for()
    page.wait_for_load_state("load")
    sent = {}
    for answer in answers:
        if answer.request.resource_type in {"document", "script", "stylesheet"}:
            assert answer.headers["content-encoding"] == "br", answer.url
            sent[answer.url.removeprefix(hall.url)] = answer.request.sizes()["responseBodySize"]
    assert len(sent) > 5
    assert sum(sent.values()) <= FIRST_LOAD, sorted(sent.items(), key=lambda pair: -pair[1])
