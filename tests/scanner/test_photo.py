"""Files are decoded to upright grey pixels, or refused with one clear sentence."""

from __future__ import annotations

import io
import struct
import zlib
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from scanner import Limits, PhotoError, scan_pages, scan_photo
from scanner.image.load import load, page_count
from tests.scanner import hostile_files as hostile
from tests.scanner.shots import encoded, page

TEXT = "HELLO WORLD 1234"
PAGE = page((TEXT, 40, 30))
GREY = Image.fromarray(PAGE)
# The picture that a camera stores for each EXIF orientation: quarter turns to the left, then mirrored or not.
STORED = {
    1: (0, False),
    2: (0, True),
    3: (2, False),
    4: (2, True),
    5: (3, True),
    6: (1, False),
    7: (1, True),
    8: (3, False),
}
FORMATS = ("JPEG", "PNG", "WEBP", "TIFF", "HEIF")


def stored(orientation: int) -> Image.Image:
    """Return the page as a file of this orientation holds it."""
    turns, mirrored = STORED[orientation]
    pixels = np.rot90(PAGE, turns)
    return Image.fromarray(np.ascontiguousarray(pixels[:, ::-1] if mirrored else pixels)).convert("RGB")


def texts(data: bytes) -> list[str]:
    """Return the texts of a file's codes."""
    return [found.text for found in scan_photo(data).codes]


def pdf(*pages: Image.Image) -> bytes:
    """Return a PDF with one picture a page at 100 dots an inch."""
    return encoded(pages[0], "PDF", resolution=100, save_all=True, append_images=list(pages[1:]))


