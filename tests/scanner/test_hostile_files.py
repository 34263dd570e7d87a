"""Hostile files: a result or one sentence, in bounded time and memory, and the server stays up."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image

from scanner import Limits, PhotoError, scan_photo
from scanner.budget import decode_seconds
from scanner.jpegs import MOST_SCANS, has_many_scans
from scanner.photo import load, page_count
from tests.scanner import hostile_files as hostile
from tests.scanner.hostile_files import COLOUR, GREY, PAGE, TEXT
from tests.scanner.shots import encoded

if TYPE_CHECKING:
    from tests.conftest import PrintedFolder

PIXELS = 10**9
"""Refusing a file, or opening a small one, takes no longer than decoding so many pixels: 2 to 3 seconds on a laptop."""

needs_proc = pytest.mark.skipif(
    not Path("/proc/self/clear_refs").exists(), reason="the system does not tell a process its peak of memory"
)
MEASURE = """
import json, sys
from pathlib import Path
from scanner import Limits, PhotoError, scan_photo

def peak():
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) * 1024

scan_photo(Path(sys.argv[1]).read_bytes())
for name in sys.argv[2:]:
    data = Path(name).read_bytes()
    Path("/proc/self/clear_refs").write_text("5")
    before = peak()
    try:
        result = scan_photo(data, limits=Limits(seconds=0.3))
        said = "read"
    except PhotoError as error:
        said = error.reason
    print(json.dumps([Path(name).name, said, peak() - before]))
