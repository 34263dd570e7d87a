"""Codes to cards: the meaning of each code, the codes of one card, and the outlines of cards of every size."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardgen.cards import POKER, SIZES, CardId, Geometry, PrintedGame
from cardgen.payload import ALPHABET, CARD, card_text, encode, join_link, label_text, tag
from devtools.photo_simulator import layouts, photograph
from devtools.photo_simulator.camera import view
from devtools.photo_simulator.cards import practice_game, printed_faces
from devtools.photo_simulator.photograph import Photograph
from devtools.photo_simulator.profiles import NOMINAL, SCENES, Scene
from scanner import Limits, ScannedCode, scan_photo
from scanner.decode.identify import laid_out, meaning_of
from scanner.geometry import TablePlane, card_corners, centre, code_on_card, contains, corners, project, twin_on_card
from scanner.image.load import DEFAULT_LIMITS
from scanner.scan import warm_up
from server.printing.contents import dealt_cards
from tests.scanner.shots import CARDS, GAME, OTHER_GAME, bgr, deck, encoded, page, shot, spoiled

if TYPE_CHECKING:
    import numpy.typing as npt

RED = CardId("red", 1)
HOST = "https://haggle.example"
FORGED = replace(GAME, key=b"x" * 32)
NUMBER = 12
CUT = Geometry(width=70.0, height=70.0, inset=3.0, module=0.8)
"""No usual size: an author's own."""


def signed(kind: int, copy: int) -> str:
    """Return a correctly signed card code for numbers that the game may not have."""
    body = CARD + GAME.game + encode(kind, 2) + encode(copy, 2)
    return body + tag(body, GAME.key)


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (card_text(GAME, RED), "card"),
        (label_text(GAME, 7), "label"),
        (card_text(OTHER_GAME, RED), "other-game"),
        (label_text(OTHER_GAME, 7), "other-game"),
        (signed(len(GAME.kinds) - 1, 1), "card"),
        (signed(len(GAME.kinds), 1), "forged"),
        (signed(0, 0), "forged"),
        (card_text(FORGED, RED), "forged"),
        (label_text(FORGED, 7), "forged"),
        (join_link("http://192.168.1.2:8000", GAME.game, GAME.key, 7), "label"),
        (join_link("", GAME.game, GAME.key, 7, 3), "label"),
        (join_link(HOST, OTHER_GAME.game, GAME.key, 7), "other-game"),
        (join_link(HOST, GAME.game, GAME.key, 7) + ".0", "foreign"),
        (join_link(HOST, GAME.game, GAME.key, 7).replace("/j#", "/big#"), "foreign"),
        ("https://example.org/", "foreign"),
        (card_text(GAME, RED).lower(), "foreign"),
        (card_text(GAME, RED) + "0", "foreign"),
        ("", "foreign"),
    ],
)
def test_every_text_has_a_meaning(text: str, status: str) -> None:
    """Cards and labels of the game, other games, wrong signatures and foreign codes are distinguished."""
    meaning = meaning_of(text, GAME)
    assert meaning.status == status
    assert (meaning.card is not None) == (status == "card")
    assert (meaning.envelope is not None) == (status == "label")
    assert meaning_of(text, None) == ("unchecked", None, None)


def test_a_join_link_with_a_wrong_signature_is_ignored() -> None:
    """It is not reported as a foreign code, either, since anyone could print such a link."""
    link = join_link(HOST, GAME.game, GAME.key, 7)
    wrong = [join_link(HOST, GAME.game, key, 7) for key in (FORGED.key, b"")]
    for text in (*wrong, link.replace(".7.", ".8."), link.replace(".7.", ".07.")):
        assert meaning_of(text, GAME) == ("label", None, None)


def test_a_changed_character_is_never_a_card() -> None:
    text = card_text(GAME, RED)
    for place in range(len(text)):
        for character in ALPHABET.replace(text[place], ""):
            assert meaning_of(text[:place] + character + text[place + 1 :], GAME).card is None


