"""How often Python looks for what nobody reaches any more.

As it comes, it looks through all that a server keeps (its libraries, the readings of hundreds of pictures) every few
requests: half of the time of an answer. Nearly all that a request leaves is gone without that.
"""

from __future__ import annotations

import gc

YOUNG = 20_000
"""So many new objects bring a look at these."""
OLDER = 20
"""So many of these looks bring one at older objects, and so many of those one at all of them."""


def calm() -> None:
    """Look more seldom from now on, and never again at what is there already: it stays until the process ends."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, OLDER, OLDER)
