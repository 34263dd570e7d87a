"""Read QR codes, and the cards of a game, in photographs.

`read_codes` reads all QR codes in an array of pixels; `scan_photo` reads an image file and identifies the cards of a
game. `scanner.decode.backends.available()` lists the decoders that are installed.
"""

from scanner.image.load import Limits, PhotoError
from scanner.result import Code, Doubt, Hint, ScannedCode, ScanResult, SeenCard
from scanner.scan import read_codes, scan_pages, scan_photo

__all__ = [
    "Code",
    "Doubt",
    "Hint",
    "Limits",
    "PhotoError",
    "ScanResult",
    "ScannedCode",
    "SeenCard",
    "read_codes",
    "scan_pages",
    "scan_photo",
]
