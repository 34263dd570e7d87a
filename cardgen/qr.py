"""QR symbols as matrices of modules."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import qrcode
from qrcode.constants import ERROR_CORRECT_M
from qrcode.util import MODE_ALPHA_NUM, QRData

if TYPE_CHECKING:
    from collections.abc import Iterator

Matrix = tuple[tuple[bool, ...], ...]
"""Rows from the top, modules from the left; True is black. No quiet zone."""


@lru_cache(maxsize=4096)
def matrix(text: str, *, alphanumeric: bool = True) -> Matrix:
    """Return the smallest QR symbol of level M for `text`.

    `alphanumeric` requires QR's set of 45 characters (upper case); ValueError for any other character.
    """
    code = qrcode.QRCode(border=0, error_correction=ERROR_CORRECT_M)
    code.add_data(QRData(text, mode=MODE_ALPHA_NUM) if alphanumeric else text)
    code.make(fit=True)
    return tuple(map(tuple, code.get_matrix()))


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
