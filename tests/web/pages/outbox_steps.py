"""Calls of the outbox of the player page, and what the server has stored."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from server.db.models import Deck, Photo
from tests.players import dealt
from tests.readings import add_photo, reading
from tests.scan_jobs import png
from tests.web.steps import file, with_page_modules

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from playwright.sync_api import FilePayload, Page

    from tests.web.pages.conftest import LiveServer

OUTBOX = with_page_modules('const { outbox } = await import("/web/app/player/offline/outbox"); await outbox.start();')
ADD = f"""async ({{ token, deck, pictures }}) => {{
  {OUTBOX}
  const into = deck ?? outbox.newDeck();
  for (const [name, text] of pictures) {{
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    await outbox.addPhoto({{ token, deck: into, file: new File([bytes], name, {{ type: "image/png" }}) }});
  }}
  return into;
}}"""
ITEMS = f"""async (token) => {{
  {OUTBOX}
  return outbox.items(token).map(({{ problem, file, ...rest }}) => ({{ ...rest, problem: problem?.slug }}));
}}"""
DECK_OF = f"async (deck) => {{ {OUTBOX} return outbox.deckOf(deck); }}"
RETRY = f"async () => {{ {OUTBOX} outbox.retry(); }}"
DROP = f"async (id) => {{ {OUTBOX} await outbox.drop(id); }}"
QUEUE = f"async ({{ kind, ...more }}) => {{ {OUTBOX} return (await outbox[kind](more)).id; }}"
STORED = with_page_modules("""async () => {
  const { database } = await import("/web/app/player/offline/storage");
  const open = await database();
  const stored = await Promise.all([...open.objectStoreNames].map((name) => open.getAll(name)));
  return JSON.stringify([stored, { ...localStorage }, await caches.keys()]);
}""")


def open_outbox(open_page: Callable[..., Page]) -> Page:
    """Open the player page, and start its outbox."""
    page = open_page("/")
    page.evaluate(f"async () => {{ {OUTBOX} }}")
    return page


def add_pictures(page: Page, token: str, numbers: Sequence[int], deck: str | None = None) -> str:
    """Add numbered pictures to the outbox, by default for a new deck; return the deck."""
    pictures = [(f"{number}.png", base64.b64encode(png(number)).decode()) for number in numbers]
    return str(page.evaluate(ADD, {"token": token, "deck": deck, "pictures": pictures}))


def outbox_items(page: Page, token: str) -> list[dict[str, Any]]:
    """Return the items of the outbox for an envelope."""
    return list(page.evaluate(ITEMS, token))


def await_all(page: Page, token: str, state: str) -> None:
    """Wait until all items of an envelope are in a state."""
    page.evaluate(f"async () => {{ {OUTBOX} window.watched = outbox; }}")
    page.wait_for_function(
        "({ token, state }) => window.watched.items(token).every((item) => item.state === state)",
        arg={"token": token, "state": state},
    )


def await_empty(page: Page, token: str) -> None:
    """Wait until all items of an envelope are sent."""
    await_all(page, token, "sent")


def add_hand_in(page: Page, token: str, deck: str, digest: str = "") -> None:
    """Add a hand-in to the outbox, after a confirmation of the list if `digest` is given."""
    if digest:
        page.evaluate(QUEUE, {"kind": "confirm", "token": token, "deck": deck, "digest": digest})
    page.evaluate(QUEUE, {"kind": "handIn", "token": token, "deck": deck})


def slow_down(page: Page, throughput: int) -> None:
    """Limit the uploads of a page to a number of bytes a second."""
    slow = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": throughput}
    page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", slow)


def stored_counts(live_server: LiveServer, game: str) -> tuple[int, int, int]:
    """Return the numbers of stored pictures, of different ones, and of decks."""
    with live_server.context.database.reading() as session:
        photos = select(func.count(Photo.id), func.count(Photo.digest.distinct())).where(Photo.game == game)
        decks = session.scalar(select(func.count(Deck.id)).where(Deck.game == game))
        return (*session.execute(photos).one(), decks or 0)


def create_deck(page: Page, live_server: LiveServer, game: str, token: str) -> tuple[str, str]:
    """Create a deck with a picture of all cards of envelope 1; return its id and the digest of its list."""
    headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": "deck"}
    deck = page.request.post("/api/v1/me/decks", headers=headers).json()["id"]
    add_photo(live_server.context, game, reading(dealt(live_server.context, game, 1), [1]), envelope=1, deck=deck)
    return deck, page.request.get(f"/api/v1/me/decks/{deck}", headers=headers).json()["digest"]


def large_picture(number: int) -> FilePayload:
    """Return a picture of 400 KB as a file to upload."""
    return file(png(number) + bytes(400_000), f"{number}.png", "image/png")
