"""`haggle bench`: measures Haggle beside its peers, on photographs and hands that it makes itself."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import click
import cv2
import numpy as np
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from cardgen.payload import card_text
from scanner import photo
from server.cli.bench_score import score
from server.studio import SCENES, dealt_cards, photograph, practice_game, printed_faces
from server.studio.measure import Tally, compare
from server.studio.peers import peers

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from scanner.result import Grey
    from server.studio import Photograph
    from server.studio.peers import Reads

P = ParamSpec("P")
T = TypeVar("T")

EDITION = "eurocg-2026"
LARGEST_DECK = 60
_HAND = 13
# Cards of a player at the start: that many players are dealt for a deck of any size.


@dataclass(frozen=True)
class Row:
    """One reader on the photographs of one size of deck.

    `search` is the median time of reading decoded pixels and `total` that of going from the file's bytes to the
    codes, both as multiples of OpenCV's time for decoding the file to colour.
    """

    cards: int
    reader: str
    photos: int
    tally: Tally
    milliseconds: float
    search: float
    total: float

    def as_json(self) -> dict[str, Any]:
        """Return the row as plain data."""
        return {
            "cards": self.cards,
            "reader": self.reader,
            "photos": self.photos,
            "codes": self.tally.codes,
            "codes_read": self.tally.codes_read,
            "cards_in_view": self.tally.cards,
            "cards_read": self.tally.cards_read,
            "false_reads": self.tally.false,
            "milliseconds": round(self.milliseconds, 2),
            "search_x_decode": round(self.search, 3),
            "total_x_decode": round(self.total, 3),
        }


def _sizes(_context: click.Context, _parameter: click.Parameter, value: str) -> tuple[int, ...]:
    """Return sizes of decks that are separated by commas; a usage error for anything else."""
    try:
        sizes = tuple(int(part) for part in value.split(","))
    except ValueError:
        sizes = ()
    if not all(1 <= size <= LARGEST_DECK for size in sizes or (0,)):
        raise click.BadParameter(f"write numbers from 1 to {LARGEST_DECK}, such as 5,20,40")
    return sizes


@click.group(name="bench")
def command() -> None:
    """Measure Haggle beside its peers."""


@command.command(name="scan")
@click.option("--decks", callback=_sizes, default="5,20,40", show_default=True, help="Cards in a photograph.")
@click.option("--photos", type=click.IntRange(1, 100), default=2, show_default=True, help="Photographs a deck.")
@click.option("--profile", type=click.Choice(sorted(SCENES)), default="nominal", show_default=True)
@click.option("--readers", "chosen", metavar="NAMES", help="Readers, separated by commas. Default: all.")
@click.option("--seed", default="bench", show_default=True, help="Any text; it decides cards and photographs.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line for each deck and reader.")
def scan(decks: tuple[int, ...], photos: int, profile: str, chosen: str | None, seed: str, *, as_json: bool) -> None:
    """Read generated photographs with our scanner and with others, on one thread.

    Prints the share of the whole codes and of the cards in view that were read, texts that no card bears (false),
    the median time of the search, the same as a multiple of decoding the JPEG file, and with the decoding included.
    """
    readers = _chosen(chosen)
    console = Console(stderr=as_json)
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        with Progress(console=Console(stderr=True), transient=True) as progress:
            task = progress.add_task("measuring", total=len(decks) * len(readers))
            rows = []
            for size in decks:
                shots, texts = _shots(size, photos, profile, seed)
                for name, reader in readers.items():
                    rows.append(_row(size, name, reader, shots, texts))
                    progress.advance(task)
    finally:
        cv2.setNumThreads(threads)
    if as_json:
        for row in rows:
            click.echo(json.dumps(row.as_json()))
    else:
        console.print(_table(rows, profile))


command.add_command(score)


def _chosen(names: str | None) -> dict[str, Callable[[Grey], Reads]]:
    readers = peers()
    if names is None:
        return readers
    wanted = names.split(",")
    for name in wanted:
        if name not in readers:
            raise click.BadParameter(f"'{name}' is none of {', '.join(readers)}", param_hint="--readers")
    return {name: readers[name] for name in wanted}


def _shots(size: int, photos: int, profile: str, seed: str) -> tuple[list[Photograph], dict[str, str]]:
    """Return photographs of different decks, and what the codes of each card say."""
    game = practice_game(EDITION, max(-(-size * photos // _HAND), 1), seed)
    cards = dealt_cards(game)[: size * photos]
    faces = printed_faces(game, cards)
    scene = SCENES[profile]
    shots = [
        photograph(faces[start : start + size], scene, f"{seed}/{profile}/{start}")
        for start in range(0, len(faces), size)
    ]
    return shots, {card.name: card_text(game, card) for card in cards}


def _row(
    size: int, name: str, reader: Callable[[Grey], Reads], shots: Sequence[Photograph], texts: Mapping[str, str]
) -> Row:
    tally, searches, totals, ratios = Tally(), [], [], []
    for shot in shots:
        data = np.frombuffer(shot.jpeg, dtype=np.uint8)
        decoding = min(_timed(cv2.imdecode, data, cv2.IMREAD_COLOR)[0] for _ in range(3))
        loading, grey = _timed(photo.load, shot.jpeg)
        searching, reads = _timed(reader, grey)
        tally += compare(shot.truth, texts, reads)
        searches.append(searching)
        ratios.append(searching / decoding)
        totals.append((loading + searching) / decoding)
    return Row(size, name, len(shots), tally, 1000 * median(searches), median(ratios), median(totals))


def _timed(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> tuple[float, T]:
    """Return the seconds that some work took, and what it gave."""
    began = time.perf_counter()
    result = work(*args, **kwargs)
    return time.perf_counter() - began, result


def _table(rows: Sequence[Row], profile: str) -> Table:
    megapixels = SCENES[profile].width * SCENES[profile].height / 1e6
    table = Table(title=f"Generated photographs, {megapixels:.0f} megapixels, profile {profile}, one thread")
    table.add_column("Cards")
    table.add_column("Reader", no_wrap=True)
    # Broken headings, so that everything has room in a terminal of 80 columns.
    for heading in ("Codes", "Cards", "False", "Search", "x\ndecode", "with\ndecode"):
        table.add_column(heading, justify="right")
    for before, row in zip((None, *rows), rows, strict=False):
        if before and before.cards != row.cards:
            table.add_section()
        tally = row.tally
        table.add_row(
            str(row.cards),
            row.reader,
            f"{tally.code_recall:.1%}",
            f"{tally.card_recall:.1%}",
            str(tally.false),
            f"{row.milliseconds:.0f} ms",
            f"{row.search:.2f}",
            f"{row.total:.2f}",
        )
    return table
