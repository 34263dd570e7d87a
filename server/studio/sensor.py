"""What the hand, the lens and the sensor do to a picture on its way to a JPEG file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from server.studio.light import Light
    from server.studio.profiles import Profile

    Picture = npt.NDArray[np.uint8]

_TILE = 512
# Noise is drawn once for a tile of this many pixels a side, and laid at a random place in each.
_BAND = 256
# Rows that are worked on at a time, so that 12 megapixels as floats never lie in memory at once.
_MIDDLE_GREY = 110.0


def blurred(picture: Picture, profile: Profile, module: float, chance: np.random.Generator) -> Picture:
    """Return the picture as the lens and the hand blur it; `module` is the size of a code's module in pixels."""
    picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), profile.lens), dtype=np.uint8)
    if profile.defocus:
        picture = _filtered(picture, _disc(profile.defocus * module))
    if profile.motion:
        picture = _filtered(picture, _stroke(profile.motion * module, chance.uniform(0, np.pi)))
    return picture


def expose(picture: Picture, light: Light, mask: Picture, profile: Profile, chance: np.random.Generator) -> None:
    """Light the picture and add the sensor's noise, in place. `mask` is 255 where cards lie, which reflect lamps."""
    height, width = mask.shape
    tile = chance.standard_normal((2 * _TILE, 2 * _TILE), dtype=np.float32) * profile.noise
    for top in range(0, height, _BAND):
        band = picture[top : top + _BAND]
        rows = len(band)
        lit = band.astype(np.float32) * _part(light.factor, top, rows, width, height)
        if profile.glare:
            glare = _part(light.glare, top, rows, width, height) * (mask[top : top + _BAND] > 0)
            lit += glare[..., np.newaxis] * (258 - lit)
        # The noise of counting light grows with its root; a third of it comes from reading the sensor.
        spread = np.sqrt(lit[..., 1] / _MIDDLE_GREY + 1 / 3)
        for channel in range(3):
            lit[..., channel] += spread * _noise(tile, rows, width, chance)
        band[:] = np.clip(lit, 0, 255)


def sharpened(picture: Picture, amount: float) -> Picture:
    """Return the picture with the crisp edges that phones give."""
    if not amount:
        return picture
    soft = cv2.GaussianBlur(picture, (0, 0), 1.2)
    return np.asarray(cv2.addWeighted(picture, 1 + amount, soft, -amount, 0), dtype=np.uint8)


def jpeg(picture: Picture, quality: int) -> bytes:
    """Return the picture as a JPEG file, with half the colour resolution as phones write it."""
    settings = [cv2.IMWRITE_JPEG_QUALITY, quality, cv2.IMWRITE_JPEG_SAMPLING_FACTOR, 0x221111]
    done, data = cv2.imencode(".jpg", picture, settings)
    if not done:
        raise RuntimeError("OpenCV could not write a JPEG file")
    return data.tobytes()


def _part(field: npt.NDArray[np.float32], top: int, rows: int, width: int, height: int) -> npt.NDArray[np.float32]:
    """Return some rows of a coarse field at the picture's size."""
    scale = np.array([[width / field.shape[1], 0, 0], [0, height / field.shape[0], -top]], dtype=np.float32)
    part = cv2.warpAffine(field, scale, (width, rows), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(part, dtype=np.float32)


def _noise(
    tile: npt.NDArray[np.float32], rows: int, width: int, chance: np.random.Generator
) -> npt.NDArray[np.float32]:
    """Return noise of shape (rows, width) from a tile, shifted anew for each use."""
    columns = [tile[y : y + rows, x : x + _TILE] for y, x in chance.integers(0, _TILE, (-(-width // _TILE), 2))]
    return np.hstack(columns)[:, :width]


def _filtered(picture: Picture, kernel: npt.NDArray[np.float32]) -> Picture:
    return np.asarray(cv2.filter2D(picture, -1, kernel, borderType=cv2.BORDER_REPLICATE), dtype=np.uint8)


def _disc(radius: float) -> npt.NDArray[np.float32]:
    """Return the kernel of a lens out of focus, with a soft rim so that parts of pixels count."""
    reach = int(np.ceil(radius + 0.5))
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    kernel = np.clip(radius + 0.5 - np.hypot(x, y), 0, 1).astype(np.float32)
    return np.asarray(kernel / kernel.sum(), dtype=np.float32)


def _stroke(length: float, angle: float) -> npt.NDArray[np.float32]:
    """Return the kernel of a hand that moved in a straight line."""
    reach = int(np.ceil(length / 2 + 0.5))
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    along, off = np.cos(angle) * x + np.sin(angle) * y, np.cos(angle) * y - np.sin(angle) * x
    kernel = np.clip(length / 2 + 0.5 - np.abs(along), 0, 1) * np.clip(1 - np.abs(off), 0, 1)
    return np.asarray(kernel / kernel.sum(), dtype=np.float32)
