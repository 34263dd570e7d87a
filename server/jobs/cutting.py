"""Cuts a piece out of a kept photograph for somebody to look at: upright, of bounded size."""

from __future__ import annotations

import io
import threading
from typing import TYPE_CHECKING, Literal

from PIL import Image, ImageOps

from scanner.photo import DEFAULT_LIMITS, PhotoError, check_pixels

if TYPE_CHECKING:
    from collections.abc import Sequence


Form = Literal["JPEG", "WEBP"]

MAX_WIDTH = 2000
"""Pixels of a piece along its longer side, at most."""
_FORMATS = ("JPEG", "PNG", "WEBP")
# What the store keeps.
_PATIENCE = 10.0
_SAVED: dict[Form, dict[str, int]] = {"JPEG": {"quality": 85}, "WEBP": {"quality": 75, "method": 2}}
# Such a WebP shows a deck as well in half the bytes, and takes 10 ms more of 50 to make.
# A decoded photograph takes up to 200 MB, so few are decoded at once.
_places = threading.BoundedSemaphore(2)


class CutError(Exception):
    """A piece could not be cut. `reason` is `busy`, `outside` or `not-a-picture`, the message a sentence."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def cut(data: bytes, box: Sequence[float] | None, width: int, form: Form = "JPEG") -> bytes:
    """Return the part of a picture inside a box (x0, y0, x1, y1 in pixels of the upright picture; None: all).

    Its longer side has `width` pixels at most, and never more than the picture has there. Raises CutError.
    """
    if not _places.acquire(timeout=_PATIENCE):
        raise CutError("busy", "Many pictures are being looked at right now. Try again in a few seconds.")
    try:
        with Image.open(io.BytesIO(data), formats=_FORMATS) as image:
            check_pixels(image.width, image.height, DEFAULT_LIMITS.max_pixels)
            if box is None:
                # A JPEG decodes to a smaller size much faster.
                image.draft("RGB", (width, width))
            upright = ImageOps.exif_transpose(image).convert("RGB")
    except (OSError, ValueError, SyntaxError, PhotoError, Image.DecompressionBombError) as error:
        raise CutError("not-a-picture", "This picture cannot be shown.") from error
    finally:
        _places.release()
    return _saved(_piece(upright, box), width, form)


def _piece(image: Image.Image, box: Sequence[float] | None) -> Image.Image:
    if box is None:
        return image
    left, upper = max(0, int(box[0])), max(0, int(box[1]))
    right, lower = min(image.width, round(box[2] + 0.5)), min(image.height, round(box[3] + 0.5))
    if left >= right or upper >= lower:
        raise CutError("outside", "This piece lies outside of the picture.")
    return image.crop((left, upper, right, lower))


def _saved(image: Image.Image, width: int, form: Form) -> bytes:
    image.thumbnail((min(width, MAX_WIDTH), min(width, MAX_WIDTH)))
    out = io.BytesIO()
    image.save(out, form, **_SAVED[form])
    return out.getvalue()
