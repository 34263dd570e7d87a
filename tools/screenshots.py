"""Takes a picture of every main screen of the app, as the tests see it: `python -m tools.screenshots FOLDER`.

Each screen gets `NAME-light.webp` and `NAME-dark.webp` in the size that it is made for, and `NAME-phone.webp` and
`NAME-desktop.webp`, both dark. Files of the folder that have these names are replaced.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

TESTS = ("players", "desk", "big")
LANGUAGES = ("en", "de", "fr")


def main(arguments: list[str]) -> int:
    """Run the tests that open all screens, and let them keep pictures; return pytest's exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.screenshots", description="Pictures of all main screens.")
    parser.add_argument("folder", type=Path, help="where the pictures go; it is made if it is not there")
    parser.add_argument("--language", choices=LANGUAGES, default="en", help="the screens' language (default: en)")
    wanted = parser.parse_args(arguments)
    root = Path(__file__).resolve().parents[1]
    files = [str(root / "tests" / "web" / "house" / f"test_screens_{name}.py") for name in TESTS]
    told = {"HAGGLE_SCREENSHOTS": str(wanted.folder.resolve()), "HAGGLE_SCREENSHOTS_LANGUAGE": wanted.language}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *files], cwd=root, env={**os.environ, **told}, check=False
    )
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
