"""Provisional scores: what the game's mode reveals of a deck, for a limited number of attempts."""

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
from server.games.lifecycle.settings import FULL, INVENTORY, KNOWN, TOTAL
from server.games.lifecycle.states import ALLOWED, Act, State
from server.games.players.decks import (
    DeckState,
    check_cards_visible,
    check_not_handed_in,
    contents_of,
    count_kinds,
    deck_of,
    photos_of,
    valid_cards,
)
from server.scoring import Hand, Scorer, decimal
from server.scoring.edition import SEED, known_edition
from server.scoring.rules import Phase

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from server.db.models import Game
    from server.games.audit import Actor
    from server.games.context import AppContext
    from server.games.lifecycle.repository import PlayerIdentity
    from server.scoring import Edition, HandResult, Line


PLAYER = "deck"
"""The name for every scored deck, since random draws depend on names."""

LEAVES_OUT: dict[str, tuple[str, ...]] = {
    INVENTORY: ("score",),
    KNOWN: ("other-rules", "other-hands", "chance", "facts", "cancels"),
    TOTAL: ("other-hands", "chance", "facts", "cancels"),
    FULL: ("other-hands", "chance", "facts", "cancels"),
}
"""What a score leaves out in each mode, at most."""
UNCONFIRMED = frozenset({KNOWN, FULL})
"""The modes in which a score costs nothing, so that a list that is read completely needs no confirmation."""
BORROWING_TIME = timedelta(minutes=30)
"""A card that another player has had scored within this time may be borrowed, which is audited."""


@dataclass(frozen=True)
class ProvisionalResult:
    """The score of a deck as far as the mode reveals it; the other fields are empty.

    `score` is an exact decimal or None. `unknown` are kinds whose worth the player's rules do not state; the score
    leaves them out. `rules` are those whose cards are in the deck: titles and texts by key.
    """

    score: str | None = None
    eliminated: bool = False
    unknown: tuple[str, ...] = ()
    lines: tuple[Line, ...] = ()
    rules: Mapping[str, tuple[str, str]] | None = None


@dataclass(frozen=True)
class ScoreInputs:
    """A deck to be scored, and everything of its game that affects the score."""

    edition: Edition
    mode: str
    settings: Mapping[str, int]
    active_rules: Sequence[str] | None
    seed: str
    cards: Mapping[str, int]


@dataclass(frozen=True)
class AttemptBudget:
    """The attempts of a player. `left` is None if they are not counted; `wait` is the rest of the pause in seconds."""

    left: int | None
    wait: int


@dataclass(frozen=True)
class ProvisionalAnswer:
    """The answer to a player: the score of a deck in a mode, and whether it has used an attempt."""

    mode: str
    deck: Deck
    cards: Sequence[str]
    result: ProvisionalResult
    spent: bool
    budget: AttemptBudget


def inputs_of(game: Game, cards: Sequence[str], language: str | None = None) -> ScoreInputs:
    """Return the inputs for scoring a list of cards, in a language of the edition or else the game's."""
    edition = edition_of_game(game)
    if language is not None and language in edition.languages:
        edition = edition_of_game(game, language)
    return ScoreInputs(edition, game.mode, dict(game.settings), game.active_rules, game.seed, count_kinds(cards))


def provisional_result(inputs: ScoreInputs) -> ProvisionalResult:
    """Score a deck as far as the game's mode reveals it. Pure, so that it can run outside of transactions."""
    if inputs.mode == KNOWN:
        return _known(inputs)
    if inputs.mode == TOTAL:
        result = _scored(inputs.edition, inputs)
        return ProvisionalResult(score=_score(result), eliminated=result.eliminated)
    if inputs.mode == FULL:
        result = _scored(inputs.edition, inputs)
        return ProvisionalResult(
            _score(result), result.eliminated, (), result.lines, _rules(inputs.edition, inputs.cards)
        )
    return ProvisionalResult()


def left_out(edition: Edition, mode: str) -> list[str]:
    """Return what a score leaves out. Only `full` scores reveal what the edition does not have at all."""
    if mode != FULL:
        return list(LEAVES_OUT[mode])
    phases = {phase for rule in edition.rules for phase in rule.phases}
    has = {
        "chance": Phase.REMOVE in phases,
        "facts": bool(edition.facts or edition.player_facts or edition.parts),
        "cancels": Phase.CANCEL in phases,
    }
    return [name for name in LEAVES_OUT[mode] if has.get(name, True)]


def rules_fingerprint(game: Game) -> str:
    """Return a digest of the settings that affect the score in the game's mode."""
    values = [game.edition, game.settings, game.active_rules] if game.mode in {TOTAL, FULL} else [game.edition]
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()


