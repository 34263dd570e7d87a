"""Which photographs the demo has, and how one is made. They are kept, so that only the first start makes them."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from server.studio.decks import printed_faces, printed_label
from server.studio.demo.decks import decks_of
from server.studio.photograph import photograph
from server.studio.profiles import SCENES, SENSORS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from cardgen.cards import CardId, Game

LIST = "photos/photos.json"
"""The list of the samples in a demo's folder, as the practice page reads it; the pictures lie beside it."""
WIDTH, HEIGHT = SENSORS[5]
_DPI = 250


@dataclass(frozen=True)
class Picture:
    """A photograph: its `name`, the scene it is taken in, whose deck it shows, and whose label lies beside the cards.

    `without` counts cards of the deck that do not lie there. `guest` is the player of whose deck one card does; with
    `stray` a card of the other game does. A `title` makes it a sample that people may take; `note` says more.
    """

    name: str
    scene: str
    deck: int
    label: int | None = None
    without: int = 0
    guest: int | None = None
    stray: bool = False
    title: str = ""
    note: str = ""


SAMPLES = (
    Picture("many-colours", "nominal", 8, title="Three colours", note="Cards in rows"),
    Picture("pink-and-red", "shadow", 9, title="Pink and red", note="With a hard shadow"),
    Picture("dropped", "scatter", 10, title="Dropped as they fell", note="Cards at all angles"),
    Picture("a-bit-dark", "dim", 7, title="A bit dark", note="In poor light"),
)
"""Decks that nobody has handed in, without a label: for whoever tries the phone's job, or the practice page."""
TOLD = (
    Picture("phone-1", "nominal", 1, label=1),
    Picture("desk-1", "wood", 1, label=1),
    Picture("phone-2", "shadow", 2, label=2),
    Picture("desk-2", "nominal", 2, label=2, without=1),
    Picture("phone-3", "overlap", 3, label=3),
    Picture("desk-3", "cloth", 3),
    Picture("phone-4", "nominal", 4, label=4),
    Picture("desk-4", "nominal", 4, label=4, guest=1),
    Picture("desk-5", "wood", 5, label=5, stray=True),
    Picture("phone-6", "coloured", 6, label=6),
)
"""What the players and organisers of the demo photograph, in this order. What is said in the name is who takes it, and
of which envelope: organisers find a card less than was claimed, no label, a card that lies elsewhere too, and one of
another game."""
ALL = (SAMPLES[0], *TOLD[:4], SAMPLES[1], *TOLD[4:], *SAMPLES[2:])
"""In the order in which they are made: something for everybody first."""


@dataclass(frozen=True)
class Job:
    """A photograph that is to be made, and its file. `strays` are a card of another game, if one lies there."""

    file: Path
    game: Game
    picture: Picture
    cards: tuple[CardId, ...]
    strays: tuple[tuple[Game, CardId], ...] = ()


def jobs(game: Game, other: Game, folder: Path) -> list[Job]:
    """Return all photographs of a game, with the files in a folder where each lies or will lie."""
    decks = decks_of(game)
    stray = (other, decks_of(other)[0][0])
    return [
        Job(
            folder / "photos" / f"{game.game.lower()}-{picture.name}.jpg",
            game,
            picture,
            _cards(decks, picture),
            (stray,) if picture.stray else (),
        )
        for picture in ALL
    ]


def make(job: Job) -> None:
    """Take a photograph, unless its file is there. It is there whole, or not at all."""
    if job.file.exists():
        return
    picture = job.picture
    scene = replace(SCENES[picture.scene], width=WIDTH, height=HEIGHT)
    labels = [] if picture.label is None else [printed_label(job.game, picture.label, dpi=_DPI)]
    faces = printed_faces(job.game, job.cards, _DPI)
    faces += [face for game, card in job.strays for face in printed_faces(game, [card], _DPI)]
    half = job.file.with_suffix(".half")
    half.write_bytes(photograph(faces, scene, f"{job.game.seed}/{picture.name}", labels).jpeg)
    half.replace(job.file)


def list_samples(all_jobs: Sequence[Job], folder: Path) -> None:
    """Write the list of the samples, for the practice page. Their sizes are known before they are taken."""
    listed = [
        {
            "file": job.file.name,
            "title": job.picture.title,
            "note": job.picture.note,
            "width": WIDTH,
            "height": HEIGHT,
        }
        for job in samples(all_jobs)
    ]
    file = folder / LIST
    file.parent.mkdir(parents=True, exist_ok=True)
    half = file.with_suffix(".half")
    half.write_text(json.dumps(listed, indent=2), encoding="utf-8")
    half.replace(file)


def samples(all_jobs: Sequence[Job]) -> list[Job]:
    """Return those photographs that people may take, in their order."""
    found = {job.picture.name: job for job in all_jobs}
    return [found[picture.name] for picture in SAMPLES]


def _cards(decks: Sequence[Sequence[CardId]], picture: Picture) -> tuple[CardId, ...]:
    deck = decks[picture.deck - 1]
    guests = [] if picture.guest is None else decks[picture.guest - 1][:1]
    return (*deck[: len(deck) - picture.without], *guests)
