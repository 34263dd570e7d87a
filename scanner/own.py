"""Tells which card of a game a place shows, where no reader gets through: by comparing it with all cards of the game.

What is compared are the modules that carry the tag and the error correction. In another code these are as good as coins
thrown: whoever does not know the key cannot tell them. So a place passes for a card by chance as seldom as so many
coins agree, whatever the place shows; see `SURE`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scanner.codebook import VERSION, encoded, formats, masks, near_misses, order, secret, usual
from scanner.equaliser import STRENGTHS, equalised, sampled
from scanner.quads import side
from scanner.symbol import QUIET, decode
from scanner.symbol import side as modules_of

if TYPE_CHECKING:
    from scanner.codebook import Codebook, Signs
    from scanner.equaliser import Field
    from scanner.pyramid import Pyramid
    from scanner.result import Quad

SURE = 7.5
"""How far the likeness of a card must stand out, in standard deviations of the likeness of a wrong one.

By Hoeffding's inequality independent coins, however weighed and skewed, stand out from their mean so far with a chance
of at most exp(-SURE^2 / 2), which is 6e-13. A place is compared with some thousand codes in eight masks.
"""

HOPEFUL = 5.0
"""From here on a place is worth another filter: wrong cards seldom stand out so far."""

APART = 2.5
"""By how much more it must stand out than the next card: two codes mixed in one place give neither."""

BEYOND = 10.0
"""So far stands out no text that differs from a card's in one character: at most 7.4 without noise, less with it.

Texts that differ in two characters stand out by up to 8.4. They are not looked for: who can choose one knows the
card's text.
"""

FINE = 2.5
"""Pixels a module that are enough: larger pictures are halved as long as they keep so many."""

HOPELESS = 0.42
"""Error of the known modules from which on a place is no code."""


@dataclass(frozen=True, eq=False)
class Reading:
    """What a place showed: its modules, and the text if one is sure. `clear` tells how far the best stands out."""

    quad: Quad
    modules: Field
    text: str | None
    clear: float
    error: float


def read(picture: Pyramid, quad: Quad, book: Codebook) -> Reading | None:
    """Compare a place with all codes of a game; None where it shows no code at all. About a millisecond."""
    level = picture.halved(side(quad) / modules_of(VERSION), FINE)
    samples = sampled(level.pixels, level.down(quad), VERSION)
    modules, error = equalised(samples, VERSION)
    if error > HOPELESS:
        return None
    text, clear = told(modules, book)
    if text is None and clear > HOPEFUL:
        modules, error = equalised(samples, VERSION, STRENGTHS[1])
        text, clear = told(modules, book)
    return Reading(quad, modules, text, clear, error)


def told(modules: Field, book: Codebook) -> tuple[str | None, float]:
    """Return the text of the code that modules show if it is sure, and how far it stands out."""
    flat = modules.ravel()
    bits = (flat[order()] * masks()).astype(np.float32)
    places, signs = formats()
    likeness = book.signs @ bits.T + signs @ flat[places]
    code, mask = np.unravel_index(int(likeness.argmax()), likeness.shape)
    clear = _standing_out(book.signs[code], bits[mask])
    likeness[code] = -np.inf
    other, other_mask = np.unravel_index(int(likeness.argmax()), likeness.shape)
    next_clear = _standing_out(book.signs[other], bits[other_mask])
    text = book.texts[code]
    sure = clear >= SURE and clear - next_clear >= APART
    if sure and clear < BEYOND and (_is_near_miss(bits[mask], text) or _says_else(modules, text)):
        sure = False
    return (text if sure else None), clear


def _standing_out(signs: Signs, bits: Field) -> float:
    """Return how far the secret bits of a code agree with a place's, in standard deviations of a wrong code's."""
    hidden = bits[secret()]
    return float((signs[secret()] - usual()) @ hidden) / (float(np.linalg.norm(hidden)) or 1.0)


def _says_else(modules: Field, text: str) -> bool:
    """Tell whether error correction gets another text from modules: then that is what they show."""
    length = modules_of(VERSION) + 2 * QUIET
    return decode(modules.reshape(length, length) < 0, VERSION) not in {None, text}


def _is_near_miss(bits: Field, text: str) -> bool:
    """Tell whether bits fit a text that differs from a card's in one character, and so is no card, as well as its own.

    Error correction spreads the difference, but of all such texts some still agree with the card in 81 % of the
    secret bits: as well as a card does in noise. In noise, though, the card agrees better than they.
    """
    agreeing = (1 - 2 * encoded([text])[0].astype(np.float32)) * bits
    return bool(near_misses(text, agreeing).min() <= 0)
