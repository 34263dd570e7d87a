"""Photographs of what the players were dealt: made once for a seed, and kept in a folder between runs."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from io import BytesIO
from multiprocessing import get_context
from typing import TYPE_CHECKING

from PIL import Image

from cardgen.deal import deal
from server.bench.rush.plan import chance
from server.editions import load_edition
from server.jobs.cores import usable_cores
from server.jobs.portions import portions
from server.studio import ORDINARY, photograph, practice_game, printed_faces, printed_label
from server.studio.profiles import SENSORS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cardgen.cards import Game

EDITION = "eurocg-2026"
KINDS = 3
"""Files of each envelope: the player's first and second picture, and the organiser's."""
_SCENES = ("nominal", "nominal", "nominal", "dim", "shadow", "crowded", "overlap", "sleeves")
_DPI = 250
_QUALITY = 88


@dataclass(frozen=True)
class Job:
    """An envelope's pictures that are to be made: three files, `megapixels` each."""

    game: Game
    envelope: int
    megapixels: int
    files: tuple[Path, Path, Path]


def rush_game(players: int, seed: str) -> Game:
    """Return the game that is played. Its key comes from the seed, so that pictures can be kept: it is no secret."""
    return practice_game(EDITION, players, f"rush/{players}/{seed}")


def files_of(folder: Path, game: Game, envelope: int, megapixels: int) -> tuple[Path, Path, Path]:
    """Return where an envelope's pictures are kept."""
    stem = f"{game.game}-{game.players}-{megapixels}mp-{envelope:03d}"
    first, second, desk = (folder / f"{stem}-{kind}.jpg" for kind in range(1, KINDS + 1))
    return first, second, desk


def take_pictures(
    game: Game, folder: Path, megapixels: int, told: Callable[[int, int], None] = lambda _done, _all: None
) -> dict[int, tuple[Path, Path, Path]]:
    """Take all pictures that the folder lacks, on all cores; return every envelope's. OSError if they cannot be kept.

    `told` hears how many envelopes are done, of how many.
    """
    folder.mkdir(parents=True, exist_ok=True)
    envelopes = range(1, game.players + 1)
    found = {number: files_of(folder, game, number, megapixels) for number in envelopes}
    missing = [
        Job(game, number, megapixels, files)
        for number, files in found.items()
        if not all(file.exists() for file in files)
    ]
    with ProcessPoolExecutor(usable_cores(), mp_context=get_context("spawn")) as pool:
        for done, _ in enumerate(pool.map(_take, missing), start=1):
            told(done, len(missing))
    return found


def _take(job: Job) -> None:
    """Photograph an envelope's cards with its label. The other two are the same table, turned and cut another way."""
    game = job.game
    hand = deal(portions(load_edition(game.edition), game.players), game.players, game.seed)[job.envelope - 1]
    width, height = SENSORS[job.megapixels]
    scene = _SCENES[int(chance(game.seed, job.envelope, "scene") * len(_SCENES))]
    faces = printed_faces(game, hand, _DPI)
    label = printed_label(game, job.envelope, dpi=_DPI)
    taken = photograph(
        faces, replace(ORDINARY[scene], width=width, height=height), f"{game.seed}/{job.envelope}", [label]
    ).jpeg
    first, second, desk = job.files
    _write(desk, _turned(taken, Image.Transpose.ROTATE_90))
    _write(second, _turned(taken, Image.Transpose.ROTATE_180))
    _write(first, taken)


def _turned(jpeg: bytes, way: Image.Transpose) -> bytes:
    out = BytesIO()
    with Image.open(BytesIO(jpeg)) as picture:
        picture.transpose(way).save(out, "JPEG", quality=_QUALITY)
    return out.getvalue()


def _write(file: Path, data: bytes) -> None:
    """Keep a file whole, or not at all."""
    half = file.with_suffix(".half")
    half.write_bytes(data)
    half.replace(file)
