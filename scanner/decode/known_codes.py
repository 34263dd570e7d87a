"""Matched filter for the known codes of a game: identifies a card from modules that no decoder can read.

A card's code is a QR code of version 1, level M, with 208 modules of data and error correction. A game has only some
thousand cards, and its key determines all their codes. So the modules at a place are correlated with all codes of the
game at once. Most cards are still clearly the best match if 15 % of their modules are wrong, or a quarter show nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

import cv2
import numpy as np

from cardgen.cards import CardId, PrintedGame
from cardgen.payload import ALPHABET, LENGTH, MAX_NUMBER, TAG_LENGTH, card_text, label_text
from scanner.decode.qr_spec import (
    MASKS,
    QUIET,
    checks_of,
    data_places,
    decode,
    format_places,
    format_word,
    known,
    mask_pattern,
    modules_of,
)
from scanner.geometry import rectangle, side
from scanner.image.filters import cut_out, values_at

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from scanner.image.filters import Pyramid
    from scanner.result import Grey, Quad

    Signs = npt.NDArray[np.float32]
    Bits = npt.NDArray[np.uint8]
    Field = npt.NDArray[np.float32]


VERSION = 1
"""Version of the codes on cards; their error correction level is M."""

MOST = 20_000
"""Maximum number of texts in a codebook, which takes 17 MB, and 0.2 s to build."""

COPIES = 2
"""Copies of each kind in the codebook per player; a usual game has at most 1.7."""

# Bytes of data and of error correction in a symbol of version 1, level M.
_DATA, _CHECK = 16, 10

# The characters of QR's alphanumeric mode, whose places are their values, and the value of each ASCII character.
_CHARACTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"
_VALUES = np.array([max(_CHARACTERS.find(chr(code)), 0) for code in range(128)])

# Bits of level M in the format information.
_LEVEL = 0b00

# Bits of two alphanumeric characters, and of the mode and length before them.
_PAIR = 11
_HEAD = 13

# Positions of the first bits that depend on the key, of the padding, and of error correction.
_FIRST_CHECKED = 8 * _DATA
_FIRST_SECRET = _HEAD + _PAIR * ((LENGTH - TAG_LENGTH + 1) // 2)
_FIRST_FILLED = _HEAD + _PAIR * (LENGTH // 2)


@dataclass(frozen=True, eq=False)
class Codebook:
    """The texts of a game's codes, and for each the 208 modules before masking: -1 for black, 1 for white."""

    texts: tuple[str, ...]
    signs: Signs

    @classmethod
    def of(cls, game: PrintedGame) -> Codebook:
        """Return the codebook of a game: every kind in as many copies as a game may have, and the labels."""
        return _book(game.game, game.key, game.kinds, game.players)


@cache
def bit_positions() -> npt.NDArray[np.intp]:
    """Return the flat positions of the bits of data and error correction in a symbol with its quiet zone."""
    return _flat(data_places(VERSION))


@cache
def masks() -> Signs:
    """Return the masks over the 208 bits: shape (8, 208), -1 where a mask inverts the bit."""
    y, x = data_places(VERSION).T
    return np.array([np.where(mask_pattern(VERSION, mask)[y, x], -1, 1) for mask in range(MASKS)], dtype=np.float32)


@cache
def formats() -> tuple[npt.NDArray[np.intp], Signs]:
    """Return the positions of the format bits, shape (30,), and their signs for each mask at level M, shape (8, 30)."""
    around, apart = zip(*format_places(VERSION), strict=True)
    signs = [np.where(format_word(_LEVEL, mask) * 2, -1, 1) for mask in range(MASKS)]
    return _flat(np.array(around + apart)), np.array(signs, dtype=np.float32)


