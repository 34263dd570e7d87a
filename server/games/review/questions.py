"""Questions after the close, before the final count: facts, parts of decks, and which rules to cancel.

Organisers enter the answers. Players are not asked on their phones: the list of rules that can be cancelled reveals
which rule cards others have handed in, which is secret until the results are published.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from server.db.models import Envelope, Game
from server.games.audit import audit
from server.games.errors import DomainError, not_found
from server.games.events import publish_event
from server.games.lifecycle.repository import check_allowed, edition_of_game, lock_game
from server.games.lifecycle.states import ALLOWED, Act, State
from server.games.players.decks import count_kinds
from server.games.review.issue_keys import short_digest
from server.games.review.reconcile import reconcile_game
from server.scoring.hand import Hand, cancelling_rules, choice_mistakes, part_mistakes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from server.games.audit import Actor
    from server.games.review.reconcile import EnvelopeHand
    from server.scoring.edition import Edition, Fact, PartOfDeck, PlayerFact
    from server.scoring.rules import Rule


@dataclass(frozen=True)
class HandQuestions:
    """Questions about a hand, and the answers so far.

    `facts` and `player_facts` are asked of every hand, `entered` has their answers; players are given by their
    envelopes. A hand with `cards` that cancel rules may cancel `most` of the rules `may_cancel`; `cancelled` is the
    answer. Where decks have `parts`, `laid` is the number of cards of each kind in each part, out of `kinds`.
    `mistakes` are sentences on why an earlier answer no longer fits.
    """

    envelope: int
    facts: tuple[Fact, ...]
    entered: Mapping[str, int]
    cards: tuple[Rule, ...] = ()
    may_cancel: tuple[Rule, ...] = ()
    most: int = 0
    cancelled: tuple[str, ...] | None = None
    mistakes: tuple[str, ...] = ()
    parts: tuple[PartOfDeck, ...] = ()
    kinds: Mapping[str, int] = field(default_factory=dict)
    laid: Mapping[str, Mapping[str, int]] | None = None
    player_facts: tuple[PlayerFact, ...] = ()

    @property
    def names(self) -> list[str]:
        """The names of all facts."""
        return [*(fact.name for fact in self.facts), *(fact.name for fact in self.player_facts)]

    @property
    def open(self) -> bool:
        """True if something is still to be entered."""
        unanswered = (self.cards and self.cancelled is None) or (self.parts and self.laid is None)
        return bool(unanswered) or bool(self.mistakes) or any(name not in self.entered for name in self.names)

    @property
    def revision(self) -> str:
        """A text that changes whenever the answers or the possible answers do."""
        choices = [[rule.key for rule in rules] for rules in (self.cards, self.may_cancel)]
        laid = [self.laid, dict(self.kinds)] if self.parts else None
        return short_digest(json.dumps([self.envelope, dict(self.entered), choices, self.cancelled, laid]))


@dataclass(frozen=True)
class AnswersRequest:
    """Answers from an organiser; None leaves an answer as it is.

    `facts` are by name; a value of None removes one. Players are given by the numbers of their envelopes, 0 for nobody.
    """

    facts: Mapping[str, int | bool | None] | None = None
    cancels: Sequence[str] | None = None
    parts: Mapping[str, Mapping[str, int]] | None = None
    reason: str = ""
    revision: str = ""


def load_questions(session: Session, game: Game) -> list[HandQuestions]:
    """Return the questions about each hand that counts, answered or not, in the order of envelopes."""
    edition, active = edition_of_game(game), active_rules(game)
    if not edition.facts and not edition.player_facts and not edition.parts and not cancelling_rules(edition, active):
        return []
    hands = {number: hand for number, hand in reconcile_game(session, game).hands.items() if hand.counts}
    return _questions_about(session, game, hands)


def answer_questions(
    session: Session, game: Game, envelope: int, request: AnswersRequest, actor: Actor, at: datetime
) -> HandQuestions:
    """Save the answers about a hand and return its questions; raises DomainError for impossible answers.

    In a game that has been counted this is a correction and needs a reason.
    """
    lock_game(session, game)
    correcting = State(game.state) in ALLOWED[Act.CORRECT]
    check_allowed(game, Act.CORRECT if correcting else Act.ASK)
    if correcting and not request.reason.strip():
        raise DomainError("no-reason", "Say why: the game has been counted, so this is a correction.")
    asked = _load_one(session, game, envelope)
    if request.revision != asked.revision:
        raise DomainError(
            "changed",
            "This has changed since you looked: another organiser was faster, or the cards are different. Look again.",
            {"revision": asked.revision},
        )
    row = session.get_one(Envelope, (game.id, envelope))
    before = _answers(row)
    if request.facts is not None:
        row.facts = {**row.facts, **_checked_facts(session, game, envelope, request.facts)}
        row.facts = {name: value for name, value in row.facts.items() if value is not None}
    if request.cancels is not None:
        row.cancels = _checked_cancels(session, game, asked, request.cancels)
    if request.parts is not None:
        row.parts = _checked_parts(edition_of_game(game), asked, request.parts)
    session.flush()
    subject, reason, after = f"envelope {envelope}", request.reason.strip(), _answers(row)
    audit(session, actor, "answer", game=game.id, at=at, subject=subject, reason=reason, before=before, after=after)
    publish_event(session, game.id, at, "queue")
    return _load_one(session, game, envelope)


def active_rules(game: Game) -> frozenset[str]:
    """Return the keys of the active rules of a game."""
    return frozenset(edition_of_game(game).rule_of if game.active_rules is None else map(str, game.active_rules))


def cancel_errors(
    edition: Edition, active: frozenset[str], hands: Mapping[int, EnvelopeHand], envelope: int, choices: Iterable[str]
) -> tuple[str, ...]:
    """Return a sentence for each mistake in a player's choices of rules to cancel."""
    cards = {str(number): count_kinds(hand.cards) for number, hand in hands.items()}
    return tuple(choice_mistakes(edition, active, cards, str(envelope), choices))


