"""Rehearses the count of a large game: `python -m devtools.rehearsal`, in the development environment.

Simulated phones photograph all envelopes with "Count envelopes", before a real server. Each shows its camera the next
envelope once the page has a verdict, and takes a photo again if the page asks for it. Some envelopes have a planted
fault, which must be found: a card too few, no label, or a card that is also in the envelope before. Doubts about any
others are what an organiser would have to look at for nothing.
"""

from __future__ import annotations

import argparse
import base64
import statistics
import sys
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from devtools.photo_simulator.cards import printed_faces, printed_label
from devtools.photo_simulator.photograph import photograph
from devtools.photo_simulator.profiles import SCENES
from devtools.taps import PHONE, Evening, new_evening, sign_in
from server.db.session import now
from server.games.audit import Actor
from server.games.lifecycle.commands import GameDraft, change_state, create_game
from server.games.lifecycle.states import Act
from server.games.printing.runs import add_run

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from playwright.sync_api import Page

    from cardgen.cards import CardId, PrintedGame

CONDITIONS = ("nominal", "dim", "shadow", "crowded", "sleeves")
"""Light and hands change from envelope to envelope."""
FRAME = (2000, 1500)
"""Pixels of the camera."""
DPI = 200
RETAKES = 2
PATIENCE = 120.0
"""Seconds for a photo and its verdict."""
# A camera that sees the picture given to `show`, and a record of when photos were taken and judged.
_CAMERA = """
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = FRAME;
  const context = canvas.getContext("2d");
  let seen = null;
  window.show = async (data) => {
    const bytes = Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0));
    const next = await createImageBitmap(new Blob([bytes]));
    // Somebody takes the cards away first.
    seen = null;
    await new Promise((resolve) => setTimeout(resolve, 1000));
    seen = next;
  };
  setInterval(() => {
    context.fillRect(0, 0, canvas.width, canvas.height);
    if (seen) context.drawImage(seen, 0, 0);
  }, 150);
  if (navigator.mediaDevices) navigator.mediaDevices.getUserMedia = async () => canvas.captureStream();
  window.shots = [];
  const known = new WeakSet();
  const note = () => {
    const newest = document.querySelector(".count-list li[data-tone]");
    if (!newest) return;
    if (!known.has(newest)) {
      known.add(newest);
      window.shots.push({ taken: performance.now() });
    }
    const shot = window.shots.at(-1);
    if (newest.dataset.tone === "wait" || shot.judged) return;
    Object.assign(shot, { judged: performance.now(), tone: newest.dataset.tone });
  };
  const changes = { subtree: true, childList: true, attributes: true, characterData: true };
  new MutationObserver(note).observe(document, changes);
"""


@dataclass
class Phone:
    """A page that counts envelopes, and the envelope in front of it."""

    page: Page
    photos: int = 0
    retakes: int = 0
    envelope: int | None = None
    since: float = 0.0
    verdicts: list[float] = field(default_factory=list)
    """Seconds from each photo to its verdict."""

    def show(self, envelope: int, jpeg: bytes) -> None:
        """Lay an envelope's cards before the camera."""
        self.envelope, self.since = envelope, time.monotonic()
        self.photos += 1
        self.page.evaluate("show", base64.b64encode(jpeg).decode())

    def verdict(self) -> str | None:
        """Return "fine" or "retake" once the page has said so."""
        if time.monotonic() - self.since > PATIENCE:
            said = self.page.locator("dialog.camera").inner_text()
            sys.exit(f"rehearsal: no verdict on envelope {self.envelope} within {PATIENCE:.0f} seconds: {said}")
        # Without a label nothing is taken by itself.
        if self.page.locator(".camera-words").filter(has_text="Lay the label").count():
            self.page.get_by_role("button", name="Take picture").click()
        shots: list[dict[str, Any]] = self.page.evaluate("shots")
        if len(shots) < self.photos or "judged" not in shots[-1]:
            return None
        self.verdicts.append((shots[-1]["judged"] - shots[-1]["taken"]) / 1000)
        return str(shots[-1]["tone"])

    def retake(self) -> None:
        """Press the button for it."""
        self.retakes += 1
        self.page.locator(".count-list li[data-tone=retake] button").first.click()


@dataclass(frozen=True)
class Table:
    """All envelopes as they lie on the table, and the numbers of those with a planted fault."""

    printed: PrintedGame
    hands: Mapping[int, list[CardId]]
    seed: str

    def planted(self, envelope: int) -> str | None:
        """Return the fault of an envelope: about one in ten has one."""
        return {7: "a card too few", 17: "no label", 27: "a card of another"}.get(envelope % 30)

    def photo(self, envelope: int, again: int) -> bytes:
        """Photograph an envelope's cards and its label."""
        cards, fault = list(self.hands[envelope]), self.planted(envelope)
        if fault == "a card too few":
            cards = cards[:-1]
        if fault == "a card of another":
            cards.append(self.hands[envelope - 1][0])
        labels = [] if fault == "no label" else [printed_label(self.printed, envelope, dpi=DPI)]
        scene = SCENES["nominal" if again else CONDITIONS[envelope % len(CONDITIONS)]]
        scene = replace(scene, width=FRAME[0], height=FRAME[1])
        return photograph(
            printed_faces(self.printed, cards, DPI), scene, f"{self.seed}/{envelope}/{again}", labels
        ).jpeg


