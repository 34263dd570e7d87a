"""Image files as they are stored: without metadata, which is removed without decoding.

Of JPEG, PNG and WebP files only the parts that a decoder needs are kept, and the orientation; pixels do not change.
Other formats are stored as they are, until the scanning process converts them to JPEG.
"""

from __future__ import annotations

import re
import struct
from typing import TYPE_CHECKING
from zlib import crc32

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_PIXELS = 64_000_000
"""Maximum number of pixels, as in the scanner."""
MAX_SIDE = 30_000
"""Maximum number of pixels along a side, as in the scanner."""
HEAD = 16
"""Bytes at the start of a stored file that show its format."""

_JPEG, _PNG, _RIFF, _WEBP, _PDF = b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"RIFF", b"WEBP", b"%PDF"
_TIFF = (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+")

# HEIC files begin with a box of this name, after its length.
_BOX = b"ftyp"

_EXIF = b"Exif\0\0"
_ORIENTATION = 0x0112
_UPRIGHT, _LAST = 1, 8
_PNG_KEPT = {b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"}
_WEBP_KEPT = {b"VP8 ", b"VP8L", b"VP8X", b"ALPH"}
_WEBP_MOVING = {b"ANIM", b"ANMF"}
_VP8X_BYTES = 10

# Flags in the header of a WebP for a colour profile, EXIF and XMP.
_WEBP_METADATA = 0x20 | 0x08 | 0x04
_WEBP_EXIF = 0x08

_SOF = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}
_SOS, _EOI, _APP0, _APP1, _APP14 = 0xDA, 0xD9, 0xE0, 0xE1, 0xEE

# Frames, tables for entropy coding, scans, quantization, number of lines, restart interval, the end.
_JPEG_KEPT = _SOF | {0xC4, 0xCC, _SOS, 0xDB, 0xDC, 0xDD, _EOI}

# The APP14 segment that defines the colour transform, and its length.
_ADOBE, _ADOBE_BYTES = b"Adobe", 12

# Markers without a segment.
_ALONE = {0x01, *range(0xD0, 0xD8)}

# A file of 40 MB has a few thousand segments at most; more are an attack.
_MAX_PIECES = 50_000

_MAX_EXIF_ENTRIES = 500
_NEXT_MARKER = re.compile(rb"\xff(?![\x00\xd0-\xd7\xff])")


class ImageError(Exception):
    """A file is not accepted. `reason` is a slug of `scanner.PhotoError`, the message a sentence."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def strip(data: bytes) -> bytes:
    """Return an image file without its metadata, or as it is if it `is_foreign`. Raises ImageError."""
    if not data:
        raise ImageError("empty", "The file is empty. Send the picture again.")
    try:
        if data.startswith(_JPEG):
            return _strip_jpeg(data)
        if data.startswith(_PNG):
            return _strip_png(data)
        if data.startswith(_RIFF) and data[8:12] == _WEBP:
            return _strip_webp(data)
    except (IndexError, struct.error):
        raise ImageError(
            "truncated", "The picture is damaged or incomplete. Send it again, or take a new one."
        ) from None
    if data.startswith((_PDF, *_TIFF)) or data[4:8] == _BOX:
        return data
    raise ImageError(
        "not-a-picture",
        "This is not a picture that can be read. Send a JPEG, PNG, WebP, HEIC or TIFF picture, or a PDF.",
    )


def is_foreign(data: bytes) -> bool:
    """Return whether a stored file has to be converted to JPEG, given its first HEAD bytes."""
    return not data.startswith((_JPEG, _PNG, _RIFF))


def _strip_jpeg(data: bytes) -> bytes:
    kept: list[bytes | memoryview] = []
    orientation, pixels = 0, False
    for marker, segment in _jpeg_segments(data):
        head = bytes(segment[4:16])
        if marker == _APP1 and head.startswith(_EXIF):
            orientation = orientation or _orientation(bytes(segment[4 + len(_EXIF) :]))
        elif marker == _APP0 and head.startswith(b"JFIF\0"):
            # It defines the colour space. Its thumbnail is removed.
            kept.append(b"\xff\xe0\0\x10" + head.ljust(12, b"\0") + b"\0\0")
        elif marker == _APP14 and head.startswith(_ADOBE) and len(head) == _ADOBE_BYTES:
            kept.append(struct.pack(">BBH", 0xFF, _APP14, 2 + _ADOBE_BYTES) + head)
        elif marker in _JPEG_KEPT:
            if marker in _SOF:
                height, width = struct.unpack(">HH", segment[5:9])
                _check_size(width, height)
                pixels = True
            kept.append(segment)
    if not pixels:
        raise ImageError("truncated", "The picture is damaged or incomplete. Send it again, or take a new one.")
    exif = _EXIF + _exif(orientation)
    turned = struct.pack(">BBH", 0xFF, _APP1, 2 + len(exif)) + exif if orientation > _UPRIGHT else b""
    # A JFIF segment comes first.
    first = 1 if bytes(kept[0][:2]) == b"\xff\xe0" else 0
    return b"".join([data[:2], *kept[:first], turned, *kept[first:]])


def _jpeg_segments(data: bytes) -> Iterator[tuple[int, memoryview]]:
    """Yield markers and whole segments, coded pixels with the header of their scan. Data after the end is dropped."""
    place, whole = 2, memoryview(data)
    for _ in range(_MAX_PIECES):
        if place == len(data):
            return
        if data[place] != 0xFF:  # noqa: PLR2004 - how a marker begins
            raise IndexError
        marker = data[place + 1]
        if marker == 0xFF:  # noqa: PLR2004 - padding
            place += 1
            continue
        if marker == _EOI:
            yield marker, whole[place : place + 2]
            return
        if marker in _ALONE:
            place += 2
            continue
        (length,) = struct.unpack(">H", data[place + 2 : place + 4])
        end = place + 2 + length
        if length < 2 or end > len(data):  # noqa: PLR2004 - the length counts itself
            raise IndexError
        if marker == _SOS:
            found = _NEXT_MARKER.search(data, end)
            end = found.start() if found else len(data)
        yield marker, whole[place:end]
        place = end
    raise IndexError


def _strip_png(data: bytes) -> bytes:
    kept, orientation = [data[: len(_PNG)]], _UPRIGHT
    place, name = len(_PNG), b""
    for _ in range(_MAX_PIECES):
        if name == b"IEND":
            break
        length, name = struct.unpack(">I4s", data[place : place + 8])
        end = place + 12 + length
        if end > len(data):
            raise IndexError
        content = data[place + 8 : end - 4]
        if name == b"IHDR":
            _check_size(*struct.unpack(">II", content[:8]))
        elif name == b"eXIf":
            orientation = _orientation(content)
        if name in _PNG_KEPT:
            kept.append(data[place:end])
        place = end
    if name != b"IEND" or kept[1][4:8] != b"IHDR":
        raise IndexError
    if orientation != _UPRIGHT:
        kept.insert(2, _png_chunk(b"eXIf", _exif(orientation)))
    return b"".join(kept)


def _png_chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", crc32(name + content))


def _strip_webp(data: bytes) -> bytes:
    kept: dict[bytes, bytes] = {}
    orientation = _UPRIGHT
    place, end_of_all = 12, min(len(data), 8 + struct.unpack("<I", data[4:8])[0])
    for _ in range(_MAX_PIECES):
        if place + 8 > end_of_all:
            break
        name, length = struct.unpack("<4sI", data[place : place + 8])
        end = place + 8 + length
        if end > len(data):
            raise IndexError
        content = data[place + 8 : end]
        if name in _WEBP_MOVING:
            raise ImageError("not-a-picture", "The picture is animated. Send a still one.")
        _check_webp_size(name, content)
        if name == b"EXIF":
            orientation = _orientation(content.removeprefix(_EXIF))
        if name == b"VP8X":
            content = bytes([content[0] & ~_WEBP_METADATA]) + content[1:_VP8X_BYTES]
        if name in _WEBP_KEPT:
            # Only the first of each kind.
            kept.setdefault(name, content)
        place = end + length % 2
    if not kept:
        raise IndexError
    if orientation != _UPRIGHT and next(iter(kept)) == b"VP8X":
        head = kept[b"VP8X"]
        kept[b"VP8X"] = bytes([head[0] | _WEBP_EXIF]) + head[1:]
        kept[b"EXIF"] = _exif(orientation)
    body = _WEBP + b"".join(_webp_chunk(name, content) for name, content in kept.items())
    return _RIFF + struct.pack("<I", len(body)) + body


def _webp_chunk(name: bytes, content: bytes) -> bytes:
    return name + struct.pack("<I", len(content)) + content + b"\0" * (len(content) % 2)


def _check_webp_size(name: bytes, content: bytes) -> None:
    if name == b"VP8X":
        _check_size(1 + int.from_bytes(content[4:7], "little"), 1 + int.from_bytes(content[7:10], "little"))
    elif name == b"VP8 ":
        width, height = struct.unpack("<HH", content[6:10])
        _check_size(width & 0x3FFF, height & 0x3FFF)
    elif name == b"VP8L":
        (bits,) = struct.unpack("<I", content[1:5])
        _check_size(1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF))


def _check_size(width: int, height: int) -> None:
    """Refuse an image with too many pixels or none."""
    if not width * height:
        raise IndexError
    if width * height > MAX_PIXELS or max(width, height) > MAX_SIDE:
        raise ImageError(
            "too-many-pixels",
            f"The picture has {width} x {height} pixels; at most {MAX_PIXELS // 1_000_000} megapixels and "
            f"{MAX_SIDE} pixels a side are read. Take it at a lower resolution.",
        )


def _orientation(tiff: bytes) -> int:
    """Return the orientation in EXIF data, 1 to 8; 1 if the data is damaged."""
    order = {b"II": "<", b"MM": ">"}.get(tiff[:2])
    try:
        if order is None:
            return _UPRIGHT
        (start,) = struct.unpack_from(f"{order}I", tiff, 4)
        (count,) = struct.unpack_from(f"{order}H", tiff, start)
        for entry in range(min(count, _MAX_EXIF_ENTRIES)):
            tag, _, _, value = struct.unpack_from(f"{order}HHIH", tiff, start + 2 + 12 * entry)
            if tag == _ORIENTATION:
                return value if _UPRIGHT <= value <= _LAST else _UPRIGHT
    except struct.error:
        pass
    return _UPRIGHT


def _exif(orientation: int) -> bytes:
    """Return EXIF data with only an orientation."""
    return b"MM\0*" + struct.pack(">IHHHIHHI", 8, 1, _ORIENTATION, 3, 1, orientation, 0, 0)
