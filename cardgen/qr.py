"""QR symbols as matrices of modules."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

import numpy as np
import qrcode
from numpy.lib.stride_tricks import sliding_window_view
from qrcode.constants import ERROR_CORRECT_M
from qrcode.util import MODE_ALPHA_NUM, QRData

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Modules = NDArray[np.bool_]
    """One symbol (side, side), or one for each mask (8, side, side)."""

Matrix = tuple[tuple[bool, ...], ...]
"""Rows from the top, modules from the left; True is black. No quiet zone."""
_MASKS = 8
_FINDER = (1, 0, 1, 1, 1, 0, 1)

# Rows of modules that look like a finder pattern, with white before or after it, as numbers.
_LIKE_FINDERS = np.array([(*_FINDER, 0, 0, 0, 0), (0, 0, 0, 0, *_FINDER)]) @ (1 << np.arange(11))

_LONG_RUN = 5

_SIDE_OF_VERSION_7 = 45
"""From version 7 on, a symbol contains its version number."""


@lru_cache(maxsize=4096)
def matrix(text: str, *, alphanumeric: bool = True) -> Matrix:
    """Return the smallest QR symbol of level M for `text`, with the same mask as the library chooses, but faster.

    `alphanumeric` requires QR's set of 45 characters (upper case); ValueError for any other character.
    """
    code = _code(text, 0, alphanumeric=alphanumeric)
    every = _modules(code) ^ _changes(code.version)
    judged = every & ~_format(len(every[0]))
    best = every[np.argmin(_points(judged))]
    return tuple(map(tuple, best.tolist()))


def runs(modules: Matrix) -> Iterator[tuple[int, int, int]]:
    """Yield each horizontal run of black modules as (row, first column, length), to draw fewer shapes."""
    for row, line in enumerate(modules):
        start = None
        for column, black in enumerate((*line, False)):
            if black and start is None:
                start = column
            elif not black and start is not None:
                yield row, start, column - start
                start = None


def fill_operators(modules: Matrix) -> str:
    """Return PDF operators that fill the black modules, each one unit wide, with the origin at the lower left."""
    top = len(modules) - 1
    return " ".join([f"{column} {top - row} {length} 1 re" for row, column, length in runs(modules)]) + " f"


def _code(text: str, mask: int, *, alphanumeric: bool, version: int | None = None) -> qrcode.QRCode:
    code = qrcode.QRCode(version=version, border=0, error_correction=ERROR_CORRECT_M, mask_pattern=mask)
    code.add_data(QRData(text, mode=MODE_ALPHA_NUM) if alphanumeric else text)
    code.make(fit=True)
    return code


def _modules(code: qrcode.QRCode) -> Modules:
    return np.array(code.get_matrix(), dtype=bool)


@cache
def _changes(version: int) -> Modules:
    """Return the modules that each mask changes in a symbol with the first mask.

    They do not depend on the text, so the library makes each symbol only once.
    """
    every = np.array([_modules(_code("0", mask, alphanumeric=True, version=version)) for mask in range(_MASKS)])
    changed: Modules = every ^ every[0]
    return changed


@cache
def _format(side: int) -> Modules:
    """Return the modules of level, mask and version, which the library leaves white while it compares masks."""
    there = np.zeros((side, side), dtype=bool)
    there[8, :9] = there[8, -8:] = there[:9, 8] = there[-8:, 8] = True
    there[8, 6] = there[6, 8] = False
    if side >= _SIDE_OF_VERSION_7:
        there[:6, -11:-8] = there[-11:-8, :6] = True
    return there


def _points(every: Modules) -> NDArray[np.int_]:
    """Return the penalty points of symbols by the rules of ISO/IEC 18004: for long runs, blocks, finders, imbalance."""
    level, upright = every[:, :, 1:] == every[:, :, :-1], every[:, 1:] == every[:, :-1]
    points: NDArray[np.int_] = 3 * _count(level[:, 1:] & level[:, :-1] & upright[:, :, 1:])
    for lines in (every, every.transpose(0, 2, 1)):
        alike = sliding_window_view(lines[:, :, 1:] == lines[:, :, :-1], _LONG_RUN - 1, axis=2)
        same: Modules = np.asarray(alike.all(axis=3))
        begun = same.copy()
        begun[:, :, 1:] &= ~same[:, :, :-1]
        points += _count(same) + 2 * _count(begun)
        shown = sliding_window_view(lines, 11, axis=2) @ (1 << np.arange(11))
        points += 40 * _count(np.isin(shown, _LIKE_FINDERS))
    uneven = np.abs(every.mean(axis=(1, 2)) - 0.5)
    points += 10 * (20 * uneven).astype(int)
    return points


def _count(there: Modules) -> NDArray[np.int_]:
    """Return the number of true values for each symbol."""
    number: NDArray[np.int_] = there.sum(axis=(1, 2))
    return number
