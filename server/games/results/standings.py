"""Ranking and breakdown of a count, in the reader's language, and the differences between two counts.

A version stores its sentences in the game's language. For other languages its inputs are counted again, which must give
the same points line by line. If it does not, because the edition has changed since, the stored sentences are shown.
"""

from __future__ import annotations

import json
import threading
from collections import Counter, OrderedDict
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from server.db.models import Envelope
from server.editions import load_edition
from server.games.names import is_nameless
from server.scoring import Scorer, ScoringError
from server.scoring.errors import EditionError, InputError
from server.scoring.request_schema import parse_request
from server.scoring.result import line_document, result_document

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from sqlalchemy.orm import Session

    from server.db.models import Game, ResultVersion
    from server.scoring import HandResult, Result
    from server.scoring.edition import Edition


_LINE_FIELDS = ("rule", "points", "text", "void", "voided_by")
_COMPARED = ("rule", "points", "void", "voided_by")

_CACHE_SIZE = 8
_cache: OrderedDict[tuple[str, int, str, str], Result | None] = OrderedDict()
_cache_lock = threading.Lock()


@dataclass(frozen=True)
class ResultChange:
    """Difference between two counts of an envelope. `before` and `after` are its hands, None where it was not counted.

    `gone` and `come` are the lines of the breakdown that only the first, or only the second count has.
    """

    envelope: int
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    gone: tuple[dict[str, Any], ...]
    come: tuple[dict[str, Any], ...]


def compare_counts(before: Mapping[int, dict[str, Any]], after: Mapping[int, dict[str, Any]]) -> list[ResultChange]:
    """Return the envelopes whose hands differ between two counts, in the order of the newer ranking."""
    found = []
    for envelope in [*after, *(number for number in before if number not in after)]:
        old, new = before.get(envelope), after.get(envelope)
        if old == new:
            continue
        gone, come = _counted_lines(old), _counted_lines(new)
        found.append(
            ResultChange(
                envelope, _without_lines(old), _without_lines(new), _as_lines(gone - come), _as_lines(come - gone)
            )
        )
    return found


def hands_by_envelope(inputs: Mapping[str, Any], document: Mapping[str, Any]) -> dict[int, dict[str, Any]]:
    """Return the counted hands of a version by their envelopes, in rank order."""
    names = [hand["player"] for hand in inputs["game"]["hands"]]
    envelope_of = dict(zip(names, inputs["envelopes"], strict=True))
    return {envelope_of[hand["player"]]: hand for hand in document["hands"]}


def points_by_rule(lines: Iterable[Mapping[str, Any]]) -> dict[str | None, Fraction]:
    """Return the sum of points of each rule, None for the cards themselves, without void lines."""
    sums: dict[str | None, Fraction] = {}
    for line in lines:
        if not line["void"]:
            sums[line["rule"]] = sums.get(line["rule"], Fraction(0)) + Fraction(line["points"])
    return sums


def _without_lines(hand: dict[str, Any] | None) -> dict[str, Any] | None:
    return None if hand is None else {key: value for key, value in hand.items() if key != "lines"}


def _counted_lines(hand: dict[str, Any] | None) -> Counter[tuple[Any, ...]]:
    """Count a hand's lines: two may be alike."""
    return Counter(tuple(line[key] for key in _LINE_FIELDS) for line in (hand["lines"] if hand else ()))


def _as_lines(counted: Counter[tuple[Any, ...]]) -> tuple[dict[str, Any], ...]:
    return tuple(dict(zip(_LINE_FIELDS, line, strict=True)) for line in counted.elements())


@dataclass(frozen=True)
class RankedHand:
    """A counted hand for a reader, with its lines in the reader's language.

    `player` is None if the player is hidden from this reader.
    """

    envelope: int
    player: str | None
    rank: int
    score: str | None
    eliminated: bool
    decided_by: str | None
    lines: tuple[dict[str, Any], ...]


@dataclass(frozen=True)
class StandingsView:
    """A version as a reader sees it, in rank order."""

    edition: Edition
    language: str
    standings: tuple[RankedHand, ...]


