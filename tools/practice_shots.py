"""Takes pictures of the demo's page, the practice page and a printed sheet, from a demo that is started for it."""

from __future__ import annotations

import io
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.request import urlopen

import pypdfium2
from PIL import Image
from playwright.sync_api import sync_playwright

from server.cli.browser import find_browser
from tools.serving import serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PHONE, DESK = (390, 844), (1360, 900)
COLOURS = 256
# Of a picture's palette.
SHEET_DPI = 90
STORY = 120_000
# Milliseconds until the demo has made and handed in its pictures.


def take(folder: Path) -> None:
    """Take the pictures and keep them as PNG files in a folder; print what was written."""
    browser_path = find_browser()
    if browser_path is None:
        sys.exit("screenshots: no Chromium found; run ./haggle test once, or set HAGGLE_BROWSER")
    with (
        tempfile.TemporaryDirectory() as place,
        sync_playwright() as playwright,
        serving("demo", "--data", str(Path(place) / "demo")) as url,
    ):
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox", "--disable-gpu"])
        _landing(browser, url, folder)
        _photograph(browser, f"{url}practice", folder)
        browser.close()
        with urlopen(f"{url}demo/print/sheets.pdf") as file:  # noqa: S310 - our own server's
            _sheet(file.read(), folder)


def _landing(browser: Browser, url: str, folder: Path) -> None:
    """Take the pictures of the demo's page, once all has happened that happens by itself."""
    for scheme in ("light", "dark"):
        page = _open(browser, f"{url}demo", DESK, scale=1, dark=scheme == "dark")
        page.get_by_text("6 of 12 envelopes are handed in").wait_for(timeout=STORY)
        page.locator(".demo-making progress").wait_for(state="detached", timeout=STORY)
        page.wait_for_load_state("networkidle")
        with Image.open(io.BytesIO(page.screenshot())) as image:
            image.convert("RGB").save(folder / f"demo-{scheme}.webp", quality=82, method=6)


def _photograph(browser: Browser, url: str, folder: Path) -> None:
    """Take the pictures of the page."""
    phone = _open(browser, url, PHONE, scale=2)
    _save(folder / "phone-start.png", phone.screenshot())
    _read(phone, "Three colours")
    _save(folder / "phone-result.png", phone.screenshot())
    dark = _open(browser, url, PHONE, scale=2, dark=True)
    _read(dark, "Pink and red")
    dark.locator(".score").scroll_into_view_if_needed()
    dark.evaluate("window.scrollTo(0, document.querySelector('.score').offsetTop - 16)")
    _save(folder / "phone-score-dark.png", dark.screenshot())
    desk = _open(browser, url, DESK, scale=1)
    _read(desk, "Pink and red")
    _save(folder / "desktop-result.png", desk.screenshot())


def _open(browser: Browser, url: str, size: tuple[int, int], *, scale: int, dark: bool = False) -> Page:
    page = browser.new_page(
        viewport={"width": size[0], "height": size[1]},
        device_scale_factor=scale,
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",
        has_touch=scale > 1,
        is_mobile=scale > 1,
    )
    page.goto(url)
    page.locator(".start").wait_for()
    page.wait_for_load_state("networkidle")
    return page


def _read(page: Page, sample: str) -> None:
    """Have a sample picture read."""
    page.get_by_role("button", name=f"Read the sample picture: {sample}").click()
    page.locator(".result").wait_for()
    page.wait_for_load_state("networkidle")


def _sheet(pdf: bytes, folder: Path) -> None:
    """Draw the second printed sheet: it has cards of all three sorts."""
    document = pypdfium2.PdfDocument(pdf)
    image = document[1].render(scale=SHEET_DPI / 72).to_pil()
    document.close()
    data = io.BytesIO()
    image.save(data, "PNG")
    _save(folder / "sheet.png", data.getvalue())


def _save(file: Path, png: bytes) -> None:
    """Write a picture with a palette of its own colours, which makes it several times smaller."""
    with Image.open(io.BytesIO(png)) as image:
        image.convert("RGB").quantize(COLOURS, kmeans=3).save(file, optimize=True)
    print(f"{file.name}: {file.stat().st_size // 1000} kB")
