"""Hints for people, from what was measured in the picture.

Slugs: `nothing`, `mirrored`, `small`, `blur`, `unread`, `other-game`, `forged`, `foreign`, `copy`, `time`.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from scanner.result import Advice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scanner.result import Corners, Doubt, ScannedCode, SeenCard
    from scanner.sort import Layout

SMALL = 2.0
"""Pixels a module below which codes are missed."""


def advise(
    size: tuple[int, int],
    layout: Layout,
    doubts: Sequence[Doubt],
    module: float,
    *,
    complete: bool,
) -> tuple[Advice, ...]:
    """Return the hints for a picture of `size` (width, height); `module` is the median in pixels, 0 if unknown."""
    advice = []
    codes = layout.codes
    if not codes and not doubts:
        advice.append(
            Advice("nothing", "No code was found: lay the cards face up, fill the picture with them and hold still.")
        )
    if layout.table.mirrored:
        advice.append(
            Advice("mirrored", "The picture is mirrored: it was read all the same; the camera at the back reads more.")
        )
    if 0 < module < SMALL:
        advice.append(
            Advice(
                "small",
                f"The codes are small, {module:.1f} pixels a module: come closer, or take two pictures.",
            )
        )
    if sum(doubt.reason == "blur" for doubt in doubts) > len(codes) / 4:
        advice.append(Advice("blur", "The picture is blurred: hold still, tap on a card to focus, add light."))
    advice.extend(_places(size, doubts))
    advice.extend(_strangers(codes))
    advice.extend(_copies(layout.seen))
    if not complete:
        advice.append(
            Advice("time", "The search took too long and was ended: take a calmer background or two pictures.")
        )
    return tuple(advice)


def _places(size: tuple[int, int], doubts: Sequence[Doubt]) -> list[Advice]:
    places = Counter(_place(size, doubt.quad) for doubt in doubts)
    return [
        Advice("unread", f"{_codes(number)} {where} could not be read: check for glare, shadow or another card on it.")
        for where, number in sorted(places.items())
    ]


def _place(size: tuple[int, int], quad: Corners) -> str:
    across = sum(x for x, _ in quad) / 4 / size[0] * 3
    down = sum(y for _, y in quad) / 4 / size[1] * 3
    if abs(across - 1.5) >= max(abs(down - 1.5), 0.5):
        return "at the left" if across < 1 else "at the right"
    if abs(down - 1.5) >= 0.5:  # noqa: PLR2004 - half of the middle third
        return "at the top" if down < 1 else "at the bottom"
    return "in the middle"


def _strangers(codes: Sequence[ScannedCode]) -> list[Advice]:
    number = Counter(code.status for code in codes)
    # Each label bears the player's link too, which is no stranger.
    foreign = number["foreign"] - number["label"]
    advice = []
    if number["other-game"]:
        advice.append(Advice("other-game", f"{_codes(number['other-game'])} of another game: not counted."))
    if number["forged"]:
        advice.append(Advice("forged", f"{_codes(number['forged'])} with a wrong signature: not counted."))
    if foreign > 0:
        advice.append(Advice("foreign", f"{_codes(foreign)} not of this game: not counted."))
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
