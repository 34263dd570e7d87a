"""Image files: lists those in a folder, and loads them as upright grey pictures.

Sizes are checked from the header before any pixel is decoded.
"""

from __future__ import annotations

import io
import os
import re
import unicodedata
import warnings
from contextlib import contextmanager
from dataclasses import dataclass
from math import isfinite, sqrt
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np
import pillow_heif
import pypdfium2
from PIL import Image, ImageOps

from scanner.time_budget import DECODES, SECONDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scanner.result import Grey


JPEG = b"\xff\xd8"
"""First bytes of a JPEG file."""

MOST_SCANS = 100
"""Scans of a progressive JPEG that are decoded; encoders write about ten. At 64 megapixels each takes 20 ms or more."""

# Start of a scan of no to four components, with its length in bytes (ITU-T T.81). A decoder refuses any other length,
# and 40 MB of other data look like it by chance less than once.
_SCAN = re.compile(rb"\xff\xda\0(?:\x06\x00|\x08\x01|\x0a\x02|\x0c\x03|\x0e\x04)")


def has_many_scans(data: bytes) -> bool:
    """Return whether a JPEG has more than `MOST_SCANS` scans."""
    return len(_SCAN.findall(data)) > MOST_SCANS


pillow_heif.register_heif_opener()
# Pillow registers its formats lazily, but needs them before `formats` can restrict them.
Image.init()

FORMATS = ("JPEG", "PNG", "WEBP", "HEIF", "TIFF")
"""Names of the Pillow formats that may be opened."""

MAX_SIDE = 30_000
"""Pixels along a side: the readers take twice that, and pictures are enlarged up to twice."""

_MEGA = 1_000_000

# Limit for float pixels, beyond which differences overflow.
_FAR = 1e37


@dataclass(frozen=True)
class Limits:
    """Limits for one photograph.

    `seconds` limits the search for codes, not the decoding; `decodes` limits both together, as a multiple of the time
    of decoding a JPEG of that size (`scanner.time_budget`).

    64 megapixels allow for the 48 and 50 megapixel pictures of phones. Decoding these takes 300 MB as JPEG, and up to
    1.1 GB in other formats or within a PDF. The rendering of hostile PDFs is not limited here: scan untrusted files in
    a process with limited memory and time.
    """

    max_bytes: int = 40 * _MEGA
    max_pixels: int = 64 * _MEGA
    max_pages: int = 100
    seconds: float = SECONDS
    decodes: float = DECODES


DEFAULT_LIMITS = Limits()


class PhotoError(Exception):
    """An error for a file that cannot be scanned. The message is a sentence for the user; `reason` is a slug.

    Reasons: `empty`, `not-a-picture`, `truncated`, `too-many-bytes`, `too-many-pixels` (also for a picture that needs
    too much memory), `too-many-codes`, `too-many-pages`, `no-such-page`.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def page_count(data: bytes, limits: Limits = DEFAULT_LIMITS) -> int:
    """Return the number of pages in a PDF or a TIFF, and 1 for any other picture. Raises PhotoError."""
    if _is_pdf(data, limits):
        with _document(data) as document:
            pages = len(document)
    else:
        with _quiet(), _open(data) as image:
            # In other formats further frames are previews, depth maps or animations.
            pages = _pages(image, limits.max_pages) if image.format == "TIFF" else 1
    if pages > limits.max_pages:
        raise PhotoError(
            "too-many-pages", f"The file has more than {limits.max_pages} pages; so many are read. Cut it into parts."
        )
    return pages


def load(data: bytes, page: int = 0, limits: Limits = DEFAULT_LIMITS) -> Grey:
    """Return a picture, or a page of a PDF or TIFF (from 0), upright and in grey. Raises PhotoError."""
    if _is_pdf(data, limits):
        return render_pdf_page(data, page, limits.max_pixels)
    with _quiet(), _open(data) as image:
        if page:
            _turn_to(image, page)
        check_pixels(image.width, image.height, limits.max_pixels)
        if image.info.get("progressive") and has_many_scans(data):
            raise PhotoError(
                "not-a-picture", "This JPEG is stored in a way that no camera uses. Save it again, or send another."
            )
        # Decoding only the luminance of a JPEG takes half the time.
        image.draft("L", image.size)
        with _pixels():
            image.load()
            _turn_upright(image)
            return _grey(image)


def _turn_upright(image: Image.Image) -> None:
    """Rotate a picture as its EXIF data say, in place. Damaged EXIF data are ignored."""
    try:
        ImageOps.exif_transpose(image, in_place=True)
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - Pillow raises many kinds of errors for damaged data
        return


def check_pixels(width: int, height: int, max_pixels: int) -> None:
    """Raise PhotoError if a picture of this size must not be decoded."""
    if max(width, height) > MAX_SIDE:
        raise PhotoError(
            "too-many-pixels",
            f"The picture has {width} x {height} pixels; at most {MAX_SIDE} a side are read. Cut it into parts.",
        )
    if width * height > max_pixels:
        raise PhotoError(
            "too-many-pixels",
            f"The picture has {width} x {height} pixels ({width * height / _MEGA:.0f} megapixels); "
            f"at most {max_pixels / _MEGA:.0f} megapixels are read. Take it at a lower resolution.",
        )


def _is_pdf(data: bytes, limits: Limits) -> bool:
    """Check the length of the file and return whether it is a PDF."""
    if not data:
        raise PhotoError("empty", "The file is empty. Send the picture again.")
    if len(data) > limits.max_bytes:
        raise PhotoError(
            "too-many-bytes",
            f"The file has {len(data) / _MEGA:.1f} MB; at most {limits.max_bytes / _MEGA:.0f} MB are read. "
            "Save the picture as JPEG.",
        )
    return data.startswith(b"%PDF")


@contextmanager
def _quiet() -> Iterator[None]:
    """Suppress Pillow's warnings about odd EXIF data and large pictures."""
    with warnings.catch_warnings():
        # Only Pillow's, since filters are global to all threads.
        warnings.filterwarnings("ignore", module=r"PIL\.")
        yield


