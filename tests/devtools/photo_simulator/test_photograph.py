"""Simulated photographs: the same for the same seed, with the truth about every card."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
import zxingcpp
from hypothesis import given, settings
from hypothesis import strategies as st

from cardgen.cards import POKER
from cardgen.payload import card_text
from devtools.photo_simulator import SCENES, Face, Scene, photograph
from devtools.photo_simulator.arrays import generator
from devtools.photo_simulator.camera import project, view
from devtools.photo_simulator.layouts import LAYOUTS, lay
from devtools.photo_simulator.profiles import NOMINAL
from devtools.photo_simulator.table import TEXTURES, texture
from tests.scanner.shots import CARDS, GAME, bgr, deck, shot

SMALL = Scene(NOMINAL, 1200, 900)


def test_the_same_seed_gives_the_same_file() -> None:
    """Faces, scene and seed decide every byte; another seed gives another picture."""
    first, second, other = (photograph(deck(4), SMALL, seed) for seed in ("a", "a", "b"))
    assert first == second
    assert first.jpeg != other.jpeg


@pytest.mark.parametrize("name", sorted(SCENES))
def test_every_profile_makes_a_picture_of_its_size(name: str) -> None:
    """Each profile gives a JPEG of its sensor's size with all cards in it, in their order."""
    scene, photo = SCENES[name], shot(name, 20)
    assert bgr(photo.jpeg).shape == (scene.height, scene.width, 3)
    assert [card.name for card in photo.truth] == [card.name for card in CARDS[:20]]
    for card in photo.truth:
        inside = all(0 <= x <= scene.width and 0 <= y <= scene.height for x, y in card.outline)
        assert inside or name == "cut"


@pytest.mark.parametrize("name", ["nominal", "tilt", "scatter", "fan", "overlap"])
def test_the_truth_names_what_lies_there(name: str) -> None:
    """Cut out by its true corners and seen from above, each whole code says what its card's code says."""
    photo = shot(name, 20)
    pixels = bgr(photo.jpeg)
    texts = {card.name: card_text(GAME, card) for card in CARDS}
    square = np.array([(40, 40), (250, 40), (250, 250), (40, 250)], dtype=np.float32)
    whole = 0
    for card in photo.truth:
        for code in card.codes:
            matrix = cv2.getPerspectiveTransform(np.array(code.quad, dtype=np.float32), square)
            barcode = zxingcpp.read_barcode(cv2.warpPerspective(pixels, matrix, (290, 290)))
            if code.whole:
                whole += 1
                assert barcode is not None
                assert barcode.text == texts[card.name]
                assert abs(barcode.orientation) < 10
    assert whole >= 18


def test_cards_that_lie_on_others_hide_their_codes() -> None:
    """In a row of overlapping cards the first code of each is whole, and most second ones are hidden."""
    photo = shot("overlap", 20)
    assert all(card.readable for card in photo.truth)
    hidden = sum(not code.whole for card in photo.truth for code in card.codes)
    assert hidden >= 12
    assert all(code.whole for card in shot("nominal", 20).truth for code in card.codes)


def test_glare_is_known_to_the_truth() -> None:
    """Lamps are reflected in the profile with glare only, and the truth says on which codes."""
    glare = [code.glare for card in shot("glare", 20).truth for code in card.codes]
    assert max(glare) > 0.9
    assert min(glare) == 0
    assert all(code.glare == 0 for card in shot("nominal", 20).truth for code in card.codes)


def test_dim_light_is_dim_and_blur_is_blurred() -> None:
    """Profiles do what their names say: less light, and less difference between neighbouring pixels."""
    nominal = bgr(photograph(deck(4), SMALL, "x").jpeg)
    dim = bgr(photograph(deck(4), replace(SMALL, profile=replace(NOMINAL, light=0.4)), "x").jpeg)
    blur = bgr(photograph(deck(4), replace(SMALL, profile=replace(NOMINAL, defocus=1.0)), "x").jpeg)
    assert dim.mean() < 0.5 * nominal.mean()
    edges = [float(cv2.Laplacian(picture, cv2.CV_32F).var()) for picture in (nominal, blur)]
    assert edges[1] < 0.5 * edges[0]


def test_a_photograph_needs_a_card() -> None:
    """An empty table is no photograph of cards."""
    with pytest.raises(ValueError, match="at least one card"):
        photograph([], SMALL, "a")


@pytest.mark.parametrize("shape", [(88, 63, 3), (700, 500, 3)])
def test_faces_of_any_size_fit(shape: tuple[int, int, int]) -> None:
    """Faces smaller and larger than they appear are laid down, in their colours."""
    face = Face("green", np.full(shape, (40, 200, 40), dtype=np.uint8))
    photo = photograph([face], replace(SMALL, profile=replace(NOMINAL, cast=0.0)), "a")
    x, y = np.mean(photo.truth[0].outline, axis=0).astype(int)
    blue, green, red = bgr(photo.jpeg)[y, x].astype(int)
    assert green > 100 > max(blue, red)


@pytest.mark.parametrize("name", sorted(TEXTURES))
def test_tables_have_texture_and_size(name: str) -> None:
    """Every table top has the size asked for and is not of one colour."""
    pixels = texture(name, 300, 200, generator("t"))  # type: ignore[arg-type]  # the names are the keys
    assert pixels.shape == (200, 300, 3)
    assert pixels.std() > 1


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 60), st.sampled_from(sorted(LAYOUTS)), st.integers(0, 99))
def test_layouts_lay_every_card_once(number: int, layout: str, seed: int) -> None:
    """Any number of cards is laid in each layout, flat, unscaled and at different places."""
    profile = replace(NOMINAL, layout=layout)  # type: ignore[arg-type]  # the names are the keys
    places = lay(number, 4 / 3, profile, POKER, generator(str(seed)))
    assert len(places) == number
    middle = np.array([(POKER.width / 2, POKER.height / 2)])
    assert len({tuple(np.round(project(place, middle)[0], 3)) for place in places}) == number
    for place in places:
        assert np.linalg.det(place[:2, :2]) == pytest.approx(1)


@settings(max_examples=30, deadline=None)
@given(st.floats(0, 60), st.floats(0, 360), st.floats(0.2, 0.95))
def test_the_camera_has_everything_in_view(tilt: float, direction: float, fill: float) -> None:
    """At any slant all points are in the picture, and fill the asked share of its width or its height."""
    points = np.array([(0, 0), (600, 0), (600, 400), (0, 400)], dtype=np.float64)
    seen = project(view(points, 1200, 900, tilt, direction, fill), points)
    shares = np.ptp(seen, axis=0) / (1200, 900)
    assert shares.max() == pytest.approx(fill)
    assert np.allclose(seen.min(axis=0) + seen.max(axis=0), (1200, 900))
