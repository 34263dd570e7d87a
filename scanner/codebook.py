"""Every code that a game can bear, as modules: what a place that no reader gets through is compared with.

A code of ours is a QR code of version 1 at level M: 208 modules of data and error correction. But a game has only some
thousand cards, and all but the card's number is known or follows from it by the game's key. So a place that shows a
card is told by comparing its modules with all cards' at once, as one compares a voice with known voices: when a
quarter of the modules is misread the right card still stands out.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from cardgen.cards import CardId, Game
from cardgen.payload import LENGTH, MAX_NUMBER, TAG_LENGTH, card_text, label_text
from scanner.symbol import QUIET, UNKNOWN, known, side

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    Signs = npt.NDArray[np.float32]
    Bits = npt.NDArray[np.uint8]

VERSION = 1
"""Our codes are of this version; level M."""

MASKS = 8
"""Mask patterns that an encoder may choose from."""

MOST = 20_000
"""Texts in a game's book at most: it takes 17 MB, and a fifth of a second to make once."""

COPIES = 2
"""Copies of a kind that are looked for, for each player; a usual game has at most 1.7."""

_DATA, _CHECK = 16, 10
# Bytes of data and of error correction in a symbol of version 1, level M.
_CHARACTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"
_FIELD = 0x11D
# x^8 + x^4 + x^3 + x^2 + 1, which generates the field of 256 elements that the error correction works in.
_FORMAT, _FORMAT_MASK = 0x537, 0x5412
# The code that protects the format, and what is laid over it (annex C).
_FIRST_CHECKED = 8 * _DATA
_FIRST_SECRET = 13 + 11 * (LENGTH - TAG_LENGTH + 1) // 2
# Mode and length take 13 bits, two characters 11.


@dataclass(frozen=True, eq=False)
class Codebook:
    """The texts of a game and for each the signs of its 208 modules before masking: -1 for black, 1 for white."""

    texts: tuple[str, ...]
    signs: Signs

    @classmethod
    def of(cls, game: Game) -> Codebook:
        """Return the book of a game: every kind in as many copies as a game of its size may have, and the labels."""
        return _book(game.game, game.key, game.kinds, game.players)


def order() -> npt.NDArray[np.intp]:
    """Return where the bits of data and error correction lie: flat places in a symbol with its quiet zone."""
    return _order()


def masks() -> Signs:
    """Return for each mask which of the 208 bits it turns over: shape (8, 208), -1 where it does."""
    return _masks()


def formats() -> tuple[npt.NDArray[np.intp], Signs]:
    """Return where the format's bits lie, shape (30,), and their signs for each mask at level M, shape (8, 30)."""
    return _formats()


