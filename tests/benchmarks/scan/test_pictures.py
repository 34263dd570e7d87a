"""Sets of made-up photographs."""

from __future__ import annotations

import pytest

from benchmarks.scan.pictures import profile_set
from scanner.photo import load


@pytest.mark.parametrize(
    ("profile", "megapixels", "shape"),
    [
        ("two_mp", None, (1224, 1632)),
        ("two_mp", 5, (1944, 2592)),
        ("nominal", 2, (1224, 1632)),
        ("screenshot", 2, None),
    ],
)
def test_profiles_can_be_taken_with_another_sensor(
    profile: str, megapixels: int | None, shape: tuple[int, int] | None
) -> None:
    """Photographs have as many pixels as asked for, by default those of the profile; a screenshot has its own."""
    chosen = profile_set(profile, 2, 1, "sizes", megapixels)
    usual = profile_set(profile, 2, 1, "sizes")
    (picture,) = chosen.pictures()
    assert load(picture.data).shape == (shape or (1080, 1440))
    assert (chosen.name == usual.name) == (megapixels is None or shape is None)
    assert chosen.group == usual.group == profile
