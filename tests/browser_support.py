"""The browser for tests: a real Chromium, or a loud word that there is none."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from server.cli.browser import find_browser

if TYPE_CHECKING:
    from pathlib import Path

MISSING = "no Chromium found, so no browser test runs: install it (Debian: apt install chromium) or set HAGGLE_BROWSER"


def browser_path() -> Path:
    """Return the path of a Chromium that starts.

    Without one the calling test is skipped; where `CI` is set it fails, since there nobody reads what was skipped.
    """
    found = find_browser()
    if found is None:
        if os.environ.get("CI"):
            pytest.fail(MISSING)
        pytest.skip(MISSING)
    return found
