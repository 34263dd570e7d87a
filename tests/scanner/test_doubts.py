"""Doubts: each card in the picture that was not read is reported once, with a place and a reason."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from benchmarks.scan.measure import Tally
from cardgen.payload import card_text
from devtools.photo_simulator import photograph
from devtools.photo_simulator.cards import printed_faces, printed_label
from devtools.photo_simulator.profiles import NOMINAL, SCENES, SENSORS, TWO_MEGAPIXELS, Profile, Scene
from scanner import scan_photo
from scanner.cards.hints import DIM, Surroundings, cause_of
from scanner.image.load import DEFAULT_LIMITS
from server.printing.contents import dealt_cards
from tests.scanner.shots import CARDS, GAME, OTHER_GAME, bgr, code, deck, encoded, judged, scene, shot, spoiled, taken

if TYPE_CHECKING:
    import numpy.typing as npt

    from tests.scanner.shots import Picture

    Quad = npt.NDArray[np.float64]

SMALL = Scene(NOMINAL, 2592, 1944)
PATIENT = replace(DEFAULT_LIMITS, seconds=60, decodes=60)
"""A generous limit, so that results do not depend on how busy the machine is."""


def test_a_card_with_both_codes_damaged_is_a_doubt_and_one_with_a_twin_is_not() -> None:
    """Without a game, only located codes are doubts."""
    photo = shot("nominal", 20)
    data = spoiled(photo, *photo.truth[3].codes, photo.truth[8].codes[0])
    result = scan_photo(data, GAME)
    assert {card.card.name for card in result.seen} == {card.name for card in CARDS[:20]} - {photo.truth[3].name}
    (doubt,) = result.doubts
    true = np.array(photo.truth[3].outline)
    off = min(np.abs(np.array(doubt.quad) - turned).max() for turned in (true, np.roll(true, 2, axis=0)))
    assert off < 0.04 * np.linalg.norm(true[1] - true[0])
    for doubt in scan_photo(data).doubts:
        assert np.ptp(np.array(doubt.quad), axis=0).max() < 0.5 * np.ptp(true, axis=0).max()


def test_rolled_cards_are_doubts() -> None:
    """On a plain table, part of a code's texture is enough."""
    photo = taken(replace(SCENES["rolled"], width=2016, height=1512), 12, "up")
    found = judged(scan_photo(photo.jpeg, GAME, limits=PATIENT), photo)
    assert found.cards_read >= 8
    assert found.named == found.unread >= 3


def test_neighbouring_rolled_cards_are_two_doubts() -> None:
    """There is no doubt between two unread cards that are side by side."""
    photo = taken(replace(SCENES["rolled"], width=1632, height=1224), 12, "b")
    found = judged(scan_photo(photo.jpeg, GAME, limits=PATIENT), photo)
    assert found.named == found.unread == 4
    assert found.false_doubts == 0


def test_the_name_beside_a_code_is_no_second_doubt() -> None:
    """Bold letters have the texture of a code, but two single places so near to each other are on one card."""
    photo = taken(replace(SCENES["rolled"], width=1632, height=1224), 20, "e")
    found = judged(scan_photo(photo.jpeg, GAME, limits=PATIENT), photo)
    assert found.named == found.unread >= 5
    assert found.false_doubts == 0


def test_a_newspaper_between_cards_is_no_doubt() -> None:
    """Columns of letters that are as large as modules give no doubt."""
    photo = taken(Scene(SCENES["newspaper"].profile, *TWO_MEGAPIXELS), 12, "g")
    result = scan_photo(photo.jpeg, GAME, limits=PATIENT)
    assert (len(result.seen), result.doubts) == (12, ())


@pytest.mark.parametrize(("grey", "reason"), [(245, "glare"), (60, "hidden")])
def test_glare_and_covered_codes_are_distinguished_by_brightness(grey: int, reason: str) -> None:
    """White spots on codes are glare; dark ones are objects on the card."""
    photo = taken(SMALL, 8)
    result = scan_photo(spoiled(photo, *photo.truth[3].codes, share=1.1, grey=grey), GAME)
    assert [doubt.reason for doubt in result.doubts] == [reason]
    found = judged(result, photo)
    assert (found.unread, found.named, found.false_doubts) == (1, 1, 0)


