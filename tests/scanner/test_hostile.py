"""Hostile files and codes: a result or one sentence, in bounded time and memory, and never a wrong card."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
import time
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image

from cardgen.payload import ALPHABET, LENGTH
from devtools.fuzz import FINDINGS, ScanProcess, seeds
from devtools.wrong_reads import WAYS, card_texts, is_wrong, modules_of_text, run, symbol_game
from scanner import Limits, PhotoError, read_codes, scan_photo
from scanner.decode import known_codes
from scanner.decode.known_codes import Codebook, secret_bits
from scanner.decode.known_codes import encoded as bits_of
from scanner.image.load import MOST_SCANS, has_many_scans, load, page_count
from scanner.time_budget import decode_seconds
from tests.scanner import hostile_files as hostile
from tests.scanner.hostile_files import COLOUR, GREY, PAGE, TEXT
from tests.scanner.shots import GAME, encoded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).resolve().parents[2]
PIXELS = 10**9
"""Refusing a file, or opening a small one, takes no longer than decoding so many pixels: 2 to 3 seconds on a laptop."""
TRIES = 300
"""Symbols that are spoilt in every run of the tests; `python -m devtools.wrong_reads` does the same for millions."""
MEASURE = """
import json, sys
from pathlib import Path
from scanner import PhotoError, scan_photo

def peak():
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) * 1024

