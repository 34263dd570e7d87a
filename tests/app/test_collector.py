"""A server looks for what nobody reaches any more seldom, but it does."""

from __future__ import annotations

import subprocess
import sys

_RUN = """
import gc, weakref
from server.app.collector import YOUNG, calm

kept = [[number] for number in range(1000)]
calm()
assert gc.get_freeze_count() > 1000, "what is there is looked at again"

class Loop:
    def __init__(self):
        self.me = self

seen = weakref.ref(Loop())
assert seen() is not None
others = [[number] for number in range(3 * YOUNG)]
assert seen() is None, "what is out of reach was not found"
looks = gc.get_stats()[2]["collections"]
for _ in range(300):
    others = [[number] for number in range(1000)]
assert gc.get_stats()[2]["collections"] == looks, "it looks at everything all the time"
"""


def test_what_is_out_of_reach_goes_and_what_stays_is_left_alone() -> None:
    """Rings of objects are found after a while; libraries and what was there at the start are not looked at again."""
    done = subprocess.run([sys.executable, "-c", _RUN], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
