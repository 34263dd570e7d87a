"""Decks of every size of card are read, and what was not read of them is told, by the measures of the game."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from cardgen.cards import SIZES, Game, Geometry
from devtools.photo_simulator import Photograph, Scene, dealt_cards, photograph, practice_game, printed_faces
from devtools.photo_simulator.profiles import NOMINAL
from scanner import scan_photo
from scanner.photo import DEFAULT_LIMITS
from tests.scanner.shots import bgr, encoded

PATIENT = replace(DEFAULT_LIMITS, seconds=60, decodes=1000)
NUMBER = 12
SPOILED = 5
CUT = Geometry(width=70.0, height=70.0, inset=3.0, module=0.8)
"""No usual size: an author's own."""


def game_of(geometry: Geometry) -> Game:
    """Return a practice game whose cards have these measures."""
    return replace(practice_game("sackson-1969", 4, "sizes"), geometry=geometry)


@cache
def deck_of(geometry: Geometry, defocus: float = 0.0) -> Photograph:
    """Return the photograph of a deck of a size on a table, taken from a little aside."""
    game = game_of(geometry)
    faces = printed_faces(game, dealt_cards(game)[:NUMBER], dpi=160)
    profile = replace(NOMINAL, textures=("dark",), tilt=(8.0, 10.0), defocus=defocus)
    return photograph(faces, Scene(profile, 2592, 1944, geometry), "sizes")


@pytest.mark.parametrize("geometry", [*SIZES.values(), CUT], ids=[*SIZES, "own"])
def test_a_deck_of_any_size_is_read(geometry: Geometry) -> None:
    """Every card is read from both of its codes, and outlined as large as it is."""
    photo = deck_of(geometry)
    result = scan_photo(photo.jpeg, game_of(geometry))
    true = {card.name: np.array(card.outline) for card in photo.truth}
    assert {seen.card.name for seen in result.seen} == set(true)
    assert len(result.codes) == 2 * NUMBER
    assert result.doubts == ()
    for seen in result.seen:
        assert off(np.array(seen.outline), true[seen.card.name]) < 0.02


@pytest.mark.parametrize("geometry", [SIZES["mini"], SIZES["business"], SIZES["business-us"]], ids=["mini", "eu", "us"])
def test_an_unread_card_is_told_with_the_outline_of_its_size(geometry: Geometry) -> None:
    """A card with something on both of its codes is one doubt, as large as the game's cards are, and no other."""
    photo = deck_of(geometry)
    pixels = bgr(photo.jpeg)
    hidden = photo.truth[SPOILED]
    for code in hidden.codes:
        quad = np.array(code.quad)
        cv2.fillConvexPoly(pixels, (quad[2] + (quad - quad[2]) * 0.62).astype(np.int32), (235, 235, 235))
    result = scan_photo(encoded(pixels), game_of(geometry), limits=PATIENT)
    assert {seen.card.name for seen in result.seen} == {card.name for card in photo.truth} - {hidden.name}
    (doubt,) = result.doubts
    assert off(np.array(doubt.quad), np.array(hidden.outline)) < 0.06


def test_lying_cards_of_which_nothing_was_read_are_told_by_their_shape() -> None:
    """In a picture out of focus most cards are outlined as cards of the game's size, though no code tells the scale."""
    photo = deck_of(SIZES["business"], defocus=2.6)
    result = scan_photo(photo.jpeg, game_of(SIZES["business"]), limits=PATIENT)
    assert result.seen == ()
    near = [min(off(np.array(doubt.quad), np.array(card.outline)) for card in photo.truth) for doubt in result.doubts]
    assert sum(share < 0.08 for share in near) >= NUMBER - 2
    assert len(near) <= NUMBER


def test_a_game_of_another_size_outlines_cards_wrongly() -> None:
    """The measures do come from the game: with others, cards are read too, but their outlines are off."""
    photo = deck_of(SIZES["business"])
    result = scan_photo(photo.jpeg, replace(game_of(SIZES["business"]), geometry=SIZES["poker"]))
    true = {card.name: np.array(card.outline) for card in photo.truth}
    assert result.seen
    assert min(off(np.array(seen.outline), true[seen.card.name]) for seen in result.seen) > 0.1


def off(quad: np.ndarray, true: np.ndarray) -> float:
    """Return how far a corner lies off at most, as a share of the true outline's first side, either way up."""
    turns = (true, np.roll(true, 2, axis=0))
    return float(min(np.abs(quad - turned).max() for turned in turns) / np.linalg.norm(true[1] - true[0]))