def test_all_kinds_of_codes_are_distinguished_in_a_photograph() -> None:
    """A join link names its envelope without the label's other code, and no text contains a token of any game."""
    texts = {
        card_text(GAME, RED): "card",
        label_text(GAME, 3): "label",
        "https://poster.example/": "foreign",
        card_text(OTHER_GAME, RED): "other-game",
        card_text(FORGED, RED): "forged",
        join_link("https://ours.example", GAME.game, GAME.key, 7): "label",
        join_link("https://forged.example", GAME.game, FORGED.key, 8): "label",
        join_link("https://other.example", OTHER_GAME.game, OTHER_GAME.key, 9): "other-game",
        "https://haggle.example/big#secret": "foreign",
    }
    placed = [(text, 20 + 250 * (at % 3), 20 + 250 * (at // 3)) for at, text in enumerate(texts)]
    data = encoded(page(*placed, size=(770, 770)))
    result = scan_photo(data, GAME, limits=Limits(decodes=1000))
    assert {code.text: code.status for code in result.codes} == {
        text.partition("#")[0]: status for text, status in texts.items()
    }
    assert (result.cards, set(result.labels)) == ({"red": 1}, {3, 7})
    assert [advice.slug for advice in result.advice if advice.slug != "decks"] == ["other-game", "forged", "foreign"]
    unchecked = scan_photo(data)
    assert {code.status for code in unchecked.codes} == {"unchecked"}
    assert (unchecked.cards, unchecked.seen, unchecked.labels) == ({}, (), ())
    assert not any("#" in code.text for code in unchecked.codes)


def test_twin_codes_are_one_card() -> None:
    """A card with both codes read is one sighting with both; counts are in the order of kinds."""
    result = scan_photo(shot("nominal", 20).jpeg, GAME)
    assert len(result.codes) == 40
    assert [len(card.codes) for card in result.seen] == [2] * 20
    for card in result.seen:
        assert {result.codes[index].card for index in card.codes} == {card.card}
    kinds = [card.kind for card in CARDS[:20]]
    assert list(result.cards.items()) == [(kind, kinds.count(kind)) for kind in sorted(set(kinds))]


def off(quad: npt.ArrayLike, true: npt.NDArray[np.float64]) -> float:
    """Return the largest distance of a corner from the true outline, as a share of its first side, either way up."""
    turns = (true, np.roll(true, 2, axis=0))
    return float(min(np.abs(np.array(quad) - turned).max() for turned in turns) / np.linalg.norm(true[1] - true[0]))


def outlines(photo: Photograph) -> dict[str, npt.NDArray[np.float64]]:
    """Return the outlines of the cards in a photograph by their names."""
    return {card.name: np.array(card.outline) for card in photo.truth}


def test_a_mirrored_picture_is_read_and_reported() -> None:
    """Front cameras take such pictures: each card is read once with its outline, and there is one hint."""
    photo = shot("tilt", 12)
    result = scan_photo(encoded(bgr(photo.jpeg)[:, ::-1, ::-1], "JPEG", quality=92), GAME)
    assert len(result.seen) == sum(result.cards.values()) == 12
    assert [advice.slug for advice in result.advice] == ["mirrored"]
    for card in result.seen:
        true = outlines(photo)[card.card.name] * (-1, 1) + (result.width, 0)
        assert off(card.outline, true) < 2 / POKER.width, card.card
        for code in card.codes:
            # Top-left to top-right goes along the card's short side, as in every picture.
            across = np.subtract(result.codes[code].quad[1], result.codes[code].quad[0])
            short = true[1] - true[0]
            assert abs(across @ short) > 0.9 * np.linalg.norm(across) * np.linalg.norm(short)


def test_damaged_cards_in_a_mirrored_picture_are_read_in_their_places() -> None:
    """Their codes are compared with those of the game, as in other pictures."""
    photo = shot("nominal", 8)
    pixels = bgr(spoiled(photo, *photo.truth[2].codes, *photo.truth[5].codes, share=0.45))
    result = scan_photo(encoded(pixels[:, ::-1, ::-1], "JPEG", quality=92), GAME)
    assert (len(result.seen), result.doubts) == (8, ())
    for card in result.seen:
        true = outlines(photo)[card.card.name] * (-1, 1) + (result.width, 0)
        assert off(card.outline, true) < 2 / POKER.width, card.card


def test_a_code_without_an_area_does_not_change_the_plane() -> None:
    """Readers may report a line for a code."""
    line = np.array([(10.0, 10.0), (20.0, 20.0), (30.0, 30.0), (40.0, 40.0)])
    square = np.array([(0.0, 0.0), (50.0, 0.0), (50.0, 50.0), (0.0, 50.0)])
    assert np.allclose(TablePlane.under([square, line]).flat, TablePlane.under([square]).flat)
    assert np.isfinite(TablePlane.under([line]).flat).all()


def test_a_card_and_its_photocopy_are_seen_twice_and_counted_once() -> None:
    """The same card at two places is reported as a photocopy."""
    faces = deck(6)
    result = scan_photo(photograph((*faces, faces[2]), SCENES["five_mp"], "copy").jpeg, GAME)
    assert [card.card for card in result.seen].count(CARDS[2]) == 2
    assert sum(result.cards.values()) == 6
    (advice,) = result.advice
    assert advice.slug == "copy"
    assert CARDS[2].name in advice.text


@pytest.mark.parametrize("turn", [-30.0, 150.0])
def test_a_card_on_both_sides_of_anothers_edge_is_one_card(monkeypatch: pytest.MonkeyPatch, turn: float) -> None:
    """A card under another, with a visible code on either side, is one card and no copy."""
    spots = [layouts.place(0, 0, 0, POKER), layouts.place(49.5, -10.5, turn, POKER)]
    monkeypatch.setitem(layouts.LAYOUTS, "grid", lambda *_: spots)
    photo = photograph(deck(2), Scene(replace(NOMINAL, textures=("wood",)), 1600, 1200), "across")
    under, over = photo.truth
    assert [code.whole for code in under.codes] == [True, True]
    assert contains(np.array(under.outline), centre(np.array(over.codes[turn > 0].quad)))
    assert under.visible < 0.85
    result = scan_photo(photo.jpeg, GAME)
    assert {card.card.name: len(card.codes) for card in result.seen} == {under.name: 2, over.name: 2}
    assert sum(result.cards.values()) == 2
    assert (result.doubts, result.advice) == ((), ())


def test_copies_with_one_visible_code_each_are_two_cards() -> None:
    """The same code at two places that no card can span is on two cards, even if turned like twin codes."""
    camera = np.diag((5.0, 5.0, 1.0))
    first, *others = (
        camera @ layouts.place(*spot, POKER) for spot in [(100, 100, 0), (175, 100, 180), (400, 100, 180)]
    )

    def cards(*quads: npt.NDArray[np.float64]) -> list[int]:
        codes = tuple(ScannedCode(card_text(GAME, RED), corners(quad), RED, "card") for quad in quads)
        return [len(card.codes) for card in laid_out(codes, GAME).seen]

    for other in others:
        assert cards(project(first, code_on_card(POKER)), project(other, code_on_card(POKER))) == [1, 1]
    assert cards(project(first, code_on_card(POKER)), project(first, twin_on_card(POKER))) == [2]


def test_a_single_card_has_an_outline() -> None:
    """No other code is needed to measure the slant."""
    photo = photograph(deck(1), Scene(replace(NOMINAL, tilt=(0, 5), fill=0.5), 2592, 1944), "alone")
    (card,) = scan_photo(photo.jpeg, GAME).seen
    assert off(card.outline, np.array(photo.truth[0].outline)) < 0.05


@settings(max_examples=30, deadline=None)
@given(st.floats(0, 60), st.floats(0, 360))
def test_outlines_are_exact_from_one_code_of_each_card(tilt: float, direction: float) -> None:
    """One exact code of each card gives the plane of the table, so outlines are right to 1.5 mm at any slant."""
    spots = [(120.0 * (at % 4), 120.0 * (at // 4), 37.0 * at) for at in range(12)]
    cards = [layouts.place(x, y, turn, POKER) for x, y, turn in spots]
    camera = view(np.vstack([project(card, card_corners(POKER)) for card in cards]), 4000, 3000, tilt, direction, 0.9)
    cards = [camera @ card for card in cards]
    quads = [project(card, code_on_card(POKER)) for card in cards]
    table = TablePlane.under(quads)
    for card, quad in zip(cards, quads, strict=True):
        true, twin = project(card, card_corners(POKER)), project(card, twin_on_card(POKER))
        millimetre = np.linalg.norm(true[1] - true[0]) / POKER.width
        assert np.abs(table.outline(POKER, quad) - true).max() < 1.5 * millimetre
        # With both codes the outline is exact.
        assert np.allclose(table.outline(POKER, quad, twin), true, atol=0.01)


def test_a_few_inexact_codes_in_a_row_give_no_wild_perspective() -> None:
    """Sizes of four codes are known to a percent only, and say little of the slant across their row."""
    random, errors = np.random.default_rng(1), []
    cards = [layouts.place(70.0 * (at % 7), 95.0 * (at // 7), 4.0 * (-1) ** at, POKER) for at in range(21)]
    camera = view(np.vstack([project(card, card_corners(POKER)) for card in cards]), 2592, 1944, 0, 0, 0.86)
    cards = [camera @ card for card in cards]
    for _ in range(60):
        quads = [project(card, code_on_card(POKER)) for card in cards[15:19]]
        table = TablePlane.under([quad + random.normal(0, 0.3, quad.shape) for quad in quads])
        for card in cards[:7]:
            true = project(card, card_corners(POKER))
            millimetre = np.linalg.norm(true[1] - true[0]) / POKER.width
            errors.append(np.abs(table.outline(POKER, project(card, code_on_card(POKER))) - true).max() / millimetre)
    assert np.percentile(errors, 90) < 5


def game_of(geometry: Geometry) -> PrintedGame:
    """Return a practice game with cards of a size."""
    return replace(practice_game("sackson-1969", 4, "sizes"), geometry=geometry)


@cache
def deck_of(geometry: Geometry, defocus: float = 0.0) -> Photograph:
    """Return the photograph of a deck of a size on a table, taken from a little aside."""
    game = game_of(geometry)
    faces = printed_faces(game, dealt_cards(game)[:NUMBER], dpi=160)
    profile = replace(NOMINAL, textures=("dark",), tilt=(8.0, 10.0), defocus=defocus)
    return photograph(faces, Scene(profile, 2016, 1512, geometry), "sizes")


@pytest.mark.parametrize(
    "geometry",
    [
        pytest.param(size, marks=() if name in {"poker", "mini"} else pytest.mark.thorough)
        for name, size in SIZES.items()
    ]
    + [CUT],
    ids=[*SIZES, "own"],
)
def test_a_deck_of_any_size_is_read_and_an_unread_card_is_a_doubt(geometry: Geometry) -> None:
    """Every card is read from both codes, with an outline of its size; one with both codes covered is a doubt."""
    photo = deck_of(geometry)
    true = outlines(photo)
    warm_up(game_of(geometry))
    result = scan_photo(photo.jpeg, game_of(geometry))
    assert {seen.card.name for seen in result.seen} == set(true)
    assert len(result.codes) == 2 * NUMBER
    assert result.doubts == ()
    assert max(off(seen.outline, true[seen.card.name]) for seen in result.seen) < 0.02
    if geometry in (SIZES["mini"], SIZES["business"]):
        hidden = photo.truth[5]
        patient = replace(DEFAULT_LIMITS, seconds=60, decodes=60)
        result = scan_photo(spoiled(photo, *hidden.codes), game_of(geometry), limits=patient)
        assert {seen.card.name for seen in result.seen} == set(true) - {hidden.name}
        (doubt,) = result.doubts
        assert off(doubt.quad, true[hidden.name]) < 0.06


def test_cards_without_any_read_code_are_found_by_their_shape() -> None:
    """In a picture out of focus most cards have outlines of the game's card size, though no code gives the scale."""
    photo = deck_of(SIZES["business"], defocus=2.6)
    result = scan_photo(photo.jpeg, game_of(SIZES["business"]), limits=replace(DEFAULT_LIMITS, seconds=60, decodes=60))
    assert result.seen == ()
    near = [min(off(doubt.quad, true) for true in outlines(photo).values()) for doubt in result.doubts]
    assert sum(share < 0.08 for share in near) >= NUMBER - 2
    assert len(near) <= NUMBER
