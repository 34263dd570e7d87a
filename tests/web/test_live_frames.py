"""One set of frames through both decoders: the server's, and the one that runs in the browser."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from devtools import live_frames
from devtools.photo_simulator.video import COUNTS, PROFILES, Frame, deck_faces, frames
from scanner import read_codes
from tests.web.live import decoded, open_decoder, text_of, texts

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from devtools.photo_simulator import Face
    from scanner import Code

HARD = [name for name in PROFILES if name != "nominal"]
ENOUGH = 0.65
"""Share of the cards of all hard frames that the browser reads at least; it is about 0.8, see docs/live.md."""
SMALLER = (0.75, 0.7, 0.65, 0.6, 0.55)
"""How much a frame of 2.4 pixels a module is shrunk, so that the first look reads only some of its codes."""
GAIN = 1.2
"""How many more codes two looks read at least than the first alone, over all of SMALLER; it is about 1.3."""
LOOKS = """async ([jpeg, scale]) => {
  const bytes = Uint8Array.from(atob(jpeg), (byte) => byte.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/jpeg" }));
  const [width, height] = [bitmap.width, bitmap.height].map((side) => Math.round(scale * side));
  const context = new OffscreenCanvas(width, height).getContext("2d");
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, 0, 0, width, height);
  const image = context.getImageData(0, 0, width, height);
  const first = read(placeGrey(image)).flatMap(({ text }) => text ?? []);
  return [first, codesIn(image, 1).map(({ text }) => text)];
}"""
"""For the worker: the texts that the first look reads, and those of both looks."""
UNHURRIED = {"seconds": 60.0, "decodes": 10_000.0}
"""Time for the server's reader, so that what it reads does not depend on how busy the machine is."""
APART = 2.0
"""How far the corners that both readers tell may lie apart, in pixels, or where a module is larger, in modules."""


@pytest.fixture(scope="session")
def faces() -> list[Face]:
    """Return the printed faces of a deck."""
    return deck_faces()


@pytest.fixture(scope="session")
def truth(faces: list[Face]) -> list[str]:
    """Return what the codes of the deck say, card by card."""
    return [face.text for face in faces]


@pytest.fixture
def live(page: Page) -> Page:
    """Open the decoder in the page."""
    open_decoder(page)
    return page


def _read_by_server(jpeg: bytes) -> list[Code]:
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    return read_codes(np.asarray(image, np.uint8), **UNHURRIED)


@pytest.mark.parametrize("count", COUNTS)
def test_both_read_the_same_codes_at_the_same_places(
    live: Page, faces: list[Face], truth: list[str], count: int
) -> None:
    """In ordinary frames both readers read both codes of every card, and tell the same corners."""
    for frame in frames(["nominal"], [count]):
        jpeg = frame.take(faces).jpeg
        server, browser = _read_by_server(jpeg), decoded(live, jpeg)
        assert texts(browser) == sorted(code.text for code in server) == sorted(2 * truth[:count]), frame.name
        for code in server:
            side = float(np.linalg.norm(code.quad[0] - code.quad[1]))
            same = [np.array(one["quad"]) for one in browser if one["text"] == code.text]
            apart = min(float(np.linalg.norm(quad - code.quad, axis=1).max()) for quad in same)
            assert apart <= max(APART, side / 21), frame.name


def test_hard_frames_are_never_misread(live: Page, faces: list[Face], truth: list[str]) -> None:
    """Tilted, soft, moved or dim, the browser reads no text that is not there, and none that the server misses."""
    read, all_cards = 0, 0
    for frame in frames(HARD, [12]):
        jpeg = frame.take(faces).jpeg
        browser = Counter(texts(decoded(live, jpeg)))
        server = {code.text for code in _read_by_server(jpeg)}
        assert set(browser) <= server & set(truth[: frame.cards]), frame.name
        assert max(browser.values(), default=0) <= 2, frame.name
        read, all_cards = read + len(browser), all_cards + frame.cards
    assert read >= ENOUGH * all_cards


def test_a_second_look_reads_what_is_small(live: Page, faces: list[Face], truth: list[str]) -> None:
    """Where codes were found but not read, the enlarged frame gives most of them, each once a place."""
    jpeg = Frame("nominal", 1280, 720, 12).take(faces).jpeg
    (worker,) = live.workers
    looks = [worker.evaluate(LOOKS, [text_of(jpeg), scale]) for scale in SMALLER]
    assert sum(len(both) for _, both in looks) >= GAIN * sum(len(first) for first, _ in looks)
    for first, both in looks:
        assert set(first) <= set(both) <= set(truth)
        assert max(Counter(both).values()) <= 2


def test_the_tools_help_starts_nothing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """`--help` and a wrong option end before a browser is looked for."""
    monkeypatch.delattr("devtools.live_frames.find_browser")
    for option, code in (("--help", 0), ("--odd", 2)):
        monkeypatch.setattr("sys.argv", ["live_frames", option])
        with pytest.raises(SystemExit) as end:
            live_frames.main()
        assert end.value.code == code
    said = capsys.readouterr()
    assert "usage: python -m devtools.live_frames" in said.out
    assert "--odd" in said.err
