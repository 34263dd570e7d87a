"""Tarot cards and tokens: every one is drawn, differs from all others in grey too, and keeps clear of the codes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cardgen.artwork.shapes import steps_of
from cardgen.artwork.tarot import MOTIFS, SUITS, field, pips
from cardgen.cards import POKER, SIZES
from cardgen.faces.draw import check_faces
from cardgen.faces.face import Face, SecondLanguage
from cardgen.pages.raster import face_images
from server.editions import load_edition
from server.printing.card_faces import edition_faces

FACES = {kind: face for kind, face in edition_faces(load_edition("tarot-fr")).items() if face.motif}
FIELD = field(63, 88, 2.5, 27.4, 30.8)
DPI = 60
SHARE = 0.004
"""Of a card's pixels at least so many differ between any two: some 20 mm²."""


@pytest.fixture(scope="module")
def grey() -> dict[str, np.ndarray]:
    """Every face with the same code, in grey."""
    cards = [(face, "H7K3Q0001AAAAAAAAAAA", "00-01-2") for face in FACES.values()]
    images = face_images(cards, POKER, DPI)
    return {kind: np.asarray(image.convert("L")).astype(int) for kind, image in zip(FACES, images, strict=True)}


def test_each_of_78_cards_and_3_tokens_differs_from_all_others_in_grey(grey: dict[str, np.ndarray]) -> None:
    """Each has its own motif; in black and white a good part of the card's ink lies elsewhere."""
    assert [face.motif for face in FACES.values()] == list(FACES)
    assert set(FACES) == set(MOTIFS)
    assert len(MOTIFS) == 81
    kinds = list(grey)
    stack = np.array([grey[kind] for kind in kinds])
    for number, kind in enumerate(kinds):
        differing = (np.abs(stack[number + 1 :] - stack[number]) > 48).mean(axis=(1, 2))
        alike = [kinds[number + 1 + other] for other in np.flatnonzero(differing < SHARE)]
        assert not alike, (kind, alike)


@pytest.mark.parametrize(("suit", "high", "share"), [*((suit, 20, 0.03) for suit in SUITS), ("atout", 29, 0.004)])
def test_the_rank_stands_in_the_outer_corner(grey: dict[str, np.ndarray], suit: str, high: float, share: float) -> None:
    """What a fan shows, the outer 10 mm beside the other card, tells all ranks of a suit and all trumps apart.

    Of a trump that is the end of its large number, and the whole number once more below.
    """
    rim, wide, deep = (round(side / 25.4 * DPI) for side in (3.5, 10.5, high))
    corners = [image[rim:deep, -wide - rim : -rim] for kind, image in grey.items() if kind.startswith(suit)]
    assert len(corners) in {14, 21}
    for number, corner in enumerate(corners):
        for other in corners[:number]:
            assert (np.abs(corner - other) > 48).mean() > share


def test_a_card_is_the_same_from_both_ends_but_for_a_trumps_scene(grey: dict[str, np.ndarray]) -> None:
    """Figures are double; so are names and ranks. What is left is a middle pip or two, and a token's sign."""
    for kind, image in grey.items():
        if not kind.startswith("atout"):
            assert (np.abs(image - image[::-1, ::-1]) > 64).mean() < 0.05, kind


@pytest.mark.parametrize("language", ["fr", "en", "de"])
def test_every_name_fits_the_narrowest_and_the_lowest_card(language: str) -> None:
    faces = edition_faces(load_edition("tarot-fr", language))
    assert len(faces) == 250
    for size in ("mini", "business-us"):
        check_faces([face for face in faces.values() if face.motif], SIZES[size])


def test_a_second_language_stands_at_the_other_end() -> None:
    """The upper half is as it was; the lower one bears the other name."""
    other = SecondLanguage("Autre", "", "")
    for kind in ("trefle-dame", "carreau-7", "atout-3", "excuse", "token-blue"):
        pair = (FACES[kind], replace(FACES[kind], kind="x", second=other))
        images = face_images([(face, "H7K3Q0001AAAAAAAAAAA", "00-01-2") for face in pair], POKER, DPI)
        plain, both = (np.asarray(image.convert("L")).astype(int) for image in images)
        middle = len(plain) // 2
        assert (plain[: middle - 2] == both[: middle - 2]).all()
        assert (np.abs(plain[middle:] - both[middle:]) > 48).sum() > 30


def test_pips_are_as_many_as_the_rank_says() -> None:
    """A solid pip is one shape; one of a red suit has a light line inside."""
    for rank in range(2, 11):
        assert len(pips("trefle", rank, FIELD)) == rank
        assert len(pips("coeur", rank, FIELD)) == 3 * rank


@pytest.mark.parametrize("path", ["M 1", "L", "C 1 2 3 4", "Z 1", "Q 1 2 3 4", "l 1 2"])
def test_a_path_that_cannot_be_drawn_is_refused(path: str) -> None:
    """The message names the letter."""
    with pytest.raises(ValueError, match=f"^{path[0]} with"):
        steps_of(path)


def test_a_name_that_has_no_room_is_refused() -> None:
    """The longest word decides, and the message says which card and which sizes would do."""
    face = Face("x", "Donaudampfschifffahrtskapitän von Karo", "", "", "", "", "", look="tarot", motif="carreau-valet")
    with pytest.raises(ValueError, match="x does not fit a card of 44 x 67 mm"):
        check_faces([face], SIZES["mini"])
