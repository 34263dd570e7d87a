"""The scenes of the trumps: a merchant's road from the first light of a day to the stars."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardgen.tarot.scenes import day, morning, night, voyage

if TYPE_CHECKING:
    from cardgen.tarot.parts import Shapes

_SCENES = (
    morning.dawn,
    morning.road,
    morning.mill,
    morning.field,
    morning.bridge,
    morning.gate,
    day.market,
    day.scales,
    day.rain,
    day.noon,
    day.hives,
    day.orchard,
    voyage.balloons,
    voyage.sail,
    voyage.lighthouse,
    voyage.isle,
    voyage.mountain,
    night.tents,
    night.fire,
    night.snow,
    night.world,
)
TRUMPS = len(_SCENES)


def scene(number: int) -> Shapes:
    """Return the scene of a trump, from 1: some 57 x 25 mm around its middle, and what matters near that."""
    return _SCENES[number - 1]()
