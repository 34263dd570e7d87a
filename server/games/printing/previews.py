"""Previews of printed pages as images."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cardgen.deal import DealError, deal
from cardgen.fonts import TextError
from cardgen.pages.layout import grid
from cardgen.pages.paper import PaperError
from cardgen.payload import join_link
from cardgen.print_run import LABELS, SHEETS
from server.games.errors import DomainError, not_found
from server.games.lifecycle.repository import edition_of_game, load_game, printed_game_of
from server.games.printing.files import game_plan, print_error, run_plan
from server.games.printing.runs import run_row
from server.printing.card_faces import FaceError
from server.printing.contents import category_deals
from server.printing.links import AddressError, address_of
from server.printing.options import DEFAULT_OPTIONS
from server.printing.plan import plan
from server.printing.render import Edges, draw_image
from server.scoring.errors import EditionError
from server.workers.process_pool import WorkerProcessError, run_in_process

if TYPE_CHECKING:
    from cardgen.cards import CardId
    from cardgen.print_run import PrintPlan
    from server.db.models import Game
    from server.games.context import AppContext
    from server.printing.options import PrintOptions

MAX_WIDTH = 1600
"""Maximum width of an image, in pixels."""
MIN_WIDTH = 100
"""Minimum width of an image, in pixels."""
_POINTS = 72 / 25.4

# Margin around the image of a single label, in millimetres.
_EDGE = 2.0

# The codes of samples are signed with it, so they belong to no game.
_NO_KEY = bytes(32)


@dataclass(frozen=True)
class PagePreview:
    """A page to draw. `tag` identifies the content."""

    plan: PrintPlan
    name: str
    page: int
    cut: Edges = (0, 0, 0, 0)

    @property
    def tag(self) -> str:
        """A short hash of the content."""
        content = repr((self.plan, self.name, self.page, self.cut))
        return hashlib.sha256(content.encode()).hexdigest()[:20]

    def drawn(self, width: int) -> bytes:
        """Return the PNG. Raises DomainError `not-found`, `cannot-print` or `busy`."""
        try:
            found = run_in_process(draw_image, self.plan, self.name, self.page, width, self.cut)
        except WorkerProcessError as error:
            raise DomainError("busy", str(error), retry=5) from None
        except (PaperError, TextError) as error:
            raise print_error(error) from None
        if found is None:
            raise _no_page()
        return found


def page(
    context: AppContext,
    game: str,
    run_number: int,
    name: str,
    page_number: int,
    *,
    options: PrintOptions = DEFAULT_OPTIONS,
    server_url: str | None = None,
) -> PagePreview:
    """Return a page of a run's file, from 1. Raises DomainError `not-found`, `wrong-address` or `cannot-print`."""
    with context.database.reading() as session:
        row = load_game(session, game)
        found = run_plan(session, row, run_row(session, row, run_number), name, options=options, server_url=server_url)
    return _page_preview(found, name, page_number)


def game_page(
    context: AppContext,
    game: str,
    name: str,
    page_number: int,
    *,
    options: PrintOptions = DEFAULT_OPTIONS,
    language: str | None = None,
) -> PagePreview:
    """Return a page of a file that needs no cards, from 1. Raises DomainError `not-found` or `cannot-print`."""
    return _page_preview(game_plan(context, game, options=options, language=language), name, page_number)


def label(context: AppContext, game: str, run_number: int, envelope: int, server_url: str | None) -> PagePreview:
    """Return the label of one envelope. Raises DomainError `not-found`, `wrong-address` or `cannot-print`."""
    with context.database.reading() as session:
        row = load_game(session, game)
        found = run_plan(
            session, row, run_row(session, row, run_number), LABELS, server_url=server_url, envelope=envelope
        )
    return PagePreview(found, LABELS, 1, _around_first(found))


def sample_sheet(
    context: AppContext, game: str, page_number: int = 1, options: PrintOptions = DEFAULT_OPTIONS
) -> PagePreview:
    """Return a page of a sample sheet, whose cards belong to no game. Raises DomainError `cannot-print`."""
    with context.database.reading() as session:
        row = load_game(session, game)
        try:
            found = _sample(row, options)
        except (DealError, EditionError, FaceError, PaperError) as error:
            raise print_error(error) from None
    return _page_preview(found, SHEETS, page_number)


def sample_label(
    context: AppContext, game: str, server_url: str | None, options: PrintOptions = DEFAULT_OPTIONS
) -> PagePreview:
    """Return a sample label, whose code is not valid. Raises DomainError `wrong-address` or `cannot-print`."""
    try:
        address = None if server_url is None else address_of(server_url)
    except AddressError as error:
        raise DomainError("wrong-address", f"{error}.") from None
    found = game_plan(context, game, options=replace(options, labels_skip=0))
    links = {} if address is None else {1: join_link(address, found.game.game, _NO_KEY, 1)}
    found = replace(found, game=replace(found.game, key=_NO_KEY), labels=[1], links=links)
    return PagePreview(found, LABELS, 1, _around_first(found))


def _sample(row: Game, options: PrintOptions) -> PrintPlan:
    """Return a plan for the first cards of a sample deal."""
    edition, game = edition_of_game(row), replace(printed_game_of(row), key=_NO_KEY)
    found = plan(game, edition, {}, options=options)
    room = grid(found.setup, game.geometry).size - found.setup.skip
    hands: dict[int, list[CardId]] = {}
    for envelope, hand in enumerate(deal(category_deals(edition, row.players), row.players, "sample"), 1):
        hands[envelope] = [card for card in hand if card.kind not in found.stuck][:room]
        room -= len(hands[envelope])
        if room <= 0:
            break
    return replace(found, hands=hands)


def _page_preview(found: PrintPlan, name: str, page_number: int) -> PagePreview:
    if page_number < 1:
        raise _no_page()
    return PagePreview(found, name, page_number)


def _no_page() -> DomainError:
    return not_found("page of this print")


def _around_first(found: PrintPlan) -> Edges:
    """Return the margins to cut off a page so that its first label is left."""
    paper, shape = found.setup.paper, found.labels_on.format
    x, y = shape.corner(0, paper)
    edges = (x, y, paper.width - x - shape.width, paper.height - y - shape.height)
    left, bottom, right, top = (max(0.0, edge - _EDGE) * _POINTS for edge in edges)
    return left, bottom, right, top
