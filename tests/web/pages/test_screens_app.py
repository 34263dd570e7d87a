"""Screenshots that browsers show before the app is installed: of an example edition, since everybody sees them."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import ExifTags, Image
from playwright.sync_api import Browser

from server.editions import edition_names, load_edition
from server.editions.registry import editions_from
from tests.played_game import EXAMPLES
from tests.web.conftest import PHONE
from tests.web.pages.conftest import DESKTOP, LiveServer, OpenPage, serve_games
from tests.web.pages.example_games import ExampleGames
from tests.web.pages.screens import VISITS, go_to, start_visit

EDITION = "mosaic"


@pytest.fixture(scope="module")
def live_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """Start a server with the example editions."""
    with editions_from(EXAMPLES), serve_games(tmp_path_factory.mktemp("app") / "data") as live_server:
        yield live_server


@pytest.fixture(scope="module")
def example_games(live_server: LiveServer, browser: Browser) -> Iterator[ExampleGames]:
    """Return example games of an example edition."""
    context = browser.new_context()
    yield ExampleGames(live_server, context.request, "en", EDITION)
    context.close()


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "visit", "screen", "size", "scheme"),
    [
        ("deck", "player", "deck", PHONE, "light"),
        ("score", "confirmed", "score", PHONE, "light"),
        ("result-wide", "published", "my-result", DESKTOP, "dark"),
    ],
)
def test_screenshots_of_the_app_show_the_example_edition(
    open_page: OpenPage,
    example_games: ExampleGames,
    name: str,
    visit: str,
    screen: str,
    size: dict[str, int],
    scheme: str,
) -> None:
    """They show no name and no wording of a rule of a built-in edition."""
    page = start_visit(open_page, example_games, VISITS[visit], locale="en", viewport=size, color_scheme=scheme)
    go_to(page, example_games, next(one for one in VISITS[visit].screens if one.name == screen))
    text = page.locator("body").inner_text()
    for slug in edition_names():
        if not (EXAMPLES / slug).exists():
            rules = load_edition(slug, "en").rules
            assert [rule.key for rule in rules if rule.name in text or rule.text in text] == []
    folder = os.environ.get("HAGGLE_APP_SCREENSHOTS")
    if folder:
        shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        about = Image.Exif()
        about[ExifTags.Base.ImageDescription] = f"A game of the example edition {EDITION}"
        shot.save(Path(folder) / f"{name}.webp", quality=82, method=6, exif=about)
