"""Files of print runs, made on request in a subprocess. Their bytes are the same each time."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from sqlalchemy import select

from cardgen.cards import CardId
from cardgen.deal import DealError
from cardgen.documents.labels import check_labels
from cardgen.fonts import TextError
from cardgen.pages.layout import grid
from cardgen.pages.paper import PaperError
from cardgen.payload import join_link
from cardgen.print_run import CALIBRATION, CARDS, HANDOUT, LABELS, PARTS, SHEETS, write_part
from server.db.models import Card, Envelope, PrintRun
from server.games.errors import DomainError, not_found
from server.games.lifecycle.repository import edition_of_game, load_game, printed_game_of
from server.games.printing.runs import run_row
from server.printing.card_faces import FaceError
from server.printing.links import AddressError, address_of
from server.printing.options import DEFAULT_OPTIONS
from server.printing.plan import plan
from server.printing.render import cause_of, draw, measure
from server.scoring.errors import EditionError
from server.workers.process_pool import WorkerProcessError, run_in_process

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from cardgen.print_run import PrintPlan
    from server.db.models import Game
    from server.games.context import AppContext
    from server.printing.options import PrintOptions
    from server.scoring.edition import Edition

FILES = tuple(PARTS)
"""Files of a run."""
FILES_WITHOUT_CARDS = tuple(name for name in PARTS if name in {CALIBRATION, HANDOUT})
"""Files of a game that are available before anything is dealt."""
_FACELESS = frozenset({LABELS, CARDS, *FILES_WITHOUT_CARDS})
"""Files without drawn cards."""
_PROBLEMS = (DealError, EditionError, FaceError, PaperError)


def run_file(
    context: AppContext,
    game: str,
    run_number: int,
    name: str,
    *,
    options: PrintOptions = DEFAULT_OPTIONS,
    envelope: int | None = None,
    server_url: str | None = None,
) -> bytes:
    """Return a file of a run, one of FILES; `envelope` limits the labels to that of one envelope.

    `server_url` replaces the run's address in the links on labels. Raises DomainError `not-found`, `cannot-print`,
    `wrong-address` or `busy`.
    """
    with context.database.reading() as session:
        row = load_game(session, game)
        found = run_plan(
            session,
            row,
            run_row(session, row, run_number),
            name,
            options=options,
            envelope=envelope,
            server_url=server_url,
        )
    # The card list takes milliseconds, a process takes a second to start.
    return draw_file(found, name, here=name == CARDS)


def handout_or_calibration(
    context: AppContext, game: str, name: str, *, options: PrintOptions = DEFAULT_OPTIONS, language: str | None = None
) -> bytes:
    """Return one of FILES_WITHOUT_CARDS; `language` defaults to the game's. Errors as `run_file`."""
    return draw_file(game_plan(context, game, options=options, language=language), name)


def draw_file(found: PrintPlan, name: str, *, here: bool = False) -> bytes:
    """Return a file of a print plan; `here` draws it in this process. Raises DomainError `cannot-print` or `busy`."""
    try:
        return draw(found, name) if here else run_in_process(draw, found, name)
    except WorkerProcessError as error:
        raise DomainError("busy", str(error), retry=5) from None
    except (PaperError, TextError) as error:
        raise print_error(error) from None


def file_sizes(
    context: AppContext, game: str, run_number: int, options: PrintOptions = DEFAULT_OPTIONS
) -> list[dict[str, Any]]:
    """Return the number and size of the pages of each file of a run, or why it cannot be printed."""
    with context.database.reading() as session:
        row = load_game(session, game)
        run = run_row(session, row, run_number)
        names = [name for name in FILES if name != LABELS or run.envelopes]
        try:
            found = run_plan(session, row, run, SHEETS, options=options)
            problem: DomainError | None = None
        except DomainError as error:
            if error.slug != "cannot-print":
                raise
            found, problem = run_plan(session, row, run, CARDS, options=options), error
    measured = measure(found, [name for name in names if problem is None or name in _FACELESS])
    return [_size(found, name, measured.get(name, problem or 0)) for name in names]


