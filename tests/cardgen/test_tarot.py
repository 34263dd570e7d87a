"""Tarot cards and tokens: every one is drawn, differs from all others in grey too, and keeps clear of the codes."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from cardgen.cards import POKER, SIZES
from cardgen.faces import INK, Face, Words, draw_face
from cardgen.faces.draw import check_faces
from cardgen.faces.tarot import palette
from cardgen.raster import face_images, page_images
from cardgen.tarot import MOTIFS
from cardgen.tarot.coins import coin
from cardgen.tarot.field import field
from cardgen.tarot.figures import FIGURES, figure
from cardgen.tarot.fool import fool
from cardgen.tarot.pips import pips
from cardgen.tarot.scenes import TRUMPS, scene
from cardgen.tarot.shapes import Shape, clipped, filled, framed, lined, moved, steps_of
from cardgen.tarot.suits import RED_SUITS, SUITS
from cardgen.texts import use_fonts
from server.editions import load_edition
from server.jobs.faces import edition_faces

FACES = {kind: face for kind, face in edition_faces(load_edition("tarot-fr")).items() if face.motif}
DPI = 60
SHARE = 0.004
"""Of a card's pixels at least so many differ between any two: some 20 mm²."""
FIELD = field(63, 88, 2.5, 27.4, 30.8)


@pytest.fixture(scope="module")
def grey() -> dict[str, np.ndarray]:
    """Every face with the same code, in grey."""
    cards = [(face, "H7K3Q0001AAAAAAAAAAA", "00-01-2") for face in FACES.values()]
    images = face_images(cards, POKER, DPI)
    return {kind: np.asarray(image.convert("L")).astype(int) for kind, image in zip(FACES, images, strict=True)}


def test_the_edition_uses_every_motif_once() -> None:
    """78 tarot cards and three tokens, each by its own name."""
    assert len(MOTIFS) == 81
    assert [face.motif for face in FACES.values()] == list(FACES)
    assert set(FACES) == set(MOTIFS)


def test_any_two_cards_differ_in_grey(grey: dict[str, np.ndarray]) -> None:
    """Not by their colour alone: in black and white a good part of the card's ink lies elsewhere."""
    kinds = list(grey)
    stack = np.array([grey[kind] for kind in kinds])
    for number, kind in enumerate(kinds):
        differing = (np.abs(stack[number + 1 :] - stack[number]) > 48).mean(axis=(1, 2))
        alike = [kinds[number + 1 + other] for other in np.flatnonzero(differing < SHARE)]
        assert not alike, (kind, alike)


@pytest.mark.parametrize(("black", "red"), [("pique", "coeur"), ("trefle", "carreau")])
def test_black_and_red_suits_differ_in_grey_by_more_than_their_pips(
    grey: dict[str, np.ndarray], black: str, red: str
) -> None:
    """A red suit's pips have a light line inside; a black suit's are solid."""
    # The pip in the middle of the five, some 8 mm wide.
    r = round(3.4 / 25.4 * DPI)
    solid = {}
    for suit in (black, red):
        image = grey[f"{suit}-5"]
        y, x = image.shape[0] // 2, image.shape[1] // 2
        row = image[y - 1 : y + 2, x - r : x + r].mean(axis=0)
        solid[suit] = int((np.diff((row < 140).astype(int)) == -1).sum())
    assert solid[black] < solid[red]


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
def test_every_card_of_the_edition_fits_each_size(language: str) -> None:
    """Poker cards take the 169 rules with their words too; other sizes take every name."""
    faces = edition_faces(load_edition("tarot-fr", language))
    assert len(faces) == 250
    check_faces(faces.values(), POKER)
    named = [face for face in faces.values() if face.motif]
    for size in SIZES.values():
        check_faces(named, size)


@pytest.mark.parametrize("size", SIZES)
def test_drawings_keep_to_the_panel(size: str) -> None:
    """In and round the codes the paper stays white, whatever is drawn beside them."""
    card = SIZES[size]
    dpi = 150
    use_fonts()
    pdf = BytesIO()
    canvas = Canvas(pdf, pagesize=(card.width * mm, card.height * mm))
    for kind in ("coeur-10", "trefle-cavalier", "atout-7", "excuse", "token-white"):
        draw_face(canvas, FACES[kind], card)
        canvas.showPage()
    canvas.save()
    for image in page_images(pdf.getvalue(), dpi):
        pixels = np.asarray(image.convert("L"))
        # The patch, and half of the white line beside it.
        side = round((card.inset + card.patch + 0.45) / 25.4 * dpi)
        assert pixels[:side, :side].min() == 255
        assert pixels[-side:, -side:].min() == 255