def part_errors(edition: Edition, cards: Mapping[str, int], parts: Mapping[str, Any]) -> tuple[str, ...]:
    """Return a sentence for each mistake in the parts of a deck with these cards by kind."""
    if not _well_formed(parts):
        return ("each part must give the number of cards of each kind in it",)
    found = part_mistakes(edition, Hand("", cards, parts=parts))
    return tuple(f"{part}: {kind} {sentence}" if kind else f"{part}: {sentence}" for part, kind, sentence in found)


def _well_formed(parts: Mapping[str, Any]) -> bool:
    """Return whether parts have the right form. An imported game may hold any."""
    return all(
        isinstance(kinds, dict) and all(type(number) is int for number in kinds.values()) for kinds in parts.values()
    )


def _questions_about(session: Session, game: Game, hands: Mapping[int, EnvelopeHand]) -> list[HandQuestions]:
    edition, active = edition_of_game(game), active_rules(game)
    held = cancelling_rules(edition, active)
    in_play = {kind for hand in hands.values() for kind in count_kinds(hand.cards)}
    found = []
    for number, hand in sorted(hands.items()):
        row = session.get_one(Envelope, (game.id, number))
        own = count_kinds(hand.cards)
        cards = tuple(rule for rule in held if rule.card in own)
        touched = {key for rule in cards for key in rule.touches}
        choices = tuple(row.cancels) if row.cancels is not None else None
        found.append(
            HandQuestions(
                number,
                edition.facts,
                {
                    name: value
                    for name, value in row.facts.items()
                    if name in edition.fact_of or name in {fact.name for fact in edition.player_facts}
                },
                cards,
                tuple(
                    rule
                    for rule in edition.rules
                    if rule.key in touched and rule.key in active and rule.card in in_play
                ),
                len({rule.effect for rule in cards}),
                choices,
                (
                    *cancel_errors(edition, active, hands, number, choices or ()),
                    *part_errors(edition, own, row.parts or {}),
                ),
                edition.parts,
                own if edition.parts else {},
                row.parts if row.parts is None or _well_formed(row.parts) else None,
                edition.player_facts,
            )
        )
    return [
        asked for asked in found if asked.facts or asked.player_facts or asked.cards or asked.parts or asked.mistakes
    ]


def _answers(row: Envelope) -> dict[str, Any]:
    return {"facts": dict(row.facts), "cancels": row.cancels, "parts": row.parts}


def _load_one(session: Session, game: Game, envelope: int) -> HandQuestions:
    for asked in load_questions(session, game):
        if asked.envelope == envelope:
            return asked
    raise not_found("question about this envelope")


def _checked_facts(
    session: Session, game: Game, envelope: int, facts: Mapping[str, int | bool | None]
) -> dict[str, Any]:
    edition = edition_of_game(game)
    naming = [fact.name for fact in edition.player_facts]
    for name, value in facts.items():
        if name in naming:
            numbers = select(Envelope.number).where(Envelope.game == game.id, Envelope.number != envelope)
            if value is not None and (type(value) is not int or value not in {0, *session.scalars(numbers)}):
                raise DomainError("wrong-answer", f"{name} must be the number of another envelope, or 0 for nobody.")
            continue
        fact = edition.fact_of.get(name)
        if fact is None:
            known = ", ".join([*edition.fact_of, *naming]) or "none"
            raise DomainError("wrong-answer", f"{edition.slug} asks for no fact {name!a:.40} (it asks for {known}).")
        if value is not None and not fact.takes(value):
            raise DomainError("wrong-answer", f"{name} must be {fact.expects}.")
    return dict(facts)


def _checked_parts(edition: Edition, asked: HandQuestions, parts: Mapping[str, Mapping[str, int]]) -> dict[str, Any]:
    if mistakes := part_errors(edition, asked.kinds, parts):
        raise DomainError("wrong-answer", f"Parts: {'; '.join(mistakes)}.", {"mistakes": list(mistakes)})
    return {part: dict(kinds) for part, kinds in parts.items()}


def _checked_cancels(session: Session, game: Game, asked: HandQuestions, choices: Sequence[str]) -> list[str]:
    if not asked.cards and choices:
        raise DomainError("wrong-answer", "This hand has no card that cancels a rule.")
    hands = {number: hand for number, hand in reconcile_game(session, game).hands.items() if hand.counts}
    mistakes = cancel_errors(edition_of_game(game), active_rules(game), hands, asked.envelope, choices)
    if mistakes:
        raise DomainError("wrong-answer", f"Cancelled rules: {'; '.join(mistakes)}.", {"mistakes": list(mistakes)})
    return list(choices)
