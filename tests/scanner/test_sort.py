"""Codes to cards: what each code means, which codes are one card, and where the card lies."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cardgen.cards import POKER, CardId
from cardgen.payload import ALPHABET, CARD, TAG_LENGTH, card_text, encode, join_link, label_text, tag
from devtools.photo_simulator import SCENES, Scene, layouts, photograph
from devtools.photo_simulator.profiles import NOMINAL
from scanner import Limits, ScannedCode, scan_photo
from scanner.quads import centre, code_on_card, contains, corners, project, twin_on_card
from scanner.sort import laid_out, meaning_of
from tests.scanner.shots import CARDS, GAME, OTHER_GAME, bgr, deck, encoded, page, shot

RED = CardId("red", 1)
HOST = "https://haggle.example"


def signed(kind: int, copy: int) -> str:
    """Return a well signed card code of the game for numbers that it may not have."""
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
        (card_text(replace(GAME, key=b"x" * 32), RED), "forged"),
        (label_text(replace(GAME, key=b"x" * 32), 7), "forged"),
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
    """Cards and labels of the game, other games, wrong signatures and anything else are told apart."""
    meaning = meaning_of(text, GAME)
    assert meaning.status == status
    assert (meaning.card is not None) == (status == "card")
    assert (meaning.envelope is not None) == (status == "label")
    assert meaning_of(text, None) == ("unchecked", None, None)


@pytest.mark.parametrize("key", [b"x" * 32, b""])
def test_a_join_link_with_a_wrong_signature_names_nothing(key: bytes) -> None:
    """It is no stranger either: whoever prints such a link makes nobody look at it."""
    assert meaning_of(join_link(HOST, GAME.game, key, 7), GAME) == ("label", None, None)
    signed = join_link(HOST, GAME.game, GAME.key, 7)
    assert meaning_of(signed.replace(".7.", ".8."), GAME) == ("label", None, None)
    assert meaning_of(signed.replace(".7.", ".07."), GAME) == ("label", None, None)


def test_a_changed_character_is_never_a_card() -> None:
    """No text that differs in one character from a card's code counts as a card."""
    text = card_text(GAME, RED)
    for place in range(len(text)):
        for character in ALPHABET:
            if character != text[place]:
                assert meaning_of(text[:place] + character + text[place + 1 :], GAME).card is None
    assert len(text) == 9 + TAG_LENGTH


