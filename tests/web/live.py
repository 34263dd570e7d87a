"""The live viewfinder's decoder as a test uses it: from the page that is open, in the worker that it starts."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from tests.web.steps import served

if TYPE_CHECKING:
    from playwright.sync_api import Page

SETUP = served("""async () => {
  window.live = await import("/assets/live/decoder.js");
  window.payload = await import("/assets/live/payload.js");
  window.bitmapOf = (jpeg) =>
    createImageBitmap(new Blob([Uint8Array.from(atob(jpeg), (byte) => byte.charCodeAt(0))], { type: "image/jpeg" }));
  window.pixelsOf = (bitmap, width = bitmap.width, height = bitmap.height) => {
    const context = new OffscreenCanvas(width, height).getContext("2d");
    context.drawImage(bitmap, 0, 0, width, height);
    return context.getImageData(0, 0, width, height);
  };
  // What came of a promise: its value, or the reason of its failure.
  window.outcome = (promise) => promise.catch((error) => `${error.name} ${error.reason}`);
}""")
OPEN = "async () => { window.decoder = await live.openDecoder(); }"
DECODE = "async (jpeg) => outcome(decoder.decode(await bitmapOf(jpeg)))"


def set_up(page: Page) -> None:
    """Give the page the names that the tests use; nothing is started."""
    page.evaluate(SETUP)


def open_decoder(page: Page) -> None:
    """Start the decoder."""
    set_up(page)
    page.evaluate(OPEN)


def text_of(jpeg: bytes) -> str:
    """Return a picture as text, for `bitmapOf`."""
    return base64.b64encode(jpeg).decode()


def decoded(page: Page, jpeg: bytes) -> list[dict[str, object]]:
    """Return the codes that the decoder reads in a picture: their `text` and `quad`."""
    codes: list[dict[str, object]] = page.evaluate(DECODE, text_of(jpeg))
    assert isinstance(codes, list), codes
    return codes


def texts(codes: list[dict[str, object]]) -> list[str]:
    """Return the codes' texts, sorted."""
    return sorted(str(code["text"]) for code in codes)
