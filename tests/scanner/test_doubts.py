"""Cards that lie in the picture but were not read are told, each once, with a place and a reason; others are not."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from benchmarks.scan.measure import Tally
from cardgen.payload import card_text
from devtools.photo_simulator import photograph
from devtools.photo_simulator.cards import printed_faces
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
"""What can be told must not depend on what else the machine does."""


def test_a_card_with_both_codes_spoiled_is_a_doubt_and_a_twin_is_not() -> None:
    """Without a game nothing is known of cards: only located codes are told."""
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


def test_rolled_cards_are_reported_beside_others_that_were_read() -> None:
    """On a table that shows nothing else a bit of a code's texture is enough."""
    photo = taken(replace(SCENES["rolled"], width=2016, height=1512), 12, "up")
    found = judged(scan_photo(photo.jpeg, GAME, limits=PATIENT), photo)
    assert found.cards_read >= 9
    assert found.named == found.unread == 3


def test_neighbouring_rolled_cards_are_not_taken_for_one() -> None:
    """Two cards side by side, of which neither was read, are two doubts, and none lies between them."""
    photo = taken(replace(SCENES["rolled"], width=1632, height=1224), 12, "b")
    found = judged(scan_photo(photo.jpeg, GAME, limits=PATIENT), photo)
    assert found.named == found.unread == 4
    assert found.false_doubts == 0


def test_a_newspaper_between_cards_is_no_card() -> None:
    """Columns of letters as large as modules give no doubt."""
    photo = taken(Scene(SCENES["newspaper"].profile, *TWO_MEGAPIXELS), 12, "g")
    result = scan_photo(photo.jpeg, GAME, limits=PATIENT)
    assert (len(result.seen), result.doubts) == (12, ())


@pytest.mark.parametrize(("grey", "reason"), [(245, "glare"), (60, "hidden")])
def test_things_on_codes_are_told_by_their_brightness(grey: int, reason: str) -> None:
    """A card whose codes are white spots is hidden by glare; under dark ones something lies on it."""
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
def test_cards_of_a_picture_of_which_nothing_was_read_are_outlined(profile: Profile, reason: str) -> None:
    """Without a code that tells scale and slant the cards are found by their edges, and the cause is told."""
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
def test_a_card_cut_off_by_the_edge_is_read_or_told(share: float, reasons: list[str]) -> None:
    """Of a card of which the picture's edge leaves less than a code, two thirds are compared, and a half is a doubt."""
    photo = taken(replace(SMALL, profile=replace(NOMINAL, textures=("dark",))), 8)
    pixels = bgr(photo.jpeg)
    code = max((np.array(code.quad) for code in photo.truth[0].codes), key=lambda quad: float(quad[:, 0].mean()))
    left = int(code[:, 0].min() + share * np.ptp(code[:, 0]))
    result = scan_photo(encoded(np.ascontiguousarray(pixels[:, left:])), GAME, limits=PATIENT)
    assert [doubt.reason for doubt in result.doubts] == reasons
    assert len(result.seen) == 8 - len(reasons)


def test_nearly_all_unread_cards_are_told_and_few_others() -> None:
    """Over hard photographs most of the unread cards are told, with at most one false doubt."""
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


def test_cards_under_pens_and_hands_are_read_or_named_by_what_is_visible_of_their_codes() -> None:
    """A part of a code beside a pen, a coin or a finger is enough; the rest of the picture gives no doubt."""
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


def test_corners_of_neighbouring_codes_in_a_fan_are_no_card() -> None:
    """The corner patterns of different codes that were read form squares of a code's size, which give no doubt."""
    photo = taken(Scene(replace(NOMINAL, layout="fan", defocus=1.0), *SENSORS[5]), 15, "b")
    result = scan_photo(photo.jpeg, GAME, limits=PATIENT)
    assert (len(result.seen), result.doubts) == (15, ())


@pytest.mark.parametrize("step", [(40, 40), (40, 56)])
def test_tiles_are_no_cards(step: tuple[int, int]) -> None:
    """A grid of hundreds of like squares or rectangles and no code is a pattern, and none of it a doubt."""
    x, y = np.meshgrid(np.arange(1600) % step[0], np.arange(1200) % step[1])
    tiles = np.where((x < step[0] * 0.85) & (y < step[1] * 0.85), 220, 60).astype(np.uint8)
    result = scan_photo(encoded(tiles), GAME)
    assert result.doubts == ()
    assert "nothing" in [one.slug for one in result.advice]


def test_cards_in_the_dark_are_told_and_noise_is_no_card() -> None:
    """Where paper is darker than 50 of 255, clean cards are outlined all the same; noise alone gives no doubt."""
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


@pytest.mark.parametrize(("ours", "theirs"), [(0, 12), (7, 3)])
def test_a_card_of_another_game_is_no_doubt(ours: int, theirs: int) -> None:
    """Strange cards whose codes were read are told as strange, and nothing more: no place says that it was not read."""
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
def test_a_picture_in_which_nothing_was_found_for_lack_of_time_is_not_complete(profile: str) -> None:
    """However little time there was, cards of which nothing is known leave a scan that says that it is not complete."""
    photo = taken(replace(SCENES[profile], width=1600, height=1200), 20)
    for decodes in (2, 4, 8):
        result = scan_photo(photo.jpeg, GAME, limits=replace(DEFAULT_LIMITS, decodes=decodes))
        assert result.doubts or not result.complete


def test_a_photograph_that_is_cut_short_says_so() -> None:
    """The first look is taken however late it is, and what it read is returned."""
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
def test_reasons_are_told_from_their_thresholds_on(found: tuple[Picture, Quad], reason: str) -> None:
    pixels, quad = found
    assert cause_of(Surroundings.of(pixels, ()), [quad], 21).reason == reason


@pytest.mark.parametrize("angle", [0, 30, 90, 135])
def test_a_moved_code_tells_the_direction(angle: int) -> None:
    pixels, quad = moved(2.0, angle)
    cause = cause_of(Surroundings.of(pixels, ()), [quad], 21)
    assert cause.reason == "motion"
    assert cause.motion is not None
    assert abs((cause.motion - angle + 90) % 180 - 90) < 12
