"""Pages of a game's prints as pictures: how they come out of the printer, before paper is spent."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cardgen.deal import DealError, deal
from cardgen.layout import grid
from cardgen.paper import PaperError
from cardgen.payload import join_link
from cardgen.printing import LABELS, SHEETS
from cardgen.texts import TextError
from server.editions import EditionError
from server.jobs.apart import ApartError, run_apart
from server.jobs.choices import USUAL
from server.jobs.drawing import Edges, draw_image
from server.jobs.faces import FaceError
from server.jobs.links import AddressError, address_of
from server.jobs.plans import plan
from server.jobs.portions import portions
from server.play.house import edition_of, game_row, printed_game
from server.play.refusals import Refusal, not_found
from server.play.run_files import cannot_print, game_plan, plan_of
from server.play.runs import run_row

if TYPE_CHECKING:
    from cardgen.cards import CardId
    from cardgen.printing import PrintRun
    from server.jobs.choices import Choices
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
    page: int
    cut: Edges = (0, 0, 0, 0)

    @property
    def tag(self) -> str:
        """Name the picture's content in a few letters."""
        told = repr((self.plan, self.name, self.page, self.cut))
        return hashlib.sha256(told.encode()).hexdigest()[:20]

    def drawn(self, width: int) -> bytes:
        """Return the PNG; Refusal `not-found`, `cannot-print` or `busy`."""
        try:
            found = run_apart(draw_image, self.plan, self.name, self.page, width, self.cut)
        except ApartError as error:
            raise Refusal("busy", str(error), retry=5) from None
        except (PaperError, TextError) as error:
            raise cannot_print(error) from None
        if found is None:
            raise _no_page()
        return found


def page(
    house: House, game: str, number: int, name: str, at: int, *, choices: Choices = USUAL, join: str | None = None
) -> Picture:
    """Return a page of a run's file, from 1; Refusal `not-found`, `wrong-address` or `cannot-print`."""
    with house.database.reading() as session:
        row = game_row(session, game)
        found = plan_of(session, row, run_row(session, row, number), name, choices=choices, join=join)
    return _picture(found, name, at)


def game_page(
    house: House, game: str, name: str, at: int, *, choices: Choices = USUAL, language: str | None = None
) -> Picture:
    """Return a page of a file that needs no cards, from 1; Refusal `not-found` or `cannot-print`."""
    return _picture(game_plan(house, game, choices=choices, language=language), name, at)


def label(house: House, game: str, number: int, envelope: int, join: str | None) -> Picture:
    """Return the label of one envelope by itself; Refusal `not-found`, `wrong-address` or `cannot-print`."""
    with house.database.reading() as session:
        row = game_row(session, game)
        found = plan_of(session, row, run_row(session, row, number), LABELS, join=join, envelope=envelope)
    return Picture(found, LABELS, 1, _around_first(found))


def sample_sheet(house: House, game: str, at: int = 1, choices: Choices = USUAL) -> Picture:
    """Return a page of a sheet as it would come out, of cards that belong to no game; Refusal `cannot-print`."""
    with house.database.reading() as session:
        row = game_row(session, game)
        try:
            found = _sample(row, choices)
        except (DealError, EditionError, FaceError, PaperError) as error:
            raise cannot_print(error) from None
    return _picture(found, SHEETS, at)


def sample_label(house: House, game: str, join: str | None, choices: Choices = USUAL) -> Picture:
    """Return a label as it would come out, which opens nothing; Refusal `wrong-address` or `cannot-print`."""
    try:
        address = None if join is None else address_of(join)
    except AddressError as error:
        raise Refusal("wrong-address", f"{error}.") from None
    found = game_plan(house, game, choices=replace(choices, labels_skip=0))
    links = {} if address is None else {1: join_link(address, found.game.game, _NO_KEY, 1)}
    found = replace(found, game=replace(found.game, key=_NO_KEY), labels=[1], links=links)
    return Picture(found, LABELS, 1, _around_first(found))


def _sample(row: Game, choices: Choices) -> PrintRun:
    """Return a plan of the first cards of a deal that is not the game's own."""
    edition, game = edition_of(row), replace(printed_game(row), key=_NO_KEY)
    found = plan(game, edition, {}, choices=choices)
    room = grid(found.setup, game.geometry).size - found.setup.skip
    hands: dict[int, list[CardId]] = {}
    for envelope, hand in enumerate(deal(portions(edition, row.players), row.players, "sample"), 1):
        hands[envelope] = [card for card in hand if card.kind not in found.stuck][:room]
        room -= len(hands[envelope])
        if room <= 0:
            break
    return replace(found, hands=hands)


def _picture(found: PrintRun, name: str, at: int) -> Picture:
    if at < 1:
        raise _no_page()
    return Picture(found, name, at)


def _no_page() -> Refusal:
    return not_found("page of this print")


def _around_first(found: PrintRun) -> Edges:
    """Return what is to be cut off a page for its first label alone."""
    paper, shape = found.setup.paper, found.labels_on.format
    x, y = shape.corner(0, paper)
    edges = (x, y, paper.width - x - shape.width, paper.height - y - shape.height)
    left, bottom, right, top = (max(0.0, edge - _EDGE) * _POINTS for edge in edges)
    return left, bottom, right, top
