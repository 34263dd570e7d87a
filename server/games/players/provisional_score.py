"""A player asks for the provisional score: tries and pauses are counted here, and every answer is kept."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from server.db.models import Deck, ProvisionalScore
from server.db.session import advisory_lock
from server.games.audit import audit
from server.games.errors import DomainError
from server.games.lifecycle.repository import edition_of_game, load_active_player
from server.games.lifecycle.states import Act
from server.games.players.decks import CONFIRMED, counted, deck_of, live_cards, shows_cards, still_playing
from server.scoring import Hand, Scorer, decimal
from server.scoring.edition import SEED, known_edition

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from server.db.models import Game
    from server.games.audit import Actor
    from server.games.context import AppContext
    from server.games.tokens import PlayerIdentity
    from server.scoring import Edition, HandResult, Line


OFF, INVENTORY, KNOWN, TOTAL, FULL = "off", "inventory", "known", "total", "full"

PLAYER = "deck"
"""Whose deck is scored: the same for all, so that no name changes what chance draws."""

LEAVES_OUT: dict[str, tuple[str, ...]] = {
    INVENTORY: ("score",),
    KNOWN: ("other-rules", "other-hands", "chance", "facts", "cancels"),
    TOTAL: ("other-hands", "chance", "facts", "cancels"),
    FULL: ("other-hands", "chance", "facts", "cancels"),
}
"""What an answer leaves out, by the mode alone."""


@dataclass(frozen=True)
class ProvisionalResult:
    """What a mode tells of a deck: always the same parts, empty where the mode does not tell them.

    `score` is an exact decimal, None where there is none. `unknown` are kinds whose worth the player's own rules do not
    tell: the score is without them. `rules` are the rules whose cards lie in the deck, by key.
    """

    score: str | None = None
    eliminated: bool = False
    unknown: tuple[str, ...] = ()
    lines: tuple[Line, ...] = ()
    rules: Mapping[str, tuple[str, str]] | None = None


@dataclass(frozen=True)
class ProvisionalCount:
    """A deck to be scored, and all of its game that may have to do with it."""

    edition: Edition
    mode: str
    settings: Mapping[str, int]
    active_rules: Sequence[str] | None
    seed: str
    cards: Mapping[str, int]


def count_of(game: Game, cards: Sequence[str], language: str | None = None) -> ProvisionalCount:
    """Return what is needed to score a list of cards, in a language that the edition has or else the game's."""
    edition = edition_of_game(game)
    if language is not None and language in edition.languages:
        edition = edition_of_game(game, language)
    return ProvisionalCount(edition, game.mode, dict(game.settings), game.active_rules, game.seed, counted(cards))


def told(count: ProvisionalCount) -> ProvisionalResult:
    """Return what a game's mode tells of a deck. Pure: it may take its time outside of any transaction."""
    if count.mode == KNOWN:
        return _known(count)
    if count.mode == TOTAL:
        result = _scored(count.edition, count)
        return ProvisionalResult(score=_score(result), eliminated=result.eliminated)
    if count.mode == FULL:
        result = _scored(count.edition, count)
        return ProvisionalResult(
            _score(result), result.eliminated, (), result.lines, _rules(count.edition, count.cards)
        )
    return ProvisionalResult()


def ground_of(game: Game) -> str:
    """Return what names the values by which a deck is scored: another name, another answer."""
    values = [game.edition, game.settings, game.active_rules] if game.mode in {TOTAL, FULL} else [game.edition]
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()


def kinds_digest(cards: Mapping[str, int]) -> str:
    """Return what names a deck as it is scored: how many cards of each kind."""
    return hashlib.sha256(json.dumps(dict(cards), sort_keys=True).encode()).hexdigest()


def _known(count: ProvisionalCount) -> ProvisionalResult:
    edition = known_edition(count.edition, count.cards)
    result = _scored(edition, replace(count, settings={}, active_rules=None, seed=""))
    points = sum(line.points for line in result.lines if not line.void)
    return ProvisionalResult(
        score=None if result.eliminated else decimal(points),
        eliminated=result.eliminated,
        unknown=tuple(line.kind for line in result.lines if line.unknown and line.kind),
        lines=result.lines,
        rules=_rules(edition, count.cards),
    )


def _scored(edition: Edition, count: ProvisionalCount) -> HandResult:
    """Score the deck by itself, with what the edition has of the game's settings and active rules."""
    settings: dict[str, Any] = {
        setting.name: count.settings[setting.name] for setting in edition.settings if setting.name in count.settings
    }
    active = count.active_rules
    if active is not None:
        active = [key for key in active if key in edition.rule_of]
    scorer = Scorer(edition, settings | {SEED: count.seed}, active)
    return scorer.score([Hand(PLAYER, count.cards)], provisional=True).hands[0]


def _score(result: HandResult) -> str | None:
    return None if result.eliminated else decimal(result.score)


def _rules(edition: Edition, cards: Mapping[str, int]) -> dict[str, tuple[str, str]]:
    """Return title and wording of the rules whose cards lie in the deck."""
    return {rule.key: (rule.name, rule.text) for rule in edition.rules if cards.get(rule.card)}


BORROWED = timedelta(minutes=30)
"""A card that another player has checked within this time may be borrowed: the organisers' audit says so."""


@dataclass(frozen=True)
class AttemptBudget:
    """The tries of a player. `left` is None where they are not counted; `wait` is in whole seconds."""

    left: int | None
    wait: int


@dataclass(frozen=True)
class ProvisionalAnswer:
    """What a player is told, by which mode, of which deck, and whether it has cost a try."""

    mode: str
    deck: Deck
    told: ProvisionalResult
    spent: bool
    budget: AttemptBudget