@pytest.mark.parametrize(
    ("profile", "reason"),
    [
        (replace(NOMINAL, textures=("wood",), defocus=2.0), "blur"),
        (replace(NOMINAL, textures=("dark",), motion=8.0), "motion"),
        (replace(NOMINAL, textures=("wood",), module=(0.9, 0.9)), "small"),
    ],
    ids=["blur", "motion", "small"],
)
def test_cards_are_outlined_even_if_no_code_was_read(profile: Profile, reason: str) -> None:
    """Without a code that gives scale and slant, cards are found by their edges, and the cause is reported."""
    photo = taken(replace(SMALL, profile=profile), 12, "nothing")
    result = scan_photo(photo.jpeg, GAME, limits=PATIENT)
    found = judged(result, photo)
    assert found.unread >= 8
    assert found.named >= 0.9 * found.unread
    assert found.false_doubts <= 1
    assert sum(doubt.reason == reason for doubt in result.doubts) >= 0.8 * len(result.doubts)
    assert reason in [one.slug for one in result.advice]
    assert result.codes or not result.complete


@pytest.mark.parametrize(("share", "reasons"), [(0.3, []), (0.5, ["edge"])])
def test_a_card_cut_off_by_the_edge_is_read_or_a_doubt(share: float, reasons: list[str]) -> None:
    """If less than a code is inside the picture, two thirds are enough to compare it, and a half is a doubt."""
    photo = taken(replace(SMALL, profile=replace(NOMINAL, textures=("dark",))), 8)
    pixels = bgr(photo.jpeg)
    code = max((np.array(code.quad) for code in photo.truth[0].codes), key=lambda quad: float(quad[:, 0].mean()))
    left = int(code[:, 0].min() + share * np.ptp(code[:, 0]))
    result = scan_photo(encoded(np.ascontiguousarray(pixels[:, left:])), GAME, limits=PATIENT)
    assert [doubt.reason for doubt in result.doubts] == reasons
    assert len(result.seen) == 8 - len(reasons)


def test_nearly_all_unread_cards_are_doubts() -> None:
    """In difficult photographs most unread cards are doubts, with at most one false doubt."""
    scenes = {
        "blur": replace(SMALL, profile=replace(NOMINAL, defocus=1.8)),
        "sleeves": scene("sleeves"),
        "dim": Scene(SCENES["dim_two_mp"].profile, *TWO_MEGAPIXELS),
        "far": replace(SMALL, profile=replace(NOMINAL, module=(0.9, 1.0))),
        "tilt": replace(SMALL, profile=replace(NOMINAL, tilt=(40, 45), defocus=1.8)),
    }
    total = Tally()
    for name, one in scenes.items():
        photo = taken(one, 20, name)
        total += judged(scan_photo(photo.jpeg, GAME, limits=PATIENT), photo)
    assert total.unread > 30
    assert total.named >= 0.9 * total.unread
    assert total.false_doubts <= 1


def test_partly_covered_cards_are_read_or_doubts() -> None:
    """Part of a code beside a pen, a coin or a finger is enough; the rest of the picture gives no doubt."""
    profile = replace(NOMINAL, fingers=8, pens=5, coins=8)
    read, total = 0, Tally()
    for texture, seed in (("paper", "a"), ("paper", "e"), ("cloth", "a")):
        photo = taken(Scene(replace(profile, textures=(texture,)), *TWO_MEGAPIXELS), 15, seed)
        result = scan_photo(photo.jpeg, GAME, limits=PATIENT)
        read, total = read + len(result.seen), total + judged(result, photo)
    assert total.false == 0
    assert total.cards < read
    assert read + total.named >= 0.95 * 3 * 15
    assert total.false_doubts <= 2


def test_corners_of_neighbouring_codes_in_a_fan_are_no_doubt() -> None:
    """Corner patterns of different codes that were read can form squares of a code's size."""
    photo = taken(Scene(replace(NOMINAL, layout="fan", defocus=1.0), *SENSORS[5]), 15, "b")
    result = scan_photo(photo.jpeg, GAME, limits=PATIENT)
    assert (len(result.seen), result.doubts) == (15, ())


