"""Counts taps, keys and scrolls of the main journeys: `python -m devtools.taps`, in the development environment.

A real browser uses a real server: a player from the label to a score, and an organiser from a new game to publication,
with photos of printed cards. Scrolls are those that are needed before something on the way is in view.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

from playwright.sync_api import Page, sync_playwright
from sqlalchemy import select

from cardgen.cards import CardId
from cardgen.payload import join_link
from devtools.local_server import serving
from devtools.photo_simulator.cards import printed_faces, printed_label
from devtools.photo_simulator.photograph import photograph
from devtools.photo_simulator.profiles import SCENES, SENSORS
from server.cli.doctor import find_browser
from server.db.models import Card, Envelope, Game
from server.db.session import now
from server.games.lifecycle.repository import printed_game_of
from server.games.server_config import new_setup_code
from server.web_app.settings import AppConfig
from server.web_app.stores import open_context

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from playwright.sync_api import Browser, Locator, ViewportSize

    from cardgen.cards import PrintedGame

PHONE: ViewportSize = {"width": 390, "height": 844}
DESKTOP: ViewportSize = {"width": 1280, "height": 800}
PLAYERS = 12
UNLABELLED = 3
"""The envelope whose label is not in its photo."""
NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Finn", "Grete", "Hugo", "Ida", "Jan", "Kim", "Lea")
BREATH = 1000
"""Milliseconds between two keys of the ceremony, some of which it ignores at first."""
SETTLING = 1.5
"""Seconds until something is where it stays."""
WAIT = 120_000
"""Milliseconds until a page shows something, such as the cards in a photo."""
DPI = 250
SHUTTER = 2
"""Taps in a phone's own camera: the shutter, and "Use photo"."""
_IN_VIEW = """element => {
  const box = element.getBoundingClientRect();
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  const top = document.elementFromPoint(x, y);
  return top !== null && (element === top || element.contains(top) || top.contains(element));
}"""


@dataclass
class Journey:
    """A way through a page, with counts of what a user does on it."""

    name: str
    page: Page
    shots: Path | None
    counts: dict[Literal["taps", "fields", "keys", "pages", "scrolls"], int] = field(
        default_factory=lambda: {"taps": 0, "fields": 0, "keys": 0, "pages": 0, "scrolls": 0}
    )
    begun: float = field(default_factory=time.monotonic)
    seconds: float = 0.0

    def tap(self, target: Locator) -> None:
        """Tap something."""
        self.see(target)
        path = urlsplit(self.page.url).path
        self.counts["taps"] += 1
        target.click()
        self.page.wait_for_timeout(100)
        self.counts["pages"] += urlsplit(self.page.url).path != path

    def type(self, target: Locator, text: str) -> None:
        """Fill in a field."""
        self.see(target)
        self.counts["fields"] += 1
        target.fill(text)

    def press(self, key: str) -> None:
        """Press a key."""
        self.counts["keys"] += 1
        self.page.keyboard.press(key)

    def photograph(self, target: Locator, *photos: Path, taps: int = SHUTTER) -> None:
        """Tap a button that opens the camera, or the choice of files, and choose photos there."""
        with self.page.expect_file_chooser() as chooser:
            self.tap(target)
        self.counts["taps"] += taps
        chooser.value.set_files(photos)

    def see(self, target: Locator) -> None:
        """Wait until something is on the page, and scroll if it is not in view."""
        target.wait_for()
        # A dialog above it may be about to close.
        end = time.monotonic() + SETTLING
        while time.monotonic() < end and not target.evaluate(_IN_VIEW):
            self.page.wait_for_timeout(50)
        if not target.evaluate(_IN_VIEW):
            self.counts["scrolls"] += 1
            target.scroll_into_view_if_needed()
        self.shoot()

    def shoot(self) -> None:
        """Take a screenshot of what the user sees now."""
        if self.shots:
            number = len(list(self.shots.iterdir()))
            self.page.screenshot(path=self.shots / f"{number:03d}.png")

    def start(self) -> None:
        """Begin now: what was before is not part of it."""
        self.counts = dict.fromkeys(self.counts, 0)
        self.begun = time.monotonic()

    def end(self) -> None:
        """Stop its time."""
        self.seconds = time.monotonic() - self.begun
        self.shoot()


