"""What organisers do with pictures and doubts at the desk, and what they then see."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from cardgen.cards import CardId
from devtools.photo_simulator.cards import printed_faces, printed_label
from devtools.photo_simulator.photograph import photograph
from server.games.lifecycle.repository import load_game, printed_game_of
from server.games.review.evidence import load_evidence
from server.games.review.reconcile import reconcile
from tests.web.pages.conftest import SCENE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from playwright.sync_api import FilePayload, Page

    from server.games.review.reconcile import Reconciliation
    from tests.web.pages.conftest import Hall

# A script makes the files, since a browser's test cannot drag any from a desktop.
_DROP = """files => {
  const transfer = new DataTransfer();
  for (const { name, type, text } of files) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    transfer.items.add(new File([bytes], name, { type, lastModified: 1774000000000 }));
  }
  for (const kind of ["dragover", "drop"]) {
    document.body.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: transfer }));
  }
}"""


def jpegs(pictures: Mapping[str, bytes]) -> list[FilePayload]:
    """Return pictures by their names as files that are chosen."""
    return [{"name": name, "mimeType": "image/jpeg", "buffer": data} for name, data in pictures.items()]


def choose(page: Page, files: Iterable[FilePayload]) -> None:
    """Choose files by the button for pictures."""
    with page.expect_file_chooser() as dialog:
        page.get_by_role("button", name="Choose pictures").click()
    dialog.value.set_files(list(files))


def drop(page: Page, files: Mapping[str, str], media_type: str = "image/jpeg") -> None:
    """Drop files onto the page: names, and what is in them as base 64."""
    page.evaluate(_DROP, [{"name": name, "type": media_type, "text": text} for name, text in files.items()])


def whole(hall: Hall, game: str) -> Reconciliation:
    """Return the hands and the queue as the server has them."""
    with hall.context.database.reading() as session:
        return reconcile(load_evidence(session, load_game(session, game)))


def hands(hall: Hall, game: str) -> dict[int, set[str]]:
    """Return the cards of each envelope that counts."""
    return {number: set(hand.cards) for number, hand in whole(hall, game).hands.items() if hand.counts}


def all_read(page: Page, count: int) -> None:
    """Wait until so many pictures have been read."""
    page.get_by_role("heading", name=f"All {count} read", exact=True).wait_for(timeout=60_000)


def item(page: Page, kind: str) -> None:
    """Wait until an item of this kind is looked at."""
    page.locator(f".item[data-kind={kind}][data-standing=open]").wait_for()


def named(card: str) -> CardId:
    """Return a card by its name."""
    kind, _, copy = card.rpartition("-")
    return CardId(kind, int(copy))


def fanned(hall: Hall, game: str, cards: Sequence[str], label: int) -> bytes:
    """Photograph a fan of cards with a label; some have both codes under another card, a pen or a finger. A JPEG."""
    with hall.context.database.reading() as session:
        printed = printed_game_of(load_game(session, game))
    faces = printed_faces(printed, [named(card) for card in cards], 200)
    scene = replace(SCENE, profile=replace(SCENE.profile, layout="fan", pens=3, fingers=2))
    return photograph(faces, scene, "c", [printed_label(printed, label)]).jpeg


def covered(hall: Hall, game: str, cards: Sequence[str], label: int, hidden: str) -> bytes:
    """Photograph cards with a label while something lies across the codes of one of them; a JPEG."""
    with hall.context.database.reading() as session:
        printed = printed_game_of(load_game(session, game))
    faces = printed_faces(printed, [named(card) for card in cards], 200)
    taken = photograph(faces, SCENE, f"covered/{label}", [printed_label(printed, label)])
    image = cv2.imdecode(np.frombuffer(taken.jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    card = taken.truth[list(cards).index(hidden)]
    for code in card.codes:
        a, b, c, d = np.array(code.quad)
        strip = [a + 0.35 * (d - a), b + 0.35 * (c - b), b + 0.8 * (c - b), a + 0.8 * (d - a)]
        cv2.fillConvexPoly(image, np.array(strip, np.int32), (90, 110, 150))
    return bytes(cv2.imencode(".jpg", image)[1].tobytes())