def test_a_photograph_tells_the_kinds_of_codes_apart() -> None:
    """One picture with a card, a label, another game's card, a poster and a forgery: each is what it is."""
    texts = {
        card_text(GAME, RED): "card",
        label_text(GAME, 7): "label",
        "https://poster.example/": "foreign",
        card_text(OTHER_GAME, RED): "other-game",
        card_text(replace(GAME, key=b"x" * 32), RED): "forged",
    }
    placed = [(text, 20 + 190 * (index % 3), 20 + 180 * (index // 3)) for index, text in enumerate(texts)]
    data = encoded(page(*placed))
    result = scan_photo(data, GAME)
    assert {code.text: code.status for code in result.codes} == texts
    assert result.cards == {"red": 1}
    assert result.labels == (7,)
    assert [advice.slug for advice in result.advice] == ["other-game", "forged", "foreign"]
    unchecked = scan_photo(data)
    assert {code.status for code in unchecked.codes} == {"unchecked"}
    assert (unchecked.cards, unchecked.seen, unchecked.labels) == ({}, (), ())


def test_a_join_link_in_a_photograph_is_the_label() -> None:
    """It names the envelope without the other code. No text holds a token, whether it is of this game or not."""
    links = {
        join_link("https://ours.example", GAME.game, GAME.key, 7): "label",
        join_link("https://forged.example", GAME.game, b"x" * 32, 8): "label",
        join_link("https://other.example", OTHER_GAME.game, OTHER_GAME.key, 9): "other-game",
        "https://haggle.example/big#secret": "foreign",
    }
    placed = [(text, 20 + 250 * (index % 2), 20 + 250 * (index // 2)) for index, text in enumerate(links)]
    data = encoded(page(*placed, size=(520, 520)))
    result = scan_photo(data, GAME, limits=Limits(decodes=1000))
    assert {code.text: code.status for code in result.codes} == {
        link.partition("#")[0]: status for link, status in links.items()
    }
    assert result.labels == (7,)
    assert [advice.slug for advice in result.advice] == ["other-game", "foreign"]
    assert not any("#" in code.text for code in scan_photo(data).codes)


def test_twin_codes_are_one_card() -> None:
    """A card of which both codes are read is seen once and counted once, and points to both codes."""
    result = scan_photo(shot("nominal", 20).jpeg, GAME)
    assert len(result.codes) == 40
    assert [len(card.codes) for card in result.seen] == [2] * 20
    assert sum(result.cards.values()) == 20
    for card in result.seen:
        assert {result.codes[index].card for index in card.codes} == {card.card}


@pytest.mark.parametrize("profile", ["nominal", "tilt", "scatter", "overlap", "fan"])
def test_outlines_lie_on_the_cards(profile: str) -> None:
    """The outline of every card, from one code or two, is the card's true one to 2 mm."""
    photo = shot(profile, 20)
    result = scan_photo(photo.jpeg, GAME)
    truth = {card.name: np.array(card.outline) for card in photo.truth}
    assert len(result.seen) >= 15
    for card in result.seen:
        true = truth[card.card.name]
        millimetre = np.linalg.norm(true[1] - true[0]) / GAME.geometry.width
        outline = np.array(card.outline)
        off = min(np.abs(outline - turned).max() for turned in (true, np.roll(true, 2, axis=0)))
        assert off < 2 * millimetre, card.card


@pytest.mark.parametrize("profile", ["nominal", "tilt", "scatter"])
def test_a_mirrored_picture_is_read_and_said(profile: str) -> None:
    """As front cameras take it: each card once, its outline where it lies, and a single hint."""
    photo = shot(profile, 12)
    plain = scan_photo(photo.jpeg, GAME)
    pixels = np.ascontiguousarray(bgr(photo.jpeg)[:, ::-1, ::-1])
    result = scan_photo(encoded(pixels, "JPEG", quality=92), GAME)
    assert result.cards == plain.cards
    assert len(result.seen) == len({card.card for card in result.seen}) == 12
    assert [advice.slug for advice in result.advice] == ["mirrored"]
    truth = {card.name: np.array(card.outline) for card in photo.truth}
    for card in result.seen:
        true = truth[card.card.name] * (-1, 1) + (result.width, 0)
        millimetre = np.linalg.norm(true[1] - true[0]) / GAME.geometry.width
        outline = np.array(card.outline)
        off = min(np.abs(outline - turned).max() for turned in (true, np.roll(true, 2, axis=0)))
        assert off < 2 * millimetre, card.card
        for code in card.codes:
            # Top-left to top-right goes along the card's short side, as in every picture.
            across = np.subtract(result.codes[code].quad[1], result.codes[code].quad[0])
            short = true[1] - true[0]
            assert abs(across @ short) > 0.9 * np.linalg.norm(across) * np.linalg.norm(short)


def test_a_card_and_its_copy_are_seen_twice_and_counted_once() -> None:
    """The same card at two places is a photocopy: seen twice, counted once, and said."""
    faces = deck(6)
    photo = photograph((*faces, faces[2]), SCENES["nominal"], "copy")
    result = scan_photo(photo.jpeg, GAME)
    assert [card.card for card in result.seen].count(CARDS[2]) == 2
    assert sum(result.cards.values()) == 6
    (advice,) = result.advice
    assert advice.slug == "copy"
    assert CARDS[2].name in advice.text


@pytest.mark.parametrize("turn", [-30.0, 150.0])
def test_a_card_on_both_sides_of_anothers_edge_is_one_card(monkeypatch: pytest.MonkeyPatch, turn: float) -> None:
    """A card under another, with a code in sight on either side of its edge, is one card and no copy."""
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


def test_cards_are_counted_by_kind_in_order() -> None:
    """The count goes by kind, in alphabetical order, and holds only what was seen."""
    result = scan_photo(shot("nominal", 20).jpeg, GAME)
    kinds = [card.kind for card in CARDS[:20]]
    assert result.cards == {kind: kinds.count(kind) for kind in sorted(set(kinds))}
    assert list(result.cards) == sorted(result.cards)


def test_one_card_alone_has_an_outline() -> None:
    """With a single card in the picture, and so no other code to tell the slant, its outline still fits."""
    photo = photograph(deck(1), Scene(replace(NOMINAL, tilt=(0, 5), fill=0.5)), "alone")
    (card,) = scan_photo(photo.jpeg, GAME).seen
    true = np.array(photo.truth[0].outline)
    off = min(np.abs(np.array(card.outline) - turned).max() for turned in (true, np.roll(true, 2, axis=0)))
    assert off < 0.03 * np.linalg.norm(true[2] - true[0])


def test_copies_that_each_show_one_code_are_two_cards() -> None:
    """The same code at two places no card can span is on two cards, even turned against each other as twins are."""
    view = np.diag((5.0, 5.0, 1.0))
    spots = [(100.0, 100.0, 0.0), (175.0, 100.0, 180.0), (400.0, 100.0, 180.0)]
    for other in spots[1:]:
        quads = [project(view @ layouts.place(*spot, POKER), code_on_card(POKER)) for spot in (spots[0], other)]
        codes = tuple(ScannedCode(card_text(GAME, RED), corners(quad), RED, "card") for quad in quads)
        assert [len(card.codes) for card in laid_out(codes, GAME).seen] == [1, 1]
    both = [project(view @ layouts.place(*spots[0], POKER), one(POKER)) for one in (code_on_card, twin_on_card)]
    codes = tuple(ScannedCode(card_text(GAME, RED), corners(quad), RED, "card") for quad in both)
    assert [len(card.codes) for card in laid_out(codes, GAME).seen] == [2]