def standings_for(
    game: Game,
    version: ResultVersion,
    language: str | None = None,
    *,
    hidden: Collection[int] = (),
    only: int | None = None,
) -> StandingsView:
    """Return a version in a language of its edition (else the game's), without the names of `hidden` envelopes.

    Sentences call them "a player", and players without a name by their envelope. `only` is the envelope whose lines are
    included; None includes all.
    """
    edition = _edition_in(game, language)
    hands = hands_by_envelope(version.inputs, version.document)
    result = _counted_again(edition, game, version)
    if result is None and edition.language != game.language:
        edition = _edition_in(game, None)
    unnamed = edition.phrases["a_player"]
    called = _nameless_names(edition, hands) | {hand["player"]: unnamed for n, hand in hands.items() if n in hidden}
    fresh = {hand.hand.player: hand for hand in result.hands} if result else {}
    labels = {tie.name: tie.label for tie in edition.ties}
    standings = []
    for envelope, hand in hands.items():
        standings.append(
            RankedHand(
                envelope,
                None if envelope in hidden else called.get(hand["player"], hand["player"]),
                hand["rank"],
                hand["score"],
                hand["eliminated"],
                None if hand["decided_by"] is None else labels.get(hand["decided_by"], hand["decided_by"]),
                () if only not in (None, envelope) else _lines(edition, hand, fresh.get(hand["player"]), called),
            )
        )
    return StandingsView(edition, edition.language, tuple(standings))


def _nameless_names(edition: Edition, hands: Mapping[int, dict[str, Any]]) -> dict[str, str]:
    """Return the names of nameless players in an edition's language, by the names that the count gave them."""
    nameless = edition.phrases["nameless"]
    return {
        hand["player"]: nameless.format(number=number)
        for number, hand in hands.items()
        if is_nameless(hand["player"], number)
    }


def rules_of(edition: Edition, game: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return all rules of an edition in its language, with title, wording and whether each was active in `game`."""
    active = {rule.key for rule in Scorer(edition, game.get("settings"), game.get("active_rules")).active}
    return [
        {
            "key": rule.key,
            "name": rule.name,
            "text": rule.text,
            "number": int(rule.key) if rule.key.isdigit() else None,
            "active": rule.key in active,
        }
        for rule in edition.rules
    ]


def _lines(
    edition: Edition, hand: dict[str, Any], fresh: HandResult | None, called: Mapping[str, str]
) -> tuple[dict[str, Any], ...]:
    if fresh is not None:
        return tuple({**line_document(line), "kind": line.kind} for line in fresh.lines_in(edition, called))
    return tuple({**line, "text": _replace_names(line["text"], called), "kind": None} for line in hand["lines"])


def _replace_names(text: str, called: Mapping[str, str]) -> str:
    """Replace names in a stored sentence, the longest first, since one may be part of another."""
    for name in sorted(called, key=len, reverse=True):
        text = text.replace(name, called[name])
    return text


def _edition_in(game: Game, language: str | None) -> Edition:
    try:
        return load_edition(game.edition, language or game.language)
    except EditionError:
        return load_edition(game.edition, game.language)


def _counted_again(edition: Edition, game: Game, version: ResultVersion) -> Result | None:
    """Return the result of counting a version again; None if the edition now gives another result."""
    # All players look at the same time: one thread counts, the others wait for it.
    key = (game.id, version.version, version.at.isoformat(), edition.slug)
    return _cached(key, lambda: _count(edition, version))


def _cached(key: tuple[str, int, str, str], make: Callable[[], Result | None]) -> Result | None:
    with _cache_lock:
        if key not in _cache:
            _cache[key] = make()
            while len(_cache) > _CACHE_SIZE:
                _cache.popitem(last=False)
        _cache.move_to_end(key)
        return _cache[key]


def _count(edition: Edition, version: ResultVersion) -> Result | None:
    try:
        request = parse_request(edition, json.loads(json.dumps(version.inputs["game"])))
        scorer = Scorer(edition, request.settings, request.active_rules)
        result = scorer.score(request.hands, provisional=False)
        again = result_document(result)
    except (EditionError, ScoringError, InputError):
        return None
    return result if _without_sentences(again) == _without_sentences(version.document) else None


def _without_sentences(document: Mapping[str, Any]) -> list[Any]:
    """Return a document without its sentences."""
    return [
        {**hand, "lines": [[line[key] for key in _COMPARED] for line in hand["lines"]]} for hand in document["hands"]
    ]


def hidden_envelopes(session: Session, game: Game) -> frozenset[int]:
    """Return the envelopes of the players who do not want to be named in the public ranking."""
    wanted = select(Envelope.number).where(Envelope.game == game.id, Envelope.hidden)
    return frozenset(session.scalars(wanted))
