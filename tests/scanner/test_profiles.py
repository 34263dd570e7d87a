"""Photographs of decks in every profile of the simulator are read: thresholds are measured values with some margin."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from devtools.photo_simulator import HOPELESS, SCENES, Scene
from devtools.photo_simulator.profiles import NOMINAL
from scanner import scan_photo
from scanner.photo import DEFAULT_LIMITS
from tests.scanner.shots import GAME, judged, shot, taken

if TYPE_CHECKING:
    from collections.abc import Iterable

    from _pytest.mark import ParameterSet

    from devtools.photo_simulator import Photograph
    from devtools.photo_simulator.profiles import Texture

# What share of the codes in view must be read, and of the cards with a code in view.
EXPECTED = dict.fromkeys(set(SCENES) - set(HOPELESS), (0.95, 1.0))

HARD = {
    "slanted by 55 degrees": (Scene(replace(NOMINAL, tilt=(55, 55))), 0.95),
    "slanted by 65 degrees": (Scene(replace(NOMINAL, tilt=(65, 65))), 0.8),
    "1.9 pixels a module": (Scene(replace(NOMINAL, module=(1.9, 1.9))), 0.95),
    "2 megapixels, out of focus": (Scene(replace(NOMINAL, defocus=0.7), 1632, 1224), 0.9),
    "2 megapixels, moved": (Scene(replace(NOMINAL, motion=1.2), 1632, 1224), 0.95),
    "dark and noisy": (Scene(replace(SCENES["dim"].profile, light=0.35, iso=3200)), 0.95),
    "JPEG quality 30": (Scene(replace(NOMINAL, quality=30)), 0.99),
}

BEYOND = {
    "1.5 pixels a module": Scene(replace(NOMINAL, module=(1.5, 1.5))),
    "out of focus by a disc of 1.5 modules": Scene(replace(NOMINAL, defocus=1.5)),
    "moved by 2 modules": Scene(replace(NOMINAL, motion=2.0, iso=200)),
    "2 megapixels, out of focus by a disc of a module": Scene(replace(NOMINAL, defocus=1.0), 1632, 1224),
    "very dark and noisy": Scene(replace(SCENES["dim"].profile, iso=12_800)),
    "slanted and out of focus": Scene(replace(NOMINAL, tilt=(50, 50), defocus=0.7)),
    "faint print": Scene(replace(NOMINAL, ink=0.45, banding=0.5)),
}
"""Pictures most of whose cards are told only by comparing them with all cards of the game."""

USUAL = {
    "slanted by 65 degrees",
    "dark and noisy",
    "1.5 pixels a module",
    "out of focus by a disc of 1.5 modules",
    "moved by 2 modules",
}
"""Those of them that every run reads; the others are for thorough ones."""

PATIENT = replace(DEFAULT_LIMITS, decodes=48, seconds=600)
"""What is read here must not depend on what else the machine does, nor on how fast it is: a processor that is shared
takes up to twice its time for the same work. `haggle bench scan` tells what is read within the usual bound."""


def of(scenes: Iterable[str]) -> list[ParameterSet]:
    """Return the names of pictures as parameters of a test."""
    return [pytest.param(name, marks=() if name in USUAL else pytest.mark.thorough) for name in sorted(scenes)]


def read(taken_photo: Photograph) -> tuple[float, float]:
    """Scan a photograph; return the shares of codes and cards read, and assert that nothing was misread."""
    result = scan_photo(taken_photo.jpeg, GAME, limits=PATIENT)
    tally = judged(result, taken_photo)
    assert tally.false == 0
    assert {card.card.name for card in result.seen} <= {card.name for card in taken_photo.truth}
    # Each card lies there once, whatever lies over its edge, and so is no copy of itself.
    assert len({card.card for card in result.seen}) == len(result.seen) == sum(result.cards.values())
    return tally.codes_read / max(tally.codes, 1), tally.cards_read / max(tally.cards, 1)


@pytest.mark.parametrize("profile", sorted(EXPECTED))
def test_a_deck_of_twenty_is_read_in_every_profile(profile: str) -> None:
    """In nearly every profile of the simulator all cards of a deck are read, each as what it is."""
    codes, cards = read(shot(profile, 20))
    assert codes >= EXPECTED[profile][0]
    assert cards >= EXPECTED[profile][1]


@pytest.mark.parametrize("name", of(HARD))
def test_hard_photographs_are_read(name: str) -> None:
    """Pictures that a plain pass of zxing-cpp mostly misses are read by the passes after it."""
    scene, expected = HARD[name]
    assert read(taken(scene, 30))[1] >= expected


@pytest.mark.parametrize("name", of(BEYOND))
def test_cards_beyond_any_reader_are_told_by_the_game(name: str) -> None:
    """Where readers get through to few codes or none, the codes of the game tell which cards they are."""
    assert read(taken(BEYOND[name], 20))[1] >= 0.95


@pytest.mark.parametrize(("profile", "cards"), [("blur_radius1", 8), ("sharp15", 8)])
def test_cards_that_no_reader_sees_are_told(profile: str, cards: int) -> None:
    """However few cards there are to tell the size of modules, blurred and very small codes are found."""
    codes, read_cards = read(shot(profile, cards, "b"))
    assert codes >= 0.9
    assert read_cards >= 0.95


@pytest.mark.parametrize("texture", ["checkered", "newspaper"])
def test_small_codes_are_told_on_a_busy_table(texture: Texture) -> None:
    """On print and patterns, where all looks like corner patterns, eight cards with the smallest codes are told."""
    scene = Scene(replace(SCENES["sharp15"].profile, textures=(texture,), module=(1.5, 1.7)))
    assert read(taken(scene, 8, "b"))[1] >= 0.85