@dataclass(frozen=True)
class _Given:
    """An answer as it is kept: to which list of kinds, by which values, and whether it costs a try."""

    digest: str
    ground: str
    told: ProvisionalResult
    spends: bool


def budget_of(session: Session, game: Game, envelope: int, at: datetime) -> AttemptBudget:
    """Return how many tries a player has left, and how long the pause still takes."""
    if game.mode != TOTAL:
        return AttemptBudget(None, 0)
    spent = session.scalars(
        select(ProvisionalScore.at)
        .where(ProvisionalScore.game == game.id, ProvisionalScore.envelope == envelope, ProvisionalScore.spent)
        .order_by(ProvisionalScore.at)
    ).all()
    wait = spent[-1] + timedelta(seconds=game.pause) - at if spent else timedelta()
    # Rounded up, so that whoever waits for so many seconds has waited long enough.
    return AttemptBudget(max(0, game.tries - len(spent)), max(0, -(-wait // timedelta(seconds=1))))


def check(
    context: AppContext,
    seat: PlayerIdentity,
    deck: str,
    actor: Actor,
    language: str | None = None,
    mode: str | None = None,
) -> ProvisionalAnswer:
    """Answer by the game's mode; Refusal, also `no-tries` and `too-soon`, and `conflict` if the mode is another.

    A deck is scored outside of any transaction. Whether the answer costs a try is decided when it is given: a list of
    kinds that the player has asked about before costs nothing, and gets the answer of then.
    """
    at = context.clock()
    with context.database.reading() as session:
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
    with context.database.writing() as session:
        # Whose cards another player has just asked about is noted: who asks does so after all who asked before.
        advisory_lock(session, "check", seat.game)
        game, row = _asked(session, seat, deck, change=True)
        if (game.mode, ground_of(game)) != (count.mode, ground):
            raise _changed()
        spends = game.mode == TOTAL and _before(session, seat, digest) is None
        if spends:
            _has_try(budget_of(session, game, seat.envelope, at))
        _keep(session, game, row, _Given(digest, ground, answer, spends), actor, at)
        session.flush()
        return ProvisionalAnswer(game.mode, row, answer, spends, budget_of(session, game, seat.envelope, at))


def _asked(session: Session, seat: PlayerIdentity, deck: str, *, change: bool) -> tuple[Game, Deck]:
    """Return game and deck if a score may be asked for."""
    game, envelope = load_active_player(session, seat, Act.CHECK, change=change)
    shows_cards(game)
    row = deck_of(session, seat, deck)
    still_playing(envelope)
    if row.state != CONFIRMED:
        raise DomainError("not-confirmed", "Look at the list of your cards and confirm it first.")
    if len(live_cards(session, game.id, row.cards or ())) < len(row.cards or ()):
        raise DomainError("list-changed", "A card of this list does not count any more. Begin a new deck without it.")
    return game, row


def _changed() -> DomainError:
    return DomainError("conflict", "The organiser has just changed the game's settings. Ask again.")


def _before(session: Session, seat: PlayerIdentity, digest: str) -> ProvisionalScore | None:
    """Return the newest answer to the same list of kinds, by which a try was spent or saved."""
    return session.scalars(
        select(ProvisionalScore)
        .where(
            ProvisionalScore.game == seat.game,
            ProvisionalScore.envelope == seat.envelope,
            ProvisionalScore.digest == digest,
            ProvisionalScore.mode == TOTAL,
        )
        .order_by(ProvisionalScore.id.desc())
        .limit(1)
    ).first()


def _again(check: ProvisionalScore) -> ProvisionalResult:
    return ProvisionalResult(score=check.answer["score"], eliminated=check.answer["eliminated"])


def _has_try(budget: AttemptBudget) -> None:
    """Raise Refusal unless there is a try, and the pause since the last one is over."""
    if not budget.left:
        raise DomainError(
            "no-tries", "You have used all your tries. A deck that you asked about before is still answered."
        )
    if budget.wait:
        raise DomainError(
            "too-soon",
            "Between two tries there is a pause. A deck that you asked about before is still answered.",
            {"wait": budget.wait},
            retry=budget.wait,
        )


def _keep(session: Session, game: Game, deck: Deck, given: _Given, actor: Actor, at: datetime) -> None:
    """Keep an answer once for each deck, mode and values; it stays with the deck's list."""
    known = session.scalars(
        select(ProvisionalScore).where(
            ProvisionalScore.game == game.id,
            ProvisionalScore.envelope == deck.envelope,
            ProvisionalScore.deck == deck.id,
            ProvisionalScore.mode == game.mode,
            ProvisionalScore.digest == given.digest,
        )
    ).all()
    if any(check.answer.get("ground") == given.ground for check in known):
        return
    session.add(
        ProvisionalScore(
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
        audit(session, game.id, actor, at, "check", subject, after=after)
    borrowed = _borrowed(session, game, deck, at)
    if borrowed:
        audit(session, game.id, actor, at, "borrowed-cards", subject, after=borrowed)


def _borrowed(session: Session, game: Game, deck: Deck, at: datetime) -> dict[str, list[str]]:
    """Return the cards that other players have checked a short while ago, by envelope."""
    cards = set(deck.cards or ())
    others = session.execute(
        select(Deck.envelope, Deck.cards)
        .join(ProvisionalScore, ProvisionalScore.deck == Deck.id)
        .where(
            ProvisionalScore.game == game.id,
            ProvisionalScore.envelope != deck.envelope,
            ProvisionalScore.at > at - BORROWED,
        )
        .order_by(Deck.envelope)
    )
    found: dict[str, set[str]] = {}
    for envelope, listed in others:
        if shared := cards.intersection(listed or ()):
            found.setdefault(f"envelope {envelope}", set()).update(shared)
    return {envelope: sorted(shared) for envelope, shared in found.items()}
