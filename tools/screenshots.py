"""Makes the pictures in `docs/screenshots/`: `python -m tools.screenshots`, in the environment of the tests.

The practice page and a printed sheet come from a demo that is started for it; every main screen of the app as the tests
see it, in the size that it is made for: `NAME-light.webp` and `NAME-dark.webp`. With `--folder` they go elsewhere, and
then `NAME-other.webp` shows each in the other size, a phone's or a desktop's. Without it, the pictures in the web
manifest are made as well, of an example game: they lie in `web/shots/`.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from tools.practice_shots import take

ROOT = Path(__file__).resolve().parents[1]
LANGUAGES = ("en", "de", "fr")


def main(arguments: list[str]) -> int:
    """Take all pictures; return pytest's exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.screenshots", description="Pictures of all main screens.")
    parser.add_argument("--folder", type=Path, help="where the pictures go instead of docs/screenshots")
    parser.add_argument("--language", choices=LANGUAGES, default="en", help="the screens' language (default: en)")
    wanted = parser.parse_args(arguments)
    folder = (wanted.folder or ROOT / "docs" / "screenshots").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    take(folder)
    files = [str(ROOT / "tests" / "web" / "house" / "test_screens.py")]
    told = {"HAGGLE_SCREENSHOTS": str(folder), "HAGGLE_SCREENSHOTS_LANGUAGE": wanted.language}
    if wanted.folder:
        told["HAGGLE_SCREENSHOTS_OTHER"] = "1"
    else:
        files.append(str(ROOT / "tests" / "web" / "house" / "test_screens_app.py"))
        told["HAGGLE_APP_SCREENSHOTS"] = str(ROOT / "web" / "shots")
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--all", *files], cwd=ROOT, env={**os.environ, **told}, check=False
    ).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
