"""Colours are told apart in grey and by people who do not see all of them, by ink as well as by shape."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest
from reportlab.lib.units import mm

from cardgen.cards import SIZES
from cardgen.faces.areas import Areas
from cardgen.raster import face_images
from server.editions import load_edition
from server.jobs.faces import edition_faces

Values = npt.NDArray[np.float64]

SEEN_BY = {
    "everybody": np.eye(3),
    "protanopes": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopes": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopes": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
"""What becomes of linear red, green and blue: Machado, Oliveira and Fernandes (2009) for the whole deficiency."""
FROM_RGB = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.119192, 0.9503041]]
)
WHITE = np.array([0.95047, 1.0, 1.08883])
EDITIONS = ("eurocg-2026", "sackson-1969")


def linear(ink: str) -> Values:
    """Return an ink "#RRGGBB" as light."""
    parts = np.array([int(ink[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def lab(light: Values) -> Values:
    """Return light in CIELAB, where distances are as large as they look."""
    parts = FROM_RGB @ np.clip(light, 0, 1) / WHITE
    x, y, z = np.where(parts > (6 / 29) ** 3, np.cbrt(parts), parts / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def inks_of(edition: str) -> dict[str, str]:
    """Return the inks of an edition's colours."""
    kinds = load_edition(edition).kinds
    return {kind.slug: kind.ink for kind in kinds if kind.category == "colour"}


def test_the_measure_is_the_usual_one() -> None:
    """Grey stays as it is for everybody; to those who see no red or no green, these two come much closer."""
    assert lab(linear("#FFFFFF")) == pytest.approx([100, 0, 0], abs=0.02)
    assert lab(linear("#FF0000")) == pytest.approx([53.24, 80.09, 67.20], abs=0.05)
    apart = {}
    for who, matrix in SEEN_BY.items():
        assert matrix.sum(axis=1) == pytest.approx(1, abs=0.001)
        apart[who] = float(np.linalg.norm(lab(matrix @ linear("#B03030")) - lab(matrix @ linear("#2F7F2F"))))
    assert apart["deuteranopes"] < apart["everybody"] / 2
    assert apart["protanopes"] < apart["everybody"] / 2


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("who", SEEN_BY)
def test_any_two_inks_are_told_apart(edition: str, who: str) -> None:
    """Eight times as far apart as the eye needs side by side, for everybody and with each of three deficiencies."""
    inks = {slug: lab(SEEN_BY[who] @ linear(ink)) for slug, ink in inks_of(edition).items()}
    assert len(inks) >= 5
    for one, other in combinations(inks, 2):
        assert np.linalg.norm(inks[one] - inks[other]) > 8 * 2.3, (one, other)


@pytest.mark.parametrize("edition", EDITIONS)
def test_any_two_inks_differ_in_grey(edition: str) -> None:
    """In black and white each colour is a step lighter or darker than any other."""
    lightness = sorted(float(lab(linear(ink))[0]) for ink in inks_of(edition).values())
    assert min(np.diff(lightness)) > 8


@pytest.mark.parametrize("name", SIZES)
@pytest.mark.parametrize("edition", EDITIONS)
def test_any_two_symbols_differ_in_grey(edition: str, name: str) -> None:
    """On every size of card an eighth of the medallion differs between two colours, whatever their inks."""
    card, faces = SIZES[name], edition_faces(load_edition(edition))
    colours = list(inks_of(edition))
    images = face_images([(faces[slug], "H7K3Q0001AAAAAAAAAAA", "00-01-2") for slug in colours], card, 120)
    shapes = {}
    for slug, image in zip(colours, images, strict=True):
        pixels = np.asarray(image.convert("L"))
        height, width = pixels.shape
        r = round(0.7 * min(Areas(card).reach / mm, 15) / 25.4 * 120)
        shapes[slug] = pixels[height // 2 - r : height // 2 + r, width // 2 - r : width // 2 + r] < 245
    for one, other in combinations(shapes, 2):
        assert (shapes[one] != shapes[other]).mean() > 1 / 8, (one, other)
