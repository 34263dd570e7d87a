"""Reasons why cards were not read, measured at their codes, and advice for the next photograph.

Slugs of hints: `nothing`, `mirrored`, `small`, `dim`, `blur`, `motion`, `tilt`, `glare`, `pale`, `hidden`, `edge`,
`unread`, `decks`, `label`, `other-game`, `forged`, `foreign`, `copy`, `screen`, `time`.

Figures for thresholds are the number of unread cards with another reason, of 443 in 38 simulated photographs (blurred,
moved, small, dim, pale, reflecting, covered and rolled, 2 and 5 megapixels), if the threshold has another value.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

import cv2
import numpy as np

from scanner.decode.identify import COVERED
from scanner.geometry import contains, foreshortening, rectangle, shared, side
from scanner.image.filters import cut_out, percentiles, resized
from scanner.result import Hint

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scanner.decode.identify import PhotoLayout
    from scanner.result import CardPile, Corners, Doubt, Grey, Quad


ALL_OVER = ("small", "dim", "blur", "motion", "pale")
"""Reasons that affect both codes of a card and most cards of a picture, so one code suffices to find them."""

# Reasons, from the one that comes first where the two codes of a card have different ones.
_ORDER = ("small", "dim", "blur", "motion", "glare", "pale", "unread", "hidden", "edge")

# Pixels a module below which a code that is not read is too small rather than blurred: with 1.5 no reason is another,
# with 2.5 five are, with 2.8 more than 150.
_SMALL = 2.2

DIM = 80.0
"""Brightness of white paper, of 255, below which a picture is too dark.

