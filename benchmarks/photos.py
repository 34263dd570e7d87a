"""Simulated photos of dealt hands, rendered once for a seed and cached in a folder."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from io import BytesIO
from multiprocessing import get_context
from typing import TYPE_CHECKING

from PIL import Image

from benchmarks.load.plan import chance
from cardgen.deal import deal
from devtools.photo_simulator import photograph
from devtools.photo_simulator.cards import practice_game, printed_faces, printed_label
from devtools.photo_simulator.profiles import ORDINARY, SENSORS
from server.editions import load_edition
from server.printing.contents import category_deals
from server.workers.process_pool import usable_cores

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from cardgen.cards import PrintedGame

EDITION = "eurocg-2026"

# An envelope's three files are rotations of one photo: the player's first and second, and the organiser's.
_TURNS = (None, Image.Transpose.ROTATE_180, Image.Transpose.ROTATE_90)
_SCENES = ("nominal", "nominal", "nominal", "dim", "shadow", "crowded", "overlap", "sleeves")
_DPI = 250
_QUALITY = 88
_START, _COMMENT = b"\xff\xd8", b"\xff\xfe"


@dataclass(frozen=True)
class Job:
    """The photos of one envelope to be rendered, with `megapixels` each."""

    game: PrintedGame
    envelope: int
    megapixels: int
    files: tuple[Path, ...]


def bench_game(players: int, seed: str) -> PrintedGame:
    """Return the game. Its key is derived from the seed, so that photos can be cached; it is not secret."""
    return practice_game(EDITION, players, f"rush/{players}/{seed}")


def take_photos(
    game: PrintedGame, folder: Path, megapixels: int, progress: Callable[[int, int], None] = lambda _done, _all: None
) -> dict[int, tuple[Path, ...]]:
    """Render all photos that are missing in the folder, on all cores; return the three files of each envelope.

    `progress` is called with the numbers of finished envelopes and of all. Raises OSError if files cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    stem = f"{game.game}-{game.players}-{megapixels}mp"
    found = {
        number: tuple(folder / f"{stem}-{number:03d}-{kind}.jpg" for kind in range(1, len(_TURNS) + 1))
        for number in range(1, game.players + 1)
    }
    missing = [
        Job(game, number, megapixels, files)
        for number, files in found.items()
        if not all(file.exists() for file in files)
    ]
    with ProcessPoolExecutor(min(usable_cores(), len(missing) or 1), mp_context=get_context("spawn")) as pool:
        for done, _ in enumerate(pool.map(_take, missing), start=1):
            progress(done, len(missing))
    return found


def _take(job: Job) -> None:
    """Photograph an envelope's cards with its label."""
    game = job.game
    hand = deal(category_deals(load_edition(game.edition), game.players), game.players, game.seed)[job.envelope - 1]
    width, height = SENSORS[job.megapixels]
    scene = replace(
        ORDINARY[_SCENES[int(chance(game.seed, job.envelope, "scene") * len(_SCENES))]], width=width, height=height
    )
    label = printed_label(game, job.envelope, dpi=_DPI)
    taken = photograph(printed_faces(game, hand, _DPI), scene, f"{game.seed}/{job.envelope}", [label]).jpeg
    # Write the first file last, and each atomically, so that an interrupted run can be continued.
    for file, turn in reversed(list(zip(job.files, _TURNS, strict=True))):
        half = file.with_suffix(".half")
        half.write_bytes(taken if turn is None else _turned(taken, turn))
        half.replace(file)


def _turned(jpeg: bytes, turn: Image.Transpose) -> bytes:
    out = BytesIO()
    with Image.open(BytesIO(jpeg)) as picture:
        picture.transpose(turn).save(out, "JPEG", quality=_QUALITY)
    return out.getvalue()


def write_copies(photos: Sequence[Path], number: int, folder: Path) -> list[Path]:
    """Write a number of different JPEG files, repeating these photos with different comments.

    The comment does not affect the time of a scan, but makes each file unique for the server.
    """
    folder.mkdir()
    files = []
    for index in range(number):
        data = photos[index % len(photos)].read_bytes()
        text = f"photo {index + 1} of {number}".encode()
        if not data.startswith(_START):
            raise ValueError(f"{photos[index % len(photos)]} is not a JPEG")
        file = folder / f"IMG_{index + 1}.jpg"
        file.write_bytes(_START + _COMMENT + (len(text) + 2).to_bytes(2, "big") + text + data[len(_START) :])
        files.append(file)
    return files
