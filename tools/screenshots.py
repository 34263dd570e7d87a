"""Makes the pictures in `docs/screenshots/`: `python -m tools.screenshots`, in the environment of the tests.

It starts a demo of its own, drives the page in a real browser and photographs it, and draws a printed sheet.
"""

from __future__ import annotations

import io
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pypdfium2
from PIL import Image
from playwright.sync_api import sync_playwright

from server.cli.browser import find_browser
from tools.serving import serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "screenshots"
PHONE, DESK = (390, 844), (1360, 900)
COLOURS = 256
# Of a picture's palette.
SHEET_DPI = 90


def main() -> None:
    """Make all pictures; print what was written."""
    browser_path = find_browser()
    if browser_path is None:
        sys.exit("screenshots: no Chromium found; run ./haggle test once, or set HAGGLE_BROWSER")
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        demo = Path(folder) / "demo"
        with serving("demo", "--data", str(demo)) as url:
            browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox", "--disable-gpu"])
            _photograph(browser, url)
            browser.close()
            _sheet(demo / "sheets.pdf")


def _photograph(browser: Browser, url: str) -> None:
    """Take the pictures of the page."""
    phone = _open(browser, url, PHONE, scale=2)
    _save("phone-start", phone.screenshot())
    _read(phone, "Small and strong")
    _save("phone-result", phone.screenshot())
    dark = _open(browser, url, PHONE, scale=2, dark=True)
    _read(dark, "One card too many")
    dark.locator(".score").scroll_into_view_if_needed()
    dark.evaluate("window.scrollTo(0, document.querySelector('.score').offsetTop - 16)")
    _save("phone-score-dark", dark.screenshot())
    desk = _open(browser, url, DESK, scale=1)
    _read(desk, "One card too many")
    _save("desktop-result", desk.screenshot())


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


def _sheet(file: Path) -> None:
    """Draw the second printed sheet: it has cards of all three sorts."""
    document = pypdfium2.PdfDocument(file)
    image = document[1].render(scale=SHEET_DPI / 72).to_pil()
    document.close()
    data = io.BytesIO()
    image.save(data, "PNG")
    _save("sheet", data.getvalue())


def _save(name: str, png: bytes) -> None:
    """Write a picture with a palette of its own colours, which makes it several times smaller."""
    file = FOLDER / f"{name}.png"
    with Image.open(io.BytesIO(png)) as image:
        image.convert("RGB").quantize(COLOURS, kmeans=3).save(file, optimize=True)
    print(f"{file.name}: {file.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
