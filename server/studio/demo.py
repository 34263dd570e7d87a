"""The demo game: printed afresh on every machine, with photographs of decks ready to be scanned."""

from __future__ import annotations

import json
import os
import tempfile
import threading
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import count
from multiprocessing import get_context, parent_process
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

from cardgen.deal import shuffled
from server.jobs.printing import PrintError, print_game
from server.store.games import GameFileError, load_game
from server.studio.decks import dealt_cards, printed_faces
from server.studio.photograph import photograph
from server.studio.profiles import SCENES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cardgen.cards import CardId, Game

EDITION, PLAYERS = "eurocg-2026", 24
PHOTOS, PHOTO_LIST = "photos", "photos.json"
_MARK = "haggle-demo"
"""An empty file that tells a demo game from any other folder, which is never touched."""
_DPI = 250


@dataclass(frozen=True)
class Sample:
    """A deck for a sample photograph: how many cards of each kind, and the scene it is taken in."""

    title: str
    note: str
    scene: str
    cards: Mapping[str, int] = field(default_factory=dict)


SAMPLES = (
    Sample("Small and strong", "Six cards on a table", "nominal", {"red": 4, "blue": 1, "rule-7": 1}),
    Sample(
        "Three colours",
        "Eighteen cards in rows",
        "shadow",
        {"red": 5, "green": 7, "blue": 2, "rule-2": 1, "rule-11": 1, "rule-23": 1, "special-1": 1},
    ),
    Sample(
        "Rule collector",
        "In poor light",
        "dim",
        {"red": 3, "blue": 3, "pink": 2, **{f"rule-{n}": 1 for n in range(4, 11)}, "special-2": 1, "special-3": 1},
    ),
    Sample(
        "One card too many",
        "From across the table",
        "tilt",
        {"orange": 7, "green": 6, "blue": 4, "rule-3": 1, "rule-20": 1, "special-4": 1},
    ),
    Sample(
        "Something of everything",
        "Dropped as they fell",
        "scatter",
        {"red": 3, "blue": 2, "green": 3, "orange": 1, "yellow": 4, "pink": 1, "rule-12": 1, "rule-18": 1},
    ),
    Sample(
        "A full envelope",
        "Cards over cards",
        "overlap",
        {"yellow": 4, "pink": 3, "green": 3, "rule-9": 1, "rule-10": 1, "special-5": 1},
    ),
)


def demo_folder(folder: Path, say: Callable[[str], None], *, join: str | None = None) -> Game:
    """Return the demo game in `folder`, printing it and taking its photographs if they are not there yet.

    `say` is told what is being done; `join` is the address for the labels' links. The game is made beside the folder
    and moved there when it is complete. A damaged one is put aside, never deleted. Raises PrintError if the demo
    cannot be written, or if the folder holds other files.
    """
    folder = folder.absolute()
    try:
        if (folder / _MARK).exists():
            if game := _whole(folder):
                return game
            aside = _put_aside(folder)
            say(f"The demo game is damaged. It is put aside in {aside} and made again.")
        elif os.path.lexists(folder) and (not folder.is_dir() or any(folder.iterdir())):
            raise PrintError(f"{folder} holds other files: name a new or empty folder for the demo")
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{folder.name[:40]}-", dir=folder.parent) as making:
            game = _make(Path(making) / "demo", say, join)
            (Path(making) / "demo").replace(folder)
    except OSError as error:
        raise PrintError(f"{folder}: {error.strerror or error}; the demo game was not made") from error
    return game


def _make(folder: Path, say: Callable[[str], None], join: str | None) -> Game:
    """Make the demo game in a new folder."""
    say(f"Printing a demo game for {PLAYERS} players ...")
    game = print_game(EDITION, PLAYERS, folder, join=join).game
    say(f"Taking {len(SAMPLES)} photographs of decks ...")
    take_photographs(game, folder / PHOTOS)
    (folder / _MARK).touch()
    return game


def _whole(folder: Path) -> Game | None:
    """Return the game of a demo folder, or None if something of the demo is missing or cannot be read."""
    try:
        game = load_game(folder)
        photos = [folder / PHOTOS / entry["file"] for entry in json.loads((folder / PHOTOS / PHOTO_LIST).read_bytes())]
        for photo in photos:
            with Image.open(photo) as image:
                image.verify()
    except (GameFileError, OSError, ValueError, TypeError, KeyError, SyntaxError):
        return None
    return game if game.edition == EDITION and photos else None


def _put_aside(folder: Path) -> Path:
    """Give a folder another name, and return it."""
    for number in count(1):
        aside = folder.with_name(f"{folder.name}.damaged-{number}")
        if not os.path.lexists(aside):
            folder.rename(aside)
            return aside
    raise AssertionError


def take_photographs(game: Game, folder: Path) -> None:
    """Write a photograph of each sample deck, and the list of them with titles."""
    folder.mkdir()
    names = [f"{number}-{sample.scene}.jpg" for number, sample in enumerate(SAMPLES, start=1)]
    for name, jpeg in zip(names, _photographs(game), strict=True):
        (folder / name).write_bytes(jpeg)
    listed = [
        {"file": name, "title": sample.title, "note": sample.note, "cards": sum(sample.cards.values())}
        for name, sample in zip(names, SAMPLES, strict=True)
    ]
    (folder / PHOTO_LIST).write_text(json.dumps(listed, indent=2), encoding="utf-8")


def sample_decks(game: Game) -> list[list[CardId]]:
    """Return the cards of each sample deck: copies that the game really has, none of them in two decks."""
    left: dict[str, list[CardId]] = defaultdict(list)
    for card in dealt_cards(game):
        left[card.kind].append(card)
    decks = []
    for sample in SAMPLES:
        deck = [left[kind].pop() for kind, count in sample.cards.items() for _ in range(count)]
        decks.append(shuffled(deck, game.seed, sample.title, lambda card: card.name))
    return decks


def _photographs(game: Game) -> list[bytes]:
    """Photograph all sample decks, in two processes where the system lets them talk to each other."""
    work = ([game] * len(SAMPLES), SAMPLES, sample_decks(game))
    try:
        # Processes, since a photograph is pure computing; spawned, since the caller may have threads.
        pool = ProcessPoolExecutor(max_workers=2, mp_context=get_context("spawn"), initializer=_end_with_parent)
    except OSError:
        # A bare container may have no shared memory (/dev/shm), which the pool's queues need.
        return list(map(_photograph, *work))
    with pool:
        return list(pool.map(_photograph, *work))


def _end_with_parent() -> None:
    """Let this worker end when the process that started it is gone, even if that was killed."""

    def watch() -> None:
        if parent := parent_process():
            parent.join()
            # The hard way: the worker's main thread waits for work that will never come.
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _photograph(game: Game, sample: Sample, deck: list[CardId]) -> bytes:
    return photograph(printed_faces(game, deck, _DPI), SCENES[sample.scene], f"{game.seed}/{sample.title}").jpeg
