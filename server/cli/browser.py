"""Finds a Chromium for the browser tests and the pictures in the documentation.

`python -m server.cli.browser` prints its path, or ends with exit code 1 if there is none.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MAC_APPLICATIONS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
DOWNLOADED = ("chromium-*/chrome-linux*/chrome", "chromium-*/chrome-mac*/*.app/Contents/MacOS/*")
"""Where Playwright puts the Chromium that it downloads, below its own folder."""
ANSWER_LIMIT = 30.0
"""Seconds that a browser may take to tell its version."""


def find_browser() -> Path | None:
    """Return the path of a Chromium that starts, or None.

    `HAGGLE_BROWSER` names one by hand, and then no other is looked for.
    """
    chosen = os.environ.get("HAGGLE_BROWSER")
    candidates = iter([Path(chosen)]) if chosen else _candidates()
    return next((path for path in candidates if version(path) is not None), None)


def version(browser: Path) -> str | None:
    """Return what a browser says of its version, or None if it does not start (a library may be missing)."""
    try:
        done = subprocess.run(  # noqa: S603 - a path that we found or the user named
            [browser, "--version"], capture_output=True, text=True, timeout=ANSWER_LIMIT, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()


def _candidates() -> Iterator[Path]:
    yield from (Path(found) for name in NAMES if (found := shutil.which(name)))
    yield from (Path(application) for application in MAC_APPLICATIONS if Path(application).is_file())
    own = Path(__file__).parents[2] / ".haggle" / "browsers"
    downloads = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH", own))
    for pattern in DOWNLOADED:
        yield from sorted(downloads.glob(pattern), reverse=True)


if __name__ == "__main__":
    found = find_browser()
    print(found or "no Chromium found")
    sys.exit(found is None)
