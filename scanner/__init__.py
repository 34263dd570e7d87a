"""Photographs to codes to cards, and hints for the next photograph.

`read_codes` reads any QR code in an array of pixels; `scan_photo` reads the bytes of a picture file and tells the
cards of a game. `scanner.decode.backends.available()` names the readers that this machine has.
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