@pytest.mark.parametrize("kind", ["trefle-dame", "carreau-7", "atout-3", "excuse", "token-blue"])
def test_a_second_language_stands_at_the_other_end(kind: str) -> None:
    """The upper half is as it was; the lower one bears the other name."""
    face, other = FACES[kind], Words("Autre", "", "")
    cards = [(one, "H7K3Q0001AAAAAAAAAAA", "00-01-2") for one in (face, replace(face, kind="x", second=other))]
    plain, both = (np.asarray(image.convert("L")).astype(int) for image in face_images(cards, POKER, DPI))
    middle = len(plain) // 2
    assert (plain[: middle - 2] == both[: middle - 2]).all()
    assert (np.abs(plain[middle:] - both[middle:]) > 48).sum() > 30


def test_every_ink_of_a_drawing_is_in_the_palette() -> None:
    """A drawing names inks, the face has the colours."""
    shapes = [shape for suit in SUITS for rank in range(1, 11) for shape in pips(suit, rank, FIELD)]
    shapes += [shape for suit in SUITS for rank in FIGURES for shape in figure(suit, rank, FIELD)]
    shapes += [shape for number in range(1, TRUMPS + 1) for shape in scene(number)]
    shapes += [*fool(FIELD), *coin("red"), *coin("white"), *coin("blue")]
    named = {ink for shape in shapes for ink in (shape.fill, shape.line)} - {""}
    assert named <= set(palette(INK))
    assert all(shape.fill or shape.width for shape in shapes)


def test_pips_are_as_many_as_the_rank_says() -> None:
    """Solid suits have one shape a pip: count them."""
    for rank in range(2, 11):
        assert len(pips("trefle", rank, FIELD)) == rank
        assert len(pips("coeur", rank, FIELD)) == 3 * rank
    assert {"coeur", "carreau"} == RED_SUITS


def test_paths_are_read_as_they_are_written() -> None:
    """Each letter with its numbers, the signs close together."""
    assert steps_of("M0-1L2 3 4 5Z") == (("M", ((0, -1),)), ("L", ((2, 3),)), ("L", ((4, 5),)), ("Z", ()))
    assert steps_of("R 1 2 3 4") == steps_of("P 1 2 4 2 4 6 1 6")
    assert [letter for letter, _ in steps_of("O 0 0 2")] == ["M", "C", "C", "C", "C", "Z"]
    assert steps_of("O 1 1 2") == steps_of("E 1 1 2 2")


@pytest.mark.parametrize("path", ["M 1", "L", "C 1 2 3 4", "R 1 2 3", "Z 1", "P 1 2 3 4"])
def test_a_path_that_cannot_be_drawn_is_refused(path: str) -> None:
    """The message names the letter."""
    with pytest.raises(ValueError, match=f"^{path[0]} with"):
        steps_of(path)


def test_shapes_are_moved_as_a_whole() -> None:
    """Scaled, mirrored, turned, and then moved; lines grow with them, and clips go along."""
    (shape,) = moved(clipped([lined("ink", 0.5, "M1 0L2 0")], "R 0 0 1 1"), 10, 20, 2, 90)
    assert [tuple(round(side, 6) for side in point) for _, points in shape.steps for point in points] == [
        (10, 22),
        (10, 24),
    ]
    assert shape.width == 1
    assert shape.clip
    (mirrored,) = moved([filled("ink", "M1 0L2 0")], mirror=True)
    assert mirrored.steps[0][1] == ((-1, 0),)


def test_a_clip_that_is_there_stays_when_a_frame_is_put_round() -> None:
    """What is clipped more narrowly is not widened."""
    inner = clipped([filled("ink", "O 0 0 5")], "R 0 0 1 1")
    assert framed(inner, "R 0 0 9 9") == inner
    assert framed([Shape(steps_of("O 0 0 5"), "ink")], "R 0 0 9 9")[0].clip == steps_of("R 0 0 9 9")


def test_a_name_that_has_no_room_is_refused() -> None:
    """The longest word decides, and the message says which card and which sizes would do."""
    face = Face("x", "Donaudampfschifffahrtskapitän von Karo", "", "", "", "", "", look="tarot", motif="carreau-valet")
    with pytest.raises(ValueError, match="x does not fit a card of 44 x 67 mm"):
        check_faces([face], SIZES["mini"])
