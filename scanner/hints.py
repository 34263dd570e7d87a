"""Hints for people, from what was measured in the picture: what to do so that the next one is better.

Slugs: `nothing`, `mirrored`, `small`, `dim`, `blur`, `motion`, `tilt`, `glare`, `pale`, `hidden`, `edge`, `unread`,
`decks`, `label`, `other-game`, `forged`, `foreign`, `copy`, `screen`, `time`.
"""

from __future__ import annotations

from collections import Counter
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from scanner.reasons import DIM
from scanner.result import Advice
from scanner.screens import MOIRE
from scanner.table import slant

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scanner.result import Corners, Deck, Doubt, ScannedCode, SeenCard
    from scanner.sort import Layout

SMALL = 2.0
"""Pixels a module below which codes are missed."""

GOOD = 3.0
"""Pixels a module that a better picture should have."""

MOST = 0.5
"""Share of all cards from which on a cause is said of the picture and not of its places."""

SLANTED = 1.4
"""From this ratio of a square's longest to its shortest width on the slant is named as a cause: about 45 degrees."""

MANY_PLACES = 3
"""In so many parts of the picture or more, unread cards are counted and not placed."""

_WHOLE = {
    "dim": "The picture is dark: add light, or lay the cards nearer to a lamp.",
    "blur": "The picture is out of focus: tap on a card to focus, wait until it is sharp, then take the picture.",
}
# What is said of the picture where a cause holds for most of it.
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
# What is said of one and of several cards, after their number and place.


def advise(
    size: tuple[int, int],
    layout: Layout,
    doubts: Sequence[Doubt],
    decks: Sequence[Deck],
    module: float,
    *,
    complete: bool,
    label_wanted: bool = False,
    noun: str = "card",
    white: float = 255.0,
    moire: float = 0.0,
) -> tuple[Advice, ...]:
    """Return the hints for a picture of `size` (width, height); `module` is the median in pixels, 0 if unknown.

    `noun` is what the doubts are called: without a game, nothing is known of cards. `white` is the brightness of
    paper in the picture, or of what is brightest in it; `moire` says how far one fine frequency stands out.
    """
    advice = []
    codes = layout.codes
    if not codes and not doubts and white < DIM:
        advice.append(Advice("dim", f"No code was found. {_WHOLE['dim']}"))
    elif not codes and not doubts:
        advice.append(
            Advice("nothing", "No code was found: lay the cards face up, fill the picture with them and hold still.")
        )
    if layout.table.mirrored:
        advice.append(
            Advice("mirrored", "The picture is mirrored: it was read all the same; the camera at the back reads more.")
        )
    if 0 < module < SMALL or any(doubt.reason == "small" for doubt in doubts):
        advice.append(_small(size, layout, doubts, module))
    if doubts:
        advice.extend(_slanted(codes))
    if moire >= MOIRE:
        advice.append(
            Advice("screen", "The picture seems to show a screen: photograph the cards, or take a screenshot.")
        )
    advice.extend(_moved(doubts))
    for reason in _PLACED:
        advice.extend(_placed(size, layout, [doubt for doubt in doubts if doubt.reason == reason], reason, noun))
    advice.extend(_decks(decks))
    if label_wanted and not any(code.envelope is not None for code in codes):
        advice.append(Advice("label", "No envelope label was found: lay the label beside the cards, its codes free."))
    advice.extend(_strangers(codes))
    advice.extend(_copies(layout.seen))
    if not complete and (doubts or not layout.seen):
        advice.append(
            Advice("time", "The search took too long and was ended: take a calmer background or two pictures.")
        )
    return tuple(advice)