"""


def refusal(data: bytes) -> str:
    """Return why a file is refused, as the server and the command do it, or `read`."""
    worked = time.thread_time()
    try:
        page_count(data)
        scan_photo(data)
    except PhotoError as error:
        assert str(error).endswith(".")  # noqa: PT017 - both outcomes are right
        reason = error.reason
    else:
        reason = "read"
    assert time.thread_time() - worked < decode_seconds(PIXELS)
    return reason


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (hostile.tiff_of_pages(100), "read"),
        (hostile.tiff_of_pages(101), "too-many-pages"),
        (hostile.tiff_of_pages(200_000), "too-many-pages"),
        (hostile.tiff_of_pages(3, last=16), "read"),
        (hostile.tiff_of_pages(3, last=20), "truncated"),
        (hostile.tiff_of_pages(3, last=99_999_999), "truncated"),
        (hostile.jpeg_of_scans(2000), "not-a-picture"),
        (hostile.webp_of_size(16_384), "too-many-pixels"),
        (hostile.webp_of_size(8_001), "too-many-pixels"),
        (hostile.pdf_of_pages(100), "read"),
        (hostile.pdf_of_pages(101), "too-many-pages"),
        (hostile.pdf_of_pages(10_000), "too-many-pages"),
        (hostile.pdf_of_pages(1, claimed=2_000_000_000), "read"),
        (hostile.pdf_of_pages(1, claimed=-5), "read"),
        (hostile.pdf_of(hostile.CATALOG, b"<</Type/Pages/Kids[2 0 R 2 0 R]/Count 2>>"), "truncated"),
        (hostile.pdf_of(hostile.CATALOG, hostile.ONE_PAGE, hostile.pdf_page(b"", b"0 0 1e30 1e30")), "read"),
        (hostile.pdf_of(hostile.CATALOG, hostile.ONE_PAGE, hostile.pdf_page(b"", b"0 0 .001 99999")), "read"),
        (hostile.locked_pdf(), "not-a-picture"),
        (b"%PDF-1.4\n" + encoded(GREY, "JPEG"), "not-a-picture"),
        (b"PK\x03\x04" + bytes(500), "not-a-picture"),
        (encoded(COLOUR, "GIF"), "not-a-picture"),
        (encoded(COLOUR, "BMP"), "not-a-picture"),
        (encoded(COLOUR, "AVIF"), "not-a-picture"),
        (encoded(COLOUR, "JPEG2000"), "not-a-picture"),
    ],
    ids=lambda value: value if isinstance(value, str) else f"{len(value)}",
)
def test_claims_are_not_believed(data: bytes, reason: str) -> None:
    """Pages without end, circles, absurd sizes and what is no picture: told at once, each by its reason."""
    assert refusal(data) == reason


@pytest.mark.parametrize("name", [b"zTXt", b"iCCP"])
def test_packed_text_is_not_unpacked_without_end(name: bytes) -> None:
    """A PNG whose text unpacks to 200 MB is refused early."""
    import zlib  # noqa: PLC0415 - for this test alone

    assert refusal(hostile.png_with(name, b"a\0\0" + zlib.compress(bytes(200_000_000)))) == "not-a-picture"


@pytest.mark.parametrize("kind", ["JPEG", "WEBP", "PNG"])
def test_entities_are_not_put_in(kind: str) -> None:
    """A picture whose XMP data would grow to a billion words is read."""
    found = scan_photo(encoded(COLOUR, kind, xmp=hostile.laughing_xmp()))
    assert [one.text for one in found.codes] == [TEXT]


@pytest.mark.parametrize("orientation", [0, 9, 255, 65535])
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_an_orientation_that_does_not_exist_is_none(kind: str, orientation: int) -> None:
    """EXIF orientations beyond the eight leave the picture as it lies; its claimed size does not matter."""
    exif = Image.Exif()
    exif[0x0112], exif[0xA002], exif[0xA003] = orientation, 99_999, 99_999
    result = scan_photo(encoded(COLOUR, kind, exif=exif.tobytes()))
    assert (result.width, result.height) == (600, 400)
    assert [one.text for one in result.codes] == [TEXT]


@pytest.mark.parametrize("kind", ["WEBP", "PNG", "HEIF", "MPO"])
def test_only_the_first_picture_of_several_counts(kind: str) -> None:
    """Of an animation, a burst or a picture with previews the first one is read."""
    other = Image.new("RGB", COLOUR.size, "white")
    data = encoded(COLOUR.copy(), kind, save_all=True, append_images=[other, other.copy()])
    assert page_count(data) == 1
    assert [one.text for one in scan_photo(data).codes] == [TEXT]


@pytest.mark.parametrize(("scans", "many"), [(MOST_SCANS, False), (MOST_SCANS + 1, True)])
def test_scans_are_bounded_exactly(scans: int, many: bool) -> None:  # noqa: FBT001 - the table says which
    """So many scans are decoded and one more is not, counting those that every progressive JPEG has."""
    data = hostile.jpeg_of_scans(1, side=64)
    own = data.count(b"\xff\xda")
    assert has_many_scans(hostile.jpeg_of_scans(scans - own + 1, side=64)) is many


def test_scans_behind_the_picture_do_not_count() -> None:
    """A film or pictures behind a JPEG, and bytes in its comments that look like scans, are no scans of it."""
    data = encoded(GREY, "JPEG", progressive=True, comment=b"\xff\xda\0\2" * 500)
    assert not has_many_scans(data + b"\xff\xda\0\2" * 500)
    assert [one.text for one in scan_photo(data + b"\xff\xda\0\2" * 500).codes] == [TEXT]


def test_ten_thousand_tiny_codes_take_the_time_there_is() -> None:
    """A page full of codes is given back as far as it was read, and says so."""
    began = time.monotonic()
    result = scan_photo(hostile.crowd(), limits=Limits(seconds=1.0))
    # Without an end it would take a slow machine, or a busy one, far more than a minute.
    assert time.monotonic() - began < 60
    assert not result.complete or len(result.codes) == 10_000
    assert {one.text for one in result.codes} <= {TEXT}


def test_a_picture_full_of_finder_patterns_is_refused_before_it_is_searched(printed: PrintedFolder) -> None:
    """One look of zxing-cpp would take minutes, which nothing can end; the same in a corner of a picture is read."""
    with pytest.raises(PhotoError, match="full of patterns") as caught:
        scan_photo(hostile.png_of_finders(), printed.game)
    assert caught.value.reason == "too-many-codes"
    few = np.full((2000, 2000), 255, dtype=np.uint8)
    few[:800, :800] = np.asarray(Image.open(io.BytesIO(hostile.png_of_finders(800))))
    assert scan_photo(encoded(few), printed.game).codes == ()


@needs_proc
def test_memory_is_bounded_whatever_the_format(tmp_path: Path) -> None:
    """Deep, transparent, float and CMYK pictures, and bombs, take at most eight times their pixels, or 250 MB."""
    side = 3000
    files = {
        "deep.png": encoded(Image.fromarray(np.full((side, side), 40_000, np.uint16)), "PNG"),
        "clear.png": encoded(Image.new("RGBA", (side, side)), "PNG"),
        "float.tif": encoded(Image.fromarray(np.ones((side, side), np.float32)), "TIFF", compression="tiff_deflate"),
        "print.jpg": encoded(Image.new("CMYK", (side, side)), "JPEG"),
        "canvas.webp": hostile.webp_of_size(side),
        "large canvas.webp": hostile.webp_of_size(16_384),
        "pages.tif": hostile.tiff_of_pages(200_000),
        "scans.jpg": hostile.jpeg_of_scans(2000),
    }
    warm = tmp_path / "warm.png"
    warm.write_bytes(encoded(PAGE))
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    names = [tmp_path / name for name in files]
    ran = subprocess.run(
        [sys.executable, "-c", MEASURE, warm, *names], capture_output=True, text=True, check=True, timeout=120
    )
    lines = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [name for name, _, _ in lines] == list(files)
    assert {name: taken for name, _, taken in lines if taken > 8 * 3 * side * side} == {}
    assert ran.stderr == ""


def test_no_word_of_a_library_reaches_a_user(tmp_path: Path) -> None:
    """`haggle scan` says of damaged files what we say, and nothing of what the decoders print."""
    whole = encoded(COLOUR, "TIFF", compression="tiff_deflate")
    (tmp_path / "a.tif").write_bytes(whole[:200] + bytes(40) + whole[240:])
    (tmp_path / "b.tif").write_bytes(encoded(GREY.convert("1"), "TIFF", compression="group4").replace(b"\x26", b"\x91"))
    (tmp_path / "c.jpg").write_bytes(encoded(COLOUR, "JPEG")[:-3000])
    ran = subprocess.run(
        [sys.executable, "-m", "server", "scan", tmp_path], capture_output=True, text=True, check=False, timeout=120
    )
    assert all(line.startswith("haggle: ") for line in ran.stderr.splitlines())
    assert "haggle: " in ran.stderr
    assert "Decod" not in ran.stderr + ran.stdout


def test_a_picture_of_one_row_is_searched() -> None:
    """The longest picture that is taken, in each direction, gives a result."""
    for shape in ((1, 30_000), (30_000, 1), (40, 30_000)):
        assert load(encoded(np.tile(PAGE, (1, 50))[: shape[0], : shape[1]])).size
        assert scan_photo(encoded(np.resize(PAGE, shape)), limits=Limits(seconds=0.5)).width == shape[1]