@lru_cache(maxsize=8)
def _book(name: str, key: bytes, kinds: tuple[str, ...], players: int) -> Codebook:
    game = PrintedGame(game=name, edition="", key=key, kinds=kinds, players=players, seed="")
    copies = min(MAX_NUMBER, COPIES * players, MOST // max(len(kinds), 1))
    texts = [card_text(game, CardId(kind, copy)) for kind in kinds for copy in range(1, copies + 1)]
    texts += [label_text(game, envelope) for envelope in range(1, players + 1)]
    return Codebook(tuple(texts), 1 - 2 * encoded(texts).astype(np.float32))


def encoded(texts: Sequence[str]) -> Bits:
    """Return the bits of data and error correction of texts of 20 alphanumeric characters: shape (n, 208)."""
    values = _values_of("".join(texts)).reshape(-1, LENGTH)
    said = _bits_of(values[:, ::2] * len(_CHARACTERS) + values[:, 1::2]).reshape(len(values), -1)
    # Mode 2 (alphanumeric) in four bits, the number of characters in nine.
    head = np.array([(0b0010 << 9 | LENGTH) >> place & 1 for place in reversed(range(_HEAD))])
    bits = np.zeros((len(values), _FIRST_CHECKED), dtype=np.float32)
    bits[:, :_HEAD], bits[:, _HEAD:_FIRST_FILLED] = head, said
    return np.hstack((bits.astype(np.uint8), (bits @ _checks()).astype(np.uint8) & 1))


def _values_of(text: str) -> npt.NDArray[np.int64]:
    return _VALUES[np.frombuffer(text.encode("ascii"), dtype=np.uint8)]


def _bits_of(pairs: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the bits of numbers that stand for two characters each, as a new last axis of 11."""
    return np.asarray((pairs[..., np.newaxis] >> np.arange(_PAIR - 1, -1, -1)) & 1, dtype=np.int64)


@cache
def _checks() -> Signs:
    """Return which bits of the error correction each bit of the data inverts: shape (128, 80)."""
    single = np.packbits(np.eye(_FIRST_CHECKED, dtype=np.uint8), axis=1)
    checks = np.array([checks_of(word, _CHECK) for word in single])
    return np.unpackbits(checks, axis=1).astype(np.float32)


def _flat(places: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    y, x = places.T
    return np.asarray((y + QUIET) * (modules_of(VERSION) + 2 * QUIET) + x + QUIET, dtype=np.intp)


@cache
def secret_bits() -> npt.NDArray[np.intp]:
    """Return the positions of the bits that depend on the key: the tag without its first character, and the checks.

    The terminator and the padding between them are the same in all codes of cards.
    """
    return np.concatenate(
        (np.arange(_FIRST_SECRET, _FIRST_FILLED), np.arange(_FIRST_CHECKED, _FIRST_CHECKED + 8 * _CHECK))
    )


@cache
def mean_signs() -> Signs:
    """Return the mean sign of each secret bit over all tags: shape of `secret`, 0 where both are equally frequent.

    Two characters are a number below 45 * 45, and tags use 32 of the 45, so its first bits are more often 0.
    """
    values = _values_of(ALPHABET)
    pairs = (values[:, np.newaxis] * len(_CHARACTERS) + values).ravel()
    means = 1 - 2 * _bits_of(pairs).mean(axis=0)
    signs = np.zeros(len(secret_bits()), dtype=np.float32)
    tag = _FIRST_FILLED - _FIRST_SECRET
    signs[:tag] = np.tile(means, tag // _PAIR)
    return signs


STRENGTH = 3.0
"""Regularisation of the equaliser (ridge regression): with 30 as a second attempt one of 788 codes more is read."""

# Figures of the equaliser are of about 390 codes in the 23 photographs of `scanner.decode.finder_patterns`. None of
# these changes makes a difference of more than one code in 89 real photographs with 73 codes, without a game.

# Modules on each side of one from which the filter computes it: with 1, 40 fewer codes are read, with 3, 12 more, but
# about 70 fewer in the usual time.
_REACH = 2

# Samples along a module.
_STEP = 2

# Sigma of the blur before sampling, in modules, and at least in pixels: with 0.14 seven fewer codes are read, with 0.28
# ten; with 0.15 and 0.6 pixels none and one.
_SOFT, _SOFT_PIXELS = 0.2, 0.3

# Weight of the terms for uneven light against the regularisation: the larger, the more freely it may differ. With
# 2.1 seven fewer codes are read, with 4.2 as many.
_LIGHT = 3.0


def sampled(grey: Grey, quad: Quad, version: int) -> Field:
    """Return samples of a symbol at half modules, with a margin for the filter around the quiet zone."""
    module = side(quad) / modules_of(version)
    left, top, cut = cut_out(grey, quad, (QUIET + _REACH + 1) * module)
    soft = cv2.GaussianBlur(cut, (0, 0), max(_SOFT * module, _SOFT_PIXELS)).astype(np.float32)
    square = rectangle(modules_of(version), modules_of(version)).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(square, (quad - (left, top)).astype(np.float32))
    places = np.asarray(cv2.perspectiveTransform(sample_places(version), matrix), dtype=np.float32)
    return values_at(soft, places)


def equalised(samples: Field, version: int) -> tuple[Field, float]:
    """Return the modules, quiet zone included, from 1 for white to -1 for black, and the error.

    A linear equaliser against blur, motion and uneven light is fitted by least squares to the known modules. The error
    is its mean squared residual on these: 0 if all are right, 1 if there is no code.
    """
    length = modules_of(version) + 2 * QUIET
    width = 2 * _REACH * _STEP + 1
    middle, spread = float(samples.mean()), float(samples.std())
    even = (samples - np.float32(middle)) / np.float32(max(spread, 1e-3))
    around = np.lib.stride_tricks.sliding_window_view(even, (width, width))[::_STEP, ::_STEP]
    light = _trend(length)
    table = np.empty((length**2, width**2 + light.shape[1]), dtype=np.float32)
    table[:, : width**2].reshape(length, length, width, width)[:] = around
    table[:, width**2 :] = light
    places, wanted = _wanted(version)
    rows = table[places]
    products = rows.T @ rows
    products.flat[:: len(products) + 1] += np.float32(STRENGTH)
    weights = np.linalg.solve(products, rows.T @ wanted)
    error = float(((rows @ weights - wanted) ** 2).mean())
    return np.asarray((table @ weights).reshape(length, length), dtype=np.float32), error


def read_flat(picture: Pyramid, quad: Quad, version: int) -> str | None:
    """Return the text of a symbol on flat paper, read from its equalised modules; None if it cannot be read."""
    level = picture.halved(side(quad) / modules_of(version), OWN_FINE)
    modules, error = equalised(sampled(level.pixels, level.down(quad), version), version)
    return decode(modules < 0, version) if error < HOPELESS else None


@cache
def sample_places(version: int) -> Field:
    """Return the places of the samples, in modules from the symbol's corner: shape (n, n, 2), (x, y)."""
    reach = QUIET + _REACH
    places = np.arange(-reach * _STEP, (modules_of(version) + reach - 1) * _STEP + 1, dtype=np.float32) / _STEP + 0.5
    return np.stack(np.meshgrid(places, places), axis=-1)


@cache
def _wanted(version: int) -> tuple[npt.NDArray[np.intp], Field]:
    """Return the flat positions of the known modules, and their values."""
    places = np.flatnonzero(known(version))
    return places, known(version).ravel()[places].astype(np.float32)


@cache
def _trend(length: int) -> Field:
    """Return the weighted quadratic polynomial terms by which light may vary over a symbol, shape (n, 6)."""
    place = np.linspace(-1, 1, length, dtype=np.float32)
    x, y = (axis.ravel() for axis in np.meshgrid(place, place))
    return np.asarray(_LIGHT * np.column_stack((np.ones_like(x), x, y, x * y, x * x, y * y)), dtype=np.float32)


SURE = 7.5
"""Score from which on a match is certain, in standard deviations of the score of a wrong code.

By Hoeffding's inequality, the probability that independent bits, with any weights and bias, exceed it is at most
exp(-SURE^2 / 2) = 6e-13. A place is compared with some thousand codes in eight masks.
"""

APART = 2.5
"""Required distance from the score of the second best code, so that a mixture of two codes gives neither."""

BEYOND = 10.0
"""Score that no text that differs from a card's in one character reaches: these have at most 7.4, without noise.

Texts that differ in two characters reach up to 8.4. They are not checked: whoever can choose one knows the card's text.
"""

OWN_FINE = 2.5
"""Pixels per module that suffice: larger pictures are halved as long as they keep as many.

With 1.75 five fewer of about 390 codes are read, with 3.5 as many."""

HOPELESS = 0.42
"""Equaliser error from which on a place is not a code.

With 0.29 four fewer of about 390 codes are read, with 0.59 as many, for a tenth more time."""


class KnownCodeReading(NamedTuple):
    """Result of matching a place: the text if one is certain, and the score of the best, `clear`."""

    text: str | None
    clear: float


def read(picture: Pyramid, quad: Quad, book: Codebook) -> KnownCodeReading | None:
    """Match a place against all codes of a game; None if it is no code at all. Takes about a millisecond."""
    level = picture.halved(side(quad) / modules_of(VERSION), OWN_FINE)
    modules, error = equalised(sampled(level.pixels, level.down(quad), VERSION), VERSION)
    if error > HOPELESS:
        return None
    return KnownCodeReading(*best_match(modules, book))


def best_match(modules: Field, book: Codebook) -> tuple[str | None, float]:
    """Return the text of the best matching code if it is certain, and its score in standard deviations."""
    flat = modules.ravel()
    bits = (flat[bit_positions()] * masks()).astype(np.float32)
    places, signs = formats()
    likeness = book.signs @ bits.T + signs @ flat[places]
    code, mask = np.unravel_index(int(likeness.argmax()), likeness.shape)
    clear = _standing_out(book.signs[code], bits[mask])
    likeness[code] = -np.inf
    other, other_mask = np.unravel_index(int(likeness.argmax()), likeness.shape)
    next_clear = _standing_out(book.signs[other], bits[other_mask])
    text = book.texts[code]
    sure = clear >= SURE and clear - next_clear >= APART
    if sure and clear < BEYOND:
        # A text that differs in one character, or that error correction gives, is not the card's.
        sure = not _is_near_miss(bits[mask], text) and decode(modules < 0, VERSION) in {None, text}
    return (text if sure else None), clear


def _standing_out(signs: Signs, bits: Field) -> float:
    """Return the agreement of a code's secret bits with a place, in standard deviations of a wrong code's."""
    hidden = bits[secret_bits()]
    return float((signs[secret_bits()] - mean_signs()) @ hidden) / (float(np.linalg.norm(hidden)) or 1.0)


def _is_near_miss(bits: Field, text: str) -> bool:
    """Return whether bits fit a text that differs in one character, and so is no card, at least as well as `text`.

    The first character, which is that of all cards, is not varied.

    Despite error correction, some of these texts agree with the card in 81 % of the secret bits, as much as the card
    itself does in noise.
    """
    others = [text[:at] + one + text[at + 1 :] for at in range(1, LENGTH) for one in ALPHABET if one != text[at]]
    agreements = (1 - 2 * encoded([text, *others]).astype(np.float32)) @ bits
    return bool(agreements[1:].max() >= agreements[0])
