"""The environment variables that the product and its tests run with."""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tools.places import Places

HOMEBREW = Path("/opt/homebrew/lib")
"""Where Homebrew puts libraries on Apple's own processors; the system does not look there."""


def on_mac() -> bool:
    """Tell whether this is a Mac."""
    return platform.system() == "Darwin"


def product_variables(places: Places) -> dict[str, str]:
    """Return the variables that programs of the product get besides the caller's.

    PYTHONPATH is ours alone, whatever it said before: other people's modules have no place in a locked environment.
    Python keeps in our own folder what it compiles, also where it is told to keep nothing, as in many containers: to
    compile all modules anew takes each of our processes two seconds.
    """
    variables = {
        "PYTHONPATH": str(places.root),
        "PYTHONDONTWRITEBYTECODE": "",
        "PYTHONPYCACHEPREFIX": str(places.bytecode),
        "PLAYWRIGHT_BROWSERS_PATH": str(places.home / "browsers"),
    }
    if places.node.is_file():
        # Playwright's own Node.js needs a library that a bare system lacks; ours needs none.
        variables["PLAYWRIGHT_NODEJS_PATH"] = str(places.node)
    if on_mac() and HOMEBREW.is_dir():
        name = "DYLD_FALLBACK_LIBRARY_PATH"
        # These are the folders that the system looks in when the variable is not set.
        folders = os.environ.get(name, f"{Path.home()}/lib:/usr/local/lib:/usr/lib").split(":")
        variables[name] = ":".join([str(HOMEBREW), *folders])
    return variables