def _open(data: bytes) -> Image.Image:
    """Open a picture and read its header."""
    try:
        return Image.open(io.BytesIO(data), formats=FORMATS)
    except Image.DecompressionBombError:
        raise PhotoError(
            "too-many-pixels", "The picture has far too many pixels. Take it at a lower resolution."
        ) from None
    except Exception:  # noqa: BLE001 - a damaged header makes the decoders raise anything
        raise PhotoError(
            "not-a-picture",
            "This is not a picture that can be read. Send a JPEG, PNG, WebP, HEIC or TIFF picture, or a PDF.",
        ) from None


def _pages(image: Image.Image, most: int) -> int:
    """Count pages up to one more than `most`: counting those of a hostile file may take Pillow hours."""
    for page in range(1, most + 1):
        try:
            _turn_to(image, page)
        except PhotoError as error:
            if error.reason == "no-such-page":
                return page
            raise
    return most + 1


def _turn_to(image: Image.Image, page: int) -> None:
    try:
        image.seek(page)
    except EOFError:
        raise PhotoError("no-such-page", f"The picture has no page {page + 1}.") from None
    except Exception:  # noqa: BLE001 - a damaged file makes the decoders raise anything
        raise PhotoError("truncated", f"Page {page + 1} is damaged or incomplete. Scan it again.") from None


@contextmanager
def _pixels() -> Iterator[None]:
    """Convert any failure of decoding pixels to a PhotoError."""
    try:
        yield
    except MemoryError:
        raise PhotoError(
            "too-many-pixels", "The picture needs too much memory. Take it at a lower resolution."
        ) from None
    except Exception:  # noqa: BLE001 - a damaged file makes the decoders raise anything
        raise PhotoError(
            "truncated", "The picture is damaged or incomplete. Send it again, or take a new one."
        ) from None


def _grey(image: Image.Image) -> Grey:
    """Convert to 8 bits: transparent pixels over white, deeper ones scaled to their range."""
    if image.mode.startswith(("I", "F")):
        deep = np.nan_to_num(np.asarray(image, dtype=np.float32))
        np.clip(deep, -_FAR, _FAR, out=deep)
        low, high = float(deep.min()), float(deep.max())
        return ((deep - low) * (255 / max(high - low, 1.0))).astype(np.uint8)
    if image.has_transparency_data:
        return _over_white(image)
    # To convert a grey one copies it.
    return np.asarray(image if image.mode == "L" else image.convert("L"))


def _over_white(image: Image.Image) -> Grey:
    """Convert a picture to grey, over white."""
    grey = Image.new("L", image.size, 255)
    colours = image.convert("RGBA")
    grey.paste(colours.convert("L"), mask=colours.getchannel("A"))
    return np.asarray(grey)


