"""Advice for the next photograph, from measurements in this one.

Slugs: `nothing`, `mirrored`, `small`, `dim`, `blur`, `motion`, `tilt`, `glare`, `pale`, `hidden`, `edge`, `unread`,
`decks`, `label`, `other-game`, `forged`, `foreign`, `copy`, `screen`, `time`.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from math import ceil
from typing import TYPE_CHECKING

import cv2
import numpy as np

from scanner.cards.reasons import DIM
from scanner.geometry.homography import foreshortening
from scanner.result import Hint

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from scanner.decode.identify import PhotoLayout
    from scanner.geometry.homography import Field
    from scanner.result import CardPile, Corners, Doubt, Grey, ScannedCode, SeenCard


MOIRE = 4.0
"""Log power of a spatial frequency above its neighbours from which on the picture shows a screen.

Photographs of screens have 5 to 6.6, those of print, cloth and wood 1 to 3.
"""

# Side in pixels of the parts that are analysed, and their number across and down.
_SIDE = 128
_ACROSS, _DOWN = 4, 3

# Range of frequencies that count, in periods a pixel.
_FINE, _FINEST = 0.2, 0.6

# Size of JPEG's blocks in pixels, and the relative width of the frequencies they cause.
_BLOCK, _NEAR = 8, 0.2

# Frequencies around one, of _SIDE, to which it is compared.
_AROUND = 15


def moire(grey: Grey) -> float:
    """Return the log power of the strongest high frequency above its neighbours; 0 for a small picture."""
    height, width = grey.shape
    if min(height, width) < 2 * _SIDE:
        return 0.0
    power = np.full((_SIDE, _SIDE // 2 + 1), 1e-6)
    for y in np.linspace(0, height - _SIDE, _DOWN + 2).astype(int)[1:-1]:
        for x in np.linspace(0, width - _SIDE, _ACROSS + 2).astype(int)[1:-1]:
            part = grey[y : y + _SIDE, x : x + _SIDE].astype(np.float32)
            one = np.abs(np.fft.rfft2((part - part.mean()) * _window())) ** 2
            power += one / (one.mean() + 1e-6)
    logs = np.fft.fftshift(np.log(power), axes=0).astype(np.float32)
    above = logs - cv2.blur(logs, (_AROUND, _AROUND), borderType=cv2.BORDER_REFLECT)
    return max(float(above[_counted()].max()), 0.0)


@cache
def _window() -> Field:
    edge = np.hanning(_SIDE)
    return np.asarray(np.outer(edge, edge), dtype=np.float32)


@cache
def _counted() -> npt.NDArray[np.bool_]:
    """Return which frequencies count: fine ones that are not those of a JPEG's blocks."""
    down, across = np.fft.fftshift(np.fft.fftfreq(_SIDE))[:, np.newaxis], np.fft.rfftfreq(_SIDE)[np.newaxis]
    far = np.hypot(down, across)
    blocks = [np.abs(one * _BLOCK - np.round(one * _BLOCK)) < _NEAR for one in (down, across)]
    return np.asarray((far > _FINE) & (far < _FINEST) & ~(blocks[0] & blocks[1]), dtype=np.bool_)


SMALL = 2.0
"""Pixels a module below which codes are missed."""

GOOD = 3.0
"""Pixels a module that a better picture should have."""

MOST = 0.5
"""Share of all cards from which on a cause is said of the picture and not of its places."""

SLANTED = 1.4
"""From this ratio of a square's longest to its shortest width on the slant is named as a cause: about 45 degrees."""

MANY_PLACES = 3
"""Number of parts of the picture from which on a hint only counts unread cards, without places."""

# What is said of the picture where a cause holds for most of it.
_WHOLE = {
    "dim": "The picture is dark: add light, or lay the cards nearer to a lamp.",
    "blur": "The picture is out of focus: tap on a card to focus, wait until it is sharp, then take the picture.",
}

