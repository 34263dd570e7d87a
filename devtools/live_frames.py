"""Measures the decoder of the live viewfinder: `python -m devtools.live_frames`, in the development environment.

The decoder, in a real browser, and the server's reader read the same frames of a printed deck.
"""

from __future__ import annotations

import argparse
import base64
import os
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
from playwright.sync_api import sync_playwright
from rich.console import Console
from rich.table import Table

from devtools.local_server import serving
from devtools.photo_simulator.video import deck_faces, frames
from scanner import read_codes
from server.cli.doctor import find_browser
from server.web_app.assets import Assets

if TYPE_CHECKING:
    from playwright.sync_api import Page

DECKS = (0, 1, 2)
TIMES = 5
"""Number of reads of each frame by the browser, for the median."""
_OPEN = """async (decoder) => {
  const { openDecoder } = await import(decoder);
  window.decoder = await openDecoder();
}"""
_READ = """async ([jpeg, times]) => {
  const bytes = Uint8Array.from(atob(jpeg), (byte) => byte.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes], { type: "image/jpeg" }));
  let codes;
  const all = [];
  for (let time = 0; time < times; time++) {
    const frame = new VideoFrame(picture, { timestamp: time });
    const began = performance.now();
    codes = await decoder.decode(frame);
    all.push(performance.now() - began);
  }
  return [codes.map(({ text }) => text), all];
}"""


@dataclass
class Row:
    """Results for the frames of one condition and size."""

    cards: int = 0
    server: int = 0
    browser: int = 0
    wrong: int = 0
    server_ms: list[float] = field(default_factory=list)
    browser_ms: list[float] = field(default_factory=list)


def main() -> None:
    """Measure and print a table."""
    argparse.ArgumentParser(
        prog="python -m devtools.live_frames", description="Measure the live viewfinder's decoder beside the server's."
    ).parse_args()
    cv2.setNumThreads(1)
    browser_path = find_browser()
    if browser_path is None:
        sys.exit("live_frames: no Chromium found; run ./haggle test once, or set HAGGLE_BROWSER")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        sandbox = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
        with serving("serve", "--data", str(Path(folder) / "data")) as url:
            browser = playwright.chromium.launch(executable_path=browser_path, args=["--disable-gpu", *sandbox])
            page = browser.new_page()
            page.goto(url)
            page.evaluate(_OPEN, Assets.load().url("live/decoder.js"))
            _print(_measure(page))
            browser.close()


def _measure(page: Page) -> dict[str, Row]:
    """Read all frames by both readers; return the results for each condition and size."""
    decks = [deck_faces(number) for number in DECKS]
    rows: dict[str, Row] = defaultdict(Row)
    for frame in frames(decks=DECKS):
        faces = decks[frame.deck]
        jpeg = frame.take(faces).jpeg
        row = rows[f"{frame.condition} {frame.width} x {frame.height}"]
        cards = {face.text for face in faces[: frame.cards]}
        began = time.thread_time()
        image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
        by_server = {code.text for code in read_codes(np.asarray(image, np.uint8))}
        row.server_ms.append(1000 * (time.thread_time() - began))
        texts, took = page.evaluate(_READ, [base64.b64encode(jpeg).decode(), TIMES])
        row.browser_ms.append(statistics.median(took))
        row.cards += len(cards)
        row.server += len(by_server & cards)
        row.browser += len(set(texts) & cards)
        row.wrong += len((set(texts) | by_server) - cards)
    return dict(rows)


def _print(rows: dict[str, Row]) -> None:
    table = Table("frames", "cards", "server", "ms", "browser", "ms", "most", "wrong")
    for name, row in rows.items():
        table.add_row(
            name,
            str(row.cards),
            f"{row.server / row.cards:.0%}",
            f"{statistics.median(row.server_ms):.0f}",
            f"{row.browser / row.cards:.0%}",
            f"{statistics.median(row.browser_ms):.0f}",
            f"{max(row.browser_ms):.0f}",
            str(row.wrong),
        )
    Console().print(table)


if __name__ == "__main__":
    main()
