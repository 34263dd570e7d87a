"""Pages of a print run as pictures: how they come out of the printer, before paper is spent."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cardgen.deal import DealError, deal
from cardgen.formats import CUT
from cardgen.layout import grid
from cardgen.paper import PAPERS, PaperError
from cardgen.printing import LABELS, SHEETS, PrintRun
from cardgen.setup import Setup
from cardgen.texts import TextError
from server.editions import EditionError
from server.jobs.apart import ApartError, run_apart
from server.jobs.drawing import Edges, draw_image
from server.jobs.faces import FaceError, edition_faces
from server.jobs.links import AddressError, address_of, join_link
from server.jobs.portions import portions
from server.play.house import edition_of, game_row, printed_game
from server.play.refusals import Refusal, not_found
from server.play.run_files import plan_of
from server.play.runs import run_row

if TYPE_CHECKING:
    from cardgen.cards import CardId
    from server.play.house import House
    from server.store.tables import Game

WIDEST = 1600
"""Of a picture, in pixels."""
NARROWEST = 100
_POINTS = 72 / 25.4
_EDGE = 2.0
# White around a label that is shown by itself, in millimetres.
_NO_KEY = bytes(32)
# Codes of a sample are signed with it: they are cards of no game.


@dataclass(frozen=True)
class Picture:
    """A page that is still to be drawn. `tag` is another one for everything that looks otherwise."""

    plan: PrintRun
    name: str
    page: int | None
    cut: Edges = (0, 0, 0, 0)

    @property
    def tag(self) -> str:
        """Name the picture's content in a few letters."""
        told = repr((self.plan, self.name, self.page, self.cut))
        return hashlib.sha256(told.encode()).hexdigest()[:20]

    def drawn(self, width: int) -> bytes:
        """Return the PNG; Refusal `cannot-print` or `busy`."""
        try:
            return run_apart(draw_image, self.plan, self.name, self.page, width, self.cut)
        except ApartError as error:
            raise Refusal("busy", str(error), retry=5) from None
        except (PaperError, TextError) as error:
            raise Refusal("cannot-print", f"{error}.") from None


def sheet(house: House, game: str, number: int, page: int, paper: str) -> Picture:
    """Return a page of a run's card sheets, from 1; Refusal `not-found` or `cannot-print`."""
    with house.database.reading() as session:
        row = game_row(session, game)
        plan = plan_of(session, row, run_row(session, row, number), SHEETS, paper=paper)
    if not 1 <= page <= _pages(plan):
        raise not_found("page in this print run")
    return Picture(plan, SHEETS, page)


def labels(house: House, game: str, number: int, page: int, paper: str, join: str | None) -> Picture:
    """Return a page of a run's labels, from 1; Refusal `not-found`, `wrong-address` or `cannot-print`."""
    with house.database.reading() as session:
        row = game_row(session, game)
        plan = plan_of(session, row, run_row(session, row, number), LABELS, paper=paper, join=join)
    shown = list(plan.labels)[(page - 1) * CUT.size : page * CUT.size]
    if page < 1 or not shown:
        raise not_found("page in this print run")
    return Picture(replace(plan, labels=shown), LABELS, None)


def label(house: House, game: str, number: int, envelope: int, join: str | None) -> Picture:
    """Return the label of one envelope by itself; Refusal `not-found`, `wrong-address` or `cannot-print`."""
    with house.database.reading() as session:
        row = game_row(session, game)
        plan = plan_of(session, row, run_row(session, row, number), LABELS, join=join, envelope=envelope)
    return Picture(plan, LABELS, None, _around_first(plan))


def sample_sheet(house: House, game: str, paper: str) -> Picture:
    """Return a sheet as it would come out, of cards that belong to no game; Refusal `cannot-print`."""
    with house.database.reading() as session:
        plan = _sample(game_row(session, game), paper, faces=True)
    return Picture(plan, SHEETS, 1)


def sample_label(house: House, game: str, join: str | None) -> Picture:
    """Return a label as it would come out, which opens nothing; Refusal `wrong-address` or `cannot-print`."""
    with house.database.reading() as session:
        plan = _sample(game_row(session, game), "a4", faces=False)
    try:
        address = None if join is None else address_of(join)
    except AddressError as error:
        raise Refusal("wrong-address", f"{error}.") from None
    links = {} if address is None else {1: join_link(address, plan.game.game, _NO_KEY, 1)}
    plan = replace(plan, links=links)
    return Picture(plan, LABELS, None, _around_first(plan))


def _sample(row: Game, paper: str, *, faces: bool) -> PrintRun:
    """Return a plan of the first cards of a deal that is not the game's own."""
    try:
        edition = edition_of(row)
        drawn = edition_faces(edition) if faces else {}
        hands = deal(portions(edition, row.players), row.players, "sample") if faces else []
    except (DealError, EditionError, FaceError) as error:
        raise Refusal("cannot-print", f"{error}.") from None
    game = replace(printed_game(row), key=_NO_KEY)
    size = grid(Setup(PAPERS[paper]), game.geometry).size
    shown: dict[int, list[CardId]] = {}
    for envelope, hand in enumerate(hands, 1):
        room = size - sum(map(len, shown.values()))
        if room <= 0:
            break
        shown[envelope] = list(hand[:room])
    return PrintRun(game, edition.title, drawn, shown, Setup(PAPERS[paper]), [1], {}, edition.language)


def _pages(plan: PrintRun) -> int:
    return plan.pages()


def _around_first(plan: PrintRun) -> Edges:
    """Return what is to be cut off a page for its first label alone."""
    left = (plan.setup.paper.width - CUT.columns * CUT.width) / 2 - _EDGE
    top = (plan.setup.paper.height - CUT.rows * CUT.height) / 2 - _EDGE
    right = plan.setup.paper.width - left - CUT.width - 2 * _EDGE
    bottom = plan.setup.paper.height - top - CUT.height - 2 * _EDGE
    return (left * _POINTS, bottom * _POINTS, right * _POINTS, top * _POINTS)
