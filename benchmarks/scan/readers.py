"""The readers that are measured side by side: each from a picture to texts and the places where they are."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import cv2
import numpy as np
import zxingcpp

from scanner import read_codes, scan_photo
from scanner.decode.backends import Pyzbar, Zxing, available
from scanner.image.load import DEFAULT_LIMITS
from scanner.time_budget import DECODES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cardgen.cards import PrintedGame
    from scanner.decode.backends import DecodedCode
    from scanner.decode.backends import Reader as Backend
    from scanner.result import Grey, Quad, ScanResult

    Reads = list[tuple[str, Quad]]
    Reader = Callable[[bytes, Grey, PrintedGame | None], "Outcome"]

OURS = "haggle"

# Our own clock is not to stop a search because others use the machine: the bound on its work is kept.
_WALL_SECONDS = 60.0

_WARM_UPS = 5


@dataclass(frozen=True, eq=False)
class Outcome:
    """The reading of a picture, and the processor's seconds that it took; `result` is that of our own scan."""

    seconds: float
    reads: Reads
    result: ScanResult | None = None


BACKENDS: Mapping[str, Backend] = {"zxing-cpp": Zxing(), "pyzbar": Pyzbar()}
"""The scanner's decoders alone, by name."""
NAMES = (OURS, "haggle-any", *BACKENDS, "opencv", "opencv-aruco")
"""All names that may be asked for."""


def readers(wanted: Sequence[str] | None = None, decodes: float = DECODES) -> tuple[dict[str, Reader], dict[str, str]]:
    """Return every reader of this machine by its name, ours first, and the names of others with why they are missing.

    Each takes a file's bytes, its pixels and the game, if any. Ours opens the file itself; `haggle-any` is ours
    without a game, on pixels. `wanted` names the ones that are needed; by default all but `haggle-any` are. Ours may
    take `decodes` times as long as decoding; a limit high enough does not depend on how busy the machine is.
    """
    ready: dict[str, Reader] = {
        OURS: partial(_ours, decodes=decodes),
        "haggle-any": lambda _data, grey, _game: _timed(lambda: _read_any(grey, decodes)),
        **{name: partial(_backend, backend) for name, backend in BACKENDS.items()},
        "opencv": lambda _data, grey, _game: _timed(lambda: _opencv(cv2.QRCodeDetector(), grey)),
        "opencv-aruco": lambda _data, grey, _game: _timed(lambda: _opencv(cv2.QRCodeDetectorAruco(), grey)),
    }
    missing = {}
    if "pyzbar" not in available():
        del ready["pyzbar"]
        missing["pyzbar"] = "the system has no libzbar (Debian: apt install libzbar0; Mac: brew install zbar)"
    names = [name for name in ready if name != "haggle-any"] if wanted is None else wanted
    return {name: ready[name] for name in names if name in ready}, missing


def warm_up(readers: Mapping[str, Reader]) -> None:
    """Let each reader load what it loads once on a small page of codes."""
    row = [zxingcpp.create_barcode(f"WARM UP {number}", zxingcpp.BarcodeFormat.QRCode) for number in range(4)]
    grey = np.tile(np.hstack([np.array(one.to_image(scale=4), dtype=np.uint8) for one in row]), (4, 1))
    data = cv2.imencode(".jpg", grey)[1].tobytes()
    for reader in readers.values():
        for _ in range(_WARM_UPS):
            reader(data, grey, None)


def decode_seconds(data: bytes, tries: int = 3) -> float:
    """Return the processor's seconds for decoding a file to colour by OpenCV: the fastest of some tries.

    0 for formats that OpenCV does not open.
    """
    pixels = np.frombuffer(data, dtype=np.uint8)
    seconds = []
    for _ in range(tries):
        began = time.process_time()
        if cv2.imdecode(pixels, cv2.IMREAD_COLOR) is None:
            return 0.0
        seconds.append(time.process_time() - began)
    return min(seconds)


def _ours(data: bytes, _grey: Grey, game: PrintedGame | None, *, decodes: float) -> Outcome:
    began = time.process_time()
    result = scan_photo(data, game, limits=replace(DEFAULT_LIMITS, seconds=_WALL_SECONDS, decodes=decodes))
    seconds = time.process_time() - began
    return Outcome(seconds, [(code.text, np.array(code.quad)) for code in result.codes], result)


def _read_any(grey: Grey, decodes: float) -> Reads:
    return [(code.text, code.quad) for code in read_codes(grey, _WALL_SECONDS, decodes)]


def _backend(backend: Backend, _data: bytes, grey: Grey, _game: PrintedGame | None) -> Outcome:
    return _timed(lambda: _read(backend(grey)))


def _timed(read: Callable[[], Reads]) -> Outcome:
    began = time.process_time()
    reads = read()
    return Outcome(time.process_time() - began, reads)


def _read(found: Sequence[DecodedCode]) -> Reads:
    return [(one.text, one.quad) for one in found if one.text is not None]


def _opencv(detector: cv2.QRCodeDetector | cv2.QRCodeDetectorAruco, grey: Grey) -> Reads:
    try:
        _, texts, quads, _ = detector.detectAndDecodeMulti(grey)
    except (cv2.error, UnicodeDecodeError):
        # On some codes OpenCV fails instead of finding nothing; it then read nothing.
        return []
    if not len(texts):
        return []
    return [(text, np.asarray(quad, dtype=np.float64)) for text, quad in zip(texts, quads, strict=True) if text]