def kinds_digest(cards: Mapping[str, int]) -> str:
    """Return a digest of a deck's numbers of cards by kind."""
    return hashlib.sha256(json.dumps(dict(cards), sort_keys=True).encode()).hexdigest()


def _known(inputs: ScoreInputs) -> ProvisionalResult:
    edition = known_edition(inputs.edition, inputs.cards)
    result = _scored(edition, replace(inputs, settings={}, active_rules=None, seed=""))
    points = sum(line.points for line in result.lines if not line.void)
    return ProvisionalResult(
        score=None if result.eliminated else decimal(points),
        eliminated=result.eliminated,
        unknown=tuple(line.kind for line in result.lines if line.unknown and line.kind),
        lines=result.lines,
        rules=_rules(edition, inputs.cards),
    )


def _scored(edition: Edition, inputs: ScoreInputs) -> HandResult:
    """Score the deck by itself, with the settings and rules of the game that the edition has."""
    settings: dict[str, Any] = {
        setting.name: inputs.settings[setting.name] for setting in edition.settings if setting.name in inputs.settings
    }
    active = inputs.active_rules
    if active is not None:
        active = [key for key in active if key in edition.rule_of]
    scorer = Scorer(edition, settings | {SEED: inputs.seed}, active)
    return scorer.score([Hand(PLAYER, inputs.cards)], provisional=True).hands[0]


def _score(result: HandResult) -> str | None:
    return None if result.eliminated else decimal(result.score)


def _rules(edition: Edition, cards: Mapping[str, int]) -> dict[str, tuple[str, str]]:
    """Return titles and texts of the rules whose cards are in the deck."""
    return {rule.key: (rule.name, rule.text) for rule in edition.rules if cards.get(rule.card)}


