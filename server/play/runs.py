"""Print runs: which cards are printed for which envelope. A later run never repeats a card."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, select

from cardgen.deal import DealError, deal
from cardgen.payload import MAX_NUMBER
from server.jobs.printing import PrintError, portions
from server.play.house import edition_of
from server.play.record import changed, record
from server.play.refusals import Refusal
from server.play.states import Act, State, allow
from server.store.tables import Card, Envelope, Game, PrintRun

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from server.play.house import Actor


def add_run(
    session: Session,
    game: Game,
    envelopes: int,
    actor: Actor,
    at: datetime,
    *,
    spare: bool = False,
    join: str | None = None,
) -> PrintRun:
    """Deal the cards of so many more envelopes, and keep what lies in each; Refusal if that cannot be done."""
    allow(game, Act.PRINT)
    number = (session.scalar(select(func.max(PrintRun.number)).where(PrintRun.game == game.id)) or 0) + 1
    first = (session.scalar(select(func.max(Envelope.number)).where(Envelope.game == game.id)) or 0) + 1
    seed = f"{game.seed}/run {number}"
    try:
        hands = deal(portions(edition_of(game)), envelopes, seed)
    except (DealError, PrintError) as error:
        raise Refusal("cannot-print", f"{error}.") from None
    run = PrintRun(
        game=game.id, number=number, first=first, envelopes=envelopes, seed=seed, spare=spare, join=join, created=at
    )
    session.add(run)
    session.flush()
    highest = select(Card.kind, func.max(Card.copy)).where(Card.game == game.id).group_by(Card.kind)
    printed = {kind: copy for kind, copy in session.execute(highest)}  # noqa: C416 - rows are no pairs to the checker
    for envelope, hand in enumerate(hands, start=first):
        session.add(Envelope(game=game.id, number=envelope, run=run.id, spare=spare, hidden=False, token=0, facts={}))
        session.flush()
        for card in hand:
            copy = card.copy + printed.get(card.kind, 0)
            if copy > MAX_NUMBER:
                raise Refusal("cannot-print", f"There would be more than {MAX_NUMBER} cards of {card.kind}.")
            session.add(Card(game=game.id, kind=card.kind, copy=copy, envelope=envelope))
    if game.state == State.DRAFT:
        game.state = State.PRINTED
    record(session, game.id, actor, at, "print", f"run {number}", after={"first": first, "envelopes": envelopes})
    changed(session, game.id, at, "envelopes")
    return run
