"""Simulated decks and photographs that the scanner's tests share."""

from __future__ import annotations

import io
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import cv2
import numpy as np
import zxingcpp
from PIL import Image

from benchmarks.scan.measure import judge
from benchmarks.scan.pictures import known_picture
from cardgen.payload import card_text
from devtools.photo_simulator import photograph
from devtools.photo_simulator.cards import practice_game, printed_faces
from devtools.photo_simulator.profiles import SCENES, SENSORS
from server.printing.contents import dealt_cards
from tests.shared_cache import SHARED_CACHE

if TYPE_CHECKING:
    import numpy.typing as npt

    from benchmarks.scan.measure import Tally
    from devtools.photo_simulator.cards import PrintedFace
    from devtools.photo_simulator.photograph import Photograph, PlacedCode
    from devtools.photo_simulator.profiles import Scene
    from scanner import ScanResult

    Picture = npt.NDArray[np.uint8]

GAME = practice_game("eurocg-2026", 12, "scanner tests")
OTHER_GAME = practice_game("eurocg-2026", 12, "another game")
CARDS = dealt_cards(GAME)
MOST = 20
TEXTS = {card.name: card_text(GAME, card) for card in CARDS}


@cache
def _faces() -> list[PrintedFace]:
    return SHARED_CACHE.once("faces", lambda: printed_faces(GAME, CARDS[:MOST], dpi=220))


def deck(size: int) -> list[PrintedFace]:
    """Return the first dealt cards of the game as they are printed, at most `MOST`."""
    return _faces()[:size]


def scene(profile: str) -> Scene:
    """Return the scene of a profile; those of 12 megapixels with 5, which are rendered and scanned in half the time."""
    found = SCENES[profile]
    width, height = SENSORS[5] if (found.width, found.height) == SENSORS[12] else (found.width, found.height)
    return replace(found, width=width, height=height)


@cache
def shot(profile: str, size: int, seed: str = "a") -> Photograph:
    """Return the photograph of a deck in a profile, shared by the tests of the simulator and of the scanner."""
    name = f"{profile}/{seed}"
    return SHARED_CACHE.once(f"shot {size} {name}", lambda: photograph(deck(size), scene(profile), name))


def taken(scene: Scene, size: int, seed: str = "a") -> Photograph:
    """Return the photograph of a deck in any scene, shared by all tests."""
    return SHARED_CACHE.once(f"taken {size} {seed} {scene}", lambda: photograph(deck(size), scene, seed))


def judged(result: ScanResult, photo: Photograph) -> Tally:
    """Return what was read of a photograph, what was misread, and which unread cards were named."""
    reads = [(one.text, np.array(one.quad)) for one in result.codes]
    return judge(known_picture("photo.jpg", photo, TEXTS), reads, 0.0, result).tally


def spoiled(photo: Photograph, *codes: PlacedCode, share: float = 0.62, grey: int = 235) -> bytes:
    """Return a photograph with the lower right part of codes covered, so that they can be located but not read."""
    pixels = bgr(photo.jpeg)
    for one in codes:
        quad = np.array(one.quad)
        cv2.fillConvexPoly(pixels, (quad[2] + (quad - quad[2]) * share).astype(np.int32), (grey, grey, grey))
    return encoded(pixels)


def code(text: str, module: int = 4, quiet: int = 4) -> Picture:
    """Return a QR code with its quiet zone as grey pixels."""
    barcode = zxingcpp.create_barcode(text, zxingcpp.BarcodeFormat.QRCode, ec_level="M")
    modules = np.array(barcode.to_image(scale=1, add_quiet_zones=False), dtype=np.uint8)
    return np.kron(np.pad(modules, quiet, constant_values=255), np.ones((module, module), dtype=np.uint8))


def page(*placed: tuple[str, int, int], size: tuple[int, int] = (400, 600), module: int = 4) -> Picture:
    """Return a white page of (height, width) pixels with codes, each given as (text, x, y) of its upper left corner."""
    pixels = np.full(size, 255, dtype=np.uint8)
    for text, x, y in placed:
        drawn = code(text, module)
        pixels[y : y + drawn.shape[0], x : x + drawn.shape[1]] = drawn
    return pixels


def encoded(pixels: Picture | Image.Image, kind: str = "PNG", **options: object) -> bytes:
    """Return pixels as the bytes of a file."""
    image = pixels if isinstance(pixels, Image.Image) else Image.fromarray(pixels)
    data = io.BytesIO()
    if kind == "PNG":
        # Large pictures are packed several times faster so.
        options.setdefault("compress_level", 1)
    elif kind == "HEIF":
        options.setdefault("enc_params", {"preset": "ultrafast"})
    image.save(data, kind, **options)
    return data.getvalue()


def bgr(data: bytes) -> Picture:
    """Return the pixels of a JPEG file."""
    return np.asarray(cv2.imdecode(np.frombuffer(data, dtype=np.uint8), cv2.IMREAD_COLOR), dtype=np.uint8)
