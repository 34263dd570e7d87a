"""What cards look like: the face of a kind, drawn once, and each card's own two codes on top.

Lengths are in points, y upwards, with the origin in the card's bottom left corner.
"""

from cardgen.faces.codes import draw_codes
from cardgen.faces.draw import draw_face
from cardgen.faces.face import Face, Look, Words
from cardgen.faces.inks import CREAM, GOLD, INK, WHITE

__all__ = ["CREAM", "GOLD", "INK", "WHITE", "Face", "Look", "Words", "draw_codes", "draw_face"]
