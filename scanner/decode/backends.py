"""QR decoder libraries behind a common interface: `Reader` in, `DecodedCode` out.

`available()` lists the installed decoders for `haggle doctor`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import dist
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import zxingcpp

from scanner.decode.qr_spec import modules_of
from scanner.geometry import side

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scanner.result import Grey, Quad

try:
    from pyzbar import pyzbar
except ImportError:  # the package is there, but the system's libzbar is not
    pyzbar = None


@dataclass(frozen=True, eq=False)
class DecodedCode:
    """A code located by a reader. `text` is None if it could not be decoded.

    `version` is the symbol version if the reader determined it.
    """

    text: str | None
    quad: Quad
    version: int | None = None

    @cached_property
    def side(self) -> float:
        """Side of the square of the code's area, in pixels."""
        return side(self.quad)

    @cached_property
    def middle(self) -> tuple[float, float]:
        """Mean of the corners, in pixels."""
        # Plain numbers are faster than numpy, and this is called very often.
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = self.quad.tolist()
        return (ax + bx + cx + dx) / 4, (ay + by + cy + dy) / 4

    @property
    def module(self) -> float:
        """Size of a module in pixels."""
        return self.side / self.modules

    def is_at(self, other: DecodedCode) -> bool:
        """Return whether both mark the same code: of similar size, and closer than half of it."""
        large = max(self.side, other.side)
        return dist(self.middle, other.middle) < large / 2 and large < 2 * min(self.side, other.side) + 1

    @property
    def modules(self) -> int:
        """Modules along a side; those of a card's code if the version is unknown."""
        return modules_of(self.version or 1)


Reader: TypeAlias = "Callable[[Grey], list[DecodedCode]]"
"""Returns the QR codes (model 2) that were read or located in a grey picture, in pixels of that picture."""


@dataclass(frozen=True)
class Zxing:
    """The zxing-cpp decoder. It also reports codes that it located but could not decode."""

    binarizer: zxingcpp.Binarizer = zxingcpp.Binarizer.LocalAverage
    invert: bool = False

    def __call__(self, grey: Grey) -> list[DecodedCode]:
        """Read the picture, downscaled copies of it included."""
        barcodes = zxingcpp.read_barcodes(
            grey,
            # Model 2 only: the general format takes Micro QR too, and then reads digits in noise.
            formats=zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCodeModel2),
            text_mode=zxingcpp.TextMode.Plain,
            binarizer=self.binarizer,
            try_invert=self.invert,
            return_errors=True,
        )
        return [_from_zxing(barcode) for barcode in barcodes]


def _from_zxing(barcode: zxingcpp.Barcode) -> DecodedCode:
    place = barcode.position
    corners = (place.top_left, place.top_right, place.bottom_right, place.bottom_left)
    # Where nothing but the corners was found, there are no details.
    details = barcode.extra
    version = str(details.get("Version", "")) if isinstance(details, dict) else ""
    return DecodedCode(
        text=barcode.text if barcode.valid else None,
        quad=np.array([(corner.x, corner.y) for corner in corners], dtype=np.float64),
        version=int(version) if version.isdigit() else None,
    )


# Quarter turns of a code to the right, as ZBar names where its top points.
_TURNS = {"UP": 0, "RIGHT": 1, "DOWN": 2, "LEFT": 3}


@dataclass(frozen=True)
class Pyzbar:
    """The ZBar decoder through pyzbar. It finds few of many codes in a whole picture, so it mostly reads cut-outs.

    With `ascii_only` codes with other characters are only located, since ZBar takes UTF-8 for Japanese and Latin
    letters for Chinese.
    """

    ascii_only: bool = False

    def __call__(self, grey: Grey) -> list[DecodedCode]:
        """Read the picture."""
        if pyzbar is None:
            return []
        symbols = pyzbar.decode(grey, symbols=[pyzbar.ZBarSymbol.QRCODE])
        found = []
        for symbol in symbols:
            corners = np.array([(point.x, point.y) for point in symbol.polygon], dtype=np.float64)
            if corners.shape != (4, 2):
                continue
            quad = np.roll(_clockwise(corners), -_TURNS.get(symbol.orientation, 0), axis=0)
            text = symbol.data.decode("utf-8", "replace")
            found.append(DecodedCode(text if text.isascii() or not self.ascii_only else None, quad))
        return found


ZXING = Zxing()
PYZBAR = Pyzbar(ascii_only=True)


def to_picture(found: Sequence[DecodedCode], factor: float, left: float = 0, top: float = 0) -> list[DecodedCode]:
    """Convert codes found in a resized cut-out to pixels of the picture."""
    corner = np.array([left, top], dtype=np.float64)
    return [DecodedCode(one.text, one.quad / factor + corner, one.version) for one in found]


def _clockwise(corners: Quad) -> Quad:
    """Sort four corners clockwise on the screen, beginning at the one nearest to the picture's top left."""
    around = corners - corners.mean(axis=0)
    corners = corners[np.argsort(np.arctan2(around[:, 1], around[:, 0]))]
    return np.roll(corners, -int(np.argmin(corners.sum(axis=1))), axis=0)


def available() -> tuple[str, ...]:
    """Return the names of the readers that work on this machine: `zxing-cpp`, and `pyzbar` where libzbar is."""
    return ("zxing-cpp",) if pyzbar is None else ("zxing-cpp", "pyzbar")
