"""Files that are made to harm programs that open them, by false claims in headers and structures."""

from __future__ import annotations

import struct
import zlib
from functools import cache

import numpy as np
from PIL import Image

from tests.scanner.shots import encoded, page

TEXT = "HELLO WORLD 1234"
PAGE = page((TEXT, 40, 30))
GREY = Image.fromarray(PAGE)
COLOUR = GREY.convert("RGB")


def tiff_of_pages(count: int, last: int = 0) -> bytes:
    """Return a TIFF with a number of one-pixel pages; `last` is the offset of a page after the last one."""
    entries = ((256, 1), (257, 1), (258, 8), (259, 1), (262, 1), (273, 8), (277, 1), (278, 1), (279, 1))
    body = struct.pack("<H", len(entries)) + b"".join(struct.pack("<HHII", tag, 4, 1, value) for tag, value in entries)
    start = 16
    file = [b"II*\0", struct.pack("<I", start), bytes(start - 8)]
    for number in range(1, count + 1):
        following = start + number * (len(body) + 4) if number < count else last
        file += [body, struct.pack("<I", following)]
    return b"".join(file)


def jpeg_of_scans(count: int, side: int = 8000) -> bytes:
    """Return a small progressive JPEG of many pixels that repeats its last scan a number of times."""
    data = encoded(Image.new("L", (side, side), 128), "JPEG", progressive=True)
    last = data.rfind(b"\xff\xda")
    return data[:last] + data[last:-2] * count + b"\xff\xd9"


def png_with(name: bytes, body: bytes, times: int = 1) -> bytes:
    """Return a PNG with a chunk after its header, a number of times."""
    data = encoded(GREY, "PNG")
    chunk = struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
    return data[:33] + chunk * times + data[33:]


def webp_of_size(side: int) -> bytes:
    """Return an animated WebP that claims a square canvas of a size in pixels."""
    data = bytearray(encoded(COLOUR, "WEBP", save_all=True, append_images=[Image.new("RGB", COLOUR.size)]))
    assert data[12:16] == b"VP8X"
    data[24:30] = (side - 1).to_bytes(3, "little") * 2
    return bytes(data)


def pdf_of(*objects: bytes, trailer: bytes = b"") -> bytes:
    """Return a PDF of objects, numbered from 1, the first of which is its root."""
    numbered = b"".join(b"%d 0 obj %s endobj\n" % (number, body) for number, body in enumerate(objects, 1))
    return b"%PDF-1.7\n" + numbered + b"trailer <</Size %d/Root 1 0 R%s>>\n" % (len(objects) + 1, trailer)


def stream(head: bytes, body: bytes) -> bytes:
    """Return a PDF's stream."""
    return b"<<%s/Length %d>>stream\n%s\nendstream" % (head, len(body), body)


CATALOG = b"<</Type/Catalog/Pages 2 0 R>>"
ONE_PAGE = b"<</Type/Pages/Kids[3 0 R]/Count 1>>"


def pdf_page(more: bytes, box: bytes = b"0 0 595 842") -> bytes:
    """Return the page of a PDF of one page."""
    return b"<</Type/Page/Parent 2 0 R/MediaBox[%s]%s>>" % (box, more)


def pdf_of_pages(count: int, claimed: int | None = None) -> bytes:
    """Return a PDF with a number of empty pages, which may claim another number."""
    kids = b" ".join(b"%d 0 R" % (3 + number) for number in range(count))
    pages = b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids, count if claimed is None else claimed)
    return pdf_of(CATALOG, pages, *[pdf_page(b"", b"0 0 10 10")] * count)


def pdf_nested(depth: int, times: int) -> bytes:
    """Return a PDF whose form draws another form a number of times, and so on to a depth."""
    drawn = b"/Contents 4 0 R/Resources<</XObject<</X 5 0 R>>>>"
    forms = [
        stream(
            b"/Type/XObject/Subtype/Form/BBox[0 0 500 500]/Resources<</XObject<</X %d 0 R>>>>" % (6 + level),
            b"/X Do " * times,
        )
        for level in range(depth)
    ]
    last = stream(b"/Type/XObject/Subtype/Form/BBox[0 0 500 500]", b"0 0 9 9 re f")
    return pdf_of(CATALOG, ONE_PAGE, pdf_page(drawn), stream(b"", b"/X Do"), *forms, last)


def locked_pdf() -> bytes:
    """Return a PDF that needs a password."""
    lock = b"<</Filter/Standard/V 2/R 3/Length 128/P -44/O<%s>/U<%s>>>" % (b"41" * 32, b"42" * 32)
    return pdf_of(CATALOG, ONE_PAGE, pdf_page(b""), lock, trailer=b"/Encrypt 4 0 R/ID[<41><41>]")


def laughing_xmp() -> bytes:
    """Return XMP data whose entities expand to a billion words."""
    entities = b"".join(
        b'<!ENTITY a%d "%s">' % (level, (b"&a%d;" % (level - 1) if level else b"ha") * 10) for level in range(10)
    )
    return b'<?xml version="1.0"?><!DOCTYPE x [%s]><x:xmpmeta>&a9;</x:xmpmeta>' % entities


def crowd(side: int = 3400, module: int = 1) -> bytes:
    """Return a page of ten thousand tiny codes."""
    one = page((TEXT, 0, 0), size=(29 * module, 29 * module), module=module)
    many = np.tile(np.pad(one, ((0, 5), (0, 5)), constant_values=255), (100, 100))
    return encoded(many[:side, :side], "PNG")


@cache
def png_of_finders(side: int = 7992) -> bytes:
    """Return a small PNG full of patterns like those in the corners of codes: zxing-cpp takes minutes for one look."""
    dark = np.ones((7, 7), dtype=bool)
    dark[1:6, 1:6] = False
    dark[2:5, 2:5] = True
    tile = np.pad(np.where(dark, 0, 255).astype(np.uint8), ((0, 1), (0, 1)), constant_values=255)
    return encoded(np.tile(tile, (side // 8, side // 8)), "PNG")
