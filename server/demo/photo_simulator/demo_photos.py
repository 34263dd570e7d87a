"""Renders missing photos of the demo: `python -m server.demo.photo_simulator.demo_photos FOLDER`."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from dataclasses import replace
from pathlib import Path

from PIL import Image

from server.demo.photo_simulator.cards import printed_faces, printed_label
from server.demo.photo_simulator.photograph import photograph
from server.demo.photo_simulator.profiles import SCENES, SENSORS
from server.demo.seed import PHOTOS, PLAYED, DemoPhoto, decks_of, game_of
from server.operating_system import lower_priority, replace_file

WIDTH, HEIGHT = SENSORS[5]
_DPI = 250

# Pixels of a preview's longer side.
_PREVIEW = 360
_NICE = 5


def render(picture: DemoPhoto, folder: Path) -> None:
    """Render a photo and its preview, unless they exist; files are written atomically."""
    file = picture.file(folder)
    if file.exists():
        return
    game = game_of(picture.game)
    faces = printed_faces(game, picture.cards(), _DPI)
    if picture.stray:
        other = game_of(PLAYED)
        faces += printed_faces(other, decks_of(other)[0][:1], _DPI)
    labels = [] if picture.label is None else [printed_label(game, picture.label, dpi=_DPI)]
    scene = replace(SCENES[picture.scene], width=WIDTH, height=HEIGHT)
    folder.mkdir(parents=True, exist_ok=True)
    half = file.with_suffix(".half")
    half.write_bytes(photograph(faces, scene, f"{game.seed}/{picture.name}", labels).jpeg)
    with Image.open(half) as image:
        image.draft("RGB", (_PREVIEW, _PREVIEW))
        image.thumbnail((_PREVIEW, _PREVIEW))
        image.save(preview(picture, folder), "JPEG", quality=82, optimize=True)
    replace_file(half, file)


def preview(picture: DemoPhoto, folder: Path) -> Path:
    """Return the file of a photograph's preview."""
    return folder / f"{picture.name}-small.jpg"


def main(folder: Path, *, with_parent: bool) -> None:
    """Render all photos, in the order in which visitors see them.

    With `with_parent` it ends when the process at the other end of the standard input does.
    """
    if with_parent:
        threading.Thread(target=_end_with_parent, daemon=True).start()
    lower_priority(_NICE)
    for picture in PHOTOS:
        # On a full disk, or without the folder, the demo continues without this photo.
        with contextlib.suppress(OSError):
            render(picture, folder)


def _end_with_parent() -> None:
    # Without the lock of `sys.stdin`, which must be free at the end of this process.
    while os.read(0, 1):
        pass
    os._exit(0)


if __name__ == "__main__":
    main(Path(sys.argv[1]), with_parent="--with-parent" in sys.argv)
