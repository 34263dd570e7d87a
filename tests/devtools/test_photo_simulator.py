"""Simulated photos: reproducible, with correct ground truth."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
import zxingcpp

from benchmarks.scan.pictures import GROUPS
from cardgen.payload import card_text, join_link, label_text
from devtools.photo_simulator import photograph
from devtools.photo_simulator.cards import generic_faces, printed_label
from devtools.photo_simulator.profiles import CURVES, NOMINAL, SCENES, SENSORS, Scene
from scanner import read_codes
from tests.scanner.shots import CARDS, GAME, bgr, deck, scene, shot, taken

SMALL = Scene(NOMINAL, 1200, 900)


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
