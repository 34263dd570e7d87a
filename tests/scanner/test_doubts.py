"""Cards that lie in the picture but were not read are named, each once, with a place and a reason; others are not."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from benchmarks.scan.measure import Tally
from cardgen.payload import card_text
from devtools.photo_simulator import SCENES, PlacedCode, Scene, dealt_cards, photograph, printed_faces
from devtools.photo_simulator.profiles import NOMINAL, TWO_MEGAPIXELS
from scanner import scan_photo
from scanner.budget import Budget
from scanner.doubts import doubts_of
from scanner.photo import DEFAULT_LIMITS, load
from scanner.readers import Found
from scanner.search import Search
from scanner.sort import laid_out, scanned
from tests.scanner.shots import CARDS, GAME, OTHER_GAME, TEXTS, bgr, deck, encoded, judged, shot, taken

SMALL = Scene(NOMINAL, 2592, 1944)
PATIENT = replace(DEFAULT_LIMITS, seconds=60, decodes=60)
"""What can be named is one thing, what time allows on a busy machine another."""


def covered(pixels: np.ndarray, *codes: PlacedCode, share: float = 0.62, grey: int = 235) -> None:
    """Cover the lower right part of codes, so that they can be located but not read."""
    for code in codes:
        quad = np.array(code.quad)
        part = quad[2] + (quad - quad[2]) * share
        cv2.fillConvexPoly(pixels, part.astype(np.int32), (grey, grey, grey))


def test_a_card_with_both_codes_spoiled_is_a_doubt_and_a_twin_is_not() -> None:
    """A card of which nothing was read is one doubt, its outline; the spoiled twin of a card that was read is none."""
    photo = shot("nominal", 20)
    pixels = bgr(photo.jpeg)
    covered(pixels, *photo.truth[3].codes, photo.truth[8].codes[0])
    result = scan_photo(encoded(pixels, "PNG"), GAME)
    names = {card.card.name for card in result.seen}
    assert names == {card.name for card in CARDS[:20]} - {photo.truth[3].name}
    (doubt,) = result.doubts
    true = np.array(photo.truth[3].outline)
    off = min(np.abs(np.array(doubt.quad) - turned).max() for turned in (true, np.roll(true, 2, axis=0)))
    assert off < 0.04 * np.linalg.norm(true[1] - true[0])


@pytest.mark.parametrize(("share", "grey", "reason"), [(1.1, 245, "glare"), (1.1, 60, "hidden")])
def test_what_lies_on_codes_is_told_by_its_brightness(share: float, grey: int, reason: str) -> None:
    """A card whose codes are white spots is hidden by glare; under dark ones something lies on it."""
    photo = taken(SMALL, 8)
    pixels = bgr(photo.jpeg)
    covered(pixels, *photo.truth[3].codes, share=share, grey=grey)
    result = scan_photo(encoded(pixels, "PNG"), GAME)
    assert [doubt.reason for doubt in result.doubts] == [reason]
    found = judged(result, photo)
    assert (found.unread, found.named, found.false_doubts) == (1, 1, 0)


@pytest.mark.parametrize(
    ("scene", "reason"),
    [
        (replace(SMALL, profile=replace(NOMINAL, textures=("wood",), defocus=2.0)), "blur"),
        (replace(SMALL, profile=replace(NOMINAL, textures=("dark",), motion=8.0)), "motion"),
        (replace(SMALL, profile=replace(NOMINAL, textures=("wood",), module=(0.9, 0.9))), "small"),
    ],
    ids=["blur", "motion", "small"],
)
def test_cards_of_a_picture_of_which_nothing_was_read_are_outlined(scene: Scene, reason: str) -> None:
    """Without a code that tells scale and slant the cards are found by their edges, and the cause is told."""
    photo = taken(scene, 12, "nothing")
    result = scan_photo(photo.jpeg, GAME, limits=PATIENT)
    found = judged(result, photo)
    assert found.unread >= 8
    assert found.named >= 0.9 * found.unread
    assert found.false_doubts <= 1
    assert sum(doubt.reason == reason for doubt in result.doubts) >= 0.8 * len(result.doubts)
    assert reason in [one.slug for one in result.advice]
    assert result.codes or not result.complete


def test_a_card_cut_off_by_the_edge_is_named() -> None:
    """Of a card of which the picture's edge leaves a half, both codes cut, the outline goes on beyond the edge."""
    photo = taken(replace(SMALL, profile=replace(NOMINAL, textures=("dark",))), 8)
    first = np.array(photo.truth[0].outline)
    left = int(first[:, 0].mean())
    pixels = np.ascontiguousarray(bgr(photo.jpeg)[:, left:])
    for code in photo.truth[0].codes:
        # Whatever of a code is in the picture is made unreadable as well.
        covered(pixels, replace(code, quad=tuple((x - left, y) for x, y in code.quad)), share=0.7, grey=30)
    result = scan_photo(encoded(pixels, "PNG"), GAME)
    reasons = [doubt.reason for doubt in result.doubts if np.mean(doubt.quad, axis=0)[0] < first[:, 0].max() - left]
    assert reasons in (["edge"], ["hidden"])
    assert min(x for doubt in result.doubts for x, _ in doubt.quad) < 0


def test_codes_of_a_checkered_cloth_are_no_doubts() -> None:
    """A cloth full of squares gives no false doubts."""
    photo = shot("checkered", 20)
    result = scan_photo(photo.jpeg, GAME)
    assert result.doubts == ()
    assert card_text(GAME, CARDS[0]) in {code.text for code in result.codes}