DPI = 300
"""Dots per inch at which pages of a PDF are rendered. Derived, not measured: document scanners write so many by
default, and a module of the smallest cards, of 0.72 mm, then has 8.5 pixels, four times what is needed."""

_POINTS_PER_INCH = 72

# PDFium is not thread-safe.
_lock = Lock()


def render_pdf_page(data: bytes, page: int, max_pixels: int) -> Grey:
    """Render a page (from 0) at 300 dots per inch, or fewer if the paper is large. Raises PhotoError."""
    with _document(data) as document:
        if page >= len(document):
            raise PhotoError("no-such-page", f"The PDF has {len(document)} pages.")
        try:
            sheet = document[page]
            width, height = sheet.get_size()
            pixels_a_point = _pixels_a_point(width, height, max_pixels)
            pixels = sheet.render(scale=pixels_a_point, grayscale=True).to_numpy()
        except (pypdfium2.PdfiumError, ValueError, OverflowError):
            raise PhotoError("truncated", f"Page {page + 1} of the PDF is damaged. Scan it again.") from None
        # Copy the pixels, since the bitmap is freed with the document.
        return np.array(pixels, dtype=np.uint8).reshape(pixels.shape[:2])


def _pixels_a_point(width: float, height: float, max_pixels: int) -> float:
    """Return the scale for a page of this size in points. Raises ValueError if it is no valid size."""
    if min(width, height) <= 0 or not isfinite(width * height):
        raise ValueError("the page has no size")
    return min(DPI / _POINTS_PER_INCH, sqrt(max_pixels / (width * height)), MAX_SIDE / max(width, height))


@contextmanager
def _document(data: bytes) -> Iterator[pypdfium2.PdfDocument]:
    with _lock:
        try:
            document = pypdfium2.PdfDocument(data)
        except pypdfium2.PdfiumError:
            raise PhotoError(
                "not-a-picture", "This PDF cannot be opened: it is damaged or has a password. Send a picture instead."
            ) from None
        try:
            yield document
        finally:
            document.close()


SUFFIXES = frozenset({".jpg", ".jpeg", ".jfif", ".png", ".webp", ".heic", ".heif", ".tif", ".tiff", ".pdf"})
"""File name extensions of images."""

_NUMBER = re.compile(r"([0-9]+)")

# Control characters, line separators, and invalid UTF-8 in names, which Python represents as lone surrogates.
_UNPRINTABLE = frozenset({"Cc", "Cs", "Zl", "Zp"})


@dataclass(frozen=True)
class Folder:
    """The pictures in a folder and its subfolders: relative paths with slashes, in natural order.

    `others` is the number of other files; `shut` lists folders that cannot be read, with the reason.
    """

    place: Path
    pictures: tuple[str, ...]
    others: int = 0
    shut: tuple[tuple[str, str], ...] = ()


def pictures_in(folder: Path) -> Folder:
    """Return the pictures of a folder, without hidden files (such as macOS resource forks).

    Links to folders are not followed, to avoid cycles.
    """
    found: list[str] = []
    shut: list[tuple[str, str]] = []
    others = 0

    def note(error: OSError) -> None:
        shut.append((_from(folder, Path(error.filename)), error.strerror or str(error)))

    for place, folders, files in os.walk(folder, onerror=note):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in files:
            if Path(name).suffix.lower() in SUFFIXES and not name.startswith("."):
                found.append(_from(folder, Path(place, name)))
            else:
                others += 1
    return Folder(folder, tuple(sorted(found, key=natural)), others, tuple(sorted(shut)))


def printable(name: str) -> str:
    """Return a file name with unprintable characters replaced."""
    return "".join("\N{REPLACEMENT CHARACTER}" if unicodedata.category(one) in _UNPRINTABLE else one for one in name)


def natural(path: str) -> tuple[object, str]:
    """Return a sort key for natural order: folder by folder, and 9 before 10."""
    return tuple(tuple(map(_piece, filter(None, _NUMBER.split(part)))) for part in path.split("/")), path


def _piece(text: str) -> tuple[int, int, str]:
    # Numbers come before letters, as in the organiser's list.
    return (0, int(text), "") if _NUMBER.fullmatch(text) else (1, 0, text.casefold())


def _from(folder: Path, path: Path) -> str:
    return path.relative_to(folder).as_posix()
