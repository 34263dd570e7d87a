"""The environment variables that the product and its tests run with."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tools.system import browser_path, library_path

if TYPE_CHECKING:
    from tools.places import Places


def product_variables(places: Places) -> dict[str, str]:
    """Return the environment variables for programs of the product: ours first, whatever PYTHONPATH said before."""
    return {**os.environ, "PYTHONPATH": str(places.root), **library_path(), **browser_path(places)}
