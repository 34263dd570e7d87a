"""Renders the photos of the demo again: `python -m devtools.demo_photos`.

They are needed again after a change of the demo's decks, or of the cards of its edition.
"""

from __future__ import annotations

import io
from dataclasses import replace

from PIL import Image

from devtools.photo_simulator.cards import printed_faces, printed_label
from devtools.photo_simulator.photograph import photograph
from devtools.photo_simulator.profiles import SCENES, SENSORS
from server.demo.seed import PHOTOS, PLAYED, SAMPLES, DemoPhoto, decks_of, game_of

_WIDTH, _HEIGHT = SENSORS[5]
_DPI = 250
_QUALITY = 75

# Pixels of a preview's longer side.
_PREVIEW = 360

SCENE_OF = {
    "pink-and-red": "shadow",
    "dropped": "scatter",
    "a-bit-dark": "dim",
    "envelope-1": "wood",
    "envelope-3": "cloth",
    "envelope-5": "wood",
    "published-10": "wood",
}
"""The scene of each photo by its name, if it is not `nominal`."""


def render(photo: DemoPhoto) -> Image.Image:
    """Return a photo of the demo."""
    game = game_of(photo.game)
    faces = printed_faces(game, photo.cards(), _DPI)
    if photo.stray:
        other = game_of(PLAYED)
        faces += printed_faces(other, decks_of(other)[0][:1], _DPI)
    labels = [] if photo.label is None else [printed_label(game, photo.label, dpi=_DPI)]
    scene = replace(SCENES[SCENE_OF.get(photo.name, "nominal")], width=_WIDTH, height=_HEIGHT)
    return Image.open(io.BytesIO(photograph(faces, scene, f"{game.seed}/{photo.name}", labels).jpeg))


def main() -> None:
    """Render all photos, and previews of the samples."""
    for photo in PHOTOS:
        image = render(photo)
        photo.file.parent.mkdir(exist_ok=True)
        image.save(photo.file, quality=_QUALITY)
        if photo in SAMPLES:
            image.thumbnail((_PREVIEW, _PREVIEW))
            image.save(photo.preview, quality=_QUALITY)


if __name__ == "__main__":
    main()
