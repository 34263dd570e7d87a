"""Photographs of decks in every profile of the simulator are read: thresholds are measured values with some margin.

Every run reads those that are most different; `--all` reads the others too.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from devtools.photo_simulator import photograph
from devtools.photo_simulator.cards import printed_faces
from devtools.photo_simulator.profiles import HARD, HOPELESS, NOMINAL, ORDINARY, OTHER, SCENES, SENSORS, Scene
from scanner import scan_photo
from scanner.image.load import DEFAULT_LIMITS
from server.printing.contents import dealt_cards
from tests.scanner.shots import GAME, OTHER_GAME, judged, shot, taken

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

    from _pytest.mark import ParameterSet

    from devtools.photo_simulator.photograph import Photograph

USUAL = {"nominal", "tilt", "fan", "overlap", "glare", "fingers", "checkered", "newspaper", "flatbed", "dim_two_mp"}
FLAT = {"nominal", "tilt", "scatter", "overlap", "fan"}
"""Profiles in which the outlines are checked."""

ALL_READ = {"nominal", "shadow", "overlap", "checkered", "newspaper", "fingers", "flatbed"}
"""Profiles in which no card is doubted: things on the table are none."""

DIM = SCENES["dim"].profile
DIFFICULT = {
    "slanted by 55 degrees": (Scene(replace(NOMINAL, tilt=(55, 55))), 0.95),
    "slanted by 65 degrees": (Scene(replace(NOMINAL, tilt=(65, 65))), 0.8),
    "1.9 pixels a module": (Scene(replace(NOMINAL, module=(1.9, 1.9))), 0.95),
    "2 megapixels, out of focus": (Scene(replace(NOMINAL, defocus=0.7), 1632, 1224), 0.9),
    "2 megapixels, moved": (Scene(replace(NOMINAL, motion=1.2), 1632, 1224), 0.95),
    "dark and noisy": (Scene(replace(DIM, light=0.35, iso=3200)), 0.95),
    "JPEG quality 30": (Scene(replace(NOMINAL, quality=30)), 0.99),
    # Most cards of the following are identified only by comparing them with all cards of the game.
    "1.5 pixels a module": (Scene(replace(NOMINAL, module=(1.5, 1.5))), 0.95),
    "out of focus by a disc of 1.5 modules": (Scene(replace(NOMINAL, defocus=1.5)), 0.95),
    "moved by 2 modules": (Scene(replace(NOMINAL, motion=2.0, iso=200), *SENSORS[5]), 0.95),
    "2 megapixels, out of focus by a disc of a module": (Scene(replace(NOMINAL, defocus=1.0), 1632, 1224), 0.95),
    "very dark and noisy": (Scene(replace(DIM, iso=12_800)), 0.95),
    "slanted and out of focus": (Scene(replace(NOMINAL, tilt=(50, 50), defocus=0.7)), 0.95),
    "faint print": (Scene(replace(NOMINAL, ink=0.45, banding=0.5)), 0.95),
}
USUALLY = {"moved by 2 modules"}

PATIENT = replace(DEFAULT_LIMITS, decodes=48, seconds=600)
"""The cards that are read here must not depend on what else the machine does, nor on how fast it is: a processor that
is shared takes up to twice its time for the same work."""


def of(names: Iterable[str], usual: Container[str]) -> list[ParameterSet]:
    """Return parameters of a test for names of pictures; some are marked `thorough`."""
    return [pytest.param(name, marks=() if name in usual else pytest.mark.thorough) for name in sorted(names)]


def read(photo: Photograph, profile: str = "") -> tuple[float, float]:
    """Scan a photograph; return the shares of codes and cards read, and assert that nothing was misread."""
    result = scan_photo(photo.jpeg, GAME, limits=PATIENT)
    tally = judged(result, photo)
    assert tally.false == 0
    true = {card.name: np.array(card.outline) for card in photo.truth}
    assert {card.card.name for card in result.seen} <= set(true)
    # Each card is there once, whatever covers its edge, and so is no copy of itself.
    assert len({card.card for card in result.seen}) == len(result.seen) == sum(result.cards.values())
    # Columns of print with straight edges may still be taken for a card under others.
    assert profile not in ALL_READ or tally.false_doubts <= (profile == "newspaper")
    for card in result.seen if profile in FLAT else ():
        quad = true[card.card.name]
        millimetre = np.linalg.norm(quad[1] - quad[0]) / GAME.geometry.width
        off = min(np.abs(np.array(card.outline) - turned).max() for turned in (quad, np.roll(quad, 2, axis=0)))
        assert off < 2 * millimetre, card.card
    return tally.codes_read / max(tally.codes, 1), tally.cards_read / max(tally.cards, 1)


@pytest.mark.parametrize("profile", of(ORDINARY | HARD | OTHER, USUAL))
def test_a_deck_of_twenty_is_read_in_every_profile(profile: str) -> None:
    """All cards are read correctly; fingers, coins, print and other tables give no cards."""
    assert profile not in HOPELESS
    codes, cards = read(shot(profile, 20), profile)
    # Of a rolled card one code may face away.
    assert codes >= (0.75 if profile == "rolled" else 0.95)
    assert cards == 1


@pytest.mark.parametrize("name", of(DIFFICULT, USUALLY))
def test_difficult_photographs_are_read(name: str) -> None:
    """Plain readers read little or nothing in these pictures."""
    scene, expected = DIFFICULT[name]
    assert read(taken(scene, 20))[1] >= expected


@pytest.mark.parametrize("profile", of(["blur_radius1", "sharp15"], ["sharp15"]))
def test_blurred_and_tiny_codes_are_read_on_few_cards(profile: str) -> None:
    """Blurred and very small codes are found even if few cards show the size of modules."""
    codes, cards = read(shot(profile, 8, "b"))
    assert codes >= 0.9
    assert cards >= 0.95


@pytest.mark.parametrize("texture", of(["checkered", "newspaper"], ["checkered"]))
def test_small_codes_on_a_busy_table_are_read(texture: str) -> None:
    """Eight cards with the smallest codes are found on print and patterns that look like corner patterns."""
    profile = replace(SCENES["sharp15"].profile, textures=(texture,), module=(1.5, 1.7))  # type: ignore[arg-type]  # a parameter
    assert read(taken(Scene(profile, *SENSORS[5]), 8, "b"))[1] >= 0.85


@pytest.mark.parametrize("defocus", [0.7, 1.3])
def test_blurred_cards_of_another_game_are_not_identified(defocus: float) -> None:
    """However blurred, they are not taken for cards of this game."""
    faces = printed_faces(OTHER_GAME, dealt_cards(OTHER_GAME)[:9], dpi=220)
    photo = photograph(faces, Scene(replace(NOMINAL, defocus=defocus), 2016, 1512), "other")
    result = scan_photo(photo.jpeg, GAME)
    assert result.seen == ()
    assert {code.status for code in result.codes} <= {"other-game"}
