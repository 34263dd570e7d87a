"""Takes the screenshots in `docs/screenshots/`: `python -m devtools.screenshots`, in the development environment.

The landing page and a printed sheet are from a demo; the main screens of the app are from the tests, in their usual
size: `NAME-light.webp` and `NAME-dark.webp`. With `--folder` they are written elsewhere, with `NAME-other.webp` in the
other size, that of a phone or a desktop. Otherwise only screenshots in the documentation are kept, and those of the web
manifest are taken too, of an example game, in `web/shots/`.
"""

from __future__ import annotations

import argparse
import io
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.request import urlopen

import pypdfium2
from PIL import Image
from playwright.sync_api import sync_playwright

from devtools.local_server import serving
from server.cli.doctor import find_browser

ROOT = Path(__file__).resolve().parents[1]
LANGUAGES = ("en", "de", "fr")
COLOURS = 256
"""Colours in the palette of the picture of a sheet, to make it smaller."""
SHEET_DPI = 90
SCANNED = 120_000
"""Milliseconds until the demo's photos are scanned."""


def main(arguments: list[str]) -> int:
    """Take all screenshots; return the exit code of pytest."""
    parser = argparse.ArgumentParser(prog="python -m devtools.screenshots", description="Pictures of all main screens.")
    parser.add_argument("--folder", type=Path, help="where the pictures go instead of docs/screenshots")
    parser.add_argument("--language", choices=LANGUAGES, default="en", help="the screens' language (default: en)")
    wanted = parser.parse_args(arguments)
    folder = (wanted.folder or ROOT / "docs" / "screenshots").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    take_demo(folder)
    files = [str(ROOT / "tests" / "web" / "pages" / "test_screens.py")]
    variables = {"HAGGLE_SCREENSHOTS": str(folder), "HAGGLE_SCREENSHOTS_LANGUAGE": wanted.language}
    if wanted.folder:
        variables["HAGGLE_SCREENSHOTS_OTHER"] = "1"
    else:
        files.append(str(ROOT / "tests" / "web" / "pages" / "test_screens_app.py"))
        variables["HAGGLE_APP_SCREENSHOTS"] = str(ROOT / "web" / "shots")
    code = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--all", *files], cwd=ROOT, env={**os.environ, **variables}, check=False
    ).returncode
    if not wanted.folder:
        remove_unused(folder)
    return code


def remove_unused(folder: Path) -> None:
    """Delete screenshots that the documentation does not use."""
    pages = "".join(page.read_text(encoding="utf-8") for page in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")))
    for file in folder.iterdir():
        if f"{folder.name}/{file.name})" not in pages:
            file.unlink()


def take_demo(folder: Path) -> None:
    """Take screenshots of the landing page, light and dark, and of the second sheet, which has all kinds of cards."""
    browser_path = find_browser()
    if browser_path is None:
        sys.exit("screenshots: no Chromium found; run ./haggle test once, or set HAGGLE_BROWSER")
    with (
        tempfile.TemporaryDirectory() as place,
        sync_playwright() as playwright,
        serving("demo", "--data", str(Path(place) / "demo")) as url,
    ):
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox", "--disable-gpu"])
        for scheme in ("light", "dark"):
            page = browser.new_page(
                viewport={"width": 1360, "height": 1372},
                color_scheme="dark" if scheme == "dark" else "light",
                reduced_motion="reduce",
            )
            page.goto(f"{url}demo")
            page.get_by_text("6 of 12 envelopes are in").wait_for(timeout=SCANNED)
            page.locator("a.sample").nth(3).wait_for(timeout=SCANNED)
            page.wait_for_load_state("networkidle")
            with Image.open(io.BytesIO(page.screenshot())) as image:
                image.convert("RGB").save(folder / f"demo-{scheme}.webp", quality=82, method=6)
        browser.close()
        with urlopen(f"{url}demo/print/sheets.pdf") as file:  # noqa: S310 - our own server's
            document = pypdfium2.PdfDocument(file.read())
        sheet = document[1].render(scale=SHEET_DPI / 72).to_pil()
        sheet.convert("RGB").quantize(COLOURS, kmeans=3).save(folder / "sheet.png", optimize=True)
        document.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