With 40 and 56 all 36 cards at night have another reason, with 150 none."""

# Pixels per module of a code as seen from above, and sigma in them of the blur before slopes are measured: with 3 and 6
# pixels 10 and 3 reasons are others, with a sigma of 0.35 and 0.7 two and eight.
_SAMPLES, _SMOOTH = 4, 0.5

# Modules a side of a square that holds no edge: in a code of version 1 hardly any is so large. Contrast below which a
# square is even, and brightness from which on it reflects, as parts of white. With 3 and 6 modules 10 and 7 reasons are
# others, with contrasts of 0.13 and 0.25 two and 16, with a brightness of 0.8 and 1 five and seven.
_EVEN, _FLAT, _BRIGHT = 4, 0.18, 0.9

# Brightness of all of a code as a part of white, from which on hardly anything is printed, unless a reflection
# outshines paper by so much. Where paper is nearly as bright as a picture can be nothing outshines it. With 0.75
# instead of 0.8 16 reasons are others, with 0.85 one; with 1 instead of 1.06 53, with 1.15 one.
_FAINT, _OUTSHONE, _LIGHTEST = 0.8, 1.06, 255.0

# Share of a code's place that is bright without any module in it, from which on that is a reflection: with 0.04 and
# 0.08 two and three reasons are others.
_GLARE = 0.06

# Share of a code's place that is even and not bright, from which on something lies on it, and from which on motion
# cannot be measured in the rest. With 0.03 and 0.12, and with 0.2 and 0.4, at most two reasons are others.
_COVERED, _MOSTLY = 0.06, 0.3

# Width of the sharpest edges, in modules, from which on a code counts as blurred: sharp ones have 0.65. Ratio of the
# energy of edges across a motion to those along it, up to which a code counts as moved. With a width of 0.85 34 reasons
# are others, with 1.5 two; with a ratio of 0.25 none, with 0.7 four.
_SOFT, _STREAKED = 1.05, 0.5

# Contrast, as a part of white, below which nothing of a code is visible, so that a smooth object over it is not taken
# for blur: with 0.08 no reason is another, with 0.17 six are. Brightness of the black modules, as a part of white, from
# which on the print is too pale: halfway. No reason is another with 0.35 and 0.7.
_EMPTY, _PALE = 0.12, 0.5

# Percentiles of brightness that count as paper: on a card, of which codes and words cover less than half, and in a
# picture, of which cards may be a small part. With 80 instead of 90 two reasons are others, with 97 four.
_PAPER, _BRIGHTEST = 90, 99.5

# Percentiles of brightness of a code that count as its black modules, its white ones, and its brightest spots: with 7
# and 14, 80 and 97, and 97 and 99.9 at most two reasons are others.
_DARK, _LIGHT, _TOP = 10, 90, 99

# The same for black and white between which edges are measured, and the percentile of the slopes that are the sharpest:
# with 3 and 97, or with 96, 12 and 27 reasons are others, with 10 and 90, or with 99.3, two.
_EDGES, _STEEPEST = (5, 95), 98

# Pixels from one to the next that are sampled for the brightness of a picture, and that are averaged.
_EVERY, _MEAN = 8, 3

# Number of cards from which the brightness of paper is measured, and pixels along a side that are averaged before: with
# 6 and 11, and with 3 and 6, no reason is another.
_SOME, _CALM = 8, 4


@dataclass(frozen=True)
class Cause:
    """A reason; for motion also its direction, in degrees clockwise from the right."""

    reason: str
    motion: float | None = None


@dataclass(frozen=True, eq=False)
class Surroundings:
    """Context of a code: the picture, the outlines of the cards that were seen, and the brightness of paper."""

    grey: Grey
    outlines: Sequence[Quad]
    white: float

    @classmethod
    def of(cls, grey: Grey, outlines: Sequence[Quad], more: Sequence[Quad] = ()) -> Surroundings:
        """Measure the brightness of paper in a picture: that of the cards, `outlines` of those seen and `more`."""
        cards = [*outlines, *more]
        # In the dark noise alone is brighter than paper, so some pixels are averaged.
        cuts = [resized(cut_out(grey, quad, 0)[2], 1 / _CALM) for quad in cards[:: len(cards) // _SOME + 1]]
        whites = [percentiles(cut, _PAPER) for cut in cuts]
        return cls(grey, outlines, max(float(np.median(whites)), 1.0) if whites else brightness(grey))

    def covers(self, code: Quad) -> bool:
        """Return whether a card lies on a part of a code: one on which all of the code lies is its own."""
        if not self.outlines:
            return False
        low, high = np.min(self.outlines, axis=1), np.max(self.outlines, axis=1)
        near = ((low < code.max(axis=0)) & (high > code.min(axis=0))).all(axis=1)
        return any(
            shared(code, card) > COVERED and not all(contains(card, corner) for corner in code)
            for card, is_near in zip(self.outlines, near, strict=True)
            if is_near
        )


def brightness(grey: Grey) -> float:
    """Return how bright paper is in a picture, which may be a small part of it."""
    # Means of a few pixels: noise alone can be bright.
    some = np.ascontiguousarray(grey[::_EVERY, ::_EVERY])
    calm = np.asarray(cv2.blur(some, (_MEAN, _MEAN)), dtype=np.uint8)
    return max(percentiles(calm, _BRIGHTEST)[0], 1.0)


def cause_of(around: Surroundings, codes: Sequence[Quad], modules: int) -> Cause:
    """Return why none of a card's codes, at these places, was read."""
    causes: list[Cause] = []
    for code in codes:
        causes.append(_cause(around, code, modules))
        if causes[-1].reason in ALL_OVER:
            break
    return min(causes, key=lambda cause: _ORDER.index(cause.reason))


def _cause(around: Surroundings, code: Quad, modules: int) -> Cause:
    height, width = around.grey.shape
    frame = rectangle(width, height)
    if shared(code, frame) < 1 - COVERED:
        return Cause("edge")
    if around.covers(code):
        return Cause("hidden")
    if side(code) / modules < _SMALL:
        return Cause("small")
    return Cause("dim") if around.white < DIM else _seen_cause(around, code, modules)


