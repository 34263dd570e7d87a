"""Removal of metadata from photographs, which keeps pixels and orientation."""

from __future__ import annotations

import io
import struct
import time
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from scanner.image.load import DEFAULT_LIMITS
from scanner.image.load import MAX_SIDE as SCANNER_SIDE
from scanner.time_budget import decode_seconds
from server.games.photos.image import MAX_PIXELS, MAX_SIDE, ImageError, is_foreign, strip

SECRET = b"the maker's name"
ORIENTATION = 0x0112
PIXELS = 5 * 10**8
"""Decoding this many pixels takes a second, and about ten on a slow machine."""
FORMS: list[tuple[str, dict[str, Any]]] = [
    ("JPEG", {}),
    ("JPEG", {"progressive": True, "comment": SECRET}),
    ("JPEG", {"icc_profile": SECRET}),
    ("PNG", {"icc_profile": SECRET}),
    ("WEBP", {}),
    ("WEBP", {"lossless": True, "icc_profile": SECRET, "xmp": SECRET}),
]


def file_of(form: str, options: dict[str, Any], orientation: int | None, mode: str = "RGB") -> bytes:
    """Return an image file with metadata everywhere, and bytes after its end."""
    pixels = np.random.default_rng(1).integers(0, 255, (40, 61, 4), dtype=np.uint8)
    image = Image.fromarray(pixels, "RGBA").convert(mode) if mode != "CMYK" else Image.fromarray(pixels, "CMYK")
    exif = Image.Exif()
    exif[0x010F] = SECRET.decode()
    if orientation:
        exif[ORIENTATION] = orientation
    out = io.BytesIO()
    image.save(out, form, exif=exif, **options)
    return out.getvalue() + SECRET


def shown(data: bytes) -> tuple[np.ndarray[Any, Any], int]:
    """Return the decoded pixels and the orientation."""
    with Image.open(io.BytesIO(data)) as image:
        return np.asarray(image.convert("RGBA")), image.getexif().get(ORIENTATION, 1)


def refusal_of(data: bytes) -> str | None:
    """Return why a file is refused, or None."""
    try:
        strip(data)
    except ImageError as error:
        return error.reason if str(error).endswith(".") else f"no sentence: {error}"
    return None


@pytest.mark.parametrize(("form", "options"), FORMS)
def test_metadata_is_removed_and_pixels_stay(form: str, options: dict[str, Any]) -> None:
    for orientation in (None, 1, 3, 6, 8):
        data = file_of(form, options, orientation)
        assert SECRET in data
        stripped = strip(data)
        assert not is_foreign(stripped)
        assert SECRET not in stripped
        with Image.open(io.BytesIO(stripped)) as image:
            # Compressed profiles do not contain their text.
            assert not {"icc_profile", "xmp", "comment"} & image.info.keys()
        before, after = shown(data), shown(stripped)
        assert (before[0] == after[0]).all()
        assert after[1] == before[1] == (orientation or 1)
        assert strip(stripped) == stripped


@pytest.mark.parametrize(
    ("form", "mode"), [("JPEG", "L"), ("JPEG", "CMYK"), ("PNG", "P"), ("PNG", "LA"), ("WEBP", "RGBA")]
)
def test_colours_do_not_change(form: str, mode: str) -> None:
    data = file_of(form, {}, None, mode)
    assert (shown(data)[0] == shown(strip(data))[0]).all()


def test_metadata_in_unusual_places_is_removed() -> None:
    """Behind the 12 bytes of Adobe's marker, in unused segments, in a second header of a WebP, in a second picture."""
    jpeg = file_of("JPEG", {}, None, "CMYK").removesuffix(SECRET)
    mark = jpeg.index(b"\xff\xee")
    longer = jpeg[:mark] + b"\xff\xee" + struct.pack(">H", 14 + len(SECRET)) + jpeg[mark + 4 : mark + 16] + SECRET
    head = struct.pack(">H", 2 + len(SECRET)) + SECRET
    strange = b"".join(bytes([0xFF, marker]) + head for marker in (0xF0, 0xC8, 5))
    odd = longer + strange + jpeg[mark + 16 :]
    assert odd.count(SECRET) > jpeg.count(SECRET) + 3
    assert strip(odd) == strip(jpeg) == strip(jpeg + file_of("JPEG", {"quality": 30}, 6))
    assert (shown(strip(odd))[0] == shown(jpeg)[0]).all()
    webp = strip(file_of("WEBP", {"lossless": True}, None))
    more = b"VP8L" + struct.pack("<I", 6 + len(SECRET)) + webp[20:26] + SECRET
    body = webp[8:] + more + b"\0" * (len(more) % 2)
    assert strip(b"RIFF" + struct.pack("<I", len(body)) + body) == webp


