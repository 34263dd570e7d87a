"""Cards as drawings: faces, the codes on top of them, and backs.

Lengths are in points, with y upwards and the origin in the card's bottom left corner.
"""
