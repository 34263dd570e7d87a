"""What cards look like: the face of a kind, drawn once, each card's own two codes on top, and the back of them all.

Lengths are in points, y upwards, with the origin in the card's bottom left corner.
"""

from cardgen.faces.back import Back, draw_back
from cardgen.faces.draw import check_faces, draw_codes, draw_face
from cardgen.faces.face import CREAM, GOLD, INK, WHITE, Face, Look, SecondLanguage

__all__ = [
    "CREAM",
    "GOLD",
    "INK",
    "WHITE",
    "Back",
    "Face",
    "Look",
    "SecondLanguage",
    "check_faces",
    "draw_back",
    "draw_codes",
    "draw_face",
]