@pytest.mark.parametrize("step", [(40, 40), (40, 56)])
def test_tiles_are_no_doubts(step: tuple[int, int]) -> None:
    """A grid of hundreds of equal squares or rectangles without codes is a pattern."""
    x, y = np.meshgrid(np.arange(1600) % step[0], np.arange(1200) % step[1])
    tiles = np.where((x < step[0] * 0.85) & (y < step[1] * 0.85), 220, 60).astype(np.uint8)
    result = scan_photo(encoded(tiles), GAME)
    assert result.doubts == ()
    assert "nothing" in [one.slug for one in result.advice]


def test_dark_cards_are_doubts_and_noise_is_not() -> None:
    """Cards are outlined even if paper is darker than 50 of 255; noise alone gives no doubt."""
    photo = taken(replace(SMALL, profile=replace(NOMINAL, textures=("dark",), defocus=2.5)), 8)
    pixels = bgr(photo.jpeg)
    noise = np.random.default_rng(1).normal(0, 3, pixels.shape[:2])[..., np.newaxis]
    result = scan_photo(encoded(np.clip(pixels * 0.17 + noise, 0, 255).astype(np.uint8)), GAME)
    assert not result.seen
    assert judged(result, photo).named >= 6
    assert judged(result, photo).false_doubts == 0
    empty = np.clip(20 + noise[:1000, :1000, 0], 0, 255).astype(np.uint8)
    assert scan_photo(encoded(empty), GAME).doubts == ()
    strip = np.zeros((1, 4000), dtype=np.uint8)
    strip[:, ::2] = 40
    assert scan_photo(encoded(strip), GAME).doubts == ()


@pytest.mark.parametrize(("seed", "least"), [("a", 14), ("l", 16)])
def test_blurred_cards_at_a_steep_slant_are_doubts(seed: str, least: int) -> None:
    """On a white table they are found in any direction of the slant, and all of them once some are known."""
    photo = taken(Scene(SCENES["soft_slant"].profile, *TWO_MEGAPIXELS), 20, seed)
    found = judged(scan_photo(photo.jpeg, GAME, limits=PATIENT), photo)
    assert found.named >= least
    assert found.false_doubts == 0


def test_half_of_the_cards_that_noise_nearly_hides_are_doubts() -> None:
    """Even people hardly see anything in such a picture."""
    photo = taken(Scene(SCENES["night"].profile, *TWO_MEGAPIXELS), 12, "e")
    found = judged(scan_photo(photo.jpeg, GAME, limits=PATIENT), photo)
    assert found.named >= 6
    assert found.false_doubts == 0


def test_join_links_on_labels_are_no_doubts() -> None:
    """They are as large as codes of cards, and too fine to be read in small pictures."""
    labels = [printed_label(GAME, envelope, dpi=220) for envelope in (3, 7)]
    photo = photograph(deck(14), Scene(replace(NOMINAL, decks=2), *TWO_MEGAPIXELS), "d", labels)
    result = scan_photo(photo.jpeg, GAME)
    assert (len(result.seen), result.labels, result.doubts) == (14, (3, 7), ())


@pytest.mark.parametrize(("ours", "theirs"), [(0, 12), (7, 3)])
def test_a_card_of_another_game_is_no_doubt(ours: int, theirs: int) -> None:
    """Cards of another game whose codes were read are reported as such, and not as unread."""
    strangers = printed_faces(OTHER_GAME, dealt_cards(OTHER_GAME)[:theirs], dpi=220)
    photo = photograph([*deck(8)[:ours], *strangers], SMALL, "strangers")
    result = scan_photo(photo.jpeg, GAME, limits=PATIENT)
    assert len(result.seen) == ours
    assert [code.status for code in result.codes if code.card is None] == ["other-game"] * 2 * theirs
    assert result.doubts == ()
    assert [one.slug for one in result.advice] == ["other-game"]


@pytest.mark.parametrize(
    "profile",
    ["motion6", "module1", *(pytest.param(name, marks=pytest.mark.thorough) for name in ("soft_slant", "soft_print"))],
)
def test_a_scan_that_runs_out_of_time_is_not_complete(profile: str) -> None:
    """If there was too little time to find anything, the scan says that it is not complete."""
    photo = taken(replace(SCENES[profile], width=1600, height=1200), 20)
    for decodes in (2, 4, 8):
        result = scan_photo(photo.jpeg, GAME, limits=replace(DEFAULT_LIMITS, decodes=decodes))
        assert result.doubts or not result.complete