def png_header(width: int, height: int) -> bytes:
    """Return a PNG file that claims a size and holds no pixels."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")


def halved(kind: str) -> bytes:
    """Return half a file of a format."""
    data = encoded(np.random.default_rng(1).integers(0, 255, (300, 300, 3), dtype=np.uint8), kind)
    return data[: len(data) // 2]


@pytest.mark.parametrize("orientation", sorted(STORED))
@pytest.mark.parametrize("kind", FORMATS)
def test_every_orientation_is_turned_upright(kind: str, orientation: int) -> None:
    """Whatever the EXIF orientation and the format, the picture is turned exactly once."""
    exif = Image.Exif()
    exif[0x0112] = orientation
    # As bytes, since pillow-heif turns only those into the transformation that a HEIC file holds beside its EXIF.
    result = scan_photo(encoded(stored(orientation), kind, exif=exif.tobytes()))
    assert (result.width, result.height) == (600, 400)
    (found,) = result.codes
    assert found.text == TEXT
    assert np.allclose(found.quad[0], (56, 46), atol=3)
    assert found.quad[1][0] > found.quad[0][0]


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGB", "RGBA", "LA", "CMYK", "I;16", "I", "F"])
def test_every_depth_and_colour_mode_is_read(mode: str) -> None:
    """Grey, palette, transparent, CMYK, 16-bit and float pixels."""
    if mode == "I;16":
        image = Image.fromarray(PAGE.astype(np.uint16) * 16)
    elif mode in {"I", "F"}:
        image = Image.fromarray(PAGE.astype({"I": np.int32, "F": np.float32}[mode]) * 3)
    else:
        image = GREY.convert(mode)
    for kind in {"CMYK": ("TIFF", "JPEG"), "F": ("TIFF",), "I": ("TIFF",)}.get(mode, ("PNG",)):
        assert texts(encoded(image, kind)) == [TEXT]


@pytest.mark.parametrize("odd", [np.nan, np.inf, 3e38])
def test_float_pixels_that_are_no_numbers_are_accepted(odd: float) -> None:
    """NaN and far too large values give a result and no warning."""
    pixels = PAGE.astype(np.float32)
    pixels[:5] = odd
    pixels[5:8] = -odd
    assert scan_photo(encoded(Image.fromarray(pixels), "TIFF")).width == PAGE.shape[1]


@pytest.mark.parametrize("height", [255, 256, 257, 600])
def test_transparent_pixels_become_white_on_every_row(height: int) -> None:
    """Pictures of any height are white where they are transparent, and keep their grey elsewhere."""
    pixels = np.zeros((height, 3, 4), dtype=np.uint8)
    pixels[:, 1] = (90, 90, 90, 255)
    pixels[:, 2] = (0, 0, 0, 255)
    assert np.array_equal(load(encoded(pixels)), np.tile(np.array([255, 90, 0], dtype=np.uint8), (height, 1)))


def test_a_picture_that_needs_too_much_memory_is_not_called_damaged(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise MemoryError

    data = encoded(PAGE)
    monkeypatch.setattr("PIL.ImageFile.ImageFile.load", fail)
    with pytest.raises(PhotoError, match="memory") as caught:
        scan_photo(data)
    assert caught.value.reason == "too-many-pixels"


@pytest.mark.parametrize(
    ("data", "reasons"),
    [
        (b"", {"empty"}),
        (b"hello, this is no picture at all", {"not-a-picture"}),
        (b"%PDF-1.4 but nothing more", {"not-a-picture"}),
        (b"GIF89a" + bytes(40), {"not-a-picture"}),
        (b"\xff\xd8\xff\xe0" + bytes(50), {"not-a-picture"}),
        # A PDF that opens but whose page does not load.
        (pdf(GREY).replace(b"/Type /Page\n", b"/Type /Pag#\n"), {"truncated"}),
        # Half a file, as a broken upload leaves it.
        *((halved(kind), {"truncated", "not-a-picture"}) for kind in FORMATS),
        # Bombs, refused before any pixel is decoded.
        *(
            (png_header(*size), {"too-many-pixels"})
            for size in [(8001, 8000), (100_000, 100_000), (30_001, 1), (1, 30_001)]
        ),
    ],
    ids=lambda value: "-".join(sorted(value)) if isinstance(value, set) else f"{len(value)}",
)
def test_incomplete_and_other_files_are_refused(data: bytes, reasons: set[str]) -> None:
    """With a reason for programs and one sentence for people."""
    with pytest.raises(PhotoError) as caught:
        scan_photo(data)
    assert caught.value.reason in reasons
    assert str(caught.value).endswith(".")


def test_pixels_and_bytes_are_limited_exactly() -> None:
    limits = Limits(max_pixels=600 * 400)
    assert load(encoded(PAGE), limits=limits).shape == (400, 600)
    with pytest.raises(PhotoError, match="megapixels"):
        load(encoded(np.vstack((PAGE, PAGE[:1]))), limits=limits)
    data = encoded(PAGE)
    assert load(data, limits=Limits(max_bytes=len(data))).shape == (400, 600)
    with pytest.raises(PhotoError) as caught:
        load(data, limits=Limits(max_bytes=len(data) - 1))
    assert caught.value.reason == "too-many-bytes"


def test_previews_and_damaged_metadata_do_not_prevent_reading() -> None:
    """Previews behind a JPEG of a phone (MPO) are no further pages; EXIF data may be invalid."""
    colour, data = GREY.convert("RGB"), io.BytesIO()
    colour.save(data, "MPO", save_all=True, append_images=[colour.resize((60, 40))])
    assert page_count(data.getvalue()) == 1
    assert texts(data.getvalue()) == [TEXT]
    assert texts(encoded(GREY, "JPEG", exif=b"Exif\x00\x00II*\x00\xff\xff\xff\xff garbage")) == [TEXT]


def test_every_page_of_a_tiff_and_of_a_pdf_is_read() -> None:
    """One result a page, in order; pages of a PDF are drawn at 300 dots an inch."""
    pages = [Image.fromarray(page((text, 40, 30))) for text in ("ONE", "TWO", "THREE")]
    for data in (encoded(pages[0], "TIFF", save_all=True, append_images=pages[1:]), pdf(*pages)):
        results = list(scan_pages(data))
        assert [[found.text for found in result.codes] for result in results] == [["ONE"], ["TWO"], ["THREE"]]
    # 432 x 288 points; a page of a fraction of a pixel more gets one more.
    assert (results[0].width, results[0].height) == (pytest.approx(1800, abs=1), pytest.approx(1200, abs=1))
    # A poster is drawn with at most the allowed pixels, not refused.
    result = scan_photo(pdf(GREY), limits=Limits(max_pixels=500_000))
    assert result.width * result.height <= 502_000
    assert [found.text for found in result.codes] == [TEXT]


def test_pages_are_limited_and_must_exist() -> None:
    blank = Image.fromarray(page())
    data = pdf(blank, blank, blank)
    assert page_count(data, Limits(max_pages=3)) == 3
    with pytest.raises(PhotoError) as caught:
        page_count(data, Limits(max_pages=2))
    assert caught.value.reason == "too-many-pages"
    for one_page, number in ((data, 3), (encoded(PAGE), 1), (encoded(PAGE, "TIFF"), 1)):
        with pytest.raises(PhotoError) as caught:
            scan_photo(one_page, page=number)
        assert caught.value.reason == "no-such-page"


def test_a_locked_pdf_is_refused_with_a_sentence() -> None:
    """The next PDF is read as usual."""
    with pytest.raises(PhotoError, match="password"):
        scan_photo(hostile.locked_pdf())
    assert texts(pdf(Image.fromarray(PAGE))) == [TEXT]


@settings(max_examples=50, deadline=None)
@given(
    st.sampled_from((*FORMATS, "PDF")),
    st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)), min_size=1, max_size=12),
    st.floats(0, 1),
)
def test_changed_bytes_give_a_result_or_one_sentence(kind: str, changes: list[tuple[float, int]], kept: float) -> None:
    """Bytes changed anywhere, mostly in the header, and truncated files give a result or a PhotoError, nothing else."""
    data = bytearray(whole_file(kind))
    for place, value in changes:
        data[int(place**3 * len(data))] = value
    del data[int(len(data) * max(kept, 0.1)) :]
    try:
        result = scan_photo(bytes(data), limits=Limits(max_pixels=1_000_000, seconds=0.5))
    except PhotoError as error:
        assert str(error).endswith(".")  # noqa: PT017 - both outcomes are right
    else:
        assert {found.text for found in result.codes} <= {TEXT}


@cache
def whole_file(kind: str) -> bytes:
    """Return the page as a file of a format."""
    return pdf(GREY) if kind == "PDF" else encoded(GREY.convert("RGB"), kind)
