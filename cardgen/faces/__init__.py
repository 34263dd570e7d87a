"""Cards as drawings: faces, the codes on top of them, and backs.

Lengths are in points, with y upwards and the origin in the card's bottom left corner.
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