# What is said of one and of several cards, after their number and place.
_PLACED = {
    "dim": ("lies in the dark: add light.", "lie in the dark: add light."),
    "blur": (
        "is out of focus: tap on it to focus, and hold the phone level with the table.",
        "are out of focus: tap on them to focus, and hold the phone level with the table.",
    ),
    "glare": (
        "is hidden by glare: move the lamp, or tilt the phone a little.",
        "are hidden by glare: move the lamp, or tilt the phone a little.",
    ),
    "pale": (
        "is printed too pale: add light, or print it again with fresh ink.",
        "are printed too pale: add light, or print them again with fresh ink.",
    ),
    "hidden": (
        "is covered: lay it so that one of its codes is free.",
        "are covered: lay them so that one code of each is free.",
    ),
    "edge": (
        "is cut off by the picture's edge: move back a little.",
        "are cut off by the picture's edge: move back a little.",
    ),
    "unread": (
        "could not be read: check for glare, shadow or another card on it.",
        "could not be read: check for glare, shadow or another card on them.",
    ),
}


def advise(
    size: tuple[int, int],
    layout: PhotoLayout,
    doubts: Sequence[Doubt],
    decks: Sequence[CardPile],
    module: float,
    *,
    complete: bool,
    label_wanted: bool = False,
    noun: str = "card",
    white: float = 255.0,
    moire: float = 0.0,
) -> tuple[Hint, ...]:
    """Return the hints for a picture of `size` (width, height); `module` is the median in pixels, 0 if unknown.

    `noun` is the word for a doubt: "code" without a game. `white` is the brightness of paper, or of the brightest area
    of the picture; `moire` is the result of that function.
    """
    advice = []
    codes = layout.codes
    if not codes and not doubts and white < DIM:
        advice.append(Hint("dim", f"No code was found. {_WHOLE['dim']}"))
    elif not codes and not doubts:
        advice.append(
            Hint("nothing", "No code was found: lay the cards face up, fill the picture with them and hold still.")
        )
    if layout.table.mirrored:
        advice.append(
            Hint("mirrored", "The picture is mirrored: it was read all the same; the camera at the back reads more.")
        )
    if 0 < module < SMALL or any(doubt.reason == "small" for doubt in doubts):
        advice.append(_small(size, layout, doubts, module))
    if doubts:
        advice.extend(_slanted(codes))
    if moire >= MOIRE:
        advice.append(Hint("screen", "The picture seems to show a screen: photograph the cards, or take a screenshot."))
    advice.extend(_moved(doubts))
    for reason in _PLACED:
        advice.extend(_placed(size, layout, [doubt for doubt in doubts if doubt.reason == reason], reason, noun))
    advice.extend(_decks(decks))
    if label_wanted and not any(code.envelope is not None for code in codes):
        advice.append(Hint("label", "No envelope label was found: lay the label beside the cards, its codes free."))
    advice.extend(_strangers(codes))
    advice.extend(_copies(layout.seen))
    if not complete and (doubts or not layout.seen):
        advice.append(Hint("time", "The search took too long and was ended: take a calmer background or two pictures."))
    return tuple(advice)


def _small(size: tuple[int, int], layout: PhotoLayout, doubts: Sequence[Doubt], module: float) -> Hint:
    """Return a hint with the size of the codes, and the number of pictures in which they would be large enough."""
    modules = [doubt.module for doubt in doubts if doubt.reason == "small"]
    smallest = min(module or GOOD, float(np.median(modules)) if modules else GOOD)
    quads = [*(code.quad for code in layout.codes), *(doubt.quad for doubt in doubts)]
    points = np.array([point for quad in quads for point in quad])
    span = np.ptp(points, axis=0) / size if len(points) else np.ones(2)
    closer = 1 / max(float(span.max()), 0.05)
    pictures = ceil((GOOD / (smallest * closer)) ** 2)
    what = "come closer" if pictures <= 1 else f"come closer, and take {pictures} pictures of a part of the cards each"
    return Hint("small", f"The codes are small, {smallest:.1f} pixels a module: {what}.")


