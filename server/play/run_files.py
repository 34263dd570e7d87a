"""The files of a print run, made when they are asked for: the same bytes each time, in a process of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from cardgen.cards import CardId
from cardgen.paper import PAPERS, PaperError
from cardgen.printing import CARDS, LABELS, SHEETS, PrintRun
from cardgen.setup import Setup
from cardgen.texts import TextError
from server.editions import EditionError
from server.jobs.apart import ApartError, run_apart
from server.jobs.drawing import draw
from server.jobs.faces import FaceError, edition_faces
from server.jobs.links import AddressError, address_of, join_link
from server.play.house import edition_of, game_row, printed_game
from server.play.refusals import Refusal, not_found
from server.play.runs import run_row
from server.store.tables import Card, Envelope

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from server.editions import Edition
    from server.play.house import House
    from server.store.tables import Game
    from server.store.tables import PrintRun as Row

FILES = (SHEETS, LABELS, CARDS)
"""What can be had of a run."""


def run_file(
    house: House,
    game: str,
    number: int,
    name: str,
    *,
    paper: str = "a4",
    envelope: int | None = None,
    join: str | None = None,
) -> bytes:
    """Return a file of a run, one of FILES; `envelope` asks for that envelope's label alone.

    `join` is another address for the labels than the one that the run was made with. Refusal `not-found`,
    `cannot-print`, `wrong-address` or `busy`.
    """
    with house.database.reading() as session:
        row = game_row(session, game)
        plan = plan_of(session, row, run_row(session, row, number), name, paper=paper, envelope=envelope, join=join)
    try:
        # The list takes milliseconds, a process takes a second to start.
        return draw(plan, name) if name == CARDS else run_apart(draw, plan, name)
    except ApartError as error:
        raise Refusal("busy", str(error), retry=5) from None
    except (PaperError, TextError) as error:
        raise Refusal("cannot-print", f"{error}.") from None


def plan_of(
    session: Session,
    game: Game,
    run: Row,
    name: str,
    *,
    paper: str = "a4",
    envelope: int | None = None,
    join: str | None = None,
) -> PrintRun:
    """Return what is to be drawn, as plain data; arguments and refusals as `run_file`."""
    if paper not in PAPERS:
        raise Refusal("cannot-print", f"The paper is one of {', '.join(PAPERS)}.")
    try:
        edition = edition_of(game, run.language)
        faces = edition_faces(edition) if name == SHEETS else {}
        address = run.join if join is None else address_of(join)
    except AddressError as error:
        raise Refusal("wrong-address", f"{error}.") from None
    except (EditionError, FaceError) as error:
        raise Refusal("cannot-print", f"{error}.") from None
    labels = range(run.first, run.first + run.envelopes) if envelope is None else [envelope]
    if name == LABELS and (
        not labels or (envelope is not None and not run.first <= envelope < run.first + run.envelopes)
    ):
        raise not_found("label in this print run")
    seats = session.execute(
        select(Envelope.number, Envelope.token).where(Envelope.game == game.id, Envelope.run == run.id)
    )
    links = {} if address is None else {n: join_link(address, game.id, game.key, n, version) for n, version in seats}
    hands = hands_of(session, game, run, edition)
    setup = Setup(PAPERS[paper])
    return PrintRun(printed_game(game), edition.title, faces, hands, setup, list(labels), links, run.language)


def hands_of(session: Session, game: Game, run: Row, edition: Edition) -> dict[int, list[CardId]]:
    """Return the cards of a run by envelope, in the order in which they are dealt and printed."""
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
