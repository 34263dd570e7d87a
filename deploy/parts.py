"""Copies the npm packages' files that the server needs, and their licences, into the image: `parts.py FROM TO`."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from server.web_app.assets import USED, VENDOR


def copy_served(source: Path, target: Path) -> None:
    """Copy the files of installed front-end packages that the server sends or quotes."""
    for name in {*VENDOR.values(), *(path for *_, path in USED)}:
        place = target / "node_modules" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / "node_modules" / name, place)


if __name__ == "__main__":
    copy_served(Path(sys.argv[1]), Path(sys.argv[2]))
