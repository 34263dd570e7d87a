"""In what order files of tests run side by side: a file is one process's, so the long ones come first.

Those that wait for browsers and servers take turns with those that compute, or else processors would be idle while
the last of them wait for each other's pages. What is done in a moment fills what is left. What measures how quick a
page is comes last of all, when little else runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

WAITING = ("web", "soak", "many", "app")
"""Folders whose tests mostly wait, longest first."""
QUICK = ("editions", "observe", "scoring", "search", "setup", "store")
"""Folders whose tests take moments."""
LAST = "web/house/test_lighthouse.py"
LONG = (
    "soak/test_soak.py",
    "web/house/test_camera.py",
    "web/demo/test_demo_page.py",
    "app/test_serving.py",
    "many/test_machines.py",
    "app/test_kills.py",
    "web/house/test_screen.py",
    "web/house/test_player_deck.py",
    "web/house/test_screens_desk.py",
    "web/house/test_offline.py",
    "web/house/test_outbox.py",
    "web/house/test_desk_print.py",
    "web/house/test_desk_pictures.py",
    "web/test_live.py",
    "web/house/test_desk_doubts.py",
    "scanner/test_profiles.py",
    "studio/test_photograph.py",
    "cli/test_demo.py",
    "scanner/test_doubts.py",
    "app/test_kill_points.py",
)
"""Files that take longest, the longest first. Who finds a longer one at the end of a run puts it here."""


def in_turns(files: Iterable[str]) -> list[str]:
    """Return files, named from `tests` on, in the order in which they are to begin."""
    longest = {name: place for place, name in enumerate(LONG)}
    named = sorted(dict.fromkeys(files), key=lambda name: longest.get(name, len(LONG)))
    quick = [name for name in named if name.startswith(_within(QUICK))]
    waiting = [name for name in named if name.startswith(_within(WAITING)) and name != LAST]
    others = [name for name in named if name not in {*quick, *waiting, LAST}]
    spread = [(place / len(part), name) for part in (waiting, others) for place, name in enumerate(part)]
    return [name for _, name in sorted(spread, key=lambda one: one[0])] + quick + [LAST] * (LAST in named)


def _within(folders: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"{folder}/" for folder in folders)
