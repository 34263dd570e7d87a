"""The files that a demo offers: ready photographs, and what to print. Nothing of this exists in a real game."""

from __future__ import annotations

import io
import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from PIL import Image, ImageOps

from server.api.service import Sample
from server.app.assets import AssetError

if TYPE_CHECKING:
    from pathlib import Path

PHOTOS = "photos"
TITLES = "photos.json"
DOWNLOADS = {"sheets.pdf": "Card sheets", "labels.pdf": "Envelope labels"}
THUMBNAIL = 360
"""Longer side of a thumbnail in pixels."""
_ORIENTATION = 0x0112
_SIDEWAYS = {5, 6, 7, 8}
# The EXIF orientations that swap width and height.


def find_samples(folder: Path) -> tuple[Sample, ...]:
    """Return the photographs of a demo's folder, in the order of `photos/photos.json`.

    The file is a list of objects with `file`, `title` and `note`, and with `width` and `height` for a photograph that
    may still have to be made: it is offered once it is there. What the list does not name is not offered. AssetError if
    it, or a photograph in it, cannot be read.
    """
    photos = folder / PHOTOS
    if not (photos / TITLES).is_file():
        return ()
    try:
        listed = json.loads((photos / TITLES).read_text(encoding="utf-8"))
        return tuple(_sample(photos / entry["file"], entry) for entry in listed)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise AssetError(
            f"{photos}: the demo's photographs cannot be read ({error}): delete {folder} to have it made again"
        ) from error


def find_downloads(folder: Path) -> dict[Path, str]:
    """Return the files to print that a demo's folder holds, and their titles."""
    return {folder / name: title for name, title in DOWNLOADS.items() if (folder / name).is_file()}


@lru_cache(maxsize=64)
def thumbnail(file: Path) -> bytes:
    """Return a small upright JPEG of a photograph, made at the first call and kept."""
    with Image.open(file) as image:
        image.draft("RGB", (THUMBNAIL, THUMBNAIL))
        small = ImageOps.exif_transpose(image).convert("RGB")
        small.thumbnail((THUMBNAIL, THUMBNAIL))
        out = io.BytesIO()
        small.save(out, "JPEG", quality=82, optimize=True)
        return out.getvalue()


def _sample(file: Path, entry: dict[str, Any]) -> Sample:
    title, note = entry["title"], entry.get("note", "")
    if "width" in entry:
        return Sample(file, title, note, int(entry["width"]), int(entry["height"]))
    with Image.open(file) as image:
        width, height = image.size
        if image.getexif().get(_ORIENTATION) in _SIDEWAYS:
            width, height = height, width
    return Sample(file, title, note, width, height)