def _seen_cause(around: Surroundings, code: Quad, modules: int) -> Cause:
    """Return why a code that lies free, in good light and near enough was not read."""
    patch = _patch(around.grey, code, modules)
    dark, light, lightest = percentiles(patch, _DARK, _LIGHT, _TOP)
    edge, evenness, along = _blur(patch)
    bright, other = _even(patch, around.white)
    empty = light - dark < _EMPTY * around.white
    reason = "unread"
    if _FAINT * around.white < dark and lightest < _OUTSHONE * around.white < _LIGHTEST:
        reason = "pale"
    elif bright > _GLARE and other <= max(_MOSTLY, 2 * bright):
        reason = "glare"
    elif edge > _SOFT and not empty:
        reason = "blur"
    elif evenness < _STREAKED and other <= _MOSTLY and not empty:
        x, y = along @ (code[[1, 3]] + code[2] - code[0] - code[[3, 1]])
        return Cause("motion", float(np.degrees(np.arctan2(y, x)) % 180))
    elif other > _COVERED or empty:
        reason = "hidden"
    elif dark > _PALE * light:
        reason = "pale"
    return Cause(reason)


def _patch(grey: Grey, code: Quad, modules: int) -> Grey:
    """Return a code as seen from above, with `_SAMPLES` pixels per module."""
    length = modules * _SAMPLES
    left, top, cut = cut_out(grey, code, 2)
    small = resized(cut, min(1.0, length / max(side(code), 1.0)))
    source = (code - (left, top)) * small.shape[::-1] / cut.shape[::-1]
    target = np.array([(0, 0), (length, 0), (length, length), (0, length)], dtype=np.float32)
    matrix = cv2.getPerspectiveTransform(source.astype(np.float32), target)
    pixels = cv2.warpPerspective(small, matrix, (length, length), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(pixels, dtype=np.uint8)


def _blur(patch: Grey) -> tuple[float, float, Quad]:
    """Measure the blur of a code as seen from above.

    Returns the width of the sharpest edges in modules; the ratio of the weakest to the strongest gradient energy, which
    is 1 if edges in all directions are alike, and small if the code moved; and the direction of that motion.
    """
    soft = cv2.GaussianBlur(patch.astype(np.float32), (0, 0), _SMOOTH)
    slopes = np.stack([cv2.Sobel(soft, cv2.CV_32F, *way, ksize=1)[1:-1, 1:-1].ravel() for way in ((1, 0), (0, 1))]) / 2
    values, ways = np.linalg.eigh(slopes @ slopes.T)
    dark, light = percentiles(soft.astype(np.uint8), *_EDGES)
    steepest = float(np.percentile(np.abs(ways[:, 1] @ slopes[:, ::3]), _STEEPEST))
    width = (light - dark) / max(steepest, 1.0) / _SAMPLES
    return width, float(values[0] / max(values[1], 1e-9)), ways[:, 0].astype(np.float64)


def _even(patch: Grey, white: float) -> tuple[float, float]:
    """Return the shares of a code's place that are even: as bright as a part of white or brighter, and darker."""
    square = np.ones((_EVEN * _SAMPLES, _EVEN * _SAMPLES), dtype=np.uint8)
    high, low = cv2.dilate(patch, square), cv2.erode(patch, square)
    even = (high.astype(np.float32) - low < _FLAT * white).astype(np.uint8)
    reflecting = (low > _BRIGHT * white).astype(np.uint8) & even
    return float(cv2.dilate(reflecting, square).mean()), float(cv2.dilate(even & ~reflecting & 1, square).mean())


MOIRE = 4.0
"""Log power of a spatial frequency above its neighbours from which on the picture shows a screen.

Photographs of screens have 5 to 6.6, those of print, cloth and wood 1 to 3.
"""

# Side in pixels of the parts that are analysed, their number across and down, and the range of frequencies that count,
# in periods a pixel.
_SIDE, _ACROSS, _DOWN, _LOW, _HIGH = 128, 4, 3, 0.2, 0.6

# Size of JPEG's blocks in pixels, and the relative width of the frequencies they cause. Frequencies around one, of
# `_SIDE`, to which it is compared.
_BLOCK, _NEAR, _AROUND = 8, 0.2, 15


def moire(grey: Grey) -> float:
    """Return the log power of the strongest high frequency above its neighbours; 0 for a small picture."""
    height, width = grey.shape
    if min(height, width) < 2 * _SIDE:
        return 0.0
    window = np.outer(np.hanning(_SIDE), np.hanning(_SIDE)).astype(np.float32)
    power = np.full((_SIDE, _SIDE // 2 + 1), 1e-6)
    for y in np.linspace(0, height - _SIDE, _DOWN + 2).astype(int)[1:-1]:
        for x in np.linspace(0, width - _SIDE, _ACROSS + 2).astype(int)[1:-1]:
            part = grey[y : y + _SIDE, x : x + _SIDE].astype(np.float32)
            one = np.abs(np.fft.rfft2((part - part.mean()) * window)) ** 2
            power += one / (one.mean() + 1e-6)
    logs = np.fft.fftshift(np.log(power), axes=0).astype(np.float32)
    above = logs - cv2.blur(logs, (_AROUND, _AROUND), borderType=cv2.BORDER_REFLECT)
    down, across = np.meshgrid(np.fft.fftshift(np.fft.fftfreq(_SIDE)), np.fft.rfftfreq(_SIDE), indexing="ij")
    frequency = np.hypot(down, across)
    blocks = [np.abs(one * _BLOCK - np.round(one * _BLOCK)) < _NEAR for one in (down, across)]
    counted = (frequency > _LOW) & (frequency < _HIGH) & ~(blocks[0] & blocks[1])
    return max(float(above[counted].max()), 0.0)


SMALL = 2.0
"""Median pixels a module below which a hint asks for a picture from nearer by, also if all codes were read."""

# Pixels a module that a better picture should have, and the least share of the picture's side that cards are taken to
# fill.
_GOOD, _LEAST_SPAN = 3.0, 0.05

# Ratio of a square's longest to its shortest width from which on the slant is named as a cause: about 45 degrees.
_SLANTED = 1.4

# Share of all cards from which on a reason is said of the picture, and number of parts of it from which on a hint only
# counts unread cards, without places.
_MOST, _MANY_PLACES = 0.5, 3

# Sentences about a picture in which most cards were not read for one reason.
_WHOLE = {
    "dim": "The picture is dark: add light, or move the cards closer to a lamp.",
    "blur": "The picture is out of focus: tap on a card to focus, wait until it is sharp, then take the picture.",
}

# Texts about some cards; their number and place come before.
_PLACED = {
    "dim": "in the dark. Add light.",
    "blur": "out of focus. Tap on a card to focus, and hold the phone level with the table.",
    "glare": "hidden by glare. Move the lamp, or tilt the phone a little.",
    "pale": "printed too pale. Add light, or print again with fresh ink.",
    "hidden": "covered. Keep at least one code of each card visible.",
    "edge": "cut off by the edge of the picture. Move back a little.",
    "unread": "not readable. Check for glare, shadow or another card on top.",
}

# Directions of motion, an eighth of a turn apart.
_WAYS = ("from left to right", "from top left to bottom right", "up and down", "from bottom left to top right")

# Texts about codes that are not counted, by status; their number comes before.
_STRANGERS = {
    "other-game": "of another game: not counted.",
    "forged": "with a wrong signature: not counted.",
    "foreign": "not of this game: not counted.",
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
    hints = [
        *_of_picture(size, layout, doubts, module, white, moire),
        *_of_unread_cards(size, doubts, len(layout.seen), noun),
        *_of_codes(layout, decks, label_wanted=label_wanted),
    ]
    if not complete and (doubts or not layout.seen):
        hints.append(("time", "The search took too long: choose a plainer background, or take two pictures."))
    return tuple(Hint(slug, text) for slug, text in hints)


def _of_picture(
    size: tuple[int, int], layout: PhotoLayout, doubts: Sequence[Doubt], module: float, white: float, moire: float
) -> Iterator[tuple[str, str]]:
    """Yield slugs and texts about the whole picture."""
    if not layout.codes and not doubts:
        if white < DIM:
            yield "dim", f"No code was found. {_WHOLE['dim']}"
        else:
            yield "nothing", "No code was found: lay the cards face up, fill the picture with them, and hold still."
    if layout.table.mirrored:
        yield "mirrored", "The picture is mirrored. It was read anyway, but the rear camera reads more."
    if 0 < module < SMALL or any(doubt.reason == "small" for doubt in doubts):
        yield "small", _small(size, layout, doubts, module)
    own = [np.array(code.quad) for code in layout.codes if code.card is not None]
    if doubts and own and np.linalg.cond(foreshortening(own)) >= _SLANTED:
        yield "tilt", "The picture was taken at a slant: hold the phone straight above the cards."
    if moire >= MOIRE:
        yield "screen", "The picture seems to show a screen: photograph the cards themselves, or take a screenshot."


def _small(size: tuple[int, int], layout: PhotoLayout, doubts: Sequence[Doubt], module: float) -> str:
    """Return a sentence with the size of the codes, and the number of pictures in which they would be large enough."""
    modules = [doubt.module for doubt in doubts if doubt.reason == "small"]
    smallest = min(module or _GOOD, float(np.median(modules)) if modules else _GOOD)
    points = np.array([*(code.quad for code in layout.codes), *(doubt.quad for doubt in doubts)]).reshape(-1, 2)
    span = float((np.ptp(points, axis=0) / size).max()) if len(points) else 1.0
    pictures = ceil((_GOOD * max(span, _LEAST_SPAN) / smallest) ** 2)
    more = "" if pictures <= 1 else f", or take {pictures} pictures, each of some of the cards"
    return f"The codes are small, {smallest:.1f} pixels per module: move closer{more}."


def _of_unread_cards(size: tuple[int, int], doubts: Sequence[Doubt], seen: int, noun: str) -> Iterator[tuple[str, str]]:
    """Yield slugs and texts about the reasons why cards were not read, and in which parts of the picture."""
    ways = [doubt.motion for doubt in doubts if doubt.motion is not None]
    if ways:
        # Directions repeat after half a turn: doubled they can be averaged.
        angle = float(np.degrees(np.angle(np.exp(2j * np.radians(ways)).mean())) / 2 % 180)
        moved = f"The camera moved {_WAYS[round(angle / 45) % 4]} while the picture was taken"
        yield "motion", f"{moved}: hold the phone with both hands, or add light."
    for reason, text in _PLACED.items():
        some = [doubt for doubt in doubts if doubt.reason == reason]
        if reason in _WHOLE and len(some) > _MOST * (len(some) + seen):
            yield reason, _WHOLE[reason]
            continue
        places = Counter(_place(size, doubt.quad) for doubt in some)
        for where, number in sorted(places.items()) if len(places) < _MANY_PLACES else [("", len(some))]:
            yield reason, f"{_counted(number, noun)}{where}: {text}"


def _place(size: tuple[int, int], quad: Corners) -> str:
    """Return the part of the picture in which a quad lies: one of four sides, or the middle third."""
    # In thirds of the picture from its middle.
    across, down = 3 * (np.mean(quad, axis=0) / size - 0.5)
    if abs(across) >= max(abs(down), 0.5):
        return " at the left" if across < 0 else " at the right"
    if abs(down) >= 0.5:  # noqa: PLR2004 - half of the middle third
        return " at the top" if down < 0 else " at the bottom"
    return " in the middle"


def _of_codes(layout: PhotoLayout, decks: Sequence[CardPile], *, label_wanted: bool) -> Iterator[tuple[str, str]]:
    """Yield slugs and texts about codes that were read, but do not fit."""
    if len(decks) > 1:
        *first, last = (
            _counted(len(deck.cards), "card")
            + (" without a label" if deck.label is None else f" of envelope {deck.label}")
            for deck in decks
        )
        listed = f"{', '.join(first)} and {last}"
        yield "decks", f"There seem to be {len(decks)} decks in the picture, {listed}: photograph each separately."
    if label_wanted and not any(code.envelope is not None for code in layout.codes):
        yield "label", "No envelope label was found: lay it beside the cards with its codes visible."
    for status, text in _STRANGERS.items():
        if number := sum(code.status == status for code in layout.codes):
            yield status, f"{_counted(number, 'code')} {text}"
    for card, times in sorted(Counter(card.card for card in layout.seen).items()):
        if times > 1:
            text = f"The card {card.name} is in the picture {times} times. It counts once: the others must be copies."
            yield "copy", text


def _counted(number: int, noun: str) -> str:
    return f"1 {noun}" if number == 1 else f"{number} {noun}s"