@pytest.mark.parametrize("profile", ["nominal", "shadow", "overlap", "newspaper", "fingers", "flatbed", "two_decks"])
def test_pictures_in_which_all_was_read_have_no_doubts(profile: str) -> None:
    """Fingers, coins, print and other tables are no cards."""
    photo = shot(profile, 9 if profile == "flatbed" else 20)
    result = scan_photo(photo.jpeg, GAME)
    # Columns of print with straight edges may still pass for a card that lies under others.
    assert judged(result, photo).false_doubts <= (profile == "newspaper")


def test_nearly_all_unread_cards_are_named_and_few_others() -> None:
    """Over hard photographs most of the unread cards are named, with at most one false doubt in ten pictures."""
    scenes = {
        "blur": replace(SMALL, profile=replace(NOMINAL, defocus=1.8)),
        "sleeves": SCENES["sleeves"],
        "dim": Scene(SCENES["dim_two_mp"].profile, *TWO_MEGAPIXELS),
        "far": replace(SMALL, profile=replace(NOMINAL, module=(0.9, 1.0))),
        "tilt": replace(SMALL, profile=replace(NOMINAL, tilt=(40, 45), defocus=1.8)),
        "overlap": replace(SMALL, profile=replace(NOMINAL, layout="overlap", defocus=2.2)),
        "fan": replace(SMALL, profile=replace(NOMINAL, layout="fan", defocus=2.0)),
    }
    total = Tally()
    for name, scene in scenes.items():
        photo = taken(scene, 20, name)
        total += judged(scan_photo(photo.jpeg, GAME, limits=PATIENT), photo)
    assert total.unread > 70
    assert total.named >= 0.9 * total.unread
    assert total.false_doubts <= 1


@pytest.mark.parametrize("step", [(40, 40), (40, 56)])
def test_tiles_are_no_cards(step: tuple[int, int]) -> None:
    """A grid of hundreds of like squares or rectangles and no code is a pattern, and none of it a doubt."""
    x, y = np.meshgrid(np.arange(1600) % step[0], np.arange(1200) % step[1])
    tiles = np.where((x < step[0] * 0.85) & (y < step[1] * 0.85), 220, 60).astype(np.uint8)
    result = scan_photo(encoded(tiles, "PNG"), GAME)
    assert result.doubts == ()
    assert "nothing" in [one.slug for one in result.advice]


def test_doubts_need_a_game() -> None:
    """Without a game nothing is known of cards: only located codes are told."""
    photo = shot("nominal", 20)
    pixels = bgr(photo.jpeg)
    covered(pixels, *photo.truth[3].codes)
    (true,) = [np.array(photo.truth[3].outline)]
    for doubt in scan_photo(encoded(pixels, "PNG")).doubts:
        assert np.ptp(np.array(doubt.quad), axis=0).max() < 0.5 * np.ptp(true, axis=0).max()


def test_cards_in_the_dark_are_named_and_noise_is_no_card() -> None:
    """Where paper is darker than 50 of 255, clean cards are outlined all the same; noise alone gives no doubt."""
    photo = taken(replace(SMALL, profile=replace(NOMINAL, textures=("dark",), defocus=2.5)), 8)
    pixels = bgr(photo.jpeg)
    chance = np.random.default_rng(1)
    noise = chance.normal(0, 3, pixels.shape[:2])[..., np.newaxis]
    dark = np.clip(pixels * 0.17 + noise, 0, 255).astype(np.uint8)
    result = scan_photo(encoded(dark, "PNG"), GAME)
    assert not result.seen
    assert judged(result, photo).named >= 6
    assert judged(result, photo).false_doubts == 0
    empty = np.clip(20 + noise + np.zeros_like(pixels), 0, 255).astype(np.uint8)
    assert scan_photo(encoded(empty, "PNG"), GAME).doubts == ()


def test_a_dark_strip_has_no_cards() -> None:
    """What is too thin to be shrunk holds no card, and is no error."""
    strip = np.zeros((1, 4000), dtype=np.uint8)
    strip[:, ::2] = 40
    assert scan_photo(encoded(strip, "PNG"), GAME).doubts == ()


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


@pytest.mark.parametrize("profile", ["soft_slant", "motion6", "module1", "soft_print"])
def test_a_picture_in_which_nothing_was_found_for_lack_of_time_is_not_complete(profile: str) -> None:
    """However little time there was, cards of which nothing is known leave a scan that says that it is not complete."""
    photo = taken(replace(SCENES[profile], width=1600, height=1200), 20)
    for decodes in range(2, 13):
        result = scan_photo(photo.jpeg, GAME, limits=replace(DEFAULT_LIMITS, decodes=decodes))
        assert result.doubts or not result.complete


@pytest.mark.parametrize("read", [0, 6])
@pytest.mark.parametrize("late", [True, False])
def test_cards_that_nobody_had_time_to_look_for_are_overlooked(read: int, late: bool) -> None:  # noqa: FBT001 - cases
    """That nothing was found means nothing where no time was left to look, however many other cards were read."""
    photo = shot("overlap", 20)
    codes = [Found(TEXTS[card.name], np.array(one.quad), 1) for card in photo.truth[:read] for one in card.codes]
    search = Search(load(photo.jpeg), Budget(float("inf"), 0.0 if late else float("inf")), codes=codes)
    layout = laid_out(scanned(codes, GAME), GAME)
    _, doubts = doubts_of(search, layout, GAME)
    assert search.overlooked == (not doubts)
    assert doubts if not late else search.overlooked