def run_plan(
    session: Session,
    game: Game,
    run: PrintRun,
    name: str,
    *,
    options: PrintOptions = DEFAULT_OPTIONS,
    envelope: int | None = None,
    server_url: str | None = None,
) -> PrintPlan:
    """Return the print plan for a file of a run. Arguments and errors as `run_file`."""
    try:
        edition = edition_of_game(game, run.language)
        address = run.join if server_url is None else address_of(server_url)
    except AddressError as error:
        raise DomainError("wrong-address", f"{error}.") from None
    except EditionError as error:
        raise print_error(error) from None
    labels = range(run.first, run.first + run.envelopes) if envelope is None else [envelope]
    if name == LABELS and (
        not labels or (envelope is not None and not run.first <= envelope < run.first + run.envelopes)
    ):
        raise not_found("label in this print run")
    seats = session.execute(
        select(Envelope.number, Envelope.token_version).where(Envelope.game == game.id, Envelope.run == run.id)
    )
    links = {} if address is None else {n: join_link(address, game.id, game.key, n, version) for n, version in seats}
    hands = hands_of(session, game, run, edition)
    try:
        return plan(
            printed_game_of(game),
            edition,
            hands,
            options=options,
            faces=name not in _FACELESS,
            labels=list(labels),
            spare=range(run.first + run.envelopes - run.spare, run.first + run.envelopes),
            links=links,
            envelopes=_envelopes(session, game),
            deadline=_deadline(game),
            name=game.name,
        )
    except _PROBLEMS as error:
        raise print_error(error) from None


def game_plan(
    context: AppContext, game: str, *, options: PrintOptions = DEFAULT_OPTIONS, language: str | None = None
) -> PrintPlan:
    """Return the print plan for a file that needs no cards. Arguments and errors as `handout_or_calibration`."""
    with context.database.reading() as session:
        row = load_game(session, game)
        try:
            edition = edition_of_game(row, language)
            return plan(
                printed_game_of(row),
                edition,
                {},
                options=options,
                faces=False,
                envelopes=_envelopes(session, row),
                deadline=_deadline(row),
                name=row.name,
            )
        except _PROBLEMS as error:
            raise print_error(error) from None


def check_options(context: AppContext, game: str, options: PrintOptions) -> None:
    """Raise DomainError `cannot-print` if a game's sheets or labels cannot be printed so. Needs no dealt cards."""
    found = replace(game_plan(context, game, options=options), labels=[1])
    try:
        grid(found.setup, found.game.geometry)
        write_part(found, LABELS, io.BytesIO(), only=0)
        if options.stick:
            check_labels(found.stickers_on, found.setup)
    except (PaperError, TextError) as error:
        raise print_error(error) from None


def print_error(error: Exception) -> DomainError:
    """Return the error that says why something cannot be printed."""
    message = f"{str(error).rstrip('.')}."
    if isinstance(error, PaperError | TextError):
        return DomainError("cannot-print", message, cause_of(error))
    if isinstance(error, FaceError):
        return DomainError("cannot-print", message, {"why": "faces"})
    if isinstance(error, DealError):
        return DomainError("cannot-print", message, {"why": "deal"})
    return DomainError("cannot-print", message)


def hands_of(session: Session, game: Game, run: PrintRun, edition: Edition) -> dict[int, list[CardId]]:
    """Return the cards of a run by envelope, in the order of dealing and printing."""
    categories = [deal.category for deal in edition.deal]
    place = {
        kind.slug: (categories.index(kind.category), number)
        for number, kind in enumerate(edition.kinds)
        if kind.category in categories
    }
    last = (len(categories), 0)
    rows = session.execute(
        select(Card.envelope, Card.kind, Card.copy).where(Card.game == game.id, Card.run == run.number)
    ).all()
    hands: dict[int, list[CardId]] = {}
    for envelope, kind, copy in sorted(rows, key=lambda row: (row[0], place.get(row[1], last), row[1], row[2])):
        hands.setdefault(envelope, []).append(CardId(kind, copy))
    return hands


def _deadline(game: Game) -> datetime | None:
    """Return the deadline in the game's time zone."""
    return game.deadline and game.deadline.astimezone(ZoneInfo(game.timezone))


def _envelopes(session: Session, game: Game) -> int | None:
    """Return the number of envelopes in the first run, which determines the deal; None before that run."""
    return session.scalar(select(PrintRun.envelopes).where(PrintRun.game == game.id, PrintRun.number == 1))


def _size(found: PrintPlan, name: str, measured: int | DomainError | PaperError | TextError) -> dict[str, Any]:
    pages, problem, cause = 0, None, None
    if isinstance(measured, int):
        pages = measured
    else:
        problem = str(measured)
        cause = dict(measured.members) if isinstance(measured, DomainError) else cause_of(measured)
    paper = found.setup.paper
    if name == SHEETS and problem is None:
        paper = grid(found.setup, found.game.geometry).paper
    return {
        "name": name,
        "pages": pages,
        "width": paper.width,
        "height": paper.height,
        "problem": problem,
        "cause": cause,
    }
