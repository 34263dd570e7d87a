"""A player asks for the provisional score: tries and pauses are counted here, and every answer is kept."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import select

from server.play.decks import CONFIRMED, deck_of, shows_cards, still_playing
from server.play.findings import live_cards
from server.play.joining import living_place_of
from server.play.provisional import TOTAL, Told, count_of, ground_of, kinds_digest, told
from server.play.record import record
from server.play.refusals import Refusal
from server.play.states import Act
from server.store.database import take_turn
from server.store.tables import Check, Deck

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from server.play.house import Actor, House
    from server.play.tokens import Seat
    from server.store.tables import Game

BORROWED = timedelta(minutes=30)
"""A card that another player has checked within this time may be borrowed: the organisers' audit says so."""


@dataclass(frozen=True)
class Budget:
    """The tries of a player. `left` is None where they are not counted; `wait` is in whole seconds."""

    left: int | None
    wait: int


@dataclass(frozen=True)
class Answer:
    """What a player is told, by which mode, of which deck, and whether it has cost a try."""

    mode: str
    deck: Deck
    told: Told
    spent: bool
    budget: Budget


@dataclass(frozen=True)
class _Given:
    """An answer as it is kept: to which list of kinds, by which values, and whether it costs a try."""

    digest: str
    ground: str
    told: Told
    spends: bool


def budget_of(session: Session, game: Game, envelope: int, at: datetime) -> Budget:
    """Return how many tries a player has left, and how long the pause still takes."""
    if game.mode != TOTAL:
        return Budget(None, 0)
    spent = session.scalars(
        select(Check.at).where(Check.game == game.id, Check.envelope == envelope, Check.spent).order_by(Check.at)
    ).all()
    wait = spent[-1] + timedelta(seconds=game.pause) - at if spent else timedelta()
    # Rounded up, so that whoever waits for so many seconds has waited long enough.
    return Budget(max(0, game.tries - len(spent)), max(0, -(-wait // timedelta(seconds=1))))


def check(
    house: House, seat: Seat, deck: str, actor: Actor, language: str | None = None, mode: str | None = None
) -> Answer:
    """Answer by the game's mode; Refusal, also `no-tries` and `too-soon`, and `conflict` if the mode is another.

    A deck is scored outside of any transaction. Whether the answer costs a try is decided when it is given: a list of
    kinds that the player has asked about before costs nothing, and gets the answer of then.
    """
    at = house.clock()
    with house.database.reading() as session:
        game, row = _asked(session, seat, deck, change=False)
        if mode not in {None, game.mode}:
            raise _changed()
        count = count_of(game, row.cards or (), language)
        ground = ground_of(game)
        digest = kinds_digest(count.cards)
        old = _before(session, seat, digest) if game.mode == TOTAL else None
        if game.mode == TOTAL and old is None:
            _has_try(budget_of(session, game, seat.envelope, at))
    answer = _again(old) if old is not None and old.answer.get("ground") == ground else told(count)
    with house.database.writing() as session:
        # Whose cards another player has just asked about is noted: who asks does so after all who asked before.
        take_turn(session, "check", seat.game)
        game, row = _asked(session, seat, deck, change=True)
        if (game.mode, ground_of(game)) != (count.mode, ground):
            raise _changed()
        spends = game.mode == TOTAL and _before(session, seat, digest) is None
        if spends:
            _has_try(budget_of(session, game, seat.envelope, at))
        _keep(session, game, row, _Given(digest, ground, answer, spends), actor, at)
        session.flush()
        return Answer(game.mode, row, answer, spends, budget_of(session, game, seat.envelope, at))


def _asked(session: Session, seat: Seat, deck: str, *, change: bool) -> tuple[Game, Deck]:
    """Return game and deck if a score may be asked for."""
    game, envelope = living_place_of(session, seat, Act.CHECK, change=change)
    shows_cards(game)
    row = deck_of(session, seat, deck)
    still_playing(envelope)
    if row.state != CONFIRMED:
        raise Refusal("not-confirmed", "Look at the list of your cards and confirm it first.")
    if len(live_cards(session, game.id, row.cards or ())) < len(row.cards or ()):
        raise Refusal("list-changed", "A card of this list does not count any more. Begin a new deck without it.")
    return game, row


def _changed() -> Refusal:
    return Refusal("conflict", "The organiser has just changed the game's settings. Ask again.")


def _before(session: Session, seat: Seat, digest: str) -> Check | None:
    """Return the newest answer to the same list of kinds, by which a try was spent or saved."""
    return session.scalars(
        select(Check)
        .where(Check.game == seat.game, Check.envelope == seat.envelope, Check.digest == digest, Check.mode == TOTAL)
        .order_by(Check.id.desc())
        .limit(1)
    ).first()


def _again(check: Check) -> Told:
    return Told(score=check.answer["score"], eliminated=check.answer["eliminated"])


def _has_try(budget: Budget) -> None:
    """Raise Refusal unless there is a try, and the pause since the last one is over."""
    if not budget.left:
        raise Refusal("no-tries", "You have used all your tries. A deck that you asked about before is still answered.")
    if budget.wait:
        raise Refusal(
            "too-soon",
            "Between two tries there is a pause. A deck that you asked about before is still answered.",
            {"wait": budget.wait},
            retry=budget.wait,
        )


def _keep(session: Session, game: Game, deck: Deck, given: _Given, actor: Actor, at: datetime) -> None:
    """Keep an answer once for each deck, mode and values; it stays with the deck's list."""
    known = session.scalars(
        select(Check).where(
            Check.game == game.id,
            Check.envelope == deck.envelope,
            Check.deck == deck.id,
            Check.mode == game.mode,
            Check.digest == given.digest,
        )
    ).all()
    if any(check.answer.get("ground") == given.ground for check in known):
        return
    session.add(
        Check(
            game=game.id,
            envelope=deck.envelope,
            deck=deck.id,
            digest=given.digest,
            mode=game.mode,
            spent=given.spends,
            answer={"score": given.told.score, "eliminated": given.told.eliminated, "ground": given.ground},
            at=at,
        )
    )
    if known:
        return
    subject = f"envelope {deck.envelope}"
    if given.spends:
        after = {"score": given.told.score, "cards": len(deck.cards or ())}
        record(session, game.id, actor, at, "check", subject, after=after)
    borrowed = _borrowed(session, game, deck, at)
    if borrowed:
        record(session, game.id, actor, at, "borrowed-cards", subject, after=borrowed)


def _borrowed(session: Session, game: Game, deck: Deck, at: datetime) -> dict[str, list[str]]:
    """Return the cards that other players have checked a short while ago, by envelope."""
    cards = set(deck.cards or ())
    others = session.execute(
        select(Deck.envelope, Deck.cards)
        .join(Check, Check.deck == Deck.id)
        .where(Check.game == game.id, Check.envelope != deck.envelope, Check.at > at - BORROWED)
        .order_by(Deck.envelope)
    )
    found: dict[str, set[str]] = {}
    for envelope, listed in others:
        if shared := cards.intersection(listed or ()):
            found.setdefault(f"envelope {envelope}", set()).update(shared)
    return {envelope: sorted(shared) for envelope, shared in found.items()}
