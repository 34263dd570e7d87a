"""The pictures of the app that browsers show before it is installed: of an example game, since everybody sees them."""

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
from tests.web.pages.conftest import DESKTOP, Hall, Open, open_hall
from tests.web.pages.screens import VISITS, begin, go_to
from tests.web.pages.stage import Stage

EDITION = "mosaic"


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    """Serve games of the example editions."""
    with editions_from(EXAMPLES), open_hall(tmp_path_factory.mktemp("app") / "data") as hall:
        yield hall


@pytest.fixture(scope="module")
def stage(hall: Hall, browser: Browser) -> Iterator[Stage]:
    """Set up games of an example edition."""
    context = browser.new_context()
    yield Stage(hall, context.request, "en", EDITION)
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
def test_a_picture_of_the_app_shows_the_example(
    opened: Open, stage: Stage, name: str, visit: str, screen: str, size: dict[str, int], scheme: str
) -> None:
    """On the page stands no name and no wording of a rule of the editions that people play."""
    page = begin(opened, stage, VISITS[visit], locale="en", viewport=size, color_scheme=scheme)
    go_to(page, stage, next(one for one in VISITS[visit].screens if one.name == screen))
    said = page.locator("body").inner_text()
    for slug in edition_names():
        if not (EXAMPLES / slug).exists():
            rules = load_edition(slug, "en").rules
            assert [rule.key for rule in rules if rule.name in said or rule.text in said] == []
    folder = os.environ.get("HAGGLE_APP_SCREENSHOTS")
    if folder:
        shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        about = Image.Exif()
        about[ExifTags.Base.ImageDescription] = f"A game of the example edition {EDITION}"
        shot.save(Path(folder) / f"{name}.webp", quality=82, method=6, exif=about)
