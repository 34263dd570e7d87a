"""The provisional score, and what each mode lets it tell.

The rules are the secret of the game, so a score is an oracle on them. Whatever a mode must not tell is not left out of
an answer afterwards: it is never there. In `known` the deck is scored by an edition that has nothing but what is
printed on its cards, and by no value of the game, so that no line, text, count, error or time can depend on another
rule, on a setting, or on whether a rule is active.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from server.play.findings import counted
from server.play.house import edition_of
from server.scoring import Hand, Scorer, decimal
from server.scoring.edition import SEED
from server.scoring.known import known_part

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from server.scoring import Edition, HandResult, Line
    from server.store.tables import Game

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
class Told:
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
class Count:
    """A deck to be scored, and all of its game that may have to do with it."""

    edition: Edition
    mode: str
    settings: Mapping[str, int]
    active_rules: Sequence[str] | None
    seed: str
    cards: Mapping[str, int]


def count_of(game: Game, cards: Sequence[str], language: str | None = None) -> Count:
    """Return what is needed to score a list of cards, in a language that the edition has or else the game's."""
    edition = edition_of(game)
    if language is not None and language in edition.languages:
        edition = edition_of(game, language)
    return Count(edition, game.mode, dict(game.settings), game.active_rules, game.seed, counted(cards))


def told(count: Count) -> Told:
    """Return what a game's mode tells of a deck. Pure: it may take its time outside of any transaction."""
    if count.mode == KNOWN:
        return _known(count)
    if count.mode == TOTAL:
        result = _scored(count.edition, count)
        return Told(score=_score(result), eliminated=result.eliminated)
    if count.mode == FULL:
        result = _scored(count.edition, count)
        return Told(_score(result), result.eliminated, (), result.lines, _rules(count.edition, count.cards))
    return Told()


def ground_of(game: Game) -> str:
    """Return what names the values by which a deck is scored: another name, another answer."""
    values = [game.edition, game.settings, game.active_rules] if game.mode in {TOTAL, FULL} else [game.edition]
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()


def kinds_digest(cards: Mapping[str, int]) -> str:
    """Return what names a deck as it is scored: how many cards of each kind."""
    return hashlib.sha256(json.dumps(dict(cards), sort_keys=True).encode()).hexdigest()


def _known(count: Count) -> Told:
    edition = known_part(count.edition, count.cards)
    result = _scored(edition, replace(count, settings={}, active_rules=None, seed=""))
    points = sum(line.points for line in result.lines if not line.void)
    return Told(
        score=None if result.eliminated else decimal(points),
        eliminated=result.eliminated,
        unknown=tuple(line.kind for line in result.lines if line.unknown and line.kind),
        lines=result.lines,
        rules=_rules(edition, count.cards),
    )


def _scored(edition: Edition, count: Count) -> HandResult:
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
