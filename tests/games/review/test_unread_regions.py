"""Identification of a card that is unread in one photo by its position in another."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.games.photos.readings import Quad, Reading, SeenReading
from server.games.review.unread_regions import card_at

OUTLINE = np.array([[0.0, 0.0], [63.0, 0.0], [63.0, 88.0], [0.0, 88.0]])
SPOTS = {f"red-{i + 1:03d}": (70.0 * (i % 4), 95.0 * (i // 4)) for i in range(8)}
NAMES = sorted(SPOTS)


def _projection(angle: float, scale: float, tilt: float) -> np.ndarray:
    cos, sin = np.cos(angle) * scale, np.sin(angle) * scale
    return np.array([[cos, -sin, 1500.0], [sin, cos, 1200.0], [tilt, -tilt / 2, 1.0]])


STRAIGHT = _projection(0.0, 4.0, 0.0)


def _layout(
    spots: dict[str, tuple[float, float]], projection: np.ndarray = STRAIGHT, *, turned: bool = False
) -> Reading:
    """Return a scan result of cards at positions in millimetres, seen through a projection."""
    seen = []
    for at, (card, spot) in enumerate(spots.items()):
        whole = np.column_stack([OUTLINE + spot, np.ones(4)]) @ projection.T
        corners = whole[:, :2] / whole[:, 2:]
        if turned and at % 2:
            corners = np.roll(corners, 2, axis=0)
        seen.append(SeenReading(card=card, outline=tuple(map(tuple, corners.round(1).tolist()))))  # type: ignore[arg-type]  # four corners
    return Reading(width=4000, height=3000, seen=tuple(seen))


def _some(number: int) -> Reading:
    return _layout({card: SPOTS[card] for card in NAMES[:number]})


def _place(spot: tuple[float, float]) -> Quad:
    return _layout({"x": spot}).seen[0].outline


@settings(max_examples=40, deadline=None)
@given(st.floats(-3.1, 3.1), st.floats(3.0, 6.0), st.floats(-3e-4, 3e-4), st.booleans(), st.integers(2, 7))
def test_the_card_in_an_unread_region_is_identified_from_any_angle(
    angle: float,
    scale: float,
    tilt: float,
    turned: bool,  # noqa: FBT001 - drawn
    common: int,
) -> None:
    missing = NAMES[common]
    other = _layout(SPOTS, _projection(angle, scale, tilt), turned=turned)
    assert card_at(_some(common), _place(SPOTS[missing]), other) == missing


@pytest.mark.parametrize(
    ("common", "moved", "place"),
    [
        pytest.param(3, 30.0, SPOTS[NAMES[3]], id="a common card was moved a little"),
        pytest.param(3, 70.0, SPOTS[NAMES[3]], id="a common card was moved far"),
        pytest.param(1, 0.0, SPOTS[NAMES[3]], id="one common card does not tell whether others were moved"),
        pytest.param(3, 0.0, (600.0, 300.0), id="no card lies there in the other picture"),
    ],
)
def test_photos_that_do_not_match_identify_nothing(common: int, moved: float, place: tuple[float, float]) -> None:
    second = SPOTS[NAMES[1]]
    other = _layout({**SPOTS, NAMES[1]: (second[0], second[1] - moved)})
    assert card_at(_some(common), _place(place), other) is None


def test_empty_outlines_identify_nothing() -> None:
    point = ((5.0, 5.0),) * 4
    first, second, third = (SeenReading(card=name, outline=point) for name in NAMES[:3])
    here = Reading(width=10, height=10, seen=(first, second))
    assert card_at(here, point, Reading(width=10, height=10, seen=(first, second, third))) is None
