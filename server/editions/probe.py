"""Runs an edition's rules on many made-up hands, to find those that fail. The hands are the same each time."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING

from server.scoring import Hand, score
from server.scoring.edition import EditionError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from server.scoring.edition import Edition

_GAMES = 40
_MOST = 13
"""Most copies of a kind in a made-up hand."""


def failures(edition: Edition) -> Iterator[tuple[str, str]]:
    """Yield the place ("file:line", or a place in the TOML) and a sentence for each rule or tie-break that fails.

    What has failed once is taken out, so that what comes after it is tried too.
    """
    seen: set[str] = set()
    for number in range(_GAMES):
        game = list(_hands(edition, number))
        while True:
            try:
                _play(edition, game)
            except EditionError as error:
                place, _, sentence = str(error).partition(": ")
                if place == edition.slug:
                    place, _, sentence = sentence.partition(": ")
                if place not in seen:
                    seen.add(place)
                    yield place, sentence
                lesser = _without(edition, str(error))
                if lesser == edition:
                    return
                edition = lesser
            else:
                break


def _play(edition: Edition, game: list[Hand]) -> None:
    """Score a game, and one hand of it alone, and make all sentences."""
    for hands in (game, game[:1], []):
        for hand in score(edition, hands).hands:
            hand.lines  # noqa: B018 - reading makes the sentences


def _without(edition: Edition, message: str) -> Edition:
    """Return the edition without the rule or tie-break that an error names."""
    rules = tuple(
        replace(rule, steps=()) if f"rule {rule.key} " in message or f"rules.{rule.key}." in message else rule
        for rule in edition.rules
    )
    ties = tuple(tie for tie in edition.ties if f"tie-break {tie.name} " not in message)
    return replace(edition, rules=rules, ties=ties)


def _hands(edition: Edition, game: int) -> Iterator[Hand]:
    """Yield one to five hands: an empty one, one of everything, and many between."""
    for seat in range(1 + game % 5):
        cards = {}
        for kind in edition.kinds:
            most = 1 + (game + seat) % (2 if kind.category == "rule" else _MOST)
            number = _drawn(2 * most + 1, game, seat, kind.slug) - most
            cards[kind.slug] = 1 if (game, seat) == (1, 0) else max(number, 0)
        if (game, seat) == (0, 0):
            cards = {}
        parts: dict[str, dict[str, int]] = {part.slug: {} for part in edition.parts}
        for slug, count in cards.items():
            for copy in range(count if parts else 0):
                part = parts[edition.parts[_drawn(len(parts), game, seat, slug, copy)].slug]
                part[slug] = part.get(slug, 0) + 1
        facts = {
            fact.name: bool(_drawn(2, game, seat, fact.name))
            if fact.yes_no
            else fact.minimum + _drawn(fact.maximum - fact.minimum + 1, game, seat, fact.name)
            for fact in edition.facts
        }
        yield Hand(f"Player {seat + 1}", cards, facts=facts, parts=parts)


def _drawn(choices: int, *what: object) -> int:
    digest = hashlib.sha256("/".join(map(str, what)).encode()).digest()
    return int.from_bytes(digest[:8], "big") % choices