def budget_of(session: Session, game: Game, envelope: int, at: datetime) -> AttemptBudget:
    """Return how many attempts a player has left, and the rest of the pause."""
    if game.mode != TOTAL:
        return AttemptBudget(None, 0)
    spent = session.scalars(
        select(ProvisionalScore.at)
        .where(ProvisionalScore.game == game.id, ProvisionalScore.envelope == envelope, ProvisionalScore.spent)
        .order_by(ProvisionalScore.at)
    ).all()
    wait = spent[-1] + timedelta(seconds=game.pause) - at if spent else timedelta()
    # Rounded up to whole seconds.
    return AttemptBudget(max(0, game.tries - len(spent)), max(0, -(-wait // timedelta(seconds=1))))


def scores_of(session: Session, game: Game, envelope: int) -> dict[tuple[str, str], str]:
    """Return the scores that a player has received by the game's present mode and rules, by deck and list of kinds."""
    if State(game.state) not in ALLOWED[Act.CHECK]:
        return {}
    fingerprint = rules_fingerprint(game)
    rows = select(ProvisionalScore).filter_by(game=game.id, envelope=envelope, mode=game.mode)
    return {
        (row.deck, row.digest): row.answer["score"]
        for row in session.scalars(rows.order_by(ProvisionalScore.id))
        if row.answer.get("ground") == fingerprint and row.answer["score"] is not None
    }


def score_deck(
    context: AppContext,
    player: PlayerIdentity,
    deck: str,
    actor: Actor,
    language: str | None = None,
    mode: str | None = None,
) -> ProvisionalAnswer:
    """Return the provisional score of a deck. Raises DomainError, such as `no-tries`, `too-soon` or `conflict`.

    A deck with the same numbers of cards by kind as an earlier one uses no attempt, and gets the same answer. The deck
    is scored between two transactions; the second one decides whether it uses an attempt.
    """
    at = context.clock()
    with context.database.reading() as session:
        game, row, cards = _scorable(session, player, deck, change=False)
        if mode not in {None, game.mode}:
            raise _changed()
        inputs = inputs_of(game, cards, language)
        fingerprint = rules_fingerprint(game)
        digest = kinds_digest(inputs.cards)
        old = _earlier(session, player, digest) if game.mode == TOTAL else None
        if game.mode == TOTAL and old is None:
            _check_budget(budget_of(session, game, player.envelope, at))
    answer = _stored(old) if old is not None and old.answer.get("ground") == fingerprint else provisional_result(inputs)
    with context.database.writing() as session:
        # One after the other, so that borrowed cards are noticed.
        advisory_lock(session, "check", player.game)
        game, row, listed = _scorable(session, player, deck, change=True)
        if listed != cards:
            raise DomainError("list-changed", "The list has changed meanwhile. Look at it again, then ask again.")
        if (game.mode, rules_fingerprint(game)) != (inputs.mode, fingerprint):
            raise _changed()
        spends = game.mode == TOTAL and _earlier(session, player, digest) is None
        if spends:
            _check_budget(budget_of(session, game, player.envelope, at))
        given = ProvisionalScore(
            game=game.id,
            envelope=row.envelope,
            deck=row.id,
            digest=digest,
            mode=game.mode,
            spent=spends,
            cards=cards,
            answer={"score": answer.score, "eliminated": answer.eliminated, "ground": fingerprint},
            at=at,
        )
        _store_and_audit(session, given, actor)
        session.flush()
        return ProvisionalAnswer(game.mode, row, cards, answer, spends, budget_of(session, game, player.envelope, at))


def _scorable(session: Session, player: PlayerIdentity, deck: str, *, change: bool) -> tuple[Game, Deck, list[str]]:
    """Return game, deck and its list of cards if it may be scored."""
    game, envelope = load_active_player(session, player, Act.CHECK, change=change)
    check_cards_visible(game)
    row = deck_of(session, player, deck)
    check_not_handed_in(envelope)
    if row.state != DeckState.CONFIRMED:
        cards = _read_completely(session, row) if game.mode in UNCONFIRMED else None
        if not cards:
            raise DomainError("not-confirmed", "Look at the list of your cards and confirm it first.")
        return game, row, cards
    if len(valid_cards(session, game.id, row.cards or ())) < len(row.cards or ()):
        raise DomainError("list-changed", "A card on this list no longer counts. Start a new deck without it.")
    return game, row, list(row.cards or ())


def _read_completely(session: Session, deck: Deck) -> list[str] | None:
    """Return the cards of an unconfirmed deck, or None if its player has to look at the list first."""
    found = contents_of(session, deck, photos_of(session, deck))
    if found.listing.pending or found.listing.other_label or found.unread:
        return None
    return list(found.listing.cards)


def _changed() -> DomainError:
    return DomainError("conflict", "The organiser has just changed the game's settings. Ask again.")


def _earlier(session: Session, player: PlayerIdentity, digest: str) -> ProvisionalScore | None:
    """Return the newest score of the same numbers of cards by kind."""
    same = select(ProvisionalScore).filter_by(game=player.game, envelope=player.envelope, digest=digest, mode=TOTAL)
    return session.scalars(same.order_by(ProvisionalScore.id.desc()).limit(1)).first()


def _stored(row: ProvisionalScore) -> ProvisionalResult:
    return ProvisionalResult(score=row.answer["score"], eliminated=row.answer["eliminated"])


def _check_budget(budget: AttemptBudget) -> None:
    """Raise DomainError unless an attempt is left and the pause is over."""
    if not budget.left:
        raise DomainError("no-tries", "You have used all your attempts. You can still ask again about an earlier deck.")
    if budget.wait:
        raise DomainError(
            "too-soon",
            "There is a pause between two attempts. You can still ask again about an earlier deck.",
            {"wait": budget.wait},
            retry=budget.wait,
        )


def _store_and_audit(session: Session, given: ProvisionalScore, actor: Actor) -> None:
    """Store and audit a score, once for each deck, mode and rules."""
    same = {name: getattr(given, name) for name in ("game", "envelope", "deck", "mode", "digest")}
    # Cards of the same kinds may be borrowed ones.
    known = [
        row
        for row in session.scalars(select(ProvisionalScore).filter_by(**same))
        if row.cards is None or row.cards == given.cards
    ]
    if any(row.answer.get("ground") == given.answer["ground"] for row in known):
        return
    session.add(given)
    if known:
        return
    subject, cards = f"envelope {given.envelope}", given.cards or []
    if given.spent:
        after = {"score": given.answer["score"], "cards": len(cards)}
        audit(session, actor, "check", game=given.game, at=given.at, subject=subject, after=after)
    if borrowed := _borrowed(session, given, cards):
        audit(session, actor, "borrowed-cards", game=given.game, at=given.at, subject=subject, after=borrowed)


def _borrowed(session: Session, given: ProvisionalScore, cards: Sequence[str]) -> dict[str, list[str]]:
    """Return those of a deck's cards that other players have had scored recently, by envelope."""
    others = session.execute(
        select(Deck.envelope, ProvisionalScore.cards, Deck.cards)
        .join(ProvisionalScore, ProvisionalScore.deck == Deck.id)
        .where(
            ProvisionalScore.game == given.game,
            ProvisionalScore.envelope != given.envelope,
            ProvisionalScore.at > given.at - BORROWING_TIME,
        )
        .order_by(Deck.envelope)
    )
    found: dict[str, set[str]] = {}
    for envelope, scored, listed in others:
        if shared := set(cards).intersection(scored or listed or ()):
            found.setdefault(f"envelope {envelope}", set()).update(shared)
    return {envelope: sorted(shared) for envelope, shared in found.items()}
