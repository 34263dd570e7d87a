"""Hostile files for `tools.fuzz`: good ones of each format, and ways of spoiling them that know their structure."""

from __future__ import annotations

import io
import re
import struct
import zlib
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pillow_heif
from PIL import Image

from cardgen.payload import card_text
from cardgen.symbols import matrix
from server.studio import dealt_cards, practice_game

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from cardgen.cards import Game

    Chance = np.random.Generator
    Picture = npt.NDArray[np.uint8]

pillow_heif.register_heif_opener()

PNG_START = b"\x89PNG\r\n\x1a\n"
_ODD = (0, 1, 2, 3, 7, 8, 9, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)
# Numbers at which programs go wrong.
_TIMES = 300
_LARGEST = 200_000
# So many times a part is repeated at most, and so many bytes come of it.
_PDF_PART = re.compile(rb"(?<=endobj)|(?<=stream)|(?=/)|(?=\d+ \d+ R)")


@cache
def game() -> Game:
    """Return the game whose cards the good files show."""
    return practice_game("eurocg-2026", 12, "fuzz")


@cache
def texts() -> frozenset[str]:
    """Return what the codes in the good files say."""
    return frozenset(card_text(game(), card) for card in dealt_cards(game())[:2])


@cache
def good_picture() -> Picture:
    """Return a small picture with two codes."""
    codes = [np.pad(np.array(matrix(text)), 3) for text in sorted(texts())]
    return np.where(np.hstack(codes), 0, 255).astype(np.uint8).repeat(4, axis=0).repeat(4, axis=1)


def saved(image: Image.Image, kind: str, *more: Image.Image, **options: object) -> bytes:
    """Return a picture, and more of them behind it, as the bytes of a file."""
    file = io.BytesIO()
    # Copies, since saving leaves settings of its format in a picture.
    if more:
        options |= {"save_all": True, "append_images": [one.copy() for one in more]}
    image.copy().save(file, kind, **options)
    return file.getvalue()


@cache
def seeds() -> tuple[tuple[str, bytes], ...]:
    """Return good files: the format that tells how they are taken apart, and the bytes."""
    grey = Image.fromarray(good_picture())
    colour = grey.convert("RGB")
    small = colour.resize((40, 30))
    deep = Image.fromarray(good_picture().astype(np.uint16) * 200)
    exif = Image.Exif()
    exif[0x0112], exif[0x010F] = 6, "A maker"
    more = small, colour
    return (
        ("jpeg", saved(grey, "JPEG")),
        ("jpeg", saved(colour, "JPEG", progressive=True, exif=exif.tobytes())),
        ("jpeg", saved(grey.convert("CMYK"), "JPEG")),
        ("jpeg", saved(colour, "MPO", *more)),
        ("png", saved(grey, "PNG")),
        ("png", saved(colour.convert("RGBA"), "PNG", exif=exif.tobytes())),
        ("png", saved(colour.quantize(16), "PNG", transparency=1)),
        ("png", saved(deep, "PNG")),
        ("png", saved(colour, "PNG", *more)),
        ("riff", saved(colour, "WEBP", exif=exif.tobytes())),
        ("riff", saved(colour.convert("RGBA"), "WEBP", lossless=True)),
        ("riff", saved(colour, "WEBP", colour)),
        ("boxes", saved(colour, "HEIF", exif=exif.tobytes())),
        ("boxes", saved(colour, "HEIF", *more)),
        ("boxes", saved(colour, "AVIF")),
        ("tiff", saved(grey, "TIFF", exif=exif)),
        ("tiff", saved(deep, "TIFF")),
        ("tiff", saved(colour, "TIFF", *more, compression="tiff_deflate")),
        ("tiff", saved(grey.convert("1"), "TIFF", compression="group4")),
        ("tiff", saved(colour, "TIFF", compression="jpeg")),
        ("tiff", saved(grey.convert("F"), "TIFF", compression="tiff_lzw")),
        ("pdf", saved(colour, "PDF", *more)),
        ("pdf", saved(grey.convert("1"), "PDF")),
        ("bytes", saved(colour, "GIF", *more)),
        ("bytes", saved(grey, "BMP")),
        ("bytes", saved(grey, "JPEG2000")),
    )


def jpeg_parts(data: bytes) -> list[bytes]:
    """Cut a JPEG at its markers."""
    cuts = [match.start() for match in re.finditer(rb"\xff[\xc0-\xfe]", data)]
    return _cut(data, cuts)


def png_parts(data: bytes) -> list[bytes]:
    """Cut a PNG into its start and its chunks, without their lengths and sums."""
    parts, place = [data[:8]], 8
    while place + 8 <= len(data):
        (length,) = struct.unpack_from(">I", data, place)
        parts.append(data[place + 4 : place + 8 + length])
        place += 12 + length
    return parts


def png_joined(parts: list[bytes]) -> bytes:
    """Put chunks together again, with good lengths and sums, so that what is wrong lies deeper."""
    chunks = [
        part
        if part == PNG_START
        else struct.pack(">I", max(len(part) - 4, 0)) + part + struct.pack(">I", zlib.crc32(part))
        for part in parts
    ]
    return b"".join(chunks)


def box_parts(data: bytes) -> list[bytes]:
    """Cut where a box of a HEIF file begins, also within others."""
    return _cut(data, [match.start() - 4 for match in re.finditer(rb"(?<=.{4})[a-z][a-zA-Z0-9]{3}", data, re.DOTALL)])


def riff_parts(data: bytes) -> list[bytes]:
    """Cut a WebP file at its chunks."""
    return _cut(data, [match.start() for match in re.finditer(rb"VP8[ LX]|ANIM|ANMF|ALPH|EXIF|ICCP|XMP ", data)])


