"""The files of other versions' pages, kept for an upgrade."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.app.assets import Assets
from server.app.releases import KEPT, Releases

if TYPE_CHECKING:
    from server.play.house import House
    from tests.house import Clock


def test_a_version_that_is_in_use_again_is_not_the_oldest(house: House, clock: Clock) -> None:
    """After a roll-back its files outlast those of the versions in between."""
    versions = [Assets({"style/a.css": b"/* %d */" % number}) for number in range(KEPT + 1)]
    for number in (*range(KEPT), 0, KEPT):
        clock.forward(seconds=60)
        Releases(house.database, clock).keep(versions[number])
    releases = Releases(house.database, clock)
    found = [releases.find(version.release, "style/a.css") is not None for version in versions]
    assert found == [True, False, *[True] * (KEPT - 1)]
