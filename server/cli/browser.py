"""Finds a Chromium for the browser tests and the pictures in the documentation.

`python -m server.cli.browser` prints its path, or ends with exit code 1 if there is none; with `shell` that of one
without windows.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MAC_APPLICATIONS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
DOWNLOADED = ("chromium-*/chrome-linux*/chrome", "chromium-*/chrome-mac*/*.app/Contents/MacOS/*")
"""Where Playwright puts the Chromium that it downloads, below its own folder."""
SHELLS = ("chromium-headless-shell", "chrome-headless-shell")
DOWNLOADED_SHELLS = (
    "chromium_headless_shell-*/chrome-linux*/headless_shell",
    "chromium_headless_shell-*/chrome-headless-shell-*/chrome-headless-shell",
    "chromium_headless_shell-*/chrome-mac*/headless_shell",
)
"""The same Chromium without what draws windows."""
ANSWER_LIMIT = 30.0
"""Seconds that a browser may take to tell its version."""


def find_browser() -> Path | None:
    """Return the path of a Chromium that starts, or None.

    `HAGGLE_BROWSER` names one by hand, and then no other is looked for.
    """
    return _first(_candidates(NAMES, MAC_APPLICATIONS, DOWNLOADED))


def find_shell() -> Path | None:
    """Return the path of a Chromium without windows that starts, or None; `HAGGLE_BROWSER` as for `find_browser`.

    It takes a quarter of the processor's time for a page, and has no camera and no pages that are kept behind.
    """
    return _first(_candidates(SHELLS, (), DOWNLOADED_SHELLS))


def _first(candidates: Iterator[Path]) -> Path | None:
    chosen = os.environ.get("HAGGLE_BROWSER")
    return next((path for path in ([Path(chosen)] if chosen else candidates) if version(path) is not None), None)


def version(browser: Path) -> str | None:
    """Return what a browser says of its version, or None if it does not start (a library may be missing)."""
    try:
        done = subprocess.run(  # noqa: S603 - a path that we found or the user named
            [browser, "--version"], capture_output=True, text=True, timeout=ANSWER_LIMIT, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()


def _candidates(names: Sequence[str], applications: Sequence[str], downloaded: Sequence[str]) -> Iterator[Path]:
    yield from (Path(found) for name in names if (found := shutil.which(name)))
    yield from (Path(application) for application in applications if Path(application).is_file())
    own = Path(__file__).parents[2] / ".haggle" / "browsers"
    downloads = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH", own))
    for pattern in downloaded:
        yield from sorted(downloads.glob(pattern), reverse=True)


if __name__ == "__main__":
    found = find_shell() if sys.argv[1:] == ["shell"] else find_browser()
    print(found or "no Chromium found")
    sys.exit(found is None)