def _slanted(codes: Sequence[ScannedCode]) -> list[Hint]:
    quads = [np.array(code.quad) for code in codes if code.card is not None]
    if not quads:
        return []
    values = np.linalg.eigvalsh(foreshortening(quads))
    if values[1] < SLANTED * values[0]:
        return []
    return [Hint("tilt", "The picture was taken at a slant: hold the phone straight above the cards.")]


def _moved(doubts: Sequence[Doubt]) -> list[Hint]:
    """Return a hint with the direction of camera motion, averaged over all cards."""
    ways = [doubt.motion for doubt in doubts if doubt.motion is not None]
    if not ways:
        return []
    # Directions repeat after half a turn: doubled they can be averaged.
    mean = np.exp(2j * np.radians(ways)).mean()
    angle = float(np.degrees(np.angle(mean)) / 2 % 180)
    names = ("from left to right", "from top left to bottom right", "up and down", "from bottom left to top right")
    way = names[round(angle / 45) % 4]
    return [
        Hint(
            "motion",
            f"The camera moved {way} while the picture was taken: hold the phone with both hands, or add light.",
        )
    ]


def _placed(size: tuple[int, int], layout: PhotoLayout, doubts: Sequence[Doubt], reason: str, noun: str) -> list[Hint]:
    """Return hints about a cause that affects most cards, or some in certain parts of the picture."""
    if reason in _WHOLE and len(doubts) > MOST * (len(doubts) + len(layout.seen)):
        return [Hint(reason, _WHOLE[reason])]
    places = Counter(_place(size, doubt.quad) for doubt in doubts)
    if len(places) >= MANY_PLACES:
        return [Hint(reason, _said(len(doubts), noun, "", reason))]
    return [Hint(reason, _said(number, noun, where, reason)) for where, number in sorted(places.items())]


def _said(number: int, noun: str, where: str, reason: str) -> str:
    one, several = _PLACED[reason]
    subject = f"1 {noun}" if number == 1 else f"{number} {noun}s"
    return " ".join(filter(None, (subject, where, one if number == 1 else several)))


def _place(size: tuple[int, int], quad: Corners) -> str:
    across = sum(x for x, _ in quad) / 4 / size[0] * 3
    down = sum(y for _, y in quad) / 4 / size[1] * 3
    if abs(across - 1.5) >= max(abs(down - 1.5), 0.5):
        return "at the left" if across < 1 else "at the right"
    if abs(down - 1.5) >= 0.5:  # noqa: PLR2004 - half of the middle third
        return "at the top" if down < 1 else "at the bottom"
    return "in the middle"


def _decks(decks: Sequence[CardPile]) -> list[Hint]:
    if len(decks) < 2:  # noqa: PLR2004 - one deck is as it should be
        return []
    parts = [
        f"{len(deck.cards)} {'card' if len(deck.cards) == 1 else 'cards'}"
        + (f" of envelope {deck.label}" if deck.label is not None else " without a label")
        for deck in decks
    ]
    listed = f"{', '.join(parts[:-1])} and {parts[-1]}"
    return [Hint("decks", f"{len(decks)} decks seem to lie in the picture, {listed}: take a picture of each.")]


def _strangers(codes: Sequence[ScannedCode]) -> list[Hint]:
    number = Counter(code.status for code in codes)
    advice = []
    if number["other-game"]:
        advice.append(Hint("other-game", f"{_codes(number['other-game'])} of another game: not counted."))
    if number["forged"]:
        advice.append(Hint("forged", f"{_codes(number['forged'])} with a wrong signature: not counted."))
    if number["foreign"]:
        advice.append(Hint("foreign", f"{_codes(number['foreign'])} not of this game: not counted."))
    return advice


def _copies(seen: Sequence[SeenCard]) -> list[Hint]:
    number = Counter(card.card for card in seen)
    return [
        Hint("copy", f"The card {card.name} lies {times} times in the picture: counted once, one must be a copy.")
        for card, times in sorted(number.items())
        if times > 1
    ]


def _codes(number: int) -> str:
    return "1 code" if number == 1 else f"{number} codes"
