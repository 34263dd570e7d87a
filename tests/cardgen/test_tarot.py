"""Tarot cards and tokens: all are drawn, and differ from each other even in grey."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cardgen.artwork.shapes import parse_path
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
"""Least share of pixels that differ between any two cards, about 20 mm²."""


@pytest.fixture(scope="module")
def grey() -> dict[str, np.ndarray]:
    """Return all faces with the same code, in grey."""
    cards = [(face, "H7K3Q0001AAAAAAAAAAA", "00-01-2") for face in FACES.values()]
    images = face_images(cards, POKER, DPI)
    return {kind: np.asarray(image.convert("L")).astype(int) for kind, image in zip(FACES, images, strict=True)}


def test_all_tarot_cards_and_tokens_differ_in_grey(grey: dict[str, np.ndarray]) -> None:
    """Each has its own motif."""
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
def test_the_rank_is_in_the_outer_corner(grey: dict[str, np.ndarray], suit: str, high: float, share: float) -> None:
    """All ranks of a suit and all trumps can be distinguished in a fan by their outer 10 mm.

    Of a trump, these are the end of its large number, and the number in its name below.
    """
    rim, wide, deep = (round(side / 25.4 * DPI) for side in (3.5, 10.5, high))
    corners = [image[rim:deep, -wide - rim : -rim] for kind, image in grey.items() if kind.startswith(suit)]
    assert len(corners) in {14, 21}
    for number, corner in enumerate(corners):
        for other in corners[:number]:
            assert (np.abs(corner - other) > 48).mean() > share


def test_cards_are_symmetric_except_for_the_scene_of_a_trump(grey: dict[str, np.ndarray]) -> None:
    """Figures, names and ranks are double. Only pips in the middle and the signs of tokens are not."""
    for kind, image in grey.items():
        if not kind.startswith("atout"):
            assert (np.abs(image - image[::-1, ::-1]) > 64).mean() < 0.05, kind


@pytest.mark.parametrize("language", ["fr", "en", "de"])
def test_every_name_fits_the_narrowest_and_the_lowest_card(language: str) -> None:
    faces = edition_faces(load_edition("tarot-fr", language))
    assert len(faces) == 250
    for size in ("mini", "business-us"):
        check_faces([face for face in faces.values() if face.motif], SIZES[size])


def test_a_second_language_is_at_the_other_end() -> None:
    """The upper half does not change; the lower one has the other name."""
    other = SecondLanguage("Autre", "", "")
    for kind in ("trefle-dame", "carreau-7", "atout-3", "excuse", "token-blue"):
        pair = (FACES[kind], replace(FACES[kind], kind="x", second=other))
        images = face_images([(face, "H7K3Q0001AAAAAAAAAAA", "00-01-2") for face in pair], POKER, DPI)
        plain, both = (np.asarray(image.convert("L")).astype(int) for image in images)
        middle = len(plain) // 2
        assert (plain[: middle - 2] == both[: middle - 2]).all()
        assert (np.abs(plain[middle:] - both[middle:]) > 48).sum() > 30


def test_the_number_of_pips_is_the_rank() -> None:
    """A pip of a black suit is one shape; one of a red suit has three."""
    for rank in range(2, 11):
        assert len(pips("trefle", rank, FIELD)) == rank
        assert len(pips("coeur", rank, FIELD)) == 3 * rank


@pytest.mark.parametrize("path", ["M 1", "L", "C 1 2 3 4", "Z 1", "Q 1 2 3 4", "l 1 2"])
def test_a_path_that_cannot_be_drawn_is_refused(path: str) -> None:
    """The message contains the letter of the step."""
    with pytest.raises(ValueError, match=f"^{path[0]} with"):
        parse_path(path)


def test_a_name_that_does_not_fit_is_refused() -> None:
    """The message names the card and the sizes that have enough room."""
    face = Face("x", "Donaudampfschifffahrtskapitän von Karo", "", "", "", "", "", look="tarot", motif="carreau-valet")
    with pytest.raises(ValueError, match="x does not fit a card of 44 x 67 mm"):
        check_faces([face], SIZES["mini"])