class Evening:
    """A server's data folder, and photos of the game that is played on it."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url = url.rstrip("/")
        self.context = open_context(AppConfig(folder / "data"))
        self._photos = folder
        self.code = new_setup_code(self.context) or ""

    def printed(self) -> tuple[PrintedGame, Mapping[int, list[CardId]]]:
        """Return the game and its envelopes' cards."""
        with self.context.database.reading() as session:
            game = session.scalars(select(Game)).one()
            hands: dict[int, list[CardId]] = {}
            for card in session.scalars(select(Card).order_by(Card.envelope)):
                hands.setdefault(card.envelope, []).append(CardId(card.kind, card.copy))
            return printed_game_of(game), hands

    def link(self, number: int) -> str:
        """Return the join link of an envelope."""
        game, _ = self.printed()
        return join_link(self.url, game.game, game.key, number)

    def photo(self, name: str, cards: Sequence[CardId], label: int | None = None, scene: str = "nominal") -> Path:
        """Photograph cards of the game, with an envelope's label or without."""
        game, _ = self.printed()
        width, height = SENSORS[5]
        labels = [] if label is None else [printed_label(game, label, dpi=DPI)]
        faces = printed_faces(game, cards, DPI)
        file = self._photos / f"{name}.jpg"
        file.write_bytes(photograph(faces, replace(SCENES[scene], width=width, height=height), name, labels).jpeg)
        return file

    def join_all(self, handed_in: Mapping[int, Sequence[CardId]]) -> None:
        """Give all players names, and let some hand in by phone."""
        with self.context.database.writing() as session:
            for seat in session.scalars(select(Envelope).where(Envelope.number <= PLAYERS)):
                seat.name, seat.joined = seat.name or NAMES[seat.number - 1], now()
                if seat.number in handed_in:
                    seat.submitted_at = now()
                    seat.submitted_cards = sorted(card.name for card in handed_in[seat.number])


