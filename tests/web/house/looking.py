"""A phone whose camera sees a video of a game's own cards, as a test uses it."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cardgen.cards import CardId
from devtools.photo_simulator.cards import printed_faces, printed_label
from devtools.photo_simulator.photograph import photograph
from devtools.photo_simulator.profiles import SCENES
from devtools.photo_simulator.video import PROFILES
from server.play.house import game_row, printed_game
from tests.web.conftest import started
from tests.web.steps import served

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from playwright.sync_api import Browser, BrowserType, Page

    from tests.web.house.conftest import Hall

WIDTH, HEIGHT = 1920, 1080
ELSEWHERE = "haggle.lan"
"""A name that leads to this machine, and that browsers do not trust without https."""
OPEN = served("""async ([token, more]) => {
  const answer = await fetch("/api/v1/me", { headers: { Authorization: `Bearer ${token}` } });
  const { game } = await answer.json();
  const told = document.documentElement.dataset;
  window.taken = [];
  told.closings = 0;
  const { openCamera } = await import("/assets/app/camera/camera.js");
  window.closeCamera = await openCamera({
    kinds: game.kinds,
    game: game.id,
    onPicture: (file) => (told.taken = window.taken.push(file)),
    onClose: () => told.closings++,
    ...more,
  });
}""")


def frame(hall: Hall, game: str, cards: Sequence[str], label: int | None = None) -> bytes:
    """Return what a video camera sees of cards of a game, and of a label: a JPEG."""
    with hall.house.database.reading() as session:
        printed = printed_game(game_row(session, game))
    named = [CardId(kind, int(copy)) for kind, _, copy in (card.rpartition("-") for card in cards)]
    scene = replace(SCENES["nominal"], profile=PROFILES["nominal"], width=WIDTH, height=HEIGHT)
    labels = [] if label is None else [printed_label(printed, label)]
    return photograph(printed_faces(printed, named, 200), scene, f"video/{'/'.join(cards)}/{label}", labels).jpeg


@contextmanager
def camera_browser(chromium: BrowserType, video: Path, frames: Sequence[bytes], times: int) -> Iterator[Browser]:
    """Start a browser whose camera shows these frames over and over, each as often as `times`.

    A context needs the permission "camera"; without it the browser refuses, as after a no of the user.
    """
    video.write_bytes(b"".join(jpeg * times for jpeg in frames))
    switches = [
        "--use-fake-device-for-media-stream=fps=30",
        f"--use-file-for-fake-video-capture={video}",
        f"--host-resolver-rules=MAP {ELSEWHERE} 127.0.0.1",
    ]
    with started(chromium, more=switches) as browser:
        yield browser


def open_camera(page: Page, token: str, **more: Any) -> None:  # noqa: ANN401 - options of `openCamera`
    """Open the viewfinder in a player's page."""
    page.evaluate(OPEN, [token, more])