scan_photo(Path(sys.argv[1]).read_bytes())
for name in sys.argv[2:]:
    data = Path(name).read_bytes()
    Path("/proc/self/clear_refs").write_text("5")
    before = peak()
    try:
        scan_photo(data)
    except PhotoError:
        pass
    print(json.dumps([Path(name).name, peak() - before]))
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
        (lambda: hostile.tiff_of_pages(100), "read"),
        (lambda: hostile.tiff_of_pages(101), "too-many-pages"),
        (lambda: hostile.tiff_of_pages(200_000), "too-many-pages"),
        (lambda: hostile.tiff_of_pages(3, last=16), "read"),
        (lambda: hostile.tiff_of_pages(3, last=20), "truncated"),
        (lambda: hostile.tiff_of_pages(3, last=99_999_999), "truncated"),
        (lambda: hostile.jpeg_of_scans(2000), "not-a-picture"),
        (lambda: hostile.webp_of_size(16_384), "too-many-pixels"),
        (lambda: hostile.webp_of_size(8_001), "too-many-pixels"),
        (lambda: hostile.pdf_of_pages(100), "read"),
        (lambda: hostile.pdf_of_pages(101), "too-many-pages"),
        (lambda: hostile.pdf_of_pages(10_000), "too-many-pages"),
        (lambda: hostile.pdf_of_pages(1, claimed=2_000_000_000), "read"),
        (lambda: hostile.pdf_of_pages(1, claimed=-5), "read"),
        (lambda: hostile.pdf_of(hostile.CATALOG, b"<</Type/Pages/Kids[2 0 R 2 0 R]/Count 2>>"), "truncated"),
        (lambda: hostile.pdf_of(hostile.CATALOG, hostile.ONE_PAGE, hostile.pdf_page(b"", b"0 0 1e30 1e30")), "read"),
        (lambda: hostile.pdf_of(hostile.CATALOG, hostile.ONE_PAGE, hostile.pdf_page(b"", b"0 0 .001 99999")), "read"),
        (hostile.locked_pdf, "not-a-picture"),
        (lambda: b"%PDF-1.4\n" + encoded(GREY, "JPEG"), "not-a-picture"),
        (lambda: b"PK\x03\x04" + bytes(500), "not-a-picture"),
        (lambda: encoded(COLOUR, "GIF"), "not-a-picture"),
        (lambda: encoded(COLOUR, "BMP"), "not-a-picture"),
        (lambda: encoded(COLOUR, "AVIF"), "not-a-picture"),
        (lambda: encoded(COLOUR, "JPEG2000"), "not-a-picture"),
        # Text that unpacks to 200 MB is not unpacked.
        (lambda: hostile.png_with(b"zTXt", b"a\0\0" + zlib.compress(bytes(200_000_000))), "not-a-picture"),
        (lambda: hostile.png_with(b"iCCP", b"a\0\0" + zlib.compress(bytes(200_000_000))), "not-a-picture"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_false_claims_in_files_are_refused(data: Callable[[], bytes], reason: str) -> None:
    """Endless pages, loops, absurd sizes and files that are no pictures are refused at once, each with its reason."""
    assert refusal(data()) == reason


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_hostile_metadata_is_ignored(kind: str) -> None:
    """XMP data that expands to a billion words, invalid EXIF orientations, and wrong sizes."""
    assert [one.text for one in scan_photo(encoded(COLOUR, kind, xmp=hostile.laughing_xmp())).codes] == [TEXT]
    exif = Image.Exif()
    for orientation in (0, 9, 65535):
        exif[0x0112], exif[0xA002], exif[0xA003] = orientation, 99_999, 99_999
        result = scan_photo(encoded(COLOUR, kind, exif=exif.tobytes()))
        assert (result.width, result.height) == (600, 400)
        assert [one.text for one in result.codes] == [TEXT]


@pytest.mark.parametrize("kind", ["WEBP", "PNG", "HEIF", "MPO"])
def test_only_the_first_picture_of_a_file_is_read(kind: str) -> None:
    """For example of an animation, a burst or a picture with previews."""
    other = Image.new("RGB", COLOUR.size, "white")
    data = encoded(COLOUR.copy(), kind, save_all=True, append_images=[other, other.copy()])
    assert page_count(data) == 1
    assert [one.text for one in scan_photo(data).codes] == [TEXT]


def test_scans_of_a_progressive_jpeg_are_limited() -> None:
    """Data after a JPEG, and bytes in its comments that look like scans, are not counted."""
    scans = hostile.jpeg_of_scans(1, side=64).count(b"\xff\xda")
    assert not has_many_scans(hostile.jpeg_of_scans(MOST_SCANS - scans + 1, side=64))
    assert has_many_scans(hostile.jpeg_of_scans(MOST_SCANS - scans + 2, side=64))
    data = encoded(GREY, "JPEG", progressive=True, comment=b"\xff\xda\0\2" * 500) + b"\xff\xda\0\2" * 500
    assert not has_many_scans(data)
    assert [one.text for one in scan_photo(data).codes] == [TEXT]


@pytest.mark.parametrize(("side", "module"), [(3400, 1), (6800, 2)])
def test_ten_thousand_tiny_codes_are_scanned_within_the_time_limit(side: int, module: int) -> None:
    """Codes that were read by then are returned, and the scan says that it is not complete."""
    data = hostile.crowd(side, module)
    began = time.thread_time()
    result = scan_photo(data, limits=Limits(seconds=1.0))
    # Of the processor, with opening the picture and the last tile: all would take far more than a minute.
    assert time.thread_time() - began < 4
    assert not result.complete or len(result.codes) == 10_000
    assert {one.text for one in result.codes} <= {TEXT}


def test_a_picture_full_of_finder_patterns_is_refused_before_the_search() -> None:
    """zxing-cpp would take minutes without a way to stop it; the same pattern in a corner of a picture is searched."""
    with pytest.raises(PhotoError, match="full of patterns") as caught:
        scan_photo(hostile.png_of_finders(), GAME)
    assert caught.value.reason == "too-many-codes"
    few = np.full((2000, 2000), 255, dtype=np.uint8)
    few[:800, :800] = np.asarray(Image.open(io.BytesIO(hostile.png_of_finders(800))))
    assert scan_photo(encoded(few), GAME).codes == ()


def test_a_picture_full_of_finder_patterns_is_hardly_searched_without_a_game() -> None:
    """That holds also if they are light on dark, or if there is time."""
    dark = np.asarray(Image.open(io.BytesIO(hostile.png_of_finders(2400))).convert("L"))
    for pixels in (dark, ~dark):
        began = time.thread_time()
        assert read_codes(pixels, decodes=1000) == []
        # Of the processor: searched as a whole it takes 15 s.
        assert time.thread_time() - began < 5


@pytest.mark.skipif(
    not Path("/proc/self/clear_refs").exists(), reason="the system does not tell a process its peak of memory"
)
def test_memory_is_limited_for_all_formats(tmp_path: Path) -> None:
    """Unusual pictures, bombs, and noise that needs all passes take at most eight times their pixels."""
    side = 2000
    noise = np.kron(np.random.default_rng(5).integers(60, 200, (200, 250), np.uint8), np.ones((8, 8), np.uint8))
    photo = Image.fromarray(noise).convert("RGB")
    files = {
        "deep.png": encoded(Image.fromarray(np.full((side, side), 40_000, np.uint16)), "PNG"),
        "clear.png": encoded(Image.new("RGBA", (side, side)), "PNG"),
        "float.tif": encoded(Image.fromarray(np.ones((side, side), np.float32)), "TIFF", compression="tiff_deflate"),
        "print.jpg": encoded(Image.new("CMYK", (side, side)), "JPEG"),
        "canvas.webp": hostile.webp_of_size(side),
        "large canvas.webp": hostile.webp_of_size(16_384),
        "pages.tif": hostile.tiff_of_pages(200_000),
        "scans.jpg": hostile.jpeg_of_scans(2000),
        **{f"photo.{kind}": encoded(photo, kind, resolution=300.0) for kind in ("JPEG", "HEIF", "PDF")},
    }
    for name, data in (("warm.png", encoded(PAGE)), *files.items()):
        (tmp_path / name).write_bytes(data)
    ran = subprocess.run(
        [sys.executable, "-c", MEASURE, *(tmp_path / name for name in ("warm.png", *files))],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    taken = dict(json.loads(line) for line in ran.stdout.splitlines())
    assert list(taken) == list(files)
    most = {name: 8 * 3 * (noise.size if name.startswith("photo") else side * side) for name in files}
    assert {name: size for name, size in taken.items() if size > most[name]} == {}
    assert ran.stderr == ""


def test_messages_of_libraries_are_not_shown(tmp_path: Path) -> None:
    """`haggle scan` prints its own messages about damaged files, and nothing that the decoders print."""
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


def test_the_longest_allowed_picture_is_searched() -> None:
    for shape in ((1, 30_000), (30_000, 1), (40, 30_000)):
        assert scan_photo(encoded(np.resize(PAGE, shape)), limits=Limits(seconds=0.5)).width == shape[1]
    assert load(encoded(np.zeros((1, 30_000), dtype=np.uint8))).size == 30_000


def test_damaged_files_give_a_result_or_one_sentence(request: pytest.FixtureRequest) -> None:
    """Files of every format with wrong parts, numbers and ends cause no crash, traceback or message of a library.

    The cases are always the same; HAGGLE_FUZZ_SECONDS and `--all` try more of them.
    """
    seconds = os.environ.get("HAGGLE_FUZZ_SECONDS") or ("120" if request.config.getoption("all") else "")
    arguments = ["--seconds", seconds] if seconds else ["--files", "50"]
    command = [sys.executable, "-m", "devtools.fuzz", *arguments]
    output = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    *findings, tried, end = output.splitlines()
    assert findings == []
    assert end == "0 findings"
    # Some of the cases can be read, and some cannot.
    assert set(re.findall(r"[a-z-]+", tried)) >= {"read", "not-a-picture", "truncated"}


@pytest.fixture(scope="module")
def scan_process() -> Iterator[ScanProcess]:
    """Start a process that scans, for all files."""
    with ScanProcess() as one:
        yield one


def test_intact_files_are_read_or_refused_for_their_format(scan_process: ScanProcess) -> None:
    """The fuzzer starts from files that can be read, or whose format is not accepted."""
    for place, (kind, data) in enumerate(seeds()):
        refused = kind == "bytes" or b"ftypavif" in data[:32]
        assert scan_process.scan(data) == ("not-a-picture" if refused else "read", ""), place


@pytest.mark.parametrize("path", sorted(FINDINGS.glob("*.bin")), ids=lambda path: path.stem)
def test_files_that_once_caused_failures_are_handled(scan_process: ScanProcess, path: Path) -> None:
    assert scan_process.scan(path.read_bytes())[1] == ""


def test_damaged_symbols_are_never_misread() -> None:
    """After flips, bursts, blends and forgeries all module decoders return the right text or none.

    The same holds for the whole search, with the game's key and without.
    """
    tally = run(0, TRIES, stop=time.monotonic() + 60)
    assert tally.wrong == []
    # Some of the cases can be read, and some cannot.
    for way in WAYS:
        tried, read = tally.tried[way.__name__], tally.read[way.__name__]
        assert read < tried
        assert (read > 0) is (way.__name__ != "nothing")
    assert run(500_000, len(WAYS) * 4, pictures=1, stop=time.monotonic() + 60).wrong == []
    # Near misses in one or two characters that a run of a million found.
    for number in (193_052, 215_336, 335_744, 495_920, 768_740):
        assert run(number, 1).wrong == []
    # Another card than that of the symbol is misread, and so is a text in our format that was never printed.
    one, other = card_texts()[:2]
    for text, wrong in ((one, False), (other, True), ("H" + "0" * (LENGTH - 1), True), ("https://example.org", False)):
        assert is_wrong(text, frozenset({one}), symbol_game()) is wrong


@pytest.mark.parametrize("noise", [0.0, 0.6])
def test_the_most_similar_wrong_texts_are_no_cards(noise: float) -> None:
    """They differ in one character and agree best with a card in the secret bits."""
    pairs = [
        (text, near)
        for text in card_texts()[:40]
        for place in range(1, LENGTH)
        for letter in ALPHABET.replace(text[place], "")
        if (near := text[:place] + letter + text[place + 1 :]) not in card_texts()
    ]
    true, off = (bits_of([pair[which] for pair in pairs]) for which in (0, 1))
    agree = (true == off)[:, secret_bits()].mean(axis=1)
    worst = np.argsort(-agree)[:60]
    # Without the last check these would be identified as cards: their correlation is as high as that of cards in noise.
    assert float(agree[worst[0]]) > 0.8
    chance = np.random.default_rng(1)
    book = Codebook.of(symbol_game())
    for place in worst:
        modules = modules_of_text(pairs[place][1], 2)
        noisy = modules + np.float32(noise) * chance.standard_normal(modules.shape, dtype=np.float32)
        assert known_codes.best_match(noisy, book)[0] is None