@pytest.mark.parametrize("form", ["TIFF", "HEIF", "PDF"])
def test_other_formats_are_left_to_the_scan(form: str) -> None:
    out = io.BytesIO()
    Image.new("RGB", (9, 9)).save(out, form)
    stripped = strip(out.getvalue())
    assert stripped == out.getvalue()
    assert is_foreign(stripped)


def header(width: int, height: int, form: str) -> bytes:
    """Return a file that declares an image size."""
    out = io.BytesIO()
    Image.new("L", (1, 1)).save(out, form, **({"lossless": True} if form == "WEBP" else {}))
    data = bytearray(out.getvalue())
    if form == "PNG":
        data[16:24] = struct.pack(">II", width, height)
    elif form == "JPEG":
        position = data.index(b"\xff\xc0")
        data[position + 5 : position + 9] = struct.pack(">HH", height, width)
    else:
        position = data.index(b"VP8L") + 9
        data[position : position + 4] = struct.pack("<I", (width - 1) | (height - 1) << 14)
    return bytes(data)


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP"])
def test_the_number_of_pixels_is_limited_before_decoding(form: str) -> None:
    side = 8000
    assert side * side == MAX_PIXELS == DEFAULT_LIMITS.max_pixels
    assert MAX_SIDE == SCANNER_SIDE
    heights = [refusal_of(header(side, side + more, form)) for more in (-1, 0, 1)]
    assert heights == [None, None, "too-many-pixels"]
    if form != "WEBP":
        assert refusal_of(header(MAX_SIDE, 1, form)) is None
        assert refusal_of(header(MAX_SIDE + 1, 1, form)) == "too-many-pixels"


def test_other_files_are_refused() -> None:
    """Animations are refused since each frame may have metadata, and nobody photographs cards this way."""
    files = (b"", b"Dear Ada", b"GIF89a" + bytes(50))
    assert [refusal_of(data) for data in files] == ["empty", "not-a-picture", "not-a-picture"]
    frames = [Image.new("RGB", (20, 20), colour) for colour in ("red", "blue")]
    out = io.BytesIO()
    frames[0].save(out, "WEBP", save_all=True, append_images=frames[1:])
    with pytest.raises(ImageError, match="animated"):
        strip(out.getvalue())


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(FORMS), st.data())
def test_damaged_files_are_refused_or_accepted(form: tuple[str, dict[str, Any]], data: st.DataObject) -> None:
    whole = bytearray(file_of(*form, 6).removesuffix(SECRET))
    for _ in range(data.draw(st.integers(0, 3))):
        whole[data.draw(st.integers(3, min(len(whole) - 1, 400)))] = data.draw(st.integers(0, 255))
    cut = bytes(whole[: data.draw(st.integers(0, len(whole)))])
    assert refusal_of(cut) in {None, "empty", "truncated", "not-a-picture", "too-many-pixels"}


@pytest.mark.parametrize(
    "data",
    [
        b"\xff\xd8\xff" + b"\xff" * 20_000_000,
        b"\xff\xd8" + b"\xff\xe5\0\x02" * 5_000_000,
        b"\x89PNG\r\n\x1a\n" + (struct.pack(">I", 0) + b"abcd" + bytes(4)) * 1_500_000,
        b"RIFF" + struct.pack("<I", 20_000_000) + b"WEBP" + (b"abcd" + bytes(4)) * 2_500_000,
    ],
    ids=["JPEG without an end", "JPEG of segments", "PNG of chunks", "WebP of chunks"],
)
def test_hostile_files_are_fast(data: bytes) -> None:
    """A file with millions of segments is refused quickly, since it is parsed in the server process."""
    began = time.thread_time()
    with pytest.raises(ImageError):
        strip(data)
    assert time.thread_time() - began < decode_seconds(PIXELS)