@contextmanager
def new_evening() -> Iterator[tuple[Evening, Browser]]:
    """Start a server in a temporary folder, and a browser."""
    browser_path = find_browser()
    if browser_path is None:
        sys.exit("no Chromium found; run ./haggle test once, or set HAGGLE_BROWSER")
    with (
        tempfile.TemporaryDirectory() as place,
        serving("serve", "--data", str(Path(place) / "data")) as url,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox", "--disable-gpu"])
        evening = Evening(url, Path(place))
        yield evening, browser
        evening.context.close()
        browser.close()


def main(arguments: list[str]) -> int:
    """Go through all journeys and print the table."""
    parser = argparse.ArgumentParser(prog="python -m devtools.taps", description="Taps of the main journeys.")
    parser.add_argument("--shots", type=Path, help="write a screenshot of each step to this folder")
    shots = parser.parse_args(arguments).shots
    if shots:
        shots.mkdir(parents=True, exist_ok=True)
    with new_evening() as (evening, browser):
        url = evening.url
        pages = {
            "desk": browser.new_page(viewport=DESKTOP, base_url=url, reduced_motion="reduce"),
            "phone": browser.new_page(viewport=PHONE, base_url=url, has_touch=True, reduced_motion="reduce"),
        }
        journeys = []
        for name, device, go in JOURNEYS:
            pages[device].set_default_timeout(WAIT)
            way = Journey(name, pages[device], shots)
            go(way, evening)
            way.end()
            journeys.append(way)
    print(f"{'':44}" + "".join(f"{name:>9}" for name in (*journeys[0].counts, "seconds")))
    for one in journeys:
        print(f"{one.name:44}" + "".join(f"{count:9}" for count in one.counts.values()) + f"{one.seconds:9.1f}")
    return 0


def sign_in(page: Page, code: str) -> None:
    """Set up the new server with its code."""
    page.goto("/desk")
    for label, text in (("code", code), ("name", "Olga"), ("password", "a horse in the hall")):
        page.locator(f"input[name={label}]").fill(text)
    page.locator("form.sign-in button.action").click()
    page.get_by_role("link", name="New game").wait_for()


def new_game(way: Journey, evening: Evening) -> None:
    """Create a game and deal its cards."""
    page = way.page
    sign_in(page, evening.code)
    way.start()
    way.tap(page.get_by_role("link", name="New game"))
    way.type(page.get_by_label("Name", exact=True), "Friday")
    way.type(page.get_by_label("Players", exact=True), str(PLAYERS))
    way.tap(page.get_by_role("button", name="Create the game"))
    way.tap(page.get_by_role("button", name="Deal 13 envelopes"))
    way.see(page.get_by_role("dialog", name="The cards are dealt"))


def to_print(way: Journey, _evening: Evening) -> None:
    """Get the PDF of everything."""
    with way.page.expect_download() as download:
        way.tap(way.page.get_by_role("dialog").get_by_role("button", name="Print everything (PDF)"))
    download.value.path()


def begin(way: Journey, _evening: Evening) -> None:
    """Open the game."""
    page = way.page
    way.press("Escape")
    way.tap(page.get_by_role("link", name="Overview"))
    way.tap(page.locator(".next-actions button").first)
    way.tap(page.get_by_role("dialog").locator("button[type=submit], button:not(.secondary)").last)
    way.see(page.locator(".stages-current", has_text="Open"))


def first_score(way: Journey, evening: Evening) -> None:
    """Scan a label, and photograph the deck."""
    _, hands = evening.printed()
    photo = evening.photo("deck", hands[1])
    way.start()
    # The phone's camera reads the label, and a tap opens the link.
    way.counts["taps"] += 1
    way.page.goto(evening.link(1))
    way.photograph(way.page.get_by_role("button", name="Photograph my deck"), photo)
    way.see(way.page.locator(".score-provisional"))


def collect(way: Journey, evening: Evening) -> None:
    """Close the game and upload the photos of the envelopes, with doubts among them."""
    game, hands = evening.printed()
    page = way.page
    # One card fewer than was claimed, no label, a card that is in another envelope too, and an envelope that is lost.
    decks = {number: hands[number] for number in range(1, PLAYERS)}
    evening.join_all({2: decks[2], 5: decks[5]})
    decks[2] = decks[2][:-1]
    decks[4] = [*decks[4], decks[1][0]]
    photos = [
        evening.photo(f"envelope-{number}", deck, None if number == UNLABELLED else number)
        for number, deck in decks.items()
    ]
    way.start()
    page.goto(f"/desk/games/{game.game}/overview")
    way.tap(page.get_by_role("button", name="Close the game"))
    way.tap(page.get_by_role("dialog").get_by_role("button", name="Close the game"))
    way.tap(page.locator(".next-actions").get_by_role("link", name="pictures"))
    way.photograph(page.get_by_role("button", name="Choose pictures"), *photos, taps=1)


def settle(way: Journey, _evening: Evening) -> None:
    """Decide the doubts and count."""
    page = way.page
    done = page.locator(".reading a.as-button")
    done.wait_for()
    way.start()
    way.tap(done)
    item = page.locator(".item[data-standing=open]")
    page.locator(".item[data-standing=open], .all-clear").first.wait_for()
    while item.count():
        key = item.get_attribute("data-key")
        way.see(item.locator(".option").first)
        way.press("1")
        if item.locator(".decide-form").count():
            way.see(item.locator(".decide-form button").first)
            way.press("Enter")
        page.locator(f".item[data-standing=open]:not([data-key='{key}']), .all-clear").first.wait_for()
    way.tap(page.locator(".all-clear a"))
    way.tap(page.get_by_role("button", name="Count", exact=True))
    dialog = page.get_by_role("dialog")
    for box in dialog.get_by_role("checkbox").all():
        way.tap(box)
    way.tap(dialog.get_by_role("button", name="Count", exact=True))
    way.see(page.get_by_role("link", name="Begin the ceremony"))


def ceremony(way: Journey, _evening: Evening) -> None:
    """Reveal the ranking and publish it."""
    desk = way.page
    with desk.context.expect_page() as opened:
        way.tap(way.page.get_by_role("link", name="Begin the ceremony"))
    way.page = page = opened.value
    page.set_default_timeout(WAIT)
    step = 0
    while not page.locator(".slide-publish").count():
        page.locator(f"[data-step='{step}']").wait_for()
        page.wait_for_timeout(BREATH)
        way.shoot()
        way.press("Space")
        step += 1
        page.locator(f"[data-step='{step}']").wait_for()
    # The offer is on the presenter's screen.
    way.page = desk
    way.tap(desk.get_by_role("button", name="Publish", exact=True))
    way.see(desk.locator(".versions .badge"))


JOURNEYS: tuple[tuple[str, str, Callable[[Journey, Evening], None]], ...] = (
    ("New game to dealt", "desk", new_game),
    ("Dealt to printed", "desk", to_print),
    ("Printed to open", "desk", begin),
    ("Label to provisional score", "phone", first_score),
    ("12 envelopes: closed, and photos chosen", "desk", collect),
    ("12 envelopes: doubts to counted", "desk", settle),
    ("12 envelopes: counted to published", "desk", ceremony),
)
"""Names of journeys, on a desk's computer or a phone, in the order in which an evening has them."""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