@lru_cache(maxsize=8)
def _book(name: str, key: bytes, kinds: tuple[str, ...], players: int) -> Codebook:
    game = Game(game=name, edition="", key=key, kinds=kinds, players=players, seed="")
    copies = min(MAX_NUMBER, COPIES * players, MOST // max(len(kinds), 1))
    texts = [card_text(game, CardId(kind, copy)) for kind in kinds for copy in range(1, copies + 1)]
    texts += [label_text(game, envelope) for envelope in range(1, players + 1)]
    return Codebook(tuple(texts), 1 - 2 * encoded(texts).astype(np.float32))


def encoded(texts: Sequence[str]) -> Bits:
    """Return the bits of data and error correction of texts of 20 alphanumeric characters: shape (n, 208)."""
    letters = np.frombuffer("".join(texts).encode("ascii"), dtype=np.uint8).reshape(-1, LENGTH)
    values = np.zeros(128, dtype=np.int64)
    values[np.frombuffer(_CHARACTERS.encode("ascii"), dtype=np.uint8)] = np.arange(len(_CHARACTERS))
    numbers = values[letters]
    pairs = numbers[:, ::2] * len(_CHARACTERS) + numbers[:, 1::2]
    said = (pairs[..., np.newaxis] >> np.arange(10, -1, -1)) & 1
    # Mode 2 (alphanumeric) in four bits, the number of characters in nine.
    head = [(0b0010 << 9 | LENGTH) >> place & 1 for place in reversed(range(13))]
    bits = np.zeros((len(letters), _FIRST_CHECKED), dtype=np.uint8)
    bits[:, : len(head)] = head
    bits[:, len(head) : len(head) + said[0].size] = said.reshape(len(letters), -1)
    checks = (bits.astype(np.float32) @ _checks().astype(np.float32)).astype(np.int64) % 2
    return np.hstack((bits, checks.astype(np.uint8)))


@cache
def _checks() -> Bits:
    """Return which bits of the error correction each bit of the data turns over: shape (128, 80)."""
    generator = [1]
    root = 1
    for _ in range(_CHECK):
        generator = [a ^ _times(b, root) for a, b in zip([*generator, 0], [0, *generator], strict=True)]
        root = _times(root, 2)
    rows = np.zeros((_FIRST_CHECKED, 8 * _CHECK), dtype=np.uint8)
    for bit in range(_FIRST_CHECKED):
        data = [0] * (_DATA + _CHECK)
        data[bit // 8] = 0x80 >> bit % 8
        for place in range(_DATA):
            lead = data[place]
            for offset, factor in enumerate(generator):
                data[place + offset] ^= _times(factor, lead)
        rows[bit] = [(byte >> place) & 1 for byte in data[_DATA:] for place in reversed(range(8))]
    return rows


def _times(one: int, other: int) -> int:
    """Multiply in the field of 256 elements."""
    product = 0
    while other:
        if other & 1:
            product ^= one
        one <<= 1
        if one & 0x100:
            one ^= _FIELD
        other >>= 1
    return product


@cache
def _order() -> npt.NDArray[np.intp]:
    length = side(VERSION)
    sure = known(VERSION)[QUIET:-QUIET, QUIET:-QUIET]
    places = []
    upwards = True
    for right in (*range(length - 1, 6, -2), 5, 3, 1):
        rows = range(length - 1, -1, -1) if upwards else range(length)
        places += [(y, x) for y in rows for x in (right, right - 1) if sure[y, x] == UNKNOWN and not _is_format(y, x)]
        upwards = not upwards
    y, x = np.array(places).T
    return np.asarray((y + QUIET) * (length + 2 * QUIET) + x + QUIET, dtype=np.intp)


def _is_format(y: int, x: int) -> bool:
    last = side(VERSION) - 8
    return (y == 8 and (x <= 8 or x >= last)) or (x == 8 and (y <= 8 or y >= last))  # noqa: PLR2004 - annex C


@cache
def _masks() -> Signs:
    y, x = np.divmod(_order(), side(VERSION) + 2 * QUIET)
    y, x = y - QUIET, x - QUIET
    turned = np.stack(
        [
            (y + x) % 2 == 0,
            y % 2 == 0,
            x % 3 == 0,
            (y + x) % 3 == 0,
            (y // 2 + x // 3) % 2 == 0,
            (y * x) % 2 + (y * x) % 3 == 0,
            ((y * x) % 2 + (y * x) % 3) % 2 == 0,
            ((y + x) % 2 + (y * x) % 3) % 2 == 0,
        ]
    )
    return np.asarray(np.where(turned, -1, 1), dtype=np.float32)


@cache
def _formats() -> tuple[npt.NDArray[np.intp], Signs]:
    last = side(VERSION) - 1
    # From the most significant bit: around the upper left corner, and along the two others (figure 25).
    around = [(8, x) for x in (0, 1, 2, 3, 4, 5, 7, 8)] + [(y, 8) for y in (7, 5, 4, 3, 2, 1, 0)]
    apart = [(y, 8) for y in range(last, last - 7, -1)] + [(8, x) for x in range(last - 7, last + 1)]
    places = [(y + QUIET) * (last + 1 + 2 * QUIET) + x + QUIET for y, x in around + apart]
    signs = np.empty((MASKS, 30), dtype=np.float32)
    for mask in range(MASKS):
        # Level M is 00.
        word = mask << 10
        rest = word
        for place in range(14, 9, -1):
            if rest >> place & 1:
                rest ^= _FORMAT << (place - 10)
        said = (word | rest) ^ _FORMAT_MASK
        signs[mask] = [1 - 2 * (said >> place & 1) for place in reversed(range(15))] * 2
    return np.array(places, dtype=np.intp), signs


def secret() -> slice:
    """Return which of the 208 bits follow from the key alone: the tag but for its first character, and the checks."""
    return slice(_FIRST_SECRET, None)