def open_game(evening: Evening, envelopes: int) -> None:
    """Create a game in which each envelope should hold as many cards as were dealt into it, and open it."""
    actor = Actor("organiser", "Olga")
    draft = GameDraft(name="Rehearsal", edition="eurocg-2026", players=envelopes, expect_dealt=True)
    with evening.context.database.writing() as session:
        game = create_game(session, draft, actor, now())
        add_run(session, game, envelopes, actor, now(), server_url=evening.url)
        change_state(session, game, Act.OPEN, actor, now())


def count(phones: list[Phone], table: Table, envelopes: int) -> None:
    """Photograph all envelopes, each phone the next one once it is free."""
    left: Iterator[int] = iter(range(1, envelopes + 1))
    again: Counter[int] = Counter()
    while True:
        for phone in phones:
            if phone.envelope is not None:
                said = phone.verdict()
                if said is None:
                    continue
                wrong = phone.envelope
                if said == "retake" and not table.planted(wrong) and again[wrong] < RETAKES:
                    again[wrong] += 1
                    phone.show(wrong, table.photo(wrong, again[wrong]))
                    phone.retake()
                    continue
                phone.envelope = None
            following = next(left, None)
            if following is not None:
                phone.show(following, table.photo(following, 0))
        if all(phone.envelope is None for phone in phones):
            return
        phones[0].page.wait_for_timeout(50)


def doubts(page: Page, game: str, table: Table) -> tuple[Counter[str], list[str]]:
    """Return the open doubts about planted faults by kind, and the others."""
    found: Counter[str] = Counter()
    others: list[str] = []
    for item in page.request.get(f"/api/v1/games/{game}/queue?standing=open&limit=500").json()["items"]:
        if item["kind"] == "missing":
            # The envelope whose photo has no label.
            planted = table.planted(item["envelopes"][0])
        else:
            planted = next(filter(None, map(table.planted, item["envelopes"])), None)
        if planted or item["kind"] == "no-label":
            found[item["kind"]] += 1
        else:
            others.append(f"{item['kind']}: {item['envelopes']}")
    return found, others


def main(arguments: list[str]) -> int:
    """Count all envelopes and print what was found."""
    parser = argparse.ArgumentParser(prog="python -m devtools.rehearsal", description="A rehearsal of the count.")
    parser.add_argument("--envelopes", type=int, default=140, help="default: 140")
    parser.add_argument("--phones", type=int, default=2, help="default: 2")
    parser.add_argument("--seed", default="rehearsal", help="of photos")
    wanted = parser.parse_args(arguments)
    with new_evening() as (evening, browser):
        open_game(evening, wanted.envelopes)
        printed, hands = evening.printed()
        table = Table(printed, hands, wanted.seed)
        desk = browser.new_page(base_url=evening.url)
        sign_in(desk, evening.code)
        phones = []
        for _ in range(wanted.phones):
            # Each has a browser of its own, and so a queue of its own.
            context = browser.new_context(
                base_url=evening.url, storage_state=desk.context.storage_state(), viewport=PHONE, has_touch=True
            )
            context.add_init_script(f"(() => {{ {_CAMERA.replace('FRAME', str(list(FRAME)))} }})()")
            page = context.new_page()
            page.goto(f"/desk/games/{printed.game}/pictures/count")
            page.locator(".camera-sight video").wait_for()
            phones.append(Phone(page))
        begun = time.monotonic()
        count(phones, table, wanted.envelopes)
        seconds = time.monotonic() - begun
        found, others = doubts(desk, printed.game, table)
    verdicts = sorted(second for phone in phones for second in phone.verdicts)
    late = verdicts[round(0.95 * (len(verdicts) - 1))]
    print(f"{wanted.envelopes} envelopes, {wanted.phones} phones: {seconds:.0f} s, {len(verdicts)} photos,", end=" ")
    print(f"{sum(phone.retakes for phone in phones)} of them taken again")
    print(f"From a photo to its verdict: median {statistics.median(verdicts):.2f} s, 95 % within {late:.2f} s")
    planted = Counter(filter(None, map(table.planted, range(1, wanted.envelopes + 1))))
    print(f"Planted: {dict(planted)}; doubts about them: {dict(found)}")
    print(f"Other doubts: {len(others)}", *others, sep="\n  ")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
