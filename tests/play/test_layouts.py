"""A card that one picture shows and the other does not, found by where it must lie."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.jobs.readings import Reading, SeenReading
from server.play.layouts import shown_at

OUTLINE = np.array([[0.0, 0.0], [63.0, 0.0], [63.0, 88.0], [0.0, 88.0]])


def _layout(spots: dict[str, tuple[float, float]], way: np.ndarray, turned: bool = False) -> Reading:  # noqa: FBT001, FBT002 - how outlines begin
    """Return a picture of cards that lie at spots, in millimetres, seen through a projection."""
    seen = []
    for at, (card, spot) in enumerate(spots.items()):
        whole = np.column_stack([OUTLINE + spot, np.ones(4)]) @ way.T
        corners = whole[:, :2] / whole[:, 2:]
        if turned and at % 2:
            corners = np.roll(corners, 2, axis=0)
        seen.append(SeenReading(card=card, outline=tuple(map(tuple, corners.round(1).tolist()))))  # type: ignore[arg-type]  # four corners
    return Reading(width=4000, height=3000, seen=tuple(seen))


def _way(angle: float, scale: float, tilt: float) -> np.ndarray:
    cos, sin = np.cos(angle) * scale, np.sin(angle) * scale
    return np.array([[cos, -sin, 1500.0], [sin, cos, 1200.0], [tilt, -tilt / 2, 1.0]])


SPOTS = {f"red-{i + 1:03d}": (70.0 * (i % 4), 95.0 * (i // 4)) for i in range(8)}
STRAIGHT = _way(0.0, 4.0, 0.0)


@settings(max_examples=60, deadline=None)
@given(st.floats(-3.1, 3.1), st.floats(3.0, 6.0), st.floats(-3e-4, 3e-4), st.booleans(), st.integers(2, 7))
def test_the_card_at_an_unread_place_is_found_from_any_side(
    angle: float,
    scale: float,
    tilt: float,
    turned: bool,  # noqa: FBT001 - drawn
    common: int,
) -> None:
    """However the other picture was taken, the one card that was not read is told by its place."""
    names = sorted(SPOTS)
    missing = names[common]
    full = _layout(SPOTS, STRAIGHT)
    place = next(found.outline for found in full.seen if found.card == missing)
    here = _layout({card: SPOTS[card] for card in names[:common]}, STRAIGHT)
    other = _layout({card: SPOTS[card] for card in names}, _way(angle, scale, tilt), turned)
    assert shown_at(here, place, other) == missing


@pytest.mark.parametrize("shift", [30.0, 70.0])
def test_moved_cards_tell_nothing(shift: float) -> None:
    """One card of the common ones lies elsewhere: nobody knows what else was moved."""
    names = sorted(SPOTS)
    here = _layout({card: SPOTS[card] for card in names[:3]}, STRAIGHT)
    place = _layout({names[3]: SPOTS[names[3]]}, STRAIGHT).seen[0].outline
    moved = {**SPOTS, names[1]: (SPOTS[names[1]][0], SPOTS[names[1]][1] - shift)}
    assert shown_at(here, place, _layout(moved, STRAIGHT)) is None


def test_one_common_card_is_not_enough() -> None:
    """One card alone does not tell whether the others were moved."""
    names = sorted(SPOTS)
    here = _layout({names[0]: SPOTS[names[0]]}, STRAIGHT)
    place = _layout({names[3]: SPOTS[names[3]]}, STRAIGHT).seen[0].outline
    assert shown_at(here, place, _layout(SPOTS, STRAIGHT)) is None


def test_no_card_lies_there_in_the_other_picture() -> None:
    """Both pictures fit, and the other one shows nothing at the place either."""
    names = sorted(SPOTS)
    here = _layout({card: SPOTS[card] for card in names[:3]}, STRAIGHT)
    place = _layout({"x": (600.0, 300.0)}, STRAIGHT).seen[0].outline
    assert shown_at(here, place, _layout(SPOTS, STRAIGHT)) is None


def test_outlines_of_no_size_tell_nothing() -> None:
    """Corners that all lie on one point fit nothing, and break nothing."""
    flat = SeenReading(card="red-001", outline=((5.0, 5.0),) * 4)
    other = SeenReading(card="red-002", outline=((5.0, 5.0),) * 4)
    fresh = SeenReading(card="red-003", outline=((5.0, 5.0),) * 4)
    here = Reading(width=10, height=10, seen=(flat, other))
    assert shown_at(here, ((5.0, 5.0),) * 4, Reading(width=10, height=10, seen=(flat, other, fresh))) is None
