"""What Lighthouse says of each page: how quick it is on a phone over slow 4G, and how well it is made."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from server.store.tables import Envelope
from tests.played import counted_game
from tests.web.house.lighthouse import CATEGORIES, LEAST, Lighthouse
from tests.web.house.test_budgets import await_packed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

    from tests.web.house.conftest import Hall
    from tests.web.house.stage import Stage

pytestmark = pytest.mark.thorough
INTERACTIVE = 2000.0
"""Milliseconds on Lighthouse's phone over slow 4G."""


@pytest.fixture(scope="module")
def hall(packed_hall: Hall) -> Hall:
    """Serve games as people are served, with packed files."""
    return packed_hall


@pytest.fixture(scope="module")
def lighthouse(browser: Browser, hall: Hall, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lighthouse]:
    """Start a browser for Lighthouse, once the server has packed its files."""
    await_packed(hall.url)
    begun = Lighthouse.begin(browser.browser_type, tmp_path_factory.mktemp("lighthouse"))
    yield begun
    begun.close()


@pytest.mark.parametrize("joined", [False, True], ids=["welcome", "home"])
def test_lighthouse_likes_the_players_first_load(lighthouse: Lighthouse, hall: Hall, *, joined: bool) -> None:
    """Behind a label's link, the welcome and the own place are interactive in two seconds; each score is 95 or more."""
    game = hall.game()
    if joined:
        with hall.house.database.writing() as session:
            session.get_one(Envelope, (game, 1)).joined = hall.house.clock()
    judged = lighthouse.judge(hall.link(game, 1), limit=INTERACTIVE)
    assert min(judged[name] for name in CATEGORIES) >= LEAST, judged
    assert judged["interactive"] < INTERACTIVE, judged


def test_lighthouse_likes_a_players_deck(lighthouse: Lighthouse, hall: Hall, stage: Stage) -> None:
    """With its picture and its list, on the phone of a player who comes back to it, each score is 95 or more."""
    game = hall.game(mode="full")
    deck = stage.photograph(game, 1)["id"]
    lighthouse.visit(hall.link(game, 1))
    judged = lighthouse.judge(f"{hall.url}/p/deck/{deck}", known=True)
    assert min(judged[name] for name in CATEGORIES) >= LEAST, judged


def test_lighthouse_likes_a_published_result(lighthouse: Lighthouse, hall: Hall) -> None:
    """With a line for every rule, and the ranking, each score is 95 or more."""
    lighthouse.visit(hall.link(counted_game(hall.house, published=True), 1))
    judged = lighthouse.judge(f"{hall.url}/p/result", known=True)
    assert min(judged[name] for name in CATEGORIES) >= LEAST, judged


@pytest.mark.parametrize("name", ["sign-in", "games", "game", "screen"])
def test_lighthouse_likes_the_pages_of_organisers(lighthouse: Lighthouse, hall: Hall, name: str) -> None:
    """On a computer the desk, before and after the sign-in, and the big screen score 95 or more each time."""
    game = hall.game()
    known = name in {"games", "game"}
    if known:
        hall.sign_in(lighthouse.context)
    desk = f"{hall.url}/desk"
    urls = {"sign-in": desk, "games": desk, "game": f"{desk}/games/{game}", "screen": hall.screen(game)}
    judged = lighthouse.judge(urls[name], desktop=True, known=known)
    assert min(judged[name] for name in CATEGORIES) >= LEAST, judged