def test_the_first_pass_runs_even_without_time() -> None:
    """Its results are returned, and the scan says that it is not complete."""
    photo = shot("sharp15", 20)
    result = scan_photo(photo.jpeg, GAME, limits=replace(DEFAULT_LIMITS, decodes=1, seconds=0.1))
    assert not result.complete
    assert judged(result, photo).cards_read < 20
    nominal = shot("nominal", 20)
    assert scan_photo(nominal.jpeg, GAME, limits=replace(DEFAULT_LIMITS, seconds=0.01)).codes


MODULE = 8


def printed(white: float = 220, black: int = 20) -> tuple[Picture, Quad]:
    """Return a grey picture of a code on white paper, and the code's corners."""
    pixels = np.where(code(card_text(GAME, CARDS[0]), MODULE, 8) > 0, white, black).astype(np.uint8)
    near, far = 8.0 * MODULE, (8.0 + 21) * MODULE
    return pixels, np.array([(near, near), (far, near), (far, far), (near, far)])


def shrunk(module: float) -> tuple[Picture, Quad]:
    """Return a code of so many pixels a module."""
    pixels, quad = printed()
    factor = module / MODULE
    small = cv2.resize(pixels, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.uint8), quad * small.shape[0] / pixels.shape[0]


def soft(radius: float) -> tuple[Picture, Quad]:
    """Return a code out of focus by a disc of so many modules."""
    pixels, quad = printed()
    size = int(2 * radius * MODULE) + 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)).astype(np.float32)
    return np.asarray(cv2.filter2D(pixels, -1, disc / disc.sum()), dtype=np.uint8), quad


def moved(length: float, angle: float) -> tuple[Picture, Quad]:
    """Return a code moved by some modules in a direction, in degrees."""
    pixels, quad = printed()
    size = int(length * MODULE) | 1
    kernel = np.zeros((size, size), dtype=np.float32)
    kernel[size // 2] = 1 / size
    kernel = cv2.warpAffine(kernel, cv2.getRotationMatrix2D((size // 2, size // 2), -angle, 1), (size, size))
    return np.asarray(cv2.filter2D(pixels, -1, kernel / kernel.sum()), dtype=np.uint8), quad


def spotted(share: float, grey: int) -> tuple[Picture, Quad]:
    """Return a code with a round spot on it, of a share of its side."""
    pixels, quad = printed()
    cv2.circle(pixels, tuple(int(x) for x in quad.mean(axis=0)), int(share * 21 * MODULE / 2), grey, -1)
    return pixels, quad


def cut(share: float) -> tuple[Picture, Quad]:
    """Return a code of which a share lies beyond the picture's edge."""
    pixels, quad = printed()
    left = round(quad[0, 0] + share * 21 * MODULE)
    return np.ascontiguousarray(pixels[:, left:]), quad - (left, 0.0)


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        (printed(), "unread"),
        (shrunk(2.1), "small"),
        (shrunk(2.3), "unread"),
        (printed(DIM - 1, 8), "dim"),
        (printed(DIM, 8), "unread"),
        (soft(0.6), "unread"),
        (soft(1.0), "blur"),
        (moved(0.6, 30), "unread"),
        (spotted(0.15, 255), "unread"),
        (spotted(0.4, 255), "glare"),
        (spotted(0.15, 120), "unread"),
        (spotted(0.45, 120), "hidden"),
        (spotted(1.6, 120), "hidden"),
        (printed(black=105), "unread"),
        (printed(black=120), "pale"),
        (cut(0.01), "unread"),
        (cut(0.05), "edge"),
    ],
)
def test_reasons_are_reported_from_their_thresholds_on(found: tuple[Picture, Quad], reason: str) -> None:
    pixels, quad = found
    assert cause_of(Surroundings.of(pixels, ()), [quad], 21).reason == reason


@pytest.mark.parametrize("angle", [0, 30, 90, 135])
def test_a_moved_code_shows_the_direction(angle: int) -> None:
    pixels, quad = moved(2.0, angle)
    cause = cause_of(Surroundings.of(pixels, ()), [quad], 21)
    assert cause.reason == "motion"
    assert cause.motion is not None
    assert abs((cause.motion - angle + 90) % 180 - 90) < 12
