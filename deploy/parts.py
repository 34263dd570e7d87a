"""What the image's build needs to know: `lock` prints the locked packages, `served` copies the front end's packages.

`lock` runs before anything is installed; `served FROM TO` takes from FROM/node_modules what the server sends, with the
licences, and leaves the rest, nine tenths of it, behind.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))


def lock() -> str:
    """Return the product's lock with OpenCV's build without windows."""
    from tools.environment import RUNTIME, headless_lock  # noqa: PLC0415 - not there where the other part runs
    from tools.places import Places  # noqa: PLC0415 - as above

    places = Places(ROOT)
    places.home.mkdir(exist_ok=True)
    return headless_lock(places, RUNTIME).read_text("utf-8")


def served(source: Path, target: Path) -> None:
    """Copy the installed front-end packages' files that the server sends or quotes."""
    from server.app.assets import VENDOR  # noqa: PLC0415 - needs what is installed by then
    from server.app.licences import USED  # noqa: PLC0415 - as above

    for name in {*VENDOR.values(), *(path for *_, path in USED)}:
        place = target / "node_modules" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / "node_modules" / name, place)


if __name__ == "__main__":
    if sys.argv[1:] == ["lock"]:
        sys.stdout.write(lock())
    else:
        served(Path(sys.argv[2]), Path(sys.argv[3]))