def _small(size: tuple[int, int], layout: Layout, doubts: Sequence[Doubt], module: float) -> Advice:
    """Say how small the codes are, and in how many pictures they would be large enough."""
    modules = [doubt.module for doubt in doubts if doubt.reason == "small"]
    smallest = min(module or GOOD, float(np.median(modules)) if modules else GOOD)
    quads = [*(code.quad for code in layout.codes), *(doubt.quad for doubt in doubts)]
    points = np.array([point for quad in quads for point in quad])
    span = np.ptp(points, axis=0) / size if len(points) else np.ones(2)
    closer = 1 / max(float(span.max()), 0.05)
    pictures = ceil((GOOD / (smallest * closer)) ** 2)
    what = "come closer" if pictures <= 1 else f"come closer, and take {pictures} pictures of a part of the cards each"
    return Advice("small", f"The codes are small, {smallest:.1f} pixels a module: {what}.")


def _slanted(codes: Sequence[ScannedCode]) -> list[Advice]:
    quads = [np.array(code.quad) for code in codes if code.card is not None]
    if not quads:
        return []
    values = np.linalg.eigvalsh(slant(quads))
    if values[1] < SLANTED * values[0]:
        return []
    return [Advice("tilt", "The picture was taken at a slant: hold the phone straight above the cards.")]


def _moved(doubts: Sequence[Doubt]) -> list[Advice]:
    """Say in which direction the camera moved, from the directions found at each card, which are alike."""
    ways = [doubt.motion for doubt in doubts if doubt.motion is not None]
    if not ways:
        return []
    # Directions repeat after half a turn: doubled they can be averaged.
    mean = np.exp(2j * np.radians(ways)).mean()
    angle = float(np.degrees(np.angle(mean)) / 2 % 180)
    names = ("from left to right", "from top left to bottom right", "up and down", "from bottom left to top right")
    way = names[round(angle / 45) % 4]
    return [
        Advice(
            "motion",
            f"The camera moved {way} while the picture was taken: hold the phone with both hands, or add light.",
        )
    ]


def _placed(size: tuple[int, int], layout: Layout, doubts: Sequence[Doubt], reason: str, noun: str) -> list[Advice]:
    """Say of which cards a cause holds: of most, or how many in which part of the picture."""
    if reason in _WHOLE and len(doubts) > MOST * (len(doubts) + len(layout.seen)):
        return [Advice(reason, _WHOLE[reason])]
    places = Counter(_place(size, doubt.quad) for doubt in doubts)
    if len(places) >= MANY_PLACES:
        return [Advice(reason, _said(len(doubts), noun, "", reason))]
    return [Advice(reason, _said(number, noun, where, reason)) for where, number in sorted(places.items())]


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


def _decks(decks: Sequence[Deck]) -> list[Advice]:
    if len(decks) < 2:  # noqa: PLR2004 - one deck is as it should be
        return []
    parts = [
        f"{len(deck.cards)} {'card' if len(deck.cards) == 1 else 'cards'}"
        + (f" of envelope {deck.label}" if deck.label is not None else " without a label")
        for deck in decks
    ]
    listed = f"{', '.join(parts[:-1])} and {parts[-1]}"
    return [Advice("decks", f"{len(decks)} decks seem to lie in the picture, {listed}: take a picture of each.")]


def _strangers(codes: Sequence[ScannedCode]) -> list[Advice]:
    number = Counter(code.status for code in codes)
    advice = []
    if number["other-game"]:
        advice.append(Advice("other-game", f"{_codes(number['other-game'])} of another game: not counted."))
    if number["forged"]:
        advice.append(Advice("forged", f"{_codes(number['forged'])} with a wrong signature: not counted."))
    if number["foreign"]:
        advice.append(Advice("foreign", f"{_codes(number['foreign'])} not of this game: not counted."))
    return advice


def _copies(seen: Sequence[SeenCard]) -> list[Advice]:
    number = Counter(card.card for card in seen)
    return [
        Advice("copy", f"The card {card.name} lies {times} times in the picture: counted once, one must be a copy.")
        for card, times in sorted(number.items())
        if times > 1
    ]


def _codes(number: int) -> str:
    return "1 code" if number == 1 else f"{number} codes"
