"""Simulated photos: reproducible, with correct ground truth."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
import zxingcpp
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.scan.pictures import GROUPS
from cardgen.cards import POKER
from cardgen.payload import card_text, join_link, label_text
from devtools.photo_simulator import photograph
from devtools.photo_simulator.arrays import generator
from devtools.photo_simulator.camera import Bend, Surface, camera, project, view
from devtools.photo_simulator.cards import PrintedCode, generic_faces, printed_label
from devtools.photo_simulator.layouts import LAYOUTS, lay, place
from devtools.photo_simulator.optics import Blur, Light, disc, stroke
from devtools.photo_simulator.photograph import placed_card
from devtools.photo_simulator.profiles import CURVES, NOMINAL, SCENES, SENSORS, Scene
from devtools.photo_simulator.sensor import BLACK, WHITE, capture, full_well
from scanner import read_codes
from tests.scanner.shots import CARDS, GAME, bgr, deck, scene, shot, taken

SMALL = Scene(NOMINAL, 1200, 900)
ABOVE = np.array([[10.0, 0, 0, 0], [0, 10, 0, 0], [0, 0, 0, 1]])
SURFACE = Surface(ABOVE, np.eye(3), (60.0, 80.0))
CODE = PrintedCode("TEXT", np.array([(10, 10), (31, 10), (31, 31), (10, 31)], dtype=np.float64), 21)
POINTS = np.array([(0, 0), (600, 0), (600, 400), (0, 400)], dtype=np.float64)


def test_the_same_seed_gives_the_same_file() -> None:
    """Faces, scene and seed determine every byte; another seed gives another picture."""
    first, second, other = (photograph(deck(4), SMALL, seed) for seed in ("a", "a", "b"))
    assert first == second
    assert first.jpeg != other.jpeg
    with pytest.raises(ValueError, match="at least one card"):
        photograph([], SMALL, "a")


@pytest.mark.parametrize("name", ["nominal", "tilt", "overlap", "fingers"])
def test_the_ground_truth_is_correct(name: str) -> None:
    """In crops by true corners nearly all codes marked as whole can be read, and few others."""
    photo = shot(name, 20)
    pixels = bgr(photo.jpeg)
    assert pixels.shape == (scene(name).height, scene(name).width, 3)
    assert [card.name for card in photo.truth] == [card.name for card in CARDS[:20]]
    square = np.array([(60, 60), (270, 60), (270, 270), (60, 270)], dtype=np.float32)
    read: dict[bool, list[bool]] = {True: [], False: []}
    for card, known in zip(photo.truth, CARDS, strict=False):
        for code in card.codes:
            assert code.text == card_text(GAME, known)
            matrix = cv2.getPerspectiveTransform(np.array(code.quad, dtype=np.float32), square)
            cutout = cv2.warpPerspective(pixels, matrix, (330, 330), flags=cv2.INTER_CUBIC)
            found = {one.text for one in read_codes(np.asarray(cutout, dtype=np.uint8))}
            read[code.whole].append(code.text in found)
    assert len(read[True]) >= 20
    assert sum(read[True]) >= 0.9 * len(read[True])
    assert sum(read[False]) <= 0.5 * len(read[False])
    # In a row of overlapping cards every second code is hidden.
    assert (len(read[False]) >= 12) == (name == "overlap")


def rectangle(left: float, top: float, right: float, bottom: float) -> np.ndarray:
    """Return a rectangular outline in pixels."""
    return np.array([(left, top), (right, top), (right, bottom), (left, bottom)], dtype=np.float64)


@pytest.mark.parametrize(
    ("above", "covered"),
    [
        ([], 0.0),
        ([rectangle(100, 100, 205, 310)], 0.5),
        ([rectangle(0, 0, 99, 800), rectangle(312, 0, 400, 800)], 0.0),
        ([rectangle(100, 100, 205, 310), rectangle(100, 100, 310, 205)], 0.75),
        ([rectangle(0, 0, 600, 800)], 1.0),
    ],
)
def test_covered_shares_of_a_code_count_once(above: list[np.ndarray], covered: float) -> None:
    (code,) = placed_card("a", SURFACE, [CODE], above, None, (2000, 2000), 0).codes
    assert code.covered == pytest.approx(covered, abs=0.01)
    assert code.whole == (covered == 0)
    assert (code.text, code.module, code.narrow) == ("TEXT", pytest.approx(10), pytest.approx(10))


@pytest.mark.parametrize(("share", "whole"), [(0.0, True), (0.005, True), (0.02, False), (0.5, False)])
def test_reflections_and_edges_hide_codes(*, share: float, whole: bool) -> None:
    """A code is not whole if more than 1 % is overexposed or cut off."""
    shine = np.zeros((800, 600), dtype=np.uint8)
    shine[100 : 100 + round(210 * share), 100:310] = 255
    (code,) = placed_card("a", SURFACE, [CODE], [], shine, (2000, 2000), 0).codes
    assert code.washed == pytest.approx(share, abs=0.006)
    assert (code.whole, code.glare) == (whole, 1.0 if share else 0.0)
    cut = placed_card("a", SURFACE, [CODE], [], None, (300, 2000), 0)
    assert cut.visible == pytest.approx(0.5, abs=0.01)
    assert cut.codes[0].covered == pytest.approx(10 / 210, abs=0.01)
    assert not cut.readable


def test_each_deck_has_a_label_beside_it() -> None:
    """Two decks are separate, with readable labels; the ground truth distinguishes them."""
    labels = [printed_label(GAME, envelope, dpi=220) for envelope in (1, 2)]
    photo = photograph(deck(9), SCENES["two_decks"], "labels", labels)
    assert [card.deck for card in photo.truth] == [0] * 5 + [1] * 4
    assert [label.deck for label in photo.labels] == [0, 1]
    for envelope, label in enumerate(photo.labels, start=1):
        link = join_link("https://haggle.example", GAME.game, GAME.key, envelope)
        assert [code.text for code in label.codes] == [label_text(GAME, envelope), link]
    read = {code.text for code in read_codes(bgr(photo.jpeg))}
    assert read >= {code.text for label in photo.labels for code in label.codes}
    with pytest.raises(ValueError, match="one label"):
        photograph(deck(2), SMALL, "x", [printed_label(GAME, 1, dpi=100)] * 2)


def test_profiles_have_their_effects() -> None:
    """Dim photos are dark, blur is blurred, cards are bent, and modules have the requested size."""
    seen = {
        name: photograph(deck(4), replace(SMALL, profile=replace(NOMINAL, **changes)), "x")
        for name, changes in {
            "nominal": {},
            "dim": {"light": 0.4},
            "blur": {"defocus": 1.0},
            "bent": {"curl": (50, 60)},
        }.items()
    }
    pixels = {name: bgr(photo.jpeg) for name, photo in seen.items()}
    assert pixels["dim"].mean() < 0.5 * pixels["nominal"].mean()
    edges = {name: float(cv2.Laplacian(picture, cv2.CV_32F).var()) for name, picture in pixels.items()}
    assert edges["blur"] < 0.5 * edges["nominal"]
    flat, bent = (np.array([card.outline for card in seen[name].truth]) for name in ("nominal", "bent"))
    assert np.abs(flat - bent).max(axis=(1, 2)).min() > 3
    photo = taken(Scene(replace(NOMINAL, module=(1.7, 1.7), tilt=(0, 5))), 12, "module")
    modules = [code.module for card in photo.truth for code in card.codes]
    assert np.median(modules) == pytest.approx(1.7, rel=0.03)
    for megapixels, (width, height) in SENSORS.items():
        assert width * height / 1e6 == pytest.approx(megapixels, rel=0.03)


def test_profiles_have_one_group_and_curves_several_values() -> None:
    groups = [name for group in ("ordinary", "hard", "other", "hopeless") for name in GROUPS[group]]
    assert sorted(groups) == sorted(SCENES) == sorted(GROUPS["all"])
    assert {"nominal", "dim", "shadow", "overlap"} < set(GROUPS["ordinary"])
    assert {"blur1", "glare", "tilt50", "sharp15"} < set(GROUPS["hard"])
    assert all(len(scenes) >= 7 for scenes in CURVES.values())


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 60), st.sampled_from(sorted(LAYOUTS)), st.integers(0, 99))
def test_layouts_place_every_card_once(number: int, layout: str, seed: int) -> None:
    """Flat, unscaled and at different positions."""
    profile = replace(NOMINAL, layout=layout)  # type: ignore[arg-type]  # the names are the keys
    places = lay(number, 4 / 3, profile, POKER, generator(str(seed)))
    middle = np.array([(POKER.width / 2, POKER.height / 2)])
    assert len({tuple(np.round(project(place, middle)[0], 3)) for place in places}) == len(places) == number
    for at in places:
        assert np.linalg.det(at[:2, :2]) == pytest.approx(1)


@settings(max_examples=25, deadline=None)
@given(
    st.none() | st.builds(Bend, st.floats(60, 400), st.floats(0, 180), st.booleans()),
    st.floats(0, 40),
    st.floats(0, 360),
    st.floats(0.2, 0.95),
)
def test_the_camera_sees_all_points_and_projection_is_invertible(
    bend: Bend | None, tilt: float, direction: float, fill: float
) -> None:
    """At any tilt, and for bent cards; the points fill the requested share of the picture."""
    seen = project(view(POINTS, 1200, 900, tilt, direction, fill), POINTS)
    assert (np.ptp(seen, axis=0) / (1200, 900)).max() == pytest.approx(fill)
    assert np.allclose(seen.min(axis=0) + seen.max(axis=0), (1200, 900))
    size = (POKER.width, POKER.height)
    at = place(300, 200, direction, POKER)
    surface = Surface(camera(POINTS, 1200, 900, tilt, direction, 0.8), at, size, bend)
    points = np.array([(5, 5), (30, 40), (60, 80), (10, 70), (31.5, 44)], dtype=np.float64)
    pixels = surface.project(points)
    seen, back = surface.beneath(pixels[:, 0], pixels[:, 1])
    assert np.allclose(seen, points, atol=1e-6)
    assert not back.any()


@settings(max_examples=25, deadline=None)
@given(st.floats(20, 60), st.floats(0, 180), st.booleans(), st.floats(0, 40))
def test_a_strongly_bent_card_is_seen_where_its_points_are(radius: float, axis: float, cup: bool, tilt: float) -> None:  # noqa: FBT001
    """Nothing of it is seen elsewhere, and what its own bend hides does not count as visible."""
    bend = Bend(radius, axis, cup)
    size = (POKER.width, POKER.height)
    surface = Surface(camera(POINTS, 600, 450, tilt, 70, 0.8), place(300, 200, 20, POKER), size, bend)
    steps = np.linspace(0, 1, 40)
    points = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2) * size
    own = surface.project(points)
    x, y = (part.ravel() for part in np.meshgrid(np.arange(600.0), np.arange(450.0)))
    seen, _ = surface.beneath(x, y)
    on_card = ((seen >= 0) & (seen <= size)).all(axis=1)
    inside = (x >= own[:, 0].min()) & (x <= own[:, 0].max()) & (y >= own[:, 1].min()) & (y <= own[:, 1].max())
    assert on_card.any()
    assert not (on_card & ~inside).any()
    hidden = surface.beneath(*own.T)[1].mean()
    assert surface.shown(surface.corners) <= 1 - hidden + 0.05


@settings(max_examples=25, deadline=None)
@given(st.floats(0.6, 20), st.floats(0, 40), st.floats(0, 3.2), st.floats(0, 1), st.integers(0, 99))
def test_blur_preserves_the_amount_of_light(
    radius: float, length: float, angle: float, shake: float, seed: int
) -> None:
    for kernel in (disc(radius), stroke(length, angle, shake, generator(str(seed)))):
        assert kernel.sum() == pytest.approx(1, abs=1e-4)
        assert kernel.min() >= 0


@pytest.mark.parametrize("iso", [100, 800])
def test_noise_is_shot_noise_and_read_noise(iso: float) -> None:
    level, width, height = 0.2, 512, 320
    factor = np.full((height // 4, width // 4, 3), level, dtype=np.float32)
    light = Light(width, height, factor, np.zeros(factor.shape[:2], dtype=np.float32), (1.0, 0.0))
    white = np.full((height, width, 3), 255, dtype=np.uint8)
    raw = capture(white, None, light, Blur(0.6, None), iso, generator("n"))
    green = (raw.astype(float)[0::2, 1::2] - BLACK) / (WHITE - BLACK)
    full = full_well(iso, width * height)
    assert green.mean() == pytest.approx(level, rel=0.02)
    assert green.var() == pytest.approx((level * full + 2.5**2) / full**2, rel=0.1)


def test_foreign_codes_have_all_versions_and_repairable_damage() -> None:
    """Twenty codes have versions 1 to 20; most damaged codes can be read, fewer with more damage."""

    def read(damage: float, **more: tuple[int, int]) -> list[bool]:
        faces = generic_faces(10, "d", damage=damage, **more)
        return [
            face.codes[0].text in {barcode.text for barcode in zxingcpp.read_barcodes(face.pixels)} for face in faces
        ]

    faces = generic_faces(20, "generic")
    assert [face.codes[0].modules for face in faces] == [17 + 4 * version for version in range(1, 21)]
    assert all(read(0.0))
    little, much = (sum(read(damage, versions=(2, 11))) for damage in (0.5, 3.0))
    assert 10 >= little >= 8 > much