def tiff_parts(data: bytes) -> list[bytes]:
    """Cut a TIFF at the entries of its directories."""
    cuts = []
    order = "<" if data[:2] == b"II" else ">"
    (place,) = struct.unpack_from(order + "I", data, 4)
    # Directories may lie in a circle.
    while place and place not in cuts and place + 2 < len(data):
        (number,) = struct.unpack_from(order + "H", data, place)
        cuts += [place, *(place + 2 + 12 * entry for entry in range(number + 1))]
        end = place + 2 + 12 * number
        place = struct.unpack_from(order + "I", data, end)[0] if end + 4 <= len(data) else 0
    return _cut(data, cuts)


def pdf_parts(data: bytes) -> list[bytes]:
    """Cut a PDF at its objects, names and references."""
    return _PDF_PART.split(data)


def byte_parts(data: bytes) -> list[bytes]:
    """Cut anything into a few pieces."""
    return [data[place : place + 32] for place in range(0, len(data), 32)]


def _cut(data: bytes, cuts: list[int]) -> list[bytes]:
    places = sorted({0, len(data), *(cut for cut in cuts if 0 < cut < len(data))})
    return [data[one:other] for one, other in zip(places, places[1:])]


_CUTTERS: dict[str, tuple[Callable[[bytes], list[bytes]], Callable[[list[bytes]], bytes]]] = {
    "jpeg": (jpeg_parts, b"".join),
    "png": (png_parts, png_joined),
    "riff": (riff_parts, b"".join),
    "boxes": (box_parts, b"".join),
    "tiff": (tiff_parts, b"".join),
    "pdf": (pdf_parts, b"".join),
    "bytes": (byte_parts, b"".join),
}


def case(number: int) -> bytes:
    """Return the hostile file of a number, always the same."""
    chance = np.random.default_rng([number, 4])
    if not number % 9:
        return odd_picture(chance)
    kind, data = seeds()[int(chance.integers(len(seeds())))]
    for _ in range(int(chance.integers(1, 4))):
        way = int(chance.integers(4))
        data = _parts_changed(kind, data, chance) if way < 2 else _bytes_changed(data, chance)  # noqa: PLR2004 - half
    return data


def odd_picture(chance: Chance) -> bytes:
    """Return a good file with a picture that is odd: of any shape, of noise, stripes, or pieces of codes."""
    height, width = (int(2 ** chance.uniform(0, 14.8)) for _ in range(2))
    shrink = max(1.0, (height * width / 2_000_000) ** 0.5)
    height, width = max(int(height / shrink), 1), max(int(width / shrink), 1)
    good = good_picture()
    kind = int(chance.integers(4))
    if kind == 0:
        pixels = np.resize(np.rot90(good, int(chance.integers(4))), (height, width))
    elif kind == 1:
        repeats = height // good.shape[0] + 1, width // good.shape[1] + 1
        pixels = np.tile(good, repeats)[:height, :width]
        step = int(chance.integers(1, 4))
        pixels = pixels[::step, ::step]
    elif kind == 2:  # noqa: PLR2004 - the third kind
        pixels = chance.integers(0, 256, (height, width), dtype=np.uint8)
    else:
        fine = int(chance.integers(1, 40))
        y, x = np.ogrid[:height, :width]
        pixels = ((x // fine + y // fine * int(chance.integers(2))) % 2 * 255).astype(np.uint8)
    if chance.integers(2):
        pixels = 255 - pixels
    return saved(Image.fromarray(np.ascontiguousarray(pixels, dtype=np.uint8)), "PNG")


def _parts_changed(kind: str, data: bytes, chance: Chance) -> bytes:
    """Drop, repeat, exchange or spoil parts of a file."""
    cut, join = _CUTTERS[kind]
    try:
        parts = cut(data)
    except struct.error:
        # What was spoilt before cannot be taken apart any more.
        return _bytes_changed(data, chance)
    if not parts:
        return data
    one, other = (int(place) for place in chance.integers(len(parts), size=2))
    way = int(chance.integers(5))
    if way == 0:
        del parts[one]
    elif way == 1:
        most = min(_TIMES, _LARGEST // (len(parts[other]) + 1))
        parts[one:one] = [parts[other]] * int(max(most, 1) ** chance.uniform())
    elif way == 2:  # noqa: PLR2004 - the third way
        parts[one], parts[other] = parts[other], parts[one]
    else:
        parts[one] = _bytes_changed(parts[one], chance)
    return join(parts)


def _bytes_changed(data: bytes, chance: Chance) -> bytes:
    """Turn bits over, put in odd numbers, cut out, double, or end too soon."""
    if not data:
        return data
    changed = bytearray(data)
    place = int(chance.uniform() ** 2 * len(data))
    way = int(chance.integers(6))
    if way == 0:
        changed[place] ^= 1 << int(chance.integers(8))
    elif way <= 2:  # noqa: PLR2004 - the next two ways
        size = int(2 ** chance.integers(3))
        odd = _ODD[int(chance.integers(len(_ODD)))] % 256**size
        order = "big" if chance.integers(2) else "little"
        changed[place : place + size] = odd.to_bytes(size, "big" if order == "big" else "little")
    elif way == 3:  # noqa: PLR2004 - the fourth way
        digits = re.search(rb"\d+", data[place:])
        if digits:
            start, end = (place + at for at in digits.span())
            changed[start:end] = str(_ODD[int(chance.integers(len(_ODD)))]).encode()
    elif way == 4:  # noqa: PLR2004 - the fifth way
        length = int(chance.integers(1, 64))
        changed[place:place] = changed[place : place + length] * int(chance.integers(3))
    else:
        del changed[int(len(data) * chance.uniform(0.3, 1)) :]
    return bytes(changed)
