"""Fuzz test of the scanner: `python -m devtools.fuzz --seconds 3600`, in the development environment.

Each file is scanned in a separate process with limited memory and time, as in the server. A result or one of our error
messages is correct; anything else is printed at once and saved in `tests/scanner/findings`, which the tests scan from
then on. A case's number reproduces its file. The process has a low priority.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import io
import json
import math
import os
import re
import select
import struct
import subprocess
import sys
import tempfile
import time
import warnings
import zlib
from collections import Counter
from functools import cache
from itertools import count, pairwise
from pathlib import Path
from typing import IO, TYPE_CHECKING, Self

import cv2
import numpy as np
import pillow_heif
from PIL import Image
from rich.console import Console

from cardgen.payload import card_text
from cardgen.qr import matrix
from devtools.photo_simulator.cards import practice_game
from scanner import Limits, PhotoError, scan_photo
from scanner.image.load import page_count
from server.games.photos.scan_pool import silence_stderr
from server.operating_system import limit_memory_growth
from server.printing.contents import dealt_cards

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    import numpy.typing as npt

    from cardgen.cards import PrintedGame

    Chance = np.random.Generator
    Picture = npt.NDArray[np.uint8]

pillow_heif.register_heif_opener()

PNG_START = b"\x89PNG\r\n\x1a\n"

# Numbers that often cause errors.
_ODD = (0, 1, 2, 3, 7, 8, 9, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)

# Limits of the number of repetitions of a part, and of the resulting bytes.
_TIMES = 300
_LARGEST = 200_000

_PDF_PART = re.compile(rb"(?<=endobj)|(?<=stream)|(?=/)|(?=\d+ \d+ R)")


@cache
def game() -> PrintedGame:
    """Return the game of the cards in valid files."""
    return practice_game("eurocg-2026", 12, "fuzz")


@cache
def texts() -> frozenset[str]:
    """Return the texts of the codes in valid files."""
    return frozenset(card_text(game(), card) for card in dealt_cards(game())[:2])


@cache
def good_picture() -> Picture:
    """Return a small picture with two codes."""
    codes = [np.pad(np.array(matrix(text)), 3) for text in sorted(texts())]
    return np.where(np.hstack(codes), 0, 255).astype(np.uint8).repeat(4, axis=0).repeat(4, axis=1)


def saved(image: Image.Image, kind: str, *more: Image.Image, **options: object) -> bytes:
    """Return one or more pictures as the bytes of a file."""
    file = io.BytesIO()
    # Save copies, since saving adds settings of the format to a picture.
    if more:
        options |= {"save_all": True, "append_images": [one.copy() for one in more]}
    image.copy().save(file, kind, **options)
    return file.getvalue()


@cache
def seeds() -> tuple[tuple[str, bytes], ...]:
    """Return valid files, each with the format by which it is divided into parts."""
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
    """Divide a JPEG at its markers."""
    cuts = [match.start() for match in re.finditer(rb"\xff[\xc0-\xfe]", data)]
    return _cut(data, cuts)


def png_parts(data: bytes) -> list[bytes]:
    """Divide a PNG into its signature and its chunks, without their lengths and checksums."""
    parts, place = [data[:8]], 8
    while place + 8 <= len(data):
        (length,) = struct.unpack_from(">I", data, place)
        parts.append(data[place + 4 : place + 8 + length])
        place += 12 + length
    return parts


def png_joined(parts: list[bytes]) -> bytes:
    """Join chunks with valid lengths and checksums, so that errors are deeper in the file."""
    chunks = [
        part
        if part == PNG_START
        else struct.pack(">I", max(len(part) - 4, 0)) + part + struct.pack(">I", zlib.crc32(part))
        for part in parts
    ]
    return b"".join(chunks)


def box_parts(data: bytes) -> list[bytes]:
    """Divide a HEIF file at the starts of boxes, including nested ones."""
    return _cut(data, [match.start() - 4 for match in re.finditer(rb"(?<=.{4})[a-z][a-zA-Z0-9]{3}", data, re.DOTALL)])


def riff_parts(data: bytes) -> list[bytes]:
    """Divide a WebP file at its chunks."""
    return _cut(data, [match.start() for match in re.finditer(rb"VP8[ LX]|ANIM|ANMF|ALPH|EXIF|ICCP|XMP ", data)])


def tiff_parts(data: bytes) -> list[bytes]:
    """Divide a TIFF at the entries of its directories."""
    cuts = []
    order = "<" if data[:2] == b"II" else ">"
    (place,) = struct.unpack_from(order + "I", data, 4)
    # Directories may form a cycle.
    while place and place not in cuts and place + 2 < len(data):
        (number,) = struct.unpack_from(order + "H", data, place)
        cuts += [place, *(place + 2 + 12 * entry for entry in range(number + 1))]
        end = place + 2 + 12 * number
        place = struct.unpack_from(order + "I", data, end)[0] if end + 4 <= len(data) else 0
    return _cut(data, cuts)


def pdf_parts(data: bytes) -> list[bytes]:
    """Divide a PDF at its objects, names and references."""
    return _PDF_PART.split(data)


def byte_parts(data: bytes) -> list[bytes]:
    """Divide any file into a few pieces."""
    return [data[index : index + 32] for index in range(0, len(data), 32)]


def _cut(data: bytes, cuts: list[int]) -> list[bytes]:
    places = sorted({0, len(data), *(cut for cut in cuts if 0 < cut < len(data))})
    return [data[one:other] for one, other in pairwise(places)]


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
    """Return the hostile file of a number."""
    chance = np.random.default_rng([number, 4])
    if not number % 9:
        return odd_picture(chance)
    kind, data = seeds()[int(chance.integers(len(seeds())))]
    for _ in range(int(chance.integers(1, 4))):
        way = int(chance.integers(4))
        data = _parts_changed(kind, data, chance) if way < 2 else _bytes_changed(data, chance)  # noqa: PLR2004 - half
    return data


def odd_picture(chance: Chance) -> bytes:
    """Return a valid file with an unusual picture: of any shape, with noise, stripes, or pieces of codes."""
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
    """Drop, repeat, swap or corrupt parts of a file."""
    cut, join = _CUTTERS[kind]
    try:
        parts = cut(data)
    except struct.error:
        # A file that was corrupted before may not be divisible.
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
    """Flip bits, insert odd numbers, delete, duplicate, or truncate."""
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


FINDINGS = Path(__file__).resolve().parents[1] / "tests" / "scanner" / "findings"
LIMITS = Limits(max_pixels=4_000_000, seconds=1.0, decodes=3)
"""Smaller limits than usual, so that more files can be tried."""

SLOW = 4.0
"""CPU seconds above which a file of a few kilobytes is too slow."""

PATIENCE = 25.0
"""Seconds after which the process is killed, as in the server."""

_OURS = re.compile(
    r"The file (is empty|has )|The picture (is damaged|has |needs )|This is not a picture|This JPEG is stored"
    r"|This PDF cannot be opened|Page \d+ |The PDF has "
)
_SLOWLY = "took"

# Bytes above those of an idle process, far more than four megapixels need.
_MEMORY = 400_000_000


def verdict(data: bytes) -> tuple[str, str]:
    """Scan a file; return `read` or the reason of a refusal, and a description of an error, if any."""
    worked = time.thread_time()
    wrong = ""
    try:
        with silence_stderr():
            page_count(data, LIMITS)
            result = scan_photo(data, game(), limits=LIMITS)
    except PhotoError as error:
        outcome, message = error.reason, str(error)
        if not (_OURS.match(message) and message.endswith(".") and "\n" not in message):
            wrong = f"says: {message}"
    except Exception as error:  # noqa: BLE001 - unexpected exceptions are findings
        outcome, wrong = "raised", f"{type(error).__name__}: {error}"
    else:
        outcome = "read"
        misread = {code.text for code in result.codes if code.card is not None} - texts()
        if misread:
            wrong = f"misread {sorted(misread)}"
    if not wrong and time.thread_time() - worked > SLOW:
        wrong = f"{_SLOWLY} {time.thread_time() - worked:.1f} s"
    return outcome, wrong


class ScanProcess:
    """A process that scans one file after the other. Other output than its answers counts as an error."""

    def __init__(self) -> None:
        self._output: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed with this object
        self._process = self._started()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._end()
        self._output.close()

    def scan(self, data: bytes) -> tuple[str, str]:
        """Return the result of `verdict`, or how the process ended."""
        if self._process.poll() is not None:
            self._process = self._started()
        pipes = self._process
        assert pipes.stdin is not None  # noqa: S101 - it was opened with pipes
        assert pipes.stdout is not None  # noqa: S101 - as above
        before = os.fstat(self._output.fileno()).st_size
        with contextlib.suppress(BrokenPipeError):
            pipes.stdin.write(b"%d\n" % len(data) + data)
            pipes.stdin.flush()
        ready, _, _ = select.select([pipes.stdout], [], [], PATIENCE)
        line = pipes.stdout.readline() if ready else b""
        if not line:
            hung = not ready
            self._end()
            # PDFium aborts its process when memory is exhausted, which the server reports as an error of the photo.
            return "ended", f"hung for {PATIENCE:.0f} s" if hung else f"died: {self._output_since(before)[-300:]!r}"
        outcome, wrong = json.loads(line)
        return outcome, wrong or self._output_since(before)

    def _output_since(self, start: int) -> str:
        size = os.fstat(self._output.fileno()).st_size
        return os.pread(self._output.fileno(), size - start, start).decode("utf-8", "replace").strip()

    def _started(self) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-W", "error", "-m", "devtools.fuzz", "--victim"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._output,
            cwd=FINDINGS.parents[2],
        )
        assert process.stdout is not None  # noqa: S101 - it was opened with pipes
        process.stdout.readline()
        return process

    def _end(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()


def serve() -> None:
    """Scan files from standard input, each after a line with its length, and answer each with a line."""
    cv2.setNumThreads(1)
    warnings.simplefilter("error")
    verdict(case(0))
    limit_memory_growth(_MEMORY)
    print("ready", flush=True)
    while line := sys.stdin.buffer.readline():
        print(json.dumps(verdict(sys.stdin.buffer.read(int(line)))), flush=True)


def fuzz(
    first: int,
    seconds: float,
    files: int | None = None,
    keep: Path | None = None,
    tell: Callable[[str], None] | None = None,
) -> tuple[Counter[str], list[str]]:
    """Try cases by number; return the counts of results, and a line for each finding.

    It ends after some seconds, or after a number of `files`. Findings are saved in the folder `keep`, and `tell` is
    called with each line at once.
    """
    outcomes: Counter[str] = Counter()
    findings: list[str] = []
    numbers = count(first) if files is None else range(first, first + files)
    with ScanProcess() as victim:
        until = time.monotonic() + seconds if files is None else math.inf
        for number in numbers:
            if time.monotonic() >= until:
                break
            data = case(number)
            outcome, wrong = victim.scan(data)
            if wrong.startswith(_SLOWLY):
                # Try again, since the machine may have been busy.
                outcome, wrong = victim.scan(data)
            outcomes[outcome] += 1
            if wrong:
                findings.append(f"case {number} ({outcome}): {wrong}")
                if keep is not None:
                    (keep / f"{hashlib.sha256(data).hexdigest()[:12]}.bin").write_bytes(data)
                if tell is not None:
                    tell(findings[-1])
    return outcomes, findings


def main() -> None:
    """Run the command; exits with 1 if there were findings."""
    parser = argparse.ArgumentParser(prog="python -m devtools.fuzz", description="Give the scanner hostile files.")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long (default: %(default)s)")
    parser.add_argument("--files", type=int, help="how many files instead, however long they take")
    parser.add_argument("--first", type=int, default=0, help="number of the first case (default: %(default)s)")
    parser.add_argument("--keep", type=Path, default=FINDINGS, help="folder for what goes wrong (default: %(default)s)")
    parser.add_argument("--victim", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.victim:
        serve()
        return
    options.keep.mkdir(parents=True, exist_ok=True)
    os.nice(19)
    console = Console(highlight=False, soft_wrap=True)
    outcomes, findings = fuzz(
        options.first,
        options.seconds,
        options.files,
        options.keep,
        lambda line: console.print(line, markup=False),
    )
    console.print(
        f"{outcomes.total():,} files: " + ", ".join(f"{count:,} {name}" for name, count in outcomes.most_common())
    )
    console.print(f"{len(findings)} findings" + (f", kept in {options.keep}" if findings else ""))
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
